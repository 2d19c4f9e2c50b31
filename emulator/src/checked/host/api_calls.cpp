#include "api_calls.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "../../memory/memory.h"
#include "../../reports/error_state.h"
#include "../../reports/source_places.h"
#include "../findings.h"
#include "allocation_names.h"
#include "allocations.h"
#include "emulator/error.h"
#include "emulator/runtime_api.h"

namespace emulator {
namespace {

struct Failure {
    Kind kind;
    std::string what, detail, cause;
    cudaError_t error;
    ShadowMemory::Frames frames;
    std::thread::id thread = std::this_thread::get_id();
};

// A stream, an event, a graph and so on.
struct Made {
    const char* what;
    ShadowMemory::Frames frames;
    bool recorded = false;
    const char* waiting_call = nullptr;  // one that waited before anything was recorded
    ShadowMemory::Frames waited{};
};

struct Calls {
    std::mutex mutex;
    std::vector<Failure> unseen;
    std::map<const void*, Made> made;
};

// Never destroyed: static objects call the API.
Calls& calls() {
    static auto& calls = *new Calls;
    return calls;
}

thread_local std::optional<Failure> last_failure;  // of a call that returns its error
thread_local std::string reason;

std::string described(cudaError_t error) {
    return std::string(cudaGetErrorName(error)) + " (" + cudaGetErrorString(error) + ")";
}

// Errors that say nothing of the program: an answer, or what only the emulator refuses.
bool is_failure(cudaError_t error) {
    return error != cudaSuccess && error != cudaErrorNotReady && error != cudaErrorNotSupported;
}

void add_unseen(Failure failure) {
    const std::lock_guard lock(calls().mutex);
    const auto is_same = [&](const Failure& f) { return f.frames == failure.frames && f.thread == failure.thread; };
    if (std::none_of(calls().unseen.begin(), calls().unseen.end(), is_same))
        calls().unseen.push_back(std::move(failure));
}

void tell_waited_in_vain(const Made& event) {
    if (event.waiting_call == nullptr || event.recorded) return;
    const SourcePlace made = source_place(asked_at(event.frames));
    const std::string failed = failed_record(), root = failed.empty() ? "cudaEventRecord() is missing." : failed;
    note({std::string(event.waiting_call) + "()", "waits for an event that is never recorded,", asked_at(event.waited)},
         "It does not wait: nothing is in front of the event" +
             (made.path.empty() ? "" : ", which was made at " + made.name()) + ". " + root);
}

// Some of a kind: how many, and where one of them was made.
struct Left {
    std::size_t n = 0, bytes = 0;
    std::uintptr_t made = 0;

    void add(std::size_t size, const ShadowMemory::Frames& frames) {
        if (++n == 1) made = asked_at(frames);
        bytes += size;
    }

    void tell(const std::string& what, const std::string& function) const {
        if (n == 0) return;
        const std::string size = bytes == 0 ? "" : " (" + bytes_of(bytes) + ")";
        note({std::to_string(n) + " " + what + (n == 1 ? size + " is" : "s" + size + " are"),
              "never given to " + function + (n == 1 ? "(); it was made" : "(); one of them was made"), made},
             "");
    }
};

}  // namespace

ApiCall::ApiCall(const char* name) : name_(name), reports_(reports()) {
    reason.clear();
}

cudaError_t ApiCall::ended(cudaError_t error) const {
    if (error == cudaSuccess) return error;
    last_failure.reset();
    // What a kernel has done before spoils all calls, and what was reported need not be told again.
    if (!is_failure(error) || error == sticky_error() || reports() != reports_) return error;
    if (reason.empty() && error == cudaErrorInvalidResourceHandle)
        reason = "The stream or the event does not exist: it was destroyed, or was never made.";
    last_failure = Failure{Kind::failed_call,
                           std::string("calls ") + name_ + "(), which answers " + described(error) + ",",
                           std::exchange(reason, {}),
                           "Nobody looks at what it returns: compare that with cudaSuccess.",
                           error,
                           callers()};
    return error;
}

void note_reason(const std::string& why) {
    reason = why;
}

void note_refused_launch(const char* kernel, const Launch& launch, cudaError_t error, const std::string& why) {
    count_refused_launch();
    const auto shape = [](dim3 d) {
        std::string text = std::to_string(d.x);
        if (d.y != 1 || d.z != 1) text += " x " + std::to_string(d.y);
        if (d.z != 1) text += " x " + std::to_string(d.z);
        return text;
    };
    add_unseen(
        {Kind::refused_launch,
         std::string("launches ") + kernel + ", grid " + shape(launch.grid) + ", block " + shape(launch.block) + ",",
         why + " The launch is refused with " + described(error) + ", and the kernel does not run.",
         "Nobody looks at the error. A launch returns none: ask for it with cudaGetLastError() behind the launch.",
         error,
         {reinterpret_cast<std::uintptr_t>(launch.called_at)}});  // callers() begin with the kernel's function
}

void note_launch_returns_error() {
    const std::lock_guard lock(calls().mutex);
    if (!calls().unseen.empty() && calls().unseen.back().kind == Kind::refused_launch &&
        calls().unseen.back().thread == std::this_thread::get_id()) {
        last_failure = std::move(calls().unseen.back());
        calls().unseen.pop_back();
        last_failure->frames = callers();
    }
}

void check_discarded(cudaError_t error) {
    if (error == cudaSuccess || !last_failure || last_failure->error != error) return;
    add_unseen(*std::exchange(last_failure, std::nullopt));
}

void note_errors_are_looked_at() {
    const std::lock_guard lock(calls().mutex);
    std::erase_if(calls().unseen, [](const Failure& f) { return f.thread == std::this_thread::get_id(); });
}

void note_unawaited_time() {
    add_unseen({Kind::failed_call, "calls cudaEventElapsedTime(), which on a GPU may answer cudaErrorNotReady,",
                "Nobody has waited for the second event, nor looks at the answer.",
                "Wait before, with cudaEventSynchronize().", cudaErrorNotReady, callers()});
}

void note_made(const void* handle, const char* what) {
    const ShadowMemory::Frames frames = callers();
    const std::lock_guard lock(calls().mutex);
    calls().made[handle] = {.what = what, .frames = frames};
}

void note_destroyed(const void* handle) {
    Made made;
    {
        const std::lock_guard lock(calls().mutex);
        const auto it = calls().made.find(handle);
        if (it == calls().made.end()) return;
        made = it->second;
        calls().made.erase(it);
    }
    tell_waited_in_vain(made);
}

void note_recorded(const void* event) {
    const std::lock_guard lock(calls().mutex);
    calls().made[event].recorded = true;
}

std::string failed_record() {
    const std::lock_guard lock(calls().mutex);
    for (const Failure& f : calls().unseen)
        if (f.what.starts_with("calls cudaEventRecord"))
            return "cudaEventRecord() at " + source_line(asked_at(f.frames)) + " has failed. " + f.detail;
    return {};
}

std::string failed_before() {
    const std::lock_guard lock(calls().mutex);
    if (calls().unseen.empty()) return {};
    const Failure& first = calls().unseen.front();
    return "before that, host code " + first.what + " at " + source_line(asked_at(first.frames)) +
           (first.kind == Kind::refused_launch ? ", and the launch is refused" : "") + ": see to that first";
}

void note_waits_in_vain(const void* event, const char* call) {
    const ShadowMemory::Frames frames = callers();
    const std::lock_guard lock(calls().mutex);
    Made& made = calls().made[event];
    if (made.waiting_call == nullptr) made.waiting_call = call, made.waited = frames;
}

void tell_end_of_calls() {
    std::vector<Failure> unseen;
    {
        const std::lock_guard lock(calls().mutex);
        unseen = calls().unseen;  // The events that nobody has recorded look there, too.
    }
    for (const Failure& f : unseen)
        report({f.kind, "", {{"host code", f.what, asked_at(f.frames)}}, f.detail, f.cause});
    for (const auto& [handle, made] : calls().made) tell_waited_in_vain(made);
}

void tell_what_is_left() {
    constexpr std::pair<const char*, const char*> kinds[] = {{"stream", "cudaStreamDestroy"},
                                                             {"event", "cudaEventDestroy"},
                                                             {"graph", "cudaGraphDestroy"},
                                                             {"executable graph", "cudaGraphExecDestroy"},
                                                             {"memory pool", "cudaMemPoolDestroy"}};
    Left memory, pinned;
    for_each_allocation([&](std::uintptr_t begin, std::size_t bytes, Space space) {
        if (const ShadowMemory* shadow = shadow_of(reinterpret_cast<const void*>(begin)))
            (space == Space::pinned ? pinned : memory).add(bytes, shadow->allocated_by);
    });
    memory.tell("allocation", "cudaFree");
    pinned.tell("allocation of host memory", "cudaFreeHost");
    for (const auto& [what, function] : kinds) {
        Left left;
        for (const auto& [handle, made] : calls().made)
            if (made.what == std::string(what)) left.add(0, made.frames);
        left.tell(what, function);
    }
}

}  // namespace emulator

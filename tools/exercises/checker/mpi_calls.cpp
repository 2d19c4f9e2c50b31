#include "mpi_calls.h"

#include <chrono>
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>

#include "checker.h"

namespace exercise {
namespace {

using Clock = std::chrono::steady_clock;

constexpr auto long_time = std::chrono::milliseconds(1500);  // less than a rank's time to compute

// The call in which this rank is. Only if it stays there, the judge is told so, and again when it goes on after all.
struct Call {
    std::mutex mutex;
    const char* name = nullptr;  // null: in none
    int line = 0;
    Clock::time_point begin;
    bool told = false;
};

Call& present() {
    static auto& call = *new Call;
    return call;
}

void tell(const std::string& kind, const Call& call) {
    const char* rank = std::getenv("OMPI_COMM_WORLD_RANK");
    tell_judge(kind, ", \"rank\": " + std::string(rank == nullptr ? "0" : rank) + ", \"call\": \"" + call.name +
                         "\", \"line\": " + std::to_string(call.line));
}

[[noreturn]] void watch() {
    for (;;) {
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        Call& call = present();
        const std::lock_guard lock(call.mutex);
        if (call.name == nullptr || call.told || Clock::now() - call.begin < long_time) continue;
        tell("waits", call);
        call.told = true;
    }
}

}  // namespace

InCall::InCall(const char* name, int line) {
    static const bool watched = (std::thread(watch).detach(), true);
    static_cast<void>(watched);
    Call& call = present();
    const std::lock_guard lock(call.mutex);
    call.name = name;
    call.line = line;
    call.begin = Clock::now();
    call.told = false;
}

InCall::~InCall() {
    Call& call = present();
    const std::lock_guard lock(call.mutex);
    if (call.told) tell("goes on", call);
    call.name = nullptr;
}

}  // namespace exercise

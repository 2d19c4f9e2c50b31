// Streams, events and host functions. All work has ended when the call that gave it returns, so that streams and events
// only have to remember who they are; unless it is queued (stream_queues.h).

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "../checked/host/stream_order.h"
#include "../graphs/capture.h"
#include "../memory/devices.h"
#include "../settings.h"
#include "api.h"
#include "emulator/functions.h"
#include "emulator/runtime_api.h"
#include "observers.h"

namespace emulator {

using Attributes = std::map<cudaLaunchAttributeID, cudaLaunchAttributeValue>;

struct Stream {
    unsigned flags;
    int priority;
    unsigned long long id;
    int device;
    Attributes attributes{};
};

struct Event {
    unsigned flags;
    int device;
    bool recorded = false;
    std::chrono::steady_clock::time_point time{};
    unsigned long number = 0;  // of the recording
    bool asked = false;        // since then, whether it is ready
    WorkNumber queued = 0;     // the recording, which may not have been done
};

namespace {

thread_local bool host_function_runs = false;

// The handles that a program holds, so that one that was destroyed, or never was, is an error and not a crash. Never
// destroyed themselves: static objects may hold some.
template <class T>
class Handles {
  public:
    T* create(const T& value) {
        auto* handle = new T(value);
        const std::lock_guard lock(mutex_);
        live_.insert(handle);
        return handle;
    }

    bool destroy(T* handle) {
        const std::lock_guard lock(mutex_);
        if (live_.erase(handle) == 0) return false;
        note_destroyed(handle);
        delete handle;
        return true;
    }

    bool contains(T* handle) {
        const std::lock_guard lock(mutex_);
        return live_.count(handle) > 0;
    }

    std::size_t size() {
        const std::lock_guard lock(mutex_);
        return live_.size();
    }

    void destroy_those_of(int device) {
        const std::lock_guard lock(mutex_);
        std::erase_if(live_, [&](T* handle) {
            if (handle->device != device) return false;
            note_destroyed(handle);
            delete handle;
            return true;
        });
    }

  private:
    std::mutex mutex_;
    std::set<T*> live_;
};

Handles<Stream>& streams() {
    static auto& handles = *new Handles<Stream>;
    return handles;
}

Handles<Event>& events() {
    static auto& handles = *new Handles<Event>;
    return handles;
}

constinit std::atomic<bool> zero_is_of_thread = false;

bool is_default(cudaStream_t stream) {
    return stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread;
}

cudaStream_t stream_or_null(cudaStream_t stream) {
    return is_default(stream) ? nullptr : stream;
}

// Calls with a stream that does not exist fail; the others get it, or null for one of the default streams.
template <class Call>
cudaError_t stream_call(cudaStream_t stream, Call call, const char* name = __builtin_FUNCTION()) {
    return api(
        [&] {
            if (!is_stream(stream)) return cudaErrorInvalidResourceHandle;
            return call(stream_or_null(stream));
        },
        name);
}

// Of the default streams, all of a device together. To be called with the mutex held.
std::mutex attributes_mutex;
Attributes& attributes_of(Stream* stream) {
    static Attributes of_default_streams[most_devices];
    return stream == nullptr ? of_default_streams[current_device()] : stream->attributes;
}

// Of the attributes that a stream has: whether it may have this value.
bool is_valid(cudaLaunchAttributeID id, const cudaLaunchAttributeValue& value) {
    const cudaAccessPolicyWindow& window = value.accessPolicyWindow;
    switch (id) {
        case cudaLaunchAttributeAccessPolicyWindow:
            return window.hitRatio >= 0 && window.hitRatio <= 1 && window.missProp != cudaAccessPropertyPersisting;
        case cudaLaunchAttributeSynchronizationPolicy:
            return value.syncPolicy >= cudaSyncPolicyAuto && value.syncPolicy <= cudaSyncPolicyBlockingSync;
        case cudaLaunchAttributeMemSyncDomain:
            return value.memSyncDomain == cudaLaunchMemSyncDomainDefault ||
                   value.memSyncDomain == cudaLaunchMemSyncDomainRemote;
        default:
            return true;
    }
}

// Those that are kept and change nothing. Others: not supported.
bool is_kept(cudaLaunchAttributeID id) {
    for (const cudaLaunchAttributeID each :
         {cudaLaunchAttributeAccessPolicyWindow, cudaLaunchAttributeSynchronizationPolicy,
          cudaLaunchAttributeMemSyncDomainMap, cudaLaunchAttributeMemSyncDomain,
          cudaLaunchAttributeNvlinkUtilCentricScheduling})
        if (id == each) return true;
    explain("not supported: stream attribute %d", static_cast<int>(id));
    return false;
}

/// What a GPU answers before anything is set: of the synchronization policy it is -1, which is none of its names.
cudaLaunchAttributeValue default_value(cudaLaunchAttributeID id) {
    cudaLaunchAttributeValue value{};
    if (id == cudaLaunchAttributeSynchronizationPolicy) std::memset(&value.syncPolicy, -1, sizeof value.syncPolicy);
    if (id == cudaLaunchAttributeMemSyncDomainMap) value.memSyncDomainMap = {0, 1};
    return value;
}

template <class T>
cudaError_t answer(T* result, T value) {
    if (result == nullptr) return cudaErrorInvalidValue;
    *result = value;
    return cudaSuccess;
}

cudaError_t create_stream(cudaStream_t* stream, unsigned flags, int priority = 0) {
    if (stream == nullptr || (flags & ~cudaStreamNonBlocking) != 0) return cudaErrorInvalidValue;
    static std::mutex mutex;
    static unsigned long long created = 2;  // after the default streams
    const std::lock_guard lock(mutex);
    *stream = streams().create({flags, std::clamp(priority, greatest_priority, 0), ++created, current_device()});
    note_made(*stream, "stream");
    order_stream_made(*stream, (flags & cudaStreamNonBlocking) != 0, current_device());
    return cudaSuccess;
}

cudaError_t create_event(cudaEvent_t* event, unsigned flags) {
    constexpr unsigned known = cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
    if (event == nullptr || (flags & ~known) != 0) return cudaErrorInvalidValue;
    if ((flags & cudaEventInterprocess) != 0) {
        if ((flags & cudaEventDisableTiming) == 0) return cudaErrorInvalidValue;
        explain("not supported: events that processes share (cudaEventInterprocess)");
        return cudaErrorNotSupported;
    }
    *event = events().create({.flags = flags, .device = current_device()});
    note_made(*event, "event");
    return cudaSuccess;
}

// How many events were recorded, and up to which of them the program has waited.
std::atomic<unsigned long> recordings = 0, waited_for = 0;

void pass_event(unsigned long number) {
    for (unsigned long known = waited_for; known < number && !waited_for.compare_exchange_weak(known, number);) {
    }
}

// An event that waits in its stream is not ready.
//
// With EMULATOR_NOT_READY=1 an event that nobody has waited for is not ready when it is asked for the first time, as if
// the device had not come to it yet. From the second time on it is: a loop that asks comes to its end.
bool is_ready(cudaEvent_t event) {
    if (!is_done(event->queued)) {
        let_streams_go_on();
        return false;
    }
    if (!value_of<settings::not_ready>() || event->number <= waited_for) return true;
    if (!std::exchange(event->asked, true)) return false;
    pass_event(event->number);
    return true;
}

// The stream has come to the recording of that number. The event may be gone by then, or be recorded anew.
cudaError_t reach(cudaEvent_t event, unsigned long number) {
    if (events().contains(event) && event->number == number) event->time = std::chrono::steady_clock::now();
    return cudaSuccess;
}

cudaError_t record(cudaEvent_t event, cudaStream_t stream, bool external = false) {
    if (!events().contains(event) || !is_stream(stream)) return cudaErrorInvalidResourceHandle;
    if (const int device = device_of_stream(stream); device != event->device) {
        note_reason("The event belongs to device " + std::to_string(event->device) + ", and the stream to device " +
                    std::to_string(device) + ".");
        return cudaErrorInvalidResourceHandle;
    }
    if (const auto captured = capture_recording(event, stream, external)) return *captured;
    event->recorded = true;
    note_recorded(event);
    const unsigned long number = event->number = ++recordings;
    event->asked = false;
    event->queued =
        streams_queue() ? queue_work(stream, {.run = [=] { return reach(event, number); }, .is_bookkeeping = true}) : 0;
    if (event->queued != 0) return cudaSuccess;
    reach(event, number);
    tell_observer([&](Observer& told) { told.recorded(event, stream_or_null(stream)); });
    order_recorded(event, stream);
    return cudaSuccess;
}

bool is_timed(cudaEvent_t event, const char* which) {
    if (!events().contains(event)) return false;
    const bool has_time = (event->flags & cudaEventDisableTiming) == 0;
    if (!event->recorded || !has_time)
        note_reason(std::string("The ") + which + " event " +
                    (has_time ? "was never recorded." : "has no time: it was made with cudaEventDisableTiming."));
    return event->recorded && has_time;
}

// Waiting for an event that was not recorded yet is allowed, and does not wait.
void note_wait(cudaEvent_t event, const char* call) {
    if (!event->recorded) note_waits_in_vain(event, call);
}

cudaError_t query(cudaStream_t stream, const char* call) {
    const bool learns = !order_takes_discarded();
    return stream_call(
        stream,
        [&](Stream*) {
            if (const auto refused = refuse_in_capture(stream, cudaErrorStreamCaptureUnsupported)) return *refused;
            if (!is_idle(stream)) {
                let_streams_go_on();
                return cudaErrorNotReady;
            }
            if (!learns) return cudaSuccess;
            tell_observer([](Observer& told) { told.host_waited(); });
            order_host_waited(stream);
            return cudaSuccess;
        },
        call);
}

cudaError_t query(cudaEvent_t event, const char* call) {
    const bool learns = !order_takes_discarded();
    return api(
        [&] {
            if (!events().contains(event)) return cudaErrorInvalidResourceHandle;
            if (const cudaError_t captured = check_not_captured(event)) return captured;
            if (!is_ready(event)) return cudaErrorNotReady;
            if (!learns) return cudaSuccess;
            tell_observer([](Observer& told) { told.host_waited(); });
            order_host_waited_for(event);
            return cudaSuccess;
        },
        call);
}

// It may tell the host by a variable of its own how far its stream has come.
class HostFunction {
  public:
    HostFunction(cudaStream_t stream, const char* call) : stream_(stream), work_(std::in_place, stream, call) {
        host_function_runs = true;
    }
    ~HostFunction() {
        host_function_runs = false;
        work_.reset();
        order_host_waited(stream_);
    }
    HostFunction(const HostFunction&) = delete;
    HostFunction& operator=(const HostFunction&) = delete;

  private:
    cudaStream_t stream_;
    std::optional<Work> work_;
};

}  // namespace

bool in_host_function() {
    return host_function_runs;
}

bool use_default_streams_of_threads() {
    return zero_is_of_thread = true;
}

void wait_for_device() {
    show_printed();
    pass_event(recordings);
}

cudaError_t check_batch(cudaStream_t stream, std::size_t n, const std::size_t* firsts, std::size_t n_attributes) {
    if (!is_stream(stream)) return cudaErrorInvalidResourceHandle;
    if (stream_meant(stream) == nullptr) {
        note_reason("A batch cannot be given to the legacy default stream.");
        return cudaErrorInvalidValue;
    }
    if (n_attributes == 0 || n_attributes > n || firsts == nullptr || firsts[0] != 0 || firsts[n_attributes - 1] >= n)
        return cudaErrorInvalidValue;
    const bool rises =
        std::adjacent_find(firsts, firsts + n_attributes, std::greater_equal<>{}) == firsts + n_attributes;
    return rises ? cudaSuccess : cudaErrorInvalidValue;
}

cudaStream_t stream_meant(cudaStream_t stream) {
    if (stream == cudaStreamLegacy) return nullptr;
    return stream == nullptr && zero_is_of_thread ? cudaStreamPerThread : stream;
}

int device_of_stream(cudaStream_t stream) {
    return is_default(stream) ? current_device() : stream->device;
}

bool is_blocking(cudaStream_t stream) {
    return is_default(stream) || (stream->flags & cudaStreamNonBlocking) == 0;
}

bool is_event(cudaEvent_t event) {
    return events().contains(event);
}

void run_host_function(cudaHostFn_t function, void* data, cudaStream_t stream) {
    show_printed();
    const HostFunction running(stream, "cudaLaunchHostFunc");
    function(data);
}

cudaError_t run_recording(cudaEvent_t event, cudaStream_t stream) {
    return record(event, stream);
}

cudaError_t run_waiting(cudaStream_t stream, cudaEvent_t event) {
    if (!events().contains(event)) return cudaErrorInvalidResourceHandle;
    note_wait(event, "cudaStreamWaitEvent");
    if (streams_queue()) {
        if (!is_done(event->queued))
            queue_work(stream, {.run = [] { return cudaSuccess; }, .is_bookkeeping = true, .behind = event->queued});
        return cudaSuccess;
    }
    tell_observer([&](Observer& told) { told.stream_waits(stream_or_null(stream), event); });
    order_stream_waits(stream, event);
    return cudaSuccess;
}

bool is_stream(cudaStream_t stream) {
    return is_default(stream) || streams().contains(stream);
}

void forget_streams(int device) {
    forget_captures();
    streams().destroy_those_of(device);
    events().destroy_those_of(device);
    tell_observer([](Observer& told) { told.reset(); });
    order_host_waited_for_device(device);
}

Observer* observer = nullptr;

void observe(Observer* told) {
    finish_all();  // It sees all that is given from now on, as it is done.
    observer = told;
}

void tell_of_launch(cudaStream_t stream) {
    tell_observer([&](Observer& told) { told.launched(stream_or_null(stream)); });
}

std::size_t live_streams() {
    return streams().size();
}

std::size_t live_events() {
    return events().size();
}

}  // namespace emulator

using namespace emulator;

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
    return api([&] { return create_stream(stream, cudaStreamDefault); });
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
    return api([&] { return create_stream(stream, flags); });
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority) {
    return api([&] { return create_stream(stream, flags, priority); });
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    return api([&] {
        forget_captured(stream);
        if (!streams().destroy(stream)) return cudaErrorInvalidResourceHandle;
        order_stream_destroyed(stream);
        return cudaSuccess;
    });
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    if (is_stream(stream) && !in_host_function()) finish_stream(stream);
    wait_for_device();
    return query(stream, "cudaStreamSynchronize");
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
    return query(stream, "cudaStreamQuery");
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned* flags) {
    return stream_call(stream,
                       [&](Stream* s) { return answer(flags, s == nullptr ? unsigned{cudaStreamDefault} : s->flags); });
}

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
    return stream_call(stream, [&](Stream* s) { return answer(priority, s == nullptr ? 0 : s->priority); });
}

cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaLaunchAttributeID id,
                                   const cudaLaunchAttributeValue* value) {
    return stream_call(stream, [&](Stream* s) {
        if (value == nullptr) return cudaErrorInvalidValue;
        if (!is_kept(id)) return cudaErrorNotSupported;
        if (!is_valid(id, *value)) return cudaErrorInvalidValue;
        const std::lock_guard lock(attributes_mutex);
        attributes_of(s)[id] = *value;
        return cudaSuccess;
    });
}

cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaLaunchAttributeID id, cudaLaunchAttributeValue* value) {
    return stream_call(stream, [&](Stream* s) {
        if (value == nullptr) return cudaErrorInvalidValue;
        if (id == cudaLaunchAttributePriority) {
            value->priority = s == nullptr ? 0 : s->priority;
            return cudaSuccess;
        }
        if (!is_kept(id)) return cudaErrorNotSupported;
        const std::lock_guard lock(attributes_mutex);
        *value = attributes_of(s).try_emplace(id, default_value(id)).first->second;
        return cudaSuccess;
    });
}

cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from) {
    return stream_call(to, [&](Stream* s) {
        if (!is_stream(from)) return cudaErrorInvalidResourceHandle;
        const std::lock_guard lock(attributes_mutex);
        attributes_of(s) = Attributes(attributes_of(stream_or_null(from)));
        return cudaSuccess;
    });
}

cudaError_t cudaCtxResetPersistingL2Cache() {
    return api([] { return cudaSuccess; });
}

cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long* id) {
    return stream_call(stream, [&](Stream* s) {
        return answer(id, s != nullptr ? s->id : stream_meant(stream) == cudaStreamPerThread ? 2ull : 1ull);
    });
}

cudaError_t cudaStreamGetDevice(cudaStream_t stream, int* device) {
    return stream_call(stream, [&](Stream*) { return answer(device, device_of_stream(stream)); });
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
    return stream_call(stream, [&](Stream*) {
        if (!events().contains(event)) return cudaErrorInvalidResourceHandle;
        if (flags > cudaEventWaitExternal) return cudaErrorInvalidValue;
        if (const auto captured = capture_waiting(stream, event, flags == cudaEventWaitExternal)) return *captured;
        return run_waiting(stream, event);
    });
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
    return stream_call(stream, [&](Stream*) {
        if (function == nullptr) return cudaErrorInvalidValue;
        if (const auto captured = capture(stream, HostWork{{function, data}})) return *captured;
        if (streams_queue()) {
            const auto run = [=] {
                run_host_function(function, data, stream);
                return cudaSuccess;
            };
            queue_work(stream, {.run = run, .is_hosts = true});
            return cudaSuccess;
        }
        run_host_function(function, data, stream);
        return cudaSuccess;
    });
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data, unsigned flags) {
    return stream_call(stream, [&](Stream*) {
        if (callback == nullptr || flags != 0) return cudaErrorInvalidValue;
        if (const auto refused = refuse_in_capture(stream, cudaErrorStreamCaptureUnsupported)) return *refused;
        const auto run = [=] {
            show_printed();
            const HostFunction running(stream, "cudaStreamAddCallback");
            callback(stream, sticky_error(), data);
            return cudaSuccess;
        };
        if (!streams_queue()) return run();
        queue_work(stream, {.run = run, .is_hosts = true, .even_after_error = true});
        return cudaSuccess;
    });
}

cudaError_t cudaEventCreate(cudaEvent_t* event) {
    return api([&] { return create_event(event, cudaEventDefault); });
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
    return api([&] { return create_event(event, flags); });
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
    return api([&] {
        forget_captured(event);
        order_event_destroyed(event);
        return events().destroy(event) ? cudaSuccess : cudaErrorInvalidResourceHandle;
    });
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    return api([&] { return record(event, stream); });
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
    return api([&] {
        return flags <= cudaEventRecordExternal ? record(event, stream, flags == cudaEventRecordExternal)
                                                : cudaErrorInvalidValue;
    });
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
    if (events().contains(event) && !in_host_function()) finish(event->queued);
    show_printed();
    if (events().contains(event)) {
        note_wait(event, "cudaEventSynchronize");
        pass_event(event->number);
    }
    return query(event, "cudaEventSynchronize");
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
    return query(event, "cudaEventQuery");
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t stop) {
    const bool learns = !order_takes_discarded();
    return api([&] {
        if (milliseconds == nullptr) return cudaErrorInvalidValue;
        for (const cudaEvent_t each : {start, stop})
            if (const cudaError_t captured = check_not_captured(each)) return captured;
        if (!is_timed(start, "first") || !is_timed(stop, "second")) return cudaErrorInvalidResourceHandle;
        if (start->device != stop->device) {
            note_reason("The first event belongs to device " + std::to_string(start->device) +
                        ", and the second to device " + std::to_string(stop->device) + ".");
            return cudaErrorInvalidResourceHandle;
        }
        const bool started = is_ready(start), stopped = is_ready(stop);
        if (!learns && !order_host_knows(stop)) note_unawaited_time();
        if (!started || !stopped) return cudaErrorNotReady;
        *milliseconds = std::chrono::duration<float, std::milli>(stop->time - start->time).count();
        if (!learns) return cudaSuccess;
        order_host_waited_for(start);
        order_host_waited_for(stop);
        return cudaSuccess;
    });
}

#include "watched_worker.h"

#include "../settings.h"
#include "emulator/intrinsics.h"
#include "indices.h"

namespace emulator {

WatchedWorker::WatchedWorker() : os_thread_(pthread_self()), thread_index_(&threadIdx), block_index_(&blockIdx) {
    // Here, since later it may be a signal handler or the watchdog that first asks for them.
    value_of<settings::timeout>();
    value_of<settings::spin_seconds>();
    watch(*this);
}

WatchedWorker::~WatchedWorker() {
    unwatch(*this);
}

void WatchedWorker::launch_begins(unsigned launch, const void* code) {
    launch_ = launch;
    any_code_ = code;
    impatient_ = false;
}

bool WatchedWorker::is_in_kernels_code(std::uintptr_t code) const {
    const CodeRange* range = code_;
    return range != nullptr && code - range->begin < range->bytes;
}

WatchedWorker::Snapshot WatchedWorker::look() const {
    return {progress_, launch_, load(*thread_index_), load(*block_index_)};
}

bool WatchedWorker::shall_be_interrupted() {
    const auto equal = [](uint3 a, uint3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; };
    const Snapshot now = look();
    const bool same = now.progress == last_seen_.progress && now.launch == last_seen_.launch &&
                      equal(now.thread, last_seen_.thread) && equal(now.block, last_seen_.block);
    if (now.launch != last_seen_.launch) {
        code_ = nullptr;
        first_seen_ = begin_of_limit();
        overdue_ = false;
    }
    last_seen_ = now;
    const bool is_overdue = overdue_;
    if ((same || is_overdue) && code_ == nullptr) code_ = code_around(any_code_);
    overdue_ = is_overdue || is_overdue_since(first_seen_);
    return same || is_overdue;
}

long long begin_of_limit() {
    return value_of<settings::timeout>() == 0 ? 0 : nanoseconds(CLOCK_PROCESS_CPUTIME_ID);
}

bool is_overdue_since(long long begin) {
    const double limit = value_of<settings::timeout>();
    return limit != 0 && static_cast<double>(nanoseconds(CLOCK_PROCESS_CPUTIME_ID) - begin) > limit * 1e9;
}

}  // namespace emulator

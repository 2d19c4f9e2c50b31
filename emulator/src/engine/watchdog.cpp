#include "watchdog.h"

#include <link.h>
#include <signal.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

#include "watched_worker.h"

namespace emulator {
namespace {

using namespace std::chrono_literals;

constexpr auto calm_look = 50ms;
constexpr auto impatient_look = 1ms;         // while a kernel runs whose threads are known to wait for each other
constexpr unsigned looks_before_sleep = 20;  // without a kernel

class Watchdog {
  public:
    // Never destroyed: static objects' destructors may launch kernels.
    static Watchdog& instance() {
        static Watchdog& watchdog = *new Watchdog;
        return watchdog;
    }

    void add(WatchedWorker& worker) {
        const std::lock_guard lock(mutex_);
        workers_.push_back(&worker);
    }

    void remove(WatchedWorker& worker) {
        const std::lock_guard lock(mutex_);
        workers_.erase(std::find(workers_.begin(), workers_.end(), &worker));
    }

    // Who falls asleep says so and then looks for launches, and a launch does it the other way round: in a single order
    // of all of these, one of them sees the other.
    void wake() {
        launched_ = true;
        if (!asleep_) return;
        asleep_ = false;
        asleep_.notify_one();
    }

  private:
    Watchdog() {
        std::thread([this] { look_on(); }).detach();
    }

    [[noreturn]] void look_on() {
        block_signals();
        for (unsigned idle = 0;;) {
            std::this_thread::sleep_for(impatient_ ? std::chrono::milliseconds(impatient_look) : calm_look);
            idle = look() ? 0 : idle + 1;
            if (idle < looks_before_sleep) continue;
            idle = 0;
            asleep_ = true;
            if (!launched_.exchange(false)) asleep_.wait(true);
            asleep_ = false;
        }
    }

    // The program's signals are for its own threads.
    static void block_signals() {
        sigset_t all;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, nullptr);
    }

    // Whether any kernel runs.
    bool look() {
        const std::lock_guard lock(mutex_);
        bool any = impatient_ = false;
        for (WatchedWorker* worker : workers_) {
            if (!worker->in_kernel()) continue;
            any = true;
            if (worker->shall_be_interrupted()) worker->interrupt();
            impatient_ |= worker->is_impatient();
        }
        return any;
    }

    std::mutex mutex_;
    std::vector<WatchedWorker*> workers_;
    std::atomic<bool> asleep_ = false, launched_ = false;
    bool impatient_ = false;
};

}  // namespace

void watch(WatchedWorker& worker) {
    Watchdog::instance().add(worker);
}

void unwatch(WatchedWorker& worker) {
    Watchdog::instance().remove(worker);
}

void wake_watchdog() {
    Watchdog::instance().wake();
}

const CodeRange* code_around(const void* code) {
    struct Search {
        std::uintptr_t address;
        CodeRange found;
    } search{reinterpret_cast<std::uintptr_t>(code), {}};
    dl_iterate_phdr(
        [](dl_phdr_info* module, std::size_t, void* data) {
            Search& s = *static_cast<Search*>(data);
            for (int i = 0; i < module->dlpi_phnum; ++i) {
                const auto& segment = module->dlpi_phdr[i];
                const std::uintptr_t begin = module->dlpi_addr + segment.p_vaddr;
                if (segment.p_type != PT_LOAD || (segment.p_flags & PF_X) == 0) continue;
                if (s.address - begin < segment.p_memsz) s.found = {begin, segment.p_memsz};
            }
            return 0;
        },
        &search);
    if (search.found.bytes == 0) return nullptr;
    static std::mutex mutex;
    static auto& known = *new std::deque<CodeRange>;
    const std::lock_guard lock(mutex);
    for (const CodeRange& range : known)
        if (range.begin == search.found.begin && range.bytes == search.found.bytes) return &range;
    return &known.emplace_back(search.found);
}

}  // namespace emulator

#include "stream_queues.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include "../memory/devices.h"
#include "../reports/error_state.h"
#include "../settings.h"
#include "api.h"
#include "emulator/check.h"
#include "emulator/runtime_api.h"
#include "observers.h"

namespace emulator {
namespace {

// Then the host waits, as for a GPU whose queue is full.
constexpr std::size_t most_queued = 64;

// So long the host makes no call before work is done for which it does not wait.
constexpr std::chrono::milliseconds patience{200};

thread_local bool works = false;

struct Place {
    cudaStream_t stream;
    int device;
    bool is_legacy, is_blocking;
    unsigned thread = 0;  // which has a default stream of its own

    bool is_same(const Place& other) const {
        return stream == other.stream && device == other.device && thread == other.thread;
    }
    /// Whether work here waits for what was given there before.
    bool waits_for(const Place& other) const {
        if (is_same(other)) return true;
        return device == other.device && ((is_legacy && other.is_blocking) || (is_blocking && other.is_legacy));
    }
};

Place place_of(cudaStream_t stream) {
    stream = stream_meant(stream);
    Place place{stream, device_of_stream(stream), stream == nullptr, is_blocking(stream)};
    if (stream == cudaStreamPerThread) place.thread = host_thread();
    return place;
}

struct Item {
    Place place;
    QueuedWork work;
    std::vector<WorkNumber> after{};  // who waits for it
    std::vector<WorkNumber> before{};
    std::size_t missing = 0;  // how many of those are not done
    bool is_last = true;      // of its stream
    bool runs = false, is_needed = false;
};

class Queues {
  public:
    static Queues& instance() {
        static auto& queues = *new Queues;
        return queues;
    }

    WorkNumber add(const Place& place, QueuedWork work) {
        std::unique_lock lock(mutex_);
        const WorkNumber number = ++last_;
        Item item{place, std::move(work)};
        for (auto& [other_number, other] : items_)
            if (is_before(other_number, other, item)) {
                item.before.push_back(other_number);
                other.after.push_back(number);
            }
        item.missing = item.before.size();
        if (const auto last = last_of(place); last != items_.end()) last->second.is_last = false;
        items_.emplace(number, std::move(item));
        changed();
        // A part of the work is done early, so that not all of it comes late.
        while (draw(8) == 0 && run_one(lock, [](const Item& each) { return !each.work.is_hosts; })) {
        }
        while (items_.size() >= most_queued && run_one(lock, [](const Item&) { return true; })) {
        }
        return number;
    }

    bool has(WorkNumber number) {
        const std::lock_guard lock(mutex_);
        return items_.count(number) > 0;
    }

    template <class IsWanted>
    bool has_any(IsWanted is_wanted) {
        const std::lock_guard lock(mutex_);
        return std::any_of(items_.begin(), items_.end(),
                           [&](const auto& each) { return is_wanted(each.first, each.second); });
    }

    template <class IsWanted>
    void finish(IsWanted is_wanted) {
        std::unique_lock lock(mutex_);
        std::vector<WorkNumber> wanted;
        for (const auto& [number, item] : items_)
            if (is_wanted(number, item)) wanted.push_back(number);
        const auto is_left = [&] {
            std::erase_if(wanted, [&](WorkNumber number) { return items_.count(number) == 0; });
            return !wanted.empty();
        };
        while (is_left()) {
            mark_needed(wanted);
            // Other work may come first, but not the program's functions: they may wait for what the host does then.
            if (!run_one(lock, [](const Item& each) { return each.is_needed || !each.work.is_hosts; }))
                changed_.wait(lock);
        }
    }

    void go_on() {
        std::unique_lock lock(mutex_);
        run_one(lock, [](const Item& each) { return !each.work.is_hosts; });
    }

    cudaError_t take_late_error() { return late_error_.exchange(cudaSuccess); }

  private:
    Queues() : generator_(seed()) {
        std::thread([this] { run_what_nobody_waits_for(); }).detach();
        std::atexit([] { instance().end(); });
    }

    static std::minstd_rand seed() {
        std::seed_seq seed{value_of<settings::shuffle>().number.value_or(0)};
        return std::minstd_rand(seed);
    }

    std::size_t draw(std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(generator_); }

    std::map<WorkNumber, Item>::iterator last_of(const Place& place) {
        return std::find_if(items_.begin(), items_.end(),
                            [&](const auto& each) { return each.second.is_last && each.second.place.is_same(place); });
    }

    static bool is_before(WorkNumber number, const Item& item, const Item& next) {
        if (item.is_last && next.place.waits_for(item.place)) return true;  // with all that is ahead of it there
        const void* const turns = next.work.one_at_a_time;
        return number == next.work.behind || (turns != nullptr && item.work.one_at_a_time == turns);
    }

    void changed() {
        ++changes_;
        changed_.notify_all();
    }

    // What has to be done for these, themselves included.
    void mark_needed(std::vector<WorkNumber> numbers) {
        for (auto& [number, item] : items_) item.is_needed = false;
        while (!numbers.empty()) {
            const auto found = items_.find(numbers.back());
            numbers.pop_back();
            if (found == items_.end() || std::exchange(found->second.is_needed, true)) continue;
            numbers.insert(numbers.end(), found->second.before.begin(), found->second.before.end());
        }
    }

    // Runs one of those that could be next; false if there is none.
    template <class MayRun>
    bool run_one(std::unique_lock<std::mutex>& lock, MayRun may_run) {
        std::vector<WorkNumber> next;
        for (const auto& [number, item] : items_)
            if (item.missing == 0 && !item.runs && may_run(item)) next.push_back(number);
        if (next.empty()) return false;
        const WorkNumber number = next[draw(next.size())];
        Item& item = items_.at(number);  // stays where it is
        item.runs = true;
        ++running_;
        lock.unlock();
        run(item);
        item.work.run = nullptr;  // What they keep may need other locks to go.
        item.work.keeps = nullptr;
        lock.lock();
        --running_;
        for (const WorkNumber each : item.after) --items_.at(each).missing;
        items_.erase(number);
        changed();
        return true;
    }

    void run(const Item& item) {
        if (sticky_error() != cudaSuccess && !item.work.even_after_error) return;
        const int device = current_device();
        set_current_device(item.place.device);
        works = true;
        const cudaError_t error = item.work.run();
        works = false;
        set_current_device(device);
        if (error != cudaSuccess) late_error_ = error;
    }

    // A host may look at memory until the device has written there, and make no call meanwhile.
    [[noreturn]] void run_what_nobody_waits_for() {
        std::unique_lock lock(mutex_);
        for (;;) {
            changed_.wait(lock, [this] { return !items_.empty() && !has_ended_; });
            const std::uint64_t seen = changes_;
            if (changed_.wait_for(lock, patience, [&] { return changes_ != seen; }) || running_ > 0) continue;
            while (!has_ended_ && run_one(lock, [](const Item&) { return true; })) {
            }
        }
    }

    // Once the program ends nothing more is begun here; what runs may come to its end.
    void end() {
        std::unique_lock lock(mutex_);
        has_ended_ = true;
        changed_.wait_for(lock, std::chrono::seconds(2), [this] { return running_ == 0; });
        if (std::ranges::any_of(items_, [](const auto& each) { return !each.second.work.is_bookkeeping; }))
            explain(
                "the program ended before all that it had given to streams: cudaDeviceSynchronize() waits for that");
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    std::map<WorkNumber, Item> items_;  // what is not done
    WorkNumber last_ = 0;
    std::uint64_t changes_ = 0;
    unsigned running_ = 0;
    bool has_ended_ = false;
    std::minstd_rand generator_;
    std::atomic<cudaError_t> late_error_ = cudaSuccess;
};

bool is_shuffled() {
    return !checked && value_of<settings::shuffle>().number.has_value();
}

}  // namespace

bool streams_queue() {
    return is_shuffled() && !works && observer == nullptr;
}

WorkNumber queue_work(cudaStream_t stream, QueuedWork work) {
    return Queues::instance().add(place_of(stream), std::move(work));
}

bool is_done(WorkNumber number) {
    return number == 0 || !is_shuffled() || !Queues::instance().has(number);
}

bool is_idle(cudaStream_t stream) {
    if (!streams_queue()) return true;
    return !Queues::instance().has_any(
        [place = place_of(stream)](WorkNumber, const Item& item) { return place.waits_for(item.place); });
}

void finish(WorkNumber number) {
    if (number == 0 || !streams_queue()) return;
    Queues::instance().finish([=](WorkNumber each, const Item&) { return each == number; });
}

void finish_stream(cudaStream_t stream) {
    if (!streams_queue()) return;
    Queues::instance().finish(
        [place = place_of(stream)](WorkNumber, const Item& item) { return place.waits_for(item.place); });
}

void finish_device(int device) {
    if (!streams_queue()) return;
    Queues::instance().finish([=](WorkNumber, const Item& item) { return item.place.device == device; });
}

void finish_all() {
    if (!streams_queue()) return;
    Queues::instance().finish([](WorkNumber, const Item&) { return true; });
}

void let_streams_go_on() {
    if (streams_queue()) Queues::instance().go_on();
}

cudaError_t take_late_error() {
    return is_shuffled() ? Queues::instance().take_late_error() : cudaSuccess;
}

}  // namespace emulator

#include "devices.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstring>
#include <map>
#include <mutex>
#include <vector>

#include "emulator/device.h"
#include "memory.h"

namespace emulator {
namespace {

thread_local int current = 0;

std::atomic<bool> peers[most_devices][most_devices];  // [device][the one whose memory it may touch]

std::mutex work;
std::atomic<int> device_at_work = 0;

// The variables' values on the devices that are not at work, by the address of the first of each section.
using Values = std::map<char*, std::vector<char>>;

void exchange_variables(int from, int to) {
    struct Kept {
        std::array<Values, most_devices> of;
        Values at_first;  // before any device has worked
    };
    static auto& kept = *new Kept;
    Values &old = kept.of[static_cast<std::size_t>(from)], &next = kept.of[static_cast<std::size_t>(to)];
    const auto save = [](Values& saved) {
        for_each_device_variable([&](char* begin, std::size_t bytes) { saved[begin].assign(begin, begin + bytes); });
    };
    if (kept.at_first.empty()) save(kept.at_first);
    if (from == to) return;
    save(old);
    if (next.empty()) next = kept.at_first;
    for_each_device_variable([&](char* begin, std::size_t bytes) {
        // What a library has brought along since then is as it was at first.
        if (const auto found = next.find(begin); found != next.end() && bytes > 0)
            std::memcpy(begin, found->second.data(), bytes);
    });
}

}  // namespace

unsigned host_thread() {
    static std::atomic<unsigned> last = 0;
    thread_local const unsigned number = ++last;
    return number;
}

int current_device() {
    return current;
}

void set_current_device(int device) {
    current = device;
}

bool can_reach(int device, int owner) {
    return device == owner || peers[device][owner];
}

void set_peer_access(int device, int peer, bool enabled) {
    peers[device][peer] = enabled;
}

void forget_peers(int device) {
    for (int other = 0; other < most_devices; ++other) peers[device][other] = peers[other][device] = false;
}

std::string device_name(int device) {
    return device_count() > 1 ? "device " + std::to_string(device) : std::string();
}

int device_of_variables() {
    return device_at_work;
}

DeviceAtWork::DeviceAtWork(int device) : is_one_of_several_(device_count() > 1) {
    if (!is_one_of_several_) return;
    work.lock();
    exchange_variables(device_at_work, device);
    if (device_at_work.exchange(device) != device) close_what_kernels_opened();
}

DeviceAtWork::~DeviceAtWork() {
    if (is_one_of_several_) work.unlock();
}

}  // namespace emulator

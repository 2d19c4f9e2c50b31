#include "device_work.h"

#include "checker.h"

#ifdef EMULATOR_CHECKED

#include <algorithm>
#include <bitset>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>

#include "emulator/cooperative_groups.h"
#include "emulator/observer.h"

namespace exercise {
namespace {

std::uintptr_t number_of(const void* pointer) {
    return reinterpret_cast<std::uintptr_t>(pointer);
}

cudaMemoryType kind_of(const void* pointer) {
    cudaPointerAttributes attributes{};
    cudaPointerGetAttributes(&attributes, pointer);
    return attributes.type;
}

// Words of memory, each once.
class Words {
  public:
    void add(const void* address, std::size_t bytes) {
        const std::uintptr_t begin = number_of(address);
        for (std::uintptr_t at = begin / word * word; at < begin + bytes; at += word) {
            auto bit = pages_[at / page][at % page / word];
            if (!bit) ++count_;
            bit = true;
        }
    }
    void remove(std::uintptr_t at) {
        const auto found = pages_.find(at / page);
        if (found == pages_.end() || !found->second[at % page / word]) return;
        found->second[at % page / word] = false;
        --count_;
    }
    bool contain(std::uintptr_t at) const {
        const auto found = pages_.find(at / page);
        return found != pages_.end() && found->second[at % page / word];
    }
    std::size_t bytes() const { return count_ * word; }
    std::size_t bytes_of(const void* array, std::size_t bytes) const {
        std::size_t sum = 0;
        for (std::size_t at = 0; at < bytes; at += word)
            if (contain(number_of(array) + at)) sum += std::min(word, bytes - at);
        return sum;
    }

    static constexpr std::size_t word = 4;

  private:
    static constexpr std::size_t page = 65'536;

    std::unordered_map<std::uintptr_t, std::bitset<page / word>> pages_;
    std::size_t count_ = 0;
};

// What one call of the answer moves between host and device.
class Traffic {
  public:
    explicit Traffic(Call& call) : call_(call) {}

    void copied(const void* to, const void* from, std::size_t bytes) {
        const cudaMemoryType target = kind_of(to), source = kind_of(from);
        const bool to_host = target == cudaMemoryTypeUnregistered || target == cudaMemoryTypeHost;
        // What is copied to managed memory comes to the host once that reads it.
        if (source == cudaMemoryTypeDevice && to_host) come_to_host(from, bytes);
        if (to_host) return;
        (source == cudaMemoryTypeDevice ? call_.copied_on_device : sent_) += bytes;
        for (std::size_t at = 0; at < bytes; at += Words::word)  // who has written it is copied along
            if (source == cudaMemoryTypeDevice && by_kernels_.contain(number_of(from) + at))
                by_kernels_.add(static_cast<const char*>(to) + at, 1);
            else
                by_kernels_.remove(number_of(to) + at);
    }
    void filled(const void* to, std::size_t bytes) {  // by the device, as by a kernel with one argument
        sent_ += sizeof(void*);
        by_kernels_.add(to, bytes);
    }
    void launched() {
        sent_ += sizeof(void*);  // an argument may be a result
        users_.clear();
    }

    void host_accesses(const void* address, std::size_t bytes, bool writes) {
        const cudaMemoryType kind = kind_of(address);
        if (kind != cudaMemoryTypeManaged && kind != cudaMemoryTypeHost) return;  // a mistake, or the emulator's doing
        if (!writes)
            come_to_host(address, bytes);
        else if (kind == cudaMemoryTypeManaged)  // pinned memory is sent once it is copied, or a kernel reads it
            sent_ += bytes;
    }
    void kernel_writes(const void* address, std::size_t bytes) {
        by_kernels_.add(address, bytes);
        if (kind_for_kernels(address) == cudaMemoryTypeHost) to_host_.add(address, bytes);
        if (!emulator::is_cooperative()) used(users_[number_of(address)]);
    }
    void kernel_reads(const void* address, std::size_t bytes) {
        read_.add(address, bytes);
        if (kind_for_kernels(address) == cudaMemoryTypeHost) from_host_.add(address, bytes);
        if (const auto found = users_.find(number_of(address)); found != users_.end()) used(found->second);
    }

    std::size_t to_host() const { return to_host_.bytes(); }
    std::size_t sent() const { return sent_ + from_host_.bytes(); }
    bool host_has_read() { return std::exchange(host_has_read_, false); }

    // How many of these bytes were not written on the device at last.
    std::size_t not_by_kernels(const void* array, std::size_t bytes) const {
        return bytes - by_kernels_.bytes_of(array, bytes);
    }
    std::size_t read_by_kernels(const void* array, std::size_t bytes) const { return read_.bytes_of(array, bytes); }

    // Whether kernels wrote these bytes and the host got them, in the order of addresses or of time.
    bool brought(const std::string& bytes) const {
        std::string by_address;
        for (const auto& [address, byte] : of_kernels_) by_address += byte;
        return by_address.find(bytes) != std::string::npos || in_order_.find(bytes) != std::string::npos;
    }

  private:
    Words to_host_, from_host_, by_kernels_, read_;
    std::map<std::uintptr_t, char> of_kernels_;  // that came to the host
    std::string in_order_;                       // the same
    Call& call_;
    std::size_t sent_ = 0;
    struct Users {
        std::set<unsigned long long> blocks;
        unsigned long long last = 0;
    };
    std::unordered_map<std::uintptr_t, Users> users_;  // of what was written in this launch, unless it is cooperative
    bool host_has_read_ = false;                       // since it was asked last
    std::unordered_map<std::uintptr_t, cudaMemoryType> kinds_;  // of pages that kernels use

    cudaMemoryType kind_for_kernels(const void* address) {
        const auto [known, is_new] = kinds_.try_emplace(number_of(address) / 4096, cudaMemoryTypeUnregistered);
        if (is_new) known->second = kind_of(address);
        return known->second;
    }

    void used(Users& users) {
        const unsigned long long block = cooperative_groups::grid_group::block_rank();
        const bool is_new = users.blocks.insert(block).second;
        call_.turns_of_blocks += std::exchange(users.last, block) != block && !is_new;
    }

    void come_to_host(const void* from, std::size_t bytes) {
        host_has_read_ = true;
        to_host_.add(from, bytes);
        for (std::uintptr_t at = number_of(from); at < number_of(from) + bytes; ++at)
            if (by_kernels_.contain(at)) {
                of_kernels_[at] = *reinterpret_cast<const char*>(at);
                in_order_ += of_kernels_[at];
            }
    }
};

class Device final : public emulator::Observer {
  public:
    void begin() {
        traffic_ = std::make_unique<Traffic>(call = {});
        host_has_waited_ = false;
        streams_used_.clear();
        behind_default_.clear();
        answering_ = counts;
        is_called_ = true;
    }
    void end() { answering_ = is_called_ = false; }

    void copied(const void* to, const void* from, std::size_t bytes) override {
        if (answering_) traffic_->copied(to, from, bytes);
        host_has_waited_ |= kind_of(to) == cudaMemoryTypeUnregistered;
        written_variables_.erase(to);
    }
    void filled(const void* to, std::size_t bytes) override {
        if (answering_) traffic_->filled(to, bytes);
        written_variables_.erase(to);
    }
    void host_accesses(const void* address, std::size_t bytes, bool writes) override {
        if (answering_) traffic_->host_accesses(address, bytes, writes);
    }
    // A store of the host, or the runtime's own, which is told of next: as copied or filled.
    void host_writes_variable(const void* address) override { written_variables_.insert(address); }
    void kernel_accesses(const void* address, std::size_t bytes, bool writes) override {
        if (!answering_) return;
        if (writes)
            traffic_->kernel_writes(address, bytes);
        else
            traffic_->kernel_reads(address, bytes);
    }
    void library_works(const char*) override {
        if (answering_) ++call.algorithms;
    }
    void launched(cudaStream_t stream) override {
        if (is_called_) {
            const bool is_first = call.launches++ == 0;
            call.on_default += stream == nullptr;
            call.streams += streams_used_.insert(stream).second;
            call.beside_others += emulator::runs_beside_others();
            call.behind_waits += std::exchange(host_has_waited_, false) && !is_first;
            call.behind_reads += traffic_->host_has_read() && !is_first;
        }
        if (answering_) traffic_->launched();
    }
    void recorded(cudaEvent_t event, cudaStream_t stream) override {
        marks_[event] = {waits_, is_behind_default(stream)};
    }
    void stream_waits(cudaStream_t stream, cudaEvent_t event) override {
        if (marks_[event].behind_default) behind_default_.insert(stream);
    }
    void host_waited() override {
        ++waits_;
        host_has_waited_ = true;
        if (is_called_) ++call.host_waits;
    }
    void takes_floats_as_tf32() override { call.gives_floats_as_tf32 = true; }
    std::size_t allocates(std::size_t bytes) override {
        constexpr std::size_t too_much = std::size_t{1} << 60;
        return ++call.allocations == refused_allocation ? too_much : bytes;
    }
    void reset() override { was_reset_ = true; }

    const Traffic& traffic() const { return *traffic_; }
    bool was_reset() const { return was_reset_; }
    bool wrote_variable() const { return !written_variables_.empty(); }
    Mark mark(const void* event) { return marks_[event]; }

    Call call;
    std::map<const void*, std::size_t> given, asked_for;  // arrays and their bytes
    unsigned long refused_allocation = 0;
    bool counts = false;

  private:
    std::unique_ptr<Traffic> traffic_ = std::make_unique<Traffic>(call);
    std::set<cudaStream_t> streams_used_;      // by kernels of this call
    std::set<cudaStream_t> behind_default_;    // which have waited for an event of the default stream
    bool host_has_waited_ = false;             // since the last of them
    unsigned long waits_ = 0;                  // of the host, in all calls
    std::map<const void*, Mark> marks_;        // of each event
    std::set<const void*> written_variables_;  // of the device, by the host
    bool answering_ = false, is_called_ = false, was_reset_ = false;

    // Whether the stream waits for the default stream, by itself or by an event.
    bool is_behind_default(cudaStream_t stream) const {
        unsigned flags = cudaStreamDefault;
        const bool has_flags = stream != nullptr && cudaStreamGetFlags(stream, &flags) == cudaSuccess;
        return !has_flags || flags != cudaStreamNonBlocking || behind_default_.contains(stream);
    }
};

Device& device() {
    static Device& device = *new Device;
    return device;
}

std::size_t bytes_of(const std::map<const void*, std::size_t>& arrays) {
    std::size_t sum = 0;
    for (const auto& [array, bytes] : arrays) sum += bytes;
    return sum;
}

std::string in_bytes(std::size_t n) {
    std::string text = std::to_string(n);
    for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, ",");
    return text + (n == 1 ? " byte" : " bytes");
}

void require_little_sent(std::size_t asked_for, std::size_t input = 0) {
    constexpr std::size_t small = 64;  // no more than arguments of a launch
    const std::size_t sent = device().traffic().sent();
    if (asked_for > small && sent * 2 > asked_for + input * 2)
        end_run("host", "the host sent " + in_bytes(sent) + " to the device, where a result of " + in_bytes(asked_for) +
                            " is to be computed");
}

}  // namespace

void given_on_device(const void* array, std::size_t bytes) {
    device().given[array] = bytes;
    device().begin();
}

void asked_for_on_device(const void* array, std::size_t bytes) {
    device().asked_for[array] = bytes;
    device().begin();
}

void no_longer_on_device(const void* array) {
    device().given.erase(array);
    device().asked_for.erase(array);
}

void answer_follows() {
    device().begin();
}

void answer_is_done() {
    device().end();
    require_no_reset();
    if (device().wrote_variable())
        require(false,
                "the host wrote to a variable of the device by its name: on a GPU the host has another variable of "
                "that name, and kernels do not see it; cudaMemcpyToSymbol() brings values to theirs");
    if (const std::string work = emulator::unawaited_work(); !work.empty()) end_run("unawaited", work);
    if (!device().counts) return;
    const std::size_t given = bytes_of(device().given), asked_for = bytes_of(device().asked_for);
    const std::size_t to_host = device().traffic().to_host();
    if (given > 0 && to_host * 2 > given)
        end_run("host", in_bytes(to_host) + " came from the device to the host, and " + in_bytes(given) +
                            " are given in device memory");
    if (given > 0) return;
    require_little_sent(asked_for);
    for (const auto& [array, bytes] : device().asked_for)
        if (const std::size_t left = device().traffic().not_by_kernels(array, bytes); left > 0)
            end_run("host", in_bytes(left) + " of the result were not written by a kernel");
}

void require_from_kernels(const char* name, const void* result, std::size_t bytes, std::size_t input) {
    if (!device().counts) return;
    require_little_sent(bytes, input);
    if (!device().traffic().brought({static_cast<const char*>(result), bytes}))
        end_run("host", std::string(name) + " holds what no kernel has computed");
}

std::size_t read_by_kernels(const void* array, std::size_t bytes) {
    return device().traffic().read_by_kernels(array, bytes);
}

Mark mark(const void* event) {
    return device().mark(event);
}

const Call& call() {
    return device().call;
}

void observe_device(bool counts) {
    device().counts = counts;
    emulator::observe(&device());
}

void require_no_reset() {
    if (device().was_reset()) end_run("reset", "");
}

Handles live_handles() {
    return {emulator::live_streams(), emulator::live_events()};
}

void refuse_allocation(unsigned long which) {
    device().refused_allocation = which;
}

}  // namespace exercise

#else  // on a GPU

namespace exercise {

void given_on_device(const void*, std::size_t) {}
void asked_for_on_device(const void*, std::size_t) {}
void no_longer_on_device(const void*) {}
void answer_follows() {}
void answer_is_done() {}
void require_from_kernels(const char*, const void*, std::size_t, std::size_t) {}
Mark mark(const void*) {
    return {};
}
const Call& call() {
    static const Call nothing;
    return nothing;
}
std::size_t read_by_kernels(const void*, std::size_t) {
    return 0;
}
void refuse_allocation(unsigned long) {}
void observe_device(bool) {}
void require_no_reset() {}
Handles live_handles() {
    return {};
}

}  // namespace exercise

#endif

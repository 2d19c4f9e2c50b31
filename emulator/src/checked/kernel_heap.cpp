#include "kernel_heap.h"

#include <atomic>
#include <deque>
#include <iterator>
#include <map>
#include <mutex>
#include <optional>

#include "allocations.h"
#include "checker.h"
#include "emulator/engine.h"
#include "findings.h"

extern "C" {
void* __libc_malloc(std::size_t bytes);
void __libc_free(void* memory);
}

namespace emulator {
namespace {

constexpr std::size_t gap_bytes = 32;                                                // bytes behind each allocation
constexpr std::size_t most_kept_bytes = 64 << 20, most_kept = std::size_t{1} << 17;  // of what was freed

struct KernelHeap {
    std::mutex mutex;
    std::map<std::uintptr_t, KernelAllocation> allocations;  // by first address
    std::deque<std::uintptr_t> freed;                        // first addresses, the oldest first
    std::size_t freed_bytes = 0;
};

std::atomic<bool> is_used;

KernelHeap& kernel_heap() {
    static auto& heap = *new KernelHeap;
    return heap;
}

// While this OS thread changes what is known of the heap, its own memory is none of a kernel's.
__attribute__((tls_model("initial-exec"))) thread_local bool inside = false;

class Inside {
  public:
    Inside() : lock_(kernel_heap().mutex) { inside = true; }
    ~Inside() { inside = false; }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;

  private:
    std::lock_guard<std::mutex> lock_;
};

bool is_called_by_kernel() {
    return active_checker != nullptr && !uninterruptible;
}

const KernelAllocation* find(std::uintptr_t address) {
    const auto& allocations = kernel_heap().allocations;
    const auto after = allocations.upper_bound(address);
    if (after == allocations.begin()) return nullptr;
    const KernelAllocation& found = std::prev(after)->second;
    return address - found.begin < found.bytes + gap_bytes ? &found : nullptr;
}

void keep_freed(KernelAllocation& allocation, std::uintptr_t code) {
    KernelHeap& heap = kernel_heap();
    allocation.freed = true;
    allocation.freed_by = code;
    heap.freed.push_back(allocation.begin);
    heap.freed_bytes += allocation.bytes;
    while (heap.freed_bytes > most_kept_bytes || heap.freed.size() > most_kept) {
        const std::uintptr_t oldest = heap.freed.front();
        heap.freed.pop_front();
        heap.freed_bytes -= heap.allocations.at(oldest).bytes;
        heap.allocations.erase(oldest);
        __libc_free(reinterpret_cast<void*>(oldest));
    }
}

void report_free(Kind kind, const char* what, const KernelAllocation* freed_before, std::uintptr_t code) {
    if (!is_new(kind, code)) return;
    const CheckedLaunch& launch = active_checker->launch();
    Finding finding{kind, launch.kernel(), {{launch.who(), what, code - 1}}, "", ""};
    if (freed_before != nullptr) {
        finding.participants.push_back({"a kernel", "freed it the first time", freed_before->freed_by - 1});
        finding.cause = "Often all threads free what one of them has allocated, or two objects own the same pointer.";
    } else {
        finding.detail = "In a kernel, free() and delete are for what a kernel has allocated with malloc() or new.";
    }
    report(finding);
}

// Whether that was all, and the C library need not free it.
bool free_in_kernel(void* memory, std::uintptr_t code) {
    const auto address = reinterpret_cast<std::uintptr_t>(memory);
    const Uninterrupted here;
    std::optional<KernelAllocation> before;
    {
        const Inside lock;
        const auto found = kernel_heap().allocations.find(address);
        if (found == kernel_heap().allocations.end()) {
            if (find(address) == nullptr && shadow_of(memory) == nullptr) return false;
        } else if (found->second.freed) {
            before = found->second;
        } else {
            keep_freed(found->second, code);
            return true;
        }
    }
    if (before)
        report_free(Kind::double_free, "frees memory that was freed before", &*before, code);
    else
        report_free(Kind::invalid_free, "frees memory", nullptr, code);
    return true;
}

// Others than kernels free what may be a kernel's.
bool is_kept_for_kernels(void* memory) {
    const Inside lock;
    auto& allocations = kernel_heap().allocations;
    const auto found = allocations.find(reinterpret_cast<std::uintptr_t>(memory));
    if (found == allocations.end()) return false;
    if (found->second.freed) return true;
    allocations.erase(found);
    return false;
}

}  // namespace

std::optional<KernelAllocation> kernel_allocation_at(std::uintptr_t address) {
    if (!is_used) return std::nullopt;
    const Inside lock;
    const KernelAllocation* found = find(address);
    return found == nullptr ? std::nullopt : std::optional(*found);
}

}  // namespace emulator

extern "C" {

// In place of the C library's.
void* malloc(std::size_t bytes) {
    using namespace emulator;
    if (inside || !is_called_by_kernel() || bytes + gap_bytes < gap_bytes) return __libc_malloc(bytes);
    const Uninterrupted here;
    void* memory = __libc_malloc(bytes + gap_bytes);
    if (memory == nullptr) return nullptr;
    const auto begin = reinterpret_cast<std::uintptr_t>(memory);
    is_used = true;
    const Inside lock;
    kernel_heap().allocations[begin] = {begin, bytes, false, 0};
    return memory;
}

void free(void* memory) {
    using namespace emulator;
    if (memory == nullptr) return;
    if (is_used && !inside) {
        if (is_called_by_kernel()) {
            if (free_in_kernel(memory, reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)))) return;
        } else if (const Uninterrupted here; is_kept_for_kernels(memory)) {
            return;
        }
    }
    __libc_free(memory);
}

}  // extern "C"

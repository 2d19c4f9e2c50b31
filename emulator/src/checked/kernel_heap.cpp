#include "kernel_heap.h"

#include <array>
#include <atomic>
#include <cstdlib>
#include <deque>
#include <iterator>
#include <map>
#include <mutex>
#include <new>
#include <optional>

#include "../engine/grid.h"
#include "../engine/worker.h"
#include "../memory/devices.h"
#include "../memory/memory.h"
#include "../reports/source_places.h"
#include "../runtime_api/api.h"
#include "checker.h"
#include "emulator/engine.h"
#include "findings.h"
#include "host/allocations.h"
#include "host/host_heap.h"

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
    std::array<std::size_t, most_devices> bytes{};  // in use on each device
    // The latest call in this launch for more than there was, and how much the device's heap holds.
    std::uintptr_t refused_by = 0;
    std::size_t most_bytes = 0;
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
    heap.bytes[static_cast<std::size_t>(allocation.device)] -= allocation.bytes;
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

// Whether it cannot be the C library's: of CUDA's allocations, a variable of the device, in shared memory or on a
// thread's stack.
bool is_of_device(const void* memory) {
    const auto address = reinterpret_cast<std::uintptr_t>(memory);
    const CheckedLaunch& launch = active_checker->launch();
    return shadow_of(memory) != nullptr || is_variable(memory) || launch.is_near_shared(address) ||
           launch.neighbour_near(address) != nullptr || existing_worker->is_on_a_stack(address);
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
            if (find(address) == nullptr && !is_of_device(memory)) return false;
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
    kernel_heap().bytes[static_cast<std::size_t>(found->second.device)] -= found->second.bytes;
    allocations.erase(found);
    return false;
}

// Null if the device's heap has no room. How it packs what it holds is not known: here each allocation takes its bytes.
void* allocate_in_kernel(std::size_t bytes, std::uintptr_t code) {
    const Uninterrupted here;
    const int device = active_checker->launch().grid->device;
    const std::size_t most = heap_bytes(device);
    is_used = true;
    const Inside lock;
    KernelHeap& heap = kernel_heap();
    std::size_t& used = heap.bytes[static_cast<std::size_t>(device)];
    void* memory = used > most || bytes > most - used ? nullptr : __libc_malloc(bytes + gap_bytes);
    if (memory == nullptr) {
        heap.refused_by = code;
        heap.most_bytes = most;
        return nullptr;
    }
    const auto begin = reinterpret_cast<std::uintptr_t>(memory);
    used += bytes;
    heap.allocations[begin] = {begin, bytes, false, 0, device};
    return memory;
}

[[gnu::noinline]] void* none() {
    return nullptr;
}

}  // namespace

std::string describe_full_heap() {
    if (!is_used) return "";
    const Inside lock;
    const std::uintptr_t refused_by = kernel_heap().refused_by;
    if (refused_by == 0) return "";
    const std::string line = source_line(refused_by - 1);
    return "malloc() or new has returned a null pointer" + (line.empty() ? "" : " at " + line) +
           ": the heap of the device is full. It has " + std::to_string(kernel_heap().most_bytes >> 10) +
           " KiB, and cudaDeviceSetLimit(cudaLimitMallocHeapSize, bytes) before the first kernel that allocates makes "
           "it "
           "larger. Often nothing frees what kernels have allocated.";
}

void forget_full_heap() {
    if (!is_used) return;
    const Inside lock;
    kernel_heap().refused_by = 0;
}

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
    if (inside || !is_called_by_kernel()) return mark_end(__libc_malloc(with_mark(bytes)), bytes);
    return allocate_in_kernel(bytes, reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)));
}

void free(void* memory) {
    using namespace emulator;
    if (memory == nullptr) return;
    if (!inside && is_called_by_kernel()) {
        if (free_in_kernel(memory, reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)))) return;
    } else if (!inside && is_used) {
        const Uninterrupted here;
        if (is_kept_for_kernels(memory)) return;
    }
    remove_mark(memory);
    __libc_free(memory);
}

}  // extern "C"

// In place of the C++ library's, unless the program has its own: in a kernel it returns a null pointer where no memory
// is left, and throws nothing.
[[gnu::weak]] void* operator new(std::size_t bytes) {
    using namespace emulator;
    if (!inside && is_called_by_kernel()) {
        void* const memory = allocate_in_kernel(bytes, reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)));
        return memory == nullptr ? none() : memory;
    }
    while (true) {
        if (void* const memory = std::malloc(bytes == 0 ? 1 : bytes)) return memory;
        const std::new_handler handler = std::get_new_handler();
        if (handler == nullptr) throw std::bad_alloc();
        handler();
    }
}

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "emulator/types.h"

// Device memory: pages that the host may not touch and kernels may, each allocation ending at a guard page.
namespace emulator {

enum class Space {
    host,     ///< ordinary memory of the process
    device,   ///< cudaMalloc: closed to the host
    pinned,   ///< cudaMallocHost, cudaHostRegister: open to both
    managed,  ///< cudaMallocManaged: open to both
};

/// Bytes of memory that a device has: its share of half of the machine's physical memory.
std::size_t total_memory();
std::size_t free_memory(int device);

/// Null for 0 bytes. cudaErrorMemoryAllocation if that much is not left. Aligned to 256 bytes, filled with 0xff.
/// Memory of any space counts as the device's. `flags` are those of cudaHostAlloc and only kept.
cudaError_t allocate(void** pointer, std::size_t bytes, Space space, int device, unsigned flags = 0);

/// cudaErrorInvalidValue unless `pointer` came from allocate() and was not freed yet, and was allocated as pinned if
/// and only if `space` is that. Null is fine.
cudaError_t release(void* pointer, Space space);

/// Keeps an address for device memory that comes by allocate_there(), as fresh as from allocate(), goes by release(),
/// and comes again. When the object goes, what is there then stays until it is released.
class ReservedAddress {
  public:
    ReservedAddress(std::size_t bytes, int device);
    ~ReservedAddress();
    ReservedAddress(const ReservedAddress&) = delete;
    ReservedAddress& operator=(const ReservedAddress&) = delete;

    void* pointer() const { return pointer_; }  ///< null: there was no room
    /// cudaErrorInvalidValue if the memory is there already.
    cudaError_t allocate_there() const;

  private:
    void* pointer_ = nullptr;
};
bool is_reserved(const void* pointer);

/// Of each live allocation: where it begins, how many bytes it has, and what memory it is.
void for_each_allocation(const std::function<void(std::uintptr_t begin, std::size_t bytes, Space space)>& call);

/// Frees all that was allocated for the device, and forgets what was registered for it (cudaDeviceReset).
void release_all(int device);

/// For which device the memory was allocated or registered that the address lies in; nothing if it is in none such.
std::optional<int> device_of_memory(const void* pointer);

/// Ordinary memory of the host becomes as good as pinned, and ordinary again.
cudaError_t register_host(const void* pointer, std::size_t bytes, unsigned flags, int device);
cudaError_t unregister_host(const void* pointer);

/// False for most addresses that were never registered, and quick.
bool may_be_registered(const void* pointer);

/// The flags of the pinned or registered memory that the address lies in; nothing if it is in none.
std::optional<unsigned> pinned_flags(const void* pointer);

/// Whether the address lies in a __device__, __constant__ or __managed__ variable.
bool is_variable(const void* pointer);
/// No address has this bit; that of a variable of the device has, where the host has taken it for a launch.
constexpr std::uintptr_t taken_on_host = std::uintptr_t{1} << 50;

/// One that the linker did not put among them.
void add_variable(const void* begin, std::size_t bytes);
std::size_t variables_added();          ///< how many there are
bool is_constant(const void* pointer);  ///< in a __constant__ one

/// Calls f(begin, bytes) for each section of __device__ and __constant__ variables, and for each of those that the
/// linker did not put there.
void for_each_device_variable(const std::function<void(char* begin, std::size_t bytes)>& call);

/// Those among which the address lies, from the first to behind the last; two nulls if it lies in none.
std::pair<const char*, const char*> variables_with(const void* pointer);

/// Bytes of the allocation that begins at the address; 0 if none does.
std::size_t allocated_at(const void* pointer);

/// Where [pointer, pointer + bytes) lies. Sets *whole to false if it begins in an allocation and ends outside of it.
/// Variables of the device count as device memory, __managed__ ones as managed memory.
Space space_of(const void* pointer, std::size_t bytes, bool* whole);

/// How many of the bytes the process can read before the first that it cannot.
std::size_t readable_bytes(const void* pointer, std::size_t bytes);

/// Lets the runtime itself touch [pointer, pointer + bytes) for as long as the object lives, and says where that lies:
/// as space_of() does, but nobody can free it between the look and the touch. Memory that another OS thread frees
/// meanwhile is given back when the last such object goes.
class HostAccess {
  public:
    HostAccess(const void* pointer, std::size_t bytes);
    ~HostAccess();
    HostAccess(const HostAccess&) = delete;
    HostAccess& operator=(const HostAccess&) = delete;

    Space space() const { return space_; }
    bool is_whole() const { return is_whole_; }
    /// Whose memory it is; nothing if it is no allocation, or one that is open to all.
    std::optional<int> device() const;

  private:
    struct Allocation* allocation_;  // null: in none
    bool is_whole_ = true;
    Space space_;
};

/// Around the run of a kernel: what its threads open stays open until the last running kernel has ended.
void kernel_begins();
void kernel_ends();
void close_what_kernels_opened();

/// Called when a thread of a kernel on `device` faulted at `address`: opens the allocation there. False if there is
/// none that the device can reach.
bool open_for_kernel(std::uintptr_t address, int device);

/// "That is memory of device 1, …" if the address lies in an allocation that `device` cannot reach; else empty.
std::string out_of_reach(std::uintptr_t address, int device);

enum class NearMiss { none, first, known };

/// Called when a kernel's thread touched `address` and no allocation is there. Where a GPU would have more of a page of
/// 2 MiB, and notice nothing, the address is opened, filled with 0xff, and the thread may go on, if
/// EMULATOR_NEAR_MISSES is go-on in the environment. NearMiss::first at an allocation for the first time,
/// NearMiss::none where the access is to fail.
NearMiss open_margin(std::uintptr_t address, int device);

/// What lies at an address, for a report: "12 bytes past the end of an allocation of 40 bytes at 0x…". Empty if nothing
/// of ours is near.
std::string describe_address(std::uintptr_t address);

/// The nearest of the live allocations, wherever the address is; nothing if there is none.
struct Neighbour {
    std::uintptr_t begin;
    std::size_t bytes;
};
std::optional<Neighbour> nearest_allocation(std::uintptr_t address);

/// True if the address lies in device memory, live or freed.
bool is_device_address(std::uintptr_t address);

}  // namespace emulator

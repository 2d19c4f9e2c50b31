#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "../memory/memory.h"
#include "../reports/error_state.h"
#include "../reports/source_places.h"

// What memory.cpp and copies.cpp tell the checked build. In the plain build nothing, and addresses are from the system.
namespace emulator {

#ifdef EMULATOR_CHECKED
/// How many of the bytes, which can be read, lie in the host's allocation that they begin in; all if that is not known.
std::size_t host_allocation_bytes(const void* pointer, std::size_t bytes);

/// What describe_address() says, with the names that are known.
std::string describe_allocation(std::uintptr_t address);

/// Addresses for an allocation and what surrounds it, closed to everybody. MAP_FAILED: none are left.
void* reserve_addresses(std::size_t bytes);
void return_addresses(void* mapping, std::size_t bytes);

/// An allocation: the host may write to it unseen, or only copies and kernels do. False: there is no memory for what is
/// to be known about it.
[[nodiscard]] bool note_allocated(std::uintptr_t begin, std::size_t bytes, bool open_to_host, int device);
void note_allocated_nothing();                                                // 0 bytes: a null pointer
void note_rows(const void* begin, std::size_t pitch, std::size_t row_bytes);  // of a pitched one
void note_freed(std::uintptr_t begin, const Frames& freed_by);
void note_forgotten(std::uintptr_t begin, std::size_t bytes);  // its addresses are returned
void note_bad_free(const void* pointer);

/// A copy or a fill that goes beyond an allocation, or a direction that the pointers do not have; host code at an
/// address of the device, in the place that the next function tells, or in a call of the runtime API.
void note_bad_copy(const char* call, const void* pointer, const std::string& why,
                   const std::string& cause = "");  ///< "": the usual one
void note_host_touch(std::uintptr_t address, bool write, std::uintptr_t code, bool by_call);

/// free() or delete got the allocation that begins at the address.
void note_host_free(std::uintptr_t begin, std::uintptr_t code);

/// Where the source has the access to the address that failed at `code`: the compiler may have moved the instruction,
/// or the C library is at work.
std::uintptr_t place_of_host_touch(std::uintptr_t address, std::uintptr_t code);

/// Bytes were written, or copied with what is known of them.
void note_filled(const void* to, std::size_t bytes, int value);
void note_copied(const void* to, const void* from, std::size_t bytes);
/// The host may write, unseen, anywhere in the allocation with the address.
void note_opened(std::uintptr_t address);
#else
inline std::size_t host_allocation_bytes(const void*, std::size_t bytes) {
    return bytes;
}
inline std::string describe_allocation(std::uintptr_t address) {
    return describe_address(address);
}
inline void* reserve_addresses(std::size_t bytes) {
    return mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
}
inline void return_addresses(void* mapping, std::size_t bytes) {
    munmap(mapping, bytes);
}
inline bool note_allocated(std::uintptr_t, std::size_t, bool, int) {
    return true;
}
inline void note_rows(const void*, std::size_t, std::size_t) {}
inline void note_freed(std::uintptr_t, const Frames&) {}
inline void note_forgotten(std::uintptr_t, std::size_t) {}
inline void note_bad_free(const void*) {}
inline void note_bad_copy(const char* call, const void*, const std::string& why, const std::string& = "") {
    const std::string line = source_line(programs_call(callers()));
    explain("%s%s%s: %s", call, line.empty() ? "" : " at ", line.c_str(), why.c_str());
}
inline void note_host_touch(std::uintptr_t, bool, std::uintptr_t, bool) {}
inline void note_host_free(std::uintptr_t, std::uintptr_t) {}
inline std::uintptr_t place_of_host_touch(std::uintptr_t, std::uintptr_t code) {
    return code;
}
inline void note_filled(const void*, std::size_t, int) {}
inline void note_allocated_nothing() {}
inline void note_copied(const void*, const void*, std::size_t) {}
inline void note_opened(std::uintptr_t) {}
#endif

}  // namespace emulator

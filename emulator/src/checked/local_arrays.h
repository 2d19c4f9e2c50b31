#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "../engine/fiber.h"

// What the checked build knows about the arrays that a thread has of its own: which of their bytes nobody has written,
// and what lies before and behind them. A byte about each byte of a stack lies local_knowledge below it.
namespace emulator {

/// The stack that the kernel's present thread runs on.
struct StackRange {
    std::uintptr_t begin, bytes;
};
EMULATOR_TLS StackRange own_stack;

enum LocalByte : unsigned char { fine, unwritten, gap };  // fine, too: whatever is no such array

inline unsigned char* knowledge_of(std::uintptr_t local_address) {
    return reinterpret_cast<unsigned char*>(local_address - local_knowledge);
}

/// Not -1 and no value that is met often: a function of the C library may have stored it unseen.
inline constexpr unsigned char local_poison = 0xcd;

/// "count[3] in local memory"; empty if no such array is at the address or close to it.
std::string local_name(std::uintptr_t address);

/// Where that array begins; 0 if there is none.
std::uintptr_t begin_of_local_array(std::uintptr_t address);

/// A launch begins: of one that failed there may be some left.
void forget_local_arrays();

}  // namespace emulator

// An integer divided by zero, and the lowest one by -1: x86-64 refuses them with a signal, a GPU has a result and goes
// on.

#include "division.h"

#include <ucontext.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <optional>

namespace emulator {

#if defined(__x86_64__)
namespace {

constexpr int general_registers[] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
                                     REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};

template <class T>
T load(const void* address) {
    T value;
    std::memcpy(&value, address, sizeof value);
    return value;
}

/// A `div` or `idiv` that has failed.
class Division {
  public:
    /// The one at that place of the code; nothing if there is another instruction.
    static std::optional<Division> at(const mcontext_t& machine) {
        Division it;
        const auto* byte = reinterpret_cast<const unsigned char*>(machine.gregs[REG_RIP]);
        bool half = false, of_thread = false;
        for (;; ++byte) {
            if (*byte == 0x66)
                half = true;
            else if (*byte == 0x64)
                of_thread = true;
            else
                break;
        }
        const unsigned extension = (*byte & 0xf0) == 0x40 ? *byte++ : 0u;
        const unsigned opcode = *byte++, mode = *byte++;
        if ((opcode != 0xf6 && opcode != 0xf7) || (mode >> 3 & 7) < 6) return std::nullopt;
        it.bytes_ = opcode == 0xf6 ? 1 : (extension & 8) != 0 ? 8 : half ? 2 : 4;
        std::uintptr_t address = 0;
        if (mode >> 6 == 3) {
            const unsigned number = (mode & 7) | (extension & 1) << 3;
            const bool is_upper_half = it.bytes_ == 1 && extension == 0 && number >= 4;  // ah, ch, dh, bh
            const auto* word = reinterpret_cast<const char*>(&machine.gregs[general_registers[number % 4]]);
            if (!is_upper_half) word = reinterpret_cast<const char*>(&machine.gregs[general_registers[number]]);
            address = reinterpret_cast<std::uintptr_t>(word + (is_upper_half ? 1 : 0));
        } else {
            address = it.operand_in_memory(machine, byte, mode, extension);
            if (of_thread) address += reinterpret_cast<std::uintptr_t>(__builtin_thread_pointer());
        }
        // Here and in set() no memcpy() of so many bytes: where the compiler calls the library's, the checked build
        // takes it for the kernel's.
        const auto* divisor = reinterpret_cast<const unsigned char*>(address);
        it.by_zero_ = std::all_of(divisor, divisor + it.bytes_, [](unsigned char part) { return part == 0; });
        it.end_ = byte;
        return it;
    }

    void finish(mcontext_t& machine) const {
        // By zero: all bits are set. nvcc divides 64 bits as 32 where both numbers have no more; then all of those are
        // set. Otherwise the lowest number was divided by -1, and is its own negative.
        const auto dividend = static_cast<std::uint64_t>(machine.gregs[REG_RAX]);
        const std::uint64_t all_ones = bytes_ == 8 && dividend >> 32 == 0 ? 0xffffffffu : ~std::uint64_t{0};
        const std::uint64_t quotient = by_zero_ ? all_ones : dividend, remainder = by_zero_ ? all_ones : 0;
        if (bytes_ == 1) {
            const std::uint64_t both = (remainder & 0xff) << 8 | (quotient & 0xff);
            set(machine.gregs[REG_RAX], both, 2);
        } else {
            set(machine.gregs[REG_RAX], quotient, bytes_);
            set(machine.gregs[REG_RDX], remainder, bytes_);
        }
        machine.gregs[REG_RIP] = static_cast<greg_t>(reinterpret_cast<std::uintptr_t>(end_));
    }

  private:
    /// Reads the rest of the instruction.
    static std::uintptr_t operand_in_memory(const mcontext_t& machine, const unsigned char*& byte, unsigned mode,
                                            unsigned extension) {
        const auto value = [&](unsigned number) {
            return static_cast<std::uintptr_t>(machine.gregs[general_registers[number]]);
        };
        const unsigned kind = mode >> 6, base = mode & 7;
        std::uintptr_t address = 0;
        bool behind_the_instruction = false, without_base = false;
        if (base == 4) {
            const unsigned sib = *byte++, index = (sib >> 3 & 7) | (extension & 2) << 2;
            without_base = (sib & 7) == 5 && kind == 0;
            if (!without_base) address = value((sib & 7) | (extension & 1) << 3);
            if (index != 4) address += value(index) << (sib >> 6);
        } else if (base == 5 && kind == 0) {
            behind_the_instruction = true;
        } else {
            address = value(base | (extension & 1) << 3);
        }
        if (kind == 1) {
            address += static_cast<std::uintptr_t>(std::intptr_t{load<std::int8_t>(byte)});
            byte += 1;
        } else if (kind == 2 || behind_the_instruction || without_base) {
            address += static_cast<std::uintptr_t>(std::intptr_t{load<std::int32_t>(byte)});
            byte += 4;
        }
        return behind_the_instruction ? address + reinterpret_cast<std::uintptr_t>(byte) : address;
    }

    // As the processor does: of 4 bytes the upper half becomes zero, fewer leave the rest as it is.
    static void set(greg_t& target, std::uint64_t value, unsigned bytes) {
        const std::uint64_t part = bytes == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << 8 * bytes) - 1;
        const std::uint64_t rest = bytes < 4 ? static_cast<std::uint64_t>(target) & ~part : 0;
        target = static_cast<greg_t>(rest | (value & part));
    }

    unsigned bytes_ = 0;
    bool by_zero_ = false;
    const unsigned char* end_ = nullptr;
};

}  // namespace

bool finish_division(void* context) {
    mcontext_t& machine = static_cast<ucontext_t*>(context)->uc_mcontext;
    const std::optional<Division> division = Division::at(machine);
    if (division) division->finish(machine);
    return division.has_value();
}
#else
bool finish_division(void*) {
    return false;
}
#endif

}  // namespace emulator

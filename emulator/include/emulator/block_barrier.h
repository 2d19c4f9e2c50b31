#pragma once

#include "emulator/engine.h"

namespace emulator {

// __syncthreads(): a function; but for x86-64 not a call, in the plain build. Whoever is called at one of a kernel's
// barriers goes on at another, and the processor, which foretells returns by the calls before them, is wrong each time.
// And a call keeps six registers, whatever the kernel still needs. Here is a jump, of which the compiler is told that
// no register is kept, so that what the kernel needs is on the stack. In a kernel with two barriers each takes half the
// time.
#if defined(__x86_64__) && !defined(EMULATOR_CHECKED) && !defined(EMULATOR_ASAN)
#define EMULATOR_BARRIER_JUMPS 1
#ifdef __AVX512F__
#define EMULATOR_MORE_REGISTERS                                                                                 \
    "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24", "xmm25", "xmm26", "xmm27", \
        "xmm28", "xmm29", "xmm30", "xmm31", "k0", "k1", "k2", "k3", "k4", "k5", "k6", "k7",
#else
#define EMULATOR_MORE_REGISTERS
#endif
EMULATOR_INLINE void wait_at_block_barrier() {
    __asm__ volatile(
        "leaq 1f(%%rip), %%rdi\n\t"
        "jmp *emulator_barrier@GOTPCREL(%%rip)\n"
        "1:"
        :
        :
        : "rax", "rbx", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "xmm0",
          "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13",
          "xmm14", "xmm15", EMULATOR_MORE_REGISTERS "st", "st(1)", "st(2)", "st(3)", "st(4)", "st(5)", "st(6)", "st(7)",
          "cc", "memory");
    uninterruptible = false;
}
#undef EMULATOR_MORE_REGISTERS
#else
EMULATOR_INLINE void wait_at_block_barrier() {
    sync_threads();
}
#endif

}  // namespace emulator

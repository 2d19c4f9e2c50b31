#pragma once

#include <cstdint>

namespace emulator {

/// How an OS thread rounds and what it does with denormal numbers: what a function must keep (the control bits of MXCSR
/// and the control word of the x87; FPCR on ARM). At first as a process begins, and as a GPU computes.
struct FloatingPointControl {
#if defined(__x86_64__)
    std::uint32_t mxcsr = 0x1f80;
    std::uint16_t x87 = 0x037f;

    static FloatingPointControl present() {
        FloatingPointControl it;
        asm volatile("stmxcsr %0\n\tfnstcw %1" : "=m"(it.mxcsr), "=m"(it.x87));
        return it;
    }
    void set() const {
        asm volatile("ldmxcsr %0\n\tfldcw %1" : : "m"(mxcsr), "m"(x87));
    }
    bool differs_from(const FloatingPointControl& other) const {
        constexpr std::uint32_t what_happened = 0x3f;  // no control, and different after nearly each computation
        return ((mxcsr ^ other.mxcsr) & ~what_happened) != 0 || x87 != other.x87;
    }
#else
    std::uint64_t fpcr = 0;

    static FloatingPointControl present() {
        FloatingPointControl it;
        asm volatile("mrs %0, fpcr" : "=r"(it.fpcr));
        return it;
    }
    void set() const {
        asm volatile("msr fpcr, %0" : : "r"(fpcr));
    }
    bool differs_from(const FloatingPointControl& other) const {
        return fpcr != other.fpcr;
    }
#endif
};

/// While one lives, threads of a kernel compute as a GPU does, whatever was set before: by the host, or by a thread
/// that was interrupted while it rounded up, as __fadd_ru() does. Then what was set before is set again.
class AsGpuComputes {
  public:
    AsGpuComputes() : before_(FloatingPointControl::present()) {
        if (before_.differs_from({})) FloatingPointControl().set();
    }
    ~AsGpuComputes() {
        if (FloatingPointControl::present().differs_from(before_)) before_.set();
    }
    AsGpuComputes(const AsGpuComputes&) = delete;
    AsGpuComputes& operator=(const AsGpuComputes&) = delete;

  private:
    const FloatingPointControl before_;
};

}  // namespace emulator

#pragma once

#include "emulator/letters_begin.h"

#include <cstdint>

#include "cuda_runtime.h"
#include "emulator/mbarrier.h"

// An mbarrier as nvcc's functions see it: a number in shared memory.

typedef std::uint64_t __mbarrier_t;
typedef std::uint64_t __mbarrier_token_t;

EMULATOR_INLINE std::uint32_t __mbarrier_maximum_count() {
    return static_cast<std::uint32_t>(::emulator::mbarrier::Word::most);
}
EMULATOR_INLINE void __mbarrier_init(__mbarrier_t* barrier, std::uint32_t expected) {
    ::emulator::mbarrier::init(barrier, expected);
}
EMULATOR_INLINE void __mbarrier_inval(__mbarrier_t* barrier) {
    ::emulator::mbarrier::inval(barrier);
}
EMULATOR_INLINE __mbarrier_token_t __mbarrier_arrive(__mbarrier_t* barrier) {
    return ::emulator::mbarrier::arrive(barrier, 1, 0, false, true);
}
EMULATOR_INLINE __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t* barrier) {
    return ::emulator::mbarrier::arrive(barrier, 1, 0, true, true);
}
EMULATOR_INLINE std::uint32_t __mbarrier_token_pending_count(__mbarrier_token_t token) {
    return static_cast<std::uint32_t>(::emulator::mbarrier::Word(token).missing);
}
EMULATOR_INLINE bool __mbarrier_test_wait(__mbarrier_t* barrier, __mbarrier_token_t token) {
    return ::emulator::mbarrier::is_over(barrier, token, true);
}
EMULATOR_INLINE bool __mbarrier_test_wait_parity(__mbarrier_t* barrier, bool parity) {
    return ::emulator::mbarrier::is_over(barrier, parity, true);
}
EMULATOR_INLINE bool __mbarrier_try_wait(__mbarrier_t* barrier, __mbarrier_token_t token, std::uint32_t) {
    return ::emulator::mbarrier::is_over(barrier, token, true);
}
EMULATOR_INLINE bool __mbarrier_try_wait_parity(__mbarrier_t* barrier, bool parity, std::uint32_t) {
    return ::emulator::mbarrier::is_over(barrier, parity, true);
}

#include "emulator/letters_end.h"

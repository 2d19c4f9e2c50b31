#pragma once

#include "emulator/letters_begin.h"

#define __CUDA_BF16_H__

#include "cuda_fp16.h"
#include "cuda_runtime.h"
#include "emulator/half.h"

// bfloat16: the upper half of a float.

#define EMULATOR_TAG bfloat16
#define OTHER __half
#define H __nv_bfloat16
#define H2 __nv_bfloat162
#define RAW __nv_bfloat16_raw
#define RAW2 __nv_bfloat162_raw
#define FORMAT ::emulator::Float16<7, -126>
#include "emulator/half_functions.inc"
#undef EMULATOR_TAG
#undef OTHER
#undef H
#undef H2
#undef RAW
#undef RAW2
#undef FORMAT

inline __half::__half(const __nv_bfloat16 x) : __half(static_cast<float>(x)) {}
inline __nv_bfloat16::__nv_bfloat16(const __half x) : __nv_bfloat16(static_cast<float>(x)) {}

using nv_bfloat16 = __nv_bfloat16;
using nv_bfloat162 = __nv_bfloat162;

#include "emulator/letters_end.h"

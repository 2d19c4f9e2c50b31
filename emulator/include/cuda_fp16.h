#pragma once

#include "emulator/letters_begin.h"

#define __CUDA_FP16_H__

#include "cuda_runtime.h"
#include "emulator/half.h"

// IEEE half precision.

struct __nv_bfloat16;

#define EMULATOR_TAG half
#define OTHER __nv_bfloat16
#define H __half
#define H2 __half2
#define RAW __half_raw
#define RAW2 __half2_raw
#define FORMAT ::emulator::Float16<10, -14>
#include "emulator/half_functions.inc"
#undef EMULATOR_TAG
#undef OTHER
#undef H
#undef H2
#undef RAW
#undef RAW2
#undef FORMAT

using half = __half;
using half2 = __half2;
using __nv_half = __half;
using __nv_half2 = __half2;
using nv_half = __half;
using nv_half2 = __half2;

#include "emulator/letters_end.h"

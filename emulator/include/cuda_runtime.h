#pragma once

#include "emulator/letters_begin.h"

// What nvcc gives every .cu file: the language and the runtime, here on the CPU.

#if defined(__clang__) && defined(__CUDA__)
// clangd, which reads .cu files as CUDA: what the emulator declares may be called on both sides.
#include <__clang_cuda_math_forward_declares.h>
#include <cstddef>
extern "C" __attribute__((device)) float fmaf(float, float, float);
#pragma clang force_cuda_host_device begin
#endif

// Programs use what CUDA's own header happens to include, without saying so.
#include <ctype.h>
#include <limits.h>
#include <stddef.h>

#include <utility>
#ifdef __CUDACC__
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#endif

// They also ask which of CUDA's headers are there by the names that those define.
#define __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_API_H__
#define __DRIVER_TYPES_H__
#define __VECTOR_TYPES_H__
#define __VECTOR_FUNCTIONS_H__
#define __DEVICE_LAUNCH_PARAMETERS_H__

#include "emulator/device.h"
#include "emulator/engine.h"
#include "emulator/error.h"
#include "emulator/functions.h"
#include "emulator/language.h"
#include "emulator/older.h"
#include "emulator/print.h"
#include "emulator/runtime_api.h"
#include "emulator/shared.h"
#include "emulator/types.h"
#include "emulator/warp.h"

// Only in .cu files, as with nvcc: a .cpp file may have a min() of its own.
#if defined(__CUDACC__) || defined(__CUDA__)
#include "emulator/address_spaces.h"
#include "emulator/atomics.h"
#include "emulator/builtin_atomics.h"
#include "emulator/dpx.h"
#include "emulator/intrinsics.h"
#include "emulator/math.h"
#include "emulator/ptx.h"
#include "emulator/ptx_instructions.h"
#endif

#if defined(__clang__) && defined(__CUDA__)
#pragma clang force_cuda_host_device end
#endif

#include "emulator/letters_end.h"

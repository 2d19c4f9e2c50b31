#pragma once

#if defined(__clang__) && defined(__CUDA__)
// clangd, which reads .cu files as CUDA: what the C library and the emulator declare may be called on both sides, but
// not what <new> and the streams of the C++ library declare. So these headers come before the emulator's own.
#pragma clang force_cuda_host_device begin
#define _GLIBCXX_INCLUDE_NEXT_C_HEADERS  // the C library's own, without <cmath> around it
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#undef _GLIBCXX_INCLUDE_NEXT_C_HEADERS
#pragma clang force_cuda_host_device end
#define __device__ __attribute__((device))  // clang's <new> asks for it
#include <cfenv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <initializer_list>
#include <limits>
#include <new>
#include <type_traits>
#include <typeinfo>
#include <utility>
#endif

#include "emulator/letters_begin.h"

// What nvcc gives every .cu file: the language and the runtime, here on the CPU.

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

#include "emulator/clusters.h"
#include "emulator/dependent_launches.h"
#include "emulator/device.h"
#include "emulator/driver_api.h"
#include "emulator/engine.h"
#include "emulator/error.h"
#include "emulator/functions.h"
#include "emulator/graphs.h"
#include "emulator/language.h"
#include "emulator/memory_pools.h"
#include "emulator/older.h"
#include "emulator/print.h"
#include "emulator/runtime_api.h"
#include "emulator/shared.h"
#include "emulator/types.h"
#include "emulator/warp.h"
#include "library_types.h"

// Only in .cu files, as with nvcc: a .cpp file may have a min() of its own.
#if defined(__CUDACC__) || defined(__CUDA__)
#include "emulator/address_spaces.h"
#include "emulator/atomics.h"
#include "emulator/builtin_atomics.h"
#include "emulator/dpx.h"
#include "emulator/intrinsics.h"
#include "emulator/math.h"
#include "emulator/ptx.h"
#include "emulator/ptx_forms.h"
#include "emulator/ptx_halves.h"
#include "emulator/ptx_instructions.h"
#include "emulator/wgmma.h"
#endif

#include "emulator/letters_end.h"

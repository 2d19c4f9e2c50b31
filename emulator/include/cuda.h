#pragma once

#define __cuda_cuda_h__

// Programs include this one, too, where the runtime is all they need. Of the driver API (cuInit, cuLaunchKernel, ...)
// only tensor maps are here, so that using the rest does not compile.

#include "cuda_runtime.h"

#define CUDA_VERSION 13000

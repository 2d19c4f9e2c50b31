// What programs include without need, and the helpers that they carry around.
#include <builtin_types.h>
#include <common_functions.h>
#include <cooperative_groups.h>
#include <cuComplex.h>
#include <cuda.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_profiler_api.h>
#include <cuda_runtime.h>
#include <cuda_runtime_api.h>
#include <device_atomic_functions.h>
#include <device_double_functions.h>
#include <device_functions.h>
#include <device_launch_parameters.h>
#include <device_types.h>
#include <driver_functions.h>
#include <driver_types.h>
#include <host_config.h>
#include <host_defines.h>
#include <math_constants.h>
#include <math_functions.h>
#include <mma.h>
#include <nvToolsExt.h>
#include <nvtx3/nvToolsExt.h>
#include <sm_20_atomic_functions.h>
#include <sm_20_intrinsics.h>
#include <sm_30_intrinsics.h>
#include <sm_32_atomic_functions.h>
#include <sm_32_intrinsics.h>
#include <sm_35_atomic_functions.h>
#include <sm_35_intrinsics.h>
#include <sm_60_atomic_functions.h>
#include <sm_61_intrinsics.h>
#include <vector_functions.h>
#include <vector_types.h>

#include <iostream>
#include <memory>

#if !defined(__CUDA_RUNTIME_H__) || !defined(__DRIVER_TYPES_H__) || !defined(CUDART_VERSION) || CUDA_VERSION < 12000
#error "which headers are there cannot be asked"
#endif

#ifdef __DRIVER_TYPES_H__
template <typename T>
void check(T result, char const *const func, const char *const file, int const line)
{
    if (result) {
        fprintf(stderr, "CUDA error at %s:%d code=%d(%s) \"%s\" \n", file, line, static_cast<unsigned int>(result),
                cudaGetErrorName(result), func);
        exit(EXIT_FAILURE);
    }
}
#define checkCudaErrors(val) check((val), #val, __FILE__, __LINE__)
#endif

inline int best_device()
{
    int count = 0, best = -1, most = 0;
    checkCudaErrors(cudaGetDeviceCount(&count));
    for (int device = 0; device < count; ++device) {
        int mode = -1, major = 0, multiprocessors = 0;
        checkCudaErrors(cudaDeviceGetAttribute(&mode, cudaDevAttrComputeMode, device));
        checkCudaErrors(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
        checkCudaErrors(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
        if (mode != cudaComputeModeProhibited && multiprocessors > most) {
            most = multiprocessors;
            best = device;
        }
    }
    return best;
}

__device__ __noinline__ float twice(float x) { return 2 * x; }

__global__ void kernel(cuFloatComplex *z, clock_t *ticks, int *mixed)
{
    const clock_t start = clock();
    z[threadIdx.x] = cuCmulf(z[threadIdx.x], make_cuFloatComplex(0, twice(0.5f)));
    mixed[0] = max(mixed[1], 3u) + (int)min(2.5f, 4.0) + (int)max(7ll, 9ull);
    ticks[threadIdx.x] = clock() - start;
}

int main()
{
    checkCudaErrors(cudaSetDevice(best_device()));
    nvtxRangePushA("all");
    std::shared_ptr<int> shared = std::make_shared<int>(3);
    cuFloatComplex *z;
    clock_t *ticks, begin = clock();
    int *mixed;
    checkCudaErrors(cudaMallocManaged(&z, 32 * sizeof *z));
    checkCudaErrors(cudaMallocManaged(&ticks, 32 * sizeof *ticks));
    checkCudaErrors(cudaMallocManaged(&mixed, 2 * sizeof *mixed));
    for (int i = 0; i < 32; ++i) {
        z[i] = make_cuFloatComplex(i, 1);
        ticks[i] = -1;
    }
    mixed[1] = -1;
    checkCudaErrors(cudaProfilerStart());
    kernel<<<1, 32>>>(z, ticks, mixed);
    checkCudaErrors(cudaDeviceSynchronize());
    checkCudaErrors(cudaProfilerStop());
    bool ok = *shared == 3 && clock() >= begin && (unsigned)mixed[0] == 0xffffffffu + 2 + 9;
    for (int i = 0; i < 32; ++i) ok = ok && cuCrealf(z[i]) == -1 && cuCimagf(z[i]) == i && ticks[i] >= 0;
    nvtxRangePop();
    std::cout << (ok ? "PASSED" : "FAILED") << std::endl;
    return !ok;
}

// Inline PTX for pairs of numbers in a register: of 8 bits, beside the functions of cuda_fp8.h, and of floats, which
// need code for sm_100 where a GPU runs it.
#include <cuda_fp8.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

__device__ unsigned fp8(float upper, float lower, __nv_fp8_interpretation_t kind) {
    return __nv_cvt_float_to_fp8(upper, __NV_SATFINITE, kind) << 8 | __nv_cvt_float_to_fp8(lower, __NV_SATFINITE, kind);
}
__device__ unsigned halves(unsigned fp8, __nv_fp8_interpretation_t kind) {
    const __half2_raw both = __nv_cvt_fp8x2_to_halfraw2(static_cast<unsigned short>(fp8), kind);
    return static_cast<unsigned>(both.y) << 16 | both.x;
}
__device__ std::uint64_t pair(float upper, float lower) {
    return std::uint64_t{__float_as_uint(upper)} << 32 | __float_as_uint(lower);
}
// Of a pair of halves; -0 counts as 0.
__device__ unsigned not_negative(unsigned halves) {
    return (halves & 0x8000 ? 0 : halves & 0xffff) | (halves >> 31 ? 0 : halves & 0xffff0000);
}
__device__ float positive(float x) {
    return x < 0 ? 0 : x;
}

// x: upper and lower number of a pair. Counts in wrong[] where the two do not agree.
__global__ void compare(const float2* x, unsigned* wrong, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float upper = x[i].x, lower = x[i].y;
    unsigned short e4m3, e5m2, relu, again;
    unsigned half2, half2_relu, half2_e5m2;
    asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(e4m3) : "f"(upper), "f"(lower));
    asm("cvt.rn.satfinite.e5m2x2.f32 %0, %1, %2;" : "=h"(e5m2) : "f"(upper), "f"(lower));
    asm("cvt.rn.satfinite.relu.e4m3x2.f32 %0, %1, %2;" : "=h"(relu) : "f"(upper), "f"(lower));
    asm("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(half2) : "h"(e4m3));
    asm("cvt.rn.relu.f16x2.e4m3x2 %0, %1;" : "=r"(half2_relu) : "h"(e4m3));
    asm("cvt.rn.f16x2.e5m2x2 %0, %1;" : "=r"(half2_e5m2) : "h"(e5m2));
    asm("cvt.rn.satfinite.e4m3x2.f16x2 %0, %1;" : "=h"(again) : "r"(half2));
    std::uint64_t sum, difference, product, fused;
    asm("add.rn.f32x2 %0, %1, %2;" : "=l"(sum) : "l"(pair(upper, lower)), "l"(pair(3, -5)));
    asm("sub.rn.f32x2 %0, %1, %2;" : "=l"(difference) : "l"(pair(upper, lower)), "l"(pair(3, -5)));
    asm("mul.rn.f32x2 %0, %1, %2;" : "=l"(product) : "l"(pair(upper, lower)), "l"(pair(3, -5)));
    asm("fma.rn.f32x2 %0, %1, %2, %1;" : "=l"(fused) : "l"(pair(upper, lower)), "l"(pair(3, -5)));
    const bool agree[] = {
        e4m3 == fp8(upper, lower, __NV_E4M3),
        e5m2 == fp8(upper, lower, __NV_E5M2),
        relu == fp8(positive(upper), positive(lower), __NV_E4M3),
        half2 == halves(e4m3, __NV_E4M3),
        not_negative(half2_relu) == not_negative(half2) && !(half2_relu >> 31 && half2_relu << 1 >> 17),
        half2_e5m2 == halves(e5m2, __NV_E5M2),
        again == e4m3,
        sum == pair(upper + 3, lower - 5),
        difference == pair(upper - 3, lower + 5),
        product == pair(__fmul_rn(upper, 3), __fmul_rn(lower, -5)),
        fused == pair(__fmaf_rn(upper, 3, upper), __fmaf_rn(lower, -5, lower)),
    };
    for (unsigned each = 0; each < 11; ++each)
        if (!agree[each]) atomicAdd(&wrong[each], 1);
}

int main(int argc, char** argv) {
    const unsigned seed = argc > 1 ? std::atoi(argv[1]) : 20261127;
    std::printf("seed %u\n", seed);
    std::srand(seed);
    constexpr int n = 1001;
    std::vector<float2> x(n);
    for (float2& each : x) {
        each.x = (std::rand() - RAND_MAX / 2) / 1e6f;
        each.y = (std::rand() % 4001 - 2000) / static_cast<float>(1 << std::rand() % 20);
    }
    x[0] = {1e9f, -1e9f}, x[1] = {0.0f, -0.0f}, x[2] = {449, 464};
    float2* d_x;
    unsigned *d_wrong, wrong[11];
    cudaMalloc(&d_x, n * sizeof(float2)), cudaMalloc(&d_wrong, sizeof wrong);
    cudaMemcpy(d_x, x.data(), n * sizeof(float2), cudaMemcpyHostToDevice);
    cudaMemset(d_wrong, 0, sizeof wrong);
    compare<<<(n + 255) / 256, 256>>>(d_x, d_wrong, n);
    cudaMemcpy(wrong, d_wrong, sizeof wrong, cudaMemcpyDeviceToHost);
    cudaFree(d_x), cudaFree(d_wrong);
    bool right = cudaGetLastError() == cudaSuccess;
    for (int each = 0; each < 11; ++each) {
        if (wrong[each] != 0) std::printf("instruction %d: %u wrong\n", each, wrong[each]);
        right &= wrong[each] == 0;
    }
    std::printf(right ? "PASSED\n" : "FAILED\n");
    return !right;
}

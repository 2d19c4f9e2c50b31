// Shuffles of half and bfloat16 and their pairs, conversions between the two, and braces assigned to a pair.
#include <cstdio>
#include <cstring>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

template <class T>
__device__ T made(unsigned bits) {
    T value;
    memcpy(static_cast<void*>(&value), &bits, sizeof value);
    return value;
}

template <class T>
__global__ void shuffle(unsigned* out) {
    const unsigned lane = threadIdx.x, all = 0xffffffff;
    const T mine = made<T>(0x01010101u * lane);
    const T results[] = {__shfl_sync(all, mine, 5), __shfl_up_sync(all, mine, 3), __shfl_down_sync(all, mine, 3),
                         __shfl_xor_sync(all, mine, 9), __shfl_xor_sync(all, mine, 2, 8), __shfl_sync(all, mine, 1, 4)};
    for (int i = 0; i < 6; ++i) memcpy(out + 6 * lane + i, &results[i], sizeof(T));
}

template <class T>
int check(unsigned* out, const char* name) {
    memset(out, 0, 6 * 32 * sizeof *out);
    shuffle<T><<<1, 32>>>(out);
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
    int failures = 0;
    for (unsigned lane = 0; lane < 32; ++lane) {
        const unsigned from[] = {5, lane < 3 ? lane : lane - 3, lane > 28 ? lane : lane + 3, lane ^ 9, lane ^ 2, lane / 4 * 4 + 1};
        for (int i = 0; i < 6; ++i) {
            const unsigned expected = (sizeof(T) == 2 ? 0x0101u : 0x01010101u) * from[i];
            if (out[6 * lane + i] != expected && ++failures < 5)
                std::printf("%s, shuffle %d, lane %u: expected %08x, got %08x\n", name, i, lane, expected, out[6 * lane + i]);
        }
    }
    return failures;
}

__global__ void convert(int* failures) {
    half2 x;
    x = {__float2half(1.5f), __float2half(-2.0f)};
    if (__low2float(x) != 1.5f || __high2float(x) != -2.0f) atomicAdd(failures, 1);
    __nv_bfloat162 y;
    y = {__float2bfloat16(3.0f), __float2bfloat16(0.25f)};
    if (__low2float(y) != 3.0f || __high2float(y) != 0.25f) atomicAdd(failures, 1);
    for (unsigned bits = threadIdx.x; bits < 65536; bits += blockDim.x) {
        const auto b = made<__nv_bfloat16>(bits);
        const auto h = made<__half>(bits);
        const __half to_half(b);
        const __nv_bfloat16 to_bfloat(h);
        const float f = __bfloat162float(b), g = __half2float(h);
        const bool same_half = f != f ? __hisnan(to_half) : __half_as_ushort(to_half) == __half_as_ushort(__float2half_rn(f));
        const bool same_bfloat = g != g ? __hisnan(to_bfloat)
                                        : __bfloat16_as_ushort(to_bfloat) == __bfloat16_as_ushort(__float2bfloat16_rn(g));
        if (!same_half || !same_bfloat) atomicAdd(failures, 1);
    }
}

int main() {
    unsigned* out;
    int* converted;
    cudaMallocManaged(&out, 6 * 32 * sizeof *out);
    cudaMallocManaged(&converted, sizeof *converted);
    *converted = 0;
    int failures = check<__half>(out, "half") + check<__half2>(out, "half2") + check<__nv_bfloat16>(out, "bfloat16") +
                   check<__nv_bfloat162>(out, "bfloat162");
    convert<<<1, 256>>>(converted);
    if (cudaDeviceSynchronize() != cudaSuccess) ++failures;
    failures += *converted;
    std::puts(failures == 0 ? "PASSED" : "FAILED");
    return failures != 0;
}

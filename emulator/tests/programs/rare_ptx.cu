// Inline PTX that few programs use, beside the same in C++.
#include <cuda_fp16.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int results = 24;
__constant__ unsigned table[4] = {3, 5, 7, 11};

__device__ int low(unsigned pair) {
    return static_cast<short>(pair & 0xffff);
}
__device__ int high(unsigned pair) {
    return static_cast<short>(pair >> 16);
}
__device__ unsigned short_of(float x) {
    return __half_as_ushort(__float2half_rn(x));
}

__global__ void compare(const unsigned* x, unsigned* wrong, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const unsigned a = x[i], b = x[(i + 1) % n], c = i % 40;
    const float f = static_cast<int>(a) / 65536.0f, g = static_cast<int>(b) / 65536.0f;
    const unsigned short h = short_of(f / 64), k = i % 3 ? short_of(g / 64) : h;
    unsigned r[results] = {}, e[results] = {};
    asm("bmsk.clamp.b32 %0, %1, %2;" : "=r"(r[0]) : "r"(c), "r"(b % 40));
    for (unsigned bit = 0; bit < 32; ++bit) e[0] |= (bit >= c && bit - c < b % 40 ? 1u : 0u) << bit;
    asm("szext.clamp.s32 %0, %1, %2;" : "=r"(r[1]) : "r"(a), "r"(c));
    e[1] = c == 0 ? 0 : c > 31 ? a : static_cast<unsigned>(static_cast<int>(a << (32 - c)) >> (32 - c));
    asm("szext.wrap.u32 %0, %1, %2;" : "=r"(r[2]) : "r"(a), "r"(c));
    e[2] = a & ((1u << c % 32) - 1);
    asm("add.u16x2 %0, %1, %2;" : "=r"(r[3]) : "r"(a), "r"(b));
    e[3] = __vadd2(a, b);
    asm("min.s16x2 %0, %1, %2;" : "=r"(r[4]) : "r"(a), "r"(b));
    e[4] = (min(high(a), high(b)) & 0xffff) << 16 | (min(low(a), low(b)) & 0xffff);
    asm("max.u16x2 %0, %1, %2;" : "=r"(r[5]) : "r"(a), "r"(b));
    e[5] = __vmaxu2(a, b);
    asm("max.relu.s32 %0, %1, %2;" : "=r"(r[6]) : "r"(a), "r"(b));
    e[6] = max(max(static_cast<int>(a), static_cast<int>(b)), 0);
    asm("mad.rn.f32 %0, %1, %2, %1;" : "=r"(r[7]) : "f"(f), "f"(g));
    e[7] = __float_as_uint(__fmaf_rn(f, g, f));
    asm("set.lt.u32.f32 %0, %1, %2;" : "=r"(r[8]) : "f"(f), "f"(g));
    e[8] = f < g ? ~0u : 0u;
    asm("set.ge.f32.s32 %0, %1, %2;" : "=r"(r[9]) : "r"(a), "r"(b));
    e[9] = static_cast<int>(a) >= static_cast<int>(b) ? 0x3f800000u : 0u;
    asm("{ .reg .pred p; testp.subnormal.f32 p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(r[10]) : "r"(a & 0x807fffff));
    e[10] = (a & 0x7fffff) != 0;
    asm("{ .reg .pred p; testp.finite.f32 p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(r[11]) : "f"(f / (i % 2)));
    e[11] = i % 2;
    asm("{ .reg .pred p; setp.lt.f16 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r[12]) : "h"(h), "h"(k));
    e[12] = __hlt(__ushort_as_half(h), __ushort_as_half(k));
    asm("{ .reg .pred p, q; setp.ge.f16x2 p|q, %1, %2; selp.u32 %0, 1, 0, p; @q add.u32 %0, %0, 2; }"
        : "=r"(r[13])
        : "r"(unsigned{h} << 16 | k), "r"(unsigned{k} << 16 | h));
    e[13] = 2 * __hge(__ushort_as_half(h), __ushort_as_half(k)) + __hge(__ushort_as_half(k), __ushort_as_half(h));
    unsigned short s;
    asm("cvt.rn.f16.s32 %0, %1;" : "=h"(s) : "r"(static_cast<int>(a) >> 12));
    r[14] = s, e[14] = __half_as_ushort(__int2half_rn(static_cast<int>(a) >> 12));
    asm("cvt.rzi.s32.f16 %0, %1;" : "=r"(r[15]) : "h"(h));
    e[15] = static_cast<int>(__half2float(__ushort_as_half(h)));
    double d;
    asm("cvt.f64.f16 %0, %1;" : "=d"(d) : "h"(h));
    r[16] = __float_as_uint(static_cast<float>(d)), e[16] = __float_as_uint(__half2float(__ushort_as_half(h)));
    asm("cvt.rn.f16.f64 %0, %1;" : "=h"(s) : "d"(double{f} / 64));
    r[17] = s, e[17] = h;
    asm("{ .reg .u64 t; cvta.to.const.u64 t, %1; ld.const.u32 %0, [t + 4]; }" : "=r"(r[18]) : "l"(table + i % 3));
    e[18] = table[i % 3 + 1];
    unsigned own[2] = {a, b};
    asm volatile("{ .reg .u64 t; cvta.to.local.u64 t, %1; st.local.u32 [t], %2; ld.local.u32 %0, [t + 4]; }"
                 : "=r"(r[19])
                 : "l"(own), "r"(c)
                 : "memory");
    e[19] = b;
    r[20] = own[0], e[20] = c;
    for (int each = 0; each < results; ++each)
        if (r[each] != e[each]) atomicAdd(&wrong[each], 1);
}

int main(int argc, char** argv) {
    const unsigned seed = argc > 1 ? std::atoi(argv[1]) : 20261127;
    std::printf("seed %u\n", seed);
    std::srand(seed);
    constexpr int n = 1001;
    std::vector<unsigned> x(n);
    for (unsigned& each : x) each = static_cast<unsigned>(std::rand()) << 16 ^ static_cast<unsigned>(std::rand());
    unsigned *d_x, *d_wrong, wrong[results];
    cudaMalloc(&d_x, n * sizeof(unsigned)), cudaMalloc(&d_wrong, sizeof wrong);
    cudaMemcpy(d_x, x.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice);
    cudaMemset(d_wrong, 0, sizeof wrong);
    compare<<<(n + 255) / 256, 256>>>(d_x, d_wrong, n);
    cudaMemcpy(wrong, d_wrong, sizeof wrong, cudaMemcpyDeviceToHost);
    cudaFree(d_x), cudaFree(d_wrong);
    bool right = cudaGetLastError() == cudaSuccess;
    for (int each = 0; each < results; ++each) {
        if (wrong[each] != 0) std::printf("instruction %d: %u wrong\n", each, wrong[each]);
        right &= wrong[each] == 0;
    }
    std::printf(right ? "PASSED\n" : "FAILED\n");
    return !right;
}

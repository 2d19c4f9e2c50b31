// Threads store the factors of a wgmma, and no fence.proxy.async follows.
#include <cuda_bf16.h>

#include <cstdint>

#include "../arrays.h"

// 64 x 8 sums of 16 products: rows of A and columns of B in pieces of 8 x 8 elements, 128 bytes each.
__device__ std::uint64_t factor(const void* start) {
    return (__cvta_generic_to_shared(start) & 0x3ffff) >> 4 | std::uint64_t{128 >> 4} << 16 |
           std::uint64_t{256 >> 4} << 32;
}
__device__ int place(int row, int k) {
    return row / 8 * 128 + k / 8 * 64 + row % 8 * 8 + k % 8;
}

__global__ void sums(const float* a, const float* b, float* c, int steps) {
    __shared__ alignas(128) __nv_bfloat16 of_a[64 * 16], of_b[8 * 16];
    const int t = static_cast<int>(threadIdx.x);
    const auto fetch = [&](int step) {
        for (int i = t; i < 64 * 16; i += 128)
            of_a[place(i / 16, i % 16)] = __float2bfloat16(a[step * 64 * 16 + i]);  // expect: race
        of_b[place(t / 16, t % 16)] = __float2bfloat16(b[step * 8 * 16 + t]);       // expect: race
#ifndef BROKEN
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
#endif
    };
    float d[4] = {};
    fetch(0);
    for (int step = 0; step < steps; ++step) {
        __syncthreads();
        asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
        asm volatile(  // expect: race, other
            "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"
            : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
            : "l"(factor(of_a)), "l"(factor(of_b)));
        asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
        asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
        __syncthreads();
        if (step + 1 < steps) fetch(step + 1);
    }
    const int warp = t / 32, lane = t % 32;
    for (int i = 0; i < 4; ++i) c[(warp * 16 + lane / 4 + i / 2 * 8) * 8 + lane % 4 * 2 + i % 2] = d[i];
}

int main() {
    constexpr int steps = 3;
    Array<float> a(steps * 64 * 16, [](int i) { return i % 7 - 3; }), b(steps * 8 * 16, [](int i) { return i % 5; });
    Array<float> c(64 * 8, 0);
    sums<<<1, 128>>>(a, b, c, steps);
    float sum = 0;
    for (int step = 0; step < steps; ++step)
        for (int k = 0; k < 16; ++k)
            sum += ((step * 64 * 16 + 21 * 16 + k) % 7 - 3) * ((step * 8 * 16 + 5 * 16 + k) % 5);
    return differs(c[21 * 8 + 5], sum);
}

// The numbers, worked out.

#include "common/check.h"

int neighbours() {
    return 32 * 4 / 32;
}
int backwards() {
    return neighbours();
}
int same_for_all() {
    return 1;
}
int one_further() {
    return (32 * 4 + 4 + 31) / 32;
}
int every_second() {
    return 2 * neighbours();
}
int every_eighth() {
    return 32;
}
int every_32nd() {
    return every_eighth();
}
int four_at_once() {
    return 32 * sizeof(float4) / 32;
}

// a begins at a multiple of 256 bytes, as every array from cudaMalloc() does.
__global__ void load_neighbours(const float* a, float* c) {
    c[threadIdx.x] = 2 * a[threadIdx.x];
}
__global__ void load_backwards(const float* a, float* c) {
    c[threadIdx.x] = 2 * a[31 - threadIdx.x];
}
__global__ void load_same_for_all(const float* a, float* c) {
    c[threadIdx.x] = 2 * a[7];
}
__global__ void load_one_further(const float* a, float* c) {
    c[threadIdx.x] = 2 * a[threadIdx.x + 1];
}
__global__ void load_every_second(const float* a, float* c) {
    c[threadIdx.x] = 2 * a[2 * threadIdx.x];
}
__global__ void load_every_eighth(const float* a, float* c) {
    c[threadIdx.x] = 2 * a[8 * threadIdx.x];
}
__global__ void load_every_32nd(const float* a, float* c) {
    c[threadIdx.x] = 2 * a[32 * threadIdx.x];
}

__global__ void load_four_at_once(const float* a, float* c) {
    const float4 four = reinterpret_cast<const float4*>(a)[threadIdx.x];
    c[threadIdx.x] = (four.x + four.y) + (four.z + four.w);
}

/// a: 1024 floats, c: 8 · 32 floats, both in device memory. Each kernel is one warp and writes 32 of them.
void run_all(const float* a, float* c) {
    load_neighbours<<<1, 32>>>(a, c);
    load_backwards<<<1, 32>>>(a, c + 32);
    load_same_for_all<<<1, 32>>>(a, c + 64);
    load_one_further<<<1, 32>>>(a, c + 96);
    load_every_second<<<1, 32>>>(a, c + 128);
    load_every_eighth<<<1, 32>>>(a, c + 160);
    load_every_32nd<<<1, 32>>>(a, c + 192);
    load_four_at_once<<<1, 32>>>(a, c + 224);
    CUDA_CHECK_LAUNCH();
}

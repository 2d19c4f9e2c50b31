// A hash table is filled with "empty" in one stream, and a kernel of another one inserts into it by atomicCAS().
#include "../arrays.h"

constexpr int slots = 256, empty = -1;

__global__ void insert(int* table, const int* keys) {
    const int key = keys[threadIdx.x];
    for (int i = key % slots;; i = (i + 1) % slots) {
        const int found = atomicCAS(&table[i], empty, key);  // expect: unordered
        if (found == empty || found == key) return;
    }
}

int main() {
    Array<int> table(slots, -1), keys(128, [](int i) { return 3 * i; });
    cudaStream_t fills, inserts;
    check(cudaStreamCreateWithFlags(&fills, cudaStreamNonBlocking));
    check(cudaStreamCreateWithFlags(&inserts, cudaStreamNonBlocking));
    check(cudaMemsetAsync(table, 0xff, slots * sizeof(int), fills));  // expect: unordered, other
#ifndef BROKEN
    cudaEvent_t filled;
    check(cudaEventCreate(&filled));
    check(cudaEventRecord(filled, fills));
    check(cudaStreamWaitEvent(inserts, filled));
    check(cudaEventDestroy(filled));
#endif
    insert<<<1, 128, 0, inserts>>>(table, keys);
    check(cudaDeviceSynchronize());
    check(cudaStreamDestroy(fills));
    check(cudaStreamDestroy(inserts));
    return differs(table[3], 3);
}

// A hash table with a lock of its own allocation for each bucket; the values are half as long as what is read of them.
#include <cuda_runtime.h>
#include <stdio.h>

#define ELEMENTS 1024
#define BUCKETS 16

struct Lock {
    int* mutex;
    Lock() {
        cudaMalloc((void**)&mutex, sizeof(int));
        cudaMemset(mutex, 0, sizeof(int));
    }
    ~Lock() { cudaFree(mutex); }
    __device__ void lock() {
        while (atomicCAS(mutex, 0, 1) != 0)
            ;
    }
    __device__ void unlock() { atomicExch(mutex, 0); }
};

struct Entry {
    unsigned int key;
    void* value;
    Entry* next;
};

__global__ void build(unsigned int* keys, void** values, Entry** heads, Entry* pool, Lock* locks) {
    for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < ELEMENTS; i += blockDim.x * gridDim.x)
        for (int turn = 0; turn < 32; ++turn)
            if (i % 32 == turn) {
                unsigned int bucket = keys[i] % BUCKETS;
                pool[i].key = keys[i];
                pool[i].value = values[i];  // expect: out-of-bounds, uninitialised
                locks[bucket].lock();
                pool[i].next = heads[bucket];
                heads[bucket] = &pool[i];
                locks[bucket].unlock();
            }
}

int main() {
    const size_t SIZE = ELEMENTS * sizeof(unsigned int);
    unsigned int *keys = new unsigned int[ELEMENTS], *dev_keys;
    for (int i = 0; i < ELEMENTS; ++i) keys[i] = 2654435761u * i;
    void** dev_values;
    Entry **heads, *pool;
    Lock locks[BUCKETS], *dev_locks;
    cudaMalloc((void**)&dev_keys, SIZE);
    cudaMalloc((void**)&dev_values, SIZE);
    cudaMalloc((void**)&heads, BUCKETS * sizeof(Entry*));
    cudaMemset(heads, 0, BUCKETS * sizeof(Entry*));
    cudaMalloc((void**)&pool, ELEMENTS * sizeof(Entry));
    cudaMalloc((void**)&dev_locks, sizeof(locks));
    cudaMemcpy(dev_keys, keys, SIZE, cudaMemcpyHostToDevice);
    cudaMemcpy(dev_locks, locks, sizeof(locks), cudaMemcpyHostToDevice);
    build<<<60, 256>>>(dev_keys, dev_values, heads, pool, dev_locks);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    return 0;
}

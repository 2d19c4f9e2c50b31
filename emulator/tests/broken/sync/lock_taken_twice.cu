// A function that takes the lock calls another one that takes it, too.
#include "../arrays.h"

__device__ int mutex, balance;

__device__ void lock() {
    while (atomicCAS(&mutex, 0, 1) != 0) continue;  // expect: deadlock
    __threadfence();
}

__device__ void unlock() {
    __threadfence();
    atomicExch(&mutex, 0);
}

__device__ void deposit(int amount) {
    lock();
    balance += amount;
    unlock();
}

__global__ void twice() {
#ifdef BROKEN
    lock();
    deposit(10);
    deposit(20);
    unlock();
#else
    deposit(10);
    deposit(20);
#endif
}

int main() {
    int host = 0;
    twice<<<4, 1>>>();
    cudaMemcpyFromSymbol(&host, balance, sizeof host);
    return differs(host, 120);
}

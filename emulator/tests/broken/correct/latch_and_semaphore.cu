// A latch says that all have stored; a semaphore with one permit guards a counter, one with two hands on values.
#include <cuda/latch>
#include <cuda/semaphore>

#include "../arrays.h"

__global__ void count(int* result) {
    __shared__ cuda::latch<cuda::thread_scope_block>* stored;
    __shared__ alignas(8) char room[3][16];
    __shared__ cuda::binary_semaphore<cuda::thread_scope_block>* one;
    __shared__ cuda::counting_semaphore<cuda::thread_scope_block>* given;
    __shared__ int values[64], counter;
    const int t = static_cast<int>(threadIdx.x);
    if (t == 0) {
        stored = new (room[0]) cuda::latch<cuda::thread_scope_block>(64);
        one = new (room[1]) cuda::binary_semaphore<cuda::thread_scope_block>(1);
        given = new (room[2]) cuda::counting_semaphore<cuda::thread_scope_block>(0);
        counter = 0;
    }
    __syncthreads();
    values[t] = t;
    stored->count_down();
    if (t == 40) {
        stored->wait();
        int sum = 0;
        for (int value : values) sum += value;
        *result = sum;
        given->release(2);
    }
    one->acquire();
    ++counter;
    one->release();
    stored->wait();
    if (t == 3 || t == 50) given->acquire();
    __syncthreads();
    if (t == 3) *result += counter;
}

int main() {
    Array<int> result(1, 0);
    count<<<1, 64>>>(result);
    return differs(result[0], 64 * 63 / 2 + 64);
}

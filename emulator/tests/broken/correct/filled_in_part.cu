// A stack in a local array, a list in a structure, a queue in shared memory: written as far as they are read.
#include "../arrays.h"

struct List {
    int size, values[8];
};

__device__ List divisors(int n) {
    List list;
    list.size = 0;
    for (int d = 1; d <= n && list.size < 8; ++d)
        if (n % d == 0) list.values[list.size++] = d;
    return list;
}

__global__ void work(int* y) {
    __shared__ List lists[32];
    __shared__ int queue[64], length;
    const int t = threadIdx.x;
    if (t == 0) length = 0;
    lists[t] = divisors(t + 1);
    __syncthreads();
    const List mine = lists[31 - t];
    int stack[16], top = 0, sum = 0;
    for (int i = 0; i < mine.size; ++i) stack[top++] = mine.values[i];
    while (top > 0) sum = 2 * sum + stack[--top];
    if (sum % 2 == 1) queue[atomicAdd(&length, 1)] = sum;
    __syncthreads();
    y[t] = t < length ? queue[t] % 2 : 0;
}

int main() {
    Array<int> y(32);
    work<<<1, 32>>>(y);
    int ones = 0;
    for (int i = 0; i < 32; ++i) ones += y[i];
    return differs(ones, 32);
}

// A lock with tickets: threads are served in the order in which they have drawn a number.
#include "../arrays.h"

struct Lock {
    unsigned next, served;
};

__global__ void add(Lock* lock, const int* x, int* sum, int* most) {
    if (threadIdx.x % 32 != 0) return;
    const int mine = x[blockIdx.x * blockDim.x + threadIdx.x];
    const unsigned ticket = atomicAdd(&lock->next, 1u);
    while (*static_cast<volatile unsigned*>(&lock->served) != ticket) __nanosleep(20);
    __threadfence();
    *sum += mine;
    if (mine > *most) *most = mine;
    __threadfence();
    atomicAdd(&lock->served, 1u);
}

int main() {
    Array<Lock> lock(1, Lock{0, 0});
    Array<int> x(512, [](int i) { return i; });
    Array<int> sum(1, 0), most(1, 0);
    add<<<4, 128>>>(lock, x, sum, most);
    return differs(sum[0], 3840) || differs(most[0], 480);
}

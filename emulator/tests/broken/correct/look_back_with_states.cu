// A scan in one pass: each block looks back at the states of those before it, through atomic_ref.
#include <cuda/atomic>

#include "../arrays.h"

struct alignas(8) State {
    int what, sum;
};

__global__ void scan(const int* x, int* y, State* states) {
    using Ref = cuda::atomic_ref<State, cuda::thread_scope_device>;
    constexpr int own = 1, all = 2;
    __shared__ int before;
    const int block = static_cast<int>(blockIdx.x);
    const int value = x[block];
    if (threadIdx.x == 0) {
        Ref(states[block]).store({block == 0 ? all : own, value}, cuda::memory_order_relaxed);
        int sum = 0;
        for (int i = block - 1; i >= 0; --i) {
            State seen = Ref(states[i]).load(cuda::memory_order_relaxed);
            while (seen.what == 0) seen = Ref(states[i]).load(cuda::memory_order_relaxed);
            sum += seen.sum;
            if (seen.what == all) break;
        }
        if (block != 0) Ref(states[block]).store({all, sum + value}, cuda::memory_order_relaxed);
        before = sum;
    }
    __syncthreads();
    if (threadIdx.x == 1) y[block] = before + value;
}

int main() {
    constexpr int n = 40;
    Array<int> x(n, 3), y(n);
    Array<State> states(n, State{0, 0});
    scan<<<n, 32>>>(x, y, states);
    return differs(y[n - 1], 3 * n);
}

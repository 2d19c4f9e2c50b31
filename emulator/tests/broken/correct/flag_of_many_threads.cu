// Every thread that finds a negative element raises the same flag, in shared and in device memory; it is read behind a
// barrier and in the next launch.
#include "../arrays.h"

struct State {
    int rounds;
    bool negative;
};

__global__ void look(const int* x, int* any, State* state, int* blocks) {
    __shared__ bool negative;
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    negative = false;
    __syncthreads();
    if (x[i] < 0) {
        negative = true;
        *any = 1;
        state->negative = true;
    }
    __syncthreads();
    if (negative && threadIdx.x == 0) atomicAdd(blocks, 1);
}

__global__ void add(const int* any, const State* state, int* result) {
    *result += *any + 10 * state->negative;
}

int main() {
    const int n = 128;
    Array<int> x(n, [](int i) { return i % 3 - 1; });
    Array<int> any(1, 0), blocks(1, 0), result(1, 0);
    Array<State> state(1, State{});
    look<<<4, 32>>>(x, any, state, blocks);
    add<<<1, 1>>>(any, state, result);
    return differs(blocks[0], 4) || differs(result[0], 11);
}

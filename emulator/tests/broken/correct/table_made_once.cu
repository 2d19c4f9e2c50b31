// Whoever comes first makes a table, the others wait until it is there. The state goes 0, 1, 2: nobody, somebody, made.
#include "../arrays.h"

struct Table {
    int state;
    int squares[16];
};

__device__ const int* made(Table* table) {
    volatile int* state = &table->state;
    if (*state != 2) {
        if (atomicCAS(&table->state, 0, 1) == 0) {
            for (int i = 0; i < 16; ++i) table->squares[i] = i * i;
            __threadfence();
            *state = 2;
        } else {
            while (*state != 2) continue;
        }
    }
    __threadfence();
    return table->squares;
}

__global__ void look_up(const int* x, Table* table, int* y) {
    __shared__ const int* squares;
    if (threadIdx.x == 0) squares = made(table);
    __syncthreads();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = squares[x[i] % 16];
}

int main() {
    const int n = 192;
    Array<int> x(n, [](int i) { return i; });
    Array<Table> table(1, Table{});
    Array<int> y(n);
    look_up<<<6, 32>>>(x, table, y);
    return differs(y[n - 1], 225);
}

// A table in constant memory is passed to a kernel by its name: on the host that is no address of the device's.
#include "../arrays.h"

__constant__ int squares[8];

__global__ void look_up(const int* table, int* y) {
    y[threadIdx.x] = table[threadIdx.x];  // expect: device-touches-host
}

int main() {
    int values[8];
    for (int i = 0; i < 8; ++i) values[i] = i * i;
    check(cudaMemcpyToSymbol(squares, values, sizeof values));
    Array<int> y(8);
#ifdef BROKEN
    // says: The launch was given the address that the host has for
    look_up<<<1, 8>>>(squares, y);
#else
    void* table = nullptr;
    check(cudaGetSymbolAddress(&table, squares));
    look_up<<<1, 8>>>(static_cast<const int*>(table), y);
#endif
    return differs(y[3], 9);
}

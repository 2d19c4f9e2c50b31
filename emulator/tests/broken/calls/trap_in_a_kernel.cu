// A kernel gives up, and the program shows what was there before.
#include "../arrays.h"

__global__ void lookup(const int* keys, int* places, int n, int key) {
    for (int i = 0; i < n; ++i)
        if (keys[i] == key) {
            *places = i;
            return;
        }
    __trap();  // expect: trap
}

int main() {
    Array<int> keys(8, [](int i) { return 10 * i; }), place(1, 0);
#ifdef BROKEN
    lookup<<<1, 1>>>(keys, place, 8, 35);
#else
    lookup<<<1, 1>>>(keys, place, 8, keys[3]);
#endif
    int found = 0;
    cudaMemcpy(&found, place, sizeof found, cudaMemcpyDeviceToHost);
    std::printf("%d\n", found);
    return 0;
}

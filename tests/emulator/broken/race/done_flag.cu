// One thread says "found" and the others look while it does so. Both sides have to be atomic.
#include <cstdio>

__global__ void search(const int* x, int n, int value, int* found) {
    for (int i = blockIdx.x; i < n; i += gridDim.x) {
#ifdef BROKEN
        if (*found >= 0) return;        // expect: race
        if (x[i] == value) *found = i;  // expect: race, other
#else
        if (atomicAdd(found, 0) >= 0) return;
        if (x[i] == value) atomicExch(found, i);
#endif
    }
}

int main() {
    const int n = 100;
    int *x, *found, host[n], place = -1;
    for (int i = 0; i < n; ++i) host[i] = i * i;
    cudaMalloc(&x, sizeof host);
    cudaMalloc(&found, sizeof place);
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMemcpy(found, &place, sizeof place, cudaMemcpyHostToDevice);
    search<<<2, 1>>>(x, n, 625, found);
    cudaMemcpy(&place, found, sizeof place, cudaMemcpyDeviceToHost);
    cudaFree(x);
    cudaFree(found);
    std::printf("%d\n", place);
    return place == 25 ? 0 : 1;
}

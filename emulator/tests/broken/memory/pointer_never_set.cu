// A kernel gets a structure of pointers, one of which was never set: it holds whatever was there.
#include <cstdint>
#include <cstdio>

struct Arrays {
    int *in, *out;
};

__global__ void copy(Arrays arrays) {
    arrays.out[threadIdx.x] = arrays.in[threadIdx.x];  // expect: out-of-bounds
}

int main() {
    const int n = 32;
    int host[n];
    for (int i = 0; i < n; ++i) host[i] = i;
    Arrays arrays;
    cudaMalloc(&arrays.in, sizeof host);
    cudaMalloc(&arrays.out, sizeof host);
    cudaMemcpy(arrays.in, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMemset(arrays.out, 0, sizeof host);
    Arrays given = arrays;
#ifdef BROKEN
    given.in = reinterpret_cast<int*>(std::uintptr_t{0x3f8000003f800000});  // two floats
#endif
    copy<<<1, n>>>(given);
    const bool copied = cudaMemcpy(host, arrays.out, sizeof host, cudaMemcpyDeviceToHost) == cudaSuccess;
    cudaFree(arrays.in);
    cudaFree(arrays.out);
    std::printf("%d\n", host[n - 1]);
    return copied && host[n - 1] == n - 1 ? 0 : 1;
}

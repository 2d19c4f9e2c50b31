// One thread fills a header of several bytes, and others read its first byte without a barrier.
#include "../arrays.h"

struct Header {
    unsigned char kind, length;
};

__global__ void spread(const unsigned char* in, int* out) {
    __shared__ Header header;
    if (threadIdx.x == 0) {
        header.kind = in[0], header.length = in[1];  // expect: race
    }
#ifndef BROKEN
    __syncthreads();
#endif
    out[threadIdx.x] = header.kind;  // expect: race, other
}

int main() {
    const int n = 64;
    Array<unsigned char> in(2, [](int i) { return 3 + i; });
    Array<int> out(n);
    spread<<<1, n>>>(in, out);
    return differs(out[0], in[0]);
}

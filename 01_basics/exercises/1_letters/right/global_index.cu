// The index that would do for several blocks, and a pointer of the thread's own.

#include "common/check.h"

__global__ void decode(const unsigned char* secret, const unsigned char* key, unsigned char* message) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned char* letter = message + i;
    *letter = *(secret + i) ^ *(key + i);
}

void decode_message(const unsigned char* secret, const unsigned char* key, unsigned char* message, int n) {
    decode<<<dim3(1), dim3(n)>>>(secret, key, message);
    CUDA_CHECK_LAUNCH();
}

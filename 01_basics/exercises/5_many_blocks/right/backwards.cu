// Block 0 takes the end of the message: each thread has one letter of its own, and that is all that counts.

#include "common/check.h"

__global__ void decode(const unsigned char* secret, const unsigned char* key, unsigned char* message, int n) {
    const int block = gridDim.x - 1 - blockIdx.x;
    const int i = block * blockDim.x + threadIdx.x;
    if (i < n) message[i] = secret[i] ^ key[i];
}

void decode_message(const unsigned char* secret, const unsigned char* key, unsigned char* message, int n) {
    decode<<<(n + 255) / 256, 256>>>(secret, key, message, n);
    CUDA_CHECK_LAUNCH();
}

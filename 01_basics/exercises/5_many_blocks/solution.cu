// Decodes a secret message that is longer than a block, a thread for each letter.

#include "common/check.h"

__global__ void decode(const unsigned char* secret, const unsigned char* key, unsigned char* message, int n) {
    // BEGIN SOLUTION
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    // STUB
    // const int i = threadIdx.x;
    // END SOLUTION
    if (i < n) message[i] = secret[i] ^ key[i];  // the last block may have more threads than there are letters
}

/// secret, key, message: n letters each, in device memory; n >= 1.
void decode_message(const unsigned char* secret, const unsigned char* key, unsigned char* message, int n) {
    decode<<<(n + 255) / 256, 256>>>(secret, key, message, n);
    CUDA_CHECK_LAUNCH();
}

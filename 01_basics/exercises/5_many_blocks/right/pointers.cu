// Each block makes pointers to its own part of the message.

#include "common/check.h"

__global__ void decode(const unsigned char* secret, const unsigned char* key, unsigned char* message, int n) {
    const int begin = blockIdx.x * 256;
    const unsigned char *own_secret = secret + begin, *own_key = key + begin;
    if (begin + static_cast<int>(threadIdx.x) >= n) return;
    message[begin + threadIdx.x] = own_secret[threadIdx.x] ^ own_key[threadIdx.x];
}

void decode_message(const unsigned char* secret, const unsigned char* key, unsigned char* message, int n) {
    decode<<<(n + 255) / 256, 256>>>(secret, key, message, n);
    CUDA_CHECK_LAUNCH();
}

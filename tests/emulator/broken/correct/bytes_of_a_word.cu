// Different bytes of one word, stored by different threads, have nothing to do with each other.
#include <cstdio>

__global__ void letters(char* text) {
    __shared__ char cache[64];
    const int t = threadIdx.x;
    cache[t] = static_cast<char>('a' + t % 26);
    text[t] = cache[t];
    reinterpret_cast<short*>(text + 64)[t] = static_cast<short>(t);
}

int main() {
    char *text, host[192] = {};
    cudaMalloc(&text, sizeof host);
    letters<<<1, 64>>>(text);
    cudaMemcpy(host, text, sizeof host, cudaMemcpyDeviceToHost);
    std::printf("%.26s %d\n", host, reinterpret_cast<short*>(host + 64)[63]);
    return host[63] == 'l' && host[190] == 63 ? 0 : 1;
}

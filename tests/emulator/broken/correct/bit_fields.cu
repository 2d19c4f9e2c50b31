// Storing a bit-field reads the word around it, which nobody has written before: that is the compiler's business.
#include <cstdio>

struct Colour {
    unsigned red : 5, green : 6, blue : 5;
};

__global__ void colours(Colour* pixel, unsigned* sum) {
    __shared__ Colour cache[32];
    const unsigned t = threadIdx.x;
    Colour mine;
    mine.red = t;
    mine.green = 2 * t;
    mine.blue = 31 - t;
    cache[t].red = mine.blue;
    cache[t].green = mine.green;
    cache[t].blue = mine.red;
    pixel[t].green = cache[t].green;
    sum[t] = cache[t].red + cache[t].green + cache[t].blue + pixel[t].green;
}

int main() {
    Colour* pixel;
    unsigned *sum, host[32] = {};
    cudaMalloc(&pixel, 32 * sizeof(Colour));
    cudaMalloc(&sum, sizeof host);
    colours<<<1, 32>>>(pixel, sum);
    cudaMemcpy(host, sum, sizeof host, cudaMemcpyDeviceToHost);
    std::printf("%u\n", host[31]);
    return host[31] == 155 ? 0 : 1;
}

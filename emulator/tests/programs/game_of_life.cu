// The game of life on a torus, with bytes, a macro that launches, and pointers swapped between generations.
#include <stdio.h>
#include <string.h>

typedef unsigned char ubyte;
#define W 64
#define H 48
#define RUN(kernel, ...) kernel<<<dim3(W / 16, H / 16), dim3(16, 16)>>>(__VA_ARGS__)

__global__ void life(const ubyte *lifeData, size_t worldWidth, size_t worldHeight, ubyte *resultLifeData)
{
    size_t x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int n = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            if (dx || dy) n += lifeData[(y + dy + worldHeight) % worldHeight * worldWidth + (x + dx + worldWidth) % worldWidth];
    resultLifeData[y * worldWidth + x] = n == 3 || (n == 2 && lifeData[y * worldWidth + x]) ? 1 : 0;
}

int main(void)
{
    static ubyte world[H * W], result[H * W];
    /* a glider: after 4 generations it stands one step lower and to the right */
    world[1] = world[W + 2] = world[2 * W] = world[2 * W + 1] = world[2 * W + 2] = 1;
    ubyte *a, *b, *t;
    cudaMalloc((void **)&a, sizeof world);
    cudaMalloc((void **)&b, sizeof world);
    cudaMemcpy(a, world, sizeof world, cudaMemcpyHostToDevice);
    const int moves = 7;
    for (int i = 0; i < 4 * moves; i++) {
        RUN(life, a, W, H, b);
        t = a; a = b; b = t;
    }
    cudaMemcpy(result, a, sizeof result, cudaMemcpyDeviceToHost);
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
            if (result[(y + moves) % H * W + (x + moves) % W] != world[y * W + x]) return puts("FAILED"), 1;
    puts("PASSED");
    return 0;
}

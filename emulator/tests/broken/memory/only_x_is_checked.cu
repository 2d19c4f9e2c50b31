// A picture of 40 x 30 in blocks of 16 x 16: the last row of blocks hangs over the lower edge.
#include "../arrays.h"

__global__ void draw(unsigned char* pixel, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
#ifdef BROKEN
    if (x < width && height > 0) pixel[y * width + x] = 200;  // expect: out-of-bounds
#else
    if (x < width && y < height) pixel[y * width + x] = 200;
#endif
}

int main() {
    const int width = 40, height = 30;
    Array<unsigned char> pixel(width * height);
    draw<<<dim3(3, 2), dim3(16, 16)>>>(pixel, width, height);
    return differs(pixel[width * height - 1], 200);
}

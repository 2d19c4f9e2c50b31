// A Julia set with a block of one thread for each pixel, and a complex type with operators of its own.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#define SIDE 64

struct Complex {
    float re, im;
    __device__ Complex(float re, float im) : re(re), im(im) {}
    __device__ float norm() { return re * re + im * im; }
    __device__ Complex operator*(const Complex& z) { return Complex(re * z.re - im * z.im, im * z.re + re * z.im); }
    __device__ Complex operator+(const Complex& z) { return Complex(re + z.re, im + z.im); }
};

__device__ int in_set(int x, int y) {
    const float scale = 1.5;
    Complex z(scale * (float)(SIDE / 2 - x) / (SIDE / 2), scale * (float)(SIDE / 2 - y) / (SIDE / 2));
    Complex c(-0.8, 0.156);
    for (int i = 0; i < 200; ++i) {
        z = z * z + c;
        if (z.norm() > 1000) return 0;
    }
    return 1;
}

__global__ void draw(unsigned char* pixels) {
    int x = blockIdx.x;
    int y = blockIdx.y;
    int place = x + y * gridDim.x;
    pixels[4 * place + 0] = 255 * in_set(x, y);
    pixels[4 * place + 1] = 0;
    pixels[4 * place + 2] = 0;
    pixels[4 * place + 3] = 255;
}

int main() {
    const size_t bytes = SIDE * SIDE * 4;
    unsigned char* pixels = (unsigned char*)malloc(bytes);
    unsigned char* dev_pixels;
    cudaMalloc((void**)&dev_pixels, bytes);
    dim3 grid(SIDE, SIDE);
    draw<<<grid, 1>>>(dev_pixels);
    cudaMemcpy(pixels, dev_pixels, bytes, cudaMemcpyDeviceToHost);
    int red = 0;
    for (int i = 0; i < SIDE * SIDE; ++i) red += pixels[4 * i] == 255;
    printf("%d of %d pixels are red\n", red, SIDE * SIDE);
    cudaFree(dev_pixels);
    free(pixels);
    return 0;
}

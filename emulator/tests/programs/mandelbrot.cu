// The Mandelbrot and a Julia set: complex numbers as a struct with operators for host and device.
#include <stdio.h>

#define DIM 100

struct cuComplex {
    float r;
    float i;
    __host__ __device__ cuComplex(float a, float b) : r(a), i(b) {}
    __host__ __device__ float magnitude2(void) { return r * r + i * i; }
    __host__ __device__ cuComplex operator*(const cuComplex& a) { return cuComplex(r * a.r - i * a.i, i * a.r + r * a.i); }
    __host__ __device__ cuComplex operator+(const cuComplex& a) { return cuComplex(r + a.r, i + a.i); }
};

__host__ __device__ int escape(cuComplex z, cuComplex c)
{
    int i = 0;
    for (i = 0; i < 200; i++) {
        z = z * z + c;
        if (z.magnitude2() > 1000) return i;
    }
    return i;
}

__host__ __device__ int pixel(int x, int y, bool julia)
{
    const float scale = 1.5;
    cuComplex p(scale * (float)(DIM / 2 - x) / (DIM / 2), scale * (float)(DIM / 2 - y) / (DIM / 2));
    return julia ? escape(p, cuComplex(-0.8, 0.156)) : escape(cuComplex(0, 0), p);
}

__global__ void kernel(int *ptr, bool julia)
{
    int x = blockIdx.x;
    int y = blockIdx.y;
    int offset = x + y * gridDim.x;
    ptr[offset] = pixel(x, y, julia);
}

int main(void)
{
    static int bitmap[DIM * DIM];
    int *dev_bitmap;
    cudaMalloc((void**)&dev_bitmap, sizeof(bitmap));
    for (int julia = 0; julia < 2; julia++) {
        dim3 grid(DIM, DIM);
        kernel<<<grid, 1>>>(dev_bitmap, julia);
        cudaMemcpy(bitmap, dev_bitmap, sizeof(bitmap), cudaMemcpyDeviceToHost);
        int inside = 0, wrong = 0;
        for (int y = 0; y < DIM; y++)
            for (int x = 0; x < DIM; x++) {
                inside += bitmap[y * DIM + x] == 200;
                wrong += bitmap[y * DIM + x] != pixel(x, y, julia);
            }
        // Where products and sums are fused, a few points at the edge of the set escape elsewhere.
        if (wrong > DIM * DIM / 50 || (!julia && inside < 1000)) { printf("FAILED: %d wrong\n", wrong); return 1; }
    }
    cudaFree(dev_bitmap);
    printf("PASSED\n");
}

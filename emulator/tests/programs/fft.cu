// A discrete Fourier transform, naive, with float2 and operators on it, and back again.
#include <math.h>
#include <math_constants.h>
#include <stdio.h>
#define PI CUDART_PI_F

typedef float2 Complex;

static __device__ __host__ inline Complex ComplexAdd(Complex a, Complex b)
{
    Complex c;
    c.x = a.x + b.x;
    c.y = a.y + b.y;
    return c;
}

static __device__ __host__ inline Complex operator*(const Complex& a, const Complex& b)
{
    return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

static __global__ void dft(const Complex *in, Complex *out, int n, int sign)
{
    const int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k >= n) return;
    Complex sum = {0.0f, 0.0f};
    for (int t = 0; t < n; ++t) {
        float angle = sign * 2 * PI * (float)(k * t % n) / n, s, c;
        sincosf(angle, &s, &c);
        sum = ComplexAdd(sum, in[t] * make_float2(c, s));
    }
    out[k] = sum;
}

int main(int argc, char **argv)
{
    const int n = 200;
    Complex signal[n], spectrum[n], back[n], *d_a, *d_b;
    for (int i = 0; i < n; ++i) signal[i] = make_float2(cosf(2 * PI * 5 * i / n), i == 7);
    cudaMalloc((void **)&d_a, n * sizeof(Complex));
    cudaMalloc((void **)&d_b, n * sizeof(Complex));
    cudaMemcpy(d_a, signal, n * sizeof(Complex), cudaMemcpyHostToDevice);
    dft<<<(n + 31) / 32, 32>>>(d_a, d_b, n, -1);
    dft<<<(n + 31) / 32, 32>>>(d_b, d_a, n, 1);
    cudaMemcpy(spectrum, d_b, n * sizeof(Complex), cudaMemcpyDeviceToHost);
    cudaMemcpy(back, d_a, n * sizeof(Complex), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; ++i)
        if (!(fabsf(back[i].x / n - signal[i].x) < 1e-3f && fabsf(back[i].y / n - signal[i].y) < 1e-3f)) {
            printf("FAILED at %d: %f %f\n", i, back[i].x / n, back[i].y / n);
            return 1;
        }
    if (!(fabsf(spectrum[5].x) > 98)) { printf("FAILED: no peak\n"); return 1; }
    printf("PASSED\n");
    return 0;
}

// What a thread keeps in registers and on its stack, while others run between __syncthreads() and __syncthreads().
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

constexpr int threads = 100, blocks = 3;

struct OnDevice {
    static __device__ void wait() { __syncthreads(); }
};
struct OnHost {
    static __host__ __device__ void wait() {}
};

// Calls no function on the device, so its array may lie below the stack's end.
template <class Where>
__host__ __device__ __noinline__ int sum_of_squares(int x) {
    int kept[16];
    for (int i = 0; i < 16; ++i) kept[i] = x * 31 + i * i;
    Where::wait();
    int sum = 0;
    for (int i = 0; i < 16; ++i) sum = 3 * sum + kept[(i + x) & 15] % 1000;
    return sum & 0xffff;
}

// More values than there are registers.
template <class Where>
__host__ __device__ __noinline__ double many(double a, double b) {
    const double c = a * 1.5, d = b * 2.5, e = a + b, f = a - b, g = a * b, h = a / b, i = sqrt(a), j = a * a, k = b * b;
    const double l = a + 5, m = b + 9, n = a * 11, o = b * 13, p = a + 17, q = b - 3, r = a / 7, s = b / 11, t = a - 4;
    const float u = static_cast<float>(a) / 3, v = static_cast<float>(b) / 5;
    Where::wait();
    double sum = c * 3 + d - e * 5 + f;
    Where::wait();
    sum += g - h * 7 + i - j;
    Where::wait();
    return sum + k - l * 2 + m - n * 3 + o - p * 4 + q - r * 5 + s - t * 6 + u * v;
}

// Waits in frames that lie deeper and deeper, and on the way back.
template <class Where>
__host__ __device__ unsigned nested(int depth, unsigned x) {
    if (depth == 0) {
        Where::wait();
        return x;
    }
    const unsigned a = x * 2654435761u, b = x ^ (x >> 7), c = x + depth;
    const unsigned below = nested<Where>(depth - 1, x + 1);
    Where::wait();
    return below + a + b * 3 + c * 7;
}

// A vector that is aligned more than the stack is.
template <class Where>
__host__ __device__ double aligned(const double* values, int first) {
    alignas(64) double kept[8];
    for (int i = 0; i < 8; ++i) kept[i] = values[(first + i) % threads] * i;
    Where::wait();
    double sum = 0;
    for (double one : kept) sum = sum / 2 + one;
    return sum;
}

template <class Where>
__host__ __device__ double result(const double* values, int i, int block) {
    double sum = 0;
    for (int round = 0; round < 4; ++round) {
        sum += many<Where>(values[i], values[(i + block + round) % threads]);
        Where::wait();
        sum += sum_of_squares<Where>(i + round) + nested<Where>(5, i * 17u + block) % 1000;
    }
    return sum + aligned<Where>(values, i);
}

__global__ void results(const double* values, double* out) {
    out[blockIdx.x * threads + threadIdx.x] = result<OnDevice>(values, threadIdx.x, blockIdx.x);
}

int main() {
    const auto seed = static_cast<unsigned>(std::time(nullptr));
    std::srand(seed);
    std::vector<double> values(threads);
    for (double& value : values) value = 1 + std::rand() % 1000;
    double *in, *out;
    cudaMalloc(&in, threads * sizeof(double));
    cudaMalloc(&out, blocks * threads * sizeof(double));
    cudaMemcpy(in, values.data(), threads * sizeof(double), cudaMemcpyHostToDevice);
    cudaMemset(out, 0xff, blocks * threads * sizeof(double));
    results<<<blocks, threads>>>(in, out);
    std::vector<double> found(blocks * threads);
    const cudaError_t error =
        cudaMemcpy(found.data(), out, found.size() * sizeof(double), cudaMemcpyDeviceToHost);
    cudaFree(in);
    cudaFree(out);
    int wrong = 0;
    for (int i = 0; i < blocks * threads; ++i) {
        const double expected = result<OnHost>(values.data(), i % threads, i / threads);
        if (!(std::fabs(found[i] - expected) <= 1e-9 * (1e6 + std::fabs(expected)))) ++wrong;
    }
    if (error == cudaSuccess && wrong == 0) {
        std::printf("PASSED\n");
        return 0;
    }
    std::printf("FAILED: %s, %d of %d are wrong, seed %u\n", cudaGetErrorString(error), wrong, blocks * threads, seed);
    return 1;
}

// Kernels whose requests, sectors and bank conflicts can be said without a profiler. counters_test.py says them.

#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                                             \
    do {                                                                                        \
        if (const cudaError_t error = call; error != cudaSuccess) {                             \
            std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
            std::exit(1);                                                                       \
        }                                                                                       \
    } while (0)

__constant__ float table[64];
__device__ float sums[64];

__global__ void coalesced(const float* x, float* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = x[i];
}

__global__ void stride(const float* x, float* y, int step) {
    const int i = threadIdx.x;
    y[i] = x[i * step];
}
__global__ void stride_32(const float* x, float* y) {
    const int i = threadIdx.x;
    y[i] = x[i * 32];
}

__global__ void vectors(const float4* x, float4* y) {
    const int i = threadIdx.x;
    const float4 v = x[i];
    y[i] = float4{v.x, v.y, v.z, v.w + 1};
    y[i + 64] = make_float4(v.x, v.y, v.z, v.w + 1);
    y[i + 128] = v;
}

__global__ void pairs(const float2* x, double2* y) {
    const int i = threadIdx.x;
    y[i] = double2{x[i].x, 0};
}

// Nothing says that a GPU may store them at once.
struct Pair {
    float a, b;
};
__global__ void no_vectors(const Pair* x, Pair* y, float* z) {
    const int i = threadIdx.x;
    y[i] = x[i];
    y[i + 64] = {1.0f, 2.0f};
    z[2 * i] = 1, z[2 * i + 1] = 2;
}

__device__ float4 with_sum(float4 v) {
    return make_float4(v.x, v.y, v.z, v.x + v.y + v.z);
}
__global__ void by_value(const float4* x, float4* y) {
    y[threadIdx.x] = with_sum(x[threadIdx.x]);
}

__global__ void doubles(const double* x, double* y) {
    y[threadIdx.x] = x[threadIdx.x];
}
__global__ void chars(const char* x, char* y) {
    y[threadIdx.x] = x[threadIdx.x];
}
__global__ void misaligned(const float* x, float* y) {
    y[threadIdx.x] = x[threadIdx.x + 1];
}
__global__ void broadcast(const float* x, float* y) {
    y[threadIdx.x] = x[0];
}
__global__ void constants(float* y) {
    y[threadIdx.x] = table[0] + table[threadIdx.x % 4];
}

__global__ void columns(float* y) {
    __shared__ float tile[32][32];
    tile[threadIdx.y][threadIdx.x] = 1;
    __syncthreads();
    y[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
__global__ void padded(float* y) {
    __shared__ float tile[32][33];
    tile[threadIdx.y][threadIdx.x] = 1;
    __syncthreads();
    y[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

__global__ void wide_shared(double* y, float4* z) {
    __shared__ double d[64];
    __shared__ float4 f[64];
    const int i = threadIdx.x;
    d[i] = i;
    f[i] = make_float4(i, i, i, i);
    __syncthreads();
    y[i] = d[2 * i % 64];
    y[i] += d[0];
    z[i] = f[2 * i % 64];
}

__global__ void one_counter(unsigned* counters) {
    atomicAdd(&counters[0], 1u);
}
__global__ void eight_counters(unsigned* counters) {
    __shared__ unsigned own[8];
    if (threadIdx.x < 8) own[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&own[threadIdx.x % 8], 1u);
    atomicAdd(&own[(threadIdx.x >> 3) % 8], 1u);
    __syncthreads();
    if (threadIdx.x < 8) counters[threadIdx.x] = own[threadIdx.x];
}

__global__ void tree(const float* x) {
    __shared__ float cache[256];
    const unsigned t = threadIdx.x;
    cache[t] = x[t];
    for (unsigned step = blockDim.x / 2; step > 0; step /= 2) {
        __syncthreads();
        if (t < step) cache[t] += cache[t + step];
    }
    if (t == 0) sums[blockIdx.x] = cache[0];
}

__global__ void shuffles(float* x) {
    float v = threadIdx.x;
    for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffff, v, d);
    if (threadIdx.x % 32 == 0) x[threadIdx.x / 32] = v;
    __threadfence();
}

// Lane i goes i % 4 + 1 times around, twice; behind each loop the warp is together again.
__global__ void uneven_loops(const float* x, float* y) {
    float sum = 0;
    for (int round = 0; round < 2; ++round) {
        for (unsigned k = 0; k < (threadIdx.x + round) % 4 + 1; ++k) sum += x[k];
        y[threadIdx.x] = sum;
    }
}

// A round of a loop ends for all lanes at once, though some have less to do at its end, or at its beginning.
__global__ void ends_of_rounds(const float* x, float* y) {
    float sum = 0;
    for (unsigned i = threadIdx.x; i < 5 * blockDim.x; i += blockDim.x) {
        sum += x[i % 64];
        if (threadIdx.x % 8 == 0) y[i / 8] = sum;
    }
    y[64 + threadIdx.x] = sum;
}
__global__ void begins_of_rounds(const float* x, float* y) {
    float sum = 0;
    for (unsigned i = threadIdx.x; i < 5 * blockDim.x; i += blockDim.x) {
        if (threadIdx.x % 4 != 0) sum += x[i % 64];
        if (threadIdx.x % 3 == 0) continue;
        y[i] = sum;
    }
    y[5 * blockDim.x + threadIdx.x] = sum;
}
__global__ void rounds_in_rounds(const float* x, float* y) {
    for (unsigned round = 0; round < 3; ++round) {
        float sum = 0;
        for (unsigned k = 0; k < (threadIdx.x + round) % 4; ++k) {
            sum += x[k];
            if (threadIdx.x % 2 == 0) y[64 + threadIdx.x] = sum;
        }
        y[threadIdx.x] = sum;
    }
}

__global__ void branches(const float* x, float* y) {
    float v;
    if (threadIdx.x % 2 == 0) {
        v = x[threadIdx.x];
    } else {
        v = x[0];
    }
    y[threadIdx.x] = v;
}

__device__ __noinline__ float twice(const float* x, int i) {
    float sum = x[i];
    for (int k = 0; k < i % 2; ++k) sum += x[i + k];
    return sum;
}
__global__ void functions(const float* x, float* y) {
    float v = 0;
    if (threadIdx.x < 16) v += twice(x, threadIdx.x);
    v += twice(x, threadIdx.x);
    y[threadIdx.x] = v;
}

// The halves of the warp meet apart, and the load before belongs to both.
__global__ void halves(const float* x, float* y) {
    const float v = x[threadIdx.x];
    const unsigned half = threadIdx.x / 16 % 2;
    float w;
    if (half == 0)
        w = __shfl_xor_sync(0x0000ffff, v, 1);
    else
        w = __shfl_xor_sync(0xffff0000, v, 1);
    y[threadIdx.x] = w;
}

// The halves of the warp meet in one __syncwarp() each, which is the same to both.
__global__ void both_sides(const float* x, float* y) {
    float v;
    if (threadIdx.x % 32 < 16) {
        v = x[threadIdx.x];
        __syncwarp();
    } else {
        v = x[threadIdx.x + 32];
        __syncwarp();
    }
    y[threadIdx.x] = v;
}

// Rows of 16 bytes, `step` of them apart: by cp.async, by ldmatrix for the whole warp and for a quarter of it.
__global__ void matrix_rows(const float4* x, float4* y, int step) {
    __shared__ alignas(16) float4 rows[32 * 8];
    const int i = threadIdx.x;
    const auto row = static_cast<unsigned>(__cvta_generic_to_shared(&rows[i * step]));
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(row), "l"(x + i) : "memory");
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncthreads();
    unsigned d[5];
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
                 : "r"(row));
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(d[4]) : "r"(row));
    int sums[2] = {0, 0};
    asm volatile("mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%0, %1}, {%2}, {%3}, {%0, %1};"
                 : "+r"(sums[0]), "+r"(sums[1])
                 : "r"(d[0] + d[1] + d[2]), "r"(d[3] + d[4]));
    y[i] = make_float4(sums[0], sums[1], 0, 0);
}
__global__ void matrix_rows_of_128_bytes(const float4* x, float4* y) {
    __shared__ alignas(16) float4 rows[8 * 8];
    const int i = threadIdx.x;
    rows[i] = x[i];
    rows[i + 32] = x[i];
    __syncthreads();
    unsigned d;
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];"
                 : "=r"(d)
                 : "l"(__cvta_generic_to_shared(&rows[i % 8 * 8])));
    y[i] = make_float4(d, 0, 0, 0);
}

int main() {
    char* memory = nullptr;
    CHECK(cudaMalloc(&memory, 1 << 16));
    CHECK(cudaMemset(memory, 0, 1 << 16));
    float* x = reinterpret_cast<float*>(memory);
    float* y = x + (1 << 13);
    coalesced<<<3, 96>>>(x, y);
    stride<<<1, 64>>>(x, y, 2);
    stride_32<<<1, 64>>>(x, y);
    vectors<<<1, 64>>>(reinterpret_cast<float4*>(x), reinterpret_cast<float4*>(y));
    pairs<<<1, 64>>>(reinterpret_cast<float2*>(x), reinterpret_cast<double2*>(y));
    no_vectors<<<1, 64>>>(reinterpret_cast<Pair*>(x), reinterpret_cast<Pair*>(y), y + 1024);
    by_value<<<1, 64>>>(reinterpret_cast<float4*>(x), reinterpret_cast<float4*>(y));
    doubles<<<1, 64>>>(reinterpret_cast<double*>(x), reinterpret_cast<double*>(y));
    chars<<<1, 64>>>(memory, memory + 1024);
    misaligned<<<1, 64>>>(x, y);
    broadcast<<<1, 48>>>(x, y);
    constants<<<1, 64>>>(y);
    columns<<<1, dim3(32, 32)>>>(y);
    padded<<<1, dim3(32, 32)>>>(y);
    wide_shared<<<1, 64>>>(reinterpret_cast<double*>(x), reinterpret_cast<float4*>(y));
    one_counter<<<1, 48>>>(reinterpret_cast<unsigned*>(x));
    eight_counters<<<1, 64>>>(reinterpret_cast<unsigned*>(x));
    tree<<<2, 256>>>(x);
    shuffles<<<1, 64>>>(y);
    uneven_loops<<<1, 64>>>(x, y);
    ends_of_rounds<<<1, 64>>>(x, y);
    begins_of_rounds<<<1, 64>>>(x, y);
    rounds_in_rounds<<<1, 64>>>(x, y);
    branches<<<1, 64>>>(x, y);
    functions<<<1, 32>>>(x, y);
    halves<<<1, 64>>>(x, y);
    both_sides<<<1, 64>>>(x, y);
    matrix_rows<<<1, 32>>>(reinterpret_cast<float4*>(x), reinterpret_cast<float4*>(y), 5);
    matrix_rows_of_128_bytes<<<1, 32>>>(reinterpret_cast<float4*>(x), reinterpret_cast<float4*>(y));
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(memory));
}

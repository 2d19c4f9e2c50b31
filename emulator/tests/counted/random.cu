// Kernels that go where the numbers on standard input send them: counters_test.py makes these up, and says what has to
// be counted.
//     random THREADS BLOCK N    then for each of the N: its index, and three trip counts

#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr unsigned elements = 256, absent = ~0u;

template <class T>
__global__ void gather(const unsigned* index, unsigned n, const T* x, T* y) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const unsigned k = index[i];
    if (k == absent) return;
    const T value = x[k];  // load
    y[k] = value;          // store
}

template <class T>
__global__ void gather_shared(const unsigned* index, unsigned n, T* y) {
    __shared__ T cache[elements];
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    for (unsigned k = threadIdx.x; k < elements; k += blockDim.x) cache[k] = T();
    __syncthreads();
    if (i < n && index[i] != absent) {
        const unsigned k = index[i];
        const T value = cache[k];         // shared load
        cache[elements - 1 - k] = value;  // shared store
        y[i] = value;
    }
    __syncthreads();
}

__global__ void add(const unsigned* index, unsigned n, unsigned* counters) {
    __shared__ unsigned own[elements];
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    for (unsigned k = threadIdx.x; k < elements; k += blockDim.x) own[k] = 0;
    __syncthreads();
    const unsigned k = i < n ? index[i] : absent;
    if (k != absent) {
        atomicAdd(&own[k], 1u);       // shared atomic
        atomicAdd(&counters[k], 1u);  // atomic
    }
}

__device__ __noinline__ float sum_of(const float* x, unsigned n) {
    float sum = 0;
    for (unsigned j = 0; j < n; ++j) sum += x[j];  // loop
    return sum;
}

__global__ void loops(const unsigned* index, const unsigned* trips, unsigned n, const float* x, float* y) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float sum = 0;
    for (unsigned round = 0; round < 3; ++round) {
        const unsigned most = trips[3 * i + round];  // each round
        if (index[i] % 2 == 0) {
            sum += sum_of(x, most);
        } else {
            for (unsigned j = 0; j < most; ++j) sum += x[j + 1];  // other loop
            sum += 1;
        }
        y[i] = sum;  // end of round
    }
}

template <class T>
T* allocated(std::size_t n) {
    T* memory = nullptr;
    if (cudaMalloc(&memory, n * sizeof(T)) != cudaSuccess || cudaMemset(memory, 0, n * sizeof(T)) != cudaSuccess)
        std::exit(1);
    return memory;
}

template <class T>
void run(dim3 grid, dim3 block, const unsigned* index, unsigned n) {
    T *x = allocated<T>(elements), *y = allocated<T>(n + elements);
    gather<<<grid, block>>>(index, n, x, y);
    gather_shared<<<grid, block>>>(index, n, y);
}

int main(int, char** arguments) {
    const auto threads = static_cast<unsigned>(std::atoi(arguments[1])),
               n = static_cast<unsigned>(std::atoi(arguments[3]));
    const dim3 block = static_cast<unsigned>(std::atoi(arguments[2]));
    const dim3 grid = threads / block.x;
    std::vector<unsigned> host(n), host_trips(3 * n);
    for (unsigned i = 0; i < n; ++i)
        if (std::scanf("%u %u %u %u", &host[i], &host_trips[3 * i], &host_trips[3 * i + 1], &host_trips[3 * i + 2]) !=
            4)
            return 1;
    auto *index = allocated<unsigned>(n), *trips = allocated<unsigned>(3 * n);
    cudaMemcpy(index, host.data(), n * sizeof(unsigned), cudaMemcpyDefault);
    cudaMemcpy(trips, host_trips.data(), 3 * n * sizeof(unsigned), cudaMemcpyDefault);
    run<char>(grid, block, index, n);
    run<short>(grid, block, index, n);
    run<float>(grid, block, index, n);
    run<double>(grid, block, index, n);
    run<float3>(grid, block, index, n);
    run<float4>(grid, block, index, n);
    add<<<grid, block>>>(index, n, allocated<unsigned>(elements));
    loops<<<grid, block>>>(index, trips, n, allocated<float>(elements), allocated<float>(n));
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}

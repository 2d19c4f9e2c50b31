// Kernels whose accesses can be written down by hand, as trace_test.py does. A comment behind a line is its name there.
//
//   patterns KERNEL [NUMBER]    reads the kernel's data from stdin, as bytes

#include <cooperative_groups.h>
#include <cuda_pipeline_primitives.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <vector>

__global__ void tree(const float* a, float* sums) {
    __shared__ float cache[256];
    cache[threadIdx.x] = a[256 * blockIdx.x + threadIdx.x];  // fill
    __syncthreads();                                         // filled
    for (unsigned half = 128; half > 0; half /= 2) {
        if (threadIdx.x < half) {
            const float far = cache[threadIdx.x + half];  // far
            cache[threadIdx.x] += far;                    // near
        }
        __syncthreads();  // folded
    }
    if (threadIdx.x == 0) sums[blockIdx.x] = cache[0];  // result
}

template <class T>
__global__ void copy(const T* from, T* to, unsigned stride) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    to[i] = from[i * stride];  // copy
}

template <unsigned width>
__global__ void transpose(const float* in, float* out) {
    __shared__ float tile[32][width];
    tile[threadIdx.y][threadIdx.x] = in[32 * threadIdx.y + threadIdx.x];   // fill
    __syncthreads();                                                       // filled
    out[32 * threadIdx.y + threadIdx.x] = tile[threadIdx.x][threadIdx.y];  // column
}

__global__ void loop(const int* start, int* out) {
    const unsigned i = threadIdx.x;
    const int own = start[i];                                            // start
    for (unsigned r = 0; r < i % 5; ++r) out[5 * i + r] = own + int(r);  // round
    out[5 * i + 4] = own;                                                // end
}

__global__ void exchange(const float* a, const int* b, float* floats, int* ints) {
    const unsigned i = threadIdx.x;
    const float x = a[i];                                        // a
    const int n = b[i];                                          // b
    floats[i] = __shfl_down_sync(0xffffffff, x, 5);              // down
    floats[i] = __shfl_xor_sync(0xffffffff, x, 3);               // xor
    ints[i] = __shfl_sync(0xffffffff, n, i + 7);                 // shuffle
    ints[i] = int(__ballot_sync(0xffffffff, n > 0));             // ballot
    ints[i] = __any_sync(0xffffffff, n > 90);                    // any
    if (i % 2 == 1) ints[i] = __shfl_up_sync(0xaaaaaaaa, n, 2);  // odd
}

__global__ void add(const unsigned* index, const int* addend, int* total) {
    __shared__ int counts[32];
    counts[threadIdx.x] = 0;                             // clear
    __syncthreads();                                     // cleared
    const unsigned k = index[threadIdx.x];               // index
    const int n = addend[threadIdx.x];                   // addend
    atomicAdd(&counts[k], n);                            // shared
    atomicAdd(&total[k], n);                             // global
    atomicMax(&counts[(threadIdx.x * 16 + 5) % 32], n);  // max
}

__global__ void lock(int* taken, int* total) {
    bool done = false;
    while (!done) {
        if (atomicCAS(taken, 0, 1) == 0) {  // take
            const int old = *total;         // old
            *total = old + 1;               // new
            __threadfence();                // fence
            atomicExch(taken, 0);           // free
            done = true;
        }
    }
}

__constant__ float weights[64];
__global__ void weigh(float* out) {
    const float own = weights[threadIdx.x];      // own
    const float one = weights[5];                // one
    const float few = weights[threadIdx.x % 3];  // few
    out[threadIdx.x] = own + one + few;          // out
}

__global__ void shapes(const int* in, int* out) {
    const unsigned t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    const unsigned b = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    const unsigned i = t + b * blockDim.x * blockDim.y * blockDim.z;
    const int n = in[i];     // in
    if (n % 2) out[i] = -n;  // odd
    out[i] = n;              // out
}

struct Mixed {
    int number;
    float weight;
    double size;
};
struct Pair {
    int x, y;
};
struct Triple {
    float x, y, z;
};

__global__ void types(const unsigned char* bytes, const double* doubles, long long* longs, const uchar4* colours,
                      Triple* triples, Pair* pairs, volatile int* flags, Mixed* mixed, unsigned long long* wide) {
    const unsigned i = threadIdx.x;
    const unsigned char byte = __ldg(bytes + i);              // byte
    const double x = doubles[i];                              // double
    const long long l = longs[i];                             // long
    const uchar4 c = colours[i];                              // colour
    longs[i] = l * 3;                                         // triple
    const Triple t = triples[i];                              // members
    triples[i] = Triple{t.z, t.x, t.y};                       // turned
    pairs[i] = Pair{byte, c.y};                               // pair
    const int flag = flags[i];                                // flag
    flags[i] = flag + 1;                                      // raised
    mixed[i].weight = float(x);                               // weight
    mixed[i].number = byte;                                   // number
    mixed[i].size = x;                                        // size
    wide[i] = ~0ull - static_cast<unsigned long long>(flag);  // wide
}

template <unsigned bytes>
__global__ void copy_asynchronously(const float* from, float* to) {
    constexpr unsigned n = bytes / sizeof(float);
    __shared__ __align__(16) float tile[32 * n];
    __pipeline_memcpy_async(tile + n * threadIdx.x, from + n * threadIdx.x, bytes);  // begin
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();                           // there
    to[threadIdx.x] = tile[31 - threadIdx.x];  // read
}

__global__ void dynamic(const int* in, int* out) {
    extern __shared__ int words[];
    words[threadIdx.x * 2] = in[threadIdx.x];                      // keep
    __syncthreads();                                               // kept
    out[threadIdx.x] = words[2 * (blockDim.x - 1 - threadIdx.x)];  // give
}

__global__ void join(const float* first, const float* second, float* sum) {
    const float one = first[threadIdx.x];   // first
    const float two = second[threadIdx.x];  // second
    sum[threadIdx.x] = one + two;           // sum
}

__global__ void scale(int* a, int by) {
    const int old = a[threadIdx.x];  // old
    a[threadIdx.x] = by * old;       // new
}

__global__ void all_wait(int* a) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
    const int own = a[i];                    // own
    __syncthreads();                         // read
    a[i] = own + 1;                          // raise
    cooperative_groups::this_grid().sync();  // grid
    const int other = a[n - 1 - i];          // other
    cooperative_groups::this_grid().sync();  // again
    a[i] = other;                            // swap
}

__global__ void work(const float* a, float* b, unsigned rounds) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    for (unsigned r = 0; r < rounds; ++r) {
        const float x = a[(i * 97 + r * 7919) % (1 << 16)];  // gather
        b[i] = x;                                            // put
    }
}

// All at addresses that make no row, and no number twice.
template <class T>
__global__ void wide(const T* a) {
    for (unsigned r = 0; r < 2048; ++r) {
        const volatile T x = a[(256 * r + threadIdx.x) * 40503u % (1 << 17)];  // gather
    }
}

__global__ void barriers(unsigned rounds) {
    for (unsigned r = 0; r < rounds; ++r) __syncthreads();  // barrier
}

template <class T>
std::vector<T> numbers(std::size_t n) {
    std::vector<T> values(n);
    if (std::fread(values.data(), sizeof(T), n, stdin) != n) std::exit(3);
    return values;
}

template <class T>
T* room(std::size_t n) {
    T* memory = nullptr;
    if (cudaMalloc(&memory, n * sizeof(T)) != cudaSuccess) std::exit(4);
    return memory;
}

// The next n numbers of stdin, in device memory.
template <class T>
T* given(std::size_t n) {
    const std::vector<T> values = numbers<T>(n);
    T* const memory = room<T>(n);
    cudaMemcpy(memory, values.data(), n * sizeof(T), cudaMemcpyHostToDevice);
    return memory;
}

int main(int argc, char** argv) {
    const unsigned number = argc > 2 ? static_cast<unsigned>(std::atoi(argv[2])) : 0;
    const std::map<std::string, std::function<void()>> kernels = {
        {"tree", [] { tree<<<2, 256>>>(given<float>(512), room<float>(2)); }},
        {"copy", [=] { copy<<<2, 64>>>(given<float>(128 * number), room<float>(128), number); }},
        {"copy4", [=] { copy<<<2, 64>>>(given<float4>(128 * number), room<float4>(128), number); }},
        {"structures", [] { copy<<<1, 32>>>(given<Triple>(32), room<Triple>(32), 1); }},
        {"transpose32", [] { transpose<32><<<1, dim3(32, 32)>>>(given<float>(1024), room<float>(1024)); }},
        {"transpose33", [] { transpose<33><<<1, dim3(32, 32)>>>(given<float>(1024), room<float>(1024)); }},
        {"loop", [=] { loop<<<1, number>>>(given<int>(number), room<int>(5 * number)); }},
        {"exchange",
         [] {
             const float* const a = given<float>(32);
             const int* const b = given<int>(32);
             exchange<<<1, 32>>>(a, b, room<float>(32), room<int>(32));
         }},
        {"add",
         [] {
             const unsigned* const index = given<unsigned>(32);
             const int* const addend = given<int>(32);
             add<<<1, 32>>>(index, addend, given<int>(32));
         }},
        {"lock",
         [=] {
             int* const taken = given<int>(1);
             lock<<<1, number>>>(taken, given<int>(1));
         }},
        {"weigh",
         [] {
             const std::vector<float> values = numbers<float>(64);
             cudaMemcpyToSymbol(weights, values.data(), 64 * sizeof(float));
             weigh<<<1, 64>>>(room<float>(64));
         }},
        {"shapes2", [] { shapes<<<dim3(1, 2), dim3(13, 3)>>>(given<int>(78), room<int>(78)); }},
        {"shapes3", [] { shapes<<<dim3(1, 1, 2), dim3(5, 3, 3)>>>(given<int>(90), room<int>(90)); }},
        {"types",
         [] {
             const auto* const bytes = given<unsigned char>(32);
             const auto* const doubles = given<double>(32);
             auto* const longs = given<long long>(32);
             const auto* const colours = given<uchar4>(32);
             auto* const triples = given<Triple>(32);
             auto* const flags = given<int>(32);
             types<<<1, 32>>>(bytes, doubles, longs, colours, triples, room<Pair>(32), flags, room<Mixed>(32),
                              room<unsigned long long>(32));
         }},
        {"async4", [] { copy_asynchronously<4><<<1, 32>>>(given<float>(32), room<float>(32)); }},
        {"async8", [] { copy_asynchronously<8><<<1, 32>>>(given<float>(64), room<float>(32)); }},
        {"async16", [] { copy_asynchronously<16><<<1, 32>>>(given<float>(128), room<float>(32)); }},
        {"dynamic", [=] { dynamic<<<1, number, 2 * number * sizeof(int)>>>(given<int>(number), room<int>(number)); }},
        {"join",
         [] {
             const float* const both = given<float>(100);
             join<<<1, 50>>>(both, both + 50, room<float>(50));
         }},
        {"launches",
         [=] {
             int* const a = given<int>(32);
             int* const b = given<int>(32);
             for (unsigned i = 0; i < number; ++i) scale<<<1, 32>>>(i % 2 ? b : a, 2);
         }},
        {"graph",
         [=] {
             int *const a = given<int>(32), *const b = room<int>(1);
             cudaStream_t main = nullptr, branch = nullptr;
             cudaStreamCreate(&main);
             cudaStreamCreate(&branch);
             cudaEvent_t event = nullptr;
             cudaEventCreate(&event);
             cudaStreamBeginCapture(main, cudaStreamCaptureModeGlobal);
             scale<<<1, 32, 0, main>>>(a, 2);
             cudaEventRecord(event, main);
             cudaStreamWaitEvent(branch, event);
             cudaMemsetAsync(b, 0, sizeof *b, branch);
             cudaEventRecord(event, branch);
             scale<<<1, 32, 0, main>>>(a, 3);
             cudaStreamWaitEvent(main, event);
             cudaLaunchHostFunc(
                 main, [](void*) {}, nullptr);
             cudaGraph_t graph = nullptr;
             cudaGraphExec_t executable = nullptr;
             cudaStreamEndCapture(main, &graph);
             cudaGraphInstantiate(&executable, graph, 0);
             for (unsigned i = 0; i < number; ++i) cudaGraphLaunch(executable, main);
             cudaStreamSynchronize(main);
         }},
        {"again",
         [=] {
             const float* const from = given<float>(128);
             float* const to = room<float>(128);
             for (unsigned i = 0; i < number; ++i) copy<<<2, 64>>>(from, to, 1);
         }},
        {"blocks", [=] { copy<<<number, 32>>>(given<int>(32 * number), room<int>(32 * number), 1); }},
        {"grid",
         [] {
             int* a = given<int>(3 * 64);
             void* arguments[] = {&a};
             cudaLaunchCooperativeKernel(reinterpret_cast<void*>(all_wait), 3, 64, arguments);
         }},
        {"work", [=] { work<<<number, 256>>>(given<float>(1 << 16), room<float>(number * 256), 78); }},
        {"long_work", [=] { work<<<1, 256>>>(given<float>(1 << 16), room<float>(256), number); }},
        {"wide_floats", [] { wide<<<1, 256>>>(given<float>(1 << 17)); }},
        {"wide_doubles", [] { wide<<<1, 256>>>(given<double>(1 << 17)); }},
        {"barriers", [=] { barriers<<<1, 64>>>(number); }},
        {"pinned",
         [] {
             float *from = nullptr, *to = nullptr;
             cudaMallocHost(&from, 64 * sizeof(float));
             cudaMallocHost(&to, 64 * sizeof(float));
             if (std::fread(from, sizeof(float), 64, stdin) != 64) std::exit(3);
             copy<<<1, 64>>>(from, to, 1);
         }},
        {"nothing", [] {}},
        {"refused", [] { copy<<<1, 2000>>>(room<int>(1), room<int>(1), 1); }},
    };
    const auto found = kernels.find(argc > 1 ? argv[1] : "");
    if (found == kernels.end()) return 2;
    found->second();
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}

// How fast the emulator is, beside OpenMP loops that do the same work, in one run.
//   emulator_benchmark [WORD]            the rows that contain the word
//   emulator_benchmark --beside PROGRAM  some rows beside PROGRAM, which is this one as the checked build has it
//   emulator_benchmark --seconds         the times of those rows, a line each: what PROGRAM is asked for

#include <omp.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

namespace {

constexpr int block_size = 256;

void check(cudaError_t error) {
    if (error == cudaSuccess) return;
    std::fprintf(stderr, "benchmark: %s\n", cudaGetErrorString(error));
    std::exit(3);
}

__global__ void empty() {}

__global__ void add(const int* a, const int* b, int* c, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}

__global__ void add_grid_stride(const int* a, const int* b, int* c, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) c[i] = a[i] + b[i];
}

__global__ void add_one_thread_blocks(const int* a, const int* b, int* c) {
    c[blockIdx.x] = a[blockIdx.x] + b[blockIdx.x];
}

__global__ void barriers(int* out, int n) {
    __shared__ int counter;
    if (threadIdx.x == 0) counter = 0;
    for (int i = 0; i < n; ++i) {
        __syncthreads();
        if (threadIdx.x == static_cast<unsigned>(i % block_size)) ++counter;
    }
    __syncthreads();
    if (threadIdx.x == 0) *out = counter;
}

__global__ void warp_sums(int* out, int n) {
    int sum = threadIdx.x;
    for (int i = 0; i < n; ++i) sum += __shfl_xor_sync(0xffffffff, sum, 1);
    out[threadIdx.x] = sum;
}

__global__ void dot(const float* a, const float* b, float* result, int n) {
    __shared__ float tile[block_size];
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += a[i] * b[i];
    tile[threadIdx.x] = sum;
    for (int half = block_size / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < static_cast<unsigned>(half)) tile[threadIdx.x] += tile[threadIdx.x + half];
    }
    if (threadIdx.x == 0) atomicAdd(result, tile[0]);
}

__global__ void histogram(const unsigned char* bytes, int n, unsigned* bins) {
    __shared__ unsigned local[256];
    local[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&local[bytes[i]], 1u);
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}

__global__ void histogram_global(const unsigned char* bytes, int n, unsigned* bins) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&bins[bytes[i]], 1u);
}

double seconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Median of several runs after one that does not count.
double median_seconds(const std::function<void()>& work) {
    work();
    std::vector<double> times;
    for (int i = 0; i < 9; ++i) {
        const double begin = seconds();
        work();
        times.push_back(seconds() - begin);
    }
    std::nth_element(times.begin(), times.begin() + 4, times.end());
    return times[4];
}

/// Device memory with a copy of what the host has.
template <class T>
class DeviceArray {
  public:
    explicit DeviceArray(const std::vector<T>& host) {
        check(cudaMalloc(&data_, host.size() * sizeof(T)));
        check(cudaMemcpy(data_, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
    }
    ~DeviceArray() { cudaFree(data_); }
    DeviceArray(const DeviceArray&) = delete;
    DeviceArray& operator=(const DeviceArray&) = delete;
    operator T*() const { return data_; }

  private:
    T* data_ = nullptr;
};

struct Row {
    const char* work;
    const char* unit;
    double per_second;  // units in a second
    double reach;       // the goal in that unit, or as a ratio to OpenMP; 0: none
    bool reach_is_ratio;
};

const char* chosen = "";

void print(const Row& row, const std::function<void()>& emulated, const std::function<void()>& openmp) {
    if (std::strstr(row.work, chosen) == nullptr) return;
    const double time = median_seconds(emulated) * row.per_second;
    check(cudaDeviceSynchronize());
    char other[32] = "", ratio[32] = "", goal[32] = "";
    double reached = time;
    if (openmp) {
        const double openmp_time = median_seconds(openmp) * row.per_second;
        if (row.reach_is_ratio) reached = time / openmp_time;
        std::snprintf(other, sizeof other, "%.2f %s", openmp_time, row.unit);
        std::snprintf(ratio, sizeof ratio, "%.2f", time / openmp_time);
    }
    if (row.reach > 0)
        std::snprintf(goal, sizeof goal, "%g %s%s", row.reach, row.reach_is_ratio ? "x OpenMP" : row.unit,
                      reached <= row.reach ? "" : "  MISSED");
    char own[32];
    std::snprintf(own, sizeof own, "%.2f %s", time, row.unit);
    std::printf("%-52s %14s %14s %7s  %s\n", row.work, own, other, ratio, goal);
    std::fflush(stdout);
}

template <class T>
std::vector<T> random_values(std::size_t n, unsigned range) {
    std::vector<T> values(n);
    unsigned state = 12345;
    for (T& value : values) value = static_cast<T>(((state = state * 1664525 + 1013904223) >> 8) % range);
    return values;
}

int blocks_for(int n) {
    return (n + block_size - 1) / block_size;
}

void additions() {
    constexpr int n = 64 << 20, small = 64 << 10;
    const auto a = random_values<int>(n, 1000), b = random_values<int>(n, 1000);
    std::vector<int> c(n);
    const DeviceArray<int> da(a), db(b), dc(c);
    const auto openmp = [&](int count) {
        const int *pa = a.data(), *pb = b.data();
        int* pc = c.data();
#pragma omp parallel for
        for (int i = 0; i < count; ++i) pc[i] = pa[i] + pb[i];
    };
    print(
        {"c = a + b, 64 Mi ints, 256-thread blocks", "ms", 1e3, 1.5, true},
        [&] { add<<<blocks_for(n), block_size>>>(da, db, dc, n); }, [&] { openmp(n); });
    print(
        {"the same in a grid-stride loop, 1024 x 256", "ms", 1e3, 0, false},
        [&] { add_grid_stride<<<1024, block_size>>>(da, db, dc, n); }, [&] { openmp(n); });
    print(
        {"4 Mi blocks of one thread, a block", "ns", 1e9 / (4 << 20), 8, false},
        [&] { add_one_thread_blocks<<<4 << 20, 1>>>(da, db, dc); }, [&] { openmp(4 << 20); });
    print(
        {"a launch that adds 64 Ki ints", "us", 1e6 / 100, 0, false},
        [&] {
            for (int i = 0; i < 100; ++i) add<<<blocks_for(small), block_size>>>(da, db, dc, small);
        },
        [&] {
            for (int i = 0; i < 100; ++i) openmp(small);
        });
}

void launches() {
    print({"an empty launch of one thread", "us", 1e6 / 1000, 0, false},
          [] {
              for (int i = 0; i < 1000; ++i) empty<<<1, 1>>>();
          },
          {});
    print(
        {"an empty launch of 64 x 256 threads", "us", 1e6 / 1000, 0, false},
        [] {
            for (int i = 0; i < 1000; ++i) empty<<<64, block_size>>>();
        },
        [] {
            for (int i = 0; i < 1000; ++i) {
#pragma omp parallel
                { asm volatile(""); }
            }
        });
}

void waiting() {
    constexpr int rounds = 10000;
    const DeviceArray<int> out(std::vector<int>(block_size, 0));
    print({"a barrier, per thread (one block of 256)", "ns", 1e9 / rounds / block_size, 15, false},
          [&] { barriers<<<1, block_size>>>(out, rounds); }, {});
    print({"a warp shuffle, per thread (one block of 256)", "ns", 1e9 / rounds / block_size, 0, false},
          [&] { warp_sums<<<1, block_size>>>(out, rounds); }, {});
}

void reductions() {
    constexpr int n = 4 << 20;
    const auto a = random_values<float>(n, 10), b = random_values<float>(n, 10);
    const DeviceArray<float> da(a), db(b), result(std::vector<float>(1, 0));
    const auto openmp = [&] {
        float sum = 0;
        const float *pa = a.data(), *pb = b.data();
#pragma omp parallel for reduction(+ : sum)
        for (int i = 0; i < n; ++i) sum += pa[i] * pb[i];
        asm volatile("" : : "g"(sum));
    };
    print(
        {"dot of 4 Mi pairs, shared tree, a thread a pair", "ms", 1e3, 0, false},
        [&] { dot<<<blocks_for(n), block_size>>>(da, db, result, n); }, openmp);
    print(
        {"dot of 4 Mi pairs, shared tree, 32 x 256", "ms", 1e3, 20, false},
        [&] { dot<<<32, block_size>>>(da, db, result, n); }, openmp);
    print(
        {"dot of 4 Mi pairs, shared tree, 264 x 256", "ms", 1e3, 20, false},
        [&] { dot<<<264, block_size>>>(da, db, result, n); }, openmp);
    print(
        {"dot of 4 Mi pairs, shared tree, 1024 x 256", "ms", 1e3, 20, false},
        [&] { dot<<<1024, block_size>>>(da, db, result, n); }, openmp);
}

void histograms() {
    constexpr int n = 16 << 20;
    const auto bytes = random_values<unsigned char>(n, 256);
    const DeviceArray<unsigned char> device_bytes(bytes);
    const DeviceArray<unsigned> bins(std::vector<unsigned>(256, 0));
    std::vector<unsigned> host_bins(256);
    const auto openmp = [&] {
#pragma omp parallel
        {
            unsigned local[256] = {};
#pragma omp for
            for (int i = 0; i < n; ++i) ++local[bytes[i]];
            for (int i = 0; i < 256; ++i)
#pragma omp atomic
                host_bins[i] += local[i];
        }
    };
    const auto openmp_atomic = [&] {
#pragma omp parallel for
        for (int i = 0; i < n; ++i)
#pragma omp atomic
            host_bins[bytes[i]] += 1;
    };
    print(
        {"histogram of 16 MiB, shared atomics, 264 x 256", "ms", 1e3, 25, false},
        [&] { histogram<<<264, block_size>>>(device_bytes, n, bins); }, openmp);
    print(
        {"histogram of 16 MiB, global atomics, 1024 x 256", "ms", 1e3, 1.5, true},
        [&] { histogram_global<<<1024, block_size>>>(device_bytes, n, bins); }, openmp_atomic);
}

// What the checked build is asked for, too, at sizes that suit it: times in seconds.
constexpr const char* small_rows[] = {
    "c = a + b, 1 Mi ints, 256-thread blocks", "dot of 1 Mi pairs, shared tree, 264 x 256",
    "histogram of 1 MiB, shared atomics, 264 x 256", "histogram of 1 MiB, global atomics, 1024 x 256"};

std::vector<double> small_times() {
    constexpr int n = 1 << 20;
    const DeviceArray<int> a(random_values<int>(n, 1000)), b(random_values<int>(n, 1000)), c(std::vector<int>(n, 0));
    const DeviceArray<float> x(random_values<float>(n, 10)), y(random_values<float>(n, 10)),
        sum(std::vector<float>(1, 0));
    const DeviceArray<unsigned char> bytes(random_values<unsigned char>(n, 256));
    const DeviceArray<unsigned> bins(std::vector<unsigned>(256, 0));
    std::vector<double> times = {
        median_seconds([&] { add<<<blocks_for(n), block_size>>>(a, b, c, n); }),
        median_seconds([&] { dot<<<264, block_size>>>(x, y, sum, n); }),
        median_seconds([&] { histogram<<<264, block_size>>>(bytes, n, bins); }),
        median_seconds([&] { histogram_global<<<1024, block_size>>>(bytes, n, bins); }),
    };
    check(cudaDeviceSynchronize());
    return times;
}

int compare_with(const std::string& checked) {
    const std::vector<double> own = small_times();
    setenv("CHECKED", checked.c_str(), 1);  // whatever its path has in it
    std::FILE* pipe = popen("\"$CHECKED\" --seconds 2>/dev/null", "r");
    std::printf("The checked build, on one CPU thread. Medians of 9 runs.\n\n%-52s %14s %14s %7s  %s\n", "work",
                "emulator", "checked", "ratio", "to reach");
    for (std::size_t i = 0; i < own.size(); ++i) {
        double time = 0;
        if (pipe == nullptr || std::fscanf(pipe, "%lf", &time) != 1) break;
        const double ratio = time / own[i], goal = 50;
        std::printf("%-52s %11.2f ms %11.2f ms %7.1f  %g x%s\n", small_rows[i], own[i] * 1e3, time * 1e3, ratio, goal,
                    ratio <= goal ? "" : "  MISSED");
    }
    if (pipe != nullptr && pclose(pipe) == 0) return 0;
    std::fprintf(stderr, "benchmark: %s failed\n", checked.c_str());
    return 1;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc == 2 && std::strcmp(argv[1], "--seconds") == 0) {
        for (const double time : small_times()) std::printf("%.9f\n", time);
        return 0;
    }
    if (argc == 3 && std::strcmp(argv[1], "--beside") == 0) return compare_with(argv[2]);
    if (argc > 1) chosen = argv[1];
    std::printf("OpenMP with %d threads. Medians of 9 runs.\n\n%-52s %14s %14s %7s  %s\n", omp_get_max_threads(),
                "work", "emulator", "OpenMP", "ratio", "to reach");
    additions();
    launches();
    waiting();
    reductions();
    histograms();
}

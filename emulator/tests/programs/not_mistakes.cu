// What looks like a mistake and is none: functions and variables of one name on both sides, and the like. nvcc needs
// --expt-relaxed-constexpr for it.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>
using namespace std;
#define HD __host__ __device__
#define CHECK(x)                      \
    do {                              \
        if ((x) != cudaSuccess) {     \
            fprintf(stderr, "bad\n"); \
            exit(1);                  \
        }                             \
    } while (0)
#ifdef __CUDACC__
#define DEV __device__
#else
#define DEV
#endif
int n = 3;
int counter;
float weights[4] = {1, 2, 3, 4};
const int limit = 7;
constexpr int table[] = {1, 2, 3};
const float scale = 2.5f;
static std::vector<int> host_data;
int work(int x) {
    return x + 1;
}
float work(float x);
DEV int helper(int x) {
    return x;
}
HD int both(int x) {
    return x * 2;
}
__device__ float work(float x);
#ifdef __CUDACC__
__host__ __device__
#endif
    inline int
    twice(int x) {
    return 2 * x;
}
__device__ int distance(int a, int b) {
    return a - b;
}
__device__ void swap(int& a, int& b, int) {
    int t = a;
    a = b;
    b = t;
}
__device__ int rand(unsigned& s) {
    s = s * 1664525u + 1013904223u;
    return int(s >> 16);
}
namespace cpu {
int area(int x) {
    return x * x;
}
__global__ void area(int* p);
}  // namespace cpu
namespace gpu {
__device__ int area(int x) {
    return x * x;
}
}  // namespace gpu
constexpr int square(int x) {
    return x * x;
}
struct Shape {
    int counter = 0;
    __device__ int get() const { return counter; }
    __host__ __device__ int size() const { return counter + n_; }
    int host() const { return ::n; }
    int n_ = 0;
};
struct Functor {
    __device__ int operator()(int x) const { return x + 1; }
};
template <class F>
__global__ void apply(int* p, F f) {
    p[threadIdx.x] = f(p[threadIdx.x]);
}
__global__ void add(int* p, int n, int counter) {
    float weights[4] = {};
    for (int work = 0; work < n; ++work) p[0] += work + counter + limit + int(weights[0]) + both(2) + square(3);
    p[1] = sizeof(::weights) / sizeof(::weights[0]);
    p[2] = int(scale) + twice(2) + helper(1) + distance(3, 2) + gpu::area(2);
    Shape s;
    p[3] = s.get() + s.size();
    auto local = [](int x) { return x + 1; };
    auto n2 = [=](int n) { return n; };
    p[4] = local(1) + n2(2);
    int a = 1, b = 2;
    swap(a, b, 0);
    unsigned seed = threadIdx.x;
    p[5] = rand(seed);
    dim3 t = threadIdx;
    t.x = 5;
    const uint3& r = blockIdx;
    if (threadIdx.x == 0 && r.x == 0 && blockDim.x >= 1 && gridDim.x <= 1) p[6] = t.x;
    constexpr int c = table[1];
    p[7] = c;
    printf("%d\n", p[7]);
}
void add(int* p, int n) {
    add<<<1, 1>>>(p, n, 2);
}
template <class T>
struct Vec {
    T* begin_;
    int count;
    void add(T) { ++count; }
};
int device_count() {
    int count = 0;
    CHECK(cudaGetDeviceCount(&count));
    return count;
}
__global__ void one() {}
__global__ void shaped(dim3 blockDim_, uint3 index) {
    index.x = 3;
    blockDim_.y = index.x;
}
void cpu_reference(uint3 threadIdx, dim3 blockDim) {
    threadIdx.x = 1;
    blockDim.y = 2;
    ++threadIdx.x;
}
struct Grid {
    dim3 gridDim;
    void set() {
        gridDim.x = 3;
        this->gridDim.y = 4;
    }
};
template <class T>
__global__ void reduce(T* p) {
    extern __shared__ unsigned char memory[];
    T* s = (T*)memory;
    *s = *p;
}
namespace first {
__global__ void k() {
    extern __shared__ float buffer[];
    buffer[0] = 1;
}
}  // namespace first
namespace second {
__global__ void k() {
    extern __shared__ int buffer[];
    buffer[0] = 1;
}
}  // namespace second
__global__ void k1() {
    extern __shared__ unsigned un[];
    un[0] = 1;
}
__global__ void k2() {
    extern __shared__ unsigned int un[];
    un[0] = 1;
}
std::function<void(int)> callback = [](int x) { counter += x; };
int may_throw(int x) {
    try {
        if (x < 0) throw std::runtime_error("x");
    } catch (...) {
        return 0;
    }
    return work(x);
}
typedef void (*Kernel)();
void launch(Kernel k) {
    k<<<1, 1>>>();
}
void launch2(void (*work)(int*, int, int), int* p) {
    work<<<1, 1>>>(p, 1, 2);
}
__global__ __launch_bounds__(64) void bounds1() {}
template <int N>
__global__ void __launch_bounds__(N, 2) bounds2() {}
[[maybe_unused]] static __global__ void attribute() {}
template __global__ void bounds2<32>();
using Void = void;
__global__ Void alias() {}
template <class T>
__global__ std::enable_if_t<sizeof(T) == 4, void> enabled(T) {}
__global__ auto trailing() -> void {}
template <class A, std::enable_if_t<sizeof(A) == 4 && true, int> = 0>
__global__ void sfinae(A) {}
template <class... T>
__global__ void pack(T...) {}
struct Friendly {
    friend __global__ void one();
    int x;
};
int main() {
    std::vector<int> v{3, 1, 2}, w{1};
    swap(v, w);
    swap(v[0], w[0]);
    n = int(distance(v.begin(), v.end()));
    srand(1);
    counter = rand() + cpu::area(2) + work(1) + both(1) + twice(2) + square(2);
    sort(v.begin(), v.end());
    int* p;
    CHECK(cudaMalloc(&p, 64));
    CHECK(cudaMemset(p, 0, 64));
    add(p, n);
    one<<<1>>>();
    int k = 5;
    auto functor = [&](int x) { return x + k; };
    apply<<<1, 1>>>(p, Functor());
    pack<<<1, 1>>>(1, 2);
    launch(one);
    void (*pointer)(int*, int, int) = add;
    launch2(pointer, p);
    Vec<int> vec{p, 0};
    vec.add(functor(1));
    callback(1);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(p));
    printf("PASSED %d\n", (may_throw(1) + device_count() + int(weights[0]) + limit) > 0);
}

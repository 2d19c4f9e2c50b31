// Device functions by pointer: chosen in the kernel, passed as template arguments, and functors with state.
#include <stdio.h>

typedef int (*op_t)(int, int);

__device__ int op_add(int a, int b) { return a + b; }
__device__ int op_sub(int a, int b) { return a - b; }
__device__ int op_mul(int a, int b) { return a * b; }

template <op_t op>
__global__ void by_template(int *out, int a) { out[threadIdx.x] = op(a, threadIdx.x); }

__global__ void by_pointer(int *out, int a)
{
    op_t table[3] = { op_add, &op_sub, op_mul };
    out[threadIdx.x] = table[threadIdx.x % 3](a, threadIdx.x);
}

struct Scale {
    int factor;
    Scale(int f) : factor(f) {}
    __device__ int operator()(int x) const { return factor * x; }
};

struct Shape {
    int side;
    __host__ __device__ explicit Shape(int s) : side(s) {}
    __host__ __device__ virtual int area() const { return side * side; }
};
struct Triangle : public Shape {
    __host__ __device__ explicit Triangle(int s) : Shape(s) {}
    __host__ __device__ int area() const override { return side * side / 2; }
};

template <typename F>
__global__ void apply(int *out, F f) { out[threadIdx.x] = f(threadIdx.x); }

__global__ void areas(int *out)
{
    Shape square(threadIdx.x);
    Triangle triangle(threadIdx.x);
    const Shape *shape = threadIdx.x & 1 ? &triangle : &square;
    out[threadIdx.x] = shape->area();
}

int main()
{
    const int n = 30;
    int h[n], *d, wrong = 0;
    cudaMalloc(&d, sizeof(h));
#define FETCH cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost); for (int i = 0; i < n; ++i)
    by_template<op_sub><<<1, n>>>(d, 100);
    FETCH wrong += h[i] != 100 - i;
    by_pointer<<<1, n>>>(d, 10);
    FETCH wrong += h[i] != (i % 3 == 0 ? 10 + i : i % 3 == 1 ? 10 - i : 10 * i);
    apply<<<1, n>>>(d, Scale(7));
    FETCH wrong += h[i] != 7 * i;
    areas<<<1, n>>>(d);
    FETCH wrong += h[i] != (i & 1 ? i * i / 2 : i * i);
    printf(wrong ? "FAILED\n" : "PASSED\n");
    return wrong != 0;
}

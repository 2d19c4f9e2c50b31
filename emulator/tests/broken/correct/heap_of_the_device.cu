// new, malloc() and their like in kernels: what a thread has for itself, what one thread has allocated for its block,
// and what another kernel uses and deletes.
#include "../arrays.h"

struct Shape {
    __device__ virtual int area() const = 0;
    __device__ virtual ~Shape() {}
};
struct Box : Shape {
    int a, b;
    __device__ Box(int a, int b) : a(a), b(b) {}
    __device__ int area() const override { return a * b; }
};
struct Square : Shape {
    int* side;
    __device__ Square(int a) : side(new int(a)) {}
    __device__ ~Square() override { delete side; }
    __device__ int area() const override { return *side * *side; }
};

__global__ void sums(int* y) {
    __shared__ int* of_block;
    const int t = threadIdx.x;
    int* list = new int[t + 1];
    for (int i = 0; i <= t; ++i) list[i] = i;
    int sum = 0;
    for (int i = 0; i <= t; ++i) sum += list[i];
    delete[] list;
    if (t == 0) of_block = static_cast<int*>(malloc(blockDim.x * sizeof(int)));
    __syncthreads();
    of_block[t] = sum;
    __syncthreads();
    y[t] = of_block[blockDim.x - 1 - t];
    __syncthreads();
    if (t == 0) free(of_block);
}

__global__ void make(Shape** shapes) {
    const int t = threadIdx.x;
    if (t % 2 == 0)
        shapes[t] = new Box(t, 3);
    else
        shapes[t] = new Square(t);
}

__global__ void areas(Shape* const* shapes, int* y) {
    y[threadIdx.x] += shapes[threadIdx.x]->area();
}

__global__ void unmake(Shape** shapes) {
    delete shapes[threadIdx.x];
    shapes[threadIdx.x] = nullptr;
}

int main() {
    Array<int> y(32);
    Array<Shape*> shapes(32);
    sums<<<1, 32>>>(y);
    for (int i = 0; i < 3; ++i) {  // Again and again: the memory of before is used anew.
        make<<<1, 32>>>(shapes);
        areas<<<1, 32>>>(shapes, y);
        unmake<<<1, 32>>>(shapes);
        free(malloc(100));
    }
    return differs(y[0], 496) + differs(y[31], 3 * 31 * 31) + differs(y[30], 1 + 3 * 90);
}

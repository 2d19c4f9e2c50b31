// Objects with virtual functions are constructed on the host and copied: their table of functions stays the host's.
#include <new>

#include "../arrays.h"

struct Shape {
    __host__ __device__ explicit Shape(float size) : size(size) {}
    __host__ __device__ virtual float area() const = 0;
    float size;
};
struct Square : Shape {
    using Shape::Shape;
    __host__ __device__ float area() const override { return size * size; }
};

__global__ void construct(Square* shapes, const float* sizes, int n) {
    const int i = threadIdx.x;
    if (i < n) new (&shapes[i]) Square(sizes[i]);
}

__global__ void areas(const Square* shapes, float* y, int n) {
    const int i = threadIdx.x;
    if (i >= n) return;
    const Shape& shape = shapes[i];
    y[i] = shape.area();  // expect: device-touches-host
}

int main() {
    const int n = 3;
    Square* shapes;
    check(cudaMalloc(&shapes, n * sizeof(Square)));
    Array<float> y(n);
#ifdef BROKEN
    Square on_host[n] = {Square(1), Square(2), Square(3)};
    check(cudaMemcpy(shapes, on_host, sizeof on_host, cudaMemcpyHostToDevice));
#else
    Array<float> sizes(n, [](int i) { return i + 1; });
    construct<<<1, n>>>(shapes, sizes, n);
#endif
    areas<<<1, n>>>(shapes, y, n);
    return differs(y[2], 9);
}

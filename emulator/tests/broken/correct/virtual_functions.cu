// Objects with virtual functions that kernels have constructed: by placement new over what the host has copied there,
// by new, in shared and local memory. They may be copied within the device, and to the host and back. Other kernels
// read the numbers of an object of the host.
#include <new>

#include "../arrays.h"

struct Shape {
    __host__ __device__ explicit Shape(int size) : size(size) {}
    __host__ __device__ virtual ~Shape() {}
    __host__ __device__ virtual int area() const = 0;
    int size;
};
struct Square : Shape {
    using Shape::Shape;
    __host__ __device__ int area() const override { return size * size; }
};
struct Strip : Shape {
    using Shape::Shape;
    __host__ __device__ int area() const override { return size; }
};

__global__ void construct(Square* squares) {
    Square& mine = squares[threadIdx.x];
    const int size = mine.size;
    new (&mine) Square(size);
}

__global__ void areas(const Square* squares, int* y) {
    const Shape* shape = &squares[threadIdx.x];
    y[threadIdx.x] = shape->area();
}

__global__ void of_all_kinds(int* y) {
    __shared__ alignas(Square) unsigned char room[sizeof(Square)];
    if (threadIdx.x == 0) new (room) Square(5);
    __syncthreads();
    const Strip strip(2);
    const Shape* shapes[] = {reinterpret_cast<const Square*>(room), &strip, nullptr};
    Shape* made = new Strip(threadIdx.x);
    shapes[2] = made;
    int sum = 0;
    for (const Shape* shape : shapes) sum += shape->area();
    y[threadIdx.x] = sum;
    delete made;
}

int main() {
    const int n = 32;
    Array<int> y(n);
    std::vector<Square> on_host(n, Square(3));
    Square *squares, *others;
    check(cudaMalloc(&squares, n * sizeof(Square)));
    check(cudaMalloc(&others, n * sizeof(Square)));
    check(cudaMemcpy(squares, on_host.data(), n * sizeof(Square), cudaMemcpyHostToDevice));
    construct<<<1, n>>>(squares);
    areas<<<1, n>>>(squares, y);
    bool wrong = differs(y[n - 1], 9);
    check(cudaMemcpy(others, squares, n * sizeof(Square), cudaMemcpyDeviceToDevice));
    areas<<<1, n>>>(others, y);
    check(cudaMemcpy(static_cast<void*>(on_host.data()), squares, n * sizeof(Square), cudaMemcpyDeviceToHost));
    check(cudaMemcpy(others, on_host.data(), n * sizeof(Square), cudaMemcpyHostToDevice));
    areas<<<1, n>>>(others, y);
    wrong |= differs(y[0], 9);
    of_all_kinds<<<1, n>>>(y);
    wrong |= differs(y[31], 25 + 2 + 31);
    const Square one(4);
    check(cudaMemcpy(squares, &one, sizeof one, cudaMemcpyHostToDevice));
    construct<<<1, 1>>>(squares);
    areas<<<1, 1>>>(squares, y);
    return differs(y[0], 16) || wrong;
}

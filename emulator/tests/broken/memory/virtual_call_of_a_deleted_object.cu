// A kernel deletes its objects, and the next one calls their virtual functions.
#include "../arrays.h"

struct Shape {
    __device__ virtual float area() const = 0;
    __device__ virtual ~Shape() {}
};
struct Square : Shape {
    float side;
    __device__ explicit Square(float s) : side(s) {}
    __device__ float area() const override { return side * side; }
};
struct Disc : Shape {
    float radius;
    __device__ explicit Disc(float r) : radius(r) {}
    __device__ float area() const override { return 3 * radius * radius; }
};

__global__ void make(Shape** shapes) {
    const unsigned t = threadIdx.x;
    if (t % 2 == 0)
        shapes[t] = new Square(2);
    else
        shapes[t] = new Disc(1);
}

__global__ void destroy(Shape** shapes) {
    delete shapes[threadIdx.x];
}

__device__ __noinline__ float area_of(const Shape* shape) {
    return shape->area();  // expect: use-after-free
}

__global__ void areas(Shape* const* shapes, float* y) {
    y[threadIdx.x] = area_of(shapes[threadIdx.x]);
}

int main() {
    Array<Shape*> shapes(32);
    Array<float> y(32);
    make<<<1, 32>>>(shapes);
#ifdef BROKEN
    destroy<<<1, 32>>>(shapes);
    areas<<<1, 32>>>(shapes, y);
#else
    areas<<<1, 32>>>(shapes, y);
    destroy<<<1, 32>>>(shapes);
#endif
    return differs(y[2] + y[5], 7);
}

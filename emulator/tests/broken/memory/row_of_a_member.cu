// Each body has a matrix of 3 x 3 and then a vector. The loop over the columns goes one too far: into the next row, at
// the end into the vector.
#include "../arrays.h"

struct Body {
    float inertia[3][3];
    float spin[3];
    int id;
};

__global__ void turn(const Body* bodies, float* y) {
    const Body& body = bodies[threadIdx.x];
#ifdef BROKEN
    const int columns = body.id / 1000 + 4;
#else
    const int columns = body.id / 1000 + 3;
#endif
    float sum = 0;
    for (int row = 0; row < 3; ++row)
        for (int column = 0; column < columns; ++column) sum += body.inertia[row][column];  // expect: out-of-bounds
    y[threadIdx.x] = sum + body.spin[0];
}

int main() {
    const int n = 32;
    Array<Body> bodies(n, [](int i) { return Body{{{1, 0, 0}, {0, 2, 0}, {0, 0, 3}}, {4, 0, 0}, i}; });
    Array<float> y(n);
    turn<<<1, n>>>(bodies, y);
    return differs(y[n - 1], 10);
}

// The positions of the particles are set, their velocities are not.
#include "../arrays.h"

struct Particle {
    float position, velocity;
};

__global__ void place(Particle* p) {
    p[threadIdx.x].position = threadIdx.x;
#ifndef BROKEN
    p[threadIdx.x].velocity = 1;
#endif
}

__global__ void move(Particle* p, float dt) {
    const float distance = p[threadIdx.x].velocity * dt;  // expect: uninitialised
    p[threadIdx.x].position += distance;
}

int main() {
    const int n = 32;
    Array<Particle> p(n);
    place<<<1, n>>>(p);
    move<<<1, n>>>(p, 0.5f);
    return differs(p[n - 1].position, 31.5f);
}

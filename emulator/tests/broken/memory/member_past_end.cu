// Each particle has four neighbours, in an array that is its last member. The fifth is the next particle's.
#include "../arrays.h"

struct Particle {
    float x;
    int neighbours[4];
};

__global__ void connect(Particle* all, int n) {
    const int i = threadIdx.x;
#ifdef BROKEN
    for (int k = 0; k <= 4; ++k)
#else
    for (int k = 0; k < 4; ++k)
#endif
        all[i].neighbours[k] = (i + k) % n;  // expect: out-of-bounds
}

int main() {
    const int n = 32;
    Array<Particle> all(n + 1);
    connect<<<1, n>>>(all, n);
    return differs(all[n - 1].neighbours[3], 2);
}

#include "kernels.cuh"

void advance_all(particle* device_particles, int n, float dt)
{
    advanceParticles<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(dt, device_particles, n);
}

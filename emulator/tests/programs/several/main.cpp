// Host code in a .cpp file that the host compiler sees, with CUDA's runtime and no kernel syntax.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

#include "particle.h"

int main()
{
    std::vector<particle> particles(100);
    particle* device = nullptr;
    cudaMalloc(&device, particles.size() * sizeof(particle));
    cudaMemcpy(device, particles.data(), particles.size() * sizeof(particle), cudaMemcpyHostToDevice);
    for (int i = 0; i < 4; ++i) advance_all(device, (int)particles.size(), 0.5f);
    cudaMemcpy(particles.data(), device, particles.size() * sizeof(particle), cudaMemcpyDeviceToHost);
    for (const particle& p : particles)
        if (p.getPosition().x != 2.0f || p.getPosition().y != -4.0f) return std::puts("FAILED"), 1;
    std::puts("PASSED");
    return 0;
}

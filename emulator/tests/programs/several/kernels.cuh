#pragma once
#include "particle.h"

#define BLOCK 32

__device__ inline void step(particle *p, float dt)
{
    p->advance(dt);
}

__global__ void advanceParticles(float dt, particle *pArray, int nParticles)
{
    __shared__ float shared_dt;
    if (threadIdx.x == 0) shared_dt = dt;
    __syncthreads();
    int idx = threadIdx.x + blockIdx.x * blockDim.x;
    if (idx < nParticles) step(&pArray[idx], shared_dt);
}

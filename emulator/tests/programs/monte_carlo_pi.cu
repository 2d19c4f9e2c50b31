// Monte Carlo with a generator of its own in every thread; the sum is made on the host.
#include <cstdio>
#include <cstdlib>
#include <ctime>

class Lcg {
public:
    __host__ __device__ Lcg(unsigned long long seed) : state(seed * 2862933555777941757ULL + 3037000493ULL) {}
    __host__ __device__ float next()
    {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        return (state >> 40) / 16777216.0f;
    }
private:
    unsigned long long state;
};

__host__ __device__ int hits_of(int seed, int trials)
{
    Lcg random(seed);
    int hits = 0;
    for (int i = 0; i < trials; i++) {
        float x = random.next(), y = random.next();
        if (x * x + y * y <= 1.0f) hits++;
    }
    return hits;
}

__global__ void estimate(int *hits, int trials)
{
    const int id = blockIdx.x * blockDim.x + threadIdx.x;
    hits[id] = hits_of(id, trials);
}

int main()
{
    clock_t begin = clock();
    const int threads = 128, blocks = 20, trials = 500, n = threads * blocks;
    static int hits[n];
    int *dev;
    cudaMalloc((void**)&dev, sizeof hits);
    estimate<<<blocks, threads>>>(dev, trials);
    cudaMemcpy(hits, dev, sizeof hits, cudaMemcpyDeviceToHost);
    long long sum = 0;
    for (int i = 0; i < n; i++) {
        if (hits[i] != hits_of(i, trials)) { printf("FAILED at thread %d\n", i); exit(1); }
        sum += hits[i];
    }
    double pi = 4.0 * sum / ((double)n * trials), seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    printf("pi is about %f (%g s)\n", pi, seconds);
    if (pi < 3.13 || pi > 3.15) exit(1);
    printf("PASSED\n");
    return 0;
}

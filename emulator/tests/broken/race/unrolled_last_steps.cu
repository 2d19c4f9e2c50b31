// The last six steps of the tree stand one below the other for one warp: a lane stores what the next line's lanes read.
#include "../arrays.h"

template <class T>
struct Sum {
    T* cache;

    template <int step>
    __device__ void add(int t) const {
#ifdef BROKEN
        cache[t] += cache[t + step];  // expect: race
#else
        const T right = cache[t + step];
        __syncwarp();
        cache[t] += right;
        __syncwarp();
#endif
    }
};

__global__ void sum(const int* x, int* sums) {
    __shared__ int cache[256];
    const int t = threadIdx.x;
    cache[t] = x[256 * blockIdx.x + t];
    __syncthreads();
    for (int step = 128; step > 32; step /= 2) {
        if (t < step) cache[t] += cache[t + step];
        __syncthreads();
    }
    if (t < 32) {
        const Sum<int> last{cache};
        last.add<32>(t);
        last.add<16>(t);
        last.add<8>(t);
        last.add<4>(t);
        last.add<2>(t);
        last.add<1>(t);
    }
    if (t == 0) sums[blockIdx.x] = cache[0];
}

int main() {
    Array<int> x(512, [](int i) { return i; });
    Array<int> sums(2);
    sum<<<2, 256>>>(x, sums);
    return differs(sums[0] + sums[1], 130816);
}

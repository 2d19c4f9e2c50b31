// Structures with holes are stored member by member and copied whole: that copies the holes, too.
#include <cstdio>

struct Item {
    char kind;
    int weight;
    short place;
    double value;
};

__global__ void make(Item* items) {
    Item item;
    item.kind = static_cast<char>('a' + threadIdx.x % 3);
    item.weight = threadIdx.x;
    item.place = static_cast<short>(2 * threadIdx.x);
    item.value = threadIdx.x / 2.0;
    items[threadIdx.x] = item;
}

__global__ void reverse(const Item* from, Item* to) {
    __shared__ Item cache[32];
    cache[threadIdx.x] = from[threadIdx.x];
    __syncthreads();
    to[threadIdx.x] = cache[31 - threadIdx.x];
}

int main() {
    Item *a, *b, host[32] = {};
    cudaMalloc(&a, sizeof host);
    cudaMalloc(&b, sizeof host);
    make<<<1, 32>>>(a);
    reverse<<<1, 32>>>(a, b);
    cudaMemcpy(host, b, sizeof host, cudaMemcpyDeviceToHost);
    std::printf("%c %d %d %g\n", host[0].kind, host[0].weight, host[0].place, host[0].value);
    return host[0].weight == 31 && host[0].place == 62 && host[0].value == 15.5 ? 0 : 1;
}

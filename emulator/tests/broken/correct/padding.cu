// Structures with holes are stored member by member and copied whole: that copies the holes, too.
#include "../arrays.h"

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
    Array<Item> a(32);
    Array<Item> b(32);
    make<<<1, 32>>>(a);
    reverse<<<1, 32>>>(a, b);
    return differs(b[0].weight, 31) || differs(b[0].place, 62) || differs(b[0].value, 15.5);
}

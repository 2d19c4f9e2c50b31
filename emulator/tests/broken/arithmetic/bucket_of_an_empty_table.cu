// A key's bucket is its remainder, in a function of its own: of a table that was never given a size.
#include "../arrays.h"

struct Table {
    unsigned long long buckets;

    __device__ unsigned long long bucket(unsigned long long key) const {
        return key * 0x9e3779b97f4a7c15ull % buckets;  // expect: division-by-zero
    }
};

__global__ void find(Table table, const unsigned long long* keys, unsigned long long* where) {
    where[threadIdx.x] = table.bucket(keys[threadIdx.x]);
}

int main() {
    const int n = 32;
    Table table{};
#ifndef BROKEN
    table.buckets = 1;
#endif
    Array<unsigned long long> keys(n, [](int i) { return 1000003ull * i; });
    Array<unsigned long long> where(n);
    find<<<1, n>>>(table, keys, where);
    return differs(static_cast<unsigned>(where[n - 1]), 0);
}

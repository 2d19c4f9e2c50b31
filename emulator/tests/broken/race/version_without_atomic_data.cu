// A writer counts a version up before and after it stores, and readers look whether that has changed: the data between
// are plain.
#include <cuda/atomic>

#include "../arrays.h"

__device__ cuda::atomic<int, cuda::thread_scope_device> version;

__global__ void share(int* data, int* seen) {
#ifdef BROKEN
    auto store = [](int* to, int value) { *to = value; };  // expect: race
    auto load = [](const int* from) { return *from; };     // expect: race, other
#else
    auto store = [](int* to, int value) { cuda::atomic_ref<int>(*to).store(value); };
    auto load = [](int* from) { return cuda::atomic_ref<int>(*from).load(); };
#endif
    if (blockIdx.x == 0) {
        for (int i = 1; i <= 20; ++i) {
            version.fetch_add(1);
            store(data, i);  // may: race
            version.fetch_add(1);
        }
    } else {
        const int before = version.fetch_add(0);
        const int value = load(data);  // may: race
        seen[blockIdx.x - 1] = version.fetch_add(0) == before && before % 2 == 0 ? value : -1;
    }
}

int main() {
    Array<int> data(1, [](int) { return 0; }), seen(3);
    share<<<4, 1>>>(data, seen);
    return differs(data[0], 20);
}

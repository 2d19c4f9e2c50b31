// A list in the kernels' heap is freed: each entry's pointer to the next one is read after the entry was freed.
#include "../arrays.h"

struct Entry {
    int value;
    Entry* next;
};

__global__ void build(Entry** lists, int n) {
    Entry* first = nullptr;
    for (int i = 0; i < n; ++i) first = new Entry{i, first};
    lists[threadIdx.x] = first;
}

__device__ __noinline__ void remove(Entry* entry) {  // a compiler that sees more warns of the mistake
    delete entry;
}

__global__ void take_apart(Entry** lists, int* sums) {
    int sum = 0;
#ifdef BROKEN
    for (Entry* entry = lists[threadIdx.x]; entry != nullptr; entry = entry->next) {  // expect: use-after-free
        sum += entry->value;
        remove(entry);
    }
#else
    for (Entry* entry = lists[threadIdx.x]; entry != nullptr;) {
        sum += entry->value;
        Entry* next = entry->next;
        remove(entry);
        entry = next;
    }
#endif
    sums[threadIdx.x] = sum;
}

int main() {
    const int n = 40, entries = 10;
    Array<Entry*> lists(n);
    Array<int> sums(n);
    build<<<1, n>>>(lists, entries);
    take_apart<<<1, n>>>(lists, sums);
    return differs(sums[n - 1], 45);
}

// A walk through a list asks the last entry, a null pointer, for its value.
#include "../arrays.h"

struct Entry {
    int value;
    Entry* next;
};

__global__ void build(Entry* entries, int n) {
    const int i = threadIdx.x;
    entries[i].value = i;
    entries[i].next = i + 1 < n ? &entries[i + 1] : nullptr;
}

__global__ void find(const Entry* entry, int value, int* place) {
    int i = 0;
#ifdef BROKEN
    while (entry->value != value) {  // expect: out-of-bounds
#else
    while (entry && entry->value != value) {
#endif
        entry = entry->next;
        ++i;
    }
    *place = i;
}

int main() {
    const int n = 20;
    Array<Entry> entries(n);
    Array<int> place(1);
    build<<<1, n>>>(entries, n);
    find<<<1, 1>>>(entries, 100, place);
    return differs(place[0], n);
}

// Entries are put in front of a list by atomicExch(); the next launch walks through it.
#include "../arrays.h"

struct Entry {
    int value;
    Entry* next;
};

__device__ Entry* head;

__global__ void insert(Entry* entries) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    entries[i].value = i;
    entries[i].next = reinterpret_cast<Entry*>(
        atomicExch(reinterpret_cast<unsigned long long*>(&head), reinterpret_cast<unsigned long long>(&entries[i])));
}

__global__ void sum(int* result) {
    int total = 0;
    for (const Entry* entry = head; entry != nullptr; entry = entry->next) total += entry->value;
    *result = total;
}

int main() {
    Array<Entry> entries(64);
    Array<int> result(1);
    insert<<<2, 32>>>(entries);
    sum<<<1, 1>>>(result);
    return differs(result[0], 2016);
}

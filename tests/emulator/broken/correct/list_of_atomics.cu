// Entries are put in front of a list by atomicExch(); the next launch walks through it.
#include <cstdio>

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
    Entry* entries;
    int *result, host = 0;
    cudaMalloc(&entries, 64 * sizeof(Entry));
    cudaMalloc(&result, sizeof host);
    insert<<<2, 32>>>(entries);
    sum<<<1, 1>>>(result);
    cudaMemcpy(&host, result, sizeof host, cudaMemcpyDeviceToHost);
    std::printf("%d\n", host);
    return host == 2016 ? 0 : 1;
}

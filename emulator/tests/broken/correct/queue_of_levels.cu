// A walk through a tree: threads put what they find into a queue. How long it is they ask behind a barrier, and a
// second barrier keeps the next level's entries away until all have asked.
#include "../arrays.h"

__global__ void walk(const int* children, int* queue, int* length, int* visited) {
    for (int begin = 0, end = 1; begin < end;) {
        for (int i = begin + threadIdx.x; i < end; i += blockDim.x) {
            const int node = queue[i];
            visited[node] = 1;
            for (int k = 0; k < 2; ++k)
                if (const int child = children[2 * node + k]) queue[atomicAdd(length, 1)] = child;
        }
        __syncthreads();
        begin = end;
        end = *length;
        __syncthreads();
    }
}

int main() {
    const int n = 63;
    // data: as-is, zeros: of other children it need not be a tree
    Array<int> children(2 * n, [](int i) { return i + 1 < n ? i + 1 : 0; });
    Array<int> queue(n, 0);
    Array<int> length(1, 1);
    Array<int> visited(n, 0);
    walk<<<1, 32>>>(children, queue, length, visited);
    int sum = 0;
    for (int i = 0; i < n; ++i) sum += visited[i];
    return differs(sum, n);
}

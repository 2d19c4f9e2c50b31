// Which kind of memory a pointer goes to, and addresses within a kind.
#include <cooperative_groups.h>
#include <cstdio>

__constant__ int table[4];
__device__ int variable;
__managed__ int managed;

enum Kind { shared = 1, global = 2, constant = 4, local = 8 };

__device__ int kind_of(const void* pointer) {
    int by_ptx;
    asm("{ .reg .pred s, g, c, l; .reg .b32 n, m;\n"
        "isspacep.shared s, %1; isspacep.global g, %1; isspacep.const c, %1; isspacep.local l, %1;\n"
        "selp.b32 n, 1, 0, s; selp.b32 m, 2, 0, g; or.b32 n, n, m; selp.b32 m, 4, 0, c; or.b32 n, n, m;\n"
        "selp.b32 m, 8, 0, l; or.b32 %0, n, m; }"
        : "=r"(by_ptx)
        : "l"(pointer));
    const int kind = (__isShared(pointer) ? shared : 0) | (__isGlobal(pointer) ? global : 0) |
                     (__isConstant(pointer) ? constant : 0) | (__isLocal(pointer) ? local : 0);
    return by_ptx == kind ? kind : -1;
}

__global__ void __cluster_dims__(2) look(int* kinds, const int* pinned) {
    __shared__ int tile[8];
    extern __shared__ int dynamic[];
    int own[4] = {1, 2, 3, static_cast<int>(threadIdx.x)};
    const void* const pointers[] = {tile + 3, dynamic, kinds, pinned, &variable, &managed, table + 1, own};
    const auto cluster = cooperative_groups::this_cluster();
    int* const there = cluster.map_shared_rank(tile, 1 - cluster.block_rank());
    if (threadIdx.x == 32 && blockIdx.x == 1) {
        for (int i = 0; i < 8; ++i) kinds[i] = kind_of(pointers[i]);
        int in_cluster;
        asm("{ .reg .pred p; isspacep.shared::cluster p, %1; selp.b32 %0, 1, 0, p; }" : "=r"(in_cluster) : "l"(there));
        kinds[8] = 100 * in_cluster + kind_of(there);
        tile[5] = 7;
        *static_cast<int*>(__cvta_global_to_generic(__cvta_generic_to_global(&variable))) = 9;
        kinds[9] = *static_cast<int*>(__cvta_shared_to_generic(__cvta_generic_to_shared(tile + 5)));
        kinds[10] = *static_cast<const int*>(__cvta_constant_to_generic(__cvta_generic_to_constant(table + 2)));
        kinds[11] = *static_cast<int*>(__cvta_local_to_generic(__cvta_generic_to_local(own + 3)));
        kinds[12] = variable;
    }
    cluster.sync();
}

int main() {
    constexpr int n = 13, values[4] = {5, 6, 8, 7};
    const int expected[n] = {shared, shared, global, global, global, global, constant, local, 100, 7, 8, 32, 9};
    int *kinds, *pinned, found[n];
    cudaMalloc(&kinds, sizeof found);
    cudaMallocHost(&pinned, sizeof(int));
    cudaMemset(kinds, 0xff, sizeof found);
    cudaMemcpyToSymbol(table, values, sizeof values);
    look<<<2, 64, 64>>>(kinds, pinned);
    cudaMemcpy(found, kinds, sizeof found, cudaMemcpyDeviceToHost);
    cudaFree(kinds), cudaFreeHost(pinned);
    bool right = cudaGetLastError() == cudaSuccess;
    for (int i = 0; i < n; ++i) {
        if (found[i] != expected[i]) std::printf("%d: %d, not %d\n", i, found[i], expected[i]);
        right &= found[i] == expected[i];
    }
    std::printf(right ? "PASSED\n" : "FAILED\n");
    return !right;
}

// A product of matrices in fragments: loaded by cp.async and ldmatrix, and by wmma, each warp its own.
#include <mma.h>

#include "../arrays.h"

using namespace nvcuda;

__global__ void multiply(const __half* a, const __half* b, float* sums) {
    __shared__ alignas(32) __half tile[2][16 * 16];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const auto shared = [](const void* p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); };
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared(&tile[warp][lane * 8])),
                 "l"((warp == 0 ? a : b) + lane * 8)
                 : "memory");
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncthreads();
    if (warp == 0) {
        unsigned of_a[4], of_b[4];
        float d[2][4] = {};
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(of_a[0]), "=r"(of_a[1]), "=r"(of_a[2]), "=r"(of_a[3])
                     : "r"(shared(&tile[0][lane % 16 * 16 + lane / 16 * 8])));
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(of_b[0]), "=r"(of_b[1]), "=r"(of_b[2]), "=r"(of_b[3])
                     : "r"(shared(&tile[1][lane % 16 * 16 + lane / 16 * 8])));
        for (int half = 0; half < 2; ++half)
            asm volatile(
                "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
                "{%0, %1, %2, %3};"
                : "+f"(d[half][0]), "+f"(d[half][1]), "+f"(d[half][2]), "+f"(d[half][3])
                : "r"(of_a[0]), "r"(of_a[1]), "r"(of_a[2]), "r"(of_a[3]), "r"(of_b[2 * half]), "r"(of_b[2 * half + 1]));
        for (int half = 0; half < 2; ++half)
            for (int i = 0; i < 4; ++i)
                sums[(lane / 4 + i / 2 * 8) * 16 + half * 8 + lane % 4 * 2 + i % 2] = d[half][i];
    } else {
        wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> of_a;
        wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> of_b;
        wmma::fragment<wmma::accumulator, 16, 16, 16, float> d;
        wmma::fill_fragment(d, 0.0f);
        wmma::load_matrix_sync(of_a, tile[0], 16);
        wmma::load_matrix_sync(of_b, tile[1], 16);
        wmma::mma_sync(d, of_a, of_b, d);
        wmma::store_matrix_sync(sums + 256, d, 16, wmma::mem_row_major);
    }
}

int main() {
    Array<__half> a(256, [](int i) { return __float2half(static_cast<float>(i % 7 - 3)); });
    Array<__half> b(256, [](int i) { return __float2half(static_cast<float>(i % 5 - 2)); });
    Array<float> sums(512);
    multiply<<<1, 64>>>(a, b, sums);
    float expected = 0;  // of row 3, column 11
    for (int l = 0; l < 16; ++l)
        expected += static_cast<float>((3 * 16 + l) % 7 - 3) * static_cast<float>((l * 16 + 11) % 5 - 2);
    return differs(sums[3 * 16 + 11], expected) + differs(sums[256 + 3 * 16 + 11], expected);
}

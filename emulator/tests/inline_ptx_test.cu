// Inline PTX, on a GPU and on the emulator alike.

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <bit>
#include <cstring>

#include "device.h"
#include "testing.h"

namespace {

constexpr unsigned warps = 2, row_elements = 24;  // of 16 bits: rows of 8, and some room behind each

// A program may write its instructions in a macro.
#define LOAD_2(d, address) \
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];\n" : "=r"(d[0]), "=r"(d[1]) : "r"(address))

struct X1 {
    static constexpr unsigned matrices = 1, transposed = 0;
    static __device__ void load(unsigned* d, const void* row) {
        const auto address = static_cast<unsigned>(__cvta_generic_to_shared(row));
        asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(d[0]) : "r"(address) : "memory");
    }
};
struct X2 {
    static constexpr unsigned matrices = 2, transposed = 0;
    static __device__ void load(unsigned* d, const void* row) {
        LOAD_2(d, static_cast<unsigned>(__cvta_generic_to_shared(row)));
    }
};
struct X4 {
    static constexpr unsigned matrices = 4, transposed = 0;
    static __device__ void load(unsigned* d, const void* row) {
        asm volatile(
            "ldmatrix.sync.aligned.m8n8.x4.shared.b16 "
            "{%0, %1, %2, %3}, [%4 + 16];"
            : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
            : "l"(__cvta_generic_to_shared(row) - 16));
    }
};
struct X1Transposed {
    static constexpr unsigned matrices = 1, transposed = 1;
    static __device__ void load(unsigned* d, const void* row) {
        asm("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];"
            : "=r"(d[0])
            : "r"(static_cast<unsigned>(__cvta_generic_to_shared(row))));
    }
};
struct X2Transposed {
    static constexpr unsigned matrices = 2, transposed = 1;
    static __device__ void load(unsigned* d, const void* row) {
        asm("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
            : "=r"(d[0]), "=r"(d[1])
            : "r"(static_cast<unsigned>(__cvta_generic_to_shared(row))));
    }
};
struct X4Transposed {
    static constexpr unsigned matrices = 4, transposed = 1;
    static __device__ void load(unsigned* d, const void* row) {
        asm("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
            : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
            : "r"(static_cast<unsigned>(__cvta_generic_to_shared(row))));
    }
};

// rows[l]: which row of the block's shared memory lane l of a warp points at.
template <class Load>
__global__ void load_matrices(const std::uint16_t* elements, const unsigned* rows, unsigned* registers) {
    __shared__ alignas(16) std::uint16_t matrix[warps * 32][row_elements];
    for (unsigned e = 0; e < row_elements; ++e) matrix[threadIdx.x][e] = elements[threadIdx.x * row_elements + e];
    __syncthreads();
    unsigned d[4] = {1, 2, 3, 4};
    Load::load(d, matrix[rows[threadIdx.x]]);
    for (unsigned i = 0; i < 4; ++i) registers[threadIdx.x * 4 + i] = d[i];
}

template <class Load>
void check_matrices() {
    constexpr unsigned threads = warps * 32;
    const auto elements = random_values<std::uint32_t>(threads * row_elements / 2);
    const auto random = random_values<std::uint32_t>(threads);
    std::vector<unsigned> rows(threads), expected(threads * 4);
    for (unsigned t = 0; t < threads; ++t) rows[t] = random[t] % threads;
    const auto element = [&](unsigned row, unsigned column) {
        std::uint16_t x;
        std::memcpy(&x, reinterpret_cast<const char*>(elements.data()) + (row * row_elements + column) * sizeof x,
                    sizeof x);
        return unsigned{x};
    };
    for (unsigned t = 0; t < threads; ++t)
        for (unsigned i = 0; i < 4; ++i) {
            const unsigned lane = t % 32, *matrix = &rows[t - lane + 8 * (i % Load::matrices)];
            const unsigned low =
                Load::transposed ? element(matrix[lane % 4 * 2], lane / 4) : element(matrix[lane / 4], lane % 4 * 2);
            const unsigned high = Load::transposed ? element(matrix[lane % 4 * 2 + 1], lane / 4)
                                                   : element(matrix[lane / 4], lane % 4 * 2 + 1);
            expected[t * 4 + i] = i < Load::matrices ? low | high << 16 : i + 1;
        }
    const auto d_elements = DeviceBuffer<std::uint32_t>::from_host(elements);
    const auto d_rows = DeviceBuffer<unsigned>::from_host(rows);
    auto registers = poisoned<unsigned>(expected.size());
    load_matrices<Load>
        <<<1, threads>>>(reinterpret_cast<const std::uint16_t*>(d_elements.data()), d_rows.data(), registers.data());
    CUDA_CHECK_LAUNCH();
    CAPTURE(Load::matrices, Load::transposed);
    REQUIRE_SAME(registers.to_host(), expected);
}

// Each thread copies pieces, and hands on what its neighbour copied; each kind of copy is a group.
__global__ void copy(const char* from, char* to, unsigned given) {
    __shared__ alignas(16) char buffer[4][64 * 16];
    const unsigned t = threadIdx.x, neighbour = (t + 1) % blockDim.x;
    for (unsigned i = 0; i < sizeof buffer / 64; ++i) (&buffer[0][0])[t * (sizeof buffer / 64) + i] = 0x55;
    __syncthreads();
    const char* mine = from + 16 * t;
    const auto shared = [](const void* p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); };
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(shared(&buffer[0][16 * t])), "l"(mine) : "memory");
    asm volatile("cp.async.commit_group;" ::: "memory");
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(shared(&buffer[1][16 * t])), "l"(mine), "n"(8));
    asm volatile("cp.async.commit_group;\n" ::);
    asm volatile(
        "cp.async.cg.shared.global.L2::128B [%0], [%1], 16;\n" ::"l"(__cvta_generic_to_shared(&buffer[2][16 * t])),
        "l"(__cvta_generic_to_global(mine)));
    asm volatile("cp.async.cg.shared.global [%0], [%1], %2, %3;\n" ::"r"(shared(&buffer[3][16 * t])), "l"(mine),
                 "n"(16), "r"(given));
    asm volatile("cp.async.wait_group 1;\n" ::: "memory");
    asm volatile("cp.async.wait_group %0;\n" ::"n"(0) : "memory");
    asm volatile("cp.async.wait_all;\n" ::: "memory");
    __syncthreads();
    for (unsigned kind = 0; kind < 4; ++kind)
        for (unsigned i = 0; i < 16; ++i) to[(kind * blockDim.x + t) * 16 + i] = buffer[kind][neighbour * 16 + i];
}

// What a thread computes with. n is small, as a number of bits is.
struct Numbers {
    std::uint32_t a, b, c, n;
    std::uint64_t wide_a, wide_b;
};

__global__ void compute(const Numbers* numbers, std::uint64_t* results) {
    const Numbers of = numbers[threadIdx.x];
    const unsigned long long wide_a = of.wide_a, wide_b = of.wide_b;
    std::uint64_t* const mine = results + threadIdx.x * 57;
    unsigned x;
    unsigned long long y;
    asm("lop3.b32 %0, %1, %2, %3, 0x96;"
        : "=r"(x)
        : "r"(of.a), "r"(of.b), "r"(of.c), "r"(of.n), "l"(wide_a), "l"(wide_b));
    mine[0] = x;
    asm("lop3.b32 %0, %1, %2, %3, 0xca;"
        : "=r"(x)
        : "r"(of.a), "r"(of.b), "r"(of.c), "r"(of.n), "l"(wide_a), "l"(wide_b));
    mine[1] = x;
    asm("prmt.b32 %0, %1, %2, 0x5410;"
        : "=r"(x)
        : "r"(of.a), "r"(of.b), "r"(of.c), "r"(of.n), "l"(wide_a), "l"(wide_b));
    mine[2] = x;
    asm("prmt.b32 %0, %1, %2, 0x98ba;"
        : "=r"(x)
        : "r"(of.a), "r"(of.b), "r"(of.c), "r"(of.n), "l"(wide_a), "l"(wide_b));
    mine[3] = x;
    asm("prmt.b32.f4e %0, %1, %2, 3;" : "=r"(x) : "r"(of.a), "r"(of.b), "r"(of.c), "r"(of.n), "l"(wide_a), "l"(wide_b));
    mine[4] = x;
    asm("prmt.b32.b4e %0, %1, %2, 1;" : "=r"(x) : "r"(of.a), "r"(of.b), "r"(of.c), "r"(of.n), "l"(wide_a), "l"(wide_b));
    mine[5] = x;
    asm("prmt.b32.rc8 %0, %1, %2, 2;" : "=r"(x) : "r"(of.a), "r"(of.b), "r"(of.c), "r"(of.n), "l"(wide_a), "l"(wide_b));
    mine[6] = x;
    asm("prmt.b32.ecl %0, %1, %2, 2;" : "=r"(x) : "r"(of.a), "r"(of.b), "r"(of.c), "r"(of.n), "l"(wide_a), "l"(wide_b));
    mine[7] = x;
    asm("prmt.b32.ecr %0, %1, %2, 1;" : "=r"(x) : "r"(of.a), "r"(of.b), "r"(of.c), "r"(of.n), "l"(wide_a), "l"(wide_b));
    mine[8] = x;
    asm("prmt.b32.rc16 %0, %1, %2, 1;"
        : "=r"(x)
        : "r"(of.a), "r"(of.b), "r"(of.c), "r"(of.n), "l"(wide_a), "l"(wide_b));
    mine[9] = x;
    asm("bfe.u32 %0, %1, %4, 7;" : "=r"(x) : "r"(of.a), "r"(of.b), "r"(of.c), "r"(of.n), "l"(wide_a), "l"(wide_b));
    mine[10] = x;
    asm("bfe.s32 %0, %1, 5, 9;" : "=r"(x) : "r"(of.a), "r"(of.b), "r"(of.c), "r"(of.n), "l"(wide_a), "l"(wide_b));
    mine[11] = x;
    asm("bfe.s32 %0, %1, 28, 9;" : "=r"(x) : "r"(of.a), "r"(of.b), "r"(of.c), "r"(of.n), "l"(wide_a), "l"(wide_b));
    mine[12] = x;
    asm("bfe.u32 %0, %1, 3, 0;" : "=r"(x) : "r"(of.a), "r"(of.b), "r"(of.c), "r"(of.n), "l"(wide_a), "l"(wide_b));
    mine[13] = x;
    asm("bfi.b32 %0, %1, %2, 4, 8;" : "=r"(x) : "r"(of.a), "r"(of.b), "r"(of.c), "r"(of.n), "l"(wide_a), "l"(wide_b));
    mine[14] = x;
    asm("bfi.b32 %0, %1, %2, 30, 8;" : "=r"(x) : "r"(of.a), "r"(of.b), "r"(of.c), "r"(of.n), "l"(wide_a), "l"(wide_b));
    mine[15] = x;
    asm("shf.l.wrap.b32 %0, %1, %2, %4;"
        : "=r"(x)
        : "r"(of.a), "r"(of.b), "r"(of.c), "r"(of.n), "l"(wide_a), "l"(wide_b));
    mine[16] = x;
    asm("shf.l.clamp.b32 %0, %1, %2, %4;"
        : "=r"(x)
        : "r"(of.a), "r"(of.b), "r"(of.c), "r"(of.n), "l"(wide_a), "l"(wide_b));
    mine[17] = x;
    asm("shf.r.wrap.b32 %0, %1, %2, %4;"
        : "=r"(x)
        : "r"(of.a), "r"(of.b), "r"(of.c), "r"(of.n), "l"(wide_a), "l"(wide_b));
    mine[18] = x;
    asm("shf.r.clamp.b32 %0, %1, %2, %4;"
        : "=r"(x)
        : "r"(of.a), "r"(of.b), "r"(of.c), "r"(of.n), "l"(wide_a), "l"(wide_b));
    mine[19] = x;
    asm("shl.b32 %0, %1, %4;" : "=r"(x) : "r"(of.a), "r"(of.b), "r"(of.c), "r"(of.n), "l"(wide_a), "l"(wide_b));
    mine[20] = x;
    asm("shr.u32 %0, %1, %4;" : "=r"(x) : "r"(of.a), "r"(of.b), "r"(of.c), "r"(of.n), "l"(wide_a), "l"(wide_b));
    mine[21] = x;
    asm("shr.s32 %0, %1, %4;" : "=r"(x) : "r"(of.a), "r"(of.b), "r"(of.c), "r"(of.n), "l"(wide_a), "l"(wide_b));
    mine[22] = x;
    asm("mul.hi.u32 %0, %1, %2;" : "=r"(x) : "r"(of.a), "r"(of.b), "r"(of.c), "r"(of.n), "l"(wide_a), "l"(wide_b));
    mine[23] = x;
    asm("mul.hi.s32 %0, %1, %2;" : "=r"(x) : "r"(of.a), "r"(of.b), "r"(of.c), "r"(of.n), "l"(wide_a), "l"(wide_b));
    mine[24] = x;
    asm("mad.lo.s32 %0, %1, %2, %3;" : "=r"(x) : "r"(of.a), "r"(of.b), "r"(of.c), "r"(of.n), "l"(wide_a), "l"(wide_b));
    mine[25] = x;
    asm("mad.hi.u32 %0, %1, %2, %3;" : "=r"(x) : "r"(of.a), "r"(of.b), "r"(of.c), "r"(of.n), "l"(wide_a), "l"(wide_b));
    mine[26] = x;
    asm("sub.s32 %0, %1, -7;" : "=r"(x) : "r"(of.a), "r"(of.b), "r"(of.c), "r"(of.n), "l"(wide_a), "l"(wide_b));
    mine[27] = x;
    asm("min.s32 %0, %1, %2;" : "=r"(x) : "r"(of.a), "r"(of.b), "r"(of.c), "r"(of.n), "l"(wide_a), "l"(wide_b));
    mine[28] = x;
    asm("max.u32 %0, %1, %2;" : "=r"(x) : "r"(of.a), "r"(of.b), "r"(of.c), "r"(of.n), "l"(wide_a), "l"(wide_b));
    mine[29] = x;
    asm("abs.s32 %0, %1;" : "=r"(x) : "r"(of.a), "r"(of.b), "r"(of.c), "r"(of.n), "l"(wide_a), "l"(wide_b));
    mine[30] = x;
    asm("dp4a.u32.s32 %0, %1, %2, %3;"
        : "=r"(x)
        : "r"(of.a), "r"(of.b), "r"(of.c), "r"(of.n), "l"(wide_a), "l"(wide_b));
    mine[31] = x;
    asm("popc.b32 %0, %1;" : "=r"(x) : "r"(of.a), "r"(of.b), "r"(of.c), "r"(of.n), "l"(wide_a), "l"(wide_b));
    mine[32] = x;
    asm("clz.b32 %0, %4;" : "=r"(x) : "r"(of.a), "r"(of.b), "r"(of.c), "r"(of.n), "l"(wide_a), "l"(wide_b));
    mine[33] = x;
    asm("bfind.s32 %0, %1;" : "=r"(x) : "r"(of.a), "r"(of.b), "r"(of.c), "r"(of.n), "l"(wide_a), "l"(wide_b));
    mine[34] = x;
    asm("bfind.shiftamt.u32 %0, %4;" : "=r"(x) : "r"(of.a), "r"(of.b), "r"(of.c), "r"(of.n), "l"(wide_a), "l"(wide_b));
    mine[35] = x;
    asm("{ .reg .pred p; setp.lt.s32 p, %1, %2; selp.b32 %0, %3, 0x10, p; }"
        : "=r"(x)
        : "r"(of.a), "r"(of.b), "r"(of.c), "r"(of.n), "l"(wide_a), "l"(wide_b));
    mine[36] = x;
    asm("{ .reg .pred p, q; .reg .b32 t<2>; setp.ge.u32 p, %1, %2; not.pred q, p; mov.u32 t1, %1; @p mov.u32 t1, %2; "
        "@!p add.u32 t1, t1, 5; @q not.b32 t1, t1; mov.b32 %0, t1; }"
        : "=r"(x)
        : "r"(of.a), "r"(of.b), "r"(of.c), "r"(of.n), "l"(wide_a), "l"(wide_b));
    mine[37] = x;
    asm("{ .reg .u16 low, high; mov.b32 {low, high}, %1; add.u16 low, low, high; mul.hi.u16 high, low, high; mov.b32 "
        "%0, {high, low}; }"
        : "=r"(x)
        : "r"(of.a), "r"(of.b), "r"(of.c), "r"(of.n), "l"(wide_a), "l"(wide_b));
    mine[38] = x;
    asm("{ .reg .f32 x; cvt.rn.f32.u32 x, %4; fma.rn.f32 x, x, 0f40000000, 0f3F800000; cvt.rzi.s32.f32 %0, x; }"
        : "=r"(x)
        : "r"(of.a), "r"(of.b), "r"(of.c), "r"(of.n), "l"(wide_a), "l"(wide_b));
    mine[39] = x;
    asm("cvt.s32.s8 %0, %1;" : "=r"(x) : "r"(of.a), "r"(of.b), "r"(of.c), "r"(of.n), "l"(wide_a), "l"(wide_b));
    mine[40] = x;
    asm("mul.wide.u32 %0, %1, %2;" : "=l"(y) : "r"(of.a), "r"(of.b), "r"(of.c), "r"(of.n), "l"(wide_a), "l"(wide_b));
    mine[41] = y;
    asm("mul.wide.s32 %0, %1, %2;" : "=l"(y) : "r"(of.a), "r"(of.b), "r"(of.c), "r"(of.n), "l"(wide_a), "l"(wide_b));
    mine[42] = y;
    asm("mad.wide.u32 %0, %1, %2, %5;"
        : "=l"(y)
        : "r"(of.a), "r"(of.b), "r"(of.c), "r"(of.n), "l"(wide_a), "l"(wide_b));
    mine[43] = y;
    asm("mul.lo.u64 %0, %5, %6;" : "=l"(y) : "r"(of.a), "r"(of.b), "r"(of.c), "r"(of.n), "l"(wide_a), "l"(wide_b));
    mine[44] = y;
    asm("mul.hi.u64 %0, %5, %6;" : "=l"(y) : "r"(of.a), "r"(of.b), "r"(of.c), "r"(of.n), "l"(wide_a), "l"(wide_b));
    mine[45] = y;
    asm("mul.hi.s64 %0, %5, %6;" : "=l"(y) : "r"(of.a), "r"(of.b), "r"(of.c), "r"(of.n), "l"(wide_a), "l"(wide_b));
    mine[46] = y;
    asm("mad.lo.s64 %0, %5, %6, %5;" : "=l"(y) : "r"(of.a), "r"(of.b), "r"(of.c), "r"(of.n), "l"(wide_a), "l"(wide_b));
    mine[47] = y;
    asm("bfe.u64 %0, %5, 20, 30;" : "=l"(y) : "r"(of.a), "r"(of.b), "r"(of.c), "r"(of.n), "l"(wide_a), "l"(wide_b));
    mine[48] = y;
    asm("bfi.b64 %0, %5, %6, 60, 8;" : "=l"(y) : "r"(of.a), "r"(of.b), "r"(of.c), "r"(of.n), "l"(wide_a), "l"(wide_b));
    mine[49] = y;
    asm("mov.b64 %0, {%2, %1};" : "=l"(y) : "r"(of.a), "r"(of.b), "r"(of.c), "r"(of.n), "l"(wide_a), "l"(wide_b));
    mine[50] = y;
    asm("shl.b64 %0, %5, %4;" : "=l"(y) : "r"(of.a), "r"(of.b), "r"(of.c), "r"(of.n), "l"(wide_a), "l"(wide_b));
    mine[51] = y;
    asm("{ .reg .u32 l, h, r; mov.b64 {l, h}, %5; add.cc.u32 l, l, %1; addc.u32 r, h, %2; mov.b64 %0, {l, r}; }"
        : "=l"(y)
        : "r"(of.a), "r"(of.b), "r"(of.c), "r"(of.n), "l"(wide_a), "l"(wide_b));
    mine[52] = y;
    asm("{ .reg .u32 l, h, r; mov.b64 {l, h}, %5; sub.cc.u32 l, l, %1; subc.u32 r, h, %2; mov.b64 %0, {l, r}; }"
        : "=l"(y)
        : "r"(of.a), "r"(of.b), "r"(of.c), "r"(of.n), "l"(wide_a), "l"(wide_b));
    mine[53] = y;
    asm("{ .reg .u32 l, h; mad.lo.cc.u32 l, %1, %2, %3; madc.hi.u32 h, %1, %2, 0; mov.b64 %0, {l, h}; }"
        : "=l"(y)
        : "r"(of.a), "r"(of.b), "r"(of.c), "r"(of.n), "l"(wide_a), "l"(wide_b));
    mine[54] = y;
    asm("add.u64 %0, %1, 1;\n"
#if __CUDA_ARCH__ < 700
        "neg.s64 %0, %0;\n"
#elif defined(__CUDA_ARCH__)
        "shl.b64 %0, %0, 1;\n"
#else
        "neg.s64 %0, %0;\n"
#endif
        "add.u64 %0, %0, 3;\n"
        : "=l"(y)
        : "l"(wide_a));
    mine[55] = y;
    asm("{ .reg .u64 t; mov.u64 t, %1;\n"
#ifndef __CUDA_ARCH__
        "add.u64 t, t, 1;\n"
#endif
        "mov.u64 %0, t; }"
        : "=l"(y)
        : "l"(wide_b));
    mine[56] = y;
}

// The same in C++.
std::vector<std::uint64_t> computed(const Numbers& of) {
    const auto [a, b, c, n, wide_a, wide_b] = of;
    const auto as_signed = [](std::uint32_t x) { return std::int64_t{static_cast<std::int32_t>(x)}; };
    const auto signed_shift = [](std::uint32_t x, unsigned by) {
        return static_cast<std::uint32_t>(static_cast<std::int32_t>(x) >> by);
    };
    const auto byte = [](std::uint32_t x, unsigned i) { return x >> 8 * i & 0xff; };
    const auto sign = [&](std::uint32_t x, unsigned i) { return byte(x, i) >= 0x80 ? 0xffu : 0u; };
    const auto dot = [&](std::uint32_t x, std::uint32_t y) {
        int sum = 0;
        for (unsigned i = 0; i < 4; ++i) sum += static_cast<int>(byte(x, i)) * static_cast<std::int8_t>(byte(y, i));
        return static_cast<std::uint32_t>(sum);
    };
    const auto swapped_sum = [](std::uint32_t x) {
        const std::uint32_t low = (x + (x >> 16)) & 0xffff;
        return low << 16 | (low * (x >> 16)) >> 16;
    };
    const auto high_product = [](std::uint64_t x, std::uint64_t y) {
        const std::uint64_t low = (x & 0xffffffff) * (y & 0xffffffff),
                            cross = (x >> 32) * (y & 0xffffffff) + (low >> 32);
        return (x >> 32) * (y >> 32) + (cross >> 32) + (((x & 0xffffffff) * (y >> 32) + (cross & 0xffffffff)) >> 32);
    };
    return {
        static_cast<std::uint32_t>(a ^ b ^ c),
        static_cast<std::uint32_t>((a & b) | (~a & c)),
        static_cast<std::uint32_t>((b & 0xffff) << 16 | (a & 0xffff)),
        static_cast<std::uint32_t>(sign(a, 1) << 24 | sign(a, 0) << 16 | sign(a, 3) << 8 | sign(a, 2)),
        static_cast<std::uint32_t>(a >> 24 | b << 8),
        static_cast<std::uint32_t>(byte(b, 2) << 24 | byte(b, 3) << 16 | byte(a, 0) << 8 | byte(a, 1)),
        static_cast<std::uint32_t>(byte(a, 2) * 0x01010101u),
        static_cast<std::uint32_t>(byte(a, 3) << 24 | byte(a, 2) * 0x010101u),
        static_cast<std::uint32_t>(byte(a, 1) * 0x01010100u | byte(a, 0)),
        static_cast<std::uint32_t>((a >> 16) * 0x00010001u),
        static_cast<std::uint32_t>(n >= 32 ? 0 : a >> n & 0x7f),
        static_cast<std::uint32_t>(signed_shift(a << 18, 23)),
        static_cast<std::uint32_t>(signed_shift(a, 28)),
        static_cast<std::uint32_t>(0),
        static_cast<std::uint32_t>((b & ~0xff0u) | (a & 0xff) << 4),
        static_cast<std::uint32_t>((b & 0x3fffffffu) | a << 30),
        static_cast<std::uint32_t>(static_cast<std::uint32_t>((std::uint64_t{b} << 32 | a) << (n & 31) >> 32)),
        static_cast<std::uint32_t>(n >= 32 ? a : static_cast<std::uint32_t>((std::uint64_t{b} << 32 | a) << n >> 32)),
        static_cast<std::uint32_t>(static_cast<std::uint32_t>((std::uint64_t{b} << 32 | a) >> (n & 31))),
        static_cast<std::uint32_t>(n >= 32 ? b : static_cast<std::uint32_t>((std::uint64_t{b} << 32 | a) >> n)),
        static_cast<std::uint32_t>(n >= 32 ? 0 : a << n),
        static_cast<std::uint32_t>(n >= 32 ? 0 : a >> n),
        static_cast<std::uint32_t>(signed_shift(a, n >= 32 ? 31 : n)),
        static_cast<std::uint32_t>(static_cast<std::uint32_t>(std::uint64_t{a} * b >> 32)),
        static_cast<std::uint32_t>(static_cast<std::uint32_t>(as_signed(a) * as_signed(b) >> 32)),
        static_cast<std::uint32_t>(a * b + c),
        static_cast<std::uint32_t>(static_cast<std::uint32_t>(std::uint64_t{a} * b >> 32) + c),
        static_cast<std::uint32_t>(a + 7),
        static_cast<std::uint32_t>(as_signed(a) < as_signed(b) ? a : b),
        static_cast<std::uint32_t>(a < b ? b : a),
        static_cast<std::uint32_t>(a >> 31 ? 0 - a : a),
        static_cast<std::uint32_t>(c + dot(a, b)),
        static_cast<std::uint32_t>(static_cast<std::uint32_t>(std::popcount(a))),
        static_cast<std::uint32_t>(static_cast<std::uint32_t>(std::countl_zero(n))),
        static_cast<std::uint32_t>(static_cast<std::uint32_t>(31 - std::countl_zero(a >> 31 ? ~a : a))),
        static_cast<std::uint32_t>(n == 0 ? ~0u : static_cast<std::uint32_t>(std::countl_zero(n))),
        static_cast<std::uint32_t>(as_signed(a) < as_signed(b) ? c : 16),
        static_cast<std::uint32_t>(a >= b ? b : ~(a + 5)),
        static_cast<std::uint32_t>(swapped_sum(a)),
        static_cast<std::uint32_t>(2 * n + 1),
        static_cast<std::uint32_t>(sign(a, 0) == 0xff ? byte(a, 0) | 0xffffff00u : byte(a, 0)),
        std::uint64_t{a} * b,
        static_cast<std::uint64_t>(as_signed(a) * as_signed(b)),
        std::uint64_t{a} * b + wide_a,
        wide_a * wide_b,
        high_product(wide_a, wide_b),
        high_product(wide_a, wide_b) - (wide_a >> 63 ? wide_b : 0) - (wide_b >> 63 ? wide_a : 0),
        wide_a * wide_b + wide_a,
        wide_a >> 20 & 0x3fffffff,
        (wide_b & 0xfffffffffffffffu) | wide_a << 60,
        std::uint64_t{a} << 32 | b,
        n >= 64 ? 0 : wide_a << n,
        wide_a + (std::uint64_t{b} << 32 | a),
        wide_a - (std::uint64_t{b} << 32 | a),
        std::uint64_t{a} * b + c,
        (wide_a + 1) * 2 + 3,
        wide_b,
    };
}

// Each block adds up its x, by all ways of storing, loading and adding.
__global__ void move(const std::uint32_t* x, std::uint32_t* y, std::uint32_t* sums) {
    __shared__ alignas(16) std::uint32_t tile[4 * 32];
    const unsigned t = threadIdx.x;
    const std::uint32_t *from = x + 4 * t, *to = y + 4 * t;
    unsigned a, b, c, d, sum, before;
    const auto mine = static_cast<unsigned>(__cvta_generic_to_shared(&tile[4 * t]));
    const auto other = static_cast<unsigned>(__cvta_generic_to_shared(&tile[4 * (31 - t)]));
    asm volatile("ld.global.nc.L1::no_allocate.L2::128B.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
                 : "l"(from));
    asm volatile("st.shared.v2.u32 [%0], {%1, %2};" ::"r"(mine), "r"(a), "r"(b) : "memory");
    asm volatile("st.volatile.shared.u32 [%0+8], %1;\n\tst.weak.shared.b32 [%0 + 12], %2;" ::"r"(mine), "r"(c), "r"(d)
                 : "memory");
    asm volatile("barrier.sync.aligned 0;" ::: "memory");
    asm volatile("ld.shared.v4.b32 {%0, %1, %2, %3}, [%4];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "r"(other));
    asm volatile("st.global.cs.u32 [%0], %1;" ::"l"(to), "r"(a) : "memory");
    asm volatile("st.relaxed.gpu.global.u32 [%0 + 4], %1;" ::"l"(to), "r"(b) : "memory");
    asm volatile("st.u8 [%0 + 8], %1;" ::"l"(to), "r"(c) : "memory");
    asm volatile("st.global.wt.u8 [%0 + 9], %1;" ::"l"(to), "r"(c >> 8) : "memory");
    asm volatile("st.global.cg.u16 [%0 + 10], %1;" ::"l"(to), "h"(static_cast<unsigned short>(c >> 16)) : "memory");
    asm volatile("st.release.sys.u32 [%0 + 12], %1;" ::"l"(to), "r"(d) : "memory");
    asm volatile("ld.global.cg.s8 %0, [%1];" : "=r"(a) : "l"(from));
    asm volatile("ld.acquire.cta.global.u32 %0, [%1];" : "=r"(b) : "l"(from + 1));
    asm volatile("ld.volatile.global.u32 %0, [%1];\n\tadd.u32 %0, %0, %2;" : "=r"(c) : "l"(from + 2), "r"(a + b));
    asm volatile("redux.sync.add.u32 %0, %1, 0xffffffff;" : "=r"(sum) : "r"(c));
    if (t == 0) asm volatile("red.global.add.u32 [%0], %1;" ::"l"(sums), "r"(sum) : "memory");
    asm volatile("red.relaxed.gpu.global.max.u32 [%0 + 4], %1;" ::"l"(sums), "r"(c) : "memory");
    asm volatile("atom.global.inc.u32 %0, [%1], 9;" : "=r"(before) : "l"(sums + 2) : "memory");
    asm volatile("atom.acq_rel.gpu.global.or.b32 %0, [%1], %2;"
                 : "=r"(b)
                 : "l"(sums + 3), "r"(1u << before)
                 : "memory");
    asm volatile("atom.cas.b32 %0, [%1], %2, %3;" : "=r"(d) : "l"(sums + 4), "r"(0), "r"(t + 1) : "memory");
    if (d == 0) asm volatile("red.global.add.f32 [%0], %1;" ::"l"(sums + 5), "f"(0.5f) : "memory");
}

// Each lane's results of the warp's instructions, and of CUDA's functions for the same.
__global__ void meet(const std::uint32_t* x, std::uint32_t* ptx, std::uint32_t* functions) {
    const unsigned t = threadIdx.x, value = x[t];
    unsigned results[8], found;
    asm volatile("{ .reg .pred p; shfl.sync.up.b32 %0|p, %2, 3, 0x1800, 0xffffffff; selp.u32 %1, 1, 0, p; }"
                 : "=r"(results[0]), "=r"(found)
                 : "r"(value));
    results[0] += 100000 * found;
    asm volatile("shfl.sync.down.b32 %0, %1, 5, 31, 0xffffffff;" : "=r"(results[1]) : "r"(value));
    asm volatile("shfl.sync.bfly.b32 %0, %1, %2, 31, %3;" : "=r"(results[2]) : "r"(value), "n"(9), "r"(0xffffffff));
    asm volatile("shfl.sync.idx.b32 %0, %1, %2, 0x181f, 0xffffffff;" : "=r"(results[3]) : "r"(value), "r"(t + 2));
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; vote.sync.ballot.b32 %0, !p, 0xffffffff; }"
                 : "=r"(results[4])
                 : "r"(value & 1));
    asm volatile("match.any.sync.b32 %0, %1, 0xffffffff;" : "=r"(results[5]) : "r"(value & 3));
    asm volatile(
        "{ .reg .u32 %%r<3>; mov.u32 %%r0, %%ctaid.x; mov.u32 %%r1, %%ntid.x; mov.u32 %%r2, %%tid.x;\n\t"
        "mad.lo.u32 %0, %%r0, %%r1, %%r2; bar.warp.sync 0xffffffff; }"
        : "=r"(results[6]));
    asm volatile("{ .reg .pred p; setp.eq.u32 p, %1, 0; bar.red.popc.u32 %0, 0, p; }"
                 : "=r"(results[7])
                 : "r"(value & 1));
    // What nobody sees.
    asm volatile("fence.acq_rel.gpu; fence.sc.sys; membar.cta; fence.proxy.alias; prefetch.global.L2 [%0];" ::"l"(x));
    asm volatile("nanosleep.u32 20;");
    asm volatile("griddepcontrol.wait; griddepcontrol.launch_dependents;" ::: "memory");
    const unsigned expected[] = {__shfl_up_sync(~0u, value, 3, 8) + 100000 * (t % 8 >= 3),
                                 __shfl_down_sync(~0u, value, 5),
                                 __shfl_xor_sync(~0u, value, 9),
                                 __shfl_sync(~0u, value, static_cast<int>(t + 2), 8),
                                 __ballot_sync(~0u, (value & 1) == 0),
                                 __match_any_sync(~0u, value & 3),
                                 blockIdx.x * blockDim.x + threadIdx.x,
                                 static_cast<unsigned>(__syncthreads_count((value & 1) == 0))};
    for (unsigned i = 0; i < 8; ++i) functions[8 * t + i] = expected[i];
    for (unsigned i = 0; i < 8; ++i) ptx[8 * t + i] = results[i];
}

// Two halves, or two bfloat16 numbers, in a register: what PTX makes of them, and CUDA's functions.
#define FUNCTION(call)                                    \
    do {                                                  \
        const auto result_of_call = call;                 \
        std::memcpy(&functions[n++], &result_of_call, 4); \
    } while (false)

constexpr unsigned packed_results = 25;

__global__ void compute_halves(const std::uint32_t* x, std::uint32_t* out_ptx, std::uint32_t* out_functions) {
    const unsigned t = threadIdx.x, a = x[4 * t], b = x[4 * t + 1], c = x[4 * t + 2];
    unsigned ptx[packed_results], functions[packed_results], n = 0;
    __half2 h, i, j;
    std::memcpy(&h, &a, 4), std::memcpy(&i, &b, 4), std::memcpy(&j, &c, 4);
    __nv_bfloat162 k, l, m;
    std::memcpy(&k, &a, 4), std::memcpy(&l, &b, 4), std::memcpy(&m, &c, 4);
    asm("add.rn.f16x2 %0, %1, %2;" : "=r"(ptx[n]) : "r"(a), "r"(b));
    FUNCTION(__hadd2_rn(h, i));
    asm("sub.f16x2 %0, %1, %2;" : "=r"(ptx[n]) : "r"(a), "r"(b));
    FUNCTION(__hsub2(h, i));
    asm("mul.rn.f16x2 %0, %1, %2;" : "=r"(ptx[n]) : "r"(a), "r"(b));
    FUNCTION(__hmul2_rn(h, i));
    asm("add.sat.f16x2 %0, %1, %2;" : "=r"(ptx[n]) : "r"(a), "r"(b));
    FUNCTION(__hadd2_sat(h, i));
    asm("fma.rn.f16x2 %0, %1, %2, %3;" : "=r"(ptx[n]) : "r"(a), "r"(b), "r"(c));
    FUNCTION(__hfma2(h, i, j));
    asm("fma.rn.relu.f16x2 %0, %1, %2, %3;" : "=r"(ptx[n]) : "r"(a), "r"(b), "r"(c));
    FUNCTION(__hfma2_relu(h, i, j));
    asm("min.f16x2 %0, %1, %2;" : "=r"(ptx[n]) : "r"(a), "r"(b));
    FUNCTION(__hmin2(h, i));
    asm("max.NaN.f16x2 %0, %1, %2;" : "=r"(ptx[n]) : "r"(a), "r"(b));
    FUNCTION(__hmax2_nan(h, i));
    asm("add.rn.bf16x2 %0, %1, %2;" : "=r"(ptx[n]) : "r"(a), "r"(b));
    FUNCTION(__hadd2_rn(k, l));
    asm("mul.bf16x2 %0, %1, %2;" : "=r"(ptx[n]) : "r"(a), "r"(b));
    FUNCTION(__hmul2(k, l));
    asm("fma.rn.bf16x2 %0, %1, %2, %3;" : "=r"(ptx[n]) : "r"(a), "r"(b), "r"(c));
    FUNCTION(__hfma2(k, l, m));
    asm("max.bf16x2 %0, %1, %2;" : "=r"(ptx[n]) : "r"(a), "r"(b));
    FUNCTION(__hmax2(k, l));
    const float f = static_cast<float>(static_cast<int>(a)) / 65536.0f, g = static_cast<float>(b & 0xfffff) / 3.0f;
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(ptx[n]) : "f"(f), "f"(g));
    FUNCTION(__floats2half2_rn(g, f));
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(ptx[n]) : "f"(f), "f"(g));
    FUNCTION(__floats2bfloat162_rn(g, f));
    asm("cvt.rz.bf16x2.f32 %0, %1, %2;" : "=r"(ptx[n]) : "f"(f), "f"(f));
    FUNCTION(__halves2bfloat162(__float2bfloat16_rz(f), __float2bfloat16_rz(f)));
    [[maybe_unused]] unsigned short half;
    asm("{ .reg .f32 r; cvt.rn.f16.f32 %1, %2; cvt.f32.f16 r, %1; mov.b32 %0, r; }"
        : "=r"(ptx[n]), "=h"(half)
        : "f"(f));
    FUNCTION(__half2float(__float2half_rn(f)));
    // The bits alone, and where no function has them: two comparisons, the lowest 24 bits, a difference.
    asm("neg.f16x2 %0, %1;" : "=r"(ptx[n]) : "r"(a & 0x7bff7bff));
    FUNCTION((a & 0x7bff7bff) ^ 0x80008000);
    asm("abs.bf16x2 %0, %1;" : "=r"(ptx[n]) : "r"(a & 0xff7fff7f));
    FUNCTION(a & 0x7f7f7f7f & ~0x00800080u ? (a & 0xff7fff7f & 0x7fff7fff) : 0u);
    asm("{ .reg .pred p, q; setp.lt.u32 p|q, %1, %2; setp.gt.or.f32 p, %3, 0f3F000000, q; selp.u32 %0, 1, 0, p; }"
        : "=r"(ptx[n])
        : "r"(a), "r"(b), "f"(f));
    FUNCTION(static_cast<unsigned>(f > 0.5f || !(a < b)));
    asm("mad24.lo.u32 %0, %1, %2, %3;" : "=r"(ptx[n]) : "r"(a), "r"(b), "r"(c));
    FUNCTION((a & 0xffffff) * (b & 0xffffff) + c);
    asm("sad.u32 %0, %1, %2, %3;" : "=r"(ptx[n]) : "r"(a), "r"(b), "r"(c));
    FUNCTION(c + (a < b ? b - a : a - b));
    asm("dp2a.hi.s32.u32 %0, %1, %2, %3;" : "=r"(ptx[n]) : "r"(a), "r"(b), "r"(c));
    const int low = static_cast<short>(a), high = static_cast<short>(a >> 16);
    FUNCTION(static_cast<unsigned>(low * static_cast<int>(b >> 16 & 0xff) + high * static_cast<int>(b >> 24)) + c);
    const float small = static_cast<float>(a) / 4e9f, other = f < 0 ? -small : __int_as_float(0x7fc00000);
    float bounded;
    asm("fma.rn.sat.f32 %0, %1, %2, %3;" : "=f"(bounded) : "f"(f), "f"(small), "f"(other));
    std::memcpy(&ptx[n], &bounded, 4);
    FUNCTION(__saturatef(__fmaf_rn(f, small, other)));
    asm("cvt.sat.f32.f32 %0, %1;" : "=f"(bounded) : "f"(other));
    std::memcpy(&ptx[n], &bounded, 4);
    FUNCTION(__saturatef(other));
    asm("min.NaN.f32 %0, %1, %2;" : "=f"(bounded) : "f"(small), "f"(other));
    std::memcpy(&ptx[n], &bounded, 4);
    FUNCTION(f < 0 ? fminf(small, other) : __int_as_float(0x7fffffff));
    for (unsigned r = 0; r < packed_results; ++r) {
        out_ptx[t * packed_results + r] = ptx[r];
        out_functions[t * packed_results + r] = functions[r];
    }
}

// Each warp stores four matrices by stmatrix and loads them by ldmatrix, in both ways.
__global__ void store_matrices(const unsigned* registers, unsigned* words, unsigned* loaded, unsigned* moved) {
    __shared__ alignas(16) unsigned tile[2][4 * 8 * 4];
    const unsigned lane = threadIdx.x, *mine = registers + 4 * lane;
    const auto row = [&](unsigned i) { return static_cast<unsigned>(__cvta_generic_to_shared(&tile[i][4 * lane])); };
    asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(row(0)), "r"(mine[0]),
                 "r"(mine[1]), "r"(mine[2]), "r"(mine[3])
                 : "memory");
    asm volatile("stmatrix.sync.aligned.x2.trans.m8n8.shared::cta.b16 [%0], {%1, %2};" ::"r"(row(1)), "r"(mine[0]),
                 "r"(mine[1])
                 : "memory");
    asm volatile("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};" ::"r"(row(1) + 256), "r"(mine[2]) : "memory");
    __syncwarp();
    for (unsigned i = lane; i < 128; i += 32) words[i] = tile[0][i];
    unsigned d[4];
    asm volatile("ldmatrix.sync.aligned.x4.m8n8.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
                 : "r"(row(0)));
    for (unsigned i = 0; i < 4; ++i) loaded[4 * lane + i] = d[i];
    asm volatile("ldmatrix.sync.aligned.x2.trans.m8n8.shared.b16 {%0, %1}, [%2];"
                 : "=r"(d[0]), "=r"(d[1])
                 : "r"(row(1)));
    asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(d[2]) : "r"(mine[3]));
    asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(d[3]) : "r"(d[2]));
    moved[4 * lane] = d[0];
    moved[4 * lane + 1] = d[1];
    moved[4 * lane + 2] = d[2];
    moved[4 * lane + 3] = d[3];
}

// A lane that is chosen, hints for the cache, and atomic sums of vectors.
__global__ void hint(const float* x, float* y, float* sums, unsigned* chosen) {
    const unsigned t = threadIdx.x;
    unsigned leader, leads;
    asm volatile("{ .reg .pred p; elect.sync %0|p, 0xffffffff; selp.b32 %1, 1, 0, p; }" : "=r"(leader), "=r"(leads));
    if (t >= 12)
        asm volatile("{ .reg .pred p; elect.sync _|p, %1; @p add.u32 %0, %0, 2; }" : "+r"(leads) : "r"(0xfffff000));
    chosen[t] = leads + 100 * leader;
    unsigned long long policy;
    asm("createpolicy.fractional.L2::evict_first.b64 %0, 0.5;" : "=l"(policy));
    float4 four;
    asm volatile("ld.global.nc.L1::no_allocate.L2::cache_hint.v4.f32 {%0, %1, %2, %3}, [%4], %5;"
                 : "=f"(four.x), "=f"(four.y), "=f"(four.z), "=f"(four.w)
                 : "l"(x + 4 * t), "l"(policy));
    asm volatile("st.global.L2::cache_hint.v4.f32 [%0], {%1, %2, %3, %4}, %5;" ::"l"(y + 4 * t), "f"(four.w),
                 "f"(four.z), "f"(four.y), "f"(four.x), "l"(policy)
                 : "memory");
    asm volatile("red.global.add.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(sums), "f"(four.x), "f"(four.y), "f"(four.z),
                 "f"(four.w)
                 : "memory");
    unsigned before;  // 1 and 2, as halves, and as bfloat16 numbers
    asm volatile("red.global.add.noftz.f16x2 [%0], %1;" ::"l"(sums + 4), "r"(0x40003c00) : "memory");
    asm volatile("atom.global.add.noftz.bf16x2 %0, [%1], %2;"
                 : "=r"(before)
                 : "l"(sums + 5), "r"(0x40003f80)
                 : "memory");
    if (before == 0) asm volatile("prefetch.global.L2::evict_last [%0]; prefetchu.L1 [%0];" ::"l"(x));
}

}  // namespace

TEST_CASE("ldmatrix deals rows of shared memory out to the lanes", "[emulator][inline_ptx]") {
    check_matrices<X1>();
    check_matrices<X2>();
    check_matrices<X4>();
    check_matrices<X1Transposed>();
    check_matrices<X2Transposed>();
    check_matrices<X4Transposed>();
}

TEST_CASE("cp.async copies 4, 8 and 16 bytes, and zeros behind those that are given", "[emulator][inline_ptx]") {
    const unsigned given = GENERATE(0u, 4u, 7u, 16u);
    constexpr unsigned threads = 64;
    const auto from = random_values<std::uint32_t>(threads * 4);
    std::vector<std::uint32_t> expected;
    for (unsigned kind = 0; kind < 4; ++kind)
        for (unsigned t = 0; t < threads; ++t) {
            char piece[16];
            std::memset(piece, 0x55, sizeof piece);
            const unsigned bytes = kind == 0 ? 4 : kind == 1 ? 8 : 16;
            std::memset(piece, 0, bytes);
            std::memcpy(piece, &from[(t + 1) % threads * 4], kind == 3 ? given : bytes);
            std::uint32_t words[4];
            std::memcpy(words, piece, sizeof words);
            expected.insert(expected.end(), words, words + 4);
        }
    const auto d_from = DeviceBuffer<std::uint32_t>::from_host(from);
    auto d_to = poisoned<std::uint32_t>(expected.size());
    copy<<<1, threads>>>(reinterpret_cast<const char*>(d_from.data()), reinterpret_cast<char*>(d_to.data()), given);
    CUDA_CHECK_LAUNCH();
    REQUIRE_SAME(d_to.to_host(), expected);
}

TEST_CASE("inline PTX computes with whole numbers and bits", "[emulator][inline_ptx]") {
    constexpr unsigned threads = 128;
    const auto words = random_values<std::uint32_t>(3 * threads);
    const auto wide = random_values<std::uint64_t>(2 * threads);
    std::vector<std::uint32_t> bytes(threads * sizeof(Numbers) / 4);
    std::vector<std::uint64_t> expected;
    for (unsigned t = 0; t < threads; ++t) {
        const Numbers numbers{words[3 * t], words[3 * t + 1], words[3 * t + 2], t % 70, wide[2 * t], wide[2 * t + 1]};
        std::memcpy(reinterpret_cast<char*>(bytes.data()) + t * sizeof numbers, &numbers, sizeof numbers);
        const auto each = computed(numbers);
        expected.insert(expected.end(), each.begin(), each.end());
    }
    const auto d_numbers = DeviceBuffer<std::uint32_t>::from_host(bytes);
    auto results = poisoned<std::uint64_t>(expected.size());
    compute<<<1, threads>>>(reinterpret_cast<const Numbers*>(d_numbers.data()), results.data());
    CUDA_CHECK_LAUNCH();
    REQUIRE_SAME(results.to_host(), expected);
}

TEST_CASE("inline PTX loads, stores and adds atomically in all its ways", "[emulator][inline_ptx]") {
    const auto x = random_values<std::uint32_t>(4 * 32);
    std::vector<std::uint32_t> expected, sums(6);
    for (unsigned t = 0; t < 32; ++t) {
        for (unsigned i = 0; i < 4; ++i) expected.push_back(x[4 * (31 - t) + i]);
        const std::uint32_t byte = x[4 * t] & 0xff;
        const std::uint32_t c = (byte >= 0x80 ? byte | 0xffffff00u : byte) + x[4 * t + 1] + x[4 * t + 2];
        sums[0] += c;
        sums[1] = c > sums[1] ? c : sums[1];
    }
    const auto d_x = DeviceBuffer<std::uint32_t>::from_host(x);
    auto y = poisoned<std::uint32_t>(x.size());
    const auto d_sums = DeviceBuffer<std::uint32_t>::from_host(sums);
    CUDA_CHECK(cudaMemset(d_sums.data(), 0, 6 * sizeof(unsigned)));
    move<<<1, 32>>>(d_x.data(), y.data(), d_sums.data());
    CUDA_CHECK_LAUNCH();
    REQUIRE_SAME(y.to_host(), expected);
    auto found = d_sums.to_host();
    REQUIRE(found[4] - 1 < 32);  // whoever came first
    found[4] = 0;
    sums[2] = 32 % 10;
    sums[3] = 0x3ff;
    sums[5] = 0x3f000000;
    REQUIRE_SAME(found, sums);
}

TEST_CASE("inline PTX has the warp's instructions", "[emulator][inline_ptx]") {
    auto x = random_values<std::uint32_t>(32);
    for (auto& each : x) each %= 100000;
    const auto d_x = DeviceBuffer<std::uint32_t>::from_host(x);
    auto ptx = poisoned<std::uint32_t>(8 * 32), functions = poisoned<std::uint32_t>(8 * 32);
    meet<<<1, 32>>>(d_x.data(), ptx.data(), functions.data());
    CUDA_CHECK_LAUNCH();
    REQUIRE_SAME(ptx.to_host(), functions.to_host());
}

TEST_CASE("inline PTX computes with two numbers of 16 bits in a register", "[emulator][inline_ptx]") {
    constexpr unsigned threads = 256;
    auto x = random_values<std::uint32_t>(4 * threads);
    for (unsigned i = 0; i < x.size(); i += 8) x[i] &= 0xbfffbfff;  // no infinities and NaNs in some
    const auto d_x = DeviceBuffer<std::uint32_t>::from_host(x);
    const auto ptx = poisoned<std::uint32_t>(packed_results * threads);
    const auto functions = poisoned<std::uint32_t>(packed_results * threads);
    compute_halves<<<1, threads>>>(d_x.data(), ptx.data(), functions.data());
    CUDA_CHECK_LAUNCH();
    REQUIRE_SAME(ptx.to_host(), functions.to_host());
}

TEST_CASE("stmatrix stores what ldmatrix loads, and movmatrix turns it", "[emulator][inline_ptx]") {
    const auto registers = random_values<std::uint32_t>(128);
    std::vector<unsigned> words(128), moved(128);
    // Element (row, column) of matrix i, as the lanes have it.
    const auto element = [&](unsigned i, unsigned row, unsigned column) {
        return registers[4 * (4 * row + column / 2) + i] >> 16 * (column % 2) & 0xffff;
    };
    for (unsigned i = 0; i < 4; ++i)
        for (unsigned row = 0; row < 8; ++row)
            for (unsigned pair = 0; pair < 4; ++pair) {
                words[(8 * i + row) * 4 + pair] = element(i, row, 2 * pair) | element(i, row, 2 * pair + 1) << 16;
                const unsigned turned = element(i, 2 * pair, row) | element(i, 2 * pair + 1, row) << 16;
                unsigned* const mine = &moved[4 * (4 * row + pair)];
                if (i < 2) mine[i] = registers[4 * (4 * row + pair) + i];
                if (i == 3) mine[2] = turned, mine[3] = registers[4 * (4 * row + pair) + 3];
            }
    const auto d_registers = DeviceBuffer<unsigned>::from_host(registers);
    const auto d_words = poisoned<unsigned>(128), d_loaded = poisoned<unsigned>(128), d_moved = poisoned<unsigned>(128);
    store_matrices<<<1, 32>>>(d_registers.data(), d_words.data(), d_loaded.data(), d_moved.data());
    CUDA_CHECK_LAUNCH();
    REQUIRE_SAME(d_words.to_host(), words);
    REQUIRE_SAME(d_loaded.to_host(), registers);
    REQUIRE_SAME(d_moved.to_host(), moved);
}

TEST_CASE("inline PTX chooses a lane, hints and adds vectors", "[emulator][inline_ptx]") {
    std::vector<float> x(128), y(128), sums(6, 0.0f), expected(6, 0.0f);
    for (unsigned i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i % 13);
    for (unsigned i = 0; i < x.size(); ++i) {
        y[i / 4 * 4 + 3 - i % 4] = x[i];
        expected[i % 4] += x[i];
    }
    const std::uint32_t halves = 0x54005000, bfloats = 0x42804200;  // 32 and 64
    std::memcpy(&expected[4], &halves, 4);
    std::memcpy(&expected[5], &bfloats, 4);
    const auto d_x = DeviceBuffer<float>::from_host(x), d_sums = DeviceBuffer<float>::from_host(sums);
    const auto d_y = poisoned<float>(128);
    const auto d_chosen = poisoned<unsigned>(32);
    hint<<<1, 32>>>(d_x.data(), d_y.data(), d_sums.data(), d_chosen.data());
    CUDA_CHECK_LAUNCH();
    REQUIRE_SAME(d_y.to_host(), y);
    REQUIRE_SAME(d_sums.to_host(), expected);
    // Which lane it is is not said, but all know the same.
    const std::vector<unsigned> chosen = d_chosen.to_host();
    std::vector<unsigned> all(32, 100 * (chosen[0] / 100));
    unsigned second = 0;
    for (unsigned t = 12; t < 32; ++t) second += chosen[t] % 100 / 2;
    all[chosen[0] / 100] += 1;
    std::vector<unsigned> first = chosen;
    for (unsigned& each : first) each -= each % 100 & 2;
    REQUIRE(second == 1);
    REQUIRE_SAME(first, all);
}

namespace {

// What macros make of instructions: a function for each, a space that an #if chooses, a number, and a type with its
// register.
#define BINARY(name, op)                                            \
    __device__ unsigned name(unsigned x, unsigned y) {              \
        unsigned result;                                            \
        asm(op ".b32 %0, %1, %2;" : "=r"(result) : "r"(x), "r"(y)); \
        return result;                                              \
    }
BINARY(ptx_and, "and")
BINARY(ptx_or, "or")

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
#define READ_ONLY "global.nc"
#else
#define READ_ONLY "global"
#endif
#define LOAD(type, suffix, register)                                                               \
    __device__ type load_##suffix(const type* from) {                                              \
        type result;                                                                               \
        asm volatile("ld." READ_ONLY "." #suffix " %0, [%1];" : "=" register(result) : "l"(from)); \
        return result;                                                                             \
    }
#define EACH_TYPE(X) X(unsigned, u32, "r") X(float, f32, "f") X(double, f64, "d")
EACH_TYPE(LOAD)

#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)
#define SHIFT 3
#define PTX(...) asm volatile(__VA_ARGS__)
#define SUM_UP(result, step)                                           \
    asm("{ .reg .pred p; mov.u32 %0, 0; AGAIN: add.u32 %0, %0, " #step \
        "; setp.lt.u32 p, %0, 100; "                                   \
        "@p bra AGAIN; }"                                              \
        : "=r"(result))

__global__ void made_by_macros(const unsigned* x, const float* y, const double* z, unsigned* results) {
    const unsigned i = threadIdx.x;
    unsigned shifted, threes, sevens;
    PTX("shl.b32 %0, %1, " TEXT(SHIFT) ";" : "=r"(shifted) : "r"(x[i]));
    SUM_UP(threes, 3);
    SUM_UP(sevens, 7);
    const unsigned here[] = {ptx_and(x[i], i),
                             ptx_or(x[i], i),
                             load_u32(x + i),
                             static_cast<unsigned>(load_f32(y + i)),
                             static_cast<unsigned>(load_f64(z + i)),
                             shifted,
                             threes,
                             sevens};
    for (unsigned n = 0; n < 8; ++n) results[8 * i + n] = here[n];
}

}  // namespace

TEST_CASE("inline PTX whose text macros put together", "[emulator][inline_ptx]") {
    constexpr unsigned threads = 77;
    const auto x = random_values<std::uint32_t>(threads);
    std::vector<float> y(threads);
    std::vector<double> z(threads);
    std::vector<unsigned> expected;
    for (unsigned i = 0; i < threads; ++i) {
        y[i] = static_cast<float>(x[i] % 1000);
        z[i] = x[i] % 100000;
        const unsigned there[] = {x[i] & i, x[i] | i, x[i], x[i] % 1000, x[i] % 100000, x[i] << 3, 102, 105};
        expected.insert(expected.end(), std::begin(there), std::end(there));
    }
    const auto d_x = DeviceBuffer<std::uint32_t>::from_host(x);
    const auto d_y = DeviceBuffer<float>::from_host(y);
    const auto d_z = DeviceBuffer<double>::from_host(z);
    const auto results = poisoned<unsigned>(8 * threads);
    made_by_macros<<<1, threads>>>(d_x.data(), d_y.data(), d_z.data(), results.data());
    CUDA_CHECK_LAUNCH();
    REQUIRE_SAME(results.to_host(), expected);
}

namespace {

constexpr unsigned rare_results = 24;

__device__ int clamped(long long x, long long low, long long high) {
    return static_cast<int>(x < low ? low : x > high ? high : x);
}

// What fewer programs use, beside the same in C++.
__global__ void compute_rarely(const std::uint32_t* x, const float* y, const std::uint32_t* pairs, std::uint32_t* ptx,
                               std::uint32_t* functions) {
    const unsigned i = threadIdx.x;
    const unsigned a = x[i], b = x[i + 1], c = x[i + 2];
    const float p = y[i], q = y[i + 1], s = y[i + 2];
    unsigned r[rare_results]{}, e[rare_results]{};
    float f;
    double d;
    asm("add.sat.s32 %0, %1, %2;" : "=r"(r[0]) : "r"(a), "r"(b));
    e[0] = clamped(static_cast<long long>(static_cast<int>(a)) + static_cast<int>(b), -2147483648LL, 2147483647LL);
    asm("sub.sat.s32 %0, %1, %2;" : "=r"(r[1]) : "r"(a), "r"(b));
    e[1] = clamped(static_cast<long long>(static_cast<int>(a)) - static_cast<int>(b), -2147483648LL, 2147483647LL);
    asm("cnot.b32 %0, %1;" : "=r"(r[2]) : "r"(a % 2));
    e[2] = a % 2 == 0;
    asm("slct.u32.s32 %0, %1, %2, %3;" : "=r"(r[3]) : "r"(a), "r"(b), "r"(c));
    e[3] = static_cast<int>(c) >= 0 ? a : b;
    asm("slct.f32.f32 %0, %1, %2, %3;" : "=f"(f) : "f"(p), "f"(q), "f"(s));
    r[4] = __float_as_uint(f);
    e[4] = __float_as_uint(s >= 0 ? p : q);
    asm("vabsdiff4.u32.u32.u32.add %0, %1, %2, %3;" : "=r"(r[5]) : "r"(a), "r"(b), "r"(c));
    e[5] = c;
    for (unsigned bit = 0; bit < 32; bit += 8) {
        const unsigned m = a >> bit & 0xff, n = b >> bit & 0xff;
        e[5] += m > n ? m - n : n - m;
    }
    asm("cvt.sat.u8.s32 %0, %1;" : "=r"(r[6]) : "r"(static_cast<int>(a) >> (a % 32)));
    e[6] = clamped(static_cast<int>(a) >> (a % 32), 0, 255);
    asm("cvt.sat.s16.s32 %0, %1;" : "=r"(r[7]) : "r"(static_cast<int>(a) >> (a % 32)));
    e[7] = clamped(static_cast<int>(a) >> (a % 32), -32768, 32767);
    asm("cvt.rni.sat.u8.f32 %0, %1;" : "=r"(r[8]) : "f"(p));
    e[8] = clamped(llrintf(p), 0, 255);
    asm("cvt.rzi.ftz.s32.f32 %0, %1;" : "=r"(r[9]) : "f"(p * 1000));
    e[9] = static_cast<int>(p * 1000);
    asm("{ .reg .pred t; setp.lo.u32 t, %1, %2; selp.u32 %0, 1, 0, t; }" : "=r"(r[10]) : "r"(a), "r"(b));
    e[10] = a < b;
    asm("{ .reg .pred t; setp.ne.ftz.f32 t, %1, 0f00000000; selp.u32 %0, 1, 0, t; }"
        : "=r"(r[11])
        : "f"(__uint_as_float(a % 3)));
    e[11] = 0;
    asm("fma.rz.f32 %0, %1, %2, %3;" : "=f"(f) : "f"(p), "f"(q), "f"(s));
    r[12] = __float_as_uint(f);
    e[12] = __float_as_uint(__fmaf_rz(p, q, s));
    asm("add.rp.f32 %0, %1, %2;" : "=f"(f) : "f"(p), "f"(q));
    r[13] = __float_as_uint(f);
    e[13] = __float_as_uint(__fadd_ru(p, q));
    asm("mul.rm.f64 %0, %1, %2;" : "=d"(d) : "d"(p * 1.1), "d"(q * 0.3));
    r[14] = static_cast<unsigned>(__double_as_longlong(d));
    e[14] = static_cast<unsigned>(__double_as_longlong(__dmul_rd(p * 1.1, q * 0.3)));
    asm("rcp.rz.f32 %0, %1;" : "=f"(f) : "f"(p));
    r[15] = __float_as_uint(f);
    e[15] = __float_as_uint(__frcp_rz(p));
    asm("mov.b64 {%0, _}, %1;" : "=r"(r[16]) : "l"(static_cast<unsigned long long>(b) << 32 | a));
    e[16] = a;
    asm volatile("{ .reg .pred t, u; setp.ne.u32 t, %1, 0; vote.sync.uni.pred u, t, 0xffffffff; selp.u32 %0, 1, 0, u; }"
                 : "=r"(r[17])
                 : "r"(i / 32 == 2 ? i % 2 : i / 32));
    e[17] = i / 32 != 2;
    asm volatile("ld.global.acquire.gpu.v2.u32 {%0, %1}, [%2];" : "=r"(r[18]), "=r"(r[19]) : "l"(pairs + 2 * i));
    e[18] = pairs[2 * i];
    e[19] = pairs[2 * i + 1];
    asm volatile("ld.relaxed.sys.global.u32 %0, [%1];" : "=r"(r[20]) : "l"(pairs + i));
    e[20] = pairs[i];
    asm("cvt.rpi.f64.f64 %0, %1;" : "=d"(d) : "d"(static_cast<double>(p)));
    r[21] = static_cast<int>(d);
    e[21] = static_cast<int>(ceil(static_cast<double>(p)));
    asm("add.f32.rp %0, %1, %2;" : "=f"(f) : "f"(p), "f"(q));
    r[22] = __float_as_uint(f);
    e[22] = __float_as_uint(__fadd_ru(p, q));
    asm("ex2.f32.ftz.approx %0, %1;" : "=f"(f) : "f"(p));
    r[23] = __float_as_uint(f);
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(f) : "f"(p));
    e[23] = __float_as_uint(f);
    for (unsigned n = 0; n < rare_results; ++n) {
        ptx[rare_results * i + n] = r[n];
        functions[rare_results * i + n] = e[n];
    }
}

__global__ void add_in_any_order(unsigned* sums) {
    unsigned before;
    asm volatile("atom.add.relaxed.gpu.global.u32 %0, [%1], 1;" : "=r"(before) : "l"(sums) : "memory");
    asm volatile("red.global.gpu.add.u32 [%0], %1;" : : "l"(sums + 1), "r"(before) : "memory");
    if (threadIdx.x == 0)
        asm volatile("st.global.release.sys.v2.b32 [%0], {%1, %2};" : : "l"(sums + 2), "r"(7), "r"(8) : "memory");
}

}  // namespace

TEST_CASE("inline PTX that fewer programs use", "[emulator][inline_ptx]") {
    constexpr unsigned threads = 96;
    const auto x = random_values<std::uint32_t>(threads + 2), pairs = random_values<std::uint32_t>(2 * threads);
    std::vector<float> y(threads + 2);
    for (unsigned i = 0; i < y.size(); ++i) y[i] = static_cast<float>(x[i] % 100000) / 137.0f - 300.0f + 1.0f / 256;
    const auto d_x = DeviceBuffer<std::uint32_t>::from_host(x), d_pairs = DeviceBuffer<std::uint32_t>::from_host(pairs);
    const auto d_y = DeviceBuffer<float>::from_host(y);
    const auto ptx = poisoned<std::uint32_t>(rare_results * threads);
    const auto functions = poisoned<std::uint32_t>(rare_results * threads);
    compute_rarely<<<1, threads>>>(d_x.data(), d_y.data(), d_pairs.data(), ptx.data(), functions.data());
    CUDA_CHECK_LAUNCH();
    REQUIRE_SAME(ptx.to_host(), functions.to_host());

    const auto sums = DeviceBuffer<unsigned>::from_host(std::vector<unsigned>(4, 0));
    add_in_any_order<<<1, 64>>>(sums.data());
    CUDA_CHECK_LAUNCH();
    REQUIRE_SAME(sums.to_host(), (std::vector<unsigned>{64, 63 * 32, 7, 8}));
}

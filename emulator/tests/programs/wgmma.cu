// Products of a warpgroup: 64 x 16 sums of small whole numbers, which are exact, with factors in every layout of shared
// memory. Needs code for sm_90a where a GPU runs it.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int m = 64, n = 16;

// A factor's element (row, column), the column along k: so many bytes from its start. `width`: 16 for no swizzle.
struct Layout {
    int width, leading, stride;
    bool transposed;

    __host__ __device__ int place(int row, int column, int bytes) const {
        const int i = transposed ? column : row, at = (transposed ? row : column) * bytes;  // i-th line, byte in it
        const int piece = at / width, in_piece = at % width;
        const bool exchanged = transposed && width == 16;  // then pieces are a stride apart
        const int along = exchanged ? stride : leading, across = exchanged ? leading : stride;
        const int plain = i / 8 * across + i % 8 * width + piece * along + in_piece;
        const int rows_in_pattern = plain / 128 % 8;
        return plain ^ (rows_in_pattern % (width / 16)) * 16;
    }
};

__device__ std::uint64_t descriptor(const void* start, const Layout& layout, int more_bytes) {
    const std::uint64_t address = __cvta_generic_to_shared(start) + more_bytes;
    const std::uint64_t swizzle = layout.width == 128 ? 1 : layout.width == 64 ? 2 : layout.width == 32 ? 3 : 0;
    return (address & 0x3ffff) >> 4 | std::uint64_t(layout.leading >> 4) << 16 |
           std::uint64_t(layout.stride >> 4) << 32 | swizzle << 62;
}

struct Bf16Rows {
    using T = __nv_bfloat16;
    using Sum = float;
    static constexpr int k = 16, sign = 1;
    static constexpr bool in_registers = false;
    __device__ static void product(float (&d)[8], const unsigned (&)[4], std::uint64_t a, std::uint64_t b, int add) {
        asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %10, 0;\n"
                     "wgmma.mma_async.sync.aligned.m64n16k16.f32.bf16.bf16 {%0, %1, %2, %3, %4, %5, %6, %7}, %8, %9, p, 1, 1, 0, 0;\n}"
                     : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7])
                     : "l"(a), "l"(b), "r"(add));
    }
};
struct Bf16Columns : Bf16Rows {
    __device__ static void product(float (&d)[8], const unsigned (&)[4], std::uint64_t a, std::uint64_t b, int add) {
        asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %10, 0;\n"
                     "wgmma.mma_async.sync.aligned.m64n16k16.f32.bf16.bf16 {%0, %1, %2, %3, %4, %5, %6, %7}, %8, %9, p, 1, 1, 1, 1;\n}"
                     : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7])
                     : "l"(a), "l"(b), "r"(add));
    }
};
struct Tf32 : Bf16Rows {
    using T = float;
    static constexpr int k = 8;
    __device__ static void product(float (&d)[8], const unsigned (&)[4], std::uint64_t a, std::uint64_t b, int add) {
        asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %10, 0;\n"
                     "wgmma.mma_async.sync.aligned.m64n16k8.f32.tf32.tf32 {%0, %1, %2, %3, %4, %5, %6, %7}, %8, %9, p, 1, 1;\n}"
                     : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7])
                     : "l"(a), "l"(b), "r"(add));
    }
};
// The signs of A are turned.
struct Half : Bf16Rows {
    using T = __half;
    static constexpr int sign = -1;
    __device__ static void product(float (&d)[8], const unsigned (&)[4], std::uint64_t a, std::uint64_t b, int add) {
        unsigned h[4];
        for (int i = 0; i < 4; ++i) {
            const __half2 pair = __floats2half2_rn(d[2 * i], d[2 * i + 1]);
            h[i] = *reinterpret_cast<const unsigned*>(&pair);
        }
        asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %6, 0;\n"
                     "wgmma.mma_async.sync.aligned.m64n16k16.f16.f16.f16 {%0, %1, %2, %3}, %4, %5, p, -1, 1, 0, 0;\n}\n"
                     : "+r"(h[0]), "+r"(h[1]), "+r"(h[2]), "+r"(h[3]) : "l"(a), "l"(b), "r"(add));
        asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory");
        for (int i = 0; i < 4; ++i) {
            const float2 pair = __half22float2(*reinterpret_cast<const __half2*>(&h[i]));
            d[2 * i] = pair.x, d[2 * i + 1] = pair.y;
        }
    }
};
// A comes from registers.
struct Bytes : Bf16Rows {
    using T = signed char;
    using Sum = int;
    static constexpr int k = 32;
    static constexpr bool in_registers = true;
    __device__ static void product(int (&d)[8], const unsigned (&a)[4], std::uint64_t, std::uint64_t b, int add) {
        asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %13, 0;\n"
                     "wgmma.mma_async.sync.aligned.m64n16k32.s32.s8.s8 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11}, %12, p;\n}"
                     : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3]), "+r"(d[4]), "+r"(d[5]), "+r"(d[6]), "+r"(d[7])
                     : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(add));
    }
};

// a: m x k, b: n x k. A is twice added, to what d has only in the second place. `more`: bytes from a factor's start.
template <class Form>
__global__ void multiply(const float* a, const float* b, float* c, Layout of_a, Layout of_b, int more) {
    using T = typename Form::T;
    __shared__ alignas(1024) unsigned char sa[16384], sb[16384];
    for (int i = threadIdx.x; i < 16384; i += blockDim.x) sa[i] = sb[i] = 0x55;
    __syncthreads();
    const int first = more / sizeof(T);  // column
    for (int i = threadIdx.x; i < m * Form::k; i += blockDim.x)
        *reinterpret_cast<T*>(sa + of_a.place(i / Form::k, first + i % Form::k, sizeof(T))) = static_cast<T>(a[i]);
    for (int i = threadIdx.x; i < n * Form::k; i += blockDim.x)
        *reinterpret_cast<T*>(sb + of_b.place(i / Form::k, first + i % Form::k, sizeof(T))) = static_cast<T>(b[i]);
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();

    const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    unsigned registers[4] = {};
    if constexpr (Form::in_registers)
        for (int i = 0; i < 4; ++i)
            for (int e = 0; e < 4; ++e) {
                const int row = warp * 16 + lane / 4 + i % 2 * 8, column = i / 2 * 16 + lane % 4 * 4 + e;
                registers[i] |= (static_cast<int>(a[row * Form::k + column]) & 0xffu) << 8 * e;
            }
    typename Form::Sum d[8];
    for (auto& each : d) each = 77;
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    for (int add = 0; add < 2; ++add)
        Form::product(d, registers, descriptor(sa, of_a, more), descriptor(sb, of_b, more), add);
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    for (auto& each : d) asm volatile("" : "+r"(reinterpret_cast<unsigned&>(each))::"memory");
    for (int i = 0; i < 8; ++i)
        c[(warp * 16 + lane / 4 + i / 2 % 2 * 8) * n + i / 4 * 8 + lane % 4 * 2 + i % 2] = static_cast<float>(d[i]);
}

template <class Form>
bool is_right(const char* name, Layout of_a, Layout of_b, int more = 0) {
    constexpr int k = Form::k;
    std::vector<float> a(m * k), b(n * k), c(m * n);
    for (float& x : a) x = std::rand() % 9 - 4;
    for (float& x : b) x = std::rand() % 9 - 4;
    float *da, *db, *dc;
    cudaMalloc(&da, a.size() * 4), cudaMalloc(&db, b.size() * 4), cudaMalloc(&dc, c.size() * 4);
    cudaMemcpy(da, a.data(), a.size() * 4, cudaMemcpyHostToDevice);
    cudaMemcpy(db, b.data(), b.size() * 4, cudaMemcpyHostToDevice);
    cudaMemset(dc, 0xff, c.size() * 4);
    multiply<Form><<<1, 128>>>(da, db, dc, of_a, of_b, more);
    cudaMemcpy(c.data(), dc, c.size() * 4, cudaMemcpyDeviceToHost);
    cudaFree(da), cudaFree(db), cudaFree(dc);
    for (int i = 0; i < m; ++i)
        for (int j = 0; j < n; ++j) {
            float sum = 0;
            for (int l = 0; l < k; ++l) sum += a[i * k + l] * b[j * k + l];
            if (c[i * n + j] == 2 * Form::sign * sum) continue;
            std::printf("%s: element (%d, %d): expected %g, got %g\n", name, i, j, 2 * Form::sign * sum, c[i * n + j]);
            return false;
        }
    return true;
}

int main() {
    const unsigned seed = 20261127;
    std::printf("seed %u\n", seed);
    std::srand(seed);
    bool good = is_right<Bf16Rows>("bf16", {16, 128, 256, false}, {16, 256, 128, false});
    good &= is_right<Bf16Rows>("bf16, 32 bytes", {32, 16, 256, false}, {32, 16, 512, false});
    good &= is_right<Bf16Rows>("bf16, 128 bytes, third step of k", {128, 16, 1024, false}, {128, 16, 1024, false}, 64);
    good &= is_right<Bf16Columns>("bf16 by columns", {16, 1024, 128, true}, {16, 128, 256, true});
    good &= is_right<Bf16Columns>("bf16 by columns, 32 bytes", {32, 512, 256, true}, {32, 2048, 512, true});
    good &= is_right<Bf16Columns>("bf16 by columns, 64 bytes", {64, 1024, 512, true}, {64, 1024, 512, true});
    good &= is_right<Bf16Columns>("bf16 by columns, 128 bytes", {128, 2048, 1024, true}, {128, 2048, 1024, true});
    good &= is_right<Half>("f16, 64 bytes", {64, 16, 512, false}, {64, 16, 1024, false}, 32);
    good &= is_right<Tf32>("tf32, 32 bytes", {32, 16, 256, false}, {32, 16, 256, false});
    good &= is_right<Tf32>("tf32", {16, 128, 256, false}, {16, 1024, 128, false});
    good &= is_right<Bytes>("s8", {16, 128, 256, false}, {16, 128, 256, false});
    std::puts(good && cudaGetLastError() == cudaSuccess ? "PASSED" : "FAILED");
    return !good;
}

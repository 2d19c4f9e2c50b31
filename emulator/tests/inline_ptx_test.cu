// ldmatrix and cp.async in inline PTX, on a GPU and on the emulator alike.

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

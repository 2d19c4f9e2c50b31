// Asynchronous copies to shared memory, on a GPU and on the emulator alike.

#include <cuda_pipeline.h>

#include "device.h"
#include "testing.h"

namespace {

constexpr unsigned block_size = 64;

// Each thread copies a piece, and hands on what its neighbour copied. The groups are waited for one by one.
template <class Piece>
__global__ void hand_on(const Piece* from, Piece* to, unsigned pieces, unsigned zeros) {
    __shared__ Piece buffers[2][block_size];
    const unsigned t = threadIdx.x, neighbour = (t + 1) % block_size;
    for (unsigned group = 0; group < 2; ++group) {
        __pipeline_memcpy_async(&buffers[group][t], &from[group * block_size + t], sizeof(Piece), zeros);
        __pipeline_commit();
    }
    for (unsigned group = 0; group < pieces / block_size; ++group) {
        __pipeline_wait_prior(1);
        __syncthreads();
        to[group * block_size + t] = buffers[group % 2][neighbour];
        __syncthreads();
        if (group + 2 < pieces / block_size)
            __pipeline_memcpy_async(&buffers[group % 2][t], &from[(group + 2) * block_size + t], sizeof(Piece), zeros);
        __pipeline_commit();
    }
}

template <class Piece>
void check_pieces(unsigned zeros) {
    constexpr unsigned pieces = 6 * block_size, words = sizeof(Piece) / 4;
    const auto from = random_values<std::uint32_t>(pieces * words);
    std::vector<std::uint32_t> expected(from.size());
    for (unsigned i = 0; i < pieces; ++i)
        for (unsigned w = 0; w < words; ++w) {
            const unsigned source = i / block_size * block_size + (i + 1) % block_size;
            const bool zero = 4 * w >= sizeof(Piece) - zeros;
            expected[i * words + w] = zero ? 0 : from[source * words + w];
        }

    const auto d_from = DeviceBuffer<std::uint32_t>::from_host(from);
    auto d_to = poisoned<std::uint32_t>(from.size());
    hand_on<<<1, block_size>>>(reinterpret_cast<const Piece*>(d_from.data()), reinterpret_cast<Piece*>(d_to.data()),
                               pieces, zeros);
    CUDA_CHECK_LAUNCH();
    REQUIRE_SAME(d_to.to_host(), expected);
}

}  // namespace

TEST_CASE("asynchronous copies of 4, 8 and 16 bytes", "[emulator][pipeline]") {
    const unsigned zeros = GENERATE(0u, 4u, 8u, 16u);
    if (zeros <= 4) check_pieces<std::uint32_t>(zeros);
    if (zeros <= 8) check_pieces<uint2>(zeros);
    check_pieces<uint4>(zeros);
}

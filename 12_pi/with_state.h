#pragma once

#include <cuda_runtime.h>

#include <cstdint>

// Two classic generators with a state of 32 bits, each right for one thread. What goes wrong when thousands of threads
// have one each is in bad_streams.cu.
namespace with_state {

/// G. Marsaglia, "Xorshift RNGs", Journal of Statistical Software 8 (2003). The state must not be 0.
struct Xorshift {
    std::uint32_t state;

    __host__ __device__ std::uint32_t next() {
        state ^= state << 13;
        state ^= state >> 17;
        return state ^= state << 5;
    }
};

/// A linear congruential generator, with the constants of Press et al., "Numerical Recipes".
struct Congruential {
    static constexpr std::uint32_t factor = 1'664'525, summand = 1'013'904'223;
    std::uint32_t state;

    __host__ __device__ std::uint32_t next() { return state = factor * state + summand; }
};

/// The generator that many numbers further on. Two steps are a step of the same kind, with other constants; so it takes
/// one round for each bit of `steps`.
__host__ __device__ inline Congruential ahead(Congruential from, std::uint64_t steps) {
    std::uint32_t factor = Congruential::factor, summand = Congruential::summand;
    for (; steps > 0; steps /= 2) {
        if (steps % 2 == 1) from.state = factor * from.state + summand;
        summand = (factor + 1) * summand;
        factor = factor * factor;
    }
    return from;
}

}  // namespace with_state

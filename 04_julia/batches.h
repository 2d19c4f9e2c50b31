#pragma once

// Several iterations between two tests of |z|².

#include <cuda_runtime.h>

#include "iterate.h"

namespace julia {

/// How far the iteration of a pixel has come.
struct Journey {
    Complex z;
    int steps = 0;
};

/// Takes `steps` steps, a multiple of `batch`, and tests |z|² after each batch. Returns false if z was outside then,
/// and leaves the journey at the beginning of that batch.
template <int batch>
__device__ bool advance(Journey& journey, Complex c, int steps) {
    for (const int end = journey.steps + steps; journey.steps < end; journey.steps += batch) {
        Complex z = journey.z;
#pragma unroll
        for (int i = 0; i < batch; ++i) z = Fused::next(z, c);
        if (is_outside(Fused::norm(z))) return false;
        journey.z = z;
    }
    return true;
}

/// Like escape<Fused>(), but in one batch of `first` iterations and then batches of `batch`; what does not fill a batch
/// is done step by step. c must satisfy escapes_for_good(), unless both batches are 1. exact: repeat the last batch
/// step by step, to find the steps and |z|² of the escape; otherwise they only say whether z escaped.
template <int first, int batch, bool exact>
__device__ Escape escape_in_batches(Complex z, Complex c, int iterations) {
    Journey journey{z};
    const bool stays = advance<first>(journey, c, iterations < first ? 0 : first) &&
                       advance<1>(journey, c, (iterations - journey.steps) % batch) &&
                       advance<batch>(journey, c, iterations - journey.steps);
    if (stays) return {};
    if (!exact) return {1, 0};
    const Escape out = escape<Fused>(journey.z, c, iterations);
    return {journey.steps + out.steps, out.norm};
}

}  // namespace julia

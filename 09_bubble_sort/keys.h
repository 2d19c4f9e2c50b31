#pragma once

// The order in which all stages sort.

#include <cuda_runtime.h>

#include <cstring>
#include <type_traits>

namespace bubble_sort {

/// What the stages compare: an unsigned number for each float or int. The keys are in the same order as the values, and
/// different values have different keys, as have -0 and +0, and NaNs with different bits. So values with equal keys are
/// the same bits, and their order does not matter.
using Key = unsigned;

inline constexpr Key last_key = ~Key{0};

/// Floats: -infinity, the negative numbers, -0, +0, the positive numbers, +infinity, and after them all NaNs.
__host__ __device__ inline Key key_of(float value) {
    Key bits;
    memcpy(&bits, &value, sizeof bits);
    // The larger the bits, the larger a positive float, and the smaller a negative one. That alone would put NaNs with
    // a sign before -infinity. The subtraction makes the key of -infinity 0, and their keys wrap around to the end.
    return (bits >> 31 ? ~bits : bits | 0x8000'0000) - 0x007f'ffff;
}

__host__ __device__ inline Key key_of(int value) {
    return static_cast<Key>(value) ^ 0x8000'0000;
}

/// The float or int that has this key.
template <class T>
__host__ __device__ T value_of(Key key) {
    if constexpr (std::is_same_v<T, float>) {
        key += 0x007f'ffff;
        key = key >> 31 ? key ^ 0x8000'0000 : ~key;
    } else {
        key ^= 0x8000'0000;
    }
    T value;
    memcpy(&value, &key, sizeof value);
    return value;
}

}  // namespace bubble_sort

#pragma once

// The order in which everything here is sorted.

#include <cuda_runtime.h>

#include <cstring>
#include <type_traits>

namespace bubble_sort {

/// What the stages compare: an unsigned number for each float or int, such that the numbers are in order where the
/// values are, and no two values have the same. Equal keys are then the same bits, and it does not matter which is
/// first.
using Key = unsigned;

inline constexpr Key last_key = ~Key{0};

/// Floats: -infinity, the negative numbers, -0, +0, the positive numbers, +infinity, and after them all NaNs.
__host__ __device__ inline Key key_of(float value) {
    Key bits;
    memcpy(&bits, &value, sizeof bits);
    // The larger the bits, the larger a positive float, and the smaller a negative one. That would put NaNs with a sign
    // before -infinity; taking its number away from all sends them round to the end.
    return (bits >> 31 ? ~bits : bits | 0x8000'0000) - 0x007f'ffff;
}

__host__ __device__ inline Key key_of(int value) {
    return static_cast<Key>(value) ^ 0x8000'0000;
}

/// The float or int whose key it is.
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

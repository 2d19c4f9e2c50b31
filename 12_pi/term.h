#pragma once

#include <cstdint>

namespace pi {

/// 4 / (1 + x²) in the middle of strip i, in arithmetic of type T. step: the strips' width.
template <class T>
T term(std::int64_t i, T step) {
    const T x = (static_cast<T>(i) + T{0.5}) * step;
    return T{4} / (T{1} + x * x);
}

}  // namespace pi

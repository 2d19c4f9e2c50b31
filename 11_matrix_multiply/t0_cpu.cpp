// The reference: matrices that were rounded to TF32 or BF16 on the host, and their product in double, by 1_cpu with all
// threads of the host. The product of two such numbers is exact even in float.

#include <algorithm>
#include <cmath>
#include <limits>

#include "rounded.h"

namespace matrix_multiply {

template <class T>
float rounded_on_host(float x) {
    int exponent = 0;
    std::frexp(x, &exponent);  // |x| is at least 2^(exponent - 1)
    const int of_last_bit = std::max(exponent, std::numeric_limits<float>::min_exponent) - 1 - int{fraction_bits<T>};
    const double units = std::ldexp(double{x}, -of_last_bit);
    const double whole = std::is_same_v<T, float> ? std::round(units) : std::nearbyint(units);
    return static_cast<float>(std::ldexp(whole, of_last_bit));
}

void rounded_cpu(std::span<const float> a, std::span<const float> b, Shape shape, std::span<double> c) {
    cpu_threads(a, b, shape, c);
}

template float rounded_on_host<float>(float);
template float rounded_on_host<Bf16>(float);

template <class T>
constexpr TensorStage<T> rounded_cpu_stage{"all threads of the host, in double", rounded_cpu};
STAGES(rounded_cpu_stage<float>, rounded_cpu_stage<Bf16>);

}  // namespace matrix_multiply

// The value with which every stage is compared, and how far from it a stage may be.

#include <cmath>
#include <limits>

#include "exact.h"

namespace pi {

// The formula of Euler and Maclaurin gives the difference of the midpoint rule from the integral: with h = 1/n it is
// - h²/24 (f'(b) - f'(a)) + 7h⁴/5760 (f'''(b) - f'''(a)) - …, where the next term is below h⁶ · 0.04. The integral of
// 4 / (1 + x²) from a to b is 4 atan((b - a) / (1 + a·b)). A short sum is simply added up.
long double exact(Terms terms) {
    const long double n = terms.n, h = 1 / n;
    if (terms.n < 2000) {
        long double sum = 0;
        for (std::int64_t i = terms.first; i < terms.last; ++i) {
            const long double x = (i + 0.5L) * h;
            sum += 4 / (1 + x * x);
        }
        return sum * h;
    }
    const long double first = terms.first, last = terms.last;
    const auto derivative = [](long double x) { return -8 * x / ((1 + x * x) * (1 + x * x)); };
    const auto third = [](long double x) { return 96 * x * (1 - x * x) / std::pow(1 + x * x, 4.0L); };
    const long double a = first * h, b = last * h;
    return 4 * std::atan((last - first) * n / (n * n + first * last)) - h * h / 24 * (derivative(b) - derivative(a)) +
           7 * h * h * h * h / 5760 * (third(b) - third(a));
}

// Higham, "Accuracy and Stability of Numerical Algorithms", chapter 3.
template <class T>
double error_bound(double exact, double k) {
    const double ku = k * static_cast<double>(std::numeric_limits<T>::epsilon()) / 2;
    return ku < 1 ? ku / (1 - ku) * exact : std::numeric_limits<double>::infinity();
}

template double error_bound<float>(double, double);
template double error_bound<double>(double, double);

}  // namespace pi

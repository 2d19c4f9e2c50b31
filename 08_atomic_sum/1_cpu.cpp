// The reference: one thread on the host adds one int after another, in 64 bits. A sum of integers does not depend on
// the order of the additions, so every stage must give exactly this sum.

#include "atomic_sum.h"

namespace atomic_sum {

long long cpu(std::span<const int> values) {
    long long sum = 0;
    for (const int value : values) sum += value;
    return sum;
}

// Unsigned, because signed overflow is undefined behaviour in C++. The bits are those that an int would hold.
unsigned cpu_in_32_bits(std::span<const int> values) {
    unsigned sum = 0;
    for (const int value : values) sum += static_cast<unsigned>(value);
    return sum;
}

}  // namespace atomic_sum

// The reference: one thread on the host, one int after another, into a number that is wide enough. Integers forget in
// which order they were added, so every stage must give exactly this sum.

#include "atomic_sum.h"

namespace atomic_sum {

long long cpu(std::span<const int> values) {
    long long sum = 0;
    for (const int value : values) sum += value;
    return sum;
}

// Unsigned, because C++ gives no meaning to a signed sum that overflows. Bit for bit it is what an int would hold.
unsigned cpu_in_32_bits(std::span<const int> values) {
    unsigned sum = 0;
    for (const int value : values) sum += static_cast<unsigned>(value);
    return sum;
}

}  // namespace atomic_sum

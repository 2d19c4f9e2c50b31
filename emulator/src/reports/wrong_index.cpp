#include "wrong_index.h"

namespace emulator {
namespace {

// In elements: as far as a slip leads, and from where on it is none.
constexpr long long close = 1 << 14, far = 1 << 27;
// Where int ends, and where an unsigned number goes on that is below 0: not exactly, since the nearest array need not
// be the one that was meant.
constexpr long long overflowed = (1ll << 31) - far, wrapped = (1ll << 32) - (1 << 24), end = 1ll << 32;

std::string of_index(long long index) {
    if (index >= wrapped && index < end)
        return "The index is a little less than 4294967296: often it is i - 1 where i is 0 and unsigned.";
    if (index >= overflowed && index <= end)
        return "The index is near 2147483648 or more, and has probably overflowed int, as i * n does: compute it in "
               "std::size_t.";
    if (index >= 0) return {};
    if (index >= -close)
        return "The index is negative: often it is i - 1 where i is 0, or i - n where i is less than n.";
    if (index > -far) return "Often the index is negative, or it was meant for another array.";
    return "The index is negative and has probably overflowed int, as i * n does beyond 2147483647: compute it in "
           "std::size_t.";
}

}  // namespace

std::string cause_of_index(long long distance, std::size_t element_bytes) {
    if (distance < -farthest_index_bytes || distance > farthest_index_bytes) return {};
    if (element_bytes != 0) return of_index(distance / static_cast<long long>(element_bytes) - (distance < 0 ? 1 : 0));
    if (distance < 0) return of_index(distance / 4 - 1);
    for (const long long bytes : {4, 8, 16, 2, 1})
        if (distance / bytes >= overflowed && distance / bytes < end) return of_index(distance / bytes);
    return {};
}

}  // namespace emulator

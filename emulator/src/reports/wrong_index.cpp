#include "wrong_index.h"

namespace emulator {
namespace {

constexpr long long far = 1ll << 27;        // elements: further off than a slip leads
constexpr long long wrapped = 1ll << 32;    // where an unsigned number goes on that is below 0
constexpr long long overflowed = 1ll << 31;

const char* const usual[] = {
    "The index is negative. Often it is i - 1 where i is 0, or i - n where i is less than n.",
    "The index is negative and has probably overflowed int, as i * n does beyond 2147483647: compute it in std::size_t.",
    "The index is near 2147483648 or more, and has probably overflowed int, as i * n does: compute it in std::size_t.",
    "The index is a little less than 4294967296: often it is i - 1 where i is 0 and unsigned."};

std::string of_index(long long index) {
    if (index < 0) return usual[index > -far ? 0 : 1];
    if (index >= wrapped - far / 1024 && index < wrapped) return usual[3];
    return index >= overflowed - far && index <= wrapped ? usual[2] : "";
}

}  // namespace

std::string cause_of_index(long long distance, std::size_t element_bytes) {
    if (distance < -farthest_index_bytes || distance > farthest_index_bytes) return {};
    if (element_bytes != 0) return of_index(distance / static_cast<long long>(element_bytes) - (distance < 0 ? 1 : 0));
    if (distance < 0) return of_index(distance / 4);
    for (const long long bytes : {4, 8, 16, 2, 1})
        if (distance / bytes >= overflowed - far / 1024 && distance / bytes < wrapped) return of_index(distance / bytes);
    return {};
}

}  // namespace emulator

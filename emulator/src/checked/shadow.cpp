#include "shadow.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <new>

namespace emulator {
namespace {

constexpr std::size_t large_page = std::size_t{2} << 20;

// Pages of zeros that exist once they are touched, large ones where the system has them: most of the time would go
// into the first touch of each otherwise.
template <class T>
T* lazy_zeros(std::size_t n) {
    const std::size_t bytes = std::max<std::size_t>(1, n) * sizeof(T);
    void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    if (bytes >= large_page) madvise(memory, bytes, MADV_HUGEPAGE);
    return static_cast<T*>(memory);
}

}  // namespace

Shadow::Shadow(std::uintptr_t begin, std::size_t bytes, bool initialised)
    : begin_(begin), bytes_(bytes), always_initialised_(initialised) {
    const std::size_t words = (bytes + 3) / 4;
    if (!initialised) initialised_ = lazy_zeros<unsigned char>(bytes);
    words_ = lazy_zeros<Word>(words);
}

Shadow::~Shadow() {
    const std::size_t words = std::max<std::size_t>(1, (bytes_ + 3) / 4);
    if (initialised_ != nullptr) munmap(initialised_, std::max<std::size_t>(1, bytes_));
    munmap(words_, words * sizeof(Word));
}

void Shadow::copy_initialised(std::uintptr_t to, const Shadow* from_shadow, std::uintptr_t from, std::size_t bytes) {
    if (always_initialised_) return;
    if (from_shadow == nullptr || from_shadow->always_initialised_) return set_initialised(to, bytes);
    std::memmove(initialised_ + (to - begin_), from_shadow->initialised_ + (from - from_shadow->begin_), bytes);
}

}  // namespace emulator

#include "shadow.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <new>

namespace emulator {
namespace {

// Pages of zeros that exist once they are touched.
template <class T>
T* lazy_zeros(std::size_t n) {
    void* memory = mmap(nullptr, std::max<std::size_t>(1, n) * sizeof(T), PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    return static_cast<T*>(memory);
}

}  // namespace

Shadow::Shadow(std::uintptr_t begin, std::size_t bytes, bool initialised)
    : begin_(begin), bytes_(bytes), always_initialised_(initialised) {
    const std::size_t words = (bytes + 3) / 4;
    if (!initialised) initialised_ = lazy_zeros<unsigned char>(bytes);
    writes_ = lazy_zeros<Access>(words);
    reads_ = lazy_zeros<Access>(2 * words);
}

Shadow::~Shadow() {
    const std::size_t words = std::max<std::size_t>(1, (bytes_ + 3) / 4);
    if (initialised_ != nullptr) munmap(initialised_, std::max<std::size_t>(1, bytes_));
    munmap(writes_, words * sizeof(Access));
    munmap(reads_, 2 * words * sizeof(Access));
}

bool Shadow::any_initialised(std::uintptr_t address, std::size_t bytes) const {
    if (always_initialised_) return true;
    const unsigned char* first = initialised_ + (address - begin_);
    return std::any_of(first, first + bytes, [](unsigned char b) { return b != 0; });
}

void Shadow::set_initialised(std::uintptr_t address, std::size_t bytes, bool initialised) {
    if (!always_initialised_) std::memset(initialised_ + (address - begin_), initialised, bytes);
}

void Shadow::copy_initialised(std::uintptr_t to, const Shadow* from_shadow, std::uintptr_t from, std::size_t bytes) {
    if (always_initialised_) return;
    if (from_shadow == nullptr || from_shadow->always_initialised_) return set_initialised(to, bytes);
    std::memmove(initialised_ + (to - begin_), from_shadow->initialised_ + (from - from_shadow->begin_), bytes);
}

}  // namespace emulator

#include "shadow_memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <mutex>
#include <new>
#include <unordered_map>
#include <utility>

namespace emulator {
namespace {

// Pages of zeros that exist once they are touched: large ones, if there are many, since each first touch costs more
// than all that is then written there.
template <class T>
T* lazy_zeros(std::size_t n) {
    void* memory = mmap(nullptr, std::max<std::size_t>(1, n) * sizeof(T), PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    constexpr std::size_t many = 8u << 20;
    if (n * sizeof(T) >= many) madvise(memory, n * sizeof(T), MADV_HUGEPAGE);
    return static_cast<T*>(memory);
}

// The words of freed allocations, for others of the same size. They need no clearing: all that they tell of is in
// launches that have ended, and of those nothing is a race any more.
class Spare {
  public:
    void* take(std::size_t bytes) {
        const std::lock_guard lock(mutex_);
        const auto found = all_.find(bytes);
        if (found == all_.end()) return nullptr;
        void* memory = found->second;
        all_.erase(found);
        bytes_ -= bytes;
        return memory;
    }

    void keep(void* memory, std::size_t bytes) {
        const std::lock_guard lock(mutex_);
        if (bytes == 0 || bytes_ + bytes > most) {
            munmap(memory, std::max<std::size_t>(1, bytes));
        } else {
            all_.emplace(bytes, memory);
            bytes_ += bytes;
        }
    }

  private:
    static constexpr std::size_t most = std::size_t{1} << 30;
    std::mutex mutex_;
    std::unordered_multimap<std::size_t, void*> all_;
    std::size_t bytes_ = 0;
};

Spare& spare() {
    static Spare& spare = *new Spare;
    return spare;
}

}  // namespace

ShadowMemory::ShadowMemory(std::uintptr_t begin, std::size_t bytes, bool initialised)
    : begin_(begin), bytes_(bytes), always_initialised_(initialised) {
    look_whether_usual();
    const std::size_t words = (bytes + 3) / 4;
    last_ = static_cast<Accesses*>(spare().take(2 * words * sizeof(Accesses)));
    if (last_ == nullptr) last_ = lazy_zeros<Accesses>(2 * words);
    other_ = last_ + words;
    if (!initialised) initialised_ = lazy_zeros<unsigned char>(bytes);
}

ShadowMemory::~ShadowMemory() {
    give_up_words();
    if (initialised_ != nullptr) munmap(initialised_, std::max<std::size_t>(1, bytes_));
}

void ShadowMemory::give_up_words() {
    if (Accesses* all = std::exchange(last_, nullptr)) spare().keep(all, (bytes_ + 3) / 4 * 2 * sizeof(Accesses));
}

bool ShadowMemory::next_unwritten(std::uintptr_t address, std::size_t bytes, std::size_t after, std::size_t& begin,
                                  std::size_t& end) const {
    if (always_initialised_ || after >= bytes) return false;
    const unsigned char* first = initialised_ + (address - begin_);
    const void* found = std::memchr(first + after, 0, bytes - after);
    if (found == nullptr) return false;
    begin = static_cast<std::size_t>(static_cast<const unsigned char*>(found) - first);
    end = static_cast<std::size_t>(std::find_if(first + begin, first + bytes, [](unsigned char b) { return b != 0; }) -
                                   first);
    return true;
}

void ShadowMemory::copy_initialised(std::uintptr_t to, const ShadowMemory* from_shadow, std::uintptr_t from,
                                    std::size_t bytes) {
    if (always_initialised_) return;
    if (from_shadow == nullptr || from_shadow->always_initialised_) return set_initialised(to, bytes);
    std::memmove(initialised_ + (to - begin_), from_shadow->initialised_ + (from - from_shadow->begin_), bytes);
}

}  // namespace emulator

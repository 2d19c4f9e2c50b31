#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

// What the checked build knows about memory: which bytes have been written at all, and for each word of 4 bytes who
// wrote it last and who read it since.
namespace emulator {

/// How memory was touched.
enum class Touch : unsigned { plain, through_volatile, atomic, atomic_in_block };  // the last: for its block only

/// An access to a word, in 16 bytes.
struct Access {
    std::uint64_t block : 36;   // counted over all launches; 0: there was none
    std::uint64_t thread : 10;  // in the block
    std::uint64_t clock : 12;   // of the thread: fences and meetings of its warp since the block's last barrier
    std::uint64_t touch : 2;
    std::uint64_t bytes : 4;  // of the word, a bit each
    std::uint32_t phase;      // barriers that the block had passed
    std::uint32_t code;       // the lower half of the address that the call of the hook returns to

    static constexpr unsigned last_clock = (1u << 12) - 1;  // or later
};
static_assert(sizeof(Access) == 16);

/// Of an allocation, the variables of a section, or a block's shared memory.
class Shadow {
  public:
    using Frames = std::array<std::uintptr_t, 12>;  // return addresses, innermost first

    Shadow(std::uintptr_t begin, std::size_t bytes, bool initialised);
    ~Shadow();
    Shadow(const Shadow&) = delete;
    Shadow& operator=(const Shadow&) = delete;

    std::uintptr_t begin() const { return begin_; }
    std::size_t bytes() const { return bytes_; }
    bool contains(std::uintptr_t address, std::size_t bytes) const {
        return address - begin_ < bytes_ && bytes <= bytes_ - (address - begin_);
    }

    // The words are numbered from begin(), which is a multiple of 4.
    Access& last_write(std::size_t word) { return words_[word].write; }
    Access* last_reads(std::size_t word) { return words_[word].reads; }  // of two threads, the latest first

    /// Whether any of the bytes has been written; `address` within, bytes at most up to the end.
    bool any_initialised(std::uintptr_t address, std::size_t bytes) const {
        if (always_initialised_) return true;
        const unsigned char* first = initialised_ + (address - begin_);
        if (first[0] != 0) return true;  // so it is nearly always
        return std::any_of(first, first + bytes, [](unsigned char b) { return b != 0; });
    }
    void set_initialised(std::uintptr_t address, std::size_t bytes, bool initialised = true) {
        if (always_initialised_) return;
        unsigned char* first = initialised_ + (address - begin_);
        if (bytes == 1)  // without a call of the library
            *first = initialised;
        else if (bytes == 4)
            std::memset(first, initialised, 4);
        else
            std::memset(first, initialised, bytes);
    }
    void copy_initialised(std::uintptr_t to, const Shadow* from_shadow, std::uintptr_t from, std::size_t bytes);

    /// The allocation is freed: nobody asks for its words any more.
    void give_up_words();

    bool freed = false;
    Frames allocated_by{}, freed_by{};

  private:
    struct Word {
        Access write, reads[2];
    };

    std::uintptr_t begin_;
    std::size_t bytes_;
    bool always_initialised_;
    unsigned char* initialised_ = nullptr;  // a byte each
    Word* words_ = nullptr;
};

}  // namespace emulator

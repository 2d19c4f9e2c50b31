#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "../reports/source_places.h"
#include "access.h"

// The shadow memory of the checked build: which bytes have been written at all, and for each word of 4 bytes the last
// write, one by another thread that it goes along with, and the last reads by two threads.
namespace emulator {

struct CheckedBlock;

/// Of an allocation, the variables of a section, or a block's shared memory.
class ShadowMemory {
  public:
    using Frames = emulator::Frames;

    ShadowMemory(std::uintptr_t begin, std::size_t bytes, bool initialised);
    ~ShadowMemory();
    ShadowMemory(const ShadowMemory&) = delete;
    ShadowMemory& operator=(const ShadowMemory&) = delete;

    std::uintptr_t begin() const { return begin_; }
    std::size_t bytes() const { return bytes_; }
    bool contains(std::uintptr_t address, std::size_t bytes) const {
        return address - begin_ < bytes_ && bytes <= bytes_ - (address - begin_);
    }

    // The words are numbered from begin(), which is a multiple of 4. What is said of another thread is older than the
    // last: if that is of a launch that has ended, so is this.
    Access& last_write(std::size_t word) { return last_[word].write; }
    Access last_write(std::size_t word) const { return last_[word].write; }
    Access& last_read(std::size_t word) { return last_[word].read; }
    Access& other_write(std::size_t word) { return other_[word].write; }  // see RaceDetection::write
    Access& other_read(std::size_t word) { return other_[word].read; }    // of another thread than the last

    /// Calls f(word, bytes of it as a mask) for each word that [address, address + bytes) touches.
    template <class F>
    [[gnu::always_inline]] void for_each_word(std::uintptr_t address, std::size_t bytes, const F& f) const {
        const std::size_t first = address - begin_, end = first + bytes;
        if (bytes == 4 && first % 4 == 0) return f(first / 4, 0xf);
        if (bytes == 1) return f(first / 4, 1u << first % 4);
        for (std::size_t word = first / 4; 4 * word < end; ++word) {
            unsigned mask = 0xf;
            if (4 * word < first) mask &= 0xfu << (first - 4 * word);
            if (4 * word + 4 > end) mask &= 0xfu >> (4 * word + 4 - end);
            f(word, mask);
        }
    }

    /// Whether any of the bytes has been written; `address` within, bytes at most up to the end.
    bool any_initialised(std::uintptr_t address, std::size_t bytes) const {
        if (always_initialised_) return true;
        const unsigned char* first = initialised_ + (address - begin_);
        if (first[0] != 0) return true;  // so it is nearly always
        return std::any_of(first, first + bytes, [](unsigned char b) { return b != 0; });
    }
    /// Whether all have been, and by nobody who fills: as nearly always.
    template <std::size_t bytes>
    bool is_initialised(std::uintptr_t address) const {
        if (always_initialised_) return true;
        const unsigned char* first = initialised_ + (address - begin_);
        if (bytes == 4) {
            std::uint32_t all;
            std::memcpy(&all, first, 4);
            return all == 0x01010101;
        }
        return std::all_of(first, first + bytes, [](unsigned char b) { return b == 1; });
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
    /// By cudaMemset() with a byte that makes another number of several, as 1 does.
    void set_filled(std::uintptr_t address, std::size_t bytes) {
        if (!always_initialised_) std::memset(initialised_ + (address - begin_), filled, bytes);
    }
    bool is_filled(std::uintptr_t address, std::size_t bytes) const {
        if (always_initialised_) return false;
        const unsigned char* first = initialised_ + (address - begin_);
        return first[0] == filled && std::all_of(first, first + bytes, [](unsigned char b) { return b == filled; });
    }

    /// The next run of bytes that nobody has written, of [address, address + bytes), as offsets; `after` one. False:
    /// none.
    bool next_unwritten(std::uintptr_t address, std::size_t bytes, std::size_t after, std::size_t& begin,
                        std::size_t& end) const;
    void copy_initialised(std::uintptr_t to, const ShadowMemory* from_shadow, std::uintptr_t from, std::size_t bytes);

    /// The allocation is freed: nobody asks for its words any more.
    void give_up_words();

    /// Of rows that begin `pitch` bytes apart: no kernel has anything to do behind the first `row_bytes` of each.
    void set_rows(std::size_t pitch, std::size_t row_bytes) {
        pitch_ = pitch;
        row_bytes_ = row_bytes;
        look_whether_usual();
    }
    bool is_between_rows(std::uintptr_t address) const {
        return pitch_ != 0 && (address - begin_) % pitch_ >= row_bytes_;
    }
    std::size_t pitch() const { return pitch_; }
    std::size_t row_bytes() const { return row_bytes_; }

    /// Closed: no kernel that runs may touch it.
    bool is_closed() const { return closed_; }
    void close(bool closed) {
        closed_ = closed;
        look_whether_usual();
    }

    /// Whether an access there by one instruction is right as far as the address goes: as nearly always.
    [[gnu::always_inline]] bool is_usual(std::uintptr_t address, std::size_t bytes) const {
        if ((address & (bytes - 1)) != 0) return false;
        if (address - begin_ < usual_bytes_) [[likely]]  // Then so is the last byte, of as many as a thread may move.
            return (std::has_single_bit(bytes) && bytes <= usual_multiple) || bytes <= bytes_ - (address - begin_);
        return !closed_ && contains(address, bytes) && !is_between_rows(address);
    }

    CheckedBlock* owner = nullptr;  // of a block's shared memory
    bool freed = false;
    std::optional<int> device{};    // whose memory it is; nothing: that of all
    unsigned long number = 0;       // of the allocation, from 1 on
    std::uint64_t first_block = 0;  // Its words tell of blocks before that one, too: they had another owner then.
    Frames allocated_by{}, freed_by{}, filled_by{};

  private:
    static constexpr std::size_t usual_multiple = 16;  // what a thread's instruction moves at most
    static constexpr unsigned char filled = 2;         // among the bytes that are initialised

    // Most words are touched by one thread of a launch. So the others lie apart: then half as much memory is touched.
    struct Accesses {
        Access write, read;
    };

    void look_whether_usual() {
        const bool usual = !closed_ && pitch_ == 0 && begin_ % usual_multiple == 0;
        usual_bytes_ = usual ? bytes_ / usual_multiple * usual_multiple : 0;
    }

    std::uintptr_t begin_;
    std::size_t bytes_, usual_bytes_, pitch_ = 0, row_bytes_ = 0;
    bool closed_ = false, always_initialised_;
    unsigned char* initialised_ = nullptr;         // a byte each
    Accesses *last_ = nullptr, *other_ = nullptr;  // as many of each, one after the other
};

}  // namespace emulator

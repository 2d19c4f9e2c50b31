#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "emulator/atomics.h"
#include "emulator/bulk_copies.h"
#include "emulator/check.h"
#include "emulator/mbarrier.h"
#include "emulator/warp.h"

// cp.async.bulk.tensor: copies of a box of up to five dimensions, as a tensor map (CUtensorMap) describes it.
namespace emulator {

/// What cuTensorMapEncodeTiled() makes of a tensor. A CUtensorMap has room for it.
struct TensorMap {
    static constexpr unsigned most = 5;
    static constexpr std::uint32_t mark = 0x54454e53;

    char* address;
    std::uint64_t size[most];    // in elements; 1 behind the rank
    std::uint64_t stride[most];  // in bytes; the first one is an element's size
    std::uint16_t box[most];     // in elements
    std::uint16_t swizzled;      // bits of an address in shared memory that are changed by those 3 above them
    std::uint32_t made;          // mark, if it is one
};
static_assert(sizeof(TensorMap) <= 128);

/// As PTX has them: what is behind the rank is 0.
struct TensorCoordinates {
    int at[TensorMap::most];
};

/// A part of the box that lies in one piece on both sides. Out of the tensor's bounds: `global` is null.
struct TensorPiece {
    char *shared, *global;
    std::size_t bytes;
};

/// All of them, one after the other.
class TensorBox {
  public:
    EMULATOR_UNCHECKED TensorBox(const TensorMap& map, const TensorCoordinates& begin, const void* shared)
        : map_(map), begin_(begin), shared_(static_cast<char*>(const_cast<void*>(shared))), rows_(1) {
        for (unsigned d = 1; d < TensorMap::most; ++d) rows_ *= map.box[d];
        enter_row();
    }

    EMULATOR_UNCHECKED std::size_t bytes() const { return rows_ * row_bytes(); }

    EMULATOR_UNCHECKED bool next(TensorPiece& piece) {
        if (row_ == rows_) return false;
        const std::size_t end = done_ < inside_ ? inside_ : done_ < outside_ ? outside_ : row_bytes();
        char* const target = shared_ + row_ * row_bytes() + done_;
        // Swizzled are pieces of 16 bytes.
        const std::size_t most = map_.swizzled == 0 ? end : done_ / 16 * 16 + 16;
        piece.bytes = (end < most ? end : most) - done_;
        piece.global =
            done_ >= inside_ && done_ < outside_ ? row_address_ + static_cast<std::ptrdiff_t>(done_) : nullptr;
        const auto address = reinterpret_cast<std::uintptr_t>(target);
        piece.shared = reinterpret_cast<char*>(address ^ (address >> 3 & map_.swizzled));
        done_ += piece.bytes;
        if (done_ == row_bytes()) {
            ++row_;
            enter_row();
        }
        return true;
    }

  private:
    EMULATOR_UNCHECKED std::size_t row_bytes() const { return map_.box[0] * map_.stride[0]; }
    EMULATOR_UNCHECKED static std::int64_t clamped(std::int64_t n, std::int64_t most) {
        return n < 0 ? 0 : n < most ? n : most;
    }
    EMULATOR_UNCHECKED void enter_row() {
        done_ = 0;
        std::int64_t place = begin_.at[0] * static_cast<std::int64_t>(map_.stride[0]);
        bool is_inside = true;
        std::size_t rest = row_;
        for (unsigned d = 1; d < TensorMap::most; ++d) {
            const std::int64_t i = begin_.at[d] + static_cast<std::int64_t>(rest % map_.box[d]);
            rest /= map_.box[d];
            is_inside = is_inside && i >= 0 && i < static_cast<std::int64_t>(map_.size[d]);
            place += i * static_cast<std::int64_t>(map_.stride[d]);
        }
        row_address_ = map_.address + place;
        const std::int64_t box = map_.box[0], first = clamped(-std::int64_t{begin_.at[0]}, box),
                           last = clamped(static_cast<std::int64_t>(map_.size[0]) - begin_.at[0], box);
        inside_ = static_cast<std::size_t>(is_inside ? first : box) * map_.stride[0];
        outside_ = static_cast<std::size_t>(is_inside ? last : box) * map_.stride[0];
        if (outside_ < inside_) outside_ = inside_;
    }

    const TensorMap& map_;
    TensorCoordinates begin_;
    char* shared_;
    std::size_t rows_, row_ = 0;
    std::size_t done_ = 0, inside_ = 0, outside_ = 0;  // bytes of the row; those in the tensor are in between
    char* row_address_ = nullptr;
};

EMULATOR_INLINE const TensorMap& tensor_map(const void* map) {
    const auto* made = static_cast<const TensorMap*>(map);
    std::uint32_t mark;
    std::memcpy(&mark, &made->made, sizeof mark);
    if (reinterpret_cast<std::uintptr_t>(map) % 64 != 0 || mark != TensorMap::mark)
        trap("used a tensor map that cuTensorMapEncodeTiled() has not made, or that is not at a multiple of 64 bytes");
    return *made;
}
/// What a GPU of compute capability 9.0 ends a kernel for. The first column may be negative, but its bytes count.
EMULATOR_INLINE void require_tile(const void* shared, const void* map, const TensorCoordinates& at) {
    require_multiple(shared, 128, "began a tensor's copy whose place in shared memory is no multiple of 128 bytes");
    if (at.at[0] * static_cast<std::int64_t>(tensor_map(map).stride[0]) % 16 != 0)
        trap("began a tensor's copy whose first coordinate is no multiple of 16 bytes");
}

EMULATOR_INLINE void copy_tensor(void* to, const void* map, const TensorCoordinates& at, const void* barrier) {
    require_tile(to, map, at);
    std::uint64_t* const told = mbarrier::at(barrier);
    TensorBox box(tensor_map(map), at, to);
    for (TensorPiece piece; box.next(piece);) {
        if constexpr (checked)
            check_bulk_copy(piece.shared, piece.global, piece.bytes, told);
        else if (piece.global != nullptr)
            std::memcpy(piece.shared, piece.global, piece.bytes);
        else
            std::memset(piece.shared, 0, piece.bytes);
    }
    mbarrier::complete_tx(told, box.bytes());
}
EMULATOR_INLINE void copy_tensor_to_many(void* to, const void* map, const TensorCoordinates& at, const void* barrier,
                                         std::uint64_t blocks) {
    for (std::uint64_t rest = blocks & 0xffff; rest != 0; rest &= rest - 1) {
        const auto rank = static_cast<unsigned>(__builtin_ctzll(rest));
        copy_tensor(map_to_cluster(to, rank), map, at, map_to_cluster(barrier, rank));
    }
}
/// What is out of the tensor's bounds is left out.
EMULATOR_INLINE void copy_tensor_to_global(const void* map, const TensorCoordinates& at, const void* from) {
    require_tile(from, map, at);
    require_shared(from);
    TensorBox box(tensor_map(map), at, from);
    for (TensorPiece piece; box.next(piece);) {
        if (piece.global == nullptr) continue;
        if constexpr (checked)
            check_bulk_copy(piece.global, piece.shared, piece.bytes, nullptr);
        else
            std::memcpy(piece.global, piece.shared, piece.bytes);
    }
}

}  // namespace emulator

#pragma once

#include <cstddef>
#include <optional>

namespace emulator {

/// Where the static __shared__ variables of a launch's blocks are: in all of them at the same place.
class SharedPlaces {
  public:
    void launch_begins() { used_ = bytes_ = 0; }

    /// The next place for so many bytes; nothing if there is no room.
    std::optional<std::size_t> place(std::size_t bytes, std::size_t alignment);

    /// Up to where variables are, with the gaps between them; and how many bytes they have themselves.
    std::size_t used() const { return used_; }
    std::size_t bytes() const { return bytes_; }

  private:
    std::size_t used_ = 0, bytes_ = 0;
};

}  // namespace emulator

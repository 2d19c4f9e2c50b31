#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

#include "findings.h"
#include "launch.h"

namespace emulator {

/// Reads of what nobody has written. They are reported at the end of the launch: until then one may turn out to be half
/// of a race, and then the race is what to mend.
class InitialisationChecks {
  public:
    explicit InitialisationChecks(const CheckedLaunch& launch) : launch_(launch) {}

    /// No write of the bytes, in device or shared memory, is known.
    void read_unwritten(std::uintptr_t address, std::size_t bytes, std::uintptr_t code);
    void read_unwritten_local(std::uintptr_t address, std::size_t bytes, std::uintptr_t code);

    /// They were written by cudaMemset(), with a byte that makes an odd number of them.
    void read_filled(std::uintptr_t address, std::size_t bytes, std::uintptr_t code);

    void is_race(std::uintptr_t code, std::uintptr_t other_code);
    void launch_ends();

  private:
    void suspect(std::uintptr_t address, std::size_t bytes, std::uintptr_t code);

    struct Suspect {
        std::uintptr_t code;
        Finding finding;
    };
    const CheckedLaunch& launch_;
    std::vector<Suspect> suspects_;
    std::set<std::uintptr_t> filled_;  // where such numbers were read
};

}  // namespace emulator

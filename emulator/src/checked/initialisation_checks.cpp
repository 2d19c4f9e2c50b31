#include "initialisation_checks.h"

#include <algorithm>

#include "local_arrays.h"

namespace emulator {

// Not every write is seen: a function may return a structure right into memory. The poison that fresh memory holds is
// gone then.

void InitialisationChecks::read_unwritten(std::uintptr_t address, std::size_t bytes, std::uintptr_t code) {
    const auto* first = reinterpret_cast<const unsigned char*>(address);
    if (std::all_of(first, first + bytes, [](unsigned char b) { return b == 0xff; })) suspect(address, bytes, code);
}

void InitialisationChecks::read_unwritten_local(std::uintptr_t address, std::size_t bytes, std::uintptr_t code) {
    const auto* first = reinterpret_cast<const unsigned char*>(address);
    if (std::all_of(first, first + bytes, [](unsigned char b) { return b == local_poison; }))
        suspect(address, bytes, code);
}

void InitialisationChecks::suspect(std::uintptr_t address, std::size_t bytes, std::uintptr_t code) {
    if (is_new(Kind::uninitialised, code))
        suspects_.push_back({code,
                             {Kind::uninitialised,
                              launch_.kernel(),
                              {{launch_.who(), "reads " + launch_.what(address, bytes), code - 1, address, bytes}},
                              "Nothing was ever written there.",
                              "Often the code expects zeros that nobody has written, or a part of an array was left "
                              "out."}});
}

void InitialisationChecks::is_race(std::uintptr_t code, std::uintptr_t other_code) {
    std::erase_if(suspects_, [&](const Suspect& each) { return each.code == code || each.code == other_code; });
}

void InitialisationChecks::launch_ends() {
    for (const Suspect& each : suspects_) report(each.finding);
    suspects_.clear();
}

}  // namespace emulator

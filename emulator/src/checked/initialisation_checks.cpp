#include "initialisation_checks.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "../reports/source_places.h"
#include "host/allocation_names.h"
#include "host/allocations.h"
#include "host/api_calls.h"
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

void InitialisationChecks::read_filled(std::uintptr_t address, std::size_t bytes, std::uintptr_t code) {
    const ShadowMemory* shadow = shadow_of(reinterpret_cast<const void*>(address));
    if (shadow == nullptr || !filled_.insert(code).second) return;
    std::uint64_t number = 0;
    std::memcpy(&number, reinterpret_cast<const void*>(address), bytes);
    char hexadecimal[32];
    std::snprintf(hexadecimal, sizeof hexadecimal, "0x%0*zx", static_cast<int>(2 * bytes), std::size_t{number});
    const SourcePlace filled = source_place(asked_at(shadow->filled_by));
    note({launch_.who() + " of kernel " + launch_.kernel(), "reads " + launch_.what(address, bytes) + ",", code - 1},
         "cudaMemset()" + (filled.path.empty() ? "" : " at " + filled.name()) + " has set each byte to " +
             std::to_string(number & 0xff) + ". As one number these " + bytes_of(bytes) + " are " +
             std::to_string(number) + " (" + hexadecimal + ").");
}

void InitialisationChecks::suspect(std::uintptr_t address, std::size_t bytes, std::uintptr_t code) {
    if (is_new(Kind::uninitialised, code))
        suspects_.push_back({code,
                             {Kind::uninitialised,
                              launch_.kernel(),
                              {{launch_.who(), "reads " + launch_.what(address, bytes), code - 1, address, bytes}},
                              "Nothing was ever written there.",
                              "Often the code expects zeros that nobody has written, or a part of an array was left "
                              "out.",
                              failed_before()}});
}

void InitialisationChecks::is_race(std::uintptr_t code, std::uintptr_t other_code) {
    std::erase_if(suspects_, [&](const Suspect& each) { return each.code == code || each.code == other_code; });
}

void InitialisationChecks::launch_ends() {
    for (const Suspect& each : suspects_) report(each.finding);
    suspects_.clear();
}

}  // namespace emulator

#include "place.h"

#include <algorithm>
#include <cstdio>

#include "../reports/source_places.h"
#include "emulator/mbarrier.h"
#include "named_barriers.h"

namespace emulator {

const char* name(WarpOperation operation) {
    static const char* const names[] = {"__syncthreads()",        "a loop",
                                        "this_grid().sync()",     "this_cluster().sync()",
                                        "a wait() of libcu++",    "a named barrier",
                                        "__syncwarp()",           "__activemask()",
                                        "a volatile store",       "__shfl_sync()",
                                        "__shfl_up_sync()",       "__shfl_down_sync()",
                                        "__shfl_xor_sync()",      "__ballot_sync()",
                                        "__any_sync()",           "__all_sync()",
                                        "__match_any_sync()",     "__match_all_sync()",
                                        "__reduce_add_sync()",    "__reduce_min_sync()",
                                        "__reduce_max_sync()",    "__reduce_min_sync()",
                                        "__reduce_max_sync()",    "__reduce_and_sync()",
                                        "__reduce_or_sync()",     "__reduce_xor_sync()",
                                        "load_matrix_sync()",     "store_matrix_sync()",
                                        "a matrix product (mma)", "ldmatrix"};
    return names[static_cast<unsigned>(operation)];
}

namespace {

// "the wait of a barrier in which 1 arrival and 512 bytes of copies are missing"
std::string describe_barrier(std::uint64_t word) {
    const mbarrier::Word barrier(word);
    if (barrier.is_unset()) return "the wait of a barrier that nobody has initialised";
    const auto number = [](std::uint64_t n, const char* what) {
        return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
    };
    std::string text = barrier.phase ? "the wait for the end of a barrier's phase of parity 1, in which "
                                     : "the wait for the end of a barrier's phase of parity 0, in which ";
    if (barrier.missing > 0 || barrier.copies == 0) text += number(barrier.missing, "arrival");
    if (barrier.missing > 0 && barrier.copies > 0) text += " and ";
    if (barrier.copies > 0) text += number(static_cast<std::uint64_t>(barrier.copies), "byte") + " of copies";
    if (barrier.missing > 0 || barrier.copies > 0)
        text += barrier.missing + static_cast<std::uint64_t>(std::max(barrier.copies, std::int64_t{0})) == 1
                    ? " is missing"
                    : " are missing";
    if (barrier.copies < 0)
        text += std::string(barrier.missing > 0 ? " and " : "") +
                number(static_cast<std::uint64_t>(-barrier.copies), "byte") +
                " of copies have come that nobody expects";
    return text;
}

// "barrier 1 of the block (32 of 64 threads have arrived)"
std::string describe_named(const NamedBarrier& barrier) {
    const bool is_of_tile = barrier.number >= NamedBarrier::of_block;
    const std::string name = is_of_tile ? "a function of a tile of " + std::to_string(barrier.expected) + " threads"
                                        : "barrier " + std::to_string(barrier.number) + " of the block";
    return name + " (" + std::to_string(barrier.arrived) + " of " + std::to_string(barrier.expected) +
           " threads have arrived)";
}

}  // namespace

std::string describe(const Place& place) {
    std::string text = place.mbarrier() != nullptr        ? describe_barrier(*place.mbarrier())
                       : place.named_barrier() != nullptr ? describe_named(*place.named_barrier())
                                                          : name(place.operation);
    if (place.operation > WarpOperation::lockstep || place.operation == WarpOperation::sync) {
        char mask[32];
        std::snprintf(mask, sizeof mask, " with mask 0x%08x", place.mask);
        text += mask;
    }
    const std::string line = source_line(reinterpret_cast<std::uintptr_t>(place.code) - 1);
    return line.empty() ? text : text + " at " + line;
}

}  // namespace emulator

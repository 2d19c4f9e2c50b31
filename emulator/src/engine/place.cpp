#include "place.h"

#include <cstdio>

#include "../reports/source_places.h"

namespace emulator {

const char* name(WarpOperation operation) {
    static const char* const names[] = {"__syncthreads()",
                                        "a loop",
                                        "this_grid().sync()",
                                        "this_cluster().sync()",
                                        "a wait() of libcu++",
                                        "__syncwarp()",
                                        "__activemask()",
                                        "a volatile store",
                                        "__shfl_sync()",
                                        "__shfl_up_sync()",
                                        "__shfl_down_sync()",
                                        "__shfl_xor_sync()",
                                        "__ballot_sync()",
                                        "__any_sync()",
                                        "__all_sync()",
                                        "__match_any_sync()",
                                        "__match_all_sync()",
                                        "__reduce_add_sync()",
                                        "__reduce_min_sync()",
                                        "__reduce_max_sync()",
                                        "__reduce_min_sync()",
                                        "__reduce_max_sync()",
                                        "__reduce_and_sync()",
                                        "__reduce_or_sync()",
                                        "__reduce_xor_sync()",
                                        "load_matrix_sync()",
                                        "store_matrix_sync()",
                                        "a matrix product (mma)",
                                        "ldmatrix"};
    return names[static_cast<unsigned>(operation)];
}

std::string describe(const Place& place) {
    std::string text = name(place.operation);
    if (place.operation > WarpOperation::lockstep || place.operation == WarpOperation::sync) {
        char mask[32];
        std::snprintf(mask, sizeof mask, " with mask 0x%08x", place.mask);
        text += mask;
    }
    const std::string line = source_line(reinterpret_cast<std::uintptr_t>(place.code) - 1);
    return line.empty() ? text : text + " at " + line;
}

}  // namespace emulator

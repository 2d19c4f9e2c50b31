#include "barrier_checks.h"

#include <string>

#include "../engine/worker.h"
#include "../reports/source_places.h"
#include "findings.h"

namespace emulator {

void BarrierChecks::thread_arrives(const ResidentBlock& resident, std::uintptr_t code) {
    CheckedBlock& block = *resident.checked;
    const unsigned thread = thread_number(threadIdx);
    block.arrived.set(thread);
    if (block.arrivals++ == 0) {
        block.barrier_code = code;
        block.first_arrival = thread;
    } else if (code != block.barrier_code && is_new(Kind::divergent_barrier, block.barrier_code, code)) {
        // The compiler may have made two barriers of one.
        if (source_line(code - 1) == source_line(block.barrier_code - 1)) return;
        report({Kind::divergent_barrier,
                launch_.kernel(),
                {{"thread " + index(index_in(block.first_arrival, launch_.grid->block)) + " of block " +
                      index(resident.index),
                  "waits", block.barrier_code - 1},
                 {launch_.who(), "waits", code - 1}},
                "Two barriers were released as if they were one.",
                "All threads of a block have to come to the same barrier: often one stands in an if, or in a loop that "
                "some threads leave earlier."});
    }
}

void BarrierChecks::barrier_opens(const ResidentBlock& resident) {
    CheckedBlock& block = *resident.checked;
    const dim3 shape = launch_.grid->block;
    const unsigned threads = shape.x * shape.y * shape.z;
    if (block.arrivals < threads && is_new(Kind::divergent_barrier, block.barrier_code)) {
        unsigned absent = 0;
        while (block.arrived[absent]) ++absent;
        report(
            {Kind::divergent_barrier,
             launch_.kernel(),
             {{std::to_string(block.arrivals) + " of the " + std::to_string(threads) + " threads of block " +
                   index(resident.index) + ", thread " + index(index_in(block.first_arrival, shape)) + " first,",
               "wait", block.barrier_code - 1}},
             "The others, thread " + index(index_in(absent, shape)) + " first, have ended without coming there.",
             "All threads of a block have to come to each barrier: often some return before it, or skip it in an if."});
    }
    block.arrived.reset();
    block.arrivals = 0;
}

}  // namespace emulator

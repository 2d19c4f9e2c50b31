#include "deadlock_report.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>

#include "../engine/worker.h"
#include "../reports/source_places.h"
#include "findings.h"

namespace emulator {
namespace {

// Threads that wait in one line.
struct Crowd {
    const Fiber* first;
    std::uintptr_t code;
    std::string what;
    unsigned threads = 0;
};

std::map<std::string, Crowd> crowds_of(const CheckedLaunch& launch, const std::vector<Fiber*>& fibers) {
    std::map<std::string, Crowd> crowds;
    for (const Fiber* fiber : fibers) {
        if (!fiber->parked) continue;
        // A loop is known by what it looks at.
        const uint3 thread = fiber->thread;
        const unsigned number = thread.x + launch.grid->block.x * (thread.y + launch.grid->block.y * thread.z);
        const std::uintptr_t looks = static_cast<const ResidentBlock*>(fiber->block)->checked->acquired_by[number];
        const bool in_loop = fiber->place.operation == WarpOperation::spin && looks != 0;
        const auto code = in_loop ? looks : reinterpret_cast<std::uintptr_t>(fiber->place.code);
        const std::string place = describe(fiber->place), what = place.substr(0, place.find(" at "));
        Crowd& crowd = crowds[what + source_line(code - 1)];
        if (crowd.threads++ == 0) crowd = {fiber, code, what, 1};
    }
    return crowds;
}

// Whether the lanes that a warp's operation waits for wait elsewhere.
bool is_wrong_mask(const std::vector<Fiber*>& fibers) {
    bool in_loops = false, in_operations = false;
    for (const Fiber* fiber : fibers) {
        if (!fiber->parked) continue;
        in_loops |= fiber->place.operation == WarpOperation::spin;
        in_operations |=
            fiber->place.operation == WarpOperation::sync || fiber->place.operation > WarpOperation::lockstep;
    }
    return in_operations && !in_loops;
}

bool is_warp_operation(const Participant& each) {
    return each.what.find("_sync()") != each.what.npos || each.what.find("__syncwarp") != each.what.npos;
}

}  // namespace

void report_deadlock(const CheckedLaunch& launch, const std::vector<Fiber*>& fibers, const char* what) {
    Finding finding{is_wrong_mask(fibers) ? Kind::warp_mask : Kind::deadlock,
                    launch.kernel(),
                    {},
                    std::string("In a deadlock, ") + what + ".",
                    "Often some threads never reach a barrier or a warp operation, or a lane holds the lock that the "
                    "other lanes of its warp wait for."};
    for (const auto& [place, crowd] : crowds_of(launch, fibers)) {
        const std::string first = index(crowd.first->thread) + " of block " + index(crowd.first->block->index) + ",";
        if (crowd.threads == 1)
            finding.participants.push_back({"thread " + first, "waits in " + crowd.what, crowd.code - 1});
        else
            finding.participants.push_back(
                {std::to_string(crowd.threads) + " threads, first " + first, "wait in " + crowd.what, crowd.code - 1});
    }
    std::stable_sort(
        finding.participants.begin(), finding.participants.end(),
        [](const Participant& a, const Participant& b) { return is_warp_operation(a) > is_warp_operation(b); });
    report(finding);
}

}  // namespace emulator

// The engine itself, asked for what happens only now and then when kernels run.

#include "src/engine/worker.h"

#include <ucontext.h>

#include <utility>

#include "testing.h"

namespace {

constexpr unsigned threads = 64;
unsigned runs[threads];

const auto meet = []() {
    ++runs[threadIdx.x];
    emulator::sync_threads();
};

// Begins as the function of a kernel does whom the watchdog interrupts before the first of its threads.
void begin_interrupted(const void* body) {
    emulator::Worker& worker = emulator::this_worker();
    for (int i = 0; i < 2; ++i)
        worker.shall_be_interrupted();  // The watchdog knows the kernel when it has seen it twice.
    ucontext_t here;
    getcontext(&here);
    worker.interrupted(&here);
    emulator::run_threads<decltype(meet)>(body);
}

}  // namespace

TEST_CASE("uninterrupted sections nest", "[emulator]") {
    const bool before = std::exchange(emulator::uninterruptible, false);
    {
        const emulator::Uninterrupted outer;
        { const emulator::Uninterrupted inner; }
        REQUIRE(emulator::uninterruptible);
    }
    REQUIRE(!emulator::uninterruptible);
    emulator::uninterruptible = before;
}

TEST_CASE("an interruption before a fiber's first thread begins is nobody's", "[emulator]") {
    emulator::Grid grid{.kernel = "meet",
                        .grid = 1,
                        .block = threads,
                        .dynamic_shared = 0,
                        .run_threads = begin_interrupted,
                        .body = &meet,
                        .blocks = 1,
                        .cooperative = false,
                        .impatient = true};
    std::fill(std::begin(runs), std::end(runs), 0);
    emulator::this_worker().run(grid);
    REQUIRE(!grid.failed);
    for (unsigned i = 0; i < threads; ++i) {
        CAPTURE(i);
        REQUIRE(runs[i] == 1);
    }
}

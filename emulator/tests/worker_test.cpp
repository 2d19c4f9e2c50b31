// The engine itself, asked for what happens only now and then when kernels run.

#include "src/engine/worker.h"

#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <cfenv>
#include <utility>

#include "device.h"
#include "src/reports/error_state.h"
#include "testing.h"

namespace {

constexpr unsigned threads = 64;
unsigned runs[threads];

const auto meet = []() {
    ++runs[threadIdx.x];
    emulator::sync_threads();
};

// As the watchdog does, while it finds the kernel's own code: not in a function of the C library.
#if defined(__x86_64__)
[[gnu::noinline]] void interrupt_this_thread() {
    long result = SYS_tgkill;
    const long process = getpid(), thread = syscall(SYS_gettid);
    asm volatile("syscall"
                 : "+a"(result)
                 : "D"(process), "S"(thread), "d"(long{emulator::WatchedWorker::interruption})
                 : "rcx", "r11", "memory");
}

int first_mode_again, modes[threads];

const auto round_up_for_a_moment = []() {
    if (threadIdx.x == 0) {
        std::fesetround(FE_UPWARD);
        interrupt_this_thread();
        first_mode_again = std::fegetround();
        std::fesetround(FE_TONEAREST);
    }
    modes[threadIdx.x] = std::fegetround();
};

void begin_known(const void* body) {
    for (int i = 0; i < 2; ++i) emulator::this_worker().watched().shall_be_interrupted();
    emulator::run_threads<decltype(round_up_for_a_moment)>(body);
}

const auto round_up_and_fail = []() {
    modes[threadIdx.x] = std::fegetround();
    std::fesetround(FE_UPWARD);
    emulator::this_worker().failure().trap("was to fail", nullptr);
};
#endif

// Begins as the function of a kernel does whom the watchdog interrupts before the first of its threads.
void begin_interrupted(const void* body) {
    emulator::Worker& worker = emulator::this_worker();
    for (int i = 0; i < 2; ++i)
        worker.watched().shall_be_interrupted();  // The watchdog knows the kernel when it has seen it twice.
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

#if defined(__x86_64__)
TEST_CASE("a thread that is interrupted while it rounds up does so alone", "[emulator]") {
    emulator::install_fault_handler();
    emulator::Grid grid{.kernel = "round_up_for_a_moment",
                        .grid = 1,
                        .block = threads,
                        .dynamic_shared = 0,
                        .run_threads = begin_known,
                        .body = &round_up_for_a_moment,
                        .blocks = 1,
                        .cooperative = false,
                        .impatient = true};
    std::fill(std::begin(modes), std::end(modes), -1);
    emulator::this_worker().run(grid);
    REQUIRE(!grid.failed);
    REQUIRE(first_mode_again == FE_UPWARD);
    REQUIRE(std::count(std::begin(modes), std::end(modes), FE_TONEAREST) == threads);
}

TEST_CASE("kernels round to nearest, and the host as before, whatever a kernel has left", "[emulator]") {
    emulator::Grid grid{.kernel = "round_up_and_fail",
                        .grid = 1,
                        .block = threads,
                        .dynamic_shared = 0,
                        .run_threads = emulator::run_threads<decltype(round_up_and_fail)>,
                        .body = &round_up_and_fail,
                        .blocks = 1,
                        .cooperative = false};
    std::fill(std::begin(modes), std::end(modes), -1);
    std::fesetround(FE_TOWARDZERO);
    emulator::this_worker().run(grid);
    const int mode = std::fegetround();
    std::fesetround(FE_TONEAREST);
    emulator::clear_sticky_error();
    REQUIRE(grid.failed);
    REQUIRE(modes[0] == FE_TONEAREST);
    REQUIRE(mode == FE_TOWARDZERO);
}
#endif

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

// The barrier of a block and that of a grid.

#include <utility>

#include "../reports/source_places.h"
#include "switching.h"
#include "worker.h"

namespace emulator {

[[gnu::always_inline]] inline void Worker::sync_threads(const void* code, WarpOperation operation) {
    ResidentBlock& block = *here_;
    EMULATOR_CHECK(thread_is_at_barrier(block, reinterpret_cast<std::uintptr_t>(code)));
    if (++block.arrived == block.expected) return release_barrier();
    current_->place = {operation, 0, code};
    block.waiting.push(current_);
    wait();
}

#ifdef EMULATOR_BARRIER_JUMPS
extern "C" {
[[gnu::visibility("hidden")]] void emulator_arrive(const void* code, void* context, void* frame);
[[gnu::visibility("hidden")]] Fiber* emulator_arrive_unusually();
[[gnu::visibility("hidden")]] void emulator_barrier_unusual();
}

// As most often, the next thread goes on at once, and nothing is stored on this stack. What takes longer is called by
// emulator_barrier_unusual, and debuggers find the kernel behind it: its code in r12, the end of its stack in rbx.
#define EMULATOR_ARRIVE     \
    "    subq $8, %rsp\n"   \
    "    movq %rbx, %rsi\n" \
    "    movq %rbp, %rdx\n" \
    "    jmp emulator_arrive\n"

asm(R"(
.text
.hidden emulator_barrier_unusual
.globl emulator_barrier_unusual
.type emulator_barrier_unusual, @function
.p2align 4
emulator_barrier_unusual:
    .cfi_startproc
    .cfi_def_cfa rbx, 0
    .cfi_register rip, r12
    subq $8, %rsp
    call emulator_arrive_unusually
    movq %rax, %rdi
    jmp emulator_go_on
    .cfi_endproc
.size emulator_barrier_unusual, .-emulator_barrier_unusual
)");

[[gnu::always_inline]] inline void Worker::arrive_at_barrier(const void* code, void* context, void* frame) {
    ResidentBlock& block = *here_;
    Fiber* const self = current_;
    self->context = context;
    self->frame = frame;
    self->code = code;
    self->place.operation = WarpOperation::none;
    self->place.mask = 0;
    self->place.code = code;
    if (block.arrived + 1 == block.expected || !usually_goes_on()) return emulator_barrier_unusual();
    ++block.arrived;
    block.waiting.push(self);
    Fiber* const next = block.ready.pop();
    set_current(next);
    emulator_go_on(next);
}

// The last thread of the block has come, or one that has not waited before, or there is more to do. Returns with whom
// to go on.
Fiber* Worker::arrive_at_barrier_unusually() {
    if (++here_->arrived == here_->expected) {
        release_barrier();
        return current_;
    }
    here_->waiting.push(current_);
    Fiber* const next = find_next_fiber();
    if (next != current_) set_current(next);
    return next;
}

extern "C" {
void emulator_arrive(const void* code, void* context, void* frame) {
    uninterruptible = true;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    existing_worker->arrive_at_barrier(code, context, frame);
}
Fiber* emulator_arrive_unusually() {
    return existing_worker->arrive_at_barrier_unusually();
}
}
#elif defined(__x86_64__)
extern "C" [[gnu::visibility("hidden")]] void emulator_arrive_by_call(const void* code) {
    const CalledByKernel here;
    existing_worker->sync_threads(code);
}

// For kernels that jump, since they were compiled otherwise than this library: without AddressSanitizer, say.
#define EMULATOR_ARRIVE                  \
    "    call emulator_arrive_by_call\n" \
    "    movq %rbx, %rsp\n"              \
    "    jmp *%r12\n"
#endif

#ifdef EMULATOR_ARRIVE
// A kernel comes here with the code to go on at in rdi, and with what it still needs on the stack and in rbp. (For a
// while the stack ends below the red zone, where a function that calls no other may have variables.)
asm(R"(
.text
.globl emulator_barrier
.type emulator_barrier, @function
.p2align 4
emulator_barrier:
    movq %rsp, %rbx
    movq %rdi, %r12
    leaq -128(%rsp), %rsp
    andq $-16, %rsp
)" EMULATOR_ARRIVE ".size emulator_barrier, .-emulator_barrier\n");
#undef EMULATOR_ARRIVE
#endif

unsigned Worker::sync_threads_count(bool predicate, const void* code) {
    here_->votes += predicate;
    sync_threads(code);
    return here_->last_votes;
}

void Worker::release_barrier() {
    watched_.count_progress();
    ResidentBlock& block = *here_;
    block.keep_prints();
    EMULATOR_CHECK(barrier_opens(block));
    block.arrived = 0;
    block.last_votes = block.votes;
    block.votes = 0;
    block.ready.splice(block.waiting);
}

// The threads of a block wait for each other, one of them for the other blocks, and then all for that one.
void Worker::sync_grid(const void* code) {
    if (!grid_->cooperative) {
        failure_.report(cudaErrorLaunchFailure, "called this_grid().sync()", reinterpret_cast<std::uintptr_t>(code) - 1,
                        ", but the launch is not cooperative (cudaLaunchCooperativeKernel)");
        failure_.give_up();
    }
    sync_threads(code, WarpOperation::grid);
    ResidentBlock& block = *here_;
    if (!std::exchange(block.at_grid_barrier, true)) wait_for_grid(code);
    sync_threads(code, WarpOperation::grid);
    block.at_grid_barrier = false;  // before any of its threads gets past the first barrier of the next call
}

void Worker::wait_for_grid(const void* code) {
    Grid& grid = *grid_;
    const std::uint64_t barriers = grid.barriers;
    if (++grid.at_barrier == grid.blocks) {
        watched_.count_progress();
        EMULATOR_CHECK(grid_barrier_opens());
        grid.at_barrier = 0;
        ++grid.barriers;
    }
    while (grid.barriers == barriers) {
        const std::uint64_t ended = grid.ended;
        if (ended > 0 && grid.at_barrier + ended == grid.blocks && grid.barriers == barriers) {
            current_->place = {WarpOperation::grid, 0, code};
            if (!current_->parked) mark_parked();
            report_stuck("blocks have ended that others wait for");
            failure_.give_up();
        }
        yield(code, true, WarpOperation::grid);
    }
}

void sync_threads() {
    const CalledByKernel here;
    existing_worker->sync_threads(__builtin_return_address(0));
}
unsigned sync_threads_count(bool predicate) {
    const CalledByKernel here;
    return existing_worker->sync_threads_count(predicate, __builtin_return_address(0));
}
bool is_cooperative() {
    return existing_worker->is_cooperative();
}
void sync_grid() {
    const CalledByKernel here;
    existing_worker->sync_grid(__builtin_return_address(0));
}

}  // namespace emulator

#include "worker.h"

#include <memory>

#include "../memory/memory.h"
#include "../settings.h"
#include "emulator/atomics.h"
#include "emulator/shared.h"
#include "emulator/targets.h"
#include "floating_point.h"
#include "switching.h"

__thread uint3 threadIdx;
__thread uint3 blockIdx;
__thread uint3 blockDim;
__thread uint3 gridDim;

namespace emulator {

__thread Block* this_block;
__thread bool uninterruptible;
__thread std::uint32_t this_launch;
__thread Worker* existing_worker;
__thread std::uintptr_t shared_memory_begin;

Worker& this_worker() {
    // A static object's destructor may launch kernels when this OS thread's thread-local objects are gone already: then
    // there is another worker, up to the end of the process.
    struct Owner {
        ~Owner() {
            delete existing_worker;
            existing_worker = nullptr;
        }
    };
    if (existing_worker == nullptr) {
        existing_worker = new Worker;
        static thread_local Owner owner;
    }
    return *existing_worker;
}

bool detail::in_kernel() {
    return existing_worker != nullptr && existing_worker->in_kernel();
}

Worker::Worker() {
    blocks_.push_back(std::make_unique<ResidentBlock>());
    here_ = blocks_.front().get();
    own_stack_.thread.x = no_thread;
}

Worker::~Worker() {
    shared_memory_begin = 0;
}

void Worker::run(Grid& grid) {
    grid_ = &grid;
    failure_.launch_begins(grid);
    shuffle_ = value_of<settings::shuffle>().number;
    claimed_.launch_begins();
    watched_.launch_begins(++this_launch, reinterpret_cast<const void*>(grid.run_threads));
    spinning_.launch_begins();
    shared_.launch_begins();
    blockDim = grid.block;
    gridDim = grid.grid;
    threads_ = grid.block.x * grid.block.y * grid.block.z;
    warps_in_block_ = (threads_ + 31) / 32;
    uninterruptible = true;
    EMULATOR_CHECK(grid_begins(grid));
    clusters_.clear();
    for (const auto& block : blocks_) block->member.cluster = nullptr;
    ResidentBlock* first = blocks_.front().get();
    if (grid.has_clusters()) {
        first = claim_cluster();
    } else {
        forget_waiting(*first);
        if (!claim_block(*first)) first = nullptr;
    }
    if (first == nullptr) return;
    enter(*first);
    grid.workers[grid.workers_there.fetch_add(1)] = &watched_;

    const AsGpuComputes threads;
    signal_stack_.use();
    if (sigsetjmp(failure_.given_up(), 1) == 0) {
        watched_.set_in_kernel(true);
        switch_to(pool_.take());
    } else {
        watched_.set_in_kernel(false);
        FloatingPointControl().set();  // It may have been given up as it rounded up.
        after_jump(own_stack_);
        failure_.tell_unreported(reinterpret_cast<std::uintptr_t>(current_->stack));
        clean_up_after_failure();
    }
    EMULATOR_CHECK(grid_ends());
    watched_.set_in_kernel(false);
    signal_stack_.put_back();
    std::size_t known = grid.shared_bytes;
    while (shared_.bytes() > known && !grid.shared_bytes.compare_exchange_weak(known, shared_.bytes())) {
    }
}

bool is_in_constant_memory(const void* pointer) {
    const Uninterrupted here;
    return is_constant(pointer);
}

bool is_in_local_memory(const void* pointer) {
    const Uninterrupted here;
    return existing_worker->is_on_a_stack(reinterpret_cast<std::uintptr_t>(pointer));
}

bool Worker::is_in_shared_memory(std::uintptr_t address) const {
    return std::ranges::any_of(blocks_, [&](const auto& block) {
        return address - reinterpret_cast<std::uintptr_t>(block->shared) < shared_memory_reserved;
    });
}

void Worker::faulted(const Fault& fault, void* context) {
    failure_.faulted(fault, context, signal_stack_.for_detours());
}

// The threads of the kernel are left where they were; their fibers begin anew.
void Worker::clean_up_after_failure() {
    for (const auto& block : blocks_) {
        block->active = false;
        block->keep_prints();
    }
    current_ = &own_stack_;
    pool_.reclaim_all();
}

}  // namespace emulator

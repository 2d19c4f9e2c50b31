// Clusters: blocks that begin together, wait for each other and use each other's shared memory. One worker runs all
// blocks of a cluster, so that they make progress together however many workers there are.

#include <sys/mman.h>

#include <algorithm>
#include <new>
#include <string>

#include "cluster.h"
#include "emulator/address_spaces.h"
#include "emulator/atomics.h"
#include "emulator/shared.h"
#include "switching.h"
#include "worker.h"

namespace emulator {

// The blocks of the next cluster of the grid begin. The one whose threads run first; null if there is no cluster left.
ResidentBlock* Worker::claim_cluster() {
    if (!claimed_.claim_cluster(*grid_)) return nullptr;
    const auto is_free = [](const auto& cluster) { return cluster->live == 0; };
    auto free = std::find_if(clusters_.begin(), clusters_.end(), is_free);
    if (free == clusters_.end()) free = clusters_.insert(free, std::make_unique<Cluster>());
    Cluster& cluster = **free;
    const unsigned n = grid_->cluster_blocks();
    cluster = {};
    cluster.live = n;
    cluster.expected = n * threads_;
    for (unsigned rank = 0; rank < n; ++rank) {
        ResidentBlock& block = unused_block();
        block.member.begin(&cluster, rank);
        cluster.blocks.push_back(&block);
        forget_waiting(block);
        begin_block(block, claimed_.index_in_cluster(*grid_, rank));
    }
    return cluster.blocks[shuffle_ ? (*shuffle_ + claimed_.clusters()) % n : 0];
}

// That no block of the grid is in, and none of a cluster whose others go on.
ResidentBlock& Worker::unused_block() {
    const auto is_unused = [this](const auto& block) {
        return !block->active && (block->member.cluster == nullptr || !grid_->has_clusters());
    };
    auto unused = std::find_if(blocks_.begin(), blocks_.end(), is_unused);
    if (unused == blocks_.end()) unused = blocks_.insert(unused, std::make_unique<ResidentBlock>());
    return **unused;
}

// Another block of the same cluster whose threads can go on, each in turn; null if there is none.
ResidentBlock* Worker::another_of_cluster(const ResidentBlock& block) const {
    const std::vector<ResidentBlock*>& blocks = block.member.cluster->blocks;
    for (std::size_t i = 1; i < blocks.size(); ++i) {
        ResidentBlock* other = blocks[(block.member.rank + i) % blocks.size()];
        if (can_go_on(*other)) return other;
    }
    return nullptr;
}

// The present block, one of a cluster, has ended. What the worker goes on with; null if that is nothing.
ResidentBlock* Worker::behind_block_of_cluster() {
    ResidentBlock& block = *here_;
    Cluster& cluster = *block.member.cluster;
    block.active = false;
    EMULATOR_CHECK(block_of_cluster_ends(block));
    if (--cluster.live == 0) {
        for (ResidentBlock* each : cluster.blocks) each->member.cluster = nullptr;
        ResidentBlock* next = claim_cluster();
        return next != nullptr ? next : another_begun_block();
    }
    ResidentBlock* next = another_of_cluster(block);
    if (next != nullptr) return next;
    open_for_those_left(cluster);
    next = another_of_cluster(block);
    if (next == nullptr) {
        report_stuck("no thread can go on");
        failure_.give_up();
    }
    return next;
}

// No thread of the present block can go on, and it may wait for others of its cluster: enters one of those. False if
// none of them can go on either.
bool Worker::go_on_in_cluster() {
    ResidentBlock& block = *here_;
    if (block.member.cluster == nullptr) return false;
    ResidentBlock* next = another_of_cluster(block);
    if (next == nullptr) {
        open_for_those_left(*block.member.cluster);
        if (!block.ready.empty()) return true;
        next = another_of_cluster(block);
    }
    if (next != nullptr) enter(*next);
    return next != nullptr;
}

// As on a GPU, threads that have ended are not waited for. No thread of the cluster can go on.
void Worker::open_for_those_left(Cluster& cluster) {
    bool any = false;
    for (ResidentBlock* block : cluster.blocks) {
        if (!block->active) continue;
        for (unsigned w = 0; w < warps_in_block_; ++w)
            for (unsigned rest = block->warps[w].parked; rest != 0; rest &= rest - 1) {
                if (!block->member.arrived[32 * w + static_cast<unsigned>(__builtin_ctz(rest))]) return;
                any = true;
            }
    }
    if (!any) return;
    EMULATOR_CHECK(cluster_barrier_opens_without_all(cluster));
    open_cluster_barrier(cluster);
}

void Worker::open_cluster_barrier(Cluster& cluster) {
    watched_.count_progress();
    here_->keep_prints();
    EMULATOR_CHECK(cluster_barrier_opens(cluster));
    cluster.arrived = 0;
    for (ResidentBlock* block : cluster.blocks) {
        block->member.arrived.reset();
        block->member.waiters = 0;
        block->ready.splice(block->member.waiting);
    }
}

void Cluster::begin_alone(ResidentBlock& block) {
    blocks = {&block};
    live = 1;
    arrived = 0;
    block.member.begin(this, 0);
}

// A launch without clusters has clusters of one block, for who asks.
Cluster& Worker::cluster_here() {
    ResidentBlock& block = *here_;
    if (block.member.cluster == nullptr) {
        Cluster& cluster = *clusters_.emplace_back(std::make_unique<Cluster>());
        cluster.expected = threads_;
        cluster.begin_alone(block);
    }
    return *block.member.cluster;
}

void Worker::fail_at_cluster_barrier(const char* what, const void* code) {
    failure_.report(cudaErrorLaunchFailure, what, reinterpret_cast<std::uintptr_t>(code) - 1);
    failure_.give_up();
}

void Worker::arrive_at_cluster(const void* code, [[maybe_unused]] bool releases) {
    Cluster& cluster = cluster_here();
    ClusterMember& member = here_->member;
    const unsigned thread = thread_number(threadIdx);
    if (member.owing[thread])
        fail_at_cluster_barrier("arrived at the barrier of its cluster again, before it has waited for it", code);
    EMULATOR_CHECK(thread_is_at_cluster_barrier(*here_, reinterpret_cast<std::uintptr_t>(code), releases));
    member.owing.set(thread);
    member.arrived.set(thread);
    if (++cluster.arrived == cluster.expected) open_cluster_barrier(cluster);
}

void Worker::wait_for_cluster(const void* code) {
    cluster_here();
    ResidentBlock& block = *here_;
    const unsigned thread = thread_number(threadIdx);
    if (!block.member.owing[thread])
        fail_at_cluster_barrier("waited for the barrier of its cluster without having arrived there", code);
    if (block.member.arrived[thread]) {
        current_->place = {WarpOperation::cluster, 0, code};
        block.member.waiting.push(current_);
        ++block.member.waiters;
        wait();
    }
    block.member.owing.reset(thread);
    EMULATOR_CHECK(thread_has_waited_for_cluster(block));
}

unsigned Worker::rank_in_cluster() const {
    return here_->member.cluster == nullptr ? 0 : here_->member.rank;
}

// The block in whose shared memory the address is; null if in none of the cluster's.
const ResidentBlock* Worker::owner_in_cluster(std::uintptr_t address) const {
    const auto is_in = [address](const ResidentBlock* block) {
        return address - reinterpret_cast<std::uintptr_t>(block->shared) < shared_memory_reserved;
    };
    if (is_in(here_)) return here_;
    if (here_->member.cluster == nullptr) return nullptr;
    const auto& blocks = here_->member.cluster->blocks;
    const auto found = std::find_if(blocks.begin(), blocks.end(), is_in);
    return found == blocks.end() ? nullptr : *found;
}

char* Worker::shared_of_rank(unsigned rank) const {
    const Cluster* cluster = here_->member.cluster;
    if (cluster == nullptr) return rank == 0 ? here_->shared : nullptr;
    return rank < cluster->blocks.size() ? cluster->blocks[rank]->shared : nullptr;
}

namespace {

// As much as there may be of a rank that no block has: closed to everybody.
char* shared_of_nobody() {
    static char* const nobody = [] {
        void* memory =
            mmap(nullptr, 2 * shared_memory_reserved, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (memory == MAP_FAILED) throw std::bad_alloc();
        return static_cast<char*>(memory);
    }();
    return nobody;
}

}  // namespace

bool is_of_no_block(std::uintptr_t address) {
    return address - reinterpret_cast<std::uintptr_t>(shared_of_nobody()) < 2 * shared_memory_reserved;
}

bool is_cluster_specified() {
    return existing_worker->cluster_dim() != nullptr;
}

uint3 cluster_dim() {
    const dim3* cluster = existing_worker->cluster_dim();
    return cluster == nullptr ? uint3{1, 1, 1} : uint3(*cluster);
}

uint3 block_index_in_cluster() {
    const uint3 cluster = cluster_dim();
    return {blockIdx.x % cluster.x, blockIdx.y % cluster.y, blockIdx.z % cluster.z};
}

unsigned block_rank_in_cluster() {
    const uint3 cluster = cluster_dim(), block = block_index_in_cluster();
    return block.x + cluster.x * (block.y + cluster.y * block.z);
}

void sync_cluster() {
    const CalledByKernel here;
    existing_worker->arrive_at_cluster(__builtin_return_address(0), true);
    existing_worker->wait_for_cluster(__builtin_return_address(0));
}

void arrive_at_cluster(bool releases) {
    const CalledByKernel here;
    existing_worker->arrive_at_cluster(__builtin_return_address(0), releases);
}

void wait_for_cluster() {
    const CalledByKernel here;
    existing_worker->wait_for_cluster(__builtin_return_address(0));
}

void* map_to_cluster(const void* pointer, unsigned rank) {
    const Uninterrupted here;
    const ResidentBlock* owner = existing_worker->owner_in_cluster(reinterpret_cast<std::uintptr_t>(pointer));
    char* const shared = owner == nullptr ? nullptr : existing_worker->shared_of_rank(rank);
    if (owner == nullptr) return shared_of_nobody();
    return (shared == nullptr ? shared_of_nobody() : shared) + (static_cast<const char*>(pointer) - owner->shared);
}

std::size_t shared_address_in_cluster(const void* pointer) {
    const Uninterrupted here;
    const ResidentBlock* owner = existing_worker->owner_in_cluster(reinterpret_cast<std::uintptr_t>(pointer));
    const char* const begin = owner == nullptr ? this_block->shared : owner->shared;
    const auto place = static_cast<std::size_t>(static_cast<const char*>(pointer) - begin);
    return owner == nullptr ? place : std::size_t{owner->member.rank + 1} << shared_address_bits | place;
}

bool is_in_cluster(const void* pointer) {
    const Uninterrupted here;
    return existing_worker->owner_in_cluster(reinterpret_cast<std::uintptr_t>(pointer)) != nullptr;
}

unsigned rank_in_cluster(const void* pointer) {
    const Uninterrupted here;
    const ResidentBlock* owner = existing_worker->owner_in_cluster(reinterpret_cast<std::uintptr_t>(pointer));
    return owner == nullptr ? existing_worker->rank_in_cluster() : owner->member.rank;
}

}  // namespace emulator

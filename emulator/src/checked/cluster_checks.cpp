#include "cluster_checks.h"

#include <algorithm>
#include <string>

#include "../engine/worker.h"
#include "findings.h"

namespace emulator {
namespace {

const char* const keep_until_end =
    "A block must not end while others use its shared memory: often a cluster.sync() is missing at the end of the "
    "kernel.";

}  // namespace

const ResidentBlock& ClusterChecks::resident_of(const CheckedBlock& block) const {
    const auto& blocks = launch_.cluster->blocks;
    return **std::ranges::find_if(blocks, [&](const ResidentBlock* each) { return each->checked.get() == &block; });
}

void ClusterChecks::thread_arrives(ResidentBlock& block, std::uintptr_t code) {
    launch_.cluster = block.member.cluster;  // A launch without clusters has only now been given one.
    barrier_code_ = code;
}

// Threads have ended that the others of the cluster wait for.
void ClusterChecks::opens_without_all(const Cluster& cluster) {
    if (told_absent_in_ == launch_.grid->kernel) return;  // All further barriers are the same mistake.
    told_absent_in_ = launch_.grid->kernel;
    std::string absent;
    for (const ResidentBlock* block : cluster.blocks) {
        const unsigned threads = cluster.expected / static_cast<unsigned>(cluster.blocks.size());
        for (unsigned thread = 0; thread < threads && absent.empty(); ++thread)
            if (!block->member.arrived[thread])
                absent = CheckedLaunch::who(index_in(thread, launch_.grid->block), block->index);
    }
    report({Kind::divergent_barrier,
            launch_.kernel(),
            {{std::to_string(cluster.arrived) + " of the " + std::to_string(cluster.expected) +
                  " threads of a cluster, the last of them in block " + index(blockIdx) + ",",
              "wait in this_cluster().sync()", barrier_code_ - 1}},
            "The others, " + absent + " first, have ended without coming there.",
            "All threads of all blocks of a cluster have to come to each of its barriers: often some return before it, "
            "or skip it in an if."});
}

void ClusterChecks::meet_neighbour(CheckedBlock& owner, const Attempt& attempt, Access now) {
    const ResidentBlock& resident = resident_of(owner);
    const std::string its_block = "block " + index(resident.index);
    const Participant here{launch_.who(),
                           (attempt.write ? "writes " : "reads ") + launch_.what(attempt.address, attempt.bytes),
                           attempt.code - 1, attempt.address, attempt.bytes};
    if (!resident.active) {
        if (is_new(Kind::use_after_free, attempt.code))
            report({Kind::use_after_free,
                    launch_.kernel(),
                    {here},
                    "That block has ended, and its shared memory is gone.",
                    keep_until_end});
        return;
    }
    if (!order_.knows_of_begin(owner) && is_new(Kind::use_after_free, attempt.code, 1))
        report({Kind::use_after_free,
                launch_.kernel(),
                {here},
                "Nothing says that " + its_block + " has begun: no cluster.sync() lies before.",
                "Blocks of a cluster begin at different times: the shared memory of another one may be used behind a "
                "first "
                "cluster.sync()."});
    const unsigned rank = resident_of(*launch_.block).member.rank;
    owner.remote_accesses[rank] = {now, attempt.address, attempt.code, attempt.bytes, attempt.write};
    owner.remote_used = true;
}

void ClusterChecks::block_ends(const ResidentBlock& resident) {
    const CheckedBlock& block = *resident.checked;
    if (!block.remote_used) return;
    for (const CheckedBlock::RemoteAccess& remote : block.remote_accesses) {
        if (remote.bytes == 0 || order_.is_before_end(remote.access) || !is_new(Kind::use_after_free, remote.code))
            continue;
        report({Kind::use_after_free,
                launch_.kernel(),
                {{launch_.who(remote.access),
                  (remote.writes ? "wrote " : "read ") + launch_.what(remote.address, remote.bytes), remote.code - 1,
                  remote.address, remote.bytes}},
                "Nothing keeps block " + index(resident.index) +
                    " from ending before that: no cluster.sync() lies between the access and the end of the block.",
                keep_until_end});
    }
}

}  // namespace emulator

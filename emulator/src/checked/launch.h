#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "access.h"
#include "checked_block.h"
#include "emulator/check.h"

namespace emulator {

struct Cluster;
struct Grid;
struct ResidentBlock;

/// What a kernel that is about to be launched, perhaps in vain, calls those of its parameters that are null.
struct NullParameters {
    const char* kernel = nullptr;
    std::vector<const char*> names;
};
extern thread_local NullParameters next_null_parameters;

/// The launch that runs, its present block, and how reports name their threads and memory.
struct CheckedLaunch {
    struct SharedVariable {
        std::size_t begin, bytes;  // from the beginning of shared memory
        DescribedVariable type;
    };

    const Grid* grid = nullptr;
    CheckedBlock* block = nullptr;
    char* shared_memory = nullptr;                 // the block's
    const Cluster* cluster = nullptr;              // the block's, or null
    std::vector<SharedVariable> shared_variables;  // static ones that some block has used
    DescribedVariable dynamic_shared{};            // the latest by which dynamic shared memory was used

    void begin(const Grid& new_grid);

    /// Blocks get new numbers: what was before is ordered before what comes, for all of them.
    void renumber_blocks();
    void renumber(CheckedBlock& waited) const;  // of a block that has begun before
    std::uint64_t number_of(std::uint64_t block_of_grid) const { return first_block_ + block_of_grid; }

    /// Since the launch, or the grid's last barrier.
    bool is_recent(Access access) const { return access.block >= first_block_; }
    /// Or of an earlier launch, beside which this one may run.
    bool counts(Access access) const { return access.block >= first_unordered_block_; }
    bool is_beside_kernels() const { return first_unordered_block_ < first_of_launch_; }
    bool is_beside_others() const { return is_beside_others_; }
    /// Of an earlier launch.
    bool is_earlier(Access access) const { return access.block < first_of_launch_; }
    std::uint64_t behind_last_block() const { return next_number_; }
    bool is_shared(std::uintptr_t address) const;
    bool is_near_shared(std::uintptr_t address) const;

    /// Whether the access, perhaps of another block, is by a thread of the present cluster.
    bool is_in_cluster(Access access) const {
        return access.block == block->number || (cluster != nullptr && is_of_neighbour(access));
    }
    /// The other block of the cluster in whose shared memory the address is, or near it; null if there is none.
    const ResidentBlock* neighbour_near(std::uintptr_t address) const;

    /// A number that no other thread of any launch has.
    std::uint64_t present_thread() const;

    std::string kernel() const;
    std::string null_parameters() const;  // " The kernel's parameter x is null."; empty if none is
    std::string who() const;              // "thread (3,0,0) of block (0,0,0)", the present one
    static std::string who(uint3 thread, uint3 block);
    std::string who(Access access) const;
    std::string who(unsigned thread) const;                             // of the present block
    std::string what(std::uintptr_t address, std::size_t bytes) const;  // "cache[5] in shared memory"

    /// Dynamic shared memory is meant.
    bool is_near_dynamic_shared(std::uintptr_t address) const;

    /// Where the array begins that what() names for an address close to it; 0: none.
    std::uintptr_t begin_of_nearest(std::uintptr_t address) const;

  private:
    bool is_beside_others_ = false;  // kernels or copies
    [[gnu::cold]] bool is_of_neighbour(Access access) const;
    const SharedVariable* nearest_shared(long long at) const;
    bool is_near_dynamic(long long at) const;
    std::string dynamic_name(long long at, std::size_t bytes) const;
    std::string shared_name(std::uintptr_t address, std::size_t bytes) const;
    std::string of_block(const ResidentBlock* neighbour) const;

    std::uint64_t first_block_ = 1, next_number_ = 1;
    std::uint64_t first_of_launch_ = 1, first_unordered_block_ = 1;  // the latter is first_block_, if all is ordered
    std::vector<const char*> null_parameters_;
};

/// Whatever lies so close behind the device's variables was not meant.
inline constexpr std::uintptr_t stray_bytes = 4096;

/// "cache[3][32] in shared memory", the element at that distance in bytes; of one beyond it, how it is declared, too.
std::string variable_name(const DescribedVariable& variable, long long distance, std::size_t bytes, const char* memory);

}  // namespace emulator

// Where the __shared__ variables of a block are.

#include <sys/mman.h>

#include <cstring>
#include <new>

#include "../memory/memory.h"
#include "../rounding.h"
#include "emulator/atomics.h"
#include "emulator/shared.h"
#include "shared_places.h"
#include "switching.h"
#include "worker.h"

namespace emulator {
namespace {

constexpr std::size_t arena_bytes = shared_memory_reserved;  // 48 KiB of static, up to 227 KiB of dynamic shared memory
constexpr std::size_t whole_bytes = arena_bytes + 2 * shared_margin;

}  // namespace

ResidentBlock::ResidentBlock() {
    void* memory = mmap(nullptr, whole_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    shared = static_cast<char*>(memory) + shared_margin;
    if (mprotect(shared, arena_bytes, PROT_READ | PROT_WRITE) != 0) throw std::bad_alloc();
}

ResidentBlock::~ResidentBlock() {
    munmap(shared - shared_margin, whole_bytes);
}

std::optional<std::size_t> SharedPlaces::place(std::size_t bytes, std::size_t alignment) {
    const std::size_t begin = round_up(used_, alignment);
    bytes_ += bytes;
    if (bytes_ > max_static_shared || begin + bytes > dynamic_shared_begin) return std::nullopt;
    used_ = begin + bytes + shared_gap;
    return begin;
}

std::uint64_t Worker::place_shared(std::size_t bytes, std::size_t alignment, std::uint64_t* known) {
    if (*known >> 32 == this_launch) return *known;  // Another thread was here between the question and now.
    const std::optional<std::size_t> begin = shared_.place(bytes, alignment);
    if (!begin) {
        failure_.report(cudaErrorInvalidValue,
                        "needs more than the 49152 bytes of static shared memory that a block has");
        failure_.give_up();
    }
    for (const auto& block : blocks_)
        if (block->active) std::memset(block->shared + *begin, 0xff, bytes);
    return *known = std::uint64_t{this_launch} << 32 | *begin;
}

void name_shared([[maybe_unused]] std::uint64_t place, [[maybe_unused]] std::size_t bytes,
                 [[maybe_unused]] const DescribedVariable& variable) {
    const Uninterrupted here;
    EMULATOR_CHECK(shared_variable(static_cast<std::uint32_t>(place), bytes, variable));
}

void name_dynamic_shared([[maybe_unused]] const DescribedVariable& variable) {
    EMULATOR_CHECK(dynamic_shared_variable(variable));
}

std::uint64_t place_shared(std::size_t bytes, std::size_t alignment, std::uint64_t* known) {
    const Uninterrupted here;
    return existing_worker->place_shared(bytes, alignment, known);
}

}  // namespace emulator

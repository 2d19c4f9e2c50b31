#include "async_copies.h"

#include <utility>

#include "active_checker.h"

namespace emulator {

void AsyncCopies::Places::add(std::uintptr_t address, std::size_t bytes, const AsyncCopy* copy) {
    if (bytes == 0) return;
    if (is_large(bytes))
        large_.push_back({address, bytes, copy});
    else
        copies_.emplace(address / 16, Place{address, bytes, copy});
    for (std::uintptr_t piece = address / 16; piece <= (address + bytes - 1) / 16; ++piece)
        ++counts_[piece % counts_.size()];
}

void AsyncCopies::Places::remove(std::uintptr_t address, std::size_t bytes, const AsyncCopy* copy) {
    if (bytes == 0) return;
    if (is_large(bytes)) {
        if (std::erase_if(large_, [&](const Place& place) { return place.copy == copy; }) == 0) return;
    } else {
        const auto [first, last] = copies_.equal_range(address / 16);
        const auto found = std::find_if(first, last, [&](const auto& each) { return each.second.copy == copy; });
        if (found == last) return;
        copies_.erase(found);
    }
    for (std::uintptr_t piece = address / 16; piece <= (address + bytes - 1) / 16; ++piece)
        --counts_[piece % counts_.size()];
}

void AsyncCopies::Places::clear() {
    if (empty()) return;
    copies_.clear();
    large_.clear();
    std::ranges::fill(counts_, 0u);
}

const AsyncCopy* AsyncCopies::Places::in_piece(std::uintptr_t piece, std::uintptr_t address, std::size_t bytes) const {
    for (const Place& place : large_)
        if (place.has(address, bytes)) return place.copy;
    const auto [first, last] = copies_.equal_range(piece);
    const auto found = std::find_if(first, last, [&](const auto& each) { return each.second.has(address, bytes); });
    return found == last ? nullptr : found->second.copy;
}

void AsyncCopies::launch_begins() {
    targets_.clear();
    sources_.clear();
    latest_.clear();
}

void AsyncCopies::block_begins(std::vector<ThreadCopies>& copies) {
    if (any())
        for (const ThreadCopies& thread : copies) {
            for (const auto& copy : thread.open) end(*copy);
            for (const ThreadCopies::Group& group : thread.groups)
                for (const auto& copy : group) end(*copy);
        }
    copies.clear();
}

bool AsyncCopies::has_reduction_like(const AsyncCopy& copy) const {
    return targets_.any_at(copy.to, copy.bytes, [&](const AsyncCopy& other) {
        return other.is_reduction && other.to == copy.to && other.bytes == copy.bytes &&
               other.barrier == copy.barrier && other.phase == copy.phase && other.begun.block == copy.begun.block;
    });
}

bool AsyncCopies::repeats(const AsyncCopy& copy) const {
    const auto found = latest_.find(copy.to);
    return found != latest_.end() && found->second.brings_the_same(copy);
}

void AsyncCopies::begin(ThreadCopies& thread, const AsyncCopy& copy) {
    AsyncCopy* begun = thread.open.emplace_back(begin(copy)).get();
    begun->owner = &thread;
    begun->waits_before = thread.waits;
}

std::unique_ptr<AsyncCopy> AsyncCopies::begin(const AsyncCopy& copy) {
    usual_checker = nullptr;
    latest_.insert_or_assign(copy.to, copy);
    auto begun = std::make_unique<AsyncCopy>(copy);
    targets_.add(copy.to, copy.bytes, begun.get());
    sources_.add(copy.from, copy.given, begun.get());
    return begun;
}

void AsyncCopies::commit(ThreadCopies& thread) {
    for (const auto& copy : thread.open) {
        copy->committed = true;
        copy->group = thread.committed;
    }
    ++thread.committed;
    thread.groups.push_back(std::exchange(thread.open, {}));
}

void AsyncCopies::end(const AsyncCopy& copy) {
    targets_.remove(copy.to, copy.bytes, &copy);
    if (!copy.is_read) sources_.remove(copy.from, copy.given, &copy);
}

void AsyncCopies::end_read(AsyncCopy& copy) {
    sources_.remove(copy.from, copy.given, &copy);
    copy.is_read = true;
}

}  // namespace emulator

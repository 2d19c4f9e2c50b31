#include "memory_requests.h"

#include <algorithm>
#include <iterator>

namespace emulator {
namespace {

constexpr std::size_t word = 4, banks = 32;

// Sectors, words or addresses that lanes touch; those of the present request.
struct Items {
    std::array<std::uintptr_t, 8 * lanes_of_warp> all;
    std::size_t n = 0;

    // The pieces of `size` bytes that the lanes [begin, end) touch.
    Items(const LaneAddresses& lanes, std::size_t begin, std::size_t end, std::size_t size, std::size_t bytes) {
        for (std::size_t lane = begin; lane < end; ++lane)
            if (const auto address = lanes[lane])
                for (std::uintptr_t i = *address / size; i <= (*address + bytes - 1) / size; ++i) all[n++] = i;
        if (!std::is_sorted(all.begin(), all.begin() + n)) std::sort(all.begin(), all.begin() + n);
    }

    void make_unique() { n = static_cast<std::size_t>(std::unique(all.begin(), all.begin() + n) - all.begin()); }
};

std::uint64_t different(Items items) {
    items.make_unique();
    return items.n;
}

// What atomic operations on these addresses do: the most of them that are at one address, and how many sectors they
// send to the L2 cache, where a sector can bring one operand for each address in it.
struct AtomicTraffic {
    std::uint64_t most_at_one_address = 0, sectors = 0;
};
AtomicTraffic atomic_traffic(const Items& addresses) {
    AtomicTraffic traffic;
    const auto end = addresses.all.begin() + addresses.n;
    for (auto at = addresses.all.begin(); at != end;) {
        std::uint64_t most_in_sector = 0;
        for (const std::uintptr_t number = *at / bytes_of_sector; at != end && *at / bytes_of_sector == number;) {
            const auto next = std::upper_bound(at, end, *at);
            most_in_sector = std::max(most_in_sector, static_cast<std::uint64_t>(next - at));
            at = next;
        }
        traffic.sectors += most_in_sector;
        traffic.most_at_one_address = std::max(traffic.most_at_one_address, most_in_sector);
    }
    return traffic;
}

// Whether each lane is at the same address as the one at that distance, where both take part.
bool alike_in_pairs(const LaneAddresses& lanes, std::size_t distance) {
    for (std::size_t lane = 0; lane < lanes_of_warp; ++lane) {
        const auto &one = lanes[lane], &other = lanes[lane ^ distance];
        if (one && other && *one != *other) return false;
    }
    return true;
}

void count_wavefronts(Counts& counts, Operation operation, std::size_t bytes, const LaneAddresses& lanes) {
    std::size_t at_once = lanes_of_warp * word / std::max(bytes, word);
    // A wavefront returns 128 bytes, but what two neighbours ask for alike only once.
    // https://forums.developer.nvidia.com/t/unexpected-shared-memory-bank-conflict/77228
    if (at_once < lanes_of_warp && operation == Operation::load &&
        (alike_in_pairs(lanes, 1) || alike_in_pairs(lanes, 2)))
        at_once *= 2;
    for (std::size_t begin = 0; begin < lanes_of_warp; begin += at_once) {
        Items words(lanes, begin, begin + at_once, word, bytes);
        if (words.n == 0) continue;
        words.make_unique();
        std::uint64_t words_of_bank[banks] = {};
        for (std::size_t i = 0; i < words.n; ++i) ++words_of_bank[words.all[i] % banks];
        const std::uint64_t wavefronts = *std::max_element(std::begin(words_of_bank), std::end(words_of_bank));
        counts.served += wavefronts;
        ++counts.least;
        counts.worst = std::max(counts.worst, wavefronts);
    }
}

}  // namespace

const char* name(Operation operation) {
    static const char* const names[] = {"load", "store", "atomic", "fence", "warp operation", "barrier"};
    return names[static_cast<unsigned>(operation)];
}

const char* name(Memory memory) {
    static const char* const names[] = {"", "global", "shared", "constant"};
    return names[static_cast<unsigned>(memory)];
}

void Counts::add(const Counts& other) {
    requests += other.requests;
    lanes += other.lanes;
    bytes += other.bytes;
    served += other.served;
    least += other.least;
    worst = std::max(worst, other.worst);
    same += other.same;
    worst_same = std::max(worst_same, other.worst_same);
}

Counts count_request(Operation operation, Memory memory, std::size_t bytes, const LaneAddresses& lanes) {
    Counts counts;
    counts.requests = 1;
    counts.lanes =
        static_cast<std::uint64_t>(std::ranges::count_if(lanes, [](const auto& l) { return l.has_value(); }));
    if (memory != Memory::none) counts.bytes = counts.lanes * bytes;
    if (memory == Memory::global)
        counts.worst = counts.served = different(Items(lanes, 0, lanes_of_warp, bytes_of_sector, bytes));
    else if (memory == Memory::constant)
        counts.worst = counts.served = different(Items(lanes, 0, lanes_of_warp, 1, 1));
    else if (memory == Memory::shared)
        count_wavefronts(counts, operation, bytes, lanes);
    if (operation == Operation::atomic) {
        const auto [most, sectors] = atomic_traffic(Items(lanes, 0, lanes_of_warp, 1, 1));
        counts.worst_same = counts.same = most;
        if (memory == Memory::global) counts.worst = counts.served = sectors;
    }
    return counts;
}

}  // namespace emulator

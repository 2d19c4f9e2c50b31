#include "counters.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <map>
#include <tuple>
#include <utility>

#include "../engine/worker.h"
#include "../memory/memory.h"
#include "../reports/source_places.h"
#include "../runtime_api/ranges.h"
#include "allocations.h"
#include "checker.h"
#include "emulator/atomics.h"
#include "findings.h"

namespace emulator {

bool counting = false;

namespace {

constexpr std::size_t sector = 32, word = 4, banks = 32, lanes_of_warp = 32;
constexpr std::size_t most_events = std::size_t{1} << 27;  // 2 GiB of them

const char* name(Operation operation) {
    static const char* const names[] = {"load", "store", "atomic", "fence", "warp operation", "barrier"};
    return names[static_cast<unsigned>(operation)];
}

const char* name(Memory memory) {
    static const char* const names[] = {"", "global", "shared", "constant"};
    return names[static_cast<unsigned>(memory)];
}

// "global load"
std::string name(Memory memory, Operation operation) {
    return memory == Memory::none ? name(operation) : std::string(name(memory)) + " " + name(operation);
}

// How many different values a range holds. It is sorted for that.
template <class It>
std::uint64_t different(It begin, It end) {
    if (!std::is_sorted(begin, end)) std::sort(begin, end);
    return static_cast<std::uint64_t>(std::unique(begin, end) - begin);
}

// What atomic operations on these addresses do: the most of them that are at one address, and how many sectors they
// send to the L2 cache, where a sector can bring one operand for each address in it.
struct AtomicTraffic {
    std::uint64_t most_at_one_address = 0, sectors = 0;
};
template <class It>
AtomicTraffic atomic_traffic(It begin, It end) {
    if (!std::is_sorted(begin, end)) std::sort(begin, end);
    AtomicTraffic traffic;
    for (It at = begin; at != end;) {
        std::uint64_t most_in_sector = 0;
        for (const std::uintptr_t number = *at / sector; at != end && *at / sector == number;) {
            const It next = std::upper_bound(at, end, *at);
            most_in_sector = std::max(most_in_sector, static_cast<std::uint64_t>(next - at));
            at = next;
        }
        traffic.sectors += most_in_sector;
        traffic.most_at_one_address = std::max(traffic.most_at_one_address, most_in_sector);
    }
    return traffic;
}

}  // namespace

void count_if_asked() {
    counting = std::getenv("EMULATOR_COUNT") != nullptr || std::getenv("EMULATOR_COUNT_JSON") != nullptr;
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

Counters& Counters::instance() {
    static Counters& counters = *new Counters;
    return counters;
}

// --------------------------------------------------------------------------------------------------- what happens when

void Counters::grid_begins(const Grid& grid) {
    grid_ = &grid;
    threads_ = grid.block.x * grid.block.y * grid.block.z;
    lost_ = false;
    Kernel* found = nullptr;
    const std::string range = current_range();
    for (const auto& kernel : kernels_)
        if (kernel->run_threads == grid.run_threads && kernel->range == range) found = kernel.get();
    if (found == nullptr) {
        kernels_.push_back(std::make_unique<Kernel>());
        found = kernels_.back().get();
        found->name = grid.kernel;
        found->range = range;
        found->run_threads = grid.run_threads;
    }
    kernel_ = found;
    ++kernel_->launches;
    kernel_->blocks += grid.blocks;
    kernel_->threads += grid.blocks * threads_;
}

void Counters::grid_ends() {
    if (grid_->failed) lost_ = true;
    for (const auto& [resident, block] : blocks_) {
        block_ = block.get();
        close_all();
    }
    if (lost_) ++kernel_->lost;
    blocks_.clear();
    block_ = nullptr;
}

void Counters::block_begins(const ResidentBlock& block) {
    std::unique_ptr<CountedBlock>& counted = blocks_[&block];
    if (counted == nullptr) counted = std::make_unique<CountedBlock>();
    CountedBlock* const before = block_;
    block_ = counted.get();
    close_all();
    block_->last_warp = 0;
    block_ = before;
}

void Counters::block_is_entered(const ResidentBlock& block) {
    resident_ = &block;
    block_ = blocks_.at(&block).get();
}

// Of the block that runs.
void Counters::barrier_opens(std::uintptr_t code) {
    close_all();
    Counts& counts = counts_of(number_of({code, 0, 0, Operation::barrier, Memory::none}));
    ++counts.requests;
    counts.lanes += threads_;
}

void Counters::lanes_meet(unsigned warp, unsigned lanes, std::uintptr_t code) {
    const unsigned first = warp * lanes_of_warp, last = std::min(threads_ - first, 32u);
    Thread& one = block_->threads[first + static_cast<unsigned>(__builtin_ctz(lanes))];
    const std::uint32_t path = one.path.empty() ? 0 : one.path.back();
    const std::uint32_t site = number_of({code, path, 0, Operation::warp_operation, Memory::none});
    ++meetings_;
    for (unsigned rest = lanes; rest != 0; rest &= rest - 1) {
        block_->threads[first + static_cast<unsigned>(__builtin_ctz(rest))].events.push_back({meetings_, site, lanes});
        ++events_;
    }
    if (lanes == 0xffffffff >> (32 - last)) close(warp);
}

void Counters::fence(std::uintptr_t code) {
    add(thread_number(threadIdx), 0, 0, {code, 0, 0, Operation::fence, Memory::none});
}

void Counters::access(std::uintptr_t address, std::size_t bytes, std::size_t piece, Operation operation,
                      std::uintptr_t code) {
    const Memory memory = memory_of(address);
    if (memory == Memory::none) return;
    const unsigned thread = thread_number(threadIdx);
    for (std::size_t at = 0; at < bytes; at += piece)
        add(thread, address + at, piece, {code, 0, static_cast<std::uint32_t>(at / piece), operation, memory});
}

void Counters::enter(std::uintptr_t caller, std::uintptr_t code) {
    std::vector<std::uint32_t>& path = block_->threads[thread_number(threadIdx)].path;
    if (path.empty()) {  // the kernel itself
        if (kernel_->code == 0) kernel_->code = code;
        return path.push_back(0);
    }
    std::vector<std::uint32_t>& inner = inner_paths_[caller];
    const std::uint32_t outer = path.back();
    const auto found =
        std::find_if(inner.begin(), inner.end(), [&](std::uint32_t path) { return paths_[path].outer == outer; });
    if (found != inner.end()) return path.push_back(*found);
    paths_.push_back({outer, caller});
    inner.push_back(static_cast<std::uint32_t>(paths_.size() - 1));
    path.push_back(inner.back());
}

void Counters::leave() {
    std::vector<std::uint32_t>& path = block_->threads[thread_number(threadIdx)].path;
    if (!path.empty()) path.pop_back();
}

Memory Counters::memory_of(std::uintptr_t address) const {
    if (address - region::begin < region::bytes) return Memory::global;
    if (address - reinterpret_cast<std::uintptr_t>(resident_->shared) < shared_memory_reserved) return Memory::shared;
    const void* const pointer = reinterpret_cast<const void*>(address);
    if (is_variable(pointer)) return is_constant(pointer) ? Memory::constant : Memory::global;
    return pinned_flags(pointer) ? Memory::global : Memory::none;  // a literal, or a table that is the compiler's
}

std::size_t Counters::HashOfSite::operator()(const Site& site) const {
    std::uint64_t hash = site.code;
    hash = hash * 0x9e3779b97f4a7c15 + site.path;
    hash = hash * 0x9e3779b97f4a7c15 + site.piece;
    hash = hash * 0x9e3779b97f4a7c15 + static_cast<unsigned>(site.operation) * 4 + static_cast<unsigned>(site.memory);
    return hash ^ hash >> 32;
}

std::uint32_t Counters::number_of(const Site& site) {
    const auto [it, is_new] = numbers_.try_emplace(site, static_cast<std::uint32_t>(sites_.size()));
    if (is_new) sites_.push_back(site);
    return it->second;
}

void Counters::add(unsigned thread, std::uintptr_t address, std::size_t bytes, Site site) {
    if (lost_) return;
    const unsigned warp = thread / lanes_of_warp;
    if (warp != block_->last_warp) {
        // Threads begin in order: if none of them waits, all those of the warp before have ended.
        if (resident_->parked == 0) close(block_->last_warp);
        block_->last_warp = warp;
    }
    Thread& own = block_->threads[thread];
    if (!own.path.empty()) site.path = own.path.back();
    own.events.push_back({address, number_of(site), static_cast<std::uint32_t>(bytes)});
    if (++events_ > most_events) lost_ = true;
}

// ---------------------------------------------------------------------------------------- from lanes to the warp's
// requests

void Counters::close_all() {
    for (unsigned first = 0; first < threads_; first += lanes_of_warp) close(first / lanes_of_warp);
}

void Counters::close(unsigned warp) {
    Thread* const threads = block_->threads + warp * lanes_of_warp;
    std::size_t at[lanes_of_warp] = {};
    unsigned left = 0;
    for (unsigned lane = 0; lane < lanes_of_warp; ++lane) {
        std::vector<Event>& events = threads[lane].events;
        if (events.empty()) continue;
        events_ -= events.size();
        left |= 1u << lane;
    }
    if (!lost_) order_sites();
    while (left != 0 && !lost_) {
        const auto next = [&](unsigned lane) -> const Event& { return threads[lane].events[at[lane]]; };
        const auto waits = [&](const Event& event) {
            if (sites_[event.site].operation != Operation::warp_operation) return false;
            for (unsigned rest = event.bytes & left; rest != 0; rest &= rest - 1) {
                const Event& other = next(static_cast<unsigned>(__builtin_ctz(rest)));
                if (other.site != event.site || other.address != event.address) return true;
            }
            return false;
        };
        const Event* first = nullptr;
        for (unsigned rest = left; rest != 0; rest &= rest - 1) {
            const Event& event = next(static_cast<unsigned>(__builtin_ctz(rest)));
            if (first != nullptr && ranks_[event.site] >= ranks_[first->site]) continue;
            if (!waits(event)) first = &event;
        }
        const bool meets = sites_[first->site].operation == Operation::warp_operation;
        const Event* together[lanes_of_warp] = {};
        for (unsigned rest = left; rest != 0; rest &= rest - 1) {
            const unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
            const Event& event = next(lane);
            if (event.site != first->site || event.bytes != first->bytes || (meets && event.address != first->address))
                continue;
            together[lane] = &event;
            if (++at[lane] == threads[lane].events.size()) left &= ~(1u << lane);
        }
        count(together);
    }
    for (unsigned lane = 0; lane < lanes_of_warp; ++lane) threads[lane].events.clear();
}

// By the way from the kernel to them, and by where they stand in the program there.
void Counters::order_sites() {
    if (ranks_.size() == sites_.size()) return;
    std::vector<std::pair<std::vector<std::uintptr_t>, std::uint32_t>> ways;
    for (std::uint32_t number = 0; number < sites_.size(); ++number) {
        const Site& site = sites_[number];
        std::vector<std::uintptr_t> way;
        for (std::uint32_t path = site.path; path != 0; path = paths_[path].outer) way.push_back(paths_[path].caller);
        std::reverse(way.begin(), way.end());
        way.insert(way.end(), {site.code, static_cast<std::uintptr_t>(site.operation), site.piece,
                               static_cast<std::uintptr_t>(site.memory)});
        ways.emplace_back(std::move(way), number);
    }
    std::sort(ways.begin(), ways.end());
    ranks_.resize(sites_.size());
    for (std::uint32_t rank = 0; rank < ways.size(); ++rank) ranks_[ways[rank].second] = rank;
}

Counts& Counters::counts_of(std::uint32_t site) {
    if (kernel_->sites.size() <= site) kernel_->sites.resize(sites_.size());
    return kernel_->sites[site];
}

// `lanes`: what each lane of the warp does, or null.
void Counters::count(const Event* const* lanes) {
    const Event& any = **std::find_if(lanes, lanes + lanes_of_warp, [](const Event* e) { return e != nullptr; });
    const Site& site = sites_[any.site];
    Counts now;
    now.requests = 1;
    now.lanes = static_cast<std::uint64_t>(
        std::count_if(lanes, lanes + lanes_of_warp, [](const Event* e) { return e != nullptr; }));
    std::array<std::uintptr_t, 8 * lanes_of_warp> items;
    // Puts into `items` the sectors, or words, that some of the lanes touch, or their addresses; returns their end.
    const auto collect = [&](unsigned begin, unsigned end, std::size_t size, std::size_t bytes) {
        auto item = items.begin();
        for (unsigned lane = begin; lane < end; ++lane) {
            if (lanes[lane] == nullptr) continue;
            const std::uintptr_t address = lanes[lane]->address;
            for (std::uintptr_t i = address / size; i <= (address + bytes - 1) / size; ++i) *item++ = i;
        }
        return item;
    };
    if (site.memory != Memory::none) now.bytes = now.lanes * any.bytes;
    if (site.memory == Memory::global) {
        now.worst = now.served = different(items.begin(), collect(0, lanes_of_warp, sector, any.bytes));
    } else if (site.memory == Memory::constant) {
        now.worst = now.served = different(items.begin(), collect(0, lanes_of_warp, 1, 1));
    } else if (site.memory == Memory::shared) {
        auto at_once = static_cast<unsigned>(lanes_of_warp * word / std::max<std::size_t>(any.bytes, word));
        // A wavefront returns 128 bytes, but what two neighbours ask for alike only once.
        // https://forums.developer.nvidia.com/t/unexpected-shared-memory-bank-conflict/77228
        const auto in_pairs = [&](unsigned distance) {
            for (unsigned lane = 0; lane < lanes_of_warp; ++lane) {
                const Event *one = lanes[lane], *other = lanes[lane ^ distance];
                if (one != nullptr && other != nullptr && one->address != other->address) return false;
            }
            return true;
        };
        if (at_once < lanes_of_warp && site.operation == Operation::load && (in_pairs(1) || in_pairs(2))) at_once *= 2;
        for (unsigned begin = 0; begin < lanes_of_warp; begin += at_once) {
            const std::uint64_t touched = different(items.begin(), collect(begin, begin + at_once, word, any.bytes));
            if (touched == 0) continue;
            std::uint64_t words[banks] = {};
            for (std::uint64_t i = 0; i < touched; ++i) ++words[items[i] % banks];
            const std::uint64_t wavefronts = *std::max_element(std::begin(words), std::end(words));
            now.served += wavefronts;
            ++now.least;
            now.worst = std::max(now.worst, wavefronts);
        }
    }
    if (site.operation == Operation::atomic) {
        const auto [most, sectors] = atomic_traffic(items.begin(), collect(0, lanes_of_warp, 1, 1));
        now.worst_same = now.same = most;
        if (site.memory == Memory::global) now.worst = now.served = sectors;
    }
    counts_of(any.site).add(now);
}

// ------------------------------------------------------------------------------------------------------------- results

// What was done in each line of the program, in their order.
std::vector<Counters::Line> Counters::lines_of(const Kernel& kernel) const {
    std::vector<std::uint32_t> used;
    std::vector<std::uintptr_t> codes;
    for (std::uint32_t site = 0; site < kernel.sites.size(); ++site)
        if (kernel.sites[site].requests > 0) {
            used.push_back(site);
            codes.push_back(sites_[site].code - 1);
        }
    const std::vector<SourcePlace> places = source_places(codes);
    std::map<std::tuple<std::string, unsigned, Memory, Operation>, Counts> lines;
    for (std::size_t i = 0; i < used.size(); ++i) {
        const Site& site = sites_[used[i]];
        SourcePlace place = places[i];
        // In a function of the emulator: the line that called it.
        for (std::uint32_t path = site.path; place.path.empty() && path != 0; path = paths_[path].outer)
            place = source_place(paths_[path].caller - 1);
        lines[{place.path, place.line, site.memory, site.operation}].add(kernel.sites[used[i]]);
    }
    std::vector<Line> result;
    for (const auto& [key, counts] : lines)
        result.push_back({std::get<0>(key), std::get<1>(key), std::get<3>(key), std::get<2>(key), counts});
    return result;
}

namespace {

std::string format(const char* how, double x) {
    char text[32];
    std::snprintf(text, sizeof text, how, x);
    return text;
}

std::string counted(std::uint64_t n, const char* what, const char* plural = "s") {
    return std::to_string(n) + " " + what + (n == 1 ? "" : plural);
}

double ratio(std::uint64_t a, std::uint64_t b) {
    return static_cast<double>(a) / static_cast<double>(b);
}

// "16.0 sectors each"
std::string in_words(Operation operation, Memory memory, const Counts& c) {
    std::string text;
    const std::string worst = ", at most " + std::to_string(c.worst);
    if (memory == Memory::global)
        text = format("%.1f sectors each", ratio(c.served, c.requests)) + worst;
    else if (memory == Memory::shared)
        text = format("%.1f-way", ratio(c.served, c.least)) + worst;
    else if (memory == Memory::constant)
        text = format("%.1f addresses each", ratio(c.served, c.requests)) + worst;
    if (operation == Operation::atomic)
        text += format("; %.1f lanes at one address", ratio(c.same, c.requests)) + ", at most " +
                std::to_string(c.worst_same);
    return text;
}

std::string in_json(Operation operation, Memory memory, const Counts& c) {
    std::string json = "{\"what\": " + json_string(name(memory, operation));
    const auto member = [&](const char* name, std::uint64_t n) {
        json += ", \"" + std::string(name) + "\": " + std::to_string(n);
    };
    member("requests", c.requests);
    member("lanes", c.lanes);
    if (memory != Memory::none) member("bytes", c.bytes);
    if (memory == Memory::global) member("sectors", c.served);
    if (memory == Memory::global) member("most_sectors", c.worst);
    if (memory == Memory::shared) member("wavefronts", c.served);
    if (memory == Memory::shared) member("least_wavefronts", c.least);
    if (memory == Memory::shared) member("worst_ways", c.worst);
    if (memory == Memory::constant) member("addresses", c.served);
    if (operation == Operation::atomic) member("same_address", c.same);
    if (operation == Operation::atomic) member("most_same_address", c.worst_same);
    return json + "}";
}

}  // namespace

void Counters::tell() const {
    if (const char* path = std::getenv("EMULATOR_COUNT_JSON")) write_json(path);
    const char* how = std::getenv("EMULATOR_COUNT");
    if (how == nullptr) return;
    std::fputs("emulator: counted\n", stderr);
    for (const auto& kernel : kernels_) {
        const std::string place = source_line(kernel->code - 1);
        std::fprintf(stderr, "%s%s%s\n  %s, %s, %s in all%s\n", kernel->name.c_str(),
                     place.empty() ? "" : (" at " + place).c_str(),
                     kernel->range.empty() ? "" : (" in " + kernel->range).c_str(),
                     counted(kernel->launches, "launch", "es").c_str(), counted(kernel->blocks, "block").c_str(),
                     counted(kernel->threads, "thread").c_str(),
                     kernel->lost == 0 ? "" : "; not all counted: a launch failed, or did too much between barriers");
        const std::vector<Line> lines = lines_of(*kernel);
        std::map<std::pair<Memory, Operation>, Counts> sums;
        for (const Line& line : lines) sums[{line.memory, line.operation}].add(line.counts);
        const auto tell = [&](const std::string& what, Operation operation, Memory memory, const Counts& c) {
            const std::string count =
                operation == Operation::barrier
                    ? format("%.1f per block", ratio(c.requests, kernel->blocks))
                    : counted(c.requests, "request") + format(" of %.1f lanes", ratio(c.lanes, c.requests));
            const std::string words = in_words(operation, memory, c);
            std::fprintf(stderr, "  %-16s %s%s%s\n", what.c_str(), count.c_str(), words.empty() ? "" : ", ",
                         words.c_str());
        };
        for (const auto& [key, counts] : sums) tell(name(key.first, key.second), key.second, key.first, counts);
        if (how != std::string("lines")) continue;
        std::string last;
        for (const Line& line : lines) {
            const SourcePlace at{line.path, line.number};
            if (at.name() != std::exchange(last, at.name()))
                std::fprintf(stderr, "    %s  %s\n", at.name().c_str(), text_of(at).c_str());
            tell("    " + name(line.memory, line.operation), line.operation, line.memory, line.counts);
        }
    }
}

void Counters::write_json(const char* path) const {
    std::string json = "{\"kernels\": [";
    for (const auto& kernel : kernels_) {
        const SourcePlace place = source_place(kernel->code - 1);
        json += std::string(kernel == kernels_.front() ? "\n" : ",\n") + " {\"kernel\": " + json_string(kernel->name) +
                ", \"file\": " + json_string(place.path) + ", \"line\": " + std::to_string(place.line) +
                ", \"range\": " + json_string(kernel->range) + ", \"launches\": " + std::to_string(kernel->launches) +
                ", \"not_counted\": " + std::to_string(kernel->lost) +
                ", \"blocks\": " + std::to_string(kernel->blocks) +
                ", \"threads\": " + std::to_string(kernel->threads) + ",\n  \"counts\": [";
        const std::vector<Line> lines = lines_of(*kernel);
        std::map<std::pair<Memory, Operation>, Counts> sums;
        for (const Line& line : lines) sums[{line.memory, line.operation}].add(line.counts);
        std::string separator = "\n   ";
        for (const auto& [key, counts] : sums) {
            json += separator + in_json(key.second, key.first, counts);
            separator = ",\n   ";
        }
        json += "],\n  \"lines\": [";
        separator = "\n   ";
        for (const Line& line : lines) {
            json += separator + "{\"file\": " + json_string(line.path) + ", \"line\": " + std::to_string(line.number) +
                    ", \"text\": " + json_string(text_of({line.path, line.number})) +
                    ", \"counts\": " + in_json(line.operation, line.memory, line.counts) + "}";
            separator = ",\n   ";
        }
        json += "]}";
    }
    json += "\n]}\n";
    FILE* file = std::fopen(path, "w");
    if (file == nullptr || std::fwrite(json.data(), 1, json.size(), file) != json.size())
        std::fprintf(stderr, "emulator: EMULATOR_COUNT_JSON: cannot write to %s\n", path);
    if (file != nullptr) std::fclose(file);
}

}  // namespace emulator

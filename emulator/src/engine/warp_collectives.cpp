// Shuffles, votes, matches and reductions: the lanes of a warp bring values, and when all are there each gets a result.

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <random>

#include "../settings.h"
#include "switching.h"
#include "tensor_cores.h"
#include "warp_operations.h"
#include "worker.h"
#ifdef EMULATOR_CHECKED
#include "../checked/counters/counters.h"
#include "../checked/trace/trace.h"
#endif

namespace emulator {
namespace {

#ifndef EMULATOR_CHECKED
constexpr std::uint64_t undefined_value = ~std::uint64_t{0};
#endif

/// Calls f(lane) for each of `lanes`.
template <class F>
void for_each_lane(unsigned lanes, F f) {
    for (; lanes != 0; lanes &= lanes - 1) f(static_cast<unsigned>(__builtin_ctz(lanes)));
}

// The same result for all lanes.
std::uint64_t fold(WarpOperation operation, unsigned lanes, const std::uint64_t* values) {
    const auto over_lanes = [&](auto first, auto combine) {
        auto result = first;
        for_each_lane(lanes,
                      [&](unsigned lane) { result = combine(result, static_cast<decltype(first)>(values[lane])); });
        return static_cast<std::uint64_t>(result);
    };
    const auto first = static_cast<std::uint32_t>(values[__builtin_ctz(lanes)]);
    const auto first_signed = static_cast<std::int32_t>(first);
    std::uint64_t ballot = 0;
    switch (operation) {
        case WarpOperation::add:
            return over_lanes(std::uint32_t{0}, [](std::uint32_t a, std::uint32_t b) { return a + b; });
        case WarpOperation::min_signed:
            return over_lanes(first_signed, [](std::int32_t a, std::int32_t b) { return std::min(a, b); });
        case WarpOperation::max_signed:
            return over_lanes(first_signed, [](std::int32_t a, std::int32_t b) { return std::max(a, b); });
        case WarpOperation::min_unsigned:
            return over_lanes(first, [](std::uint32_t a, std::uint32_t b) { return std::min(a, b); });
        case WarpOperation::max_unsigned:
            return over_lanes(first, [](std::uint32_t a, std::uint32_t b) { return std::max(a, b); });
        case WarpOperation::bit_and:
            return over_lanes(first, [](std::uint32_t a, std::uint32_t b) { return a & b; });
        case WarpOperation::bit_or:
            return over_lanes(first, [](std::uint32_t a, std::uint32_t b) { return a | b; });
        case WarpOperation::bit_xor:
            return over_lanes(std::uint32_t{0}, [](std::uint32_t a, std::uint32_t b) { return a ^ b; });
        case WarpOperation::match_all:
            for_each_lane(lanes, [&](unsigned lane) { ballot |= values[lane] ^ values[__builtin_ctz(lanes)]; });
            return ballot == 0 ? lanes : 0;
        case WarpOperation::active_mask:
            return lanes;
        default:
            break;
    }
    for_each_lane(lanes, [&](unsigned lane) { ballot |= std::uint64_t{values[lane] != 0} << lane; });
    if (operation == WarpOperation::any) return ballot != 0;
    if (operation == WarpOperation::all) return ballot == lanes;
    return ballot;
}

/// Replaces what the lanes have brought by what they get.
void combine(WarpOperation operation, unsigned lanes, std::uint64_t* values, const unsigned* sources) {
    if (operation == WarpOperation::sync || operation == WarpOperation::lockstep ||
        operation == WarpOperation::load_matrix || operation == WarpOperation::store_matrix)
        return;
    if (operation == WarpOperation::mma) return multiply_brought(values);
    if (operation == WarpOperation::ldmatrix) return exchange_brought(values);
    std::uint64_t results[32];
    const bool shuffles = operation >= WarpOperation::shuffle && operation <= WarpOperation::shuffle_xor;
    if (shuffles) {
        // A lane that takes no part has no value; to read one is a mistake that shall be seen.
        for_each_lane(lanes, [&](unsigned lane) {
            results[lane] = (lanes >> sources[lane] & 1) != 0 ? values[sources[lane]] : undefined_value;
        });
    } else if (operation == WarpOperation::match_any) {
        for_each_lane(lanes, [&](unsigned lane) {
            results[lane] = 0;
            for_each_lane(
                lanes, [&](unsigned other) { results[lane] |= std::uint64_t{values[other] == values[lane]} << other; });
        });
    } else {
        const std::uint64_t result = fold(operation, lanes, values);
        for_each_lane(lanes, [&](unsigned lane) { results[lane] = result; });
    }
    for_each_lane(lanes, [&](unsigned lane) { values[lane] = results[lane]; });
}

}  // namespace

#ifdef EMULATOR_CHECKED
namespace {

void show_exchange(const Warp& warp, WarpOperation operation, unsigned lanes) {
    std::uint64_t got[32];
    std::copy_n(warp.values, 32, got);
    const bool exchanges = operation < WarpOperation::load_matrix;
    if (exchanges) combine(operation, lanes, got, warp.sources);
    Counters::instance().lanes_exchange(lanes, name(operation), warp.values, got, warp.sources);
}

}  // namespace
#endif

void WarpOperations::complete(ResidentBlock& block, Warp& warp, WarpOperation operation, unsigned lanes) {
    watched_.count_progress();
    if (!block.prints.empty()) keep_printed(block.prints.take(static_cast<unsigned>(&warp - block.warps), lanes));
#ifdef EMULATOR_CHECKED
    if (watching) show_exchange(warp, operation, lanes);
#endif
    if (operation != WarpOperation::lockstep && operation != WarpOperation::active_mask)
        EMULATOR_CHECK(lanes_meet(block, static_cast<unsigned>(&warp - block.warps), lanes));
#ifdef EMULATOR_CHECKED
    if (operation >= WarpOperation::shuffle && operation <= WarpOperation::shuffle_xor)
        for_each_lane(lanes, [&](unsigned lane) {
            const Place& place = warp.places[lane];
            const unsigned absent = place.mask & ~lanes;
            if ((absent >> warp.sources[lane] & 1) != 0)
                Checker::instance().lane_asks_absent(static_cast<unsigned>(&warp - block.warps), lane,
                                                     warp.sources[lane], place.mask,
                                                     reinterpret_cast<std::uintptr_t>(place.code));
            else if ((lanes >> warp.sources[lane] & 1) == 0)
                Checker::instance().lane_asks_outside(static_cast<unsigned>(&warp - block.warps), lane,
                                                      warp.sources[lane], reinterpret_cast<std::uintptr_t>(place.code));
        });
#endif
    if (operation >= WarpOperation::load_matrix) require_whole_warp(block, warp, lanes);
    combine(operation, lanes, warp.values, warp.sources);
    for (unsigned rest = lanes & warp.waiting; rest != 0; rest &= rest - 1)
        block.ready.push(warp.fibers[__builtin_ctz(rest)]);
    warp.waiting &= ~lanes;
}

namespace {

// "" if all 32 lanes have come, to the same instruction as the lane `first`.
std::string missing_of_a_whole_warp(const Warp& warp, unsigned lanes, unsigned first) {
    if (lanes != whole_warp)
        return "takes all 32 lanes of a warp: this one has only " + std::to_string(__builtin_popcount(lanes));
    for (unsigned lane = 0; lane < 32; ++lane)
        if (warp.sources[lane] != warp.sources[first])
            return "all lanes of a warp have to call: lane " + std::to_string(lane) + " called another one, " +
                   describe(warp.places[lane]);
    return "";
}

}  // namespace

void WarpOperations::require_whole_warp(ResidentBlock& block, const Warp& warp, unsigned lanes) {
    {
        const auto first = static_cast<unsigned>(__builtin_ctz(lanes));
        const std::string missing = missing_of_a_whole_warp(warp, lanes, first);
        if (missing.empty()) return;
        threadIdx =
            index_in(static_cast<unsigned>(&warp - block.warps) * 32 + first, dim3(blockDim.x, blockDim.y, blockDim.z));
        failure_.report(cudaErrorLaunchFailure, std::string("called ") + name(warp.places[first].operation),
                        reinterpret_cast<std::uintptr_t>(warp.places[first].code) - 1, ", which " + missing);
    }
    failure_.give_up();
}

void WarpOperations::release_stuck(ResidentBlock& block, Warp& warp) {
    warp.live = warp.parked;
    for (unsigned rest = warp.waiting; rest != 0;) {
        const Place place = warp.places[__builtin_ctz(rest)];
        const unsigned there = warp.lanes_at(place);
        if (place.operation != WarpOperation::active_mask && there == (place.mask & warp.live))
            complete(block, warp, place.operation, there);
        rest &= ~there;
    }
}

// With EMULATOR_DIVERGE=1 some of these lanes only, at random, one of them at least. The number is the seed. (The
// generator is large, and a shared library that a program loads has little room for what each thread has.)
static unsigned not_together(unsigned lanes) {
    const std::optional<std::uint64_t> seed = value_of<settings::diverge>().number;
    if (!seed) return lanes;
    static thread_local const auto random = std::make_unique<std::mt19937_64>(*seed);
    const unsigned some = lanes & static_cast<unsigned>((*random)());
    return some != 0 ? some : lanes;
}

void WarpOperations::release_active_lanes(ResidentBlock& block, Warp& warp) {
    const unsigned lanes = warp.lanes_at({WarpOperation::active_mask, 0, nullptr});
    const void* first = nullptr;
    unsigned there = 0;
    for (unsigned rest = lanes; rest != 0; rest &= rest - 1) {
        const int lane = __builtin_ctz(rest);
        const void* code = warp.places[lane].code;
        if (first == nullptr || std::less<>()(code, first)) first = code, there = 0;
        if (code == first) there |= 1u << lane;
    }
    if (there != 0) complete(block, warp, WarpOperation::active_mask, not_together(there));
}

void WarpOperations::release_lockstep(ResidentBlock& block, Warp& warp) {
    const Place* first = nullptr;
    for (unsigned rest = warp.waiting; rest != 0; rest &= rest - 1) {
        const Place& place = warp.places[__builtin_ctz(rest)];
        if (place.operation == WarpOperation::lockstep && (first == nullptr || place.mask < first->mask))
            first = &place;
    }
    if (first != nullptr) complete(block, warp, WarpOperation::lockstep, warp.lanes_at(*first));
}

std::uint64_t Worker::warp_operation(Place place, std::uint64_t value, unsigned source) {
    const unsigned i = thread_number(threadIdx), lane = i % 32, bit = 1u << lane;
    Warp& warp = here_->warps[i / 32];
    const bool by_mask = place.operation != WarpOperation::active_mask;
    if (by_mask && (place.mask & bit) == 0) {
        current_->place = place;
        EMULATOR_CHECK(lane_is_not_in_mask(describe(place), reinterpret_cast<std::uintptr_t>(place.code)));
        failure_.report(
            cudaErrorLaunchFailure,
            checked ? "" : "called " + describe(place) + ", which does not name its own lane " + std::to_string(lane));
        failure_.give_up();
    }
    if (by_mask)
        EMULATOR_CHECK(lane_is_at(*here_, i / 32, place.mask, reinterpret_cast<std::uintptr_t>(place.code)));
    else
        EMULATOR_CHECK(lane_asks_who_is_there(reinterpret_cast<std::uintptr_t>(place.code)));
    warp.fibers[lane] = current_;
    warp.places[lane] = current_->place = place;
    warp.values[lane] = value;
    warp.sources[lane] = source;
    const unsigned lanes = place.mask & warp.live;
    if (by_mask && ((warp.waiting | bit) & lanes) == lanes && (warp.lanes_at(place) | bit) == lanes) {
        warps_.complete(*here_, warp, place.operation, lanes);
        return warp.values[lane];
    }
    warp.waiting |= bit;
    wait();
    return warp.values[lane];
}

void Worker::lockstep(Place place) {
    const unsigned i = thread_number(threadIdx), lane = i % 32;
    Warp& warp = here_->warps[i / 32];
    warp.fibers[lane] = current_;
    warp.places[lane] = current_->place = place;
    warp.waiting |= 1u << lane;
    if ((warp.waiting & warp.live) == warp.live) warps_.release_lockstep(*here_, warp);
    wait();
}

std::uint64_t warp_operation(WarpOperation operation, unsigned mask, std::uint64_t value, unsigned source) {
    const CalledByKernel here;
    return existing_worker->warp_operation({operation, mask, __builtin_return_address(0)}, value, source);
}
void lockstep(unsigned place) {
    Worker* worker = existing_worker;
    if (worker == nullptr || !worker->in_kernel()) return;
    const CalledByKernel here;
    worker->lockstep({WarpOperation::lockstep, place, __builtin_return_address(0)});
}
unsigned lane_index() {
    return thread_number(threadIdx) % 32;
}

}  // namespace emulator

// The reference: std::sort(), on one thread, and on all threads, whose parts are then merged two by two. And odd-even
// transposition on one thread, one pair after another.

#include <algorithm>
#include <thread>
#include <utility>
#include <vector>

#include "bubble_sort.h"
#include "keys.h"

namespace bubble_sort {

namespace {

constexpr auto in_order = [](auto a, auto b) { return key_of(a) < key_of(b); };

}  // namespace

template <class T>
void cpu(std::span<T> values) {
    std::sort(values.begin(), values.end(), in_order);
}

template <class T>
void cpu_threads(std::span<T> values, unsigned threads) {
    const auto begin_of = [=](std::size_t part) {
        return values.begin() +
               static_cast<std::ptrdiff_t>(values.size() * std::min<std::size_t>(part, threads) / threads);
    };
    std::vector<std::jthread> running;
    for (unsigned t = 0; t < threads; ++t)
        running.emplace_back([=] { std::sort(begin_of(t), begin_of(t + 1), in_order); });
    for (std::size_t parts = 1; parts < threads; parts *= 2) {  // parts in a sorted run
        running.clear();                                        // waits for them
        for (std::size_t t = 0; t + parts < threads; t += 2 * parts)
            running.emplace_back(
                [=] { std::inplace_merge(begin_of(t), begin_of(t + parts), begin_of(t + 2 * parts), in_order); });
    }
}

template <class T>
void cpu_threads(std::span<T> values) {
    cpu_threads(values, std::max(1u, std::thread::hardware_concurrency()));
}

template <class T>
void phase(std::span<T> values, std::size_t first) {
    for (std::size_t k = first; k + 1 < values.size(); k += 2)
        if (key_of(values[k + 1]) < key_of(values[k])) std::swap(values[k], values[k + 1]);
}

/// n phases. The first pair begins with value 0 in even phases, with value 1 in odd ones.
template <class T>
void odd_even(std::span<T> values) {
    for (std::size_t p = 0; p < values.size(); ++p) phase(values, p % 2);
}

template void cpu(std::span<float>);
template void cpu(std::span<int>);
template void cpu_threads(std::span<float>, unsigned);
template void cpu_threads(std::span<int>, unsigned);
template void cpu_threads(std::span<float>);
template void cpu_threads(std::span<int>);
template void phase(std::span<float>, std::size_t);
template void phase(std::span<int>, std::size_t);
template void odd_even(std::span<float>);
template void odd_even(std::span<int>);

template <class T>
constexpr Stage<T> cpu_stage{{"std::sort(), one thread on the host", cpu<T>}};
template <class T>
constexpr Stage<T> cpu_threads_stage{
    {"threads", "std::sort() on all threads of the host, then merges", cpu_threads<T>}};
template <class T>
constexpr Stage<T> odd_even_stage{{"odd_even", "odd-even transposition, one thread on the host", odd_even<T>}, 1 << 14};
STAGES(cpu_stage<float>, cpu_threads_stage<float>, odd_even_stage<float>, cpu_stage<int>, cpu_threads_stage<int>,
       odd_even_stage<int>);

}  // namespace bubble_sort

// The reference: one thread on the host. For each row of the filter it takes a row of the picture, with the border's
// pixels repeated at both ends, and adds it to a row of sums. f1_cpu/threads gives each thread some rows. And the
// filters.

#include <algorithm>
#include <cmath>
#include <thread>

#include "common/errors.h"
#include "filter.h"

namespace filter {
namespace {

template <class Sums>
void add_row(std::span<Sums> sums, float weight, const Sums* row) {
    for (std::size_t x = 0; x < sums.size(); ++x) add(sums[x], weight, row[x]);
}

/// The rows from `begin` to before `end`.
template <class T>
void filter_rows(const Filter& filter, Size size, std::span<const T> in, std::span<T> out, int begin, int end) {
    const int side = filter.side, radius = side / 2;
    std::vector<Sum<T>> row(size.width + 2 * radius), sums(size.width);
    for (int y = begin; y < end; ++y) {
        std::ranges::fill(sums, Sum<T>{});
        for (int dy = 0; dy < side; ++dy) {
            const T* from = &in[std::size_t(clamped(y + dy - radius, size.height)) * size.width];
            for (int x = 0; x < size.width + 2 * radius; ++x) row[x] = as_sum(from[clamped(x - radius, size.width)]);
            for (int dx = 0; dx < side; ++dx) add_row(std::span(sums), filter.weights[dy * side + dx], row.data() + dx);
        }
        for (int x = 0; x < size.width; ++x) out[std::size_t(y) * size.width + x] = finished(sums[x], filter.scale);
    }
}

}  // namespace

template <class T>
void cpu(const Filter& filter, Size size, std::span<const T> in, std::span<T> out) {
    filter_rows(filter, size, in, out, 0, size.height);
}

template <class T>
void in_threads(const Filter& filter, Size size, std::span<const T> in, std::span<T> out, int threads) {
    const auto first_of = [&](int thread) { return static_cast<int>(std::size_t(size.height) * thread / threads); };
    std::vector<std::jthread> running;
    for (int t = 0; t < threads; ++t)
        running.emplace_back([&, t] { filter_rows(filter, size, in, out, first_of(t), first_of(t + 1)); });
}

template <class T>
void cpu_threads(const Filter& filter, Size size, std::span<const T> in, std::span<T> out) {
    in_threads(filter, size, in, out, static_cast<int>(std::max(1u, std::thread::hardware_concurrency())));
}

template void cpu(const Filter&, Size, std::span<const float>, std::span<float>);
template void cpu(const Filter&, Size, std::span<const Rgba>, std::span<Rgba>);
template void cpu_threads(const Filter&, Size, std::span<const float>, std::span<float>);
template void cpu_threads(const Filter&, Size, std::span<const Rgba>, std::span<Rgba>);
template void in_threads(const Filter&, Size, std::span<const float>, std::span<float>, int);
template void in_threads(const Filter&, Size, std::span<const Rgba>, std::span<Rgba>, int);

Filter filter_called(std::string_view name, int side) {
    if (side < 3 || side > largest_side || side % 2 == 0)
        throw usage_error("a filter has an odd number of rows and columns from 3 to " + std::to_string(largest_side) +
                          ", not " + std::to_string(side));
    const int radius = side / 2;
    Filter filter{side, {1, 0}, std::vector<float>(side * side), {}};
    const auto fill = [&](const auto& weight_at) {
        for (int dy = 0; dy < side; ++dy)
            for (int dx = 0; dx < side; ++dx) filter.weights[dy * side + dx] = static_cast<float>(weight_at(dx, dy));
    };
    if (name == "blur") {  // 1 2 3 2 1: for 31 × 31 the weights add up to 16^4 = 65,536
        const auto tent = [&](int d) { return radius + 1 - std::abs(d - radius); };
        fill([&](int dx, int dy) { return tent(dx) * tent(dy); });
        for (int d = 0; d < side; ++d) filter.line.push_back(static_cast<float>(tent(d)));
        filter.scale.factor = static_cast<float>(1 / std::pow(radius + 1, 4));
    } else if (name == "edges") {  // a wider one is no brighter
        fill([&](int dx, int dy) { return dx == radius && dy == radius ? side * side - 1 : -1; });
        filter.scale.factor = 8.0f / static_cast<float>(side * side - 1);
    } else if (name == "emboss") {
        fill([&](int dx, int dy) { return dx + dy == side - 1 ? 0 : dx + dy < side - 1 ? -1 : 1; });
        filter.scale = {6.0f / static_cast<float>(side * (side - 1)), 128};
    } else {
        throw usage_error("there is no filter \"" + std::string(name) + "\", but blur, edges and emboss");
    }
    return filter;
}

template <class T>
constexpr FilterStage<T> cpu_stage{{"one thread on the host, row by row", cpu<T>}};
template <class T>
constexpr FilterStage<T> cpu_threads_stage{{"threads", "all threads of the host, with some rows each", cpu_threads<T>}};
STAGES(cpu_stage<float>, cpu_threads_stage<float>, cpu_stage<Rgba>, cpu_threads_stage<Rgba>);

}  // namespace filter

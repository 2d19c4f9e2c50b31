#include "15_attention/attention.h"
#include "15_attention/softmax.h"

#include <cmath>
#include <random>

#include "15_attention/error_bound.h"
#include "15_attention/softmax_bound.h"
#include "common/device.h"
#include "testing.h"

namespace {

/// Queries, keys and values that BF16 holds: up to 96 times `most` / 96 in magnitude, where that is a power of two, or
/// 0.
struct Inputs {
    Inputs(const attention::Shape& shape, float most) {
        const auto bits = random_values<unsigned>(3 * elements(shape));
        for (std::size_t k = 0; k < bits.size(); ++k)
            numbers[k % 3].push_back((static_cast<float>(bits[k] % 193) - 96) * (most / 96));
        for (int k = 0; k < 3; ++k) {
            floats[k] = DeviceBuffer<float>::from_host(numbers[k]);
            halves[k] = DeviceBuffer<attention::Bf16>::from_host(
                std::vector<attention::Bf16>(numbers[k].begin(), numbers[k].end()));
        }
    }

    attention::Vectors<float> on_host() const { return {numbers[0].data(), numbers[1].data(), numbers[2].data()}; }

    attention::Input on_device() const {
        return {{floats[0].data(), floats[1].data(), floats[2].data()},
                {halves[0].data(), halves[1].data(), halves[2].data()}};
    }

    std::vector<float> numbers[3];
    DeviceBuffer<float> floats[3];
    DeviceBuffer<attention::Bf16> halves[3];
};

/// The definition, in long double and without any trick.
std::vector<double> attended(const attention::Shape& shape, const attention::Vectors<float>& in) {
    std::vector<double> out(elements(shape));
    const std::size_t n = shape.n, d = shape.d;
    for (std::size_t i = 0; i < shape.heads * n; ++i) {
        const std::size_t first = i / n * n, end = shape.causal ? i + 1 : first + n;
        long double total = 0;
        std::vector<long double> sums(d);
        for (std::size_t j = first; j < end; ++j) {
            long double score = 0;
            for (std::size_t c = 0; c < d; ++c) score += in.queries[i * d + c] * in.keys[j * d + c];
            const long double weight = std::exp(score / std::sqrt(static_cast<long double>(d)));
            total += weight;
            for (std::size_t c = 0; c < d; ++c) sums[c] += weight * in.values[j * d + c];
        }
        for (std::size_t c = 0; c < d; ++c) out[i * d + c] = static_cast<double>(sums[c] / total);
    }
    return out;
}

std::vector<double> softened(const softmax::Shape& shape, const std::vector<float>& in) {
    std::vector<double> out(in.size());
    for (std::size_t first = 0; first < in.size(); first += shape.columns) {
        long double total = 0;
        for (int j = 0; j < shape.columns; ++j) total += std::exp(static_cast<long double>(in[first + j]));
        for (int j = 0; j < shape.columns; ++j)
            out[first + j] = static_cast<double>(std::exp(static_cast<long double>(in[first + j])) / total);
    }
    return out;
}

}  // namespace

TEST_CASE("every stage attends as the definition says", "[15_attention]") {
    // Around fragments of 16, tiles of 32 to 160 keys and 32 to 192 queries; rings of tiles go round. With
    // large queries and keys a weight is nearly 1, and the others are 0; with 0 all are equal.
    struct Case {
        attention::Shape shape;
        float most;
    };
    const int multiprocessors = static_cast<int>(::multiprocessors());
    const auto [shape, most] = GENERATE_COPY(
        Case{{1, 1, 64}, 3}, Case{{2, 15, 64}, 3}, Case{{1, 31, 128, true}, 3}, Case{{1, 33, 64, true}, 3},
        Case{{1, 64, 128}, 3}, Case{{3, 65, 64, true}, 1.5}, Case{{1, 97, 128}, 0.75}, Case{{1, 131, 64, true}, 3},
        Case{{1, 101, 64}, 24}, Case{{1, 40, 64}, 0}, Case{{(multiprocessors + 1) / 2, 130, 64}, 3},
        Case{{multiprocessors, 7, 128, true}, 3}, Case{{multiprocessors, 261, 64, true}, 3},
        Case{{multiprocessors, 163, 128, true}, 3}, Case{{1, 405, 64, true}, 3}, Case{{1, 391, 128}, 1.5});
    const Inputs inputs(shape, most);
    const auto expected = attended(shape, inputs.on_host());
    const attention::ErrorBound bound(shape, inputs.on_host());
    auto out = poisoned<float>(elements(shape));
    auto scratch = poisoned<float>(2 * std::size_t(shape.n) * shape.n);
    for (const auto& stage : attention::stages) {
        // Only these stages do something else with a block for each multiprocessor.
        if (shape.heads > 3 && stage.name != "5_mma" && stage.name != "6_wgmma") continue;
        CAPTURE(stage.name, shape.heads, shape.n, shape.d, shape.causal, most);
        if (stage.on_host) {
            std::vector<double> result(elements(shape));
            stage.on_host(shape, inputs.on_host(), result);
            for (std::size_t k = 0; k < result.size(); ++k)
                REQUIRE(std::abs(result[k] - expected[k]) <= 1e-11 * (1 + most * most));
        } else if (why_not_here(stage.needs).empty()) {
            twice([&] {
                out.poison();
                scratch.poison();
                stage.launch(shape, inputs.on_device(), out.data(), scratch.data());
                REQUIRE_NOTHROW(bound.largest_error(stage.name, out.to_host(), expected, stage.takes_halves));
            });
        }
    }
    for (int k = 0; k < 3; ++k) REQUIRE_SAME(inputs.floats[k].to_host(), inputs.numbers[k]);
}

TEST_CASE("attention's bound lets no wrong result pass", "[15_attention]") {
    const attention::Shape shape{1, 50, 64};
    const Inputs inputs(shape, 3);
    const auto expected = attended(shape, inputs.on_host());
    const attention::ErrorBound bound(shape, inputs.on_host());
    const std::vector<float> right(expected.begin(), expected.end());
    REQUIRE(bound.largest_error("a stage", right, expected, false) < 1e-6);
    for (const float wrong : {right[777] + 0.02f, std::numeric_limits<float>::quiet_NaN()}) {
        std::vector<float> result = right;
        result[777] = wrong;
        REQUIRE_THROWS_AS(bound.largest_error("a stage", result, expected, true), wrong_result);
    }
    // One key too few, or the mask of one query forgotten, is seen.
    for (const auto& other : {attention::Shape{1, 49, 64}, attention::Shape{1, 50, 64, true}}) {
        const auto wrong = attended(other, inputs.on_host());
        std::vector<float> result = right;
        std::copy(wrong.begin(), wrong.begin() + 49 * 64, result.begin());
        REQUIRE_THROWS_AS(bound.largest_error("a stage", result, expected, true), wrong_result);
    }
}

TEST_CASE("a head of another width is refused", "[15_attention]") {
    for (const auto& stage : on_device(attention::stages)) {
        CAPTURE(stage.name);
        REQUIRE(complaint([&] {
                    stage.launch({1, 1, 32}, {}, nullptr, nullptr);
                }).find("64 or 128") != std::string::npos);
    }
}

TEST_CASE("every stage makes the softmax of rows", "[15_attention]") {
    const auto [rows, columns] = GENERATE(std::pair{1, 1}, std::pair{3, 2}, std::pair{5, 31}, std::pair{127, 32},
                                          std::pair{129, 33}, std::pair{4, 255}, std::pair{2, 257}, std::pair{7, 1009});
    const softmax::Shape shape{rows, columns};
    // Beyond what exp() of a float can be, to both sides; rising, so that a running maximum changes each time; all
    // equal.
    const float middle = GENERATE(-200.f, 0.f, 200.f);
    std::vector<float> in;
    for (const unsigned bits : random_values<unsigned>(elements(shape)))
        in.push_back(middle + static_cast<float>(bits % 4001) / 100 - 20);
    for (int j = 0; j < columns; ++j) in[j] = middle + static_cast<float>(j) / 16;
    if (rows > 1) std::fill(in.end() - columns, in.end(), middle);
    const auto expected = softened(shape, in);
    const auto d_in = DeviceBuffer<float>::from_host(in);
    auto out = poisoned<float>(in.size());
    for (const auto& stage : softmax::stages) {
        CAPTURE(stage.name, rows, columns, middle);
        if (stage.on_host) {
            std::vector<double> result(in.size());
            stage.on_host(shape, in, result);
            for (std::size_t k = 0; k < result.size(); ++k)
                REQUIRE(std::abs(result[k] - expected[k]) <= 1e-12 * expected[k]);
        } else {
            twice([&] {
                out.poison();
                stage.launch(shape, d_in.data(), out.data());
                REQUIRE_NOTHROW(softmax::largest_error(stage.name, shape, in, out.to_host(), expected));
            });
        }
    }
    std::vector<float> wrong(expected.begin(), expected.end());
    REQUIRE(softmax::largest_error("a stage", shape, in, wrong, expected) < 1e-7);
    wrong.back() *= 1.01f;
    REQUIRE_THROWS_AS(softmax::largest_error("a stage", shape, in, wrong, expected), wrong_result);
    wrong.back() = std::numeric_limits<float>::quiet_NaN();
    REQUIRE_THROWS_AS(softmax::largest_error("a stage", shape, in, wrong, expected), wrong_result);
}

TEST_CASE("softmax and attention refuse what makes no sense in one line", "[15_attention]") {
    const auto refuses = [](const std::string& line, const char* part) {
        const Outcome result = run(line);
        CAPTURE(line, result.err);
        REQUIRE(result.exit_code == 2);
        REQUIRE(result.err.find(part) != std::string::npos);
        REQUIRE(std::count(result.err.begin(), result.err.end(), '\n') == 1);
    };
    const std::string attention = program("15_attention", "attention"), softmax = program("15_attention", "softmax");
    refuses(attention + " --d 32", "64 or 128");
    refuses(attention + " --n 46341", "at most 46,340");
    refuses(attention + " --heads 0", "--heads");
    refuses(softmax + " --rows 0", "--rows");
}

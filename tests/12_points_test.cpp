#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>

#include "12_pi/points.h"
#include "testing.h"

using philox::Four;
using points::Points;

namespace {

/// Any 64 bits that a counter or a seed may have.
std::uint64_t random_bits() {
    const auto two = random_values<unsigned>(2);
    return std::uint64_t{two[0]} << 32 | two[1];
}

/// The hits, counted another way: both points of a call at once, with sums of 128 bits.
std::int64_t counted(const Points& points) {
    std::int64_t hits = 0;
    for (std::int64_t i = points.first; i < points.last; ++i) {
        const auto call = static_cast<std::uint64_t>(i) / 2;
        const auto low = [](std::uint64_t bits) { return static_cast<std::uint32_t>(bits & 0xffffffff); };
        const Four four =
            philox::random({low(call), low(call >> 32), 0, 0}, {low(points.seed), low(points.seed >> 32)});
        const unsigned __int128 x = i % 2 ? four.z : four.x, y = i % 2 ? four.w : four.y;
        hits += x * x + y * y < (static_cast<unsigned __int128>(1) << 64);
    }
    return hits;
}

void check_stage(const points::Stage& stage, const Points& points, std::int64_t expected) {
    if (stage.on_host) {
        REQUIRE(stage.on_host(points) == expected);
        return;
    }
    auto hits = poisoned<unsigned long long>(3);
    twice([&] {
        hits.poison();
        stage.launch(points, hits.data() + 1);
        const auto all = hits.to_host();
        REQUIRE(all[1] == static_cast<unsigned long long>(expected));
        REQUIRE(all[0] == ~0ull);
        REQUIRE(all[2] == ~0ull);
    });
}

}  // namespace

TEST_CASE("Philox gives the numbers that its authors published", "[12_pi]") {
    const auto require = [](Four counter, philox::Key key, Four expected) {
        const Four four = philox::random(counter, key);
        REQUIRE(std::memcmp(&four, &expected, sizeof four) == 0);
    };
    const std::uint32_t ones = 0xffffffff;
    require({0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
    require({ones, ones, ones, ones}, {ones, ones}, {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
    require({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0},
            {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

TEST_CASE("a point is inside where the sum of its squares has 64 bits", "[12_pi]") {
    const auto require = [](std::uint32_t x, std::uint32_t y) {
        const unsigned __int128 sum = static_cast<unsigned __int128>(x) * x + static_cast<unsigned __int128>(y) * y;
        CAPTURE(x, y);
        REQUIRE(points::is_inside(x, y) == (sum >> 64 == 0));
    };
    const std::uint32_t most = 0xffffffff;
    for (const std::uint32_t x : {0u, 1u, 2u, 1u << 31, most - 1, most})
        for (const std::uint32_t y : {0u, 1u, 92'681u, 92'682u, 92'683u, 1u << 31, most - 1, most}) require(x, y);
    for (const std::uint32_t x : random_values<unsigned>(1000)) {
        // The last y below the arc, and what is around it.
        const auto arc = static_cast<std::uint32_t>(std::sqrt(18446744073709551616.0L - 1.0L * x * x));
        for (std::uint32_t y = arc - 2; y != arc + 3; ++y) require(x, y);
    }
}

TEST_CASE("pieces have all points, each once", "[12_pi]") {
    const Points all{5, 1'000'000'007, 1'000'000'007 + GENERATE(0, 1, 2, 1000, 1021)};
    for (const std::int64_t parts : {1, 2, 3, 5, 7, 64, 1024}) {
        std::int64_t next = all.first;
        for (std::int64_t part = 0; part < parts; ++part) {
            const Points piece = points::part_of(all, part, parts);
            CAPTURE(parts, part);
            REQUIRE(piece.seed == all.seed);
            REQUIRE(piece.first == next);
            const std::int64_t length = piece.last - piece.first, least = (all.last - all.first) / parts;
            REQUIRE((length == least || length == least + 1));
            next = piece.last;
        }
        REQUIRE(next == all.last);
    }
}

TEST_CASE("every stage counts the same hits, for any number of points", "[12_pi]") {
    const std::int64_t n = GENERATE(0, 1, 2, 3, 31, 32, 33, 255, 256, 257, 511, 512, 513, 1021, 40'003);
    const std::uint64_t seed = random_bits();
    const std::int64_t expected = counted({seed, 0, n});
    for (const auto& stage : points::stages) {
        CAPTURE(stage.name, seed, n);
        check_stage(stage, {seed, 0, n}, expected);
    }
}

TEST_CASE("every stage counts the same hits in any piece", "[12_pi]") {
    // Odd and even ends; and counters that pass from 32 bits to 33.
    const std::int64_t first =
        GENERATE(as<std::int64_t>{}, 1, 2, 255, 777'777, (std::int64_t{1} << 33) - 300, (std::int64_t{1} << 61) + 7);
    const std::int64_t n = GENERATE(as<std::int64_t>{}, 0, 1, 2, 3, 600, 1021);
    const std::uint64_t seed = random_bits();
    const Points points{seed, first, first + n};
    const std::int64_t expected = counted(points);
    for (const auto& stage : points::stages) {
        CAPTURE(stage.name, seed, first, n);
        check_stage(stage, points, expected);
    }
}

TEST_CASE("counts are as near to pi as chance lets them be", "[12_pi]") {
    // Of 200 seeds, as many lie within one, two and four standard deviations as of a normal distribution.
    const std::uint64_t first_seed = random_bits();
    int within_one = 0, within_two = 0;
    for (int s = 0; s < 200; ++s) {
        const std::int64_t n = 4000;
        const auto [pi, error, deviation] = points::estimate(points::cpu({first_seed + s, 0, n}), n);
        REQUIRE(std::abs(pi - error - 3.14159265358979) < 1e-12);
        REQUIRE(std::abs(deviation - 1.6422 / std::sqrt(4000.0)) < 1e-5);
        within_one += std::abs(error) < deviation;
        within_two += std::abs(error) < 2 * deviation;
    }
    CAPTURE(first_seed, within_one, within_two);
    REQUIRE(std::abs(within_one - 136.5) < 5 * 6.6);  // 68.3 %, and five of its standard deviations
    REQUIRE(within_two > 190.9 - 5 * 3);
}

TEST_CASE("pi_points prints every stage, and what the count says of pi", "[12_pi]") {
    const std::string pi_points = program("12_pi", "pi_points");
    const Outcome result = run(pi_points + " --n 10007 --seed 3 --repeat 1");
    CAPTURE(result.out, result.err);
    REQUIRE(result.exit_code == 0);
    REQUIRE(result.out.starts_with("Device: "));
    REQUIRE(result.out.find("\nrandom points, seed 3, n = 10,007 points\n") != std::string::npos);
    for (const auto& stage : points::stages) {
        CAPTURE(stage.name);
        REQUIRE(result.out.find(row_of(stage.name)) != std::string::npos);
    }
    const std::string hits = std::to_string(counted({3, 0, 10'007}));
    REQUIRE(result.out.find("\n" + hits.substr(0, 1) + "," + hits.substr(1) + " hits: ") != std::string::npos);

    const Outcome refused = run(pi_points + " --n 2^39");
    REQUIRE(refused.exit_code == 2);
    REQUIRE(refused.err.find("at most 2^38 points") != std::string::npos);
}

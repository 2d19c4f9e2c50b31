#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>

#include <fstream>
#include <iterator>
#include <sstream>

#include "12_pi/points.h"
#include "12_pi/with_state.h"
#include "mpi_testing.h"

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

/// Every stage that is to be tested.
void check_stages(const Points& points) {
    const std::int64_t expected = counted(points);
    for (const auto& stage : points::stages) {
        CAPTURE(stage.name, points.seed, points.first, points.last);
        if (stage.on_host) REQUIRE(stage.on_host(points) == expected);
    }
    for (const auto& stage : on_device(points::stages)) {
        CAPTURE(stage.name, points.seed, points.first, points.last);
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
}

std::string text_of(const std::string& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// The words of the line that begins with `name`, behind it.
std::vector<std::string> row(const std::string& output, const std::string& name) {
    const auto at = output.find("\n" + name + " ");
    if (at == output.npos) return {};
    std::istringstream words(output.substr(at + 1 + name.size(), output.find('\n', at + 1) - at - 1 - name.size()));
    return {std::istream_iterator<std::string>(words), {}};
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
    check_stages({random_bits(), 0, n});
}

TEST_CASE("every stage counts the same hits in any piece", "[12_pi]") {
    // Odd and even ends; and counters that pass from 32 bits to 33.
    const std::int64_t first =
        GENERATE(as<std::int64_t>{}, 1, 2, 255, 777'777, (std::int64_t{1} << 33) - 300, (std::int64_t{1} << 61) + 7);
    const std::int64_t n = GENERATE(as<std::int64_t>{}, 0, 1, 2, 3, 600, 1021);
    check_stages({random_bits(), first, first + n});
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

TEST_CASE("a float is no place for a point, nor for a count", "[12_pi]") {
    const auto inside_in_float = [](std::uint32_t x, std::uint32_t y) {
        const float u = static_cast<float>(x) * 0x1p-32f, v = static_cast<float>(y) * 0x1p-32f;
        return u * u + v * v < 1;
    };
    // The last 128 of 2^32 places round to 1.0f, which is a miss at any height.
    for (std::uint32_t x = 0xffffff80; x != 0; ++x) {
        REQUIRE(points::is_inside(x, 0));
        REQUIRE_FALSE(inside_in_float(x, 0));
    }
    REQUIRE(inside_in_float(0xffffff7f, 0));
    const float hits = 16'777'216;
    REQUIRE(hits + 1 == hits);
}

TEST_CASE("what a state for each thread does", "[12_pi]") {
    using with_state::ahead, with_state::Congruential, with_state::Xorshift;
    SECTION("equal seeds give equal numbers") {
        Xorshift a{7}, b{7};
        for (int i = 0; i < 100; ++i) REQUIRE(a.next() == b.next());
    }
    SECTION("small seeds of xorshift give small first numbers") {
        for (std::uint32_t seed = 1; seed <= 1000; ++seed) REQUIRE(Xorshift{seed}.next() < 1u << 28);
    }
    SECTION("a congruential generator keeps its neighbours at one distance") {
        Congruential a{random_values<unsigned>(1)[0]}, b{a.state + 1};
        std::uint32_t distance = 1;
        for (int i = 0; i < 100; ++i) {
            distance *= Congruential::factor;
            const std::uint32_t first = a.next();
            REQUIRE(b.next() - first == distance);
        }
    }
    SECTION("steps ahead are steps") {
        Congruential here{random_values<unsigned>(1)[0]};
        const Congruential start = here;
        for (std::uint64_t steps = 0; steps < 300; ++steps, here.next())
            REQUIRE(ahead(start, steps).state == here.state);
        const std::uint64_t far = random_bits(), further = random_bits() >> 1;
        REQUIRE(ahead(ahead(start, far >> 1), further).state == ahead(start, (far >> 1) + further).state);
    }
    SECTION("its numbers repeat after 2^32, and a bit sooner the lower it is") {
        const Congruential start{random_values<unsigned>(1)[0]};
        REQUIRE(ahead(start, std::uint64_t{1} << 32).state == start.state);
        for (int bit = 0; bit < 32; ++bit) {
            const std::uint32_t changed = ahead(start, std::uint64_t{1} << bit).state ^ start.state;
            REQUIRE((changed & ((1u << bit) - 1)) == 0);
            REQUIRE((changed >> bit & 1) == 1);
        }
    }
    SECTION("threads that begin at neighbouring counters have most points in common") {
        std::set<std::uint64_t> different;
        for (std::int64_t thread = 0; thread < 100; ++thread)
            for (std::int64_t call = thread; call < thread + 8; ++call) {
                const Four four = philox::random(points::counter_of(call), points::key_of(1));
                different.insert(std::uint64_t{four.x} << 32 | four.y);
            }
        REQUIRE(different.size() == 107);
    }
}

TEST_CASE("bad_streams tells the four bad streams from the good one", "[12_pi]") {
    const TemporaryFile svg;
    const Outcome result = run(program("12_pi", "bad_streams") + " --svg " + svg.path());
    CAPTURE(result.out, result.err);
    REQUIRE(result.exit_code == 0);
    REQUIRE(row(result.out, "xorshift, one seed") == std::vector<std::string>{"0.0244", "3", "22.1", "1.11e+06"});
    REQUIRE(row(result.out, "xorshift, seeds 1, 2, 3") == std::vector<std::string>{"100", "3.19", "7.84", "763"});
    REQUIRE(row(result.out, "LCG, seeds 0, 1, 2") == std::vector<std::string>{"100", "3.14", "0.135", "131"});
    REQUIRE(row(result.out, "Philox, from 0, 1, 2") == std::vector<std::string>{"12.5", "3.14", "0.341", "1.81e+03"});
    REQUIRE(row(result.out, "Philox, pieces") == std::vector<std::string>{"100", "3.14", "0.249", "260"});
    REQUIRE(svg.text() == text_of(golden("../../12_pi/pictures/first_points.svg")));
}

TEST_CASE("point_errors draws the picture of the lesson", "[12_pi]") {
    const TemporaryFile svg;
    const Outcome result = run(program("12_pi", "point_errors") + " --svg " + svg.path());
    CAPTURE(result.out, result.err);
    REQUIRE(result.exit_code == 0);
    REQUIRE(row(result.out, "4194304").size() == 5);
    REQUIRE(svg.text() == text_of(golden("../../12_pi/pictures/point_errors.svg")));
}

TEST_CASE("ranks have all points, each once, and count as many hits as one process", "[12_pi]") {
    if (!has_mpi()) return;
    const int ranks = GENERATE(1, 2, 3, 4, 5);
    const std::int64_t n = GENERATE(as<std::int64_t>{}, 3, 10'007);
    const std::uint64_t seed = random_bits() >> 1 | 1;
    const Outcome result =
        mpirun(ranks, program("12_pi", "points_mpi") + " --n " + std::to_string(n) + " --seed " + std::to_string(seed));
    CAPTURE(ranks, n, seed, result.out, result.err);
    REQUIRE(result.exit_code == 0);
    std::vector<int> taken(n);
    std::int64_t sum = 0;
    for (int rank = 0; rank < ranks; ++rank) {
        const auto account = row(result.out, std::to_string(rank));  // from, to, hits
        REQUIRE(account.size() == 3);
        const std::int64_t first = std::stoll(account[0]), last = std::stoll(account[1]), hits = std::stoll(account[2]);
        for (std::int64_t i = first; i < last; ++i) ++taken.at(i);
        REQUIRE(hits == counted({seed, first, last}));
        sum += hits;
    }
    REQUIRE(taken == std::vector<int>(n, 1));
    REQUIRE(sum == counted({seed, 0, n}));
    REQUIRE(result.out.find("\n" + std::to_string(sum) + " hits, as many as one process counts") != std::string::npos);
}

TEST_CASE("points_mpi refuses what makes no sense, and one rank says so", "[12_pi]") {
    if (!has_mpi()) return;
    const auto [arguments, named] = GENERATE(table<std::string, std::string>({
        {"--n 2^39", "at most 2^38 points"},
        {"--n 0", "--n 0"},
        {"--seed no", "--seed no"},
    }));
    require_one_error(mpirun(2, program("12_pi", "points_mpi") + " " + arguments), named);
}

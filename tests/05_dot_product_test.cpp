#include "05_dot_product/exact.h"
#include "05_dot_product/trees.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <sstream>

#include "testing.h"

using dot_product::Workspace;

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

struct Starts {
    std::size_t a, b;
};

// Runs a stage twice with one workspace, and checks that it writes the one float that it may, at which verify() looks,
// and leaves the workspace fit for the next launch.
template <class Verify>
void run_stage(const dot_product::Stage& stage, const std::vector<float>& a, const std::vector<float>& b, Starts starts,
               const Verify& verify) {
    Fenced d_a(a, starts.a), d_b(b, starts.b);
    auto workspace = dot_product::make_workspace();
    auto result = poisoned<float>(3);
    twice([&] {
        result.poison();
        stage.launch(d_a.data(), d_b.data(), a.size(), result.data() + 1, workspace.data());
        const std::vector<float> all = result.to_host();
        REQUIRE(std::isnan(all[0]));
        REQUIRE(std::isnan(all[2]));
        verify(all[1]);
        const std::vector<Workspace> left = workspace.to_host();
        REQUIRE(left[0].arrived == 0);
        REQUIRE(left[0].sum == 0);
    });
}

std::vector<float> small_whole_numbers(std::size_t n) {
    std::vector<float> values(n);
    const auto random = random_values<std::uint32_t>(n);
    std::transform(random.begin(), random.end(), values.begin(), [](std::uint32_t r) { return r % 7 - 3.0f; });
    return values;
}

// Signs at random, magnitudes between 2^smallest and 2^largest.
std::vector<float> values_between(std::size_t n, int smallest, int largest) {
    std::vector<float> values(n);
    const auto random = random_values<std::uint64_t>(n);
    std::transform(random.begin(), random.end(), values.begin(), [&](std::uint64_t r) {
        const float mantissa = 1 + static_cast<float>(r % 1024) / 1024;
        const int exponent = smallest + static_cast<int>(r / 1024 % static_cast<unsigned>(largest - smallest));
        return std::ldexp(r >> 63 ? -mantissa : mantissa, exponent);
    });
    return values;
}

struct Pair {
    std::vector<float> a, b;
};

// Every product comes a second time with the other sign, elsewhere, and then a little is added: almost nothing is left.
Pair cancelling_values(std::size_t n) {
    Pair pair{random_values<float>(n), random_values<float>(n)};
    for (std::size_t i = 0; i < n / 2; ++i) {
        pair.a[n - 1 - i] = -pair.b[i] * (1 + (i % 5 == 0 ? 0x1p-20f : 0));
        pair.b[n - 1 - i] = pair.a[i];
    }
    return pair;
}

auto any_stage() {
    return Catch::Generators::from_range(on_device(dot_product::stages));
}

}  // namespace

TEST_CASE("every stage takes every element once, wherever the arrays start", "[05_dot_product]") {
    const auto n = GENERATE(as<std::size_t>{}, 0, 1, 2, 3, 4, 5, 7, 8, 31, 32, 33, 255, 256, 257, 1023, 1024, 1025,
                            4095, 4096, 4099, 8191, 8192, 8193, 10'007, 33 * 1024, 1'000'003);
    // Whole numbers, of which no sum on the way reaches 2^24: whatever the order, a float holds each of them.
    const auto a = small_whole_numbers(n), b = small_whole_numbers(n);
    std::int64_t expected = 0;
    for (std::size_t i = 0; i < n; ++i) expected += static_cast<std::int64_t>(a[i]) * static_cast<std::int64_t>(b[i]);

    for (const auto& stage : on_device(dot_product::stages))
        for (const Starts starts : {Starts{0, 0}, {1, 1}, {2, 2}, {3, 3}, {0, 1}, {2, 0}, {3, 2}}) {
            CAPTURE(stage.name, n, starts.a, starts.b);
            run_stage(stage, a, b, starts, [&](float sum) { REQUIRE(sum == static_cast<float>(expected)); });
        }
}

TEST_CASE("the error of every stage is within what its method guarantees", "[05_dot_product]") {
    const auto n = GENERATE(as<std::size_t>{}, 1, 2, 33, 1000, 33 * 1024, 300'007, 1'000'003);
    const auto kind = GENERATE("mixed", "cancelling", "huge", "tiny", "i and 2i");
    Pair pair;
    if (std::string_view(kind) == "mixed") pair = {random_values<float>(n), random_values<float>(n)};
    if (std::string_view(kind) == "cancelling") pair = cancelling_values(n);
    if (std::string_view(kind) == "huge") pair = {values_between(n, 30, 50), values_between(n, 30, 50)};
    if (std::string_view(kind) == "tiny") pair = {values_between(n, -80, -60), values_between(n, -80, -60)};
    if (std::string_view(kind) == "i and 2i")
        for (std::size_t i = 0; i < n; ++i) {
            pair.a.push_back(static_cast<float>(i));
            pair.b.push_back(static_cast<float>(2 * i));
        }

    const dot_product::Exact exact = dot_product::exact(pair.a, pair.b);
    for (const auto& stage : on_device(dot_product::stages))
        for (const Starts starts : {Starts{0, 0}, {1, 2}}) {
            const double bound = dot_product::error_bound(exact, n, stage.roundings(n), stage.atomic);
            CAPTURE(stage.name, n, kind, starts.a, starts.b, exact.value, exact.magnitude, bound);
            run_stage(stage, pair.a, pair.b, starts, [&](float sum) { REQUIRE(std::abs(sum - exact.value) <= bound); });
        }
}

TEST_CASE("what each method guarantees", "[05_dot_product]") {
    for (const auto& stage : on_device(dot_product::stages)) {
        CAPTURE(stage.name);
        // No order of additions has fewer roundings than a tree over all products.
        for (const std::size_t n : {std::size_t{1}, std::size_t{2}, std::size_t{33 * 1024}, std::size_t{1} << 28})
            REQUIRE(static_cast<double>(stage.roundings(n)) >= std::log2(n));
        // Little enough to see that one product of 33,792 equal ones is missing or there twice.
        const double n = 33 * 1024;
        REQUIRE(dot_product::error_bound({n, n}, 33 * 1024, stage.roundings(33 * 1024), stage.atomic) < 1);
    }
    // Trees nearly all the way: four products more for each thread of the largest grid, and its 16,384 sums by 1024.
    REQUIRE(stage_called("8_deterministic", dot_product::stages).roundings(std::size_t{1} << 28) < 50);
    REQUIRE(dot_product::error_bound({0, 0}, 0, 4, true) == 8 * 0x1p-126 * (1 + 4 * 0x1p-24 / (1 - 4 * 0x1p-24)));
    REQUIRE(std::abs(dot_product::error_bound({1, 1}, 1, 1, false) / 0x1p-24 - 1) < 1e-6);
    REQUIRE(std::abs(dot_product::error_bound({0, 100}, 1000, 10, false) / (1000 * 0x1p-24) - 1) < 1e-5);
}

TEST_CASE("NaNs and infinities come through", "[05_dot_product]") {
    const auto& stage = GENERATE(any_stage());
    const auto n = GENERATE(as<std::size_t>{}, 2, 5, 33, 1025, 50'001);
    const auto starts = GENERATE(values<Starts>({{0, 0}, {1, 1}, {3, 0}}));
    const std::size_t at = GENERATE_COPY(as<std::size_t>{}, 0, n / 2, n - 1);
    const std::size_t other = at == 0 ? n - 1 : 0;
    CAPTURE(stage.name, n, starts.a, starts.b, at, other);

    auto a = small_whole_numbers(n), b = small_whole_numbers(n);
    const auto require = [&](const auto& right) {
        run_stage(stage, a, b, starts, [&](float sum) { REQUIRE(right(sum)); });
    };
    const auto is_nan = [](float sum) { return std::isnan(sum); };
    const auto is = [](float expected) { return [=](float sum) { return sum == expected; }; };

    SECTION("a NaN") {
        b[at] = not_a_number;
        require(is_nan);
    }
    SECTION("infinity times 0") {
        a[at] = infinity;
        b[at] = 0;
        require(is_nan);
    }
    SECTION("infinities of both signs") {
        a[at] = infinity;
        b[at] = 1;
        a[other] = 1;
        b[other] = -infinity;
        require(is_nan);
    }
    SECTION("infinities of one sign") {
        a[at] = -infinity;
        b[at] = 1;
        a[other] = 1;
        b[other] = -infinity;
        require(is(-infinity));
    }
    SECTION("a sum that no float can hold") {
        a[at] = a[other] = 1.5e19f;
        b[at] = b[other] = 1.5e19f;
        require(is(infinity));
    }
}

TEST_CASE("the CPU adds with any number of threads", "[05_dot_product]") {
    const auto n = GENERATE(as<std::size_t>{}, 0, 1, 6, 7, 8, 1000, 100'003);
    const auto a = random_values<float>(n), b = random_values<float>(n);
    const dot_product::Exact exact = dot_product::exact(a, b);
    const double bound = dot_product::error_bound(exact, n, dot_product::stages[0].roundings(n), false);
    const auto whole_a = small_whole_numbers(n), whole_b = small_whole_numbers(n);
    const double whole = dot_product::exact(whole_a, whole_b).value;  // which no order of additions rounds
    for (const unsigned threads : {1u, 2u, 3u, 7u, 32u}) {
        CAPTURE(n, threads, exact.value, bound);
        REQUIRE(std::abs(dot_product::cpu_threads(a, b, threads) - exact.value) <= bound);
        REQUIRE(dot_product::cpu_threads(whole_a, whole_b, threads) == whole);
    }
    REQUIRE(dot_product::cpu_threads(whole_a, whole_b) == whole);
}

TEST_CASE("a workspace serves one launch after the other", "[05_dot_product]") {
    const auto& stage = GENERATE(any_stage());
    CAPTURE(stage.name);
    const std::vector<std::size_t> sizes = {1'000'003, 1, 0, 5000, 300, 200'000, 33 * 1024, 1};
    const auto a = small_whole_numbers(1'000'003), b = small_whole_numbers(1'000'003);
    const auto d_a = DeviceBuffer<float>::from_host(a), d_b = DeviceBuffer<float>::from_host(b);
    const auto d_nan = DeviceBuffer<float>::from_host(std::vector<float>(1000, not_a_number));

    auto workspace = dot_product::make_workspace();
    auto results = poisoned<float>(2 * sizes.size());
    for (std::size_t i = 0; i < sizes.size(); ++i) {  // All queued; a NaN between two may spoil no later result.
        stage.launch(d_a.data(), d_b.data(), sizes[i], results.data() + 2 * i, workspace.data());
        stage.launch(d_nan.data(), d_b.data(), 1000, results.data() + 2 * i + 1, workspace.data());
    }

    const std::vector<float> actual = results.to_host();
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        CAPTURE(i, sizes[i]);
        const std::span<const float> first_a(a.data(), sizes[i]), first_b(b.data(), sizes[i]);
        REQUIRE(actual[2 * i] == dot_product::cpu(first_a, first_b));
        REQUIRE(std::isnan(actual[2 * i + 1]));
    }
}

namespace {

// A block's way to one sum: each warp of 32 in five halvings, then the warps' sums in the same way.
float halved(std::vector<float> sums) {
    for (std::size_t distance = 16; distance > 0; distance /= 2)
        for (std::size_t lane = 0; lane < distance; ++lane) sums[lane] += sums[lane + distance];
    return sums[0];
}

float block_sum(const std::vector<float>& sums) {
    std::vector<float> warps(32, 0.0f);
    for (std::size_t warp = 0; warp < sums.size() / 32; ++warp)
        warps[warp] = halved({sums.begin() + 32 * warp, sums.begin() + 32 * (warp + 1)});
    return halved(warps);
}

// The order in which 8_deterministic promises to add, on the host. Another block size or grid gives other bits: who
// changes them there changes the results of all who rely on it, and this.
float in_the_promised_order(const std::vector<float>& a, const std::vector<float>& b) {
    constexpr std::size_t block_size = 1024, pairs_per_block = 8192, max_blocks = 16'384;
    const std::size_t n = a.size(), quads = n / 4;
    const std::size_t blocks = std::clamp<std::size_t>((n + pairs_per_block - 1) / pairs_per_block, 1, max_blocks);
    const std::size_t threads = blocks * block_size;

    std::vector<float> of_blocks(block_size, 0.0f);
    for (std::size_t block = 0; block < blocks; ++block) {
        std::vector<float> of_threads(block_size);
        for (std::size_t i = 0; i < block_size; ++i) {
            const std::size_t thread = block * block_size + i;
            float sums[4] = {0, 0, 0, 0};
            for (std::size_t quad = thread; quad < quads; quad += threads)
                for (std::size_t k = 0; k < 4; ++k) sums[k] = std::fma(a[4 * quad + k], b[4 * quad + k], sums[k]);
            if (4 * quads + thread < n) sums[0] = std::fma(a[4 * quads + thread], b[4 * quads + thread], sums[0]);
            of_threads[i] = (sums[0] + sums[1]) + (sums[2] + sums[3]);
        }
        of_blocks[block % block_size] += block_sum(of_threads);
    }
    return block_sum(of_blocks);
}

}  // namespace

TEST_CASE("8_deterministic gives the same bits in every run, on every device, for every start", "[05_dot_product]") {
    const auto& stage = stage_called("8_deterministic", dot_product::stages);
    const auto n = GENERATE(as<std::size_t>{}, 1, 7, 4099, 8192, 33 * 1024, 100'003, 1'000'003, 8'400'001);
    CAPTURE(n);
    const auto a = random_values<float>(n), b = random_values<float>(n);
    const auto bits = [](float x) { return std::bit_cast<std::uint32_t>(x); };
    const std::uint32_t expected = bits(in_the_promised_order(a, b));

    for (const Starts starts : {Starts{0, 0}, {0, 0}, {1, 1}, {0, 3}, {2, 1}}) {
        CAPTURE(starts.a, starts.b);
        run_stage(stage, a, b, starts, [&](float sum) { REQUIRE(bits(sum) == expected); });
    }
}

TEST_CASE("the exact reference is exact", "[05_dot_product]") {
    SECTION("whole numbers of 24 bits") {
        const std::size_t n = 100'003;
        std::vector<float> a(n), b(n);
        __extension__ __int128 sum = 0, magnitude = 0;
        const auto random = random_values<std::uint64_t>(n);
        for (std::size_t i = 0; i < n; ++i) {
            const auto x = static_cast<std::int64_t>(random[i] % (1 << 25)) - (1 << 24);
            const auto y = static_cast<std::int64_t>((random[i] >> 32) % (1 << 25)) - (1 << 24);
            a[i] = static_cast<float>(x);
            b[i] = static_cast<float>(y);
            sum += x * y;
            magnitude += std::abs(x * y);
        }
        const auto [value, absolute] = dot_product::exact(a, b);
        REQUIRE(value == static_cast<double>(sum));
        REQUIRE(std::abs(absolute / static_cast<double>(magnitude) - 1) < 1e-12);
    }
    SECTION("what a sum in double loses") {
        const std::vector<float> ones = {1, 1, 1};
        for (const std::vector<float>& a : {std::vector{0x1p100f, 1.0f, -0x1p100f}, {1, 0x1p100f, -0x1p100f}}) {
            REQUIRE(dot_product::cpu(a, ones) == 0);
            REQUIRE(dot_product::exact(a, ones).value == 1);
        }
    }
    SECTION("nothing") {
        REQUIRE(dot_product::exact({}, {}).value == 0);
        REQUIRE(dot_product::cpu({}, {}) == 0);
    }
    SECTION("NaNs and infinities") {
        const std::vector<float> ones = {1, 1, 1};
        REQUIRE(dot_product::exact(std::vector<float>{1, infinity, 1}, ones).value == infinity);
        REQUIRE(std::isnan(dot_product::exact(std::vector<float>{1, infinity, -infinity}, ones).value));
        REQUIRE(std::isnan(dot_product::exact(std::vector<float>{1, not_a_number, 1}, ones).value));
    }
}

TEST_CASE("every tree adds every value to its own sum, and writes no other", "[05_dot_product]") {
    const auto n = GENERATE(as<std::size_t>{}, 0, 1, 2, 31, 32, 33, 255, 256, 257, 511, 512, 2047, 2048, 2049, 10'007,
                            33 * 1024, 300'007);
    const auto values = small_whole_numbers(n);
    const std::size_t count = trees::sums_of(n);
    std::vector<float> expected(count);
    for (std::size_t i = 0; i < n; ++i) expected[i / 256] += values[i];
    Fenced d_values(values, 1);

    for (const auto& tree : trees::stages) {
        CAPTURE(tree.name, n);
        auto sums = poisoned<float>(count + 2);
        twice([&] {
            sums.poison();
            tree.launch(d_values.data(), n, sums.data() + 1);
            const std::vector<float> all = sums.to_host();
            REQUIRE(std::isnan(all.front()));
            REQUIRE(std::isnan(all.back()));
            REQUIRE_SAME(std::vector<float>(all.begin() + 1, all.end() - 1), expected);
        });
    }
}

TEST_CASE("dot_product prints the closed form beside every stage's sum", "[05_dot_product]") {
    const Outcome result = run(program("05_dot_product", "dot_product"));
    CAPTURE(result.out, result.err);
    REQUIRE(result.exit_code == 0);
    REQUIRE(result.out.starts_with("Device: "));
    REQUIRE(result.out.find("n = 33,792 pairs\n") != std::string::npos);
    REQUIRE(result.out.find(" digits") != std::string::npos);

    const std::size_t listing = result.out.find("(n-1) n (2n-1) / 3");
    REQUIRE(listing != std::string::npos);
    std::istringstream lines(result.out.substr(listing));
    std::string name, sum, too_much;
    std::getline(lines, name);
    REQUIRE(name.ends_with(" 25723564731392"));
    lines >> name >> sum >> too_much;
    REQUIRE(name + " " + sum + " " + too_much == "1_cpu 25723564731392 0");
    lines >> name >> sum >> too_much;
    REQUIRE(name + " " + sum + " " + too_much == "1_cpu/threads 25723564731392 0");
    for (const auto& stage : on_device(dot_product::stages)) {
        REQUIRE(lines >> name >> sum >> too_much);
        CAPTURE(name, sum, too_much);
        REQUIRE(name == stage.name);
        REQUIRE(std::stod(sum) == static_cast<float>(std::stod(sum)));
        REQUIRE(std::stod(sum) == 25'723'564'731'392 + std::stod(too_much));
        REQUIRE(too_much != "0");  // The exact value is no float.
    }
}

TEST_CASE("dot_product's options", "[05_dot_product]") {
    const std::string dot_product = program("05_dot_product", "dot_product");

    SECTION("one stage, random numbers") {
        const Outcome result = run(dot_product + " --n 100000 --stage 4 --random --seed 5");
        CAPTURE(result.out, result.err);
        REQUIRE(result.exit_code == 0);
        REQUIRE(result.out.find("n = 100,000 pairs, random\n") != std::string::npos);
        REQUIRE(result.out.find("4_warp_shuffle") != std::string::npos);
        REQUIRE(result.out.find("5_vectorized") == std::string::npos);
        REQUIRE(result.out.find("closed form") == std::string::npos);
    }
    SECTION("ones") {
        const Outcome result = run(dot_product + " --n 1000 --stage 2 --repeat 1 --ones");
        CAPTURE(result.out, result.err);
        REQUIRE(result.exit_code == 0);
        REQUIRE(result.out.find("n = 1,000 pairs, ones\n") != std::string::npos);
        REQUIRE(result.out.find("closed form") == std::string::npos);
    }
    SECTION("no closed form beyond where floats hold the input") {
        const Outcome result = run(dot_product + " --n 3000000 --stage 2 --repeat 1");
        REQUIRE(result.exit_code == 0);
        REQUIRE(result.out.find("(n-1)") == std::string::npos);
    }
    SECTION("the smallest size") {
        REQUIRE(run(dot_product + " --n 1 --repeat 1").exit_code == 0);
    }
}

TEST_CASE("dot_product refuses what makes no sense, in one line", "[05_dot_product]") {
    const auto [arguments, named] = GENERATE(table<std::string, std::string>({
        {"--n 2^60", "memory"},
        {"--random 1", "1"},
        {"--ones --random", "--random"},
    }));
    const Outcome result = run(program("05_dot_product", "dot_product") + " " + arguments);
    CAPTURE(arguments, result.out, result.err);
    REQUIRE(result.exit_code == 2);
    REQUIRE(result.err.find(named) != std::string::npos);
    REQUIRE(std::count(result.err.begin(), result.err.end(), '\n') == 1);
}

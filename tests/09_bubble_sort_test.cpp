#include "09_bubble_sort/bubble_sort.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "09_bubble_sort/input.h"
#include "09_bubble_sort/keys.h"
#include "testing.h"

using bubble_sort::Key;
using bubble_sort::key_of;
using bubble_sort::value_of;

namespace {

/// The keys in order: what a stage must give, and nothing else. Made without the code that is tested.
template <class T>
std::vector<Key> sorted_keys(const std::vector<T>& values) {
    std::vector<Key> keys;
    for (const T value : values) keys.push_back(key_of(value));
    std::sort(keys.begin(), keys.end());
    return keys;
}

/// The keys of what a stage makes of the values, from a poisoned output; and that it leaves the input and what lies
/// around the output alone.
template <class T>
std::vector<Key> sorted_on_device(bubble_sort::Launch<T>* sort, const std::vector<T>& values) {
    constexpr std::size_t fence = 64;
    const std::size_t n = values.size();
    const auto in = DeviceBuffer<T>::from_host(values);
    auto out = poisoned<std::uint32_t>(n + 2 * fence);
    sort(in.data(), reinterpret_cast<T*>(out.data() + fence), n);
    CUDA_CHECK(cudaDeviceSynchronize());

    const std::vector<std::uint32_t> all = out.to_host();
    const auto untouched = [](std::uint32_t bits) { return bits == ~std::uint32_t{0}; };
    REQUIRE(std::all_of(all.begin(), all.begin() + fence, untouched));
    REQUIRE(std::all_of(all.end() - fence, all.end(), untouched));
    const std::vector<T> input = in.to_host();
    REQUIRE(std::equal(input.begin(), input.end(), values.begin(), values.end(),
                       [](T a, T b) { return key_of(a) == key_of(b); }));

    std::vector<Key> keys;
    for (std::size_t i = 0; i < n; ++i) keys.push_back(key_of(std::bit_cast<T>(all[fence + i])));
    return keys;
}

template <class T>
auto any_stage() {
    return Catch::Generators::from_range(on_device(bubble_sort::stages<T>));
}

/// What the slow stages sort on the emulator without trying anyone's patience.
bool takes_too_long(std::string_view stage, std::size_t n) {
    const bool slow = stage < "6_merge_windows";
    return on_emulator() && slow && n > 3000;
}

auto any_kind() {
    return Catch::Generators::from_range(std::begin(bubble_sort::kinds), std::end(bubble_sort::kinds));
}

}  // namespace

TEMPLATE_TEST_CASE("every stage sorts awkward sizes", "[09_bubble_sort]", float, int) {
    const auto& stage = GENERATE(any_stage<TestType>());
    // Around a warp, and around windows and their halves: 512 and 1024; 1152 and 2304; 4608; 7680 and 15360. Around
    // what a block of stage 10 sorts: 1024 to 8192. Around the tiles of stage 11: 9728.
    const auto n = GENERATE(as<std::size_t>{}, 0, 1, 2, 3, 8, 9, 10, 31, 32, 33, 511, 512, 513, 1023, 1024, 1025, 1151,
                            1152, 1153, 1537, 2047, 2048, 2049, 2303, 2304, 2305, 2999, 3455, 3457, 4095, 4096, 4097,
                            4607, 4608, 4609, 7679, 7681, 8191, 8192, 8193, 9217, 9727, 9728, 9729, 19'455, 19'457,
                            15'359, 15'360, 15'361, 23'039, 23'041, 30'011, 61'441, 100'003);
    if (n > stage.most || takes_too_long(stage.name, n)) return;
    CAPTURE(stage.name, n);
    const auto values = random_values<TestType>(n);
    const std::vector<Key> expected = sorted_keys(values);
    twice([&] { REQUIRE_SAME(sorted_on_device<TestType>(stage.launch, values), expected); });
}

TEMPLATE_TEST_CASE("every stage sorts every kind of data", "[09_bubble_sort]", float, int) {
    const auto& stage = GENERATE(any_stage<TestType>());
    const auto kind = GENERATE(any_kind());
    const auto n = GENERATE(as<std::size_t>{}, 33, 1031, 2049, 40'009);
    if (n > stage.most || takes_too_long(stage.name, n)) return;
    CAPTURE(stage.name, kind, n);
    const auto values = bubble_sort::make_values<TestType>(kind, n, test_seed());
    REQUIRE_SAME(sorted_on_device<TestType>(stage.launch, values), sorted_keys(values));
}

TEST_CASE("every stage moves values from one end to the other", "[09_bubble_sort]") {
    const auto& stage = GENERATE(any_stage<float>());
    // That takes all phases. One too few is seen here, and hardly ever with random data.
    const auto n = GENERATE(as<std::size_t>{}, 2, 33, 2000, 2560, 2561, 5121, 61'440, 61'441);
    if (n > stage.most || takes_too_long(stage.name, n)) return;
    CAPTURE(stage.name, n);
    std::vector<float> values(n);
    for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<float>(n - i);
    REQUIRE_SAME(sorted_on_device<float>(stage.launch, values), sorted_keys(values));  // all of them

    std::reverse(values.begin(), values.end());
    std::rotate(values.begin(), values.begin() + 1, values.end());
    REQUIRE_SAME(sorted_on_device<float>(stage.launch, values), sorted_keys(values));  // the smallest

    std::sort(values.begin(), values.end());
    std::rotate(values.begin(), values.end() - 1, values.end());
    REQUIRE_SAME(sorted_on_device<float>(stage.launch, values), sorted_keys(values));  // the largest
}

TEST_CASE("ten windows of 512 values", "[09_bubble_sort]") {
    const auto& stage = GENERATE(any_stage<float>());
    if (10 * 512 > stage.most) return;
    CAPTURE(stage.name);
    const auto values = bubble_sort::make_values<float>("shuffled", 10 * 512, test_seed());
    const auto keys = sorted_on_device<float>(stage.launch, values);
    for (std::size_t i = 0; i < keys.size(); ++i) REQUIRE(value_of<float>(keys[i]) == static_cast<float>(i));
}

TEMPLATE_TEST_CASE("what one block cannot sort is a usage error", "[09_bubble_sort]", float, int) {
    const auto values = DeviceBuffer<TestType>::from_host(random_values<TestType>(2050));
    auto out = poisoned<TestType>(2050);
    const auto sort = [&](std::string_view stage, std::size_t n) {
        stage_called(stage, bubble_sort::stages<TestType>).launch(values.data(), out.data(), n);
    };
    REQUIRE_THROWS_AS(sort("3_shared_one_block", 2050), usage_error);
    REQUIRE_THROWS_AS(sort("3_shared_one_block/global", 2050), usage_error);
    REQUIRE_THROWS_AS(sort("10_radix_one_block", 8193), usage_error);
    REQUIRE_THROWS_AS(sort("11_radix", std::size_t{1} << 30), usage_error);
}

TEST_CASE("keys are in the order of the floats, and NaNs come last", "[09_bubble_sort]") {
    using limits = std::numeric_limits<float>;
    const float nan = limits::quiet_NaN();
    const std::vector<float> ordered{-limits::infinity(),
                                     limits::lowest(),
                                     -1.5f,
                                     -limits::min(),
                                     -1e-45f,
                                     -0.0f,
                                     0.0f,
                                     1e-45f,
                                     limits::min(),
                                     1.5f,
                                     limits::max(),
                                     limits::infinity(),
                                     nan,
                                     std::copysign(nan, -1.0f)};
    for (std::size_t i = 0; i + 1 < ordered.size(); ++i) {
        CAPTURE(i, ordered[i], ordered[i + 1]);
        REQUIRE(key_of(ordered[i]) < key_of(ordered[i + 1]));
    }
    REQUIRE(key_of(-limits::infinity()) == 0);

    const auto values = random_values<float>(10'000);
    for (std::size_t i = 0; i + 1 < values.size(); ++i)
        REQUIRE((key_of(values[i]) < key_of(values[i + 1])) == (values[i] < values[i + 1]));
}

TEST_CASE("keys are in the order of the ints", "[09_bubble_sort]") {
    const auto values = random_values<int>(10'000);
    for (std::size_t i = 0; i + 1 < values.size(); ++i)
        REQUIRE((key_of(values[i]) < key_of(values[i + 1])) == (values[i] < values[i + 1]));
    REQUIRE(key_of(std::numeric_limits<int>::min()) == 0);
    REQUIRE(key_of(std::numeric_limits<int>::max()) == bubble_sort::last_key);
}

TEST_CASE("a key gives its value back, bit for bit", "[09_bubble_sort]") {
    for (const std::uint32_t bits : random_values<std::uint32_t>(100'000)) {
        CAPTURE(bits);
        REQUIRE(std::bit_cast<std::uint32_t>(value_of<float>(key_of(std::bit_cast<float>(bits)))) == bits);
        REQUIRE(std::bit_cast<std::uint32_t>(value_of<int>(key_of(std::bit_cast<int>(bits)))) == bits);
    }
}

TEMPLATE_TEST_CASE("the CPU sorts, in each way", "[09_bubble_sort]", float, int) {
    const auto kind = GENERATE(any_kind());
    const auto n = GENERATE(as<std::size_t>{}, 0, 1, 2, 3, 32, 33, 1000);
    const auto values = bubble_sort::make_values<TestType>(kind, n, test_seed());
    int ways = 0;
    for (const auto& stage : bubble_sort::stages<TestType>) {
        if (!stage.on_host) continue;
        CAPTURE(stage.name, kind, n);
        auto result = values;
        stage.on_host(result);
        std::vector<Key> keys;
        for (const auto value : result) keys.push_back(key_of(value));
        REQUIRE_SAME(keys, sorted_keys(values));
        ++ways;
    }
    REQUIRE(ways == 3);
}

TEMPLATE_TEST_CASE("the CPU sorts with any number of threads", "[09_bubble_sort]", float, int) {
    const auto kind = GENERATE(any_kind());
    const auto n = GENERATE(as<std::size_t>{}, 0, 1, 2, 3, 31, 33, 1000, 10'007);
    const auto values = bubble_sort::make_values<TestType>(kind, n, test_seed());
    const auto expected = sorted_keys(values);
    for (const unsigned threads : {1u, 2u, 3u, 5u, 8u, 13u, 32u}) {
        CAPTURE(kind, n, threads);
        auto result = values;
        bubble_sort::cpu_threads(std::span(result), threads);
        std::vector<Key> keys;
        for (const auto value : result) keys.push_back(key_of(value));
        REQUIRE_SAME(keys, expected);
    }
}

TEST_CASE("the inputs are what they are called", "[09_bubble_sort]") {
    constexpr std::size_t n = 4099;
    const auto make = [](const char* kind) { return bubble_sort::make_values<float>(kind, n, 1); };
    REQUIRE(make("random") == make("random"));
    REQUIRE(make("random") != bubble_sort::make_values<float>("random", n, 2));
    auto shuffled = make("shuffled");
    REQUIRE(!std::is_sorted(shuffled.begin(), shuffled.end()));
    std::sort(shuffled.begin(), shuffled.end());
    for (std::size_t i = 0; i < n; ++i) REQUIRE(shuffled[i] == static_cast<float>(i));
    const auto sorted = make("sorted"), reversed = make("reversed"), equal = make("equal"), few = make("few");
    REQUIRE(std::is_sorted(sorted.begin(), sorted.end()));
    REQUIRE(sorted.front() < sorted.back());
    REQUIRE(std::equal(sorted.begin(), sorted.end(), reversed.rbegin(), reversed.rend()));
    REQUIRE(static_cast<std::size_t>(std::count(equal.begin(), equal.end(), equal[0])) == n);
    auto keys = sorted_keys(few);
    REQUIRE(std::unique(keys.begin(), keys.end()) - keys.begin() == 10);
    const auto special = make("special");
    for (const float value : {0.0f, -0.0f, INFINITY, -INFINITY, NAN, std::copysign(NAN, -1.0f)})
        REQUIRE(std::any_of(special.begin(), special.end(), [&](float x) { return key_of(x) == key_of(value); }));
}

TEST_CASE("bubble_sort shows every stage, and which it leaves out", "[09_bubble_sort]") {
    const Outcome result = run(program("09_bubble_sort", "bubble_sort") + " --n 2050 --data random --type int");
    CAPTURE(result.out, result.err);
    REQUIRE(result.exit_code == 0);
    REQUIRE(result.out.starts_with("Device: "));
    REQUIRE(result.out.find("\nrandom ints, n = 2,050\n") != std::string::npos);
    for (const auto& stage : bubble_sort::stages<int>)
        REQUIRE(result.out.find(row_of(stage.name)) != std::string::npos);
    REQUIRE(result.out.find("\n3_shared_one_block      left out: sorts at most 2,049\n") != std::string::npos);
}

TEST_CASE("bubble_sort leaves the slow transposition out, unless it is asked for", "[09_bubble_sort]") {
    const std::string sort = program("09_bubble_sort", "bubble_sort") + " --repeat 1 --n 16385";
    const std::string name = "  · odd even            ", left_out = "left out: slow beyond 16,384, --stage insists";
    for (const auto& [stages, row] : {std::pair{"", left_out}, {" --stage 9", ""}, {" --stage 1/odd_even", "exact"}}) {
        const Outcome result = run(sort + stages);
        CAPTURE(stages, result.out, result.err);
        REQUIRE(result.exit_code == 0);
        REQUIRE(result.out.find("\n1_cpu ") != std::string::npos);  // the 1 × of the speed-ups
        const std::size_t at = result.out.find("\n" + name);
        const std::string line =
            at == std::string::npos ? "" : result.out.substr(at, result.out.find('\n', at + 1) - at);
        REQUIRE(line.empty() == row.empty());
        REQUIRE(line.find(row) != std::string::npos);
    }
}

TEST_CASE("bubble_sort's options", "[09_bubble_sort]") {
    const std::string sort = program("09_bubble_sort", "bubble_sort");

    SECTION("--data and --type: a table for each, verified") {
        const Outcome result =
            run(sort + " --n 101 --stage 3 --data shuffled,random,sorted,reversed,equal,few,special --type float,int");
        CAPTURE(result.out, result.err);
        REQUIRE(result.exit_code == 0);
        for (const std::string_view kind : bubble_sort::kinds)
            for (const char* type : {" floats, n = 101\n", " ints, n = 101\n"})
                REQUIRE(result.out.find("\n" + std::string(kind) + type) != std::string::npos);
    }
    SECTION("--trace draws the phases, of an odd n too") {
        const Outcome even = run(sort + " --trace --n 4 --data reversed --type int"),
                      odd = run(sort + " --trace --n 5");
        CAPTURE(even.out, odd.out, even.err);
        REQUIRE(even.exit_code == 0);
        std::vector<std::string> lines;
        for (std::size_t at = 0, end; (end = odd.out.find('\n', at)) != std::string::npos; at = end + 1)
            lines.push_back(odd.out.substr(at, end - at));
        REQUIRE(lines.size() == 6);
        REQUIRE(lines[1].starts_with("0-based  ("));
        REQUIRE(std::count(lines[1].begin(), lines[1].end(), '(') == 2);
        REQUIRE(lines[5] == "0-based  (0 1)(2 3) 4");
        REQUIRE(std::count(even.out.begin(), even.out.end(), '\n') == 5);
        REQUIRE(std::count(even.out.begin(), even.out.end(), '(') == 2 + 1 + 2 + 1);
    }
    SECTION("--json writes what the table shows") {
        const Outcome result = run(sort + " --n 1000 --stage 6 --json /dev/stdout");
        REQUIRE(result.exit_code == 0);
        for (const char* word : {"\"chapter\": \"09_bubble_sort\"", "\"n\": 1000",
                                 "\"title\": \"shuffled floats, n = 1,000\"", "\"6_merge_windows\"", "\"error\": 0"})
            REQUIRE(result.out.find(word) != std::string::npos);
    }
}

TEST_CASE("bubble_sort refuses what makes no sense, in one line", "[09_bubble_sort]") {
    const auto [arguments, named] = GENERATE(table<std::string, std::string>({
        {"--n 2^62", "memory"},
        {"--n 2050 --stage 3", "at most 2049"},
        {"--data zeros", "zeros"},
        {"--type double", "double"},
        {"--trace", "at most 40 values"},
        {"--trace --n 10 --stage 3", "--trace"},
        {"--trace --bench", "--trace"},
    }));
    const Outcome result = run(program("09_bubble_sort", "bubble_sort") + " " + arguments);
    CAPTURE(arguments, result.out, result.err);
    REQUIRE(result.exit_code == 2);
    REQUIRE(result.err.find(named) != std::string::npos);
    REQUIRE(std::count(result.err.begin(), result.err.end(), '\n') == 1);
}

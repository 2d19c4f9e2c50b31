#include <algorithm>
#include <cmath>
#include <sstream>

#include "06_constant_events/ray_tracer.h"
#include "common/pictures/bitmap.h"
#include "testing.h"

using ray_tracer::Sphere;

namespace {

using Spheres = std::vector<Sphere>;

/// n spheres in and around a picture, of a kind to stumble on.
Spheres awkward_spheres(const std::string& kind, std::size_t n, float width, float height) {
    const std::vector<std::uint32_t> bits = random_values<std::uint32_t>(7 * n);
    std::size_t next = 0;
    const auto random = [&](float from, float to) {
        return from + (to - from) * static_cast<float>(bits.at(next++)) * 0x1p-32f;
    };
    Spheres spheres;
    for (std::size_t i = 0; i < n; ++i)
        spheres.push_back({.red = random(0, 1),
                           .green = random(0, 1),
                           .blue = random(0, 1),
                           .radius = random(0.5f, 0.25f * width + 2),
                           .x = random(-width / 2, width / 2),
                           .y = random(-height / 2, height / 2),
                           .z = random(-500, 500)});
    for (std::size_t i = 0; i < n; ++i) {
        Sphere& s = spheres[i];
        if (kind == "twins") {  // each place is taken by several spheres: the first one must win
            const Sphere& first = spheres[i % (n / 3 + 1)];
            s.radius = first.radius;
            s.x = first.x;
            s.y = first.y;
            s.z = first.z;
        }
        if (kind == "equally near") s.z = -s.radius;  // touch the plane z = 0 from below, on whole pixels
        if (kind == "equally near") s.x = std::round(s.x), s.y = std::round(s.y);
        if (kind == "touched")  // rays at exactly the radius' distance, which do not hit
            s.x = std::round(s.x), s.y = std::round(s.y), s.radius = std::ceil(s.radius);
        if (kind == "tiny") s.radius *= 0.01f;
        if (kind == "huge") s.radius *= i % 2 == 0 ? 1e4f : 1e9f;
        if (kind == "outside") s.x += (i % 2 == 0 ? 1.0f : -1.0f) * (width / 2 + s.radius * (i % 3 == 0 ? 0.99f : 1));
        if (kind == "on the corners of tiles") s.x = 16 * std::round(s.x / 16), s.y = 16 * std::round(s.y / 16);
        if (kind == "one behind the other") s.x = s.y = 0, s.radius = width, s.z = -10.0f * static_cast<float>(i);
        if (kind == "one before the other") s.x = s.y = 0, s.radius = width, s.z = 10.0f * static_cast<float>(i);
    }
    return spheres;
}

Bitmap drawn_on_cpu(const Spheres& spheres, unsigned width, unsigned height) {
    Bitmap picture(width, height, {1, 2, 3, 4});
    ray_tracer::cpu(spheres, {picture.pixels().data(), width, height});
    return picture;
}

/// What a stage draws, over poison; and that it leaves what lies around the picture alone. `offset`: pixels from a
/// multiple of 16 bytes to the picture.
Bitmap drawn_on_device(const ray_tracer::Stage& stage, const Spheres& spheres, unsigned width, unsigned height,
                       std::size_t offset = 0) {
    constexpr std::size_t fence = 1024;
    const std::size_t begin = fence + offset, end = begin + std::size_t{width} * height;
    auto pixels = poisoned<Rgba>(end + fence);
    stage.load(spheres);
    stage.launch({pixels.data() + begin, width, height});
    CUDA_CHECK(cudaDeviceSynchronize());

    const std::vector<Rgba> all = pixels.to_host();
    const auto untouched = [](Rgba pixel) { return pixel == Rgba{255, 255, 255, 255}; };
    REQUIRE(std::all_of(all.begin(), all.begin() + begin, untouched));
    REQUIRE(std::all_of(all.begin() + end, all.end(), untouched));
    Bitmap picture(width, height);
    std::copy(all.begin() + begin, all.begin() + end, picture.pixels().begin());
    return picture;
}

std::string text(Rgba pixel) {
    return "(" + std::to_string(pixel.r) + ", " + std::to_string(pixel.g) + ", " + std::to_string(pixel.b) + ", " +
           std::to_string(pixel.a) + ")";
}

/// "" if both show the same, else where they first differ.
std::string difference_of(const Bitmap& actual, const Bitmap& expected) {
    const auto [count, x, y] = compare(actual, expected);
    if (count == 0) return "";
    return std::to_string(count) + " pixels, first at " + std::to_string(x) + ", " + std::to_string(y) + ": expected " +
           text(expected.at(x, y)) + ", got " + text(actual.at(x, y));
}

#define REQUIRE_SAME_PICTURE(actual, expected) REQUIRE(difference_of(actual, expected) == "")

auto any_stage() {
    return Catch::Generators::from_range(on_device(ray_tracer::stages));
}

}  // namespace

TEST_CASE("every stage draws what the CPU draws, in pictures of any size", "[06_constant_events]") {
    const auto& stage = GENERATE(any_stage());
    const auto [width, height] = GENERATE(table<unsigned, unsigned>(
        {{1, 1}, {2, 3}, {15, 17}, {16, 16}, {31, 33}, {32, 32}, {33, 31}, {64, 1}, {1, 70}, {127, 130}, {320, 200}}));
    const auto n = GENERATE(as<std::size_t>{}, 0, 1, 2, 20, 100);
    const auto offset = GENERATE(as<std::size_t>{}, 0, 1, 3);
    CAPTURE(stage.name, width, height, n, offset);
    const Spheres spheres = awkward_spheres("random", n, static_cast<float>(width), static_cast<float>(height));
    const Bitmap expected = drawn_on_cpu(spheres, width, height);
    twice([&] { REQUIRE_SAME_PICTURE(drawn_on_device(stage, spheres, width, height, offset), expected); });
}

TEST_CASE("every stage draws spheres that are not random", "[06_constant_events]") {
    const auto kind = GENERATE(as<std::string>{}, "random", "twins", "equally near", "touched", "tiny", "huge",
                               "outside", "on the corners of tiles", "one behind the other", "one before the other");
    const auto n = GENERATE(as<std::size_t>{}, 3, 50, 600);
    const Spheres spheres = awkward_spheres(kind, n, 150, 100);
    const Bitmap expected = drawn_on_cpu(spheres, 150, 100);
    for (const auto& stage : on_device(ray_tracer::stages)) {
        CAPTURE(stage.name, kind, n);
        REQUIRE_SAME_PICTURE(drawn_on_device(stage, spheres, 150, 100), expected);
    }
}

TEST_CASE("a stage draws as many spheres as it says, and refuses one more", "[06_constant_events]") {
    const auto& stage = GENERATE(any_stage());
    const std::size_t most = stage.name == "3_constant"                                  ? 2340
                             : stage.name == "4_packed" || stage.name == "5_four_pixels" ? 4096
                                                                                         : 0;
    CAPTURE(stage.name, most);
    if (most == 0) {  // no limit but the memory's
        const Spheres spheres = awkward_spheres("random", 20'000, 70, 50);
        REQUIRE_SAME_PICTURE(drawn_on_device(stage, spheres, 70, 50), drawn_on_cpu(spheres, 70, 50));
        return;
    }
    Spheres spheres = awkward_spheres("random", most, 70, 50);
    const Bitmap expected = drawn_on_cpu(spheres, 70, 50);
    REQUIRE_SAME_PICTURE(drawn_on_device(stage, spheres, 70, 50), expected);
    spheres.push_back(spheres.front());
    REQUIRE_THROWS_AS(stage.load(spheres), usage_error);
}

TEST_CASE("a scene may be drawn again, and another one loaded", "[06_constant_events]") {
    const auto& stage = GENERATE(any_stage());
    CAPTURE(stage.name);
    const Spheres many = awkward_spheres("random", 300, 90, 60), few = awkward_spheres("random", 7, 90, 60);
    for (const Spheres& spheres : {many, few, Spheres{}, many}) {
        REQUIRE_SAME_PICTURE(drawn_on_device(stage, spheres, 90, 60), drawn_on_cpu(spheres, 90, 60));
        auto pixels = poisoned<Rgba>(33 * 45);
        stage.launch({pixels.data(), 33, 45});
        Bitmap again(33, 45);
        pixels.copy_to(again.pixels());
        REQUIRE_SAME_PICTURE(again, drawn_on_cpu(spheres, 33, 45));
    }
}

TEST_CASE("a picture too tall for a grid is an error with a message", "[06_constant_events]") {
    const auto& stage = GENERATE(any_stage());
    CAPTURE(stage.name);
    stage.load({});
    DeviceBuffer<Rgba> pixel(1);
    REQUIRE_THROWS_AS(stage.launch({pixel.data(), 1, ~0u - 100}), usage_error);
}

TEST_CASE("the CPU draws the nearest sphere, darker towards its edge", "[06_constant_events]") {
    //               colour        r   x   y  z
    const Spheres spheres{{1, 0, 0, 10, 0, 0, 0}, {0, 1, 0.5f, 5, 0, 0, 8}, {1, 1, 1, 3, -20, 0, 0}};
    const Bitmap picture = drawn_on_cpu(spheres, 50, 50);
    REQUIRE(picture.at(25, 25) == Rgba{0, 255, 127, 255});      // the small green one is nearer
    REQUIRE(picture.at(25 + 3, 25) == Rgba{0, 204, 102, 255});  // dz = 4 of 5
    REQUIRE(picture.at(25, 25 + 6) == Rgba{204, 0, 0, 255});    // beyond it the red one: dz = 8 of 10
    REQUIRE(picture.at(25, 25 - 10) == Rgba{0, 0, 0, 255});     // touched, not hit
    REQUIRE(picture.at(5, 25) == Rgba{255, 255, 255, 255});
    REQUIRE(picture.at(0, 0) == Rgba{0, 0, 0, 255});
}

TEST_CASE("several threads draw what one draws", "[06_constant_events]") {
    const auto [width, height] = GENERATE(table<unsigned, unsigned>({{1, 1}, {31, 2}, {64, 33}, {100, 70}}));
    const Spheres spheres = awkward_spheres("random", 20, static_cast<float>(width), static_cast<float>(height));
    const Bitmap expected = drawn_on_cpu(spheres, width, height);
    Bitmap picture(width, height);
    for (const unsigned threads : {1u, 2u, 3u, 16u, 64u}) {
        CAPTURE(width, height, threads);
        std::ranges::fill(picture.pixels(), Rgba{1, 2, 3, 4});
        ray_tracer::cpu_threads(spheres, {picture.pixels().data(), width, height}, threads);
        REQUIRE_SAME_PICTURE(picture, expected);
    }
    std::ranges::fill(picture.pixels(), Rgba{1, 2, 3, 4});
    ray_tracer::cpu_threads(spheres, {picture.pixels().data(), width, height});
    REQUIRE_SAME_PICTURE(picture, expected);
}

TEST_CASE("the spheres are random within their limits, and the same every time", "[06_constant_events]") {
    const Spheres spheres = ray_tracer::random_spheres(100'000, 1, 1024);
    REQUIRE(spheres.size() == 100'000);
    const auto check = [&](float Sphere::*member, float from, float to) {
        float least = to, most = from;
        double sum = 0;
        for (const Sphere& s : spheres) {
            least = std::min(least, s.*member);
            most = std::max(most, s.*member);
            sum += s.*member;
        }
        const float share = (to - from) / 1000;
        REQUIRE(least >= from);
        REQUIRE(most < to);
        REQUIRE(least < from + share);
        REQUIRE(most > to - share);
        REQUIRE(std::abs(sum / 100'000 - (from + to) / 2) < 5 * share);  // five standard deviations
    };
    for (auto colour : {&Sphere::red, &Sphere::green, &Sphere::blue}) check(colour, 0, 1);
    for (auto coordinate : {&Sphere::x, &Sphere::y, &Sphere::z}) check(coordinate, -500, 500);
    check(&Sphere::radius, 20, 120);

    const auto same = [](const Sphere& a, const Sphere& b) { return a.x == b.x && a.radius == b.radius; };
    REQUIRE(same(spheres[0], ray_tracer::random_spheres(1, 1, 1024)[0]));
    REQUIRE(!same(spheres[0], ray_tracer::random_spheres(1, 2, 1024)[0]));
    REQUIRE(ray_tracer::random_spheres(1, 1, 2048)[0].radius == 2 * spheres[0].radius);
}

TEST_CASE("the default picture is the golden one", "[06_constant_events]") {
    // The golden picture has a fourth of the width: lengths that are divided by four are rounded no differently, so
    // that its pixels are every fourth one of the default picture's.
    const Bitmap golden_picture = Bitmap::load_png(golden("06_constant_events.png"));
    const auto side = static_cast<unsigned>(golden_picture.width());
    REQUIRE(side == 256);
    REQUIRE_SAME_PICTURE(drawn_on_cpu(ray_tracer::random_spheres(20, 1, side), side, side), golden_picture);

    const Spheres spheres = ray_tracer::random_spheres(20, 1, 1024);
    const Bitmap expected = drawn_on_cpu(spheres, 1024, 1024);
    for (unsigned y = 0; y < side; ++y)
        for (unsigned x = 0; x < side; ++x) {
            if (expected.at(4 * x, 4 * y) == golden_picture.at(x, y)) continue;
            FAIL("pixel " << 4 * x << ", " << 4 * y << ": expected " << text(golden_picture.at(x, y)) << ", got "
                          << text(expected.at(4 * x, 4 * y)));
        }
    for (const auto& stage : on_device(ray_tracer::stages)) {
        CAPTURE(stage.name);
        REQUIRE_SAME_PICTURE(drawn_on_device(stage, spheres, 1024, 1024), expected);
    }
}

TEST_CASE("ray_tracer shows every stage and writes the picture", "[06_constant_events]") {
    const TemporaryFile png;
    const Outcome result =
        run(program("06_constant_events", "ray_tracer") + " --n 100 --spheres 30 --seed 7 --out " + png.path());
    CAPTURE(result.out, result.err);
    REQUIRE(result.exit_code == 0);
    REQUIRE(result.out.starts_with("Device: "));
    REQUIRE(result.out.find("\n30 spheres, 100 × 100 pixels\n") != std::string::npos);
    for (const auto& stage : ray_tracer::stages) REQUIRE(result.out.find(row_of(stage.name)) != std::string::npos);
    REQUIRE_SAME_PICTURE(Bitmap::load_png(png.path()), drawn_on_cpu(ray_tracer::random_spheres(30, 7, 100), 100, 100));
}

TEST_CASE("ray_tracer's options", "[06_constant_events]") {
    const std::string ray_tracer = program("06_constant_events", "ray_tracer");

    SECTION("no spheres are a black picture, several numbers several tables") {
        const Outcome result = run(ray_tracer + " --n 20 --spheres 0,3");
        CAPTURE(result.out, result.err);
        REQUIRE(result.exit_code == 0);
        REQUIRE(result.out.find("\n0 spheres, 20 × 20 pixels\n") != std::string::npos);
        REQUIRE(result.out.find("\n3 spheres, 20 × 20 pixels\n") != std::string::npos);
        for (const char* word : {"nan", "inf"}) REQUIRE(result.out.find(word) == std::string::npos);
    }
    SECTION("a stage that cannot hold the spheres is left out, and says so") {
        const Outcome result = run(ray_tracer + " --n 20 --spheres 5000");
        CAPTURE(result.out, result.err);
        REQUIRE(result.exit_code == 0);
        REQUIRE(
            result.out.find("\n3_constant              left out: constant memory holds 2,340 spheres, not 5,000\n") !=
            std::string::npos);
        REQUIRE(
            result.out.find("\n4_packed                left out: constant memory holds 4,096 spheres, not 5,000\n") !=
            std::string::npos);
        REQUIRE(result.out.find("\n2_global ") != std::string::npos);
    }
    SECTION("--stage 1 draws on the host, and --out saves that") {
        const TemporaryFile png;
        const Outcome result = run(ray_tracer + " --n 20 --spheres 3 --stage 1 --out " + png.path());
        CAPTURE(result.out, result.err);
        REQUIRE(result.exit_code == 0);
        REQUIRE(result.out.find("\n2_global ") == std::string::npos);
        REQUIRE_SAME_PICTURE(Bitmap::load_png(png.path()), drawn_on_cpu(ray_tracer::random_spheres(3, 1, 20), 20, 20));
    }
    SECTION("--show without a screen says so, and all the rest is done") {
        const Outcome result =
            run("env -u DISPLAY -u WAYLAND_DISPLAY " + ray_tracer + " --n 20 --show --out /dev/null");
        CAPTURE(result.out, result.err);
        REQUIRE(result.exit_code == 0);
        REQUIRE(result.out.find("\n7_hidden_spheres ") != std::string::npos);
        REQUIRE(result.err.starts_with("nothing is shown: "));
        REQUIRE(std::count(result.err.begin(), result.err.end(), '\n') == 1);
    }
    SECTION("--json writes what the table shows") {
        const Outcome result = run(ray_tracer + " --n 20 --spheres 3 --stage 3 --json /dev/stdout");
        REQUIRE(result.exit_code == 0);
        for (const char* word : {"\"chapter\": \"06_constant_events\"", "\"n\": 20",
                                 "\"title\": \"3 spheres, 20 × 20 pixels\"", "\"3_constant\"", "\"error\": 0"})
            REQUIRE(result.out.find(word) != std::string::npos);
    }
}

TEST_CASE("ray_tracer refuses what makes no sense, in one line", "[06_constant_events]") {
    const auto [arguments, named] = GENERATE(table<std::string, std::string>({
        {"--n 2^40", "memory"},
        {"--spheres -5", "--spheres -5"},
        {"--spheres 20,-1", "-1"},
        {"--spheres many", "many"},
        {"--spheres", "--spheres"},
        {"--spheres 2^60", "memory"},
        {"--n 20 --spheres 5000 --stage 3", "constant memory holds 2,340 spheres, not 5,000"},
        {"--n 20 --spheres 5000 --stage 4", "constant memory holds 4,096 spheres, not 5,000"},
        {"--n 20 --spheres 1,2 --out x.png", "--out"},
        {"--n 20 --spheres 1,2 --show", "--show"},
        {"--bench --out x.png", "--out"},
        {"--bench --show", "--show"},
    }));
    const Outcome result = run(program("06_constant_events", "ray_tracer") + " " + arguments);
    CAPTURE(arguments, result.out, result.err);
    REQUIRE(result.exit_code == 2);
    REQUIRE(result.err.find(named) != std::string::npos);
    REQUIRE(std::count(result.err.begin(), result.err.end(), '\n') == 1);
}

TEST_CASE("event_timing times in all ways, and events answer as documented", "[06_constant_events]") {
    const TemporaryFile json;
    const Outcome result = run(program("06_constant_events", "event_timing") + " --json " + json.path());
    CAPTURE(result.out, result.err);
    REQUIRE(result.exit_code == 0);
    REQUIRE(result.out.starts_with("Device: "));
    for (const char* way :
         {"\nfirst launch: CPU clock, synchronised ", "\nfirst launch: events ", "\nCPU clock, not synchronised ",
          "\nCPU clock, synchronised ", "\nevents, and between them 2 ms of work for the host ", "\nevents ",
          "\nevents around 20 launches, divided by 20 "})
        REQUIRE(result.out.find(way) != std::string::npos);

    // On the emulator a launch has ended when it returns.
    const std::string while_it_runs = on_emulator() ? "cudaSuccess" : "cudaErrorNotReady";
    const std::vector<std::string> answers{
        "cudaSuccess", "cudaErrorInvalidResourceHandle", while_it_runs, while_it_runs, "cudaSuccess", "cudaSuccess",
        "cudaSuccess", "cudaErrorInvalidResourceHandle"};
    std::vector<std::string> seen;
    std::istringstream lines(result.out);
    for (std::string line; std::getline(lines, line);)
        if (line.find("cudaEventQuery ") != std::string::npos ||
            line.find("cudaEventElapsedTime ") != std::string::npos)
            seen.push_back(line.substr(line.rfind(' ') + 1));
    REQUIRE(seen == answers);
    REQUIRE(result.out.find(" a negative time\n") != std::string::npos);

    const std::string written = packed_json(json.text());
    REQUIRE(written.find(R"("header":["way","long kernel","short kernel"],"rows":[[)") != std::string::npos);
    REQUIRE(written.find(R"(["events",)") != std::string::npos);
}

TEST_CASE("constant_access reads with chosen numbers of addresses", "[06_constant_events]") {
    const Outcome result = run(program("06_constant_events", "constant_access") + " --different 32,2");
    CAPTURE(result.out, result.err);
    REQUIRE(result.exit_code == 0);
    REQUIRE(result.out.find("\n2 ") > result.out.find("\n32 "));
    for (const std::string addresses : {"2", "32"})
        REQUIRE(result.out.find("\n" + addresses + " ") != std::string::npos);
    for (const std::string addresses : {"1", "4", "8", "16"})
        REQUIRE(result.out.find("\n" + addresses + " ") == std::string::npos);
    REQUIRE(run(program("06_constant_events", "constant_access") + " --different 3").exit_code == 2);
}

TEST_CASE("constant_access reads with every number of addresses", "[06_constant_events]") {
    const TemporaryFile json;
    const Outcome result = run(program("06_constant_events", "constant_access") + " --json " + json.path());
    CAPTURE(result.out, result.err);
    REQUIRE(result.exit_code == 0);
    REQUIRE(result.out.starts_with("Device: "));
    REQUIRE((result.out.find("The emulator reads both from ordinary memory") != std::string::npos) == on_emulator());
    for (const std::string addresses : {"1", "2", "4", "8", "16", "32"}) {
        REQUIRE(result.out.find("\n" + addresses + " ") != std::string::npos);
        REQUIRE(packed_json(json.text()).find("[\"" + addresses + "\",") != std::string::npos);
    }
    REQUIRE(result.out.find("\n  32 constant  █") != std::string::npos);
    REQUIRE(json.text().find("\"curve\": true") != std::string::npos);
    for (const char* word : {"nan", "inf", "null"}) REQUIRE(json.text().find(word) == std::string::npos);
}

#include "14_stencil/box.h"
#include "14_stencil/stencil.h"

#include "14_stencil/wave.h"
#include "common/pictures/bitmap.h"
#include "testing.h"

namespace {

constexpr stencil::Weights in_plane{0.5f, 0.125f};
constexpr box::Weights in_space{0.25f, 0.125f};

/// Positive values of very different magnitudes.
std::vector<float> temperatures(std::size_t n) {
    std::vector<float> values(n);
    const auto bits = random_values<unsigned>(n);
    for (std::size_t i = 0; i < n; ++i) values[i] = std::ldexp(1 + (bits[i] >> 8) * 0x1p-24f, bits[i] % 20);
    return values;
}

/// The steps, point by point, in the order of operations that the chapter promises.
std::vector<float> stepped(const stencil::Plate& plate, std::vector<float> now) {
    for (int step = 0; step < plate.steps; ++step) {
        const std::vector<float> before = now;
        for (int y = 1; y < plate.height - 1; ++y)
            for (int x = 1; x < plate.width - 1; ++x) {
                const auto at = [&](int u, int v) { return before[std::size_t(v) * plate.width + u]; };
                const float sum = ((at(x, y - 1) + at(x - 1, y)) + at(x + 1, y)) + at(x, y + 1);
                now[std::size_t(y) * plate.width + x] = 0.5f * at(x, y) + 0.125f * sum;
            }
    }
    return now;
}

std::vector<float> stepped(const box::Box& box, std::vector<float> now) {
    for (int step = 0; step < box.steps; ++step) {
        const std::vector<float> before = now;
        for (int z = 1; z < box.depth - 1; ++z)
            for (int y = 1; y < box.height - 1; ++y)
                for (int x = 1; x < box.width - 1; ++x) {
                    const auto index = [&](int u, int v, int w) {
                        return (std::size_t(w) * box.height + v) * box.width + u;
                    };
                    const auto at = [&](int u, int v, int w) { return before[index(u, v, w)]; };
                    const float sum = ((((at(x, y, z - 1) + at(x, y - 1, z)) + at(x - 1, y, z)) + at(x + 1, y, z)) +
                                       at(x, y + 1, z)) +
                                      at(x, y, z + 1);
                    now[index(x, y, z)] = 0.25f * at(x, y, z) + 0.125f * sum;
                }
    }
    return now;
}

/// Runs a stage twice on values that both runs read.
template <class Stage, class Problem>
void check_stage(const Stage& stage, const Problem& problem, const std::vector<float>& values,
                 const std::vector<float>& expected) {
    Fenced in(values);
    Fenced<float> out(values.size()), scratch(values.size());
    twice([&] {
        out.buffer.poison();
        scratch.buffer.poison();
        stage.launch(problem, in.data(), out.data(), scratch.data());
        REQUIRE_SAME(out.values(), expected);
        REQUIRE(out.written_outside() == "");
        REQUIRE(scratch.written_outside() == "");
    });
    REQUIRE_SAME(in.values(), values);
}

}  // namespace

TEST_CASE("every stage heats a plate as the CPU does, bit by bit", "[14_stencil]") {
    // Around a warp, blocks of 8 rows, tiles of 64 and 128 with halos of 2, 4 and 8 on both sides; one row and one
    // column; and steps that are no multiple of those in a launch.
    struct Shape {
        int width, height, steps;
    };
    const auto [width, height, steps] =
        GENERATE(Shape{1, 1, 1}, Shape{2, 2, 3}, Shape{3, 3, 2}, Shape{1, 300, 2}, Shape{300, 1, 2}, Shape{5, 2, 4},
                 Shape{4, 3, 5}, Shape{31, 7, 1}, Shape{32, 8, 2}, Shape{33, 9, 3}, Shape{48, 60, 8}, Shape{49, 56, 9},
                 Shape{61, 57, 17}, Shape{64, 64, 4}, Shape{56, 121, 5}, Shape{97, 113, 10}, Shape{257, 131, 7},
                 Shape{132, 17, 3});
    const stencil::Plate plate{width, height, steps, in_plane};
    const auto values = temperatures(std::size_t(width) * height);
    const auto expected = stepped(plate, values);
    for (const auto& stage : stencil::stages) {
        CAPTURE(stage.name, width, height, steps);
        if (stage.on_host) {
            std::vector<float> out(values.size()), scratch(values.size());
            stage.on_host(plate, values, out, scratch);
            REQUIRE_SAME(out, expected);
        } else {
            check_stage(stage, plate, values, expected);
        }
    }
}

TEST_CASE("every stage heats a box as the CPU does, bit by bit", "[14_stencil]") {
    struct Shape {
        int width, height, depth, steps;
    };
    const auto [width, height, depth, steps] =
        GENERATE(Shape{1, 1, 1, 1}, Shape{3, 3, 3, 3}, Shape{2, 5, 4, 2}, Shape{5, 4, 1, 2}, Shape{4, 1, 5, 2},
                 Shape{31, 7, 3, 2}, Shape{32, 8, 4, 1}, Shape{33, 9, 5, 2}, Shape{67, 19, 6, 3}, Shape{132, 9, 4, 2});
    const box::Box box{width, height, depth, steps, in_space};
    const auto values = temperatures(std::size_t(width) * height * depth);
    const auto expected = stepped(box, values);
    for (const auto& stage : box::stages) {
        CAPTURE(stage.name, width, height, depth, steps);
        if (stage.on_host) {
            std::vector<float> out(values.size()), scratch(values.size());
            stage.on_host(box, values, out, scratch);
            REQUIRE_SAME(out, expected);
        } else {
            check_stage(stage, box, values, expected);
        }
    }
}

TEST_CASE("plates may follow one another, with other weights and sizes", "[14_stencil]") {
    // What a stage keeps from call to call must be that of this call. With weights of 0 and ¼ a plate goes to what heat
    // is at rest.
    const auto values = temperatures(40 * 30);
    const auto in = DeviceBuffer<float>::from_host(values);
    auto scratch = poisoned<float>(values.size());
    auto out = poisoned<float>(values.size());  // one for all: a graph of other weights would fit its address
    for (const auto& stage : on_device(stencil::stages)) {
        CAPTURE(stage.name);
        for (const auto& [width, height, steps, weights] :
             {stencil::Plate{40, 30, 3, in_plane}, stencil::Plate{30, 40, 3, in_plane},
              stencil::Plate{30, 40, 3, {0, 0.25f}}, stencil::Plate{30, 40, 6, {0, 0.25f}},
              stencil::Plate{30, 20, 6, {0, 0.25f}}}) {
            CAPTURE(width, height, steps, weights.centre);
            const stencil::Plate plate{width, height, steps, weights};
            const std::size_t n = std::size_t(width) * height;
            std::vector<float> expected(n), cpu_scratch(n);
            stencil::cpu(plate, std::span(values).first(n), expected, cpu_scratch);
            out.poison();
            stage.launch(plate, in.data(), out.data(), scratch.data());
            std::vector<float> result(n);
            CUDA_CHECK(cudaMemcpy(result.data(), out.data(), n * sizeof(float), cudaMemcpyDeviceToHost));
            REQUIRE_SAME(result, expected);
        }
    }
}

TEST_CASE("several devices share a plate, where there are several", "[14_stencil]") {
    const std::string stage = GENERATE("9_two_devices", "11_nccl"), devices = GENERATE("2", "3");
    if (std::ranges::find(stencil::stages, stage, &stencil::Stage::name) == stencil::stages.end()) {
        WARN("skipped: " << stage << " was not built");
        return;
    }
    for (const char* size : {"67x33", "5x2", "300x1", "1x9", "9x3"}) {
        const Outcome result = run("env EMULATOR_DEVICES=" + devices + " " + program("14_stencil", "stencil") +
                                   " --size " + size + " --steps 9 --repeat 1 --stage " + stage);
        CAPTURE(stage, devices, size, result.out, result.err);
        REQUIRE(result.exit_code == 0);  // It compares all points with the CPU's.
        REQUIRE(result.out.find(row_of(stage)) != std::string::npos);
    }
}

TEST_CASE("the CPU takes any number of threads, and tiles wider than a row", "[14_stencil]") {
    const stencil::Plate plate{4200, 70, 3, in_plane};
    const auto values = temperatures(std::size_t(plate.width) * plate.height);
    const auto expected = stepped(plate, values);
    for (const unsigned threads : {1u, 2u, 3u, 7u, 32u}) {
        CAPTURE(threads);
        std::vector<float> out(values.size()), scratch(values.size());
        stencil::cpu_threads(plate, values, out, scratch, threads);
        REQUIRE_SAME(out, expected);
    }
}

TEST_CASE("a sine decays as the formula says, and nothing else passes", "[14_stencil]") {
    const std::vector<int> sides{40, 25};
    const wave::Wave sine(sides, 0.5, 0.125);
    const stencil::Plate plate{40, 25, 50, in_plane};
    const auto start = sine.at_start();
    auto values = stepped(plate, start);
    REQUIRE(sine.largest_error("a stage", values, 50) < 50 * 5 * 6e-8);
    // A small step of time is about e^(-α π² Δt / h²) for each direction.
    const double pi = 3.14159265358979;
    REQUIRE(std::abs(sine.decay() - std::exp(-pi * pi / 8 * (1.0 / (39 * 39) + 1.0 / (24 * 24)))) < 1e-5);

    REQUIRE_THROWS_AS(sine.largest_error("a stage", values, 49), wrong_result);
    REQUIRE_THROWS_AS(sine.largest_error("a stage", start, 50), wrong_result);
    values[777] = std::numeric_limits<float>::quiet_NaN();
    REQUIRE_THROWS_AS(sine.largest_error("a stage", values, 50), wrong_result);

    const wave::Wave in_box(std::vector<int>{9, 8, 7}, 0.25, 0.125);
    const box::Box box{9, 8, 7, 20, in_space};
    REQUIRE(in_box.largest_error("a stage", stepped(box, in_box.at_start()), 20) < 20 * 7 * 6e-8);
    REQUIRE_THROWS_AS(in_box.largest_error("a stage", in_box.at_start(), 20), wrong_result);
}

TEST_CASE("stencil and box print every stage", "[14_stencil]") {
    const auto shows = [](const Outcome& result, const char* title, const auto& stages) {
        CAPTURE(result.out, result.err);
        REQUIRE(result.exit_code == 0);
        REQUIRE(result.out.starts_with("Device: "));
        REQUIRE(result.out.find(title) != std::string::npos);
        for (const auto& stage : stages) {
            CAPTURE(stage.name);
            REQUIRE(result.out.find(row_of(stage.name)) != std::string::npos);
        }
    };
    shows(run(program("14_stencil", "stencil") + " --size 40x30 --steps 5 --repeat 1"), "\n40 × 30 points, 5 steps\n",
          stencil::stages);
    shows(run(program("14_stencil", "box") + " --size 20x10x5 --steps 1 --repeat 1"), "\n20 × 10 × 5 points, 1 step\n",
          box::stages);
}

TEST_CASE("stencil's options", "[14_stencil]") {
    const std::string stencil_program = program("14_stencil", "stencil"), box_program = program("14_stencil", "box");

    SECTION("--out saves the plate with a hot edge") {
        const TemporaryFile file;
        const Outcome result =
            run(stencil_program + " --size 12x9 --steps 2 --repeat 1 --stage 2 --out " + file.path());
        CAPTURE(result.err);
        REQUIRE(result.exit_code == 0);
        const Bitmap picture = Bitmap::load_png(file.path());
        REQUIRE(picture.width() == 12);
        REQUIRE(picture.height() == 9);
        REQUIRE(picture.at(5, 0) == Rgba{255, 255, 255});  // the hot edge
        REQUIRE(picture.at(5, 3) == Rgba{0, 0, 0});        // two steps have not come so far
        // Below the edge, 1/8 of its heat in the first step; 1/2 · 1/8 + 1/8 (1 + 1/8 + 1/8) in the second.
        REQUIRE(picture.at(5, 1) == Rgba{static_cast<std::uint8_t>(255 * 3 * 0.21875), 0, 0});
        REQUIRE(picture.at(5, 2).r == static_cast<std::uint8_t>(255 * 3 / 64.0));
    }
    SECTION("--show without a screen says so") {
        const Outcome result =
            run("env -u DISPLAY -u WAYLAND_DISPLAY " + stencil_program + " --size 9x9 --repeat 1 --show");
        REQUIRE(result.exit_code == 0);
        REQUIRE(result.err.starts_with("nothing is shown: "));
        REQUIRE(std::count(result.err.begin(), result.err.end(), '\n') == 1);
    }
    SECTION("what makes no sense is refused in one line") {
        for (const auto& [arguments, part] : std::initializer_list<std::pair<const char*, const char*>>{
                 {" --size 5", "--size 5: must be 2 numbers"},
                 {" --size 5x", "--size"},
                 {" --size 5x6x7", "--size 5x6x7: must be 2 numbers"},
                 {" --size 5x600000", "at most 524,280"},
                 {" --steps 0", "--steps"},
                 {" --steps 1000001", "at most 1,000,000"},
                 {" --n 500000", "memory"},
                 {" --show --stage 1", "of the host"}}) {
            const Outcome result = run(stencil_program + arguments);
            CAPTURE(arguments, result.err);
            REQUIRE(result.exit_code == 2);
            REQUIRE(result.err.find(part) != std::string::npos);
            REQUIRE(std::count(result.err.begin(), result.err.end(), '\n') == 1);
        }
        const Outcome result = run(box_program + " --size 5x6");
        REQUIRE(result.exit_code == 2);
        REQUIRE(result.err.find("must be 3 numbers") != std::string::npos);
    }
}

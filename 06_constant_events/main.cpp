// Draws random spheres with every stage, compares the pictures to the last bit and prints what each one costs.

#include <cstdio>
#include <string>
#include <vector>

#include "common/check.h"
#include "common/device_buffer.h"
#include "common/text.h"
#include "ray_tracer.h"

namespace {

using ray_tracer::Image;

const Chapter chapter{.name = "06_constant_events",
                      .about = "Draws random spheres: what constant memory is good for, and what is better.",
                      .n = 1024,
                      .unit = "pixels a side of the picture has",
                      .bench_sizes = {1024}};

/// Spheres, the right picture of them, and room for another.
class Problem {
  public:
    Problem(std::size_t side, std::size_t spheres, const Options& options)
        : options_(options),
          spheres_(ray_tracer::random_spheres(spheres, options.seed, side)),
          expected_(side, side),
          picture_(side, side),
          d_pixels_(side * side) {}

    /// The last picture that was drawn.
    const Bitmap& run(Report& report) {
        const auto side = static_cast<unsigned>(expected_.width());
        report.cpu("1_cpu", "one thread on the host", [&] {
            ray_tracer::cpu(spheres_, {expected_.pixels().data(), side, side});
        });
        for (const auto& stage : ray_tracer::stages)
            if (is_chosen(options_, stage.name)) run(report, stage);
        return picture_;
    }

  private:
    void run(Report& report, const Stage<const ray_tracer::Renderer>& stage) {
        try {
            stage.run->load(spheres_);
        } catch (const usage_error& error) {
            if (!options_.stage.empty()) throw;
            std::printf("%s\n", wrapped(std::string(error.what()) + ": left out.").c_str());
            return;
        }
        const auto side = static_cast<unsigned>(expected_.width());
        const auto draw = [&] { stage.run->draw({d_pixels_.data(), side, side}); };
        report.gpu(stage.name, stage.idea,
                   {.poison = [&] { d_pixels_.poison(); },
                    .run = draw,
                    .with_copies =
                        [&] {
                            stage.run->load(spheres_);
                            draw();
                            d_pixels_.copy_to(picture_.pixels());
                        },
                    .verify =
                        [&] {
                            d_pixels_.copy_to(picture_.pixels());
                            verify(stage.name);
                            return 0.0;
                        }});
    }

    void verify(std::string_view stage) const {
        const auto text = [](Rgba pixel) {
            return "(" + std::to_string(pixel.r) + ", " + std::to_string(pixel.g) + ", " + std::to_string(pixel.b) +
                   ", " + std::to_string(pixel.a) + ")";
        };
        const auto [count, x, y] = compare(picture_, expected_);
        if (count > 0)
            throw wrong_result(std::string(stage) + " is wrong in " + with_separators(count) +
                               " pixels, first at x = " + std::to_string(x) + ", y = " + std::to_string(y) +
                               ": expected " + text(expected_.at(x, y)) + ", got " + text(picture_.at(x, y)));
    }

    const Options& options_;
    std::vector<ray_tracer::Sphere> spheres_;
    Bitmap expected_, picture_;
    DeviceBuffer<Rgba> d_pixels_;
};

}  // namespace

int main(int argc, char** argv) {
    return run_program([&] {
        std::vector<std::string> counts{"20"};
        std::string out;
        bool show = false;
        const Options options = read_options(argc, argv, chapter, names_of(ray_tracer::stages), [&](CommandLine& line) {
            line.list("--spheres", counts, "How many spheres, e.g. 20 or 20,100,1000 (default: the notes' 20)");
            line.output_file("--out", out, "Write the picture to this PNG file");
            line.flag("--show", show, "Show the picture in a window");
            for (const char* name : {"--out", "--show"}) line.excludes(name, {"--bench"});
        });
        std::vector<std::size_t> spheres;
        for (const std::string& text : counts) spheres.push_back(text == "0" ? 0 : parse_count("--spheres", text));
        if ((!out.empty() || show) && spheres.size() > 1)
            throw usage_error("--out and --show take one picture: ask for one number of --spheres");

        Report report(chapter, options);
        for (const std::size_t n : options.sizes)
            for (const std::size_t count : spheres) {
                const double pixels = ray_tracer::bytes_moved(n, n);
                const double scene = sizeof(ray_tracer::Sphere) * static_cast<double>(count);
                require_memory(pixels + 2 * scene, 2 * pixels + 3 * scene);
                Problem problem(n, count, options);
                report.begin(
                    with_separators(count) + " spheres, " + with_separators(n) + " × " + with_separators(n) + " pixels",
                    n, {.bytes = pixels});
                const Bitmap& picture = problem.run(report);
                if (!out.empty()) picture.save_png(out);
            }
        report.write();
    });
}

// Draws random spheres with every stage, compares the pictures bit by bit and prints what each one costs.

#include <algorithm>
#include <string>
#include <vector>

#include "common/device_buffer.h"
#include "common/memory.h"
#include "common/pictures/bitmap.h"
#include "harness/report.h"
#include "harness/text.h"
#include "ray_tracer.h"

namespace {

using ray_tracer::Stage;

const Chapter chapter{.name = "06_constant_events",
                      .about = "Draws random spheres: what constant memory is good for, and what is better.",
                      .n = 1024,
                      .unit = "pixels a side of the picture has",
                      .bench_sizes = {1024}};

/// The chapter's own options, as text.
struct Own {
    std::vector<std::string> spheres{"20"};
    std::string out;
    bool show = false;
};

/// The numbers of spheres, one for each table.
std::vector<std::size_t> counts_of(const Own& own) {
    std::vector<std::size_t> counts;
    for (const std::string& text : own.spheres) counts.push_back(text == "0" ? 0 : parse_count("--spheres", text));
    if ((!own.out.empty() || own.show) && counts.size() > 1)
        throw usage_error("--out and --show take one picture: ask for one number of --spheres");
    return counts;
}

/// The spheres, the expected picture of them, and the picture that a stage draws.
class Scene : public Trial<Stage> {
  public:
    Scene(std::size_t side, std::size_t spheres, std::uint64_t seed)
        : side_(static_cast<unsigned>(side)),
          spheres_(ray_tracer::random_spheres(spheres, seed, side)),
          expected_(side, side),
          picture_(side, side),
          d_pixels_(side * side) {}

    void on_host() override { stage().on_host(spheres_, {picture_.pixels().data(), side_, side_}); }

    void upload() override { stage().load(spheres_); }

    void launch() override { stage().launch({d_pixels_.data(), side_, side_}); }

    void download() override { d_pixels_.copy_to(picture_.pixels()); }

    void poison() override {
        std::ranges::fill(picture_.pixels(), Rgba{0, 0, 0, 0});  // no stage draws transparent pixels
        d_pixels_.poison();
    }

    /// The host draws first, and its picture is what all other stages must draw.
    std::optional<double> verify() override {
        if (stage().on_host == ray_tracer::cpu) {
            expected_ = picture_;
            return std::nullopt;
        }
        require_same(stage().name, picture_, expected_);
        return 0;
    }

    std::string why_left_out() override { return stage().room.why_not(spheres_.size()); }

    /// The picture that the last stage drew.
    const Bitmap& picture() const { return picture_; }

  private:
    unsigned side_;
    std::vector<ray_tracer::Sphere> spheres_;
    Bitmap expected_, picture_;
    DeviceBuffer<Rgba> d_pixels_;
};

void run(std::size_t n, std::size_t spheres, const Own& own, const Options& options, Report& report) {
    const double rays = static_cast<double>(n) * static_cast<double>(n);  // one for each pixel
    const double pixels = sizeof(Rgba) * rays;
    const double scene = sizeof(ray_tracer::Sphere) * static_cast<double>(spheres);
    require_memory(pixels + 2 * scene, 2 * pixels + 3 * scene);
    Scene trial(n, spheres, options.seed);
    const std::string title =
        with_separators(spheres) + " spheres, " + with_separators(n) + " × " + with_separators(n) + " pixels";
    report.begin(title, n, {.items = rays, .items_are = "rays"});
    report.run(ray_tracer::stages, trial);

    if (!own.out.empty()) trial.picture().save_png(own.out);
    if (own.show) trial.picture().show(title);
}

}  // namespace

int main(int argc, char** argv) {
    return run_program([&] {
        Own own;
        const Options options = read_options(argc, argv, chapter, names_of(ray_tracer::stages), [&](CommandLine& line) {
            line.list("--spheres", own.spheres, "How many spheres, e.g. 20 or 20,100,1000 (default: 20)");
            line.output_file("--out", own.out, "Write the picture to this PNG file");
            line.flag("--show", own.show, "Show the picture in a window");
            for (const char* name : {"--out", "--show"}) line.excludes(name, {"--bench"});
        });
        const std::vector<std::size_t> counts = counts_of(own);

        Report report(chapter, options);
        for (const std::size_t n : options.sizes)
            for (const std::size_t spheres : counts) run(n, spheres, own, options, report);
        report.write();
    });
}

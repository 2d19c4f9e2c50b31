// Filters a picture with every stage, compares the results bit by bit and prints what each one costs.

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "common/device_buffer.h"
#include "common/memory.h"
#include "common/pictures/bitmap.h"
#include "common/verify.h"
#include "filter.h"
#include "harness/report.h"
#include "harness/text.h"
#include "ray_tracer.h"

namespace {

using filter::Filter;
using filter::FilterStage;
using filter::Size;

const Chapter chapter{.name = "06_constant_events",
                      .about = "Filters a picture: blur, edges, emboss. A use for constant memory.",
                      .n = 4096,
                      .unit = "pixels a side of the picture has",
                      .bench_sizes = {4096},
                      .n_on_emulator = 128};

/// The program's own options, as text.
struct Own {
    std::vector<std::string> sides, filters, pixels;
    std::string size, in, out;
    bool show = false;
};

template <class T>
constexpr const char* name_of = std::is_same_v<T, float> ? "floats" : "RGBA pixels";

/// How bright a pixel is, as a whole number from 0 to 255.
float brightness(Rgba pixel) {
    return static_cast<float>((77 * pixel.r + 150 * pixel.g + 29 * pixel.b + 128) / 256);
}

/// Of a filtered pixel the one to look at.
Rgba to_look_at(Rgba pixel) {
    return pixel;
}
Rgba to_look_at(float pixel) {
    const auto grey = static_cast<std::uint8_t>(std::clamp(pixel, 0.f, 255.f) + 0.5f);
    return {grey, grey, grey};
}

template <class T>
std::vector<T> pixels_of(const Bitmap& picture) {
    if constexpr (std::is_same_v<T, Rgba>) {
        return {picture.pixels().begin(), picture.pixels().end()};
    } else {
        std::vector<float> pixels;
        std::ranges::transform(picture.pixels(), std::back_inserter(pixels), brightness);
        return pixels;
    }
}

/// The picture before and after, on the host and on the device.
template <class T>
class Filtered : public Trial<FilterStage<T>> {
    using Trial<FilterStage<T>>::stage;

  public:
    Filtered(const Bitmap& picture, const Filter& filter)
        : size_{static_cast<int>(picture.width()), static_cast<int>(picture.height())},
          filter_(filter),
          in_(pixels_of<T>(picture)),
          out_(in_.size()),
          d_in_(in_.size()),
          d_out_(in_.size()),
          d_scratch_(in_.size()) {}

    void on_host() override { stage().on_host(filter_, size_, in_, out_); }

    void upload() override {
        d_in_.copy_from(in_);
        stage().load(filter_);
    }

    void launch() override { stage().launch(filter_, size_, d_in_.data(), d_out_.data(), d_scratch_.data()); }
    void download() override { d_out_.copy_to(out_); }

    void poison() override {
        std::memset(static_cast<void*>(out_.data()), 0xff, out_.size() * sizeof(T));
        d_out_.poison();
        d_scratch_.poison();
    }

    /// The host's result comes first, and all other stages must have the same bits.
    std::optional<double> verify() override {
        if (stage().on_host == filter::cpu<T>) {
            expected_ = out_;
            return std::nullopt;
        }
        if constexpr (std::is_same_v<T, float>)
            require_same<float>(stage().name, out_, expected_);
        else
            require_same(stage().name, as_bitmap(out_), as_bitmap(expected_));
        return 0;
    }

    std::string why_left_out() override {
        return stage().takes_lines && filter_.line.empty() ? "its weights are no product of two lines" : "";
    }

    /// What the last stage made.
    Bitmap picture() const { return as_bitmap(out_); }

  private:
    Bitmap as_bitmap(const std::vector<T>& pixels) const {
        Bitmap bitmap(size_.width, size_.height);
        std::ranges::transform(pixels, bitmap.pixels().begin(), [](T pixel) { return to_look_at(pixel); });
        return bitmap;
    }

    const Size size_;
    const Filter& filter_;
    std::vector<T> in_, out_, expected_;
    DeviceBuffer<T> d_in_, d_out_;
    DeviceBuffer<filter::Sum<T>> d_scratch_;
};

/// The spheres of the chapter.
Bitmap spheres(Size size, std::uint64_t seed) {
    Bitmap picture(size.width, size.height);
    const auto side = static_cast<std::size_t>(std::max(size.width, size.height));
    ray_tracer::cpu_threads(
        ray_tracer::random_spheres(20, seed, side),
        {picture.pixels().data(), static_cast<unsigned>(size.width), static_cast<unsigned>(size.height)});
    return picture;
}

template <class T>
void run(const Bitmap& picture, const std::string& name, int side, const Own& own, Report& report) {
    const Filter filter = filter::filter_called(name, side);
    const std::string sides = std::to_string(side) + " × " + std::to_string(side);
    const std::string title = name + " of " + sides + ", " + with_separators(picture.width()) + " × " +
                              with_separators(picture.height()) + " " + name_of<T>;
    Filtered<T> trial(picture, filter);
    const Size size{static_cast<int>(picture.width()), static_cast<int>(picture.height())};
    report.begin(title, picture.width(), {.bytes = filter::bytes_moved<T>(size)});
    report.run(filter::stages<T>, trial);
    if (!own.out.empty()) trial.picture().save_png(own.out);
    if (own.show) trial.picture().show(title);
}

/// A number from 1 to filter::max_side.
int parse_side(const std::string& option, const std::string& text) {
    const std::size_t value = parse_count(option, text);
    if (value > static_cast<std::size_t>(filter::max_side))
        throw usage_error(option + " " + text + ": must be at most " + with_separators(filter::max_side));
    return static_cast<int>(value);
}

/// "67x33"
Size parse_size(const std::string& text) {
    const std::size_t x = text.find('x');
    if (x == std::string::npos) throw usage_error("--size " + text + ": must be 2 numbers, such as 67x33");
    return {parse_side("--size", text.substr(0, x)), parse_side("--size", text.substr(x + 1))};
}

/// The sides of the filters, which filter_called() checks.
std::vector<int> sides_of(const Own& own) {
    std::vector<int> sides;
    for (const std::string& text : own.sides) {
        sides.push_back(parse_side("--side", text));
        filter::filter_called("blur", sides.back());
    }
    return sides;
}

void require_room(Size size) {
    const double pixels = 1.0 * size.width * size.height;
    require_memory(sizeof(float4) * pixels + 8 * pixels, 24 * pixels);
}

/// The pictures to filter, one for each size.
Bitmap picture_of(std::size_t n, const Own& own, const Options& options) {
    if (!own.in.empty()) {
        Bitmap picture = Bitmap::load_png(own.in);
        if (std::max(picture.width(), picture.height()) > static_cast<std::size_t>(filter::max_side))
            throw usage_error("--in " + own.in + ": a side has more than " + with_separators(filter::max_side) +
                              " pixels");
        require_room({static_cast<int>(picture.width()), static_cast<int>(picture.height())});
        return picture;
    }
    const int side = own.size.empty() ? parse_side("--n", std::to_string(n)) : 0;
    const Size size = own.size.empty() ? Size{side, side} : parse_size(own.size);
    require_room(size);
    return spheres(size, options.seed);
}

}  // namespace

int main(int argc, char** argv) {
    return run_program([&] {
        Own own;
        const Options options =
            read_options(argc, argv, chapter, names_of(filter::stages<float>), [&](CommandLine& line) {
                line.list("--side", own.sides,
                          "How many rows and columns the filter has, e.g. 3 or 3,9,31 (default: 5)");
                line.list("--filter", own.filters, "What the filter does (default: blur)", filter::filter_names);
                line.list("--pixels", own.pixels, "What a pixel is (default: both, and with --out or --show rgba)",
                          {"floats", "rgba"});
                line.option("--size", own.size, "How many pixels, WIDTHxHEIGHT, e.g. 640x480");
                line.option("--in", own.in, "Filter the picture in this PNG file, not a drawn one");
                line.output_file("--out", own.out, "Write the filtered picture to this PNG file");
                line.flag("--show", own.show, "Show the filtered picture in a window");
                line.excludes("--size", {"--n", "--bench"});
                line.excludes("--in", {"--n", "--bench", "--size"});
                for (const char* name : {"--out", "--show"}) line.excludes(name, {"--bench"});
            });
        if (own.sides.empty()) own.sides = {"5"};
        if (own.filters.empty()) own.filters = {"blur"};
        const bool is_seen = !own.out.empty() || own.show;
        if (own.pixels.empty())
            own.pixels = is_seen ? std::vector<std::string>{"rgba"} : std::vector<std::string>{"floats", "rgba"};
        if (is_seen && own.sides.size() * own.filters.size() * own.pixels.size() > 1)
            throw usage_error(
                "--out and --show take one picture: ask for one --side, one --filter and one of --pixels");
        const std::vector<int> sides = sides_of(own);

        Report report(chapter, options);
        for (const std::size_t n : options.sizes) {
            const Bitmap picture = picture_of(n, own, options);
            for (const std::string& name : own.filters)
                for (const int side : sides)
                    for (const std::string& pixels : own.pixels)
                        if (pixels == "floats")
                            run<float>(picture, name, side, own, report);
                        else
                            run<Rgba>(picture, name, side, own, report);
        }
        report.write();
    });
}

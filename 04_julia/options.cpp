#include "options.h"

#include <cmath>
#include <cstdlib>
#include <limits>
#include <sstream>
#include <tuple>
#include <utility>

#include "harness/program.h"
#include "harness/text.h"

namespace julia {
namespace {

/// The whole text as a finite number, or NaN.
float number(const std::string& text) {
    char* end = nullptr;
    const float value = std::strtof(text.c_str(), &end);
    const bool whole = !text.empty() && end == text.c_str() + text.size();
    return whole && std::isfinite(value) ? value : std::numeric_limits<float>::quiet_NaN();
}

int parse_int(const std::string& option, const std::string& text) {
    const std::size_t value = parse_count(option, text);
    if (value > std::numeric_limits<int>::max())
        throw usage_error(option + " " + text + ": must be at most " +
                          with_separators(std::numeric_limits<int>::max()));
    return static_cast<int>(value);
}

/// Reads a text such as "-0.8,0.156".
Complex parse_complex(const std::string& option, const std::string& text) {
    const std::size_t comma = text.find(',');
    if (comma != text.npos) {
        const Complex z{number(text.substr(0, comma)), number(text.substr(comma + 1))};
        if (!std::isnan(z.re) && !std::isnan(z.im)) return z;
    }
    throw usage_error(option + " " + text + ": must be two numbers, RE,IM, such as -0.8,0.156");
}

float parse_scale(const std::string& text) {
    const float scale = number(text);
    if (!(scale > 0)) throw usage_error("--scale " + text + ": must be a number above 0, such as 1.5");
    return scale;
}

/// Reads "1000" or "1920x1080" as width and height.
std::pair<int, int> parse_size(const std::string& text) {
    const std::size_t x = text.find('x');
    const int width = parse_int("--size", text.substr(0, x));
    return {width, x == text.npos ? width : parse_int("--size", text.substr(x + 1))};
}

Palette parse_palette(const std::string& text) {
    if (text == "red") return Palette::red;
    if (text == "smooth") return Palette::smooth;
    throw usage_error("--palette " + text + ": there is no such palette, only red and smooth");
}

std::string text_of(Complex z) {
    std::ostringstream text;
    text << z.re << (std::signbit(z.im) ? " - " : " + ") << std::abs(z.im) << "i";
    return text.str();
}

}  // namespace

void add_options(CommandLine& line, Own& own) {
    line.option("--size", own.size, "How many pixels, e.g. 1000 or 1920x1080");
    line.excludes("--size", {"--n", "--bench"});
    line.option("--c", own.c, "The c of z = z^2 + c, RE,IM (default: " + own.c + ")");
    line.option("--center", own.center, "The point in the middle of the picture, RE,IM (default: " + own.center + ")");
    line.option("--scale", own.scale, "From the middle to the nearest edge (default: " + own.scale + ")");
    line.option("--iterations", own.iterations, "How often z = z^2 + c is repeated (default: " + own.iterations + ")");
    line.option("--palette", own.palette, "red or smooth: smooth colours tell how soon z escapes");
    line.output_file("--out", own.out, "Save the picture that the last stage draws as this PNG file");
    line.output_file("--difference", own.difference, "Save as this PNG file which pixels fused multiply-add changes");
    line.flag("--show", own.show, "Open a window to move about in, drawn by the fastest stage");
    for (const char* name : {"--out", "--difference", "--show"}) line.excludes(name, {"--bench"});
}

std::vector<View> views_of(const Own& own, const std::vector<std::size_t>& sizes) {
    View view;
    view.c = parse_complex("--c", own.c);
    view.center = parse_complex("--center", own.center);
    view.scale = parse_scale(own.scale);
    view.iterations = parse_int("--iterations", own.iterations);
    view.palette = parse_palette(own.palette);

    std::vector<View> views;
    const auto add = [&](const std::string& size) {
        std::tie(view.width, view.height) = parse_size(size);
        views.push_back(view);
    };
    if (!own.size.empty())
        add(own.size);
    else
        for (const std::size_t n : sizes) add(std::to_string(n));
    return views;
}

std::string title_of(const View& view) {
    const View defaults;
    std::ostringstream text;
    text << with_separators(view.width) << " × " << with_separators(view.height) << ", c = " << text_of(view.c) << ", "
         << with_separators(view.iterations) << (view.iterations == 1 ? " iteration" : " iterations");
    if (view.center.re != defaults.center.re || view.center.im != defaults.center.im)
        text << ", centre " << text_of(view.center);
    if (view.scale != defaults.scale) text << ", scale " << view.scale;
    return text.str();
}

}  // namespace julia

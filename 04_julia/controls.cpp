#include "controls.h"

#include <cmath>

namespace julia {
namespace {

// The difference between the point under the mouse and the centre. Pixel x covers x to x + 1 and shows the point in its
// middle. Larger x and y are smaller numbers, as in point_at().
Point offset(const View& view, const Mouse& mouse) {
    const double half = std::max(1, std::min(view.width, view.height) / 2);
    return {view.scale * (view.width / 2 + 0.5 - mouse.x) / half,
            view.scale * (view.height / 2 + 0.5 - mouse.y) / half};
}

Complex to_float(double re, double im) {
    return {static_cast<float>(re), static_cast<float>(im)};
}

// Moves the view so that the point lies under the mouse.
void put_under(View& view, const Point& point, const Mouse& mouse) {
    const Point d = offset(view, mouse);
    view.center = to_float(point.re - d.re, point.im - d.im);
}

// At a smaller scale, neighbouring pixels around 1 would be the same float.
float smallest_scale(const View& view) {
    return 0x1p-23f * static_cast<float>(std::max(1, std::min(view.width, view.height) / 2));
}

}  // namespace

Point point_under(const View& view, const Mouse& mouse) {
    const Point d = offset(view, mouse);
    return {view.center.re + d.re, view.center.im + d.im};
}

void Controls::mouse(const Mouse& before, const Mouse& now) {
    if (now.right) {
        const Point p = point_under(view_, now);
        view_.c = to_float(p.re, p.im);
    }
    if (!now.left) return;
    if (!before.left) held_ = point_under(view_, now);
    put_under(view_, held_, now);
}

void Controls::scroll(const Mouse& at, double steps) {
    constexpr float largest_scale = 100;  // beyond it, the set is too small to see
    const Point fixed = point_under(view_, at);
    const auto scale = static_cast<float>(view_.scale * std::pow(0.8, steps));
    view_.scale = std::clamp(scale, smallest_scale(view_), largest_scale);
    put_under(view_, fixed, at);
}

void Controls::character(char32_t c) {
    constexpr int most_iterations = 100'000;
    switch (c) {
        case 'r':
            view_ = start_;
            break;
        case 'p':
            view_.palette = view_.palette == Palette::red ? Palette::smooth : Palette::red;
            break;
        case '+':
            view_.iterations = std::min(2 * std::min(view_.iterations, most_iterations), most_iterations);
            break;
        case '-':
            view_.iterations = std::max(view_.iterations / 2, 1);
            break;
    }
}

}  // namespace julia

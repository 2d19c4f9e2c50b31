#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "04_julia/controls.h"
#include "04_julia/iterate.h"
#include "04_julia/julia.h"
#include "screen.h"
#include "testing.h"

namespace {

using julia::Controls;
using julia::View;

/// Views whose sizes are even and odd, wide and high.
View random_view() {
    const auto r = random_values<std::uint32_t>(7);
    const auto between = [](std::uint32_t random, float low, float high) {
        return low + (high - low) * static_cast<float>(random) * 0x1p-32f;
    };
    View view;
    view.width = 1 + static_cast<int>(r[0] % 700);
    view.height = 1 + static_cast<int>(r[1] % 700);
    view.c = {between(r[2], -1, 1), between(r[3], -1, 1)};
    view.center = {between(r[4], -1, 1), between(r[5], -1, 1)};
    view.scale = between(r[6], 0.01f, 2);
    return view;
}

Mouse random_mouse(const View& view) {
    const auto r = random_values<std::uint32_t>(2);
    return {.x = r[0] * 0x1p-32 * view.width, .y = r[1] * 0x1p-32 * view.height};
}

Mouse left(Mouse mouse) {
    mouse.left = true;
    return mouse;
}

Mouse right(Mouse mouse) {
    mouse.right = true;
    return mouse;
}

double distance(julia::Point a, julia::Point b) {
    return std::hypot(a.re - b.re, a.im - b.im);
}

/// What rounding to floats may cost: some halves of the last bit of the largest number in the picture.
double rounding(const View& view) {
    const int half = std::max(1, std::min(view.width, view.height) / 2);
    return 0x1p-21 * (2 + 2.0 * view.scale * std::max(view.width, view.height) / half);
}

}  // namespace

TEST_CASE("the point under the middle of a pixel is the one that the pixel shows", "[04_julia][viewer]") {
    const View view = random_view();
    for (int y = 0; y < view.height; y += 7)
        for (int x = 0; x < view.width; x += 5) {
            const julia::Complex shown = julia::point_at(view, x, y);
            REQUIRE(distance(point_under(view, {.x = x + 0.5, .y = y + 0.5}), {shown.re, shown.im}) < rounding(view));
        }
}

TEST_CASE("dragging takes the point along that was under the mouse", "[04_julia][viewer]") {
    const View view = random_view();
    Controls controls(view);
    Mouse at = random_mouse(view);
    controls.mouse({}, at);
    REQUIRE(controls.view() == view);  // no button, no drag

    const julia::Point held = point_under(view, at);
    controls.mouse(at, left(at));
    for (int step = 0; step < 20; ++step) {
        const Mouse next = random_mouse(view);
        controls.mouse(left(at), left(next));
        REQUIRE(distance(point_under(controls.view(), next), held) < rounding(view));
        at = next;
    }
    View expected = view;
    expected.center = controls.view().center;
    REQUIRE(controls.view() == expected);  // nothing else has changed

    controls.mouse(left(at), at);
    controls.mouse(at, random_mouse(view));
    REQUIRE(controls.view() == expected);
}

TEST_CASE("the wheel zooms about the mouse", "[04_julia][viewer]") {
    const View view = random_view();
    Controls controls(view);
    const Mouse at = random_mouse(view);
    const julia::Point fixed = point_under(view, at);
    const auto steps = GENERATE(1.0, -1.0, 3.0, -2.5);
    controls.scroll(at, steps);
    REQUIRE(distance(point_under(controls.view(), at), fixed) < rounding(controls.view()));
    REQUIRE(std::abs(controls.view().scale / view.scale - std::pow(0.8, steps)) < 1e-6);
    REQUIRE(controls.view().c == view.c);

    controls.scroll(at, -steps);
    REQUIRE(std::abs(controls.view().scale / view.scale - 1) < 1e-6);
}

TEST_CASE("zooming ends before pixels become the same, and where nothing is to be seen", "[04_julia][viewer]") {
    View view = random_view();
    view.center = {0.75f, -0.75f};
    Controls controls(view);
    const Mouse middle{.x = view.width / 2 + 0.5, .y = view.height / 2 + 0.5};
    controls.scroll(middle, 1000);
    const View near = controls.view();
    for (int x = 1; x < view.width; ++x) REQUIRE(julia::point_at(near, x, 0).re < julia::point_at(near, x - 1, 0).re);
    controls.scroll(middle, 1);
    REQUIRE(controls.view().scale == near.scale);

    controls.scroll(middle, -1e9);
    REQUIRE(controls.view().scale == 100);
    REQUIRE(std::isfinite(controls.view().center.re));
}

TEST_CASE("a wheel that turns while the mouse drags leaves the point where it is", "[04_julia][viewer]") {
    const View view = random_view();
    Controls controls(view);
    const Mouse from = random_mouse(view), to = random_mouse(view), end = random_mouse(view);
    const julia::Point held = point_under(view, from);
    controls.mouse(from, left(from));
    controls.mouse(left(from), left(to));
    controls.scroll(left(to), 2);
    controls.mouse(left(to), left(end));
    REQUIRE(distance(point_under(controls.view(), end), held) < 2 * rounding(view));
}

TEST_CASE("c is the point under the mouse while the right button is held", "[04_julia][viewer]") {
    const View view = random_view();
    Controls controls(view);
    const Mouse from = random_mouse(view), to = random_mouse(view);
    for (const auto& [before, now] : {std::pair{from, right(from)}, std::pair{right(from), right(to)}}) {
        controls.mouse(before, now);
        const julia::Point p = point_under(view, now);
        REQUIRE(distance({controls.view().c.re, controls.view().c.im}, p) < rounding(view));
        REQUIRE(controls.view().center == view.center);
    }
    const View set = controls.view();
    controls.mouse(right(to), to);
    controls.mouse(to, from);
    REQUIRE(controls.view() == set);
}

TEST_CASE("keys of the viewer", "[04_julia][viewer]") {
    const View view = random_view();
    Controls controls(view);
    controls.character('p');
    REQUIRE(controls.view().palette == julia::Palette::smooth);
    controls.character('+');
    REQUIRE(controls.view().iterations == 400);
    controls.scroll(random_mouse(view), 3);
    controls.character('x');
    REQUIRE(controls.view() != view);
    controls.character('r');
    REQUIRE(controls.view() == view);

    for (int i = 0; i < 100; ++i) controls.character('-');
    REQUIRE(controls.view().iterations == 1);
    for (int i = 0; i < 100; ++i) controls.character('+');
    REQUIRE(controls.view().iterations == 100'000);
}

namespace {

Bitmap drawn(const View& view) {
    Bitmap picture(view.width, view.height);
    julia::cpu(view, julia::Arithmetic::separate, picture.pixels());
    return picture;
}

/// How many of the picture's pixels are not, `right` and `down` of it, in the other one; those that leave it left out.
std::size_t lost(const Bitmap& from, const Bitmap& to, std::size_t right, std::size_t down) {
    std::size_t count = 0;
    for (std::size_t y = down; y < to.height(); ++y)
        for (std::size_t x = right; x < to.width(); ++x) count += to.at(x, y) != from.at(x - right, y - down);
    return count;
}

}  // namespace

TEST_CASE("04_julia --show: a drag, the wheel, c under the mouse, keys", "[04_julia][viewer]") {
    const auto screen = VirtualScreen::open();
    if (!screen) return;
    char folder[] = "/tmp/tests.XXXXXX";
    REQUIRE(mkdtemp(folder) != nullptr);

    View view;
    view.width = 301;
    view.height = 202;
    view.iterations = 60;
    view.palette = julia::Palette::smooth;
    screen->start("sh -c 'cd " + std::string(folder) + " && exec " + program("04_julia", "julia") +
                  " --size 301x202 --iterations 60 --palette smooth --stage 4 --repeat 1 --show'");
    screen->wait_for_window();
    const Bitmap at_first = drawn(view);
    REQUIRE(screen->shows(at_first));
    REQUIRE(VirtualScreen::wait_until(
        [&] { return screen->title().starts_with("301 × 202, c = -0.8 + 0.156i, 60 iterations"); }));
    REQUIRE(screen->title().find("4_warp_tiles: ") != std::string::npos);
    REQUIRE(screen->title().ends_with(" ms with the copy"));

    Controls controls(view);
    const Mouse from{.x = 120, .y = 90}, to{.x = 170, .y = 110};
    screen->move_mouse(120, 90);
    screen->press(1);
    screen->move_mouse(130, 180);
    screen->move_mouse(170, 110);
    screen->release(1);
    controls.mouse(from, left(from));
    controls.mouse(left(from), left(to));
    REQUIRE(screen->shows(drawn(controls.view())));
    REQUIRE(lost(at_first, screen->picture(), 50, 20) < at_first.pixels().size() / 20);

    for (int i = 0; i < 3; ++i) {
        screen->press(4);
        screen->release(4);
        controls.scroll(to, 1);
    }
    REQUIRE(screen->shows(drawn(controls.view())));
    screen->press(5);
    screen->release(5);
    controls.scroll(to, -1);
    REQUIRE(screen->shows(drawn(controls.view())));

    screen->press(3);
    controls.mouse(to, right(to));
    const Mouse c_at{.x = 40, .y = 60};
    screen->move_mouse(40, 60);
    controls.mouse(right(to), right(c_at));
    REQUIRE(screen->shows(drawn(controls.view())));
    screen->release(3);
    screen->move_mouse(200, 10);

    screen->type("p");
    controls.character('p');
    REQUIRE(screen->shows(drawn(controls.view())));
    screen->type("s");
    const std::string saved = std::string(folder) + "/julia-1.png";
    REQUIRE(VirtualScreen::wait_until([&] { return std::filesystem::exists(saved); }));
    screen->type("r");
    REQUIRE(screen->shows(at_first));

    screen->type("Escape");
    const Outcome outcome = screen->finish();
    REQUIRE(outcome.err == "");
    REQUIRE(outcome.exit_code == 0);
    REQUIRE(outcome.out.find("  wheel ") != std::string::npos);
    REQUIRE(outcome.out.find("saved as julia-1.png\n") != std::string::npos);
    REQUIRE(compare(Bitmap::load_png(saved), drawn(controls.view())).count == 0);
    std::filesystem::remove_all(folder);
}

TEST_CASE("git does not see the pictures that the window saves", "[04_julia][viewer]") {
    const std::string repository = golden("../..");
    for (const std::string picture : {"julia-1.png", "julia-12.png", "04_julia/julia-1.png", "build/julia-1.png"}) {
        const Outcome result = run("git -C '" + repository + "' check-ignore -q " + picture);
        CAPTURE(picture, result.err);
        REQUIRE(result.exit_code != 1);  // 128 and 127: this is no clone, or there is no git
    }
    REQUIRE(run("git -C '" + repository + "' check-ignore -q 04_julia/pictures/julia.png").exit_code != 0);
}

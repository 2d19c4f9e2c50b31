#include "common/pictures/window.h"

#include <algorithm>

#include "screen.h"
#include "testing.h"

namespace {

Bitmap random_picture(std::size_t width, std::size_t height) {
    Bitmap bitmap(width, height);
    const auto bytes = random_values<std::uint8_t>(3 * width * height);
    for (std::size_t i = 0; i < width * height; ++i)
        bitmap.pixels()[i] = {bytes[3 * i], bytes[3 * i + 1], bytes[3 * i + 2], 255};
    return bitmap;
}

/// What a window shows of a small picture: each pixel is a square.
Bitmap magnified(const Bitmap& bitmap, std::size_t factor) {
    Bitmap result(factor * bitmap.width(), factor * bitmap.height());
    for (std::size_t y = 0; y < result.height(); ++y)
        for (std::size_t x = 0; x < result.width(); ++x) result.at(x, y) = bitmap.at(x / factor, y / factor);
    return result;
}

std::string show_bitmap(const TemporaryFile& file) {
    return program("tests", "show_bitmap") + " " + file.path();
}

}  // namespace

TEST_CASE("a picture is shown pixel for pixel until Esc is pressed", "[window]") {
    const auto screen = VirtualScreen::open();
    if (!screen) return;
    const auto [width, height, factor] =
        GENERATE(std::tuple{300, 201, 1}, std::tuple{1000, 1000, 1}, std::tuple{131, 129, 1}, std::tuple{37, 11, 6},
                 std::tuple{2, 3, 85}, std::tuple{1, 128, 2});
    const Bitmap picture = random_picture(width, height);
    const TemporaryFile file;
    picture.save_png(file.path());

    screen->start(show_bitmap(file));
    screen->wait_for_window();
    REQUIRE(screen->shows(magnified(picture, factor)));
    REQUIRE(screen->title() == "a bitmap");

    screen->type("Escape");
    const Outcome outcome = screen->finish();
    REQUIRE(outcome.err == "");
    REQUIRE(outcome.out == "done\n");
    REQUIRE(outcome.exit_code == 0);
}

TEST_CASE("the close button closes a window, other keys do not", "[window]") {
    const auto screen = VirtualScreen::open();
    if (!screen) return;
    const Bitmap picture = random_picture(200, 300);
    const TemporaryFile file;
    picture.save_png(file.path());

    screen->start(show_bitmap(file));
    screen->wait_for_window();
    screen->type("a");
    screen->type("Return");
    REQUIRE(screen->shows(picture));

    screen->close_window();
    const Outcome outcome = screen->finish();
    REQUIRE(outcome.err == "");
    REQUIRE(outcome.out == "done\n");
    REQUIRE(outcome.exit_code == 0);
}

TEST_CASE("a picture larger than the screen is shown smaller", "[window]") {
    const auto screen = VirtualScreen::open();
    if (!screen) return;
    Bitmap picture(4000, 1500, {200, 100, 50, 255});
    for (std::size_t y = 0; y < 1500; ++y)
        for (std::size_t x = 0; x < 2000; ++x) picture.at(x, y) = y < 750 ? Rgba{10, 20, 30} : Rgba{250, 0, 250};
    const TemporaryFile file;
    picture.save_png(file.path());

    screen->start(show_bitmap(file));
    screen->wait_for_window();
    // 90 % of the screen's width; the borders between the colours fall between pixels.
    Bitmap expected(1152, 432, {200, 100, 50, 255});
    for (std::size_t y = 0; y < 432; ++y)
        for (std::size_t x = 0; x < 576; ++x) expected.at(x, y) = y < 216 ? Rgba{10, 20, 30} : Rgba{250, 0, 250};
    REQUIRE(VirtualScreen::wait_until([&] { return screen->picture().at(0, 0) == expected.at(0, 0); }));
    const Bitmap shown = screen->picture();
    for (const auto& [x, y] : {std::pair{0, 0}, std::pair{570, 210}, std::pair{10, 431}, std::pair{570, 222},
                               std::pair{582, 222}, std::pair{1151, 431}, std::pair{582, 210}, std::pair{1151, 0}})
        REQUIRE(shown.at(x, y) == expected.at(x, y));

    screen->type("Escape");
    REQUIRE(screen->finish().exit_code == 0);
}

TEST_CASE("without a display a program says so in one line and goes on", "[window]") {
    const TemporaryFile file;
    random_picture(10, 10).save_png(file.path());
    const Outcome outcome = run("env -u DISPLAY -u WAYLAND_DISPLAY " + show_bitmap(file));
    REQUIRE(outcome.exit_code == 0);
    REQUIRE(outcome.out == "done\n");
    REQUIRE(outcome.err.starts_with("nothing is shown: "));
    REQUIRE(std::count(outcome.err.begin(), outcome.err.end(), '\n') == 1);
}

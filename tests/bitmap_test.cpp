#include "common/pictures/bitmap.h"

#include <type_traits>

#include "harness/output.h"
#include "harness/program.h"
#include "testing.h"

static_assert(sizeof(Rgba) == 4 && alignof(Rgba) == 4 && std::is_trivially_copyable_v<Rgba>);

namespace {

Bitmap random_bitmap(std::size_t width, std::size_t height) {
    Bitmap bitmap(width, height);
    const auto bytes = random_values<std::uint8_t>(4 * width * height);
    for (std::size_t i = 0; i < width * height; ++i)
        bitmap.pixels()[i] = {bytes[4 * i], bytes[4 * i + 1], bytes[4 * i + 2], bytes[4 * i + 3]};
    return bitmap;
}

std::string complaint_of_loading(const std::string& path) {
    return complaint([&] { Bitmap::load_png(path); });
}

}  // namespace

TEST_CASE("a new bitmap is one colour, and its pixels lie row by row", "[bitmap]") {
    Bitmap bitmap(3, 2);
    REQUIRE(bitmap.width() == 3);
    REQUIRE(bitmap.height() == 2);
    REQUIRE(bitmap.pixels().size() == 6);
    for (const Rgba pixel : bitmap.pixels()) REQUIRE(pixel == Rgba{0, 0, 0, 255});

    bitmap.at(2, 1) = {1, 2, 3, 4};
    REQUIRE(bitmap.pixels()[5] == Rgba{1, 2, 3, 4});
    REQUIRE(std::as_const(bitmap).at(2, 1) == Rgba{1, 2, 3, 4});
    bitmap.pixels()[1].g = 9;
    REQUIRE(bitmap.at(1, 0) == Rgba{0, 9, 0, 255});
    REQUIRE(Bitmap(1, 1, {5, 6, 7, 8}).at(0, 0) == Rgba{5, 6, 7, 8});
}

TEST_CASE("there is no bitmap without pixels, nor one of more than can be counted", "[bitmap]") {
    const std::size_t big = std::size_t{1} << 32;
    REQUIRE(complaint([] { Bitmap(0, 7); }) == "there is no picture of 0 x 7 pixels");
    REQUIRE(complaint([] { Bitmap(7, 0); }) == "there is no picture of 7 x 0 pixels");
    REQUIRE(complaint([&] { Bitmap(big, big); }) == "there is no picture of 4294967296 x 4294967296 pixels");
    REQUIRE(complaint([&] { Bitmap(big, big - 1); }) == "there is no picture of 4294967296 x 4294967295 pixels");
}

TEST_CASE("a PNG file gives back what was saved", "[bitmap]") {
    const auto [width, height] = GENERATE(std::pair{1, 1}, std::pair{1, 33}, std::pair{31, 1}, std::pair{32, 32},
                                          std::pair{257, 3}, std::pair{101, 307}, std::pair{3, 1009});
    const Bitmap saved = random_bitmap(width, height);
    const TemporaryFile file;
    saved.save_png(file.path());
    const Bitmap loaded = Bitmap::load_png(file.path());
    REQUIRE(loaded.width() == saved.width());
    REQUIRE(loaded.height() == saved.height());
    REQUIRE(compare(loaded, saved).count == 0);

    const Bitmap other = random_bitmap(5, 4);  // shorter than the file that was there
    other.save_png(file.path());
    REQUIRE(compare(Bitmap::load_png(file.path()), other).count == 0);
}

TEST_CASE("PNG files of other kinds are converted", "[bitmap]") {
    // 2 x 1 pixels of 16 bits of grey: 0 and 65535. Written by hand, so that it does not come from save_png().
    const std::string_view grey(
        "\x89PNG\r\n\x1a\n"
        "\0\0\0\rIHDR\0\0\0\2\0\0\0\1\x10\0\0\0\0\x81\xd9\xfc\x15"
        "\0\0\0\rIDAT\x78\x9c\x63\x60\x60\xf8\xff\x1f\0\3\2\1\xff\xe6\x77\x0b\xae"
        "\0\0\0\0IEND\xae\x42\x60\x82",
        70);
    const TemporaryFile file(grey);
    const Bitmap bitmap = Bitmap::load_png(file.path());
    REQUIRE(bitmap.width() == 2);
    REQUIRE(bitmap.height() == 1);
    REQUIRE(bitmap.at(0, 0) == Rgba{0, 0, 0, 255});
    REQUIRE(bitmap.at(1, 0) == Rgba{255, 255, 255, 255});
}

TEST_CASE("what cannot be written is an error with the path", "[bitmap]") {
    const Bitmap bitmap = random_bitmap(200, 100);
    const auto complaint_of_saving = [&](const std::string& path) { return complaint([&] { bitmap.save_png(path); }); };
    REQUIRE(complaint_of_saving("/no/such/folder/a.png") ==
            "cannot write /no/such/folder/a.png: No such file or directory");
    REQUIRE(complaint_of_saving("/tmp") == "cannot write /tmp: Is a directory");
    REQUIRE_THROWS_AS(bitmap.save_png("/proc/version"), std::runtime_error);  // at once, or for root when it is written
    REQUIRE(complaint_of_saving("") == "cannot write \"\": No such file or directory");
    for (const std::size_t side : {1, 1000}) {  // at the end, and on the way
        const Bitmap square = random_bitmap(side, side);
        REQUIRE_THROWS_AS(square.save_png("/dev/full"), output_error);
        REQUIRE_THROWS_WITH(square.save_png("/dev/full"), "cannot write /dev/full: No space left on device");
    }
    REQUIRE(run("test -c /dev/full").exit_code == 0);  // and it is still there
    REQUIRE(complaint([] { Bitmap(2'000'000, 1).save_png("/dev/null"); }).starts_with("cannot write /dev/null: "));
}

TEST_CASE("what cannot be read is an error with the path", "[bitmap]") {
    REQUIRE(complaint_of_loading("/no/such/file.png") == "cannot read /no/such/file.png: No such file or directory");
    REQUIRE(complaint_of_loading("/tmp").starts_with("cannot read /tmp: "));

    const TemporaryFile empty, garbage("This is no picture, though it is longer than the first bytes of one.");
    REQUIRE(complaint_of_loading(empty.path()).starts_with("cannot read " + empty.path() + ": "));
    REQUIRE(complaint_of_loading(garbage.path()) == "cannot read " + garbage.path() + ": Not a PNG file");
}

TEST_CASE("a PNG file that ends early, or was damaged, is an error", "[bitmap]") {
    const TemporaryFile file;
    random_bitmap(40, 30).save_png(file.path());
    const std::string bytes = file.text();
    const std::size_t data = bytes.find("IDAT") + 4;
    const std::size_t length = GENERATE_COPY(1, 7, 8, 20, data - 5, data, data + 1, 1000, 4000);
    INFO("byte " << length);
    REQUIRE(length < bytes.size());
    const TemporaryFile shortened(bytes.substr(0, length));
    REQUIRE(complaint_of_loading(shortened.path()).starts_with("cannot read " + shortened.path() + ": "));

    std::string damaged_bytes = bytes;
    damaged_bytes[length] ^= 0x10;
    const TemporaryFile damaged(damaged_bytes);
    REQUIRE(complaint_of_loading(damaged.path()).starts_with("cannot read " + damaged.path() + ": "));
}

TEST_CASE("comparing counts the pixels that differ and finds the first", "[bitmap]") {
    const Bitmap a = random_bitmap(37, 11);
    REQUIRE(compare(a, a).count == 0);
    Bitmap b = a;
    b.at(3, 9).a ^= 1;
    b.at(36, 4).b ^= 128;
    b.at(0, 5).r ^= 255;
    const Difference difference = compare(a, b);
    REQUIRE(difference.count == 3);
    REQUIRE(difference.x == 36);
    REQUIRE(difference.y == 4);
    REQUIRE(complaint([&] { compare(a, Bitmap(11, 37)); }) ==
            "pictures of different sizes: 37 x 11 pixels and 11 x 37 pixels");
}

TEST_CASE("a wrong picture is told by its stage, its first wrong pixel, and how many there are", "[bitmap]") {
    const Bitmap expected(37, 11, {1, 2, 3, 4});
    Bitmap actual = expected;
    require_same("3_x", actual, expected);
    actual.at(36, 4) = {255, 16, 0, 4};
    REQUIRE_THROWS_AS(require_same("3_x", actual, expected), wrong_result);
    REQUIRE_THROWS_WITH(require_same("3_x", actual, expected),
                        "3_x is wrong at x = 36, y = 4: expected #01020304, got #ff100004; 1 pixel differs");
    for (std::size_t x = 0; x < 37; ++x)
        for (std::size_t y = 5; y < 11; ++y) actual.at(x, y).r = 9;
    REQUIRE_THROWS_WITH(require_same("3_x", actual, expected), Catch::Matchers::EndsWith("; 223 pixels differ"));
}

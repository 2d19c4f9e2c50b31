#include "common/pictures/bitmap.h"

#include <png.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "common/errors.h"
#include "common/pictures/window.h"
#include "common/separators.h"

namespace {

std::string size_text(std::size_t width, std::size_t height) {
    return std::to_string(width) + " x " + std::to_string(height) + " pixels";
}

std::size_t count(std::size_t width, std::size_t height) {
    std::size_t pixels = 0;
    if (width == 0 || height == 0 || __builtin_mul_overflow(width, height, &pixels) ||
        pixels > std::vector<Rgba>().max_size())
        throw usage_error("there is no picture of " + size_text(width, height));
    return pixels;
}

struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Close>;

File open(const std::string& path, const char* mode) {
    return File(std::fopen(path.c_str(), mode));
}

/// libpng's state while it reads or writes. The destructor frees it after errors, too.
struct Image : png_image {
    Image() : png_image{} { version = PNG_IMAGE_VERSION; }
    ~Image() { png_image_free(this); }
    Image(const Image&) = delete;
    Image& operator=(const Image&) = delete;
};

template <class Error = usage_error>
[[noreturn]] void cannot(const char* what, const std::string& path, const char* why) {
    throw Error(std::string("cannot ") + what + " " + (path.empty() ? "\"\"" : path) + ": " + why);
}

}  // namespace

Bitmap::Bitmap(std::size_t width, std::size_t height, Rgba fill) : width_(width), pixels_(count(width, height), fill) {}

Bitmap Bitmap::load_png(const std::string& path) {
    const File file = open(path, "rb");
    if (!file) cannot("read", path, std::strerror(errno));
    Image image;
    if (!png_image_begin_read_from_stdio(&image, file.get())) cannot("read", path, image.message);
    image.format = PNG_FORMAT_RGBA;
    Bitmap bitmap(image.width, image.height);
    if (!png_image_finish_read(&image, nullptr, bitmap.pixels_.data(), 0, nullptr)) cannot("read", path, image.message);
    return bitmap;
}

void Bitmap::save_png(const std::string& path) const {
    // Not png_image_write_to_file(): when it fails it removes the file, which may be a device.
    File file = open(path, "wb");
    if (!file) cannot("write", path, std::strerror(errno));
    constexpr std::size_t most = 0x7fffffff;  // the largest width and height of a PNG file
    if (width() > most || height() > most) cannot("write", path, "too many pixels in a row or a column");
    Image image;
    image.width = static_cast<png_uint_32>(width());
    image.height = static_cast<png_uint_32>(height());
    image.format = PNG_FORMAT_RGBA;
    errno = 0;
    if (!png_image_write_to_stdio(&image, file.get(), 0, pixels_.data(), 0, nullptr)) {
        if (errno != 0) cannot<output_error>("write", path, std::strerror(errno));
        cannot("write", path, image.message);
    }
    if (std::fclose(file.release()) != 0) cannot<output_error>("write", path, std::strerror(errno));
}

void Bitmap::show(const std::string& title) const try {
    Window window(title, width(), height());
    window.draw(*this);
    while (!window.should_close()) window.wait();
} catch (const no_window& error) {
    std::fprintf(stderr, "nothing is shown: %s\n", error.what());
}

Difference compare(const Bitmap& a, const Bitmap& b) {
    if (a.width() != b.width() || a.height() != b.height())
        throw usage_error("pictures of different sizes: " + size_text(a.width(), a.height()) + " and " +
                          size_text(b.width(), b.height()));
    Difference difference;
    for (std::size_t i = a.pixels().size(); i-- > 0;) {
        if (a.pixels()[i] == b.pixels()[i]) continue;
        difference = {difference.count + 1, i % a.width(), i / a.width()};
    }
    return difference;
}

void require_same(std::string_view stage, const Bitmap& actual, const Bitmap& expected) {
    const auto [count, x, y] = compare(actual, expected);
    if (count == 0) return;
    const auto text = [&, x = x, y = y](const Bitmap& picture) {
        const Rgba pixel = picture.at(x, y);
        char hex[16];
        std::snprintf(hex, sizeof hex, "#%02x%02x%02x%02x", pixel.r, pixel.g, pixel.b, pixel.a);
        return std::string(hex);
    };
    throw wrong_result(std::string(stage) + " is wrong at x = " + std::to_string(x) + ", y = " + std::to_string(y) +
                       ": expected " + text(expected) + ", got " + text(actual) + "; " + with_separators(count) +
                       (count == 1 ? " pixel differs" : " pixels differ"));
}

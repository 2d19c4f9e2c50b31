#include "viewer.h"
#include "common/pictures/bitmap.h"

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <string>

#include "common/device_buffer.h"
#include "common/pictures/window.h"
#include "controls.h"
#include "harness/output.h"
#include "harness/program.h"
#include "options.h"

namespace julia {
namespace {

constexpr const char* help = R"(
In the window:
  drag              move the picture
  wheel             nearer, farther
  right button      c is the point under the mouse, as long as it is held
  + and -           twice and half as many iterations
  p                 the other palette
  r                 back to the start
  s                 save the picture as a PNG file
  Esc               close
)";

double milliseconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

class Viewer {
  public:
    Viewer(const View& start, const Stage& stage)
        : stage_(stage),
          controls_(start),
          picture_(start.width, start.height),
          d_pixels_(picture_.pixels().size()),
          window_("Julia set", picture_.width(), picture_.height()) {
        window_.on_mouse = [this](const Mouse& before, const Mouse& now) { controls_.mouse(before, now); };
        window_.on_scroll = [this](const Mouse& at, double steps) { controls_.scroll(at, steps); };
        window_.on_character = [this](char32_t c) {
            controls_.character(c);
            if (c == 's') save();
        };
    }

    /// Draws only when something has changed: otherwise the emulator would be busy all the time.
    void run() {
        std::printf("%s", help);
        flush_output();
        draw();
        while (!window_.should_close()) {
            window_.wait();
            if (controls_.view() != drawn_) draw();
        }
    }

  private:
    void draw() {
        drawn_ = controls_.view();
        const auto start = std::chrono::steady_clock::now();
        stage_.launch(drawn_, d_pixels_.data());
        CUDA_CHECK(cudaDeviceSynchronize());
        const double drawing = milliseconds_since(start);
        d_pixels_.copy_to(picture_.pixels());
        const double with_copy = milliseconds_since(start);
        window_.draw(picture_);

        char times[80];
        const int digits = with_copy < 10 ? 3 : 0;
        std::snprintf(times, sizeof times, ": %.*f ms, %.*f ms with the copy", digits, drawing, digits, with_copy);
        window_.set_title(title_of(drawn_) + " — " + std::string(stage_.name) + times);
    }

    /// Saves the picture under the first name that is free.
    void save() const try {
        std::string path;
        for (int i = 1; path.empty() || std::filesystem::exists(path); ++i)
            path = "julia-" + std::to_string(i) + ".png";
        picture_.save_png(path);
        std::printf("saved as %s\n", path.c_str());
        flush_output();
    } catch (const usage_error& error) {
        std::fprintf(stderr, "%s\n", error.what());  // no reason to close the window
    }

    const Stage& stage_;
    Controls controls_;
    View drawn_;
    Bitmap picture_;
    DeviceBuffer<Rgba> d_pixels_;
    Window window_;
};

}  // namespace

void explore(const View& start, const Stage& stage) try { Viewer(start, stage).run(); } catch (const no_window& error) {
    std::fprintf(stderr, "nothing is shown: %s\n", error.what());
}

}  // namespace julia

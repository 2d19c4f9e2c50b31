#include "heating.h"

#include <algorithm>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "common/device_buffer.h"
#include "common/pictures/window.h"
#include "harness/text.h"

namespace stencil {
namespace {

constexpr float cold = 20, hot = 100;

Rgba colour(float temperature) {
    const float heat = (temperature - cold) / (hot - cold);
    const auto third = [&](float k) { return static_cast<std::uint8_t>(255 * std::clamp(3 * heat - k, 0.0f, 1.0f)); };
    return {third(0), third(1), third(2)};
}

class Heating {
  public:
    Heating(const Plate& plate, const Stage& stage)
        : plate_(plate),
          stage_(stage),
          temperatures_(std::size_t(plate.width) * plate.height, cold),
          picture_(plate.width, plate.height),
          now_(temperatures_.size()),
          next_(temperatures_.size()),
          scratch_(temperatures_.size()) {
        std::fill_n(temperatures_.begin(), plate.width, hot);
        now_.copy_from(temperatures_);
    }

    void go_on() {
        stage_.launch(plate_, now_.data(), next_.data(), scratch_.data());
        std::swap(now_, next_);
        steps_ += plate_.steps;
    }

    const Bitmap& picture() {
        now_.copy_to(temperatures_);
        std::ranges::transform(temperatures_, picture_.pixels().begin(), colour);
        return picture_;
    }

    std::string title() const {
        return "A plate after " + with_separators(steps_) + " steps — " + std::string(stage_.name);
    }

  private:
    Plate plate_;
    const Stage& stage_;
    std::size_t steps_ = 0;
    std::vector<float> temperatures_;
    Bitmap picture_;
    DeviceBuffer<float> now_, next_, scratch_;
};

}  // namespace

Bitmap heated(const Plate& plate, const Stage& stage) {
    Heating heating(plate, stage);
    heating.go_on();
    return heating.picture();
}

void show_heating(const Plate& plate, const Stage& stage) try {
    Heating heating(plate, stage);
    Window window(heating.title(), plate.width, plate.height);
    window.draw(heating.picture());
    while (!window.should_close()) {
        heating.go_on();
        window.draw(heating.picture());
        window.set_title(heating.title());
        window.wait_at_most(1.0 / 60);
    }
} catch (const no_window& error) {
    std::fprintf(stderr, "nothing is shown: %s\n", error.what());
}

}  // namespace stencil

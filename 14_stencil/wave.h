#pragma once

#include <span>
#include <string_view>
#include <vector>

// What the stages are verified with: a plate or a box of which one knows the temperature at all times.
namespace wave {

/// Everything is at 1, and on top of it is half a wave of a sine in each direction, which is 0 at the border. In a step
/// the sine keeps its shape: at each point, two neighbours of a direction together are 2 cos(π / (side - 1)) times the
/// point. So a step multiplies all of it by the same number, the decay.
class Wave {
  public:
    /// sides: two or three numbers of points, that of a row first. centre + 2 · (number of sides) · neighbour must
    /// be 1.
    Wave(std::span<const int> sides, double centre, double neighbour);

    /// What a step multiplies the sine by. If all points are border, 1.
    double decay() const { return decay_; }

    std::vector<float> at_start() const;

    /// The largest relative error of the values after so many steps. Throws wrong_result, naming the stage and the
    /// first wrong index, where it is more than the roundings explain: all values and weights are positive, so the
    /// relative error of a value grows by one rounding with each addition that it passes through, and one of a product.
    double largest_error(std::string_view stage, std::span<const float> values, int steps) const;

  private:
    double value(std::size_t i, double height) const;

    std::vector<std::vector<double>> sines_;  // by direction, then by place
    double decay_ = 1;
};

}  // namespace wave

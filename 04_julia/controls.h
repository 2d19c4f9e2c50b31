#pragma once

#include <algorithm>

#include "common/pictures/window.h"
#include "julia.h"
#include "options.h"

// What the mouse and the keys do to a view. viewer.cpp shows the view.
namespace julia {

/// The point of the plane under the mouse, which may lie between two pixels: point_at() with fractions.
struct Point {
    double re, im;
};
Point point_under(const View& view, const Mouse& mouse);

/// Turns what the user does into the view to draw.
class Controls {
  public:
    explicit Controls(const View& start) : start_(start), view_(start) {}

    const View& view() const { return view_; }

    /// Left button: moves the picture with the mouse. Right button: the point under the mouse becomes c.
    void mouse(const Mouse& before, const Mouse& now);

    /// Zooms by that many steps, in if positive. The point under the mouse stays where it is.
    void scroll(const Mouse& at, double steps);

    /// r: back to the start; p: the other palette; + and -: twice and half as many iterations.
    void character(char32_t c);

  private:
    View start_, view_;
    Point held_{};  // the point that the left button holds
};

}  // namespace julia

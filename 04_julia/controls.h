#pragma once

#include <algorithm>

#include "common/window.h"
#include "julia.h"
#include "options.h"

// What the mouse and the keys do to a view; viewer.cpp shows it.
namespace julia {

/// The point of the plane under the mouse, which need not stand on the middle of a pixel: point_at() with fractions.
struct Point {
    double re, im;
};
Point point_under(const View& view, const Mouse& mouse);

/// From what the user does to the view to be drawn.
class Controls {
  public:
    explicit Controls(const View& start) : start_(start), view_(start) {}

    const View& view() const { return view_; }

    /// Left button: the point that was under the mouse stays under it. Right button: that point is c.
    void mouse(const Mouse& before, const Mouse& now);

    /// A step nearer or farther; the point under the mouse stays where it is.
    void scroll(const Mouse& at, double steps);

    /// r: back to the start; p: the other palette; + and -: twice and half as many iterations.
    void character(char32_t c);

  private:
    View start_, view_;
    Point held_{};  // what the left button holds
};

}  // namespace julia

#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "harness/command_line.h"
#include "julia.h"

// The chapter's command line, and the views that it asks for.
namespace julia {

/// The chapter's own options, as text.
struct Own {
    std::string size, c = "-0.8,0.156", center = "0,0", scale = "1.5", iterations = "200", palette = "red";
    std::string out, difference;
    bool show = false;
};

void add_options(CommandLine& line, Own& own);

/// The views that the options ask for: one of --size, or else a square one for each of `sizes`. Throws usage_error for
/// a value that makes no sense.
std::vector<View> views_of(const Own& own, const std::vector<std::size_t>& sizes);

/// "1000 × 1000, c = -0.8 + 0.156i, 200 iterations", and the centre and scale if they are not the default.
std::string title_of(const View& view);

}  // namespace julia

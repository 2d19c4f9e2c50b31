#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "harness/table.h"

/// A copy or a kernel: the piece of the data that it worked on, counted from 1, and when, in milliseconds.
struct Operation {
    unsigned piece;
    double begin, end;
};

/// What the device did, and when.
struct Timeline {
    std::string title;
    std::array<std::vector<Operation>, 3> rows;  ///< copies to the device, kernels, copies to the host
};

inline constexpr std::array<const char*, 3> timeline_rows{"to the device", "kernel", "to the host"};

/// Three lines of text: the digit of a piece wherever one is worked on. `milliseconds` is what the whole width stands
/// for, so that timelines can be compared.
std::string drawn(const Timeline& timeline, double milliseconds);

/// When the last operation ended, in milliseconds.
double end_of(const Timeline& timeline);

/// Writes the table and the timelines for ./lab bench, unless the path is empty. Throws output_error if the file
/// cannot be written.
void write(const std::string& path, const Table& table, std::span<const Timeline> timelines);

#pragma once

#include "box.h"
#include "common/stage.h"
#include "stencil.h"

// The stages of this chapter, for its programs and its tests.
namespace stencil {

using Stage = ::Stage<Launch, OnHost>;

inline constexpr Stage stages[] = {
    {"1_cpu", "one thread on the host, row by row", cpu},
    {"1_cpu/threads", "all threads of the host, with tiles", cpu_threads},
    {"2_naive", "a thread a point, a launch a step", naive},
    {"3_constant", "the weights in constant memory", constant_memory},
    {"3_constant/parameter", "the weights as an argument of the kernel", parameter},
    {"4_shared_tile", "a tile and its halo in shared memory", shared_tile},
    {"5_quads", "four points a thread, with wide loads", quads},
    {"6_temporal", "four steps in a launch, with a halo of four", four_steps},
    {"6_temporal/2", "two steps in a launch", two_steps},
    {"6_temporal/8", "eight steps in a launch", eight_steps},
    {"7_one_launch", "all steps in one cooperative launch", one_launch},
    {"8_graph", "all launches are one graph", graph},
    {"9_two_devices", "half on each device, rows sent while they compute", two_devices},
    {"10_columns", "eight steps, with 16 points a thread in registers", columns},
    {"10_columns/4", "four steps in a launch", columns_four_steps},
};

/// The bytes of all steps, where each step reads and writes each point once. Only stages that take several steps
/// between a read and a write need fewer.
constexpr double bytes_moved(const Plate& plate) {
    return 2.0 * sizeof(float) * plate.width * plate.height * plate.steps;
}

}  // namespace stencil

namespace box {

using Stage = ::Stage<Launch, OnHost>;

inline constexpr Stage stages[] = {
    {"b1_cpu", "one thread on the host, row by row", cpu},
    {"b1_cpu/threads", "all threads of the host, plane by plane", cpu_threads},
    {"b2_naive", "a thread a point: seven loads each", naive},
    {"b3_sliding", "planes pass through three registers", sliding},
    {"b4_quads", "four points a thread, with wide loads", quads},
};

/// The bytes of all steps, where each step reads and writes each point once.
constexpr double bytes_moved(const Box& box) {
    return 2.0 * sizeof(float) * box.width * box.height * box.depth * box.steps;
}

}  // namespace box

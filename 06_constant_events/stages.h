#pragma once

#include "common/stage.h"
#include "ray_tracer.h"

// The stages of this chapter, for its program and its tests.
namespace ray_tracer {

/// A stage, and how it gets the spheres. A stage on the host reads them where they are.
struct Stage : ::Stage<Launch, OnHost> {
    Load* load = nullptr;
    Room room = in_global;
};

inline constexpr Stage stages[] = {
    {{"1_cpu", "one thread on the host", cpu}},
    {{"1_cpu/threads", "all of the host's threads, row by row", cpu_threads}},
    {{"2_global", "the spheres in global memory", global}, load_global},
    {{"3_constant", "the same spheres in constant memory", constant}, load_constant, whole_in_constant},
    {{"4_packed", "16 bytes a sphere, its radius squared beforehand", packed}, load_packed, packed_in_constant},
    {{"5_four_pixels", "four pixels a thread, which share loads and distances", four_pixels},
     load_four_pixels,
     packed_in_constant},
    {{"6_tiles", "a block asks only the spheres that its tile touches", tiles}, load_tiles},
    {{"7_hidden_spheres", "and of those only the ones that no other hides", hidden_spheres}, load_hidden_spheres},
};

}  // namespace ray_tracer

"""An SVG chart of a chapter's stages below their roofs: operations for each byte of global memory, as counted, and operations
in a second, as measured.

    <!-- roofline: matrix_multiply --repeat 1 --float --a 128x1024 --b 1024x128 | 2 --> … <!-- /roofline -->
names the command line of which ./lab count kept the counts, and how many operations an item takes: an item is one of --n, a
product of an element of --a and one of --b, or a step of one of the points of --size. The roofs are those that chapter 02
measured."""

import math
import re
from collections.abc import Sequence

from lessons import chart, tables
from reports import floors
from reports.results import Json
from shared.console import Failure

LEFT, RIGHT, TOP, BOTTOM = 76, 540, 88, 450
SECTOR = 32  # bytes
ROOFS = ("device_to_device_gb_per_s", "multiply_add_gflop_per_s")
GLOBAL = ("global load", "global store", "global atomic")


def points(entry: Json, counted: Json, each: float) -> dict[str, tuple[float, float]]:
    """By stage: operations a byte, and GFLOP/s. entry: a GPU's results of the chapter; counted: what was kept of a command.
    Of several kernels of a stage the bytes are added."""
    moved: dict[str, float] = {}
    for row in counted["rows"]:
        sectors = sum(row["counts"].get(what, {}).get("sectors", 0) for what in GLOBAL)
        moved[row["stage"]] = moved.get(row["stage"], 0) + SECTOR * sectors
    run = tables.headline_run(entry, list(moved))
    found = {}
    for stage in run["stages"]:
        if (bytes_moved := moved.get(stage["name"])) and stage.get("seconds"):
            speed = stage.get("gflop_per_s") or each * run["n"] / stage["seconds"] / 1e9
            found[stage["name"]] = (each * _items(counted["command"], stage["name"]) / bytes_moved, speed)
    return found


def _items(command: str, stage: str) -> float:
    """Those of a launch."""
    if found := re.search(r"--size ([\dx]+) --steps (\d+)", command):
        steps = int(found[2]) if stage == floors.ALL_STEPS else floors.STEPS_OF_A_LAUNCH.get(stage, 1)
        return math.prod(map(int, found[1].split("x"))) * steps
    if found := re.search(r"--n (\d+)", command):
        return int(found[1])
    if found := re.search(r"--a (\d+)x(\d+) --b \d+x(\d+)", command):
        return math.prod(map(int, found.groups()))
    raise Failure(f"how many items has '{command}'?")


def roofs(gpu: Json) -> tuple[float, float] | None:
    """GB/s and GFLOP/s that chapter 02 measured on this GPU."""
    measured = gpu["chapters"].get(floors.CEILINGS_OF, {}).get("measured", {})
    return (measured[ROOFS[0]], measured[ROOFS[1]]) if all(measured.get(name) for name in ROOFS) else None


def roofline_chart(gpu: Json, chapter: str, counted: Json, each: float) -> str:
    """Both scales are logarithmic. gpu: one with roofs."""
    entry, below = gpu["chapters"][chapter], roofs(gpu)
    assert below
    found = points(entry, counted, each)
    if not found:
        raise Failure(f"no stage of {entry['chapter']} was both counted and measured")
    bandwidth, peak = below
    xs, ys = [x for x, _ in found.values()], [y for _, y in found.values()]
    x_decades = _decades([*xs, peak / bandwidth])
    y_decades = _decades([*ys, peak])

    x_at = chart.log_scale(x_decades, LEFT, RIGHT)
    y_at = chart.log_scale(y_decades, BOTTOM, TOP)

    def at(x: float, y: float) -> tuple[float, float]:
        return x_at(x), y_at(y)

    run = tables.headline_run(entry, list(found))
    title = f"{entry['chapter']}: the stages below their roofs"
    shapes = chart.frame(BOTTOM + 56, title, chart.facts(entry, tables.run_title(run)))
    for x in x_decades:
        shapes.append(chart.grid_line(at(x, y_decades[0]), at(x, y_decades[-1])))
        shapes.append(chart.label(at(x, y_decades[0])[0], BOTTOM + 20, f"{x:,.9g}"))
    for y in y_decades:
        shapes.append(chart.grid_line(at(x_decades[0], y), at(x_decades[-1], y)))
        shapes.append(chart.label(LEFT - 8, at(x_decades[0], y)[1] + 4, f"{y:,.9g}", "end"))
    across = "operations for each byte of global memory that warps ask for (counted)"
    shapes.append(chart.label((LEFT + RIGHT) / 2, BOTTOM + 42, across))
    shapes.append(chart.label(16, TOP - 16, "10⁹ operations in a second (measured)", "start"))

    lowest = max(x_decades[0], y_decades[0] / bandwidth)
    slope = [at(lowest, bandwidth * lowest), at(peak / bandwidth, peak), at(x_decades[-1], peak)]
    shapes.append(chart.polyline(slope, f'stroke="{chart.CEILING}" stroke-width="2"'))
    flat = f"the cores' multiply-adds: {tables.number_text(peak)} GFLOP/s"
    shapes.append(chart.label(RIGHT, slope[-1][1] - 8, flat, "end", chart.CEILING))
    steep = f"memory: {tables.number_text(bandwidth)} GB/s"
    start, end = slope[0], slope[1]
    angle = math.degrees(math.atan2(end[1] - start[1], end[0] - start[0]))
    along = ((start[0] + end[0]) / 2 - 6, (start[1] + end[1]) / 2 - 8)
    turn = f'text-anchor="middle" font-size="12" transform="rotate({angle:.1f} {along[0]:.1f} {along[1]:.1f})"'
    shapes.append(chart.text(round(along[0], 1), round(along[1], 1), steep, chart.CEILING, turn))

    places = {name: at(*point) for name, point in found.items()}
    heights = chart.spread({name: y for name, (_, y) in places.items()}, BOTTOM, gap=17)
    names = list(found)
    for name, (x, y) in places.items():
        variant = tables.shown_name(name, names) != name
        colour = chart.CPU if variant else chart.OWN
        shapes.append(chart.polyline([(x, y), (RIGHT + 14, heights[name])], f'stroke="{colour}" stroke-dasharray="1 3"'))
        shapes.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{3 if variant else 4.5}" fill="{colour}"/>')
        more = f'font-size="12" font-weight="600" {chart.NAME}'
        shapes.append(chart.text(RIGHT + 18, round(heights[name]) + 4, name, colour, more))
    return chart.svg(shapes)


def _decades(values: Sequence[float]) -> list[float]:
    first, last = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    return [10.0**power for power in range(first, last + 1)]

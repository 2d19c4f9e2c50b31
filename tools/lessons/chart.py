"""SVG charts: a chapter's stages, one bar each, and the ceiling they run into; and curves."""

import itertools
import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from html import escape

from lessons import tables
from reports.results import Json

WIDTH = 760
LEFT = 216  # where the bars begin
BARS = 440  # how long the longest bar is
TOP = 62
STEP = 30
DECADES = 20  # the height of the powers of ten below the bars
LINEAR = 60  # a bar that is shorter than the longest by more cannot be seen: then the scale is logarithmic
CURVE_LEFT, CURVE_RIGHT, CURVE_BOTTOM = 60, 640, 320
LABEL = 14  # the height of a number at a point
SWEEP_LEFT, SWEEP_RIGHT, SWEEP_BOTTOM = 76, 530, 470
LONGEST_NAME = 21  # for which there is room beside a curve
FONT = "system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif"

_DOES = {"copy": "moves", "peak": "does", "": "does"}  # by its limit: what a stage does with bytes, operations and items

# Of every picture that is drawn in colours for a light page: a dark one shows light and dark exchanged, and the same hues.
DARK = "<style>@media (prefers-color-scheme: dark) { :root { filter: invert(0.93) hue-rotate(180deg); } }</style>"

PAPER = "#ffffff"
INK = "#1f2328"
FAINT = "#59636e"
OWN = "#4c9f2f"
LIBRARY = "#3b6fb6"
CPU = "#8b949e"
CEILING = "#c2410c"
GRID = "#e4e7eb"
NAME = 'translate="no"'  # of a text: a stage's name is the same in every language
# A stage is told by its colour and the shape of its points, in pairs that repeat after thirty; a variant's line is dashed.
STROKES = (OWN, "#7c3aed", "#b45309", "#0e7490", "#be123c", INK)
POINTS = ("M-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0z", "M-3-3h6v6h-6z", "M0-4.5l4.5 8h-9z", "M0-5l5 5-5 5-5-5z", "M0 4.5l4.5-8h-9z")


def stage_chart(entry: Json, stages: Sequence[str] = ()) -> str:
    """The chart of the chapter's headline run; of some of its stages, where these are named."""
    run, bars, ceiling, unit, limit = _headline(entry, stages)
    title = f"{entry['chapter']}: {unit} of each stage"
    return _bar_chart(
        entry | run, title, tables.run_title(run), bars, ceiling, f"{limit}: {tables.number_text(ceiling or 0)} {unit}"
    )


def _bar_chart(
    entry: Json, title: str, what: str, bars: list[tuple[Json, float]], ceiling: float | None, of_ceiling: str, more: str = NAME
) -> str:
    """`more` is of the names beside the bars."""
    length_of, decades = _bar_scale(bars, ceiling)
    bottom = TOP + STEP * len(bars)
    below = bottom + (DECADES if decades else 0)
    shapes = frame(below + (34 if ceiling else 14), title, facts(entry, what) + (" · logarithmic scale" if decades else ""))
    for decade in decades:
        x = LEFT + length_of(decade)
        shapes.append(grid_line((x, TOP), (x, bottom + 4)))
        shapes.append(label(x, bottom + 18, f"{decade:,.9g}"))
    names = [stage["name"] for stage, _ in bars]
    for row, (stage, value) in enumerate(bars):
        shapes += _bar(stage, tables.shown_name(stage["name"], names), value, TOP + STEP * row, length_of(value), more)
    if ceiling:
        x = LEFT + length_of(ceiling)
        place = f'x1="{x:.1f}" y1="{TOP - 2}" x2="{x:.1f}" y2="{below + 6}"'
        shapes.append(f'<line {place} stroke="{CEILING}" stroke-width="2" stroke-dasharray="5 4"/>')
        shapes.append(label(x, below + 22, of_ceiling, "end", CEILING))
    return svg(shapes)


def how_to_read(entry: Json, stages: Sequence[str] = (), of_cores: float = math.inf) -> str:
    """What stands below stage_chart(). A peak of more than twice `of_cores`, the GFLOP/s of a GPU's ordinary cores with
    floats, is that of its tensor cores."""
    _, bars, ceiling, unit, limit = _headline(entry, stages)
    what = unit.removesuffix("/s").replace("M ", "million ")
    parts = [f"*Longer is faster: a bar is how many {what} a stage {_DOES[limit]} in a second."]
    if ceiling and limit == "copy":
        parts.append("The dashed line is what a copy within the device moves.")
    elif ceiling:
        parts.append(f"The dashed line is what {'the tensor' if ceiling > 2 * of_cores else 'all'} cores could do.")
    if _bar_scale(bars, ceiling)[1]:
        parts.append("From one grey line to the next is a factor of ten.")
    return " ".join([*parts, "The numbers are in the tables.*"])


BANDWIDTHS_READ = (
    "*Longer is faster. From one grey line to the next is a factor of ten. The dashed line is what the device's memory could "
    "do by its clock and its width; the caches and shared memory are beyond it. The numbers are in the tables.*"
)


def bandwidth_chart(entry: Json) -> str:
    """What 02_device_query measured of copies and memories, and the peak that it worked out."""
    bars = [({"name": name}, value) for name, value in tables.bandwidths(entry).items()]
    peak = (entry.get("peak") or {}).get("gb_per_s")
    of_peak = f"peak of the memory: {tables.number_text(peak or 0)} GB/s"
    return _bar_chart(entry, f"{entry['chapter']}: GB/s of copies and memories", "", bars, peak, of_peak, more="")


def curve_chart(entry: Json) -> str:
    """A line for each column of a table whose rows are named by numbers. Both scales are logarithmic."""
    numbers = tables.curve_of(entry)
    assert numbers
    names = numbers["header"][1:]
    xs = [float(row[0]) for row in numbers["rows"]]
    columns = [[row[1 + i] for row in numbers["rows"]] for i in range(len(names))]
    x_at = log_scale(xs, CURVE_LEFT, CURVE_RIGHT)
    y_at = log_scale([y for ys in columns for y in ys], CURVE_BOTTOM, TOP + 10)
    shapes = frame(CURVE_BOTTOM + 52, numbers["title"], facts(entry))
    heights = spread({name: y_at(ys[-1]) for name, ys in zip(names, columns, strict=True)}, CURVE_BOTTOM)
    labelled: list[tuple[float, float]] = []
    for name, ys, colour in zip(names, columns, (CEILING, LIBRARY, OWN, CPU), strict=False):
        points = [(x_at(x), y_at(y)) for x, y in zip(xs, ys, strict=True)]
        shapes.append(polyline(points, f'stroke="{colour}" stroke-width="2.5"'))
        for (x, at), y in zip(points, ys, strict=True):
            shapes.append(f'<circle cx="{x:.1f}" cy="{at:.1f}" r="4" fill="{colour}"/>')
            if any(x == other and abs(at - taken) < LABEL for other, taken in labelled):
                continue  # the table has the numbers of curves that meet
            labelled.append((x, at))
            shapes.append(label(x, at - 10, tables.significant_text(y), "middle", colour))
        shapes.append(text(CURVE_RIGHT + 16, round(heights[name]) + 5, name, colour, 'font-weight="600"'))
    for x, row in zip(xs, numbers["rows"], strict=True):
        shapes.append(text(round(x_at(x)), CURVE_BOTTOM + 24, row[0], INK, 'text-anchor="middle"'))
    shapes.append(label((CURVE_LEFT + CURVE_RIGHT) / 2, CURVE_BOTTOM + 44, numbers["header"][0]))
    return svg(shapes)


def sweep_chart(entry: Json, stages: Sequence[str] = (), zones: Sequence[tuple[str, float]] = ()) -> str:
    """The time of each stage, or of some, against the size. Both scales are logarithmic: a power of the size is a straight
    line. zones: see floors.zones()."""
    runs = tables.sweep(entry, stages)
    axis = tables.size_of(runs[0]).axis
    curves: dict[str, list[tuple[float, float]]] = {}
    for run in runs:
        for stage in run["stages"]:
            if stage.get("seconds"):
                curves.setdefault(stage["name"], []).append((tables.size_of(run).value, stage["seconds"]))
    times = [seconds for points in curves.values() for _, seconds in points]
    shortest, longest = min(times) / 1.2, max(times) * 1.5
    decades = [10.0**power for power in range(math.ceil(math.log10(shortest)), math.floor(math.log10(longest)) + 1)]
    sizes = [tables.size_of(run).value for run in runs]
    x_at = log_scale([*map(float, sizes)], SWEEP_LEFT, SWEEP_RIGHT)
    y_at = log_scale([shortest, longest], SWEEP_BOTTOM, TOP + 4)

    title = f"{entry['chapter']}: time of each stage against {axis}"
    shapes = frame(SWEEP_BOTTOM + 52, title, facts(entry | runs[0], tables.sweep_title(runs)))
    for decade in decades:
        y = y_at(decade)
        shapes.append(grid_line((SWEEP_LEFT, y), (SWEEP_RIGHT, y)))
        shapes.append(label(SWEEP_LEFT - 10, y + 4, re.sub(r"\.0+ ", " ", tables.time_text(decade)), "end"))
    labelled = -math.inf
    for size in sizes:
        x = x_at(size)
        shapes.append(grid_line((x, TOP), (x, SWEEP_BOTTOM)))
        if x < labelled + 72:
            continue  # there is no room for its number
        labelled = x
        shapes.append(label(x, SWEEP_BOTTOM + 22, f"{size:,}"))
    shapes.append(label((SWEEP_LEFT + SWEEP_RIGHT) / 2, SWEEP_BOTTOM + 42, axis))

    shapes += _zones([(name, x_at(size)) for name, size in zones])

    heights = spread({name: y_at(points[-1][1]) for name, points in curves.items()}, SWEEP_BOTTOM)
    looks: dict[str, tuple[str, str]] = {}
    for name in sorted(curves, key=tables.in_ladder):
        stage, _, variant = name.partition("/")
        own = STROKES[len(looks) % len(STROKES)], POINTS[len(looks) % len(POINTS)]
        colour, shape = looks.setdefault(stage, own)
        colour = LIBRARY if tables.is_library({"name": name}) else CPU if tables.is_cpu({"name": name}) else colour
        dashes = ' stroke-dasharray="6 4"' if variant else ""
        points = [(x_at(n), y_at(seconds)) for n, seconds in curves[name]]
        beside = SWEEP_RIGHT + 20, heights[name]
        shapes.append(polyline(points, f'stroke="{colour}" stroke-width="2"{dashes}'))
        shapes.append(polyline([points[-1], beside], f'stroke="{colour}" stroke-dasharray="1 3"'))
        shapes.append(f'<path d="M{beside[0]} {beside[1]:.1f}h24" stroke="{colour}" stroke-width="2"{dashes}/>')
        for x, y in [*points, (beside[0] + 12, beside[1])]:
            shapes.append(f'<path d="{shape}" transform="translate({x:.1f} {y:.1f})" fill="{colour}"/>')
        more = f'font-size="13" font-weight="600" {NAME}'
        shapes.append(text(beside[0] + 30, round(heights[name]) + 5, _short(name), colour, more))
    return svg(shapes)


def _short(name: str) -> str:
    """Of a variant with a long name only its stage's number: '4/full_grid'."""
    stage, _, variant = name.partition("/")
    return f"{stage.partition('_')[0]}/{variant}" if variant and len(name) > LONGEST_NAME else name


def _zones(zones: Sequence[tuple[str, float]]) -> Iterator[str]:
    """Names what the stages wait for at least: each from its place on, up to that of the next."""
    for (name, begin), (_, end) in itertools.pairwise([*zones, ("", SWEEP_RIGHT)]):
        yield label((begin + end) / 2, TOP + 14, name)
        if begin > SWEEP_LEFT:
            yield polyline([(begin, TOP), (begin, SWEEP_BOTTOM)], f'stroke="{FAINT}" stroke-dasharray="4 3"')


def variants_chart(entry: Json) -> str:
    """The time of one stage against the number in its variants' names. Both scales are linear, and that of time begins
    at 0."""
    run = tables.sweep_of_variants(entry)
    assert run
    numbers = [tables.variant_number(row["name"]) or 0 for row in run["stages"]]
    times = [row["seconds"] for row in run["stages"]]
    unit, factor = ("ms", 1e3) if max(times) >= 1e-3 else ("µs", 1e6)
    step = _round_step(max(times) * factor / 5)
    ticks = [step * i for i in range(math.ceil(max(times) * factor / step) + 1)]

    def x_at(number: float) -> float:
        return CURVE_LEFT + (CURVE_RIGHT - CURVE_LEFT) * number / max(numbers)

    def y_at(value: float) -> float:
        return CURVE_BOTTOM - (CURVE_BOTTOM - TOP - 10) * value / ticks[-1]

    what, _, title = tables.run_title(run).rpartition(", ")
    shapes = frame(CURVE_BOTTOM + 52, f"{entry['chapter']}: {title}", facts(entry, what))
    for tick in ticks:
        shapes.append(grid_line((CURVE_LEFT, y_at(tick)), (CURVE_RIGHT, y_at(tick))))
        shapes.append(label(CURVE_LEFT - 8, y_at(tick) + 4, f"{tick:g} {unit}" if tick else "0", "end"))
    points = [(x_at(number), y_at(seconds * factor)) for number, seconds in zip(numbers, times, strict=True)]
    shapes.append(polyline(points, f'stroke="{OWN}" stroke-width="2.5"'))
    for (x, y), number, seconds in zip(points, numbers, times, strict=True):
        shapes.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{OWN}"/>')
        shapes.append(label(x, CURVE_BOTTOM + 20, f"{number}", "middle", INK))
        if seconds in (min(times), max(times)):
            time = f"{tables.significant_text(seconds * factor)} {unit}"
            below = 20 if seconds == min(times) else -8
            shapes.append(text(round(x) + 4, round(y) + below, time, OWN, 'font-size="12" font-weight="600"'))
    shapes.append(label((CURVE_LEFT + CURVE_RIGHT) / 2, CURVE_BOTTOM + 42, title.rpartition(" by ")[2]))
    return svg(shapes)


def _round_step(least: float) -> float:
    """The next larger one of 1, 2, 2.5 and 5 times a power of ten."""
    power = 10.0 ** math.floor(math.log10(least))
    return next(step * power for step in (1, 2, 2.5, 5, 10) if step * power >= least * 0.9999)


def spread(wanted: dict[str, float], bottom: float, gap: float = 18) -> dict[str, float]:
    """Heights near the wanted ones, no two closer than the gap and none below the bottom."""
    heights: dict[str, float] = {}
    lowest = -math.inf
    for name in sorted(wanted, key=lambda name: wanted[name]):
        heights[name] = lowest = max(wanted[name], lowest + gap)
    highest = bottom
    for name in reversed(heights):
        heights[name] = min(heights[name], highest)
        highest = heights[name] - gap
    return heights


def polyline(points: Iterable[tuple[float, float]], more: str) -> str:
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return f'<polyline points="{path}" fill="none" {more}/>'


def grid_line(start: tuple[float, float], end: tuple[float, float]) -> str:
    return polyline([start, end], f'stroke="{GRID}"')


def log_scale(values: list[float], first: float, last: float) -> Callable[[float], float]:
    """Where a value lies between first, for the smallest, and last, for the largest."""
    low, high = math.log(min(values)), math.log(max(values))
    return lambda value: first + (last - first) * (math.log(value) - low) / ((high - low) or 1.0)


def frame(height: float, title: str, subtitle: str, width: int = WIDTH) -> list[str]:
    return [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img" font-family="{FONT}" font-size="14">',
        f"<title>{escape(title)}, {escape(subtitle)}</title>",
        DARK,
        f'<rect width="{width}" height="{height}" rx="6" fill="{PAPER}"/>',
        text(16, 26, title, INK, 'font-weight="600" font-size="16"'),
        text(16, 46, subtitle, FAINT, 'font-size="12"'),
    ]


def _headline(entry: Json, stages: Sequence[str]) -> tuple[Json, list[tuple[Json, float]], float | None, str, str]:
    """The headline run, what its bars show, its ceiling, its unit, and what is drawn as its limit. A chapter that counts
    arithmetic is limited by the cores' peak, one that counts bytes by memory, as a copy is, and one that counts other items
    has no limit to draw. A run has its own ceiling where it counts operations. Stages of the host alone have none."""
    run = tables.headline_run(entry, stages)
    metric, unit, limit = "gb_per_s", "GB/s", "copy"
    if run.get("items_are"):
        metric, unit, limit = "mega_items_per_s", f"M {run['items_are']}/s", ""
    elif any(stage.get("gflop_per_s") for stage in run["stages"]):
        metric, unit, limit = "gflop_per_s", "GFLOP/s", "peak"
    bars = [(stage, stage[metric]) for stage in run["stages"] if stage.get(metric)]
    ceiling = None if all(tables.is_cpu(stage) for stage, _ in bars) else (entry | run).get(f"{limit}_{metric}")
    return run, bars, ceiling, unit, limit


def _bar_scale(bars: list[tuple[Json, float]], ceiling: float | None) -> tuple[Callable[[float], float], list[float]]:
    """How long a value's bar is, and the powers of ten to mark: none on a linear scale, which is taken where the bars of
    all GPU stages can be seen. It shows better how these differ."""
    longest = max([value for _, value in bars] + [ceiling or 0.0]) or 1.0
    if all(value * LINEAR >= longest for stage, value in bars if not tables.is_cpu(stage)):
        return lambda value: BARS * value / longest, []
    shortest = min(value for _, value in bars)
    first = math.floor(math.log10(shortest))
    if shortest < 2 * 10.0**first:
        first -= 1  # a bar begins at the first power, so it must not end there, too
    scale = log_scale([10.0**first, longest], 0, BARS)
    return scale, [10.0**power for power in range(first, math.floor(math.log10(longest)) + 1)]


def _bar(stage: Json, name: str, value: float, top: float, length: float, more: str) -> list[str]:
    colour = LIBRARY if tables.is_library(stage) else CPU if tables.is_cpu(stage) else OWN
    middle = top + STEP / 2 + 5
    return [
        text(LEFT - 12, middle, name, INK, f'text-anchor="end" {more}'),
        f'<rect x="{LEFT}" y="{top + 4}" width="{max(1.0, length):.1f}" height="{STEP - 8}" rx="2" fill="{colour}"/>',
        text(WIDTH - 16, middle, tables.number_text(value), INK, 'text-anchor="end"'),
    ]


def facts(entry: Json, of_run: str = "") -> str:
    """What stands below a chart's title: on which GPU it was measured, of what, and when."""
    return " · ".join(filter(None, [entry["device"]["name"], of_run, entry.get("date", "")]))


def svg(shapes: Iterable[str]) -> str:
    return "\n".join([*shapes, "</svg>", ""])


def label(x: float, y: float, words: str, anchor: str = "middle", colour: str = FAINT) -> str:
    return text(round(x), round(y), words, colour, f'text-anchor="{anchor}" font-size="12"')


def text(x: float, y: float, text: str, colour: str, more: str) -> str:
    return f'<text x="{x:g}" y="{y:g}" fill="{colour}" {more}>{escape(text)}</text>'

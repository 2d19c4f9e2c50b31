"""SVG charts: a chapter's stages, one bar each, and the ceiling they run into; and curves."""

from __future__ import annotations

import math
from collections.abc import Callable
from html import escape

import tables
from results import Json

WIDTH = 760
LEFT = 216  # where the bars begin
BARS = 440  # how long the longest bar is
TOP = 62
STEP = 30
CURVE_LEFT, CURVE_RIGHT, CURVE_BOTTOM = 60, 640, 320
FONT = "system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif"

PAPER = "#ffffff"  # painted, so that the chart reads the same on a dark page
INK = "#1f2328"
FAINT = "#59636e"
OWN = "#4c9f2f"
LIBRARY = "#3b6fb6"
CPU = "#8b949e"
CEILING = "#c2410c"


def stage_chart(entry: Json) -> str:
    """The chart of the chapter's headline run."""
    run = tables.headline_run(entry)
    metric, unit, limit = _metric(run)
    bars = [(stage, stage[metric]) for stage in run["stages"] if stage.get(metric)]
    ceiling = entry.get(f"{limit}_{metric}")
    longest = max([value for _, value in bars] + [ceiling or 0.0]) or 1.0
    bottom = TOP + STEP * len(bars)
    height = bottom + (34 if ceiling else 14)

    title = f"{entry['chapter']}: {unit} of each stage"
    subtitle = f"{entry['device']['name']} · {tables.run_title(run)} · {entry.get('date', '')}".removesuffix(" · ")
    shapes = _frame(height, title, subtitle)
    for row, (stage, value) in enumerate(bars):
        shapes += _bar(stage, value, TOP + STEP * row, value / longest)
    if ceiling:
        shapes += _ceiling_line(LEFT + BARS * ceiling / longest, bottom, f"{limit}: {tables.number_text(ceiling)} {unit}")
    return "\n".join([*shapes, "</svg>", ""])


def curve_chart(entry: Json, numbers: Json) -> str:
    """A line for each column of a table whose rows are named by numbers. Both scales are logarithmic."""
    names = numbers["header"][1:]
    xs = [float(row[0]) for row in numbers["rows"]]
    columns = [[row[1 + i] for row in numbers["rows"]] for i in range(len(names))]
    x_at = _log_scale(xs, CURVE_LEFT, CURVE_RIGHT)
    y_at = _log_scale([y for ys in columns for y in ys], CURVE_BOTTOM, TOP + 10)
    height = CURVE_BOTTOM + 52
    shapes = _frame(height, numbers["title"], f"{entry['device']['name']} · {entry.get('date', '')}".removesuffix(" · "))
    for name, ys, colour in zip(names, columns, (CEILING, LIBRARY, OWN, CPU)):
        points = " ".join(f"{x_at(x):.1f},{y_at(y):.1f}" for x, y in zip(xs, ys, strict=True))
        shapes.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2.5"/>')
        for x, y in zip(xs, ys, strict=True):
            shapes.append(f'<circle cx="{x_at(x):.1f}" cy="{y_at(y):.1f}" r="4" fill="{colour}"/>')
            label = tables.significant_text(y)
            shapes.append(_text(round(x_at(x)), round(y_at(y)) - 10, label, colour, 'text-anchor="middle" font-size="12"'))
        shapes.append(_text(CURVE_RIGHT + 16, round(y_at(ys[-1])) + 5, name, colour, 'font-weight="600"'))
    for x, row in zip(xs, numbers["rows"], strict=True):
        shapes.append(_text(round(x_at(x)), CURVE_BOTTOM + 24, row[0], INK, 'text-anchor="middle"'))
    middle = (CURVE_LEFT + CURVE_RIGHT) / 2
    shapes.append(_text(middle, CURVE_BOTTOM + 44, numbers["header"][0], FAINT, 'text-anchor="middle" font-size="12"'))
    return "\n".join([*shapes, "</svg>", ""])


def _log_scale(values: list[float], first: float, last: float) -> Callable[[float], float]:
    """Where a value lies between first, for the smallest, and last, for the largest."""
    low, high = math.log(min(values)), math.log(max(values))
    return lambda value: first + (last - first) * (math.log(value) - low) / ((high - low) or 1.0)


def _frame(height: float, title: str, subtitle: str) -> list[str]:
    return [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
        f'role="img" font-family="{FONT}" font-size="14">',
        f"<title>{escape(title)}, {escape(subtitle)}</title>",
        f'<rect width="{WIDTH}" height="{height}" rx="6" fill="{PAPER}"/>',
        _text(16, 26, title, INK, 'font-weight="600" font-size="16"'),
        _text(16, 46, subtitle, FAINT, 'font-size="12"'),
    ]


def _metric(run: Json) -> tuple[str, str, str]:
    """A chapter that counts arithmetic is limited by the cores' peak; the others by memory, as a copy is."""
    if any(stage.get("gflop_per_s") for stage in run["stages"]):
        return "gflop_per_s", "GFLOP/s", "peak"
    return "gb_per_s", "GB/s", "copy"


def _bar(stage: Json, value: float, top: float, share: float) -> list[str]:
    colour = LIBRARY if tables.is_library(stage) else CPU if tables.is_cpu(stage) else OWN
    middle = top + STEP / 2 + 5
    return [
        _text(LEFT - 12, middle, stage["name"], INK, 'text-anchor="end"'),
        f'<rect x="{LEFT}" y="{top + 4}" width="{max(1.0, BARS * share):.1f}" height="{STEP - 8}" rx="2" '
        f'fill="{colour}"/>',
        _text(WIDTH - 16, middle, tables.number_text(value), INK, 'text-anchor="end"'),
    ]


def _ceiling_line(x: float, bottom: float, label: str) -> list[str]:
    return [
        f'<line x1="{x:.1f}" y1="{TOP - 2}" x2="{x:.1f}" y2="{bottom + 6}" stroke="{CEILING}" stroke-width="2" '
        f'stroke-dasharray="5 4"/>',
        _text(round(x), bottom + 22, label, CEILING, 'text-anchor="end" font-size="12"'),
    ]


def _text(x: float, y: float, text: str, colour: str, more: str) -> str:
    return f'<text x="{x:g}" y="{y:g}" fill="{colour}" {more}>{escape(text)}</text>'

"""An SVG chart of timelines: which piece of the data each copy and each kernel worked on, and when."""

from lessons import chart, tables
from reports.results import Json

LEFT, RIGHT = 128, 744  # where time begins and ends
TOP, TITLE, ROW, GAP = 64, 22, 24, 14
FILLS = ("#dbeafe", "#dcfce7", "#ffedd5")  # copies to the device, kernels, copies to the host
EDGES = (chart.LIBRARY, chart.OWN, chart.CEILING)
NARROWEST = 9  # a piece's number needs so many pixels


def timeline_chart(entry: Json) -> str:
    """All timelines of an entry, one below the other, on one scale of time."""
    timelines = entry["timelines"]
    longest = max(end_of(one) for one in timelines) or 1.0
    height = TOP + sum(TITLE + ROW * len(one["rows"]) + GAP for one in timelines)
    title = f"{entry['chapter']}: which piece of the data is where, and when"
    shapes = chart.frame(height, title, chart.facts(entry))
    top = TOP
    for one in timelines:
        text = f"{one['title']}: {tables.significant_text(end_of(one))} ms"
        shapes.append(chart.text(16, top + 14, text, chart.INK, 'font-weight="600" font-size="13"'))
        top += TITLE
        for row, fill, edge in zip(one["rows"], FILLS, EDGES, strict=True):
            shapes += _row(row, top, (RIGHT - LEFT) / longest, f'fill="{fill}" stroke="{edge}"', edge)
            top += ROW
        top += GAP
    return chart.svg(shapes)


def end_of(one: Json) -> float:
    """When the last operation of a timeline ended, in milliseconds."""
    return max(float(end) for row in one["rows"] for _, _, end in row["operations"])


def _row(row: Json, top: int, scale: float, style: str, ink: str) -> list[str]:
    shapes = [chart.label(LEFT - 10, top + 16, row["name"], "end")]
    for piece, begin, end in row["operations"]:
        x, width = LEFT + scale * begin, scale * (end - begin)
        shapes.append(f'<rect x="{x:.1f}" y="{top + 2}" width="{max(0.5, width):.1f}" height="{ROW - 4}" {style}/>')
        if width >= NARROWEST:
            shapes.append(chart.label(x + width / 2, top + 16, str(piece), "middle", ink))
    return shapes

"""What the sketches of stages are drawn with, and the numbers of the sources that they show.

    <!-- sketch: 6_register_tile | text --> … <!-- /sketch -->

shows the picture that matrix_sketches.py draws for that stage, with the text for those who do not see it. A sketch takes its
numbers from the stage's source, so it is stale when they change, and fails when they are gone.
"""

from __future__ import annotations

import re
from html import escape
from pathlib import Path

from lessons.chart import DARK
from shared.console import Failure

WIDTH = 760
INK, FAINT, PAPER = "#1f2933", "#52606d", "#ffffff"
INPUT, NEAR, USED, MADE, EMPTY, IDLE = "#dceefb", "#b6e0fe", "#8eedc7", "#f7c948", "#fffbea", "#e4e7eb"
FONT = "DejaVu Sans, Helvetica, Arial, sans-serif"


class Sketch:
    def __init__(self, title: str, height: int) -> None:
        self._shapes = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="{FONT}" role="img">',
            f"<title>{escape(title)}</title>",
            DARK,
            '<defs><marker id="to" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto">'
            f'<path d="M 0 0 L 10 5 L 0 10 z" fill="{FAINT}"/></marker></defs>',
            f'<rect width="{WIDTH}" height="{height}" rx="8" fill="{PAPER}"/>',
        ]
        self.words(16, 28, title, size=16, bold=True)

    def words(
        self, x: float, y: float, text: str, *, size: int = 12, colour: str = INK, anchor: str = "start", bold: bool = False
    ) -> None:
        weight = ' font-weight="bold"' if bold else ""
        self._shapes.append(
            f'<text x="{x:g}" y="{y:g}" font-size="{size}" fill="{colour}" text-anchor="{anchor}"{weight}>{escape(text)}</text>'
        )

    def lines(self, x: float, y: float, *texts: str, anchor: str = "start") -> None:
        """Several lines of remarks, below each other."""
        for i, text in enumerate(texts):
            self.words(x, y + 17 * i, text, colour=FAINT, anchor=anchor)

    def box(self, x: float, y: float, width: float, height: float, fill: str, *, edge: str = FAINT, thick: float = 1) -> None:
        self._shapes.append(
            f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" fill="{fill}" stroke="{edge}" '
            f'stroke-width="{thick:g}"/>'
        )

    def labelled(self, x: float, y: float, width: float, height: float, fill: str, text: str, *, size: int = 12) -> None:
        self.box(x, y, width, height, fill)
        self.words(x + width / 2, y + height / 2 + size * 0.36, text, size=size, anchor="middle")

    def line(self, x: float, y: float, to_x: float, to_y: float, *, arrow: bool = False, dashed: bool = False) -> None:
        more = (' marker-end="url(#to)"' if arrow else "") + (' stroke-dasharray="4 3"' if dashed else "")
        self._shapes.append(
            f'<line x1="{x:g}" y1="{y:g}" x2="{to_x:g}" y2="{to_y:g}" stroke="{FAINT}" stroke-width="1.2"{more}/>'
        )

    def svg(self) -> str:
        return "\n".join([*self._shapes, "</svg>", ""])


class Source:
    """One source of a chapter."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._text = path.read_text(encoding="utf-8")

    def number(self, name: str) -> int:
        """What the constant is set to there."""
        return int(self.found(rf"\b{name} = (\d+)\b")[1])

    def found(self, pattern: str) -> re.Match[str]:
        match = re.search(pattern, self._text)
        if match is None:
            raise Failure(f"{self._path.name} holds nothing like '{pattern}', which a sketch needs")
        return match

    def all_found(self, pattern: str) -> list[tuple[str, ...]]:
        self.found(pattern)
        return re.findall(pattern, self._text)

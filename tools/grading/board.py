"""A class's board: a page of the students' stages that are right, ladder by ladder, made of grades.csv alone."""

import csv
import io
import itertools
from collections.abc import Iterator, Mapping, Sequence
from html import escape

from exercises.judge import SOLVED
from reports import floors, ladders

NUMBERS = (*ladders.COLUMNS, "floor")
HEADINGS = {"exercise": "stage", "rung": "most like", "floor": "at least"}
STYLE = """\
:root { color-scheme: light dark; --ink: #1f2328; --paper: #fff; --line: #d0d7de; --key: #eaf2ff; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --paper: #0d1117; --line: #3d444d; --key: #15243b; } }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); margin: 2rem auto; padding: 0 1rem;
       max-width: 70rem; }
div { overflow-x: auto; }
table { border-collapse: collapse; font-size: .8rem; font-variant-numeric: tabular-nums; width: 100%; }
th, td { padding: .3rem .35rem; text-align: right; border-bottom: 1px solid var(--line); white-space: nowrap; }
th:nth-child(-n+4), td:nth-child(-n+4) { text-align: left; }
.key { background: var(--key); }
"""


def page(grades: str, sort: str, names: bool) -> str:
    """grades: the text of grades.csv. sort: one of its columns, of which the least comes first. names: the students' own stand
    there, and not the aliases that each of them has been told."""
    stages = [row for row in csv.DictReader(io.StringIO(grades)) if row["alias"]]
    parts: list[str] = []
    for ladder_of, rows in itertools.groupby(sorted(stages, key=_ladder), _ladder):
        parts += _table(ladder_of, list(rows), sort, names)
    body = "\n".join(parts or ["<p>Nobody has handed in a stage.</p>"])
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>The class board</title>\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<style>\n{STYLE}</style>\n</head>\n<body>\n<h1>The class board</h1>\n{body}\n"
        "<p>Each stage here is right at all sizes tried, and the checked build finds nothing in it. The numbers are what one "
        "call asks for, counted on the emulator. <em>At least</em> is a floor for a GPU, and no prediction.</p>\n"
        "</body>\n</html>\n"
    )


def _table(ladder_of: str, rows: Sequence[Mapping[str, str]], sort: str, names: bool) -> Iterator[str]:
    right = [row for row in rows if row["category"] == SOLVED]
    right.sort(key=lambda row: [_order(row[what]) for what in (sort, *NUMBERS)])
    used = [what for what in NUMBERS if any(float(row[what]) for row in right)]
    columns = ["student" if names else "alias", "exercise", "rung", *used]
    yield f"<h2>Chapter {escape(ladder_of)}</h2>"
    if right:
        heads = "".join(f"<th{_mark(c, sort)}>{HEADINGS.get(c, c)}</th>" for c in columns)
        yield f"<div><table>\n<tr><th>#</th>{heads}</tr>"
        for place, row in enumerate(right, 1):
            cells = "".join(f"<td{_mark(c, sort)}>{escape(_shown(row[c], c))}</td>" for c in columns)
            yield f"<tr><td>{place}</td>{cells}</tr>"
        yield "</table></div>"
    if others := len(rows) - len(right):
        yield f"<p>Not right yet: {others}.</p>"


def _ladder(row: Mapping[str, str]) -> str:
    chapter, _, name = row["exercise"].partition("/")
    return f"{chapter}, ladder {name[0]}" if name[1:2] == "_" else chapter


def _mark(column: str, sort: str) -> str:
    return ' class="key"' if column == sort else ""


def _order(text: str) -> tuple[bool, float, str]:
    try:
        return False, float(text), ""
    except ValueError:
        return True, 0.0, text


def _shown(text: str, column: str) -> str:
    if column == "exercise":
        return text.partition("/")[2]
    if column not in NUMBERS:
        return text
    return floors.time_text(float(text)) if column == "floor" else f"{float(text):,.0f}"

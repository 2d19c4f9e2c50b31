"""Ratios of measured times that a lesson's words rest on, and whether they still hold.

    <!-- holds: n = 268,435,456 pairs | 8_deterministic / 7_large_blocks | 0.98 to 1.00 -->

stands, unseen, below a sentence that compares two stages: how a run's title begins, the stages or variants whose times are
divided, and between which numbers the words are true, on each GPU of which the lessons speak. `0.98 to 0.99 on the H100` is
for one of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from lessons import tables
from lessons.page import Page
from reports import results
from reports.results import Json

MARKER = "<!-- holds:"
SPOKEN_OF = ("H100", "H200")  # what is measured on another GPU makes no word false
HOLDS = re.compile(r"<!-- holds: (.+?) \| (\S+) / (\S+) \| ([\d.]+) to ([\d.]+)(?: on the (\S+))? -->")


def problems(lesson: Page, root: Path) -> Iterator[str]:
    gpus = results.load_gpus(root / "results") if MARKER in lesson.text else []
    chapter = lesson.path.parent.name
    for number, line in enumerate(lesson.text.splitlines(), 1):
        if MARKER not in line:
            continue
        where = f"{lesson.path.relative_to(root)}:{number}"
        match = HOLDS.search(line)
        if match is None:
            yield f"{where}: this marker is not complete: {line.strip()}"
            continue
        title, stage, other, least, most, device = match.groups()
        found = False
        for gpu in gpus:
            name = gpu["device"]
            if not any(word in name for word in ([device] if device else SPOKEN_OF)):
                continue
            for ratio in _ratios(gpu["chapters"].get(chapter), title, stage, other):
                found = True
                if not float(least) <= ratio <= float(most):
                    yield f"{where}: on the {name}, {stage} / {other} is {ratio:.3f}, and the text needs {least} to {most}"
        if not found:
            yield f"{where}: no results have {stage} and {other} in a table '{title}…'"


def _ratios(entry: Json | None, title: str, stage: str, other: str) -> Iterator[float]:
    for run in tables.stage_runs(entry) if entry else []:
        seconds = {row["name"]: row["seconds"] for row in run["stages"]}
        if tables.run_title(run).startswith(title) and seconds.get(stage) and seconds.get(other):
            yield seconds[stage] / seconds[other]

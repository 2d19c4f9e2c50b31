"""How long a lesson takes. The minutes of reading are computed from the page, those of the exercises stand in their task.md."""

import os
import re
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from exercises import folder
from exercises.folder import Exercise
from lessons import page
from lessons.page import Line, Page, Section

WORDS = 150  # a minute: technical prose, read once, in a second language
CODE_LINES = 20  # a minute: of a stage's file beside the lesson that explains it, and of what a program prints
PREDICTION = 1  # minute to think about a question before its answer is opened
COMMAND = 1  # minute to type a command, to wait for it and to look at what it prints
TABLE = 1  # minute for a table of measurements; a folded one is there to look something up
PICTURE = 1  # minute for a picture
ROUNDED_TO = 5  # minutes
WIDTH = 124  # of the lessons' lines

STAGE_FILE = re.compile(r"[brst]?\d+[a-z]?_\w+\.(?:cu|cpp)")
AFTERWARDS = re.compile(r"(?:What to read next|Read next|Sources)$")  # sections that take no time of the lesson


@dataclass(frozen=True)
class Reading:
    """The minutes to read a page and to run what it says, rounded up."""

    core: int
    optional: int


def reading(path: Path) -> Reading:
    lesson = Page(path)
    seen: set[str] = set()
    minutes = {False: 0.0, True: 0.0}
    for section in lesson.sections:
        if not AFTERWARDS.match(section.title):
            minutes[section.optional] += _minutes_of(section, path.parent, seen)
    return Reading(_rounded(minutes[False]), _rounded(minutes[True]))


def of_page(exercises: Iterable[Exercise], path: Path) -> list[Exercise]:
    """The exercises that belong to a page."""
    return [e for e in exercises if e.folder.parent.parent == path.parent and e.place[0] == path.name]


def sentence(path: Path, root: Path) -> str:
    """The paragraph with which a lesson opens."""
    read = reading(path)
    if read.core and read.optional:
        parts = [f'{read.core} minutes for the core, and {read.optional} for what is marked "(optional)".']
    else:
        parts = [f"{read.core or read.optional} minutes."]
    exercises = of_page(folder.discover(root), path)
    core = [e for e in exercises if e.task.front["kind"] == "core"]
    optional = [e for e in exercises if e not in core]
    if core and optional:
        parts.append(f"Exercises: {_sum(core)} minutes for {_named(core)};")
        parts.append(f"{_sum(optional)} for {_named(optional)} (optional).")
    elif exercises:
        parts.append(f"Exercises: {_sum(exercises)} minutes for {_named(exercises)}{'' if core else ' (optional)'}.")
    course = os.path.relpath(root / "COURSE.md", path.parent)
    text = f"**Time:** {' '.join(parts)} ([how the minutes were found]({course}#how-the-minutes-were-found))"
    return _filled(text)


def rates() -> str:
    """How the minutes are computed, in a sentence."""
    return _filled(
        f"The minutes to read a lesson are computed, and nobody has been timed: {WORDS} words a minute, {CODE_LINES} lines of "
        f"code a minute, and {PREDICTION} minute for each prediction, {COMMAND} for each command, {PICTURE} for each picture "
        f"and {TABLE} for each table of measurements that is not folded, rounded up to a multiple of {ROUNDED_TO}."
    )


def _minutes_of(section: Section, folder: Path, seen: set[str]) -> float:
    text = "\n".join(line.text for line in section.lines)
    # A table of results links to the files of all stages; the lesson explains those that its own text links to.
    own = "\n".join(line.text for line in section.lines if not line.generated)
    files = [name for name in dict.fromkeys(page.LINK.findall(own)) if STAGE_FILE.fullmatch(name) and name not in seen]
    seen.update(files)
    code = sum(_lines(path.read_text(encoding="utf-8").splitlines()) for name in files if (path := folder / name).is_file())
    commands = 0
    for block in section.blocks:
        if block.language == "sh":
            commands += _lines(line for line in block.lines if not line.strip().startswith("#"))
        elif block.excerpt_of not in seen:
            code += _lines(block.lines)
    generated = [line.text.startswith("|") for line in _unfolded(section.lines) if line.generated]
    tables = sum(1 for before, here in zip([False, *generated], generated, strict=False) if here and not before)
    return (
        page.words(section) / WORDS
        + code / CODE_LINES
        + commands * COMMAND
        + text.count("**Predict") * PREDICTION
        + tables * TABLE
        + text.count("![") * PICTURE
    )


def _unfolded(lines: Iterable[Line]) -> Iterator[Line]:
    """Those that one sees without opening a fold."""
    depth = 0
    for line in lines:
        depth += line.text.count("<details>")
        if depth == 0:
            yield line
        depth -= line.text.count("</details>")


def _lines(lines: Iterable[str]) -> int:
    return sum(1 for line in lines if line.strip())


def _filled(text: str) -> str:
    return textwrap.fill(text, WIDTH, break_long_words=False, break_on_hyphens=False)


def _rounded(minutes: float) -> int:
    return -int(-minutes // ROUNDED_TO) * ROUNDED_TO


def _sum(exercises: Sequence[Exercise]) -> int:
    return sum(exercise.minutes for exercise in exercises)


def _named(exercises: Sequence[Exercise]) -> str:
    *first, last = [exercise.number for exercise in exercises]
    return f"{', '.join(first)} and {last}" if first else last

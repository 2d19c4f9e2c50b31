"""Figures of a sentence: ./lab docs fills in those that were measured, and docs --check finds those of which nobody says where
they come from.

    <!-- measured: n = 268,435,456; H200 -->           what follows on the page is about runs whose title begins so, on this GPU
    takes 738.3<!--=library--> µs                      a time, with as many decimals as stand there, in the unit that follows
    98<!--=6_wide.copy--> % of the copy's speed        or .peak, .gb, .gflop (GB/s, GFLOP/s), .error, .copies (with copies),
                                                       .items (of what the run counts, a second), .floor (rounded down)
    1.4<!--=6_wide / 5_wide--> times                   + - * / ( ) between blanks, and numbers
    1.4<!--=6_wide / 5_wide @ n = 4,096; H100-->       of another run on another GPU; @ n = 4,096, @ H100: of one of both
    1.4<!--=6_wide[n = 4,096] / 6_wide--> times        the same of one name; [n = 4,096; H100], [H100]
    350<!--=02:latency_of_global_memory_ns--> ns       of another chapter; of chapter 02 what it measured, by its name there
    20.5<!--='π from; 1; 1'--> s                       of a table of numbers: its title, a row's name, which column
    0.66<!--=9_wide in ms-->                           where the unit stands elsewhere, as in the head of a table
    44<!--in results/profiles/scan.log:12.3--> %       checked only: the third number of that line is this when it is rounded
    <!-- not measured: from a data sheet -->           below a paragraph: its other figures are none, but this
    With 33 · 16 = 528 tiles                           checked only: what is calculated on one line comes out so
    <!-- holds: n = 4,096 | 6_wide / 5_wide | 0.98 to 1.00 -->
                                                       below a sentence that compares two stages: the run's title,
                                                       and between which numbers the words are true, on each GPU of
                                                       which the lessons speak, or '0.98 to 1.00 on the H100'

A translation has the same figures: in its messages stands {6_wide.copy} for what the English page has.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from functools import cache, partial
from pathlib import Path

from lessons import tables
from lessons.page import CODE, COMMENT, Page
from reports import floors, results
from reports.results import Json
from shared import chapters
from shared.console import Failure

NUMBER = r"(\d[\d,]*(?:\.\d+)?)"
FIGURE = re.compile(rf"{NUMBER}<!--=(.+?)(?: in (\S+?))?-->")
MARKER = re.compile(r"<!--(?:=|in ).*")
FROM_LOG = re.compile(rf"{NUMBER}<!--in (\S+?):(\d+)\.(\d+)-->")
RUN = re.compile(r"<!-- measured: (.*?); (\S+) -->")
HOLDS = re.compile(r"<!-- holds: (.+?) \| (\S+ / \S+) \| ([\d.]+) to ([\d.]+)(?: on the (\S+))? -->")
SPOKEN_OF = ("H100", "H200")  # what is measured on another GPU makes no word false
NOT_MEASURED = "<!-- not measured: "
MOST_LOST = 0.5  # of a figure with a fraction, by rounding: more is a unit that is not the sentence's
UNITS = {"s": 1.0, "ms": 1e3, "µs": 1e6, "ns": 1e9, "%": 100.0, "1": 1.0}
UNITS |= {"GB/s": 1.0, "TB/s": 1e-3, "GFLOP/s": 1.0, "TFLOP/s": 1e-3}
UNIT = re.compile(r"[\s*]*(ns|µs|ms|s|[GT]B/s|[GT]FLOP/s|%)(?!\w)")
# What a reader takes for a measurement: with such a unit, or with a fraction and 'times' or ×.
UNSAID = re.compile(
    r"(?<![\w.,−-])\d[\d,]*(?:\.\d+)?(?:[\s*]*(?:ns|µs|ms|s|[GT]B/s|[GT]FLOP/s|%)(?!\w)|\.\d+ (?:times|×(?! \d)))"
)
# In a sentence: 64 · 132 = 8,448.
TERM = r"\(*(?:\d[\d,]*(?:\.\d+)?|π)[²³]?\)*[²³]?"
EQUATION = re.compile(
    rf"(?<=[^\s²³)\d·/+−×>] )({TERM}(?: [·/+−] {TERM})+) = (\d+(?:,\d{{3}})*(?:\.\d+)?)(?!\.?\d|[²³])( %|(?! [·/+−×]))"
)
IN_PYTHON = str.maketrans({"·": "*", "−": "-", "²": "**2", "³": "**3", "π": str(math.pi), ",": ""})
OPERAND = re.compile(
    r"(?:(?P<other>\d\d):)?'(?P<table>[^';]+); (?P<row>[^';]+); (?P<column>\d+)'"
    r"|(?P<constant>\d+(?:\.\d+)?)(?![\w:/.])"
    r"|(?:(?P<chapter>\d\d):)?(?P<name>\w+(?:/\w+)*)(?:\.(?P<field>[a-z]+))?(?:\[(?P<where>[^\]]+)\])?"
)
OPERATORS = re.compile(r" [-+*/] |[()]")
FIELDS = {
    "": ("seconds", 1.0),
    "copies": ("seconds_with_copies", 1.0),
    "gb": ("gb_per_s", 1.0),
    "gflop": ("gflop_per_s", 1.0),
    "items": ("mega_items_per_s", 1e6),
    "copy": ("percent_of_copy", 0.01),
    "peak": ("percent_of_peak", 0.01),
    "error": ("error", 1.0),
}
SECONDS_OF = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3}


def filled(lesson: Page, root: Path) -> list[str]:
    """The lines of a page with its figures as they were measured; what is in code stays as it is, and so does a figure that
    cannot be worked out, of which problems() tells."""
    found = lesson.text.splitlines()
    for number, line, _ in _worked_out(lesson, _Lookup(root, lesson.path.parent.name)):
        found[number - 1] = line
    return found


def _worked_out(lesson: Page, lookup: _Lookup) -> Iterator[tuple[int, str, list[str]]]:
    """Each line of prose as it should be, and what is wrong with its figures."""
    for line in (line for line in lesson.prose() if not line.generated):
        wrong: list[str] = []
        if run := RUN.search(line.source):
            lookup.title, lookup.gpu = run.groups()
        yield line.number, FIGURE.sub(partial(lookup.figure_or_why, wrong), line.source), wrong


def problems(lesson: Page, root: Path) -> Iterator[str]:
    """What a measurement may have, and nobody says where it comes from; and ratios that words rest on and that do not hold."""
    unsaid: list[str] = []
    lookup = _Lookup(root, lesson.path.parent.name)
    for number, line, wrong in _worked_out(lesson, lookup):
        place = f"{lesson.path.relative_to(root)}:{number}"
        yield from (f"{place}: {why}; the sentence may need other words" for why in wrong)
        if "<!-- holds:" in line:
            yield from (f"{place}: {why}" for why in _broken(line, lookup))
        for text, log, of_log, nth in FROM_LOG.findall(line):
            numbers = _numbers(root / log, int(of_log))
            if not any(_rounds_to(_value(number), text) for number in numbers[int(nth) - 1 : int(nth)]):
                yield f"{place}: {text} is not number {nth} of {log}:{of_log}, which has {' '.join(numbers) or 'none'}"
        text = CODE.sub("", FROM_LOG.sub("said", FIGURE.sub("said", line)))
        if marker := MARKER.search(text):
            yield f"{place}: this marker does not stand right behind a number, on one line: {marker[0]}"
        text = COMMENT.sub("", text)
        for left, shown, percent in EQUATION.findall(text):
            is_whole = left.count("(") == left.count(")")
            if is_whole and not _rounds_to(value := _calculated(left) * (100 if percent else 1), shown):
                yield f"{place}: {left} is not {shown}{percent}: it is {value:.6g}"
        if NOT_MEASURED in line:
            unsaid = []
        elif not line.strip(" >") or line.lstrip(" >").startswith("<!--"):
            yield from unsaid
            unsaid = []
        found = [match[0] for match in UNSAID.finditer(text)]
        unsaid += [f"{place}: where does {figure} come from? tools/lessons/figures.py shows how to say it" for figure in found]
    yield from unsaid


def _broken(line: str, lookup: _Lookup) -> Iterator[str]:
    match = HOLDS.search(line)
    if match is None:
        yield f"this marker is not complete: {line.strip()}"
        return
    title, ratio, least, most, device = match.groups()
    for gpu in [device] if device else SPOKEN_OF:
        try:
            value = lookup.evaluated(f"{ratio} @ {title}; {gpu}")
        except Failure as failure:
            yield str(failure)
            continue
        if not float(least) <= value <= float(most):
            yield f"on the {gpu}, {ratio} is {value:.3f}, and the text needs {least} to {most}"


def named(message: str) -> str:
    """A translator's message: the figures by where they come from, {6_wide.copy}."""
    return FIGURE.sub(lambda match: f"{{{match[2]}}}", FROM_LOG.sub(r"\1", message))


def without_markers(text: str) -> str:
    return FIGURE.sub(r"\1", FROM_LOG.sub(r"\1", text))


def put(translation: str, english: str) -> str:
    """The translation with the figures of the English, each as often as it has it there."""
    for match in FIGURE.finditer(english):
        translation = translation.replace(f"{{{match[2]}}}", match[1], 1)
    return translation


def _numbers(log: Path, line: int) -> list[str]:
    lines = log.read_text(encoding="utf-8").splitlines() if log.is_file() else []
    return re.findall(NUMBER, "".join(lines[line - 1 : line]))


def _rounds_to(value: float, text: str) -> bool:
    return abs(value - _value(text)) <= 0.5001 * 10.0 ** -_decimals(text)


def _calculated(left: str) -> float:
    return float(eval(left.translate(IN_PYTHON), {"__builtins__": {}}))  # noqa: S307  # as EQUATION has it


def _value(text: str) -> float:
    return float(text.replace(",", ""))


def _decimals(text: str) -> int:
    return len(text.partition(".")[2])


class _Lookup:
    """What was measured, seen from a place of a page."""

    def __init__(self, root: Path, chapter: str) -> None:
        self.root = root
        self.chapter = chapter
        self.title, self.gpu = "", ""

    def figure_or_why(self, wrong: list[str], match: re.Match[str]) -> str:
        """The figure, or itself unchanged and why it cannot be worked out."""
        try:
            return self.figure(match)
        except Failure as failure:
            wrong.append(str(failure))
            return match[0]

    def figure(self, match: re.Match[str]) -> str:
        """The figure and its marker, as they should be."""
        shown, asked, unit = match.groups()
        if not unit:
            unit = found[1] if (found := UNIT.match(match.string, match.end())) else ""
            if not match.string[match.end() :].strip():
                raise Failure(
                    f"the figure '{asked}' ends its line, and its unit is looked for behind it: say ' in UNIT', or ' in 1'"
                )
        if unit and unit not in UNITS:
            raise Failure(f"'{unit}' is no unit that a figure can have; there are: {', '.join(UNITS)}")
        value = self.evaluated(asked) * UNITS.get(unit, 1.0)
        if re.fullmatch(r"[\w/]+\.floor(\[.+\]| @ .+)?", asked):  # at least so much: rounded down
            value = math.floor(value * 10.0 ** _decimals(shown)) / 10.0 ** _decimals(shown)
        number = f"{value:,.{_decimals(shown)}f}"
        if number.startswith("-"):
            raise Failure(f"the figure '{asked}' is negative: {number}")
        if abs(float(number.replace(",", "")) - value) > (MOST_LOST if "." in number else 0.99) * value:
            raise Failure(f"the figure '{asked}' would be shown as {number}: is its unit behind it? else say ' in UNIT'")
        return number + match[0].removeprefix(shown)

    def evaluated(self, asked: str) -> float:
        """A number of what was measured, as the markers write it."""
        at, parts = 0, []
        asked, _, where = asked.partition(" @ ")
        while at < len(asked):
            if operator := OPERATORS.match(asked, at):
                parts.append(operator[0])
                at = operator.end()
            elif operand := OPERAND.match(asked, at):
                parts.append(repr(self._operand(operand, operand["where"] or where)))
                at = operand.end()
            else:
                raise Failure(f"'{asked[at:]}' of the figure '{asked}' is no stage, number or operator")
        try:
            return float(eval("".join(parts), {"__builtins__": {}}))  # noqa: S307  # numbers, + - * / ( )
        except (SyntaxError, ZeroDivisionError, TypeError) as error:
            raise Failure(f"the figure '{asked}' cannot be worked out") from error

    def _operand(self, operand: re.Match[str], where: str) -> float:
        if operand["constant"]:
            return float(operand["constant"])
        title, gpu, entry = self._entry(operand["chapter"] or operand["other"], where)
        if operand["table"]:
            return _cell(entry, operand["table"], operand["row"], int(operand["column"]))
        name, field = operand["name"], operand["field"] or ""
        if name in (measured := entry.get("measured") or {}):
            return float(measured[name]) * SECONDS_OF.get(name.rpartition("_")[2], 0.01 if name.endswith("_percent") else 1.0)
        if name in (peak := entry.get("peak") or {}):
            return float(peak[name])
        if name == "copy_gb_per_s":
            return float(entry[name])
        rows = list(_rows(entry, title, name))
        if len(rows) != 1:
            runs = "no run" if not rows else f"{len(rows)} runs"
            raise Failure(f"on the {gpu}, {runs} of {entry['chapter']} with '{title}…' as title has {name}")
        if field == "floor" and "floor" in rows[0]:
            return float(rows[0]["floor"].seconds)
        key, factor = FIELDS.get(field, ("", 1.0))
        if rows[0].get(key) is None:
            raise Failure(f"{name} has no '.{field}' there; fields are: .{', .'.join([*filter(None, FIELDS), 'floor'])}")
        return float(rows[0][key]) * factor

    def _entry(self, number: str | None, where: str) -> tuple[str, str, Json]:
        """The title of the runs that are meant, the GPU, and what was measured there of the chapter."""
        chapter = next((name for name in chapters.discover(self.root) if name.startswith(f"{number}_")), self.chapter)
        entries = _entries(self.root, chapter)
        title, semicolon, gpu = where.partition("; ")
        if not semicolon and where and any(where in name for name in entries):
            title, gpu = "", where
        title, gpu = title or self.title, gpu or self.gpu
        if not gpu:
            raise Failure("a figure needs a line <!-- measured: TITLE; GPU --> above it")
        for name, entry in entries.items():
            if gpu in name:
                return title, name, entry
        raise Failure(f"nothing of {chapter} was measured on a GPU named '{gpu}'")


@cache
def _entries(root: Path, chapter: str) -> dict[str, Json]:
    """By GPU."""
    gpus = results.load_gpus(root / "results")
    return {gpu["device"]: floors.with_floors(gpu, chapter) for gpu in gpus if chapter in gpu["chapters"]}


def _rows(entry: Json, title: str, name: str) -> Iterator[Json]:
    """Of the runs whose title begins so; of the one whose title is just that, where there is one."""
    begins = re.compile(re.escape(title) + r"(?![\d,]*\d)")
    runs = [run for run in tables.stage_runs(entry) if begins.match(tables.run_title(run))]
    exact = [run for run in runs if tables.run_title(run) == title]
    return (row for run in exact or runs for row in run["stages"] if row["name"] == name)


def _cell(entry: Json, title: str, row: str, column: int) -> float:
    for numbers in (each for each in entry.get("tables", []) if each["title"].startswith(title)):
        for name, *values in numbers["rows"]:
            if name == row and column <= len(values):
                return float(values[column - 1])
    raise Failure(f"{entry['chapter']} has no table '{title}…' with a row '{row}' and a column {column}")

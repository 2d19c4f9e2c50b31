"""Keeps the generated parts of the lessons current: excerpts of the sources, tables and charts of the results.

In every README.md, and in the other Markdown files of results/ and of a chapter's folder, where a long lesson goes on,
    <!-- excerpt: 3_warp_scan.cu scan_warp -->           the fenced block after it shows that definition (or several);
    <!-- excerpt: main.cpp lines "start" .. "end" -->    or the lines from the one with "start" to the one with "end"
    <!-- results: 03_vector_add --> … <!-- /results -->  holds the chapter's charts, and folded, the measured tables
    <!-- results: 03_vector_add | 1, 5, library -->      holds the same of some stages, named as for --stage;
                                                         a table without stages is named by its title up to a comma
    <!-- results: summary --> … <!-- /results -->        holds what all chapters gained
    <!-- counts: vector_add --n 65536 | global loads, barriers --> … <!-- /counts -->
                                                         holds columns of what ./lab count kept of a command line;
                                                         a list of stages may follow, after another |
    <!-- roofline: vector_add --n 65536 | 1 --> … <!-- /roofline -->
                                                         shows NN_name/roofline.svg, of a page but README
                                                         roofline_PAGE.svg; roofline.py says more
    <!-- nsight: 03_vector_add/5_vectorized … --> … <!-- /nsight -->
                                                         compares that with what ./lab count --ncu kept, for some stages
    <!-- floors --> … <!-- /floors -->                   compares the recorded times of all stages with their floors
    <!-- watch: 5 2 | picture=rounds | text --> … <!-- /watch -->
                                                         shows a picture of what threads did; watched.py says more
    <!-- sketch: 6_register_tile | text --> … <!-- /sketch -->
                                                         shows the sketch of a stage's idea; sketch.py says more
    <!-- sass: 5 5 | dot<true> | loop --> … <!-- /sass -->
                                                         shows machine code; machine_code.py says more
    <!-- minutes --> … <!-- /minutes -->                 says how long the lesson takes
and in COURSE.md
    <!-- minutes: all --> … <!-- /minutes -->            is a table of what all lessons take and need
    <!-- minutes: rates --> … <!-- /minutes -->          says how that was computed
    <!-- plan: core, at most 480 minutes | 01 1.1; 02 2.1 --> … <!-- /plan -->
                                                         is a table of sessions; course.py says more
and course.svg shows which chapter builds on which; front_page.py says what else README.md has, and figures.py how the figures
of sentences are filled in. In a chapter's folder, results.svg is the chart of the stages that its README.md shows,
results_PAGE.svg that of another page, results_by_n.svg and results_PAGE_by_n.svg the curves of these stages where many sizes
were measured, roofline.svg the chart below the roofs, curve.svg the chapter's curve if it has one, results_by_variant.svg that
of a stage's variants by their number, and timeline.svg what copies and kernels did when. Markers inside fenced blocks are left
alone.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from lessons import (
    attention_sketches,
    chart,
    counted,
    course,
    excerpt,
    figures,
    floored,
    front_page,
    machine_code,
    matrix_sketches,
    minutes,
    roofline,
    tables,
    timeline,
    watched,
)
from lessons.watched import Picture
from reports import counts, floors, results
from reports.results import Json
from shared import chapters, console
from shared.console import Failure

EXCERPT = re.compile(r"<!-- excerpt: (\S+) (.+?) -->")
EXCERPT_LINES = re.compile(r'lines "(.+)" \.\. "(.+)"')
RESULTS = re.compile(r"<!-- results: (\S+)(?: \| (.+?))? -->")
COUNTS = re.compile(r"<!-- counts: (.+?)(?: \| (.+?))?(?: \| (.+?))? -->")
ROOFLINE = re.compile(r"<!-- roofline: (.+?) \| (\d+) -->")
NSIGHT_OR_FLOORS = re.compile(r"<!-- (?:(nsight): (.+?)|(floors)) -->")
WATCH = re.compile(r"<!-- watch: (.+?) \| (.+?) \| (.+?) -->")
SKETCHES = {"11_matrix_multiply": matrix_sketches.SKETCHES, "15_attention": attention_sketches.SKETCHES}
SKETCH = re.compile(r"<!-- sketch: (\S+) \| (.+?) -->")
MINUTES = re.compile(r"<!-- minutes(?:: (all|rates))? -->")
MARKER = re.compile(r"<!-- (?:excerpt|results|counts|roofline|nsight|watch|sketch|sass|minutes|plan|floors)\b")
RESULTS_END = "<!-- /results -->"
COUNTS_END = "<!-- /counts -->"
ROOFLINE_END = "<!-- /roofline -->"
WATCH_END = "<!-- /watch -->"
SKETCH_END = "<!-- /sketch -->"
MINUTES_END = "<!-- /minutes -->"
PLAN_END = "<!-- /plan -->"
FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
LANGUAGES = {".cu": "cuda", ".cuh": "cuda", ".cpp": "cpp", ".h": "cpp", ".py": "python", ".txt": "cmake"}


@dataclass
class Stale:
    """The generated parts that are out of date."""

    files: dict[Path, str | None]  # with the text that they should have; None: no such file
    pictures: list[Picture]  # all of watched threads; to draw them takes a build and a browser
    skipped: list[str]  # places whose excerpts of machine code cannot be made here


def stale(root: Path) -> Stale:
    gpus = results.load_gpus(root / "results")
    pictures: dict[Path, Picture] = {}
    charts: dict[Path, Sequence[str]] = {}
    drawn: dict[Path, str] = {}
    skipped: list[str] = []
    wanted: dict[Path, str | None] = {
        path: _weave(path, root, gpus, pictures, charts, drawn, skipped) for path in _lessons(root)
    }
    if front := wanted.get(root / front_page.PAGE):
        wanted |= front_page.woven(root, front)
    wanted[root / "course.svg"] = course.picture(root)
    wanted |= {path: _chart(path.parent.name, gpus, stages) for path, stages in charts.items()}
    wanted |= {path.with_stem(f"{path.stem}_by_n"): _sweep(path.parent.name, gpus, stages) for path, stages in charts.items()}
    wanted |= drawn
    for chapter in chapters.discover(root):
        generated = [*(root / chapter).glob("results*.svg"), *(root / chapter).glob("roofline*.svg")]
        for path in (*generated, *(root / chapter / "pictures").glob("sketch_*.svg")):
            wanted.setdefault(path, None)  # of a page or a marker that is gone
        wanted[root / chapter / "results_by_variant.svg"] = _variants(chapter, gpus)
        wanted[root / chapter / "curve.svg"] = _curve(chapter, gpus)
        wanted[root / chapter / "timeline.svg"] = _timeline(chapter, gpus)
    wanted |= dict.fromkeys(watched.unwanted(root, list(pictures.values())))
    return Stale(
        {path: text for path, text in wanted.items() if _text_of(path) != text},
        [picture for _, picture in sorted(pictures.items())],
        skipped,
    )


def regenerate(files: Mapping[Path, str | None]) -> None:
    """Gives the files the text that they should have."""
    for path, text in files.items():
        if text is None:
            path.unlink()
        else:
            console.write_file(path, text)


def _lessons(root: Path) -> list[Path]:
    """Every README.md, COURSE.md, and all Markdown files in results/ and in the folders of the chapters."""
    found = {path for chapter in chapters.discover(root) for path in (root / chapter).glob("*.md")}
    found |= {path for path in (root / "COURSE.md", *(root / "results").glob("*.md")) if path.is_file()}
    for folder, folders, files in os.walk(root):
        folders[:] = [name for name in folders if name != "build" and not name.startswith(".")]
        if "README.md" in files:
            found.add(Path(folder, "README.md"))
    return sorted(found)


def _text_of(path: Path) -> str | None:
    return path.read_text(encoding="utf-8") if path.exists() else None


def _chart(chapter: str, gpus: Sequence[Json], stages: Sequence[str]) -> str | None:
    """The chart of some stages (none: of all) on the GPU that was measured last, or of the bandwidths of chapter 02; None
    when no GPU measured them."""
    if entry := _last_measured(chapter, gpus, lambda entry: tables.shown_runs(entry, stages)):
        return chart.stage_chart(entry, stages)
    entry = _last_measured(chapter, gpus, tables.bandwidths)
    return chart.bandwidth_chart(entry) if entry else None


def _curve(chapter: str, gpus: Sequence[Json]) -> str | None:
    """The same of a chapter's curve."""
    entry = _last_measured(chapter, gpus, tables.curve_of)
    numbers = tables.curve_of(entry) if entry else None
    return chart.curve_chart(entry, numbers) if entry and numbers else None


def _sweep(chapter: str, gpus: Sequence[Json], stages: Sequence[str]) -> str | None:
    """The same of the stages' times at many sizes."""
    entry = _last_measured(chapter, gpus, lambda entry: tables.sweep(entry, stages))
    if not entry:
        return None
    (gpu,) = [gpu for gpu in gpus if gpu["chapters"].get(chapter) is entry]
    runs = tables.sweep(entry, stages)
    return chart.sweep_chart(entry, stages, floors.zones(gpu, chapter, runs, [tables.size_of(run).value for run in runs]))


def _variants(chapter: str, gpus: Sequence[Json]) -> str | None:
    """The same of the times of a stage whose variants differ in a number."""
    entry = _last_measured(chapter, gpus, tables.sweep_of_variants)
    return chart.variants_chart(entry) if entry else None


def _timeline(chapter: str, gpus: Sequence[Json]) -> str | None:
    """The same of the timelines that a program recorded."""
    entry = _last_measured(chapter, gpus, lambda entry: entry.get("timelines"))
    return timeline.timeline_chart(entry) if entry else None


def _last_measured(chapter: str, gpus: Sequence[Json], has: Callable[[Json], object]) -> Json | None:
    entries = [gpu["chapters"][chapter] for gpu in gpus if chapter in gpu["chapters"]]
    return tables.last_measured(filter(has, entries))


def _weave(
    path: Path,
    root: Path,
    gpus: Sequence[Json],
    pictures: dict[Path, Picture],
    charts: dict[Path, Sequence[str]],
    drawn: dict[Path, str],
    skipped: list[str],
) -> str:
    """The lesson's text with its generated parts as they should be. Adds what it shows: the pictures of watched threads,
    the charts, each with the stages that are on it (none: all), and other charts as they should be. Adds to skipped the
    places whose machine code may be stale, where it cannot be made."""
    lines = figures.filled(path.read_text(encoding="utf-8").splitlines(), path, root)
    woven: list[str] = []
    at = 0
    while at < len(lines):
        line = lines[at]
        where = f"{path.relative_to(root)}:{at + 1}"
        at += 1
        woven.append(line)
        if match := EXCERPT.fullmatch(line.strip()):
            woven += _excerpt_block(path.parent, match[1], match[2], where)
            at = _after_block(lines, at)
        elif match := RESULTS.fullmatch(line.strip()):
            at = _find_line(lines, at, RESULTS_END, where)
            woven += ["", *_results_part(path, root, match[1], _listed(match[2]), gpus, where, charts).splitlines(), ""]
        elif match := COUNTS.fullmatch(line.strip()):
            at = _find_line(lines, at, COUNTS_END, where)
            table = _counts_part(root, path.parent.name, match[1], _listed(match[2]), _listed(match[3]), where)
            woven += ["", *table.splitlines(), ""]
        elif match := ROOFLINE.fullmatch(line.strip()):
            at = _find_line(lines, at, ROOFLINE_END, where)
            woven += ["", *_roofline_part(path, root, match[1], int(match[2]), gpus, where, drawn).splitlines(), ""]
        elif match := NSIGHT_OR_FLOORS.fullmatch(line.strip()):
            at = _find_line(lines, at, f"<!-- /{match[1] or match[3]} -->", where)
            compared = floored.overview(gpus) if match[3] else _nsight_part(root, match[2].split(), where)
            woven += ["", *compared.splitlines(), ""]
        elif match := WATCH.fullmatch(line.strip()):
            at = _find_line(lines, at, WATCH_END, where)
            with _placed(where):
                picture = watched.picture(root, match[1], match[2], match[3])
            pictures[picture.path] = picture
            woven += ["", *picture.lesson_part(path.parent).splitlines(), ""]
        elif match := SKETCH.fullmatch(line.strip()):
            at = _find_line(lines, at, SKETCH_END, where)
            with _placed(where):
                woven += ["", _sketch_part(path.parent, match[1], match[2], drawn), ""]
        elif match := machine_code.MARKER.fullmatch(line.strip()):
            end = _find_match(lines, at, machine_code.END, where)
            with _placed(where):
                asked = machine_code.excerpt(root, match[1], match[2], match[3])
                part = machine_code.woven(asked, lines[at : end - 1], lines[end - 1])
            woven += part or lines[at:end]
            skipped += [where] if part is None else []
            at = end
        elif match := MINUTES.fullmatch(line.strip()):
            at = _find_line(lines, at, MINUTES_END, where)
            with _placed(where):
                woven += ["", *_minutes_part(path, root, match[1]).splitlines(), ""]
        elif match := course.PLAN.fullmatch(line.strip()):
            at = _find_line(lines, at, PLAN_END, where)
            with _placed(where):
                woven += ["", *course.plan(root, match[2], match[3]).splitlines(), ""]
        elif FENCE.match(line):
            end = _after_block(lines, at - 1)
            woven += lines[at:end]
            at = end
        else:
            _require_no_marker(line, where)
    return "\n".join(woven) + "\n"


def _require_no_marker(line: str, where: str) -> None:
    if MARKER.match(line.strip()):
        raise Failure(f"{where}: this marker is not complete: {line.strip()}")


def _excerpt_block(folder: Path, file: str, what: str, where: str) -> list[str]:
    source_path = folder / file
    if not source_path.is_file():
        raise Failure(f"{where}: the excerpt's file '{file}' is not there")
    source = source_path.read_text(encoding="utf-8")
    if match := EXCERPT_LINES.fullmatch(what):
        pieces = {what: excerpt.lines_between(source, match[1], match[2])}
    else:
        pieces = {name: excerpt.definition(source, name) for name in what.split()}
    for name, text in pieces.items():
        if text is None:
            raise Failure(f"{where}: '{file}' holds no {name if match else repr(name)}")
    text = "\n\n".join(str(piece) for piece in pieces.values())
    return [f"```{LANGUAGES.get(source_path.suffix, '')}", *text.splitlines(), "```"]


def _after_block(lines: Sequence[str], at: int) -> int:
    """The index after the fenced block that begins at this line; the same index when none begins there."""
    fence = FENCE.match(lines[at]) if at < len(lines) else None
    if not fence:
        return at
    for end in range(at + 1, len(lines)):
        closing = lines[end].strip()
        if closing.startswith(fence[1]) and not closing.strip(fence[1][0]):
            return end + 1
    return len(lines)


def _find_line(lines: Sequence[str], at: int, text: str, where: str) -> int:
    for index in range(at, len(lines)):
        if lines[index].strip() == text:
            return index
    raise Failure(f"{where}: there is no {text} after this marker")


def _find_match(lines: Sequence[str], at: int, end: re.Pattern[str], where: str) -> int:
    """The index after the next line that matches."""
    for index in range(at, len(lines)):
        if end.fullmatch(lines[index].strip()):
            return index + 1
    raise Failure(f"{where}: there is no {end.pattern} after this marker")


def _listed(text: str | None) -> list[str]:
    return text.split(", ") if text else []


def _kept_counts(root: Path, chapter: str, command: str, where: str) -> Json:
    entry = next((entry for entry in counts.kept(root, chapter) or [] if entry["command"] == command), None)
    if entry is None:
        raise Failure(f"{where}: ./lab count has kept nothing of '{command}' for {chapter}")
    return entry


def _counts_part(root: Path, chapter: str, command: str, columns: Sequence[str], stages: Sequence[str], where: str) -> str:
    entry = _kept_counts(root, chapter, command, where)
    with _placed(where):
        table = counted.chapter_table(chapter, entry, columns, stages)
    return f"{table}\n\n*Counted: `./lab count {chapters.number(chapter)}`, of `{command}`.*"


def _roofline_part(
    page: Path, root: Path, command: str, operations: int, gpus: Sequence[Json], where: str, drawn: dict[Path, str]
) -> str:
    """Shows the chart of the GPU that was measured last, which it adds to `drawn`."""
    chapter = page.parent.name
    counted_there = _kept_counts(root, chapter, command, where)
    with_roofs = [gpu for gpu in gpus if roofline.roofs(gpu)]
    entry = _last_measured(chapter, with_roofs, tables.stage_runs)
    if not entry:
        numbers = f"2 {chapters.number(chapter)}"
        return f"*Nothing has been measured yet: `./lab bench {numbers}` on a machine with an NVIDIA GPU does it.*"
    gpu = next(gpu for gpu in with_roofs if gpu["chapters"].get(chapter) is entry)
    with _placed(where):
        below = roofline.roofs(gpu)
        assert below
        file = "roofline.svg" if page.name == "README.md" else f"roofline_{page.stem}.svg"
        drawn[page.with_name(file)] = roofline.roofline_chart(entry, counted_there, operations, below)
    return f"![The stages of {chapter} below the roofs that memory and cores set]({file})"


def _sketch_part(folder: Path, stage: str, alternative: str, drawn: dict[Path, str]) -> str:
    draw = SKETCHES.get(folder.name, {}).get(stage)
    if draw is None:
        raise Failure(f"nothing draws a sketch of '{stage}'")
    path = folder / "pictures" / f"sketch_{stage}.svg"
    drawn[path] = draw(folder).svg()
    return f"![{alternative}](pictures/{path.name})"


def _nsight_part(root: Path, stages: Sequence[str], where: str) -> str:
    with _placed(where):
        return counted.comparison(root, stages)


def _minutes_part(path: Path, root: Path, what: str | None) -> str:
    if what == "all":
        return course.overview(root)
    return minutes.rates() if what == "rates" else minutes.sentence(path, root)


@contextlib.contextmanager
def _placed(where: str) -> Iterator[None]:
    """Puts the marker's file and line before what fails inside."""
    try:
        yield
    except Failure as failure:
        raise Failure(f"{where}: {failure}") from failure


def _results_part(
    page: Path,
    root: Path,
    name: str,
    stages: Sequence[str],
    gpus: Sequence[Json],
    where: str,
    charts: dict[Path, Sequence[str]],
) -> str:
    if name == "summary":
        return tables.summary_table(gpus, "../" * len(page.parent.relative_to(root).parts))
    chapter_path = root / name
    if name not in chapters.discover(root):
        raise Failure(f"{where}: there is no chapter '{name}'")
    prefix = os.path.relpath(chapter_path, page.parent) + "/"
    chart_name = "results.svg" if page.stem == "README" else f"results_{page.stem}.svg"
    if page.parent == chapter_path or not stages:
        charts[chapter_path / chart_name] = stages
    with _placed(where):
        entry = _last_measured(name, gpus, lambda entry: tables.shown_runs(entry, stages))
        how_to_read = chart.how_to_read(entry, stages) if entry else chart.BANDWIDTHS_READ
        prefix = "" if prefix == "./" else prefix
        return tables.chapter_tables(name, gpus, chapter_path, prefix, stages, chart_name, how_to_read)

"""Keeps the generated parts of the lessons current: excerpts of the sources, tables and charts of the results.

In every README.md, and in the other Markdown files of results/ and of a chapter's folder, where a long lesson goes on,
    <!-- excerpt: 3_warp_scan.cu scan_warp -->           the fenced block after it shows that definition (or several);
    <!-- excerpt: main.cpp lines "start" .. "end" -->    or the lines from the one with "start" to the one with "end"
    <!-- results: 03_vector_add --> … <!-- /results -->  holds the chapter's charts, and folded, the measured tables
    <!-- results: 03_vector_add | 1, 5, library -->      holds the same of some stages, named as for --stage;
                                                         a table without stages is named by its title up to a comma
    <!-- results: summary --> … <!-- /results -->        holds what all chapters gained
    <!-- payoff: 2, 3, library --> … <!-- /payoff -->    says of some stages of the chapter what each brought, at the size that
                                                         stands for it, or after another | at the one with that title
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
    <!-- sass: 5 5 | dot<true> | loop --> … <!-- /sass -->
                                                         shows machine code; machine_code.py says more
    <!-- minutes --> … <!-- /minutes -->                 says how long the lesson takes
    <!-- around --> … <!-- /around -->                   leads to the lessons before and after this one
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

import inspect
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from lessons import (
    chart,
    counted,
    course,
    excerpt,
    figures,
    floored,
    front_page,
    machine_code,
    minutes,
    roofline,
    tables,
    timeline,
    watched,
)
from lessons.page import PICTURES, TABLES, Page, after_block
from lessons.watched import Picture
from notebooks import lesson
from reports import counts, floors, results
from reports.results import Json
from shared import chapters, console
from shared.console import Failure
from shared.language import ENGLISH

COUNTS = re.compile(r"<!-- counts: (.+?)(?: \| (.+?))?(?: \| (.+?))? -->")
MARKER = re.compile(rf"<!-- (excerpt|{TABLES}|{PICTURES})\b(?:: (.+))? -->")
LINES = re.compile(r'lines "(.+)" \.\. "(.+)"')
CHARTS: dict[str, tuple[Callable[[Json], object], Callable[[Json], str]]] = {  # of a chapter that has something
    "results_by_variant.svg": (tables.sweep_of_variants, chart.variants_chart),
    "curve.svg": (tables.curve_of, chart.curve_chart),
    "timeline.svg": (lambda entry: entry.get("timelines"), timeline.timeline_chart),
}
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
        path: _Page(path, root, gpus, pictures, charts, drawn, skipped).woven() for path in _lessons(root)
    }
    if front := wanted.get(root / front_page.PAGE):
        wanted |= front_page.woven(root, front)
    if (colab := root / lesson.COLAB).is_file():
        wanted[colab] = lesson.Notebook(root, chapters.discover(root)[0], ENGLISH).written()
    wanted[root / "course.svg"] = course.picture(root)
    wanted |= {path: _chart(path.parent.name, gpus, stages) for path, stages in charts.items()}
    wanted |= {path.with_stem(f"{path.stem}_by_n"): _sweep(path.parent.name, gpus, stages) for path, stages in charts.items()}
    wanted |= drawn
    for chapter in chapters.discover(root):
        generated = [*(root / chapter).glob("results*.svg"), *(root / chapter).glob("roofline*.svg")]
        for path in generated:
            wanted.setdefault(path, None)  # of a page or a marker that is gone
        for name, (has, draw) in CHARTS.items():
            gpu = tables.last_gpu(chapter, gpus, has)
            wanted[root / chapter / name] = draw(gpu["chapters"][chapter]) if gpu else None
    wanted |= dict.fromkeys(watched.unwanted(root, list(pictures.values())))
    return Stale(
        {path: text for path, text in wanted.items() if (path.read_text(encoding="utf-8") if path.exists() else None) != text},
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
    return sorted(found | {path for path in chapters.files(root) if path.name == "README.md"})


def _chart(chapter: str, gpus: Sequence[Json], stages: Sequence[str]) -> str | None:
    """The chart of some stages (none: of all) on the GPU that was measured last, or of the bandwidths of chapter 02; None
    when no GPU measured them."""
    if gpu := tables.last_gpu(chapter, gpus, lambda entry: tables.shown_runs(entry, stages)):
        return chart.stage_chart(gpu["chapters"][chapter], stages)
    gpu = tables.last_gpu(chapter, gpus, tables.bandwidths)
    return chart.bandwidth_chart(gpu["chapters"][chapter]) if gpu else None


def _sweep(chapter: str, gpus: Sequence[Json], stages: Sequence[str]) -> str | None:
    """The same of the stages' times at many sizes."""
    gpu = tables.last_gpu(chapter, gpus, lambda entry: tables.sweep(entry, stages))
    if not gpu:
        return None
    entry = gpu["chapters"][chapter]
    runs = tables.sweep(entry, stages)
    return chart.sweep_chart(entry, stages, floors.zones(gpu, chapter, runs, [tables.size_of(run).value for run in runs]))


def _of_cores(gpu: Json) -> float:
    """The GFLOP/s of ordinary cores with floats; no end of them where chapter 02 wasn't run."""
    return float((gpu["chapters"].get(floors.CEILINGS_OF, {}).get("peak") or {}).get("gflop_per_s") or math.inf)


@dataclass
class _Page:
    """A page with its generated parts. Adds what it shows: to pictures those of watched threads, to charts each with the stages
    that are on it (none: all), to drawn rooflines as they should be. Adds to skipped the places whose machine code may be
    stale, where it cannot be made."""

    path: Path
    root: Path
    gpus: Sequence[Json]
    pictures: dict[Path, Picture]
    charts: dict[Path, Sequence[str]]
    drawn: dict[Path, str]
    skipped: list[str]

    @property
    def folder(self) -> Path:
        return self.path.parent

    def woven(self) -> str:
        """The text as it should be."""
        lines = figures.filled(Page(self.path), self.root)
        woven: list[str] = []
        at = 0
        while at < len(lines):
            line, where = lines[at], f"{self.path.relative_to(self.root)}:{at + 1}"
            woven.append(line)
            if match := MARKER.fullmatch(line.strip()):
                end = _end_of_part(match[1], lines, at, where)
                try:
                    woven += self._part(match[1], match[2], where, lines[at + 1 : end])
                except Failure as failure:
                    raise Failure(f"{where}: {failure}") from failure
            else:
                end = max(at + 1, after_block(lines, at))
                woven += lines[at + 1 : end]
            at = end
        return "\n".join(woven) + "\n"

    def _part(self, kind: str, text: str | None, where: str, old: Sequence[str]) -> list[str]:
        """What shall stand after a marker, up to its end, or with it where that is made anew as well."""
        make = getattr(self, f"_{kind}")
        asked = text.split(*((" ", 1) if kind == "excerpt" else (" | ", 2))) if text else []
        if kind == "sass":
            make = partial(make, where, old)
        try:
            inspect.signature(make).bind(*asked)
        except TypeError:
            raise Failure(f"this marker is not complete: <!-- {kind}: {text} -->") from None
        made = str(make(*asked)).splitlines()
        return made if kind in ("excerpt", "sass") else ["", *made, ""]

    def _excerpt(self, file: str, what: str) -> str:
        path = self.folder / file
        if not path.is_file():
            raise Failure(f"the excerpt's file '{file}' is not there")
        source = path.read_text(encoding="utf-8")
        if match := LINES.fullmatch(what):
            pieces = {what: excerpt.lines_between(source, match[1], match[2])}
        else:
            pieces = {repr(name): excerpt.definition(source, name) for name in what.split()}
        for name, piece in pieces.items():
            if piece is None:
                raise Failure(f"'{file}' holds no {name}")
        texts = "\n\n".join(str(piece) for piece in pieces.values())
        return f"```{LANGUAGES.get(path.suffix, '')}\n{texts}\n```"

    def _results(self, name: str, stages: str = "") -> str:
        if name == "summary":
            return tables.summary_table(self.gpus)
        if name != self.folder.name:
            raise Failure(f"there is no chapter '{name}' in this folder")
        asked = _listed(stages)
        chart_name = "results.svg" if self.path.stem == "README" else f"results_{self.path.stem}.svg"
        self.charts[self.folder / chart_name] = asked
        gpu = tables.last_gpu(name, self.gpus, lambda entry: tables.shown_runs(entry, asked))
        how_to_read = chart.how_to_read(gpu["chapters"][name], asked, _of_cores(gpu)) if gpu else chart.BANDWIDTHS_READ
        return tables.chapter_tables(name, self.gpus, self.folder, asked, chart_name, how_to_read)

    def _payoff(self, stages: str, title: str = "") -> str:
        asked = _listed(stages)
        chapter = self.folder.name
        gpu = tables.last_gpu(chapter, self.gpus, lambda entry: tables.shown_runs(entry, asked))
        if not gpu:
            return tables.nothing_measured(chapters.number(chapter))
        return tables.payoff(gpu["chapters"][chapter], asked, title, self.folder)

    def _counts(self, command: str, columns: str = "", stages: str = "") -> str:
        chapter = self.folder.name
        header, rows = counted.chapter_table(chapter, self._kept_counts(command), _listed(columns), _listed(stages))
        return f"{tables.table(header, rows)}\n\n*Counted: `./lab count {chapters.number(chapter)}`, of `{command}`.*"

    def _roofline(self, command: str, operations: str) -> str:
        """Shows the chart of the GPU that was measured last."""
        chapter = self.folder.name
        kept = self._kept_counts(command)
        gpu = tables.last_gpu(chapter, filter(roofline.roofs, self.gpus), tables.stage_runs)
        if not gpu:
            return tables.nothing_measured(2, chapters.number(chapter))
        file = "roofline.svg" if self.path.name == "README.md" else f"roofline_{self.path.stem}.svg"
        self.drawn[self.path.with_name(file)] = roofline.roofline_chart(gpu, chapter, kept, int(operations))
        return f"![The stages of {chapter} below the roofs that memory and cores set]({file})"

    def _kept_counts(self, command: str) -> Json:
        chapter = self.folder.name
        entry = counts.kept_of(self.root, chapter, command)
        if entry is None:
            raise Failure(f"./lab count has kept nothing of '{command}' for {chapter}")
        return entry

    def _nsight(self, stages: str) -> str:
        return counted.comparison(self.root, stages.split())

    def _floors(self) -> str:
        return floored.overview(self.gpus)

    def _watch(self, command: str, options: str, alternative: str) -> str:
        picture = watched.picture(self.root, command, options, alternative)
        self.pictures[picture.path] = picture
        return picture.lesson_part(self.folder)

    def _sass(self, where: str, old: Sequence[str], source: str, kernel: str, shown: str) -> str:
        part = machine_code.woven(machine_code.excerpt(self.root, source, kernel, shown), old[:-1], old[-1])
        self.skipped += [where] if part is None else []
        return "\n".join(part or old)

    def _minutes(self, what: str = "") -> str:
        if what == "all":
            return course.overview(self.root)
        return minutes.rates() if what == "rates" else minutes.sentence(self.path, self.root)

    def _around(self) -> str:
        all_pages = course.pages(self.root)
        at = all_pages.index(self.path)
        before, after = (course.link(path, self.folder) for path in (all_pages[at - 1], all_pages[(at + 1) % len(all_pages)]))
        return " · ".join([*([f"← {before}"] if at > 0 else []), *([f"{after} →"] if at + 1 < len(all_pages) else [])])

    def _plan(self, name: str, sessions: str) -> str:
        limit = re.search(r"at most (\d+) minutes", name)
        return course.plan(self.root, limit[1] if limit else None, sessions)


def _end_of_part(kind: str, lines: Sequence[str], at: int, where: str) -> int:
    """The index of the marker's end, or after it where that is made anew as well; after the fenced block of an excerpt."""
    if kind == "excerpt":
        return after_block(lines, at + 1)
    for index in range(at + 1, len(lines)):
        if re.fullmatch(rf"<!-- /{kind}\b[^>]*-->", lines[index].strip()):
            return index + (kind == "sass")
    raise Failure(f"{where}: there is no <!-- /{kind} --> after this marker")


def _listed(text: str | None) -> list[str]:
    return text.split(", ") if text else []

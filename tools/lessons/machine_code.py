"""Excerpts of machine code.

    <!-- sass: 5 5 | dot<true> | loop --> … <!-- /sass 0123456789ab -->

First what stands behind `./lab sass`, then the kernel, then what is shown of it: `loop`, its largest one, or `all` of it. After
that may come
    only LDG FFMA         the instructions with these names; of the others only how many there are
    runs BAR FFMA to 12   how many of one name follow each other, from the first of the first name on, up to the 12th such run;
                          others do not count

An excerpt is made by the toolkit that --install-cuda downloads, for sm_90. It ends with a digest of the sources, of that
toolkit's version, of this file and of itself, so that whether it is current is seen without a toolkit."""

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from building import toolkit
from exporting import slices
from lessons.watched import code_of
from sass import chosen, programs, text, view
from sass.view import Kernel, Line
from shared import chapters
from shared.console import Failure

SHOWN = re.compile(r"(loop|all)(?: (only|runs) ([A-Z][A-Z0-9 ]*?)(?: to (\d+))?)?")
ARCH = "sm_90"
VERSION = f"{toolkit.VERSION[0]}.{toolkit.VERSION[1]}"
MISSING = f"CUDA {VERSION} is not there, and python3 tools/install_toolkit.py downloads it"


@dataclass(frozen=True)
class Excerpt:
    """What a marker asks for."""

    root: Path
    chapter: str
    stage: str
    kernel: str
    shown: str

    def end(self, lines: Sequence[str]) -> str:
        """The marker after these lines."""
        source = chosen.stage(self.chapter, self.stage)
        read = slices.read(source.path, self.root)
        files = [read, *slices.headers_of(read, self.root)]
        made_from = [Path(__file__).read_text(encoding="utf-8"), VERSION, ARCH, *source.flags, self.kernel, self.shown, *lines]
        made_from += [code_of(file.path.read_text(encoding="utf-8")) for file in files]
        return f"<!-- /sass {hashlib.sha256(chr(0).join(made_from).encode()).hexdigest()[:12]} -->"

    def made(self) -> list[str] | None:
        """The lines between the marker and its end; None without that toolkit."""
        nvcc = toolkit.nvcc()
        if nvcc is None:
            return None
        source = chosen.stage(self.chapter, self.stage)
        unit = view.unit(programs.of_nvcc(nvcc), source.path, source.title, ARCH, source.flags, None, None)
        kernel = next((kernel for kernel in unit.kernels if kernel.name == self.kernel), None)
        if kernel is None:
            raise Failure(f"{source.title} has no kernel '{self.kernel}': {', '.join(it.name for it in unit.kernels)}")
        match = SHOWN.fullmatch(self.shown)
        assert match
        part, name = self._part(kernel, match[1])
        names = match[3].split() if match[3] else []
        if match[2] == "runs":
            rows = list(_runs(part, names, int(match[4] or 0)))
        else:
            rows = list(_rows(part, names, max(len(line.rail) for line in part)))
        number = chapters.number(self.chapter)
        caption = f"*{name} `{kernel.name}` for `{ARCH}`, {len(part)} instructions, by CUDA {VERSION}: "
        return ["", "```text", *rows, "```", "", f"{caption}`./lab sass {number} {self.stage}`.*", ""]

    def _part(self, kernel: Kernel, what: str) -> tuple[list[Line], str]:
        if what == "all":
            return list(kernel.code), "All of"
        if not kernel.loops:
            raise Failure(f"{kernel.name} has no loop")
        largest = max(kernel.loops, key=lambda loop: len(loop.body))
        return kernel.body(largest), "The loop of" if len(kernel.loops) == 1 else "The largest loop of"


def excerpt(root: Path, command: str, kernel: str, shown: str) -> Excerpt:
    """What a marker with these parts asks for."""
    words = command.split()
    if len(words) != 2:
        raise Failure(f"this needs a chapter and a stage, and has '{command}'")
    if not SHOWN.fullmatch(shown):
        raise Failure(f"'{shown}' is none of: loop, all; after it: only NAMES, runs NAMES to NUMBER")
    (chapter,) = chapters.choose(root, words[:1])
    return Excerpt(root, chapter, words[1], kernel, shown)


def woven(asked: Excerpt, lines: Sequence[str], end: str) -> list[str] | None:
    """The lines after the marker, the end included; None where they are out of date and cannot be made. lines, end: what
    stands there now."""
    if end.strip() == asked.end(lines):
        return [*lines, end]
    made = asked.made()
    return None if made is None else [*made, asked.end(made)]


def _rows(part: Sequence[Line], names: Sequence[str], rails: int) -> Iterator[str]:
    for shown, group in groupby(part, key=lambda line: not names or line.it.base in names):
        lines = list(group)
        if shown:
            yield from (text.instruction(line, rails).removeprefix("      ") for line in lines)
        else:
            yield f"{'':{rails + 12}}… {len(lines)} {'other' if len(lines) == 1 else 'others'}"


def _runs(part: Sequence[Line], names: Sequence[str], most: int) -> Iterator[str]:
    """What no lane executes does not count."""
    counted = [line.it.base for line in part if line.it.base in names and line.it.predicate != "@!PT"]
    first = counted.index(names[0]) if names[0] in counted else 0
    counted = counted[first:] + counted[:first]
    runs = [(name, len(list(group))) for name, group in groupby(counted)]
    yield from (f"{count:4} × {name}" for name, count in runs[: most or None])
    if most and len(runs) > most:
        yield "   …"
    most_often = max(names, key=counted.count)
    share = 100 * counted.count(most_often) / len(part)
    yield f"in all {', '.join(f'{counted.count(name)} × {name}' for name in names)}; {most_often} is {share:.0f} %"

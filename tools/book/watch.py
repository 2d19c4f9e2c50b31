"""The pages of ./lab watch and ./lab sass in the book: which ones its lessons name, and how they are made."""

import re
import shlex
from argparse import Namespace
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from html import unescape
from pathlib import Path

from building.build import Build
from building.prepare import of_preset, prepare
from lessons import watched as pictures
from lessons.machine_code import ARCH
from reports import watched
from sass import chosen, programs, view
from sass import page as sass_page
from sass.programs import Toolkit
from shared import arguments, chapters, console, processes
from shared.chapters import ROOT
from shared.console import EXIT_FINDINGS, Failure, Progress
from shared.language import ENGLISH, languages
from translating import web
from translating.translation import SASS, WATCH, Translation

WORDS = r"\d+(?: [\w/]+){1,2}(?: -- [^<`]*)?"
COMMAND = re.compile(rf"<code>\./lab ({WATCH}|{SASS}) ({WORDS})</code>(?:[^<.]{{1,24}}<code>(#[^<]*)</code>)?")


@dataclass(frozen=True)
class LabPage:
    """What a lesson names as `./lab watch 7 3 -- --data one`, or as `./lab sass 5 4 5`."""

    command: str
    chapter: str
    stages: tuple[str, ...]  # in full; or a program of the chapter
    arguments: tuple[str, ...]  # added to the program's own

    @property
    def address(self) -> str:
        words = "_".join([self.chapter[:2], *self.stages, *self.arguments])
        return f"{self.command}/{re.sub(r'[^A-Za-z0-9.]+', '_', words)}.html"


def page_of(root: Path, command: str, words: str) -> LabPage:
    (number, *stages), added = arguments.split_at_dashes(shlex.split(words))
    (chapter,) = chapters.choose(root, [number])
    return LabPage(command, chapter, tuple(pictures.full_name(root, chapter, stage) for stage in stages), tuple(added))


def with_links(root: Path, html: str, address: Callable[[LabPage], str]) -> str:
    """The HTML in which each command leads to its page, and to the moment that the text names. address: '' for no page."""

    def linked(match: re.Match[str]) -> str:
        command, rest = match[0].split("</code>", 1)
        to = address(page_of(root, match[1], unescape(match[2])))
        return f'<a href="{to}{match[3] or ""}">{command}</code></a>{rest}' if to else match[0]

    return COMMAND.sub(linked, html)


def make(wanted: Iterable[LabPage], folder: Path, options: Namespace) -> None:
    """Writes the pages below that folder, at their addresses, and in its folder of a language those in other languages. There
    are none of machine code without a CUDA toolkit. options: the set-up's, and install_cuda."""
    todo = sorted(wanted, key=lambda page: page.address)
    toolkit = None
    if any(page.command == SASS for page in todo):
        try:
            toolkit = programs.find(ARCH, options.install_cuda, not options.no_install)
        except Failure as failure:
            if options.install_cuda:
                raise
            console.note(f"lab: the book shows no machine code: {failure}")
    build = None
    if watched_chapters := sorted({page.chapter for page in todo if page.command == WATCH}):
        build = prepare(options, watched_chapters, of_preset("check"))
    others = [Translation(ROOT, other) for other in languages(ROOT) if other != ENGLISH]
    progress = Progress()
    for number, page in enumerate(todo, 1):
        progress.show(f"page {number} of {len(todo)}: {page.command}, {page.chapter}, {page.stages[0]}")
        if build and page.command == WATCH:
            written = _watched(build, page)
        elif toolkit:
            written = _machine_code(toolkit, page)
        else:
            (folder / page.address).unlink(missing_ok=True)  # of another time
            continue
        console.write_file(folder / page.address, written)
        for translation in others:
            console.write_file(folder / translation.language / page.address, web.translated(written, translation, page.command))
    progress.clear()


def _watched(build: Build, page: LabPage) -> str:
    _, ended = watched.run_stage(build, page.chapter, page.stages[0], page.arguments)
    if ended.code not in (0, EXIT_FINDINGS) or not ended.written:
        raise Failure(f"{ended.command} {processes.describe_exit(ended.code)} and left no page to watch")
    return ended.written


def _machine_code(toolkit: Toolkit, page: LabPage) -> str:
    sources = [chosen.stage(page.chapter, stage) for stage in page.stages]
    return sass_page.written([view.unit(toolkit, it.path, it.title, ARCH, it.flags, None, None) for it in sources])

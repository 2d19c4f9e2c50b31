"""The watch pages of the book: which ones its lessons name, and how they are made."""

from __future__ import annotations

import re
import shlex
from argparse import Namespace
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from html import unescape
from pathlib import Path

from building.prepare import of_preset, prepare
from lessons import watched as pictures
from reports import pages, watched
from shared import arguments, chapters, processes
from shared.chapters import ROOT
from shared.console import EXIT_FINDINGS, Failure, Progress
from shared.language import ENGLISH, languages
from translating import web
from translating.translation import WATCH, Translation

FOLDER = "watch"  # of the book
COMMAND = re.compile(r"<code>\./lab watch (\d+ [\w/]+(?: -- [^<]*)?)</code>(?:[^<.]{1,24}<code>(#[^<]*)</code>)?")


@dataclass(frozen=True)
class WatchPage:
    """What a lesson names as `./lab watch 7 3 -- --data one`."""

    chapter: str
    stage: str  # in full; or a program of the chapter
    arguments: tuple[str, ...]  # added to the program's own

    @property
    def address(self) -> str:
        words = "_".join([self.chapter[:2], self.stage, *self.arguments])
        return f"{FOLDER}/{re.sub(r'[^A-Za-z0-9.]+', '_', words)}.html"


def with_links(root: Path, html: str, address: Callable[[WatchPage], str]) -> str:
    """The HTML in which each command leads to its page, and to the moment that the text names."""

    def linked(match: re.Match[str]) -> str:
        words, added = arguments.split_at_dashes(shlex.split(unescape(match[1])))
        (chapter,) = chapters.choose(root, words[:1])
        page = WatchPage(chapter, pictures.full_name(root, chapter, words[1]), tuple(added))
        command, rest = match[0].split("</code>", 1)
        return f'<a href="{address(page)}{match[2] or ""}">{command}</code></a>{rest}'

    return COMMAND.sub(linked, html)


def make(wanted: Iterable[WatchPage], folder: Path, options: Namespace) -> None:
    """Writes the pages below that folder, at their addresses, and in its folder of a language those in other languages.
    options: the set-up's."""
    todo = sorted(wanted, key=lambda page: page.address)
    if not todo:
        return
    build = prepare(options, sorted({page.chapter for page in todo}), of_preset("check"))
    others = [Translation(ROOT, other) for other in languages(ROOT) if other != ENGLISH]
    progress = Progress()
    for number, page in enumerate(todo, 1):
        progress.show(f"watch page {number} of {len(todo)}: {page.chapter}, {page.stage}")
        _, ended = watched.run_stage(build, page.chapter, page.stage, page.arguments)
        if ended.code not in (0, EXIT_FINDINGS) or not ended.written:
            raise Failure(f"{ended.command} {processes.describe_exit(ended.code)} and left no page to watch")
        pages.keep(folder / page.address, ended.written)
        for translation in others:
            own = web.translated(ended.written, translation, WATCH)
            pages.keep(folder / translation.language / page.address, own)
    progress.clear()

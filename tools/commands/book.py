"""./lab book: the lessons, tasks and all they lead to as one website."""

import os
import posixpath
import tempfile
import time
from argparse import Namespace
from pathlib import Path

from book import links, pages, watch
from book.links import Scripted
from book.pages import Book
from building import setup
from building.build import SIGN_OF_A_BOOK
from building.dependencies import NeededBy
from lessons import front_page
from reports.pages import open_page
from shared import arguments, console, language, processes
from shared.arguments import Commands
from shared.chapters import ROOT
from shared.console import EXIT_FAILED, Failure, Progress
from shared.language import ENGLISH
from translating.translation import WATCH

CONFIGURATION = ROOT / "tools" / "book" / "mkdocs.yml"


def add_parser(commands: Commands) -> None:
    parser = commands.add_parser(
        "book",
        summary="the lessons and tasks as one website",
        description="Makes one website of the lessons, the exercises' tasks, the glossary, the source files and the pages of "
        "./lab watch and ./lab sass that the lessons name: build/book/, with search, to be read without a server. Those of "
        "./lab sass need a CUDA toolkit. At the end each link is checked. The first time takes minutes, since the kernels of "
        "all chapters are built and watched.",
    )
    how = parser.add_mutually_exclusive_group()
    how.add_argument(
        "--check", action="store_true", help="only check the links, without the watch pages; exit code 1 if one is broken"
    )
    how.add_argument(
        "--serve", action="store_true", help="show the website as it changes, with the watch pages that are there, until Ctrl-C"
    )
    parser.add_argument("--no-open", action="store_true", help="do not open the website")
    parser.add_argument("--install-cuda", action="store_true", help="download a CUDA toolkit if none has nvdisasm (0.7 GB)")
    arguments.add_set_up(parser)


def run(options: Namespace) -> int:
    started = time.monotonic()
    site = arguments.folder_of_builds(options) / "book"
    if not options.check and not options.serve:
        require_place(site)
    setup.require([NeededBy.BOOK, NeededBy.PAGES], not options.no_install)
    chosen = language.chosen()
    book = pages.collect(ROOT)
    watch_pages = site.with_name("book-watch")
    if options.serve:
        return processes.call(["mkdocs", "serve", "--config-file", CONFIGURATION], env=environment(watch_pages, chosen))
    if options.check:
        with tempfile.TemporaryDirectory(prefix="lab-") as folder:
            build_all(Path(folder, "site"), Path(folder))
            require_sound(Path(folder, "site"), book, has_watch_pages=False)
        print(console.said(f"all links of {contents(book)} lead somewhere"))
        return 0
    watch.make(book.watched.values(), watch_pages, options)
    build_all(site, watch_pages)
    require_sound(site, book, has_watch_pages=True)
    front = site / ("" if chosen == ENGLISH else chosen) / "index.html"
    took = time.monotonic() - started
    print(console.said(f"{console.shown(front)} has {contents(book)}; that took {took:.0f} s"), flush=True)
    if not options.no_open:
        open_page(front)
    return 0


def require_place(site: Path) -> None:
    """MkDocs empties the folder first, so nothing else may be in it."""
    shown = console.quoted(console.shown(site), 200)
    try:
        site.mkdir(parents=True, exist_ok=True)
        if any(site.iterdir()) and not (site / SIGN_OF_A_BOOK).exists():
            raise Failure(f"{shown} holds something that is no book; remove it first")
    except OSError as error:
        raise Failure(f"{shown} cannot be made ({error.strerror}); --build DIR names another folder") from error


def environment(watch_pages: Path, shown: str) -> dict[str, str]:
    address = front_page.address(ROOT, "book")
    if address and shown != ENGLISH:
        address = posixpath.join(address, shown, "")
    return {**os.environ, "BOOK_WATCH_PAGES": str(watch_pages), "BOOK_LANGUAGE": shown, "BOOK_URL": address}


def build_all(site: Path, watch_pages: Path) -> None:
    """The English book, and in its folder those in other languages."""
    build(site, watch_pages, ENGLISH)
    for other in language.languages(ROOT)[1:]:
        build(site / other, watch_pages, other)


def build(site: Path, watch_pages: Path, shown: str) -> None:
    """MkDocs's part."""
    progress = Progress()
    said: list[str] = []
    command: list[str | Path] = ["mkdocs", "build", "--strict", "--quiet", "--config-file", CONFIGURATION, "--site-dir", site]
    progress.show("MkDocs makes the website")
    code = processes.stream(command, said.append, env=environment(watch_pages, shown), on_second=progress.tick)
    progress.clear()
    if code:
        console.note("\n".join(said))
        raise Failure(f"mkdocs {processes.describe_exit(code)}")


def require_sound(site: Path, book: Book, has_watch_pages: bool) -> None:
    """Names each broken link, in the terms of the repository's files."""
    names = {pages.address(name): name for name in [*book.pages, *book.sources]}

    def as_written(page: str, link: str) -> str:
        path, sharp, anchor = link.partition("#")
        folder = posixpath.dirname(page)
        name = names.get(posixpath.normpath(posixpath.join(folder, path)))
        return posixpath.relpath(name, folder) + sharp + anchor if path and name else link

    folders = ["", *language.languages(ROOT)[1:]]
    watched = {posixpath.join(folder, name) for folder in folders for name in book.watched}
    found = list(links.broken(site, Scripted(watched, has_watch_pages)))
    for page, link, wrong in found:
        print(f"{names.get(page, page)}: {as_written(page, link)} {wrong}")
    if found:
        raise Failure(f"the book has {console.counted(len(found), 'broken link')}", EXIT_FAILED)


def contents(book: Book) -> str:
    watched = sum(page.command == WATCH for page in book.watched.values())
    counts = (len(book.pages), "page"), (len(book.sources), "source file"), (watched, "watch page")
    first, second, third = (console.counted(*count) for count in counts)
    return f"{first}, {second} and {third}"

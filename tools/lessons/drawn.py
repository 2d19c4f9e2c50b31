"""Draws the pictures of watched threads: runs their stages in the checked build and lets a browser draw."""

import itertools
import os
import re
import shutil
import tempfile
from argparse import Namespace
from collections.abc import Iterator, Sequence
from html import unescape
from pathlib import Path
from xml.etree import ElementTree

from building import dependencies, setup
from building.prepare import of_preset, prepare
from lessons.watched import Picture
from reports import watched
from shared import console, processes
from shared.console import EXIT_FINDINGS, EXIT_SETUP, Failure

SVG = re.compile(r'<svg\b[^>]* id="picture".*</svg>', re.DOTALL)
PROBLEM = re.compile(r'<p id="problem"[^>]*>(.*?)</p>', re.DOTALL)


def draw(pictures: Sequence[Picture], options: Namespace) -> Iterator[tuple[Picture, str]]:
    """Draws these pictures and gives back each with what its file should hold. options: the set-up's."""
    browser = shutil.which("chromium")
    if browser is None:
        how = setup.how_to_install([row for row in dependencies.table() if row.what == "Chromium"])
        what = f"{console.counted(len(pictures), 'picture')} of watched threads"
        raise Failure(f"{what} must be drawn again, and that takes Chromium{how}", EXIT_SETUP)
    build = prepare(options, sorted({picture.chapter for picture in pictures}), of_preset("check"))
    by_run = sorted(pictures, key=_run_of)
    for (chapter, stage, arguments), of_one_run in itertools.groupby(by_run, _run_of):
        _, ended = watched.run_stage(build, chapter, stage, arguments)
        if ended.code not in (0, EXIT_FINDINGS) or not ended.written:
            raise Failure(f"{ended.command} {processes.describe_exit(ended.code)} and left no page to draw from")
        with tempfile.TemporaryDirectory(prefix="lab-") as folder:
            page = Path(folder, "page.html")
            page.write_text(ended.written, encoding="utf-8")
            for picture in of_one_run:
                yield picture, picture.signed(_drawn(browser, page, picture))


def _run_of(picture: Picture) -> tuple[str, str, tuple[str, ...]]:
    return picture.chapter, picture.stage, picture.arguments


def _drawn(browser: str, page: Path, picture: Picture) -> str:
    """The SVG that the page draws when its address asks for the picture."""
    command = [browser, "--headless", "--disable-gpu", f"--user-data-dir={page.parent / 'profile'}"]
    if os.geteuid() == 0:  # for whom Chromium has no sandbox
        command.append("--no-sandbox")
    command += ["--virtual-time-budget=10000", "--dump-dom", page.as_uri() + picture.address]
    html = processes.ask(command, timeout=300) or ""
    where = f"{picture.command}, {picture.address}"
    if problem := PROBLEM.search(html):
        raise Failure(f"{where}: {unescape(problem[1])}")
    match = SVG.search(html)
    if match is None:
        raise Failure(f"{where}: {Path(browser).name} has drawn nothing")
    try:
        ElementTree.fromstring(match[0])
    except ElementTree.ParseError as error:
        raise Failure(f"{where}: what {Path(browser).name} has drawn is no SVG: {error}") from error
    return match[0]

"""./lab watch: runs a stage in the emulator's checked build and makes a page on which its threads are watched."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from argparse import Namespace
from pathlib import Path

from building.prepare import of_preset, prepare
from reports import checked, watched
from shared import arguments, chapters, console, processes
from shared.arguments import Commands
from shared.chapters import ROOT
from shared.console import EXIT_FAILED, EXIT_FINDINGS

SHOWS = re.compile(r"^emulator: .* shows (.*)\n", re.MULTILINE)
CHECKED = re.compile(r"^emulator: checked .*\n", re.MULTILINE)


def add_parser(commands: Commands) -> None:
    parser = commands.add_parser(
        "watch",
        arguments="CHAPTER STAGE",
        summary="a page that shows what each thread\ndoes, step by step",
        examples={"./lab watch 5 2": "see 256 numbers fold into one"},
        program_arguments=True,
        usage="./lab watch CHAPTER STAGE [--no-open] [--build DIR]\n                   [--no-install] [-- ARGUMENTS]",
        description="Runs a stage in the emulator's checked build, at a size that one can follow, and writes a page: each "
        "step of each warp, what its lanes read and write, and the memory as it stands. STAGE may be a program of the "
        "chapter, too. What follows -- goes to the program, behind its own arguments.",
    )
    parser.add_argument("chapter", metavar="CHAPTER", help="e.g. 5, 05, dot_product")
    parser.add_argument("stage", metavar="STAGE", nargs="?", help="by number or name; or a program of the chapter")
    parser.add_argument("--no-open", action="store_true", help="do not open the page")
    arguments.add_set_up(parser)
    parser.set_defaults(run=run)


def run(options: Namespace) -> int:
    (chapter,) = chapters.choose(ROOT, [options.chapter])
    build = prepare(options, [chapter], of_preset("check"))
    stage, ended = watched.run_stage(build, chapter, options.stage, options.program_arguments)
    page = arguments.folder_of_builds(options) / "watch" / f"{chapter[:2]}_{stage.replace('/', '_')}.html"
    return show(ended, page, opens=not options.no_open)


def show(ended: checked.Ended, page: Path, opens: bool) -> int:
    """Keeps the page that a program has written and says what is on it. Returns the program's exit code."""
    said = CHECKED.sub("", SHOWS.sub("", ended.stderr)).rstrip("\n")
    if said:
        console.note(said)
    if ended.code not in (0, EXIT_FINDINGS):
        console.note(f"lab: {ended.command} {processes.describe_exit(ended.code)}")
    shows = SHOWS.search(ended.stderr)
    if shows is None:
        return ended.code or EXIT_FAILED
    page.parent.mkdir(parents=True, exist_ok=True)
    console.write_file(page, ended.written)
    print(f"{os.path.relpath(page)} shows {shows[1]}", flush=True)
    if opens:
        open_page(page)
    return ended.code


def open_page(page: Path) -> None:
    """In the reader's browser, where there are a screen and somebody who looks at it."""
    has_screen = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    opener = shutil.which("xdg-open") if has_screen else shutil.which("wslview")
    if opener is None:
        print("open it in a browser")
        return
    subprocess.Popen([opener, str(page)], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

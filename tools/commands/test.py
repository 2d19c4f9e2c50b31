"""./lab test: builds and runs the tests."""

from __future__ import annotations

import os
from argparse import Namespace

from building.prepare import of_preset, prepare
from reports import ctest
from shared import arguments, chapters
from shared.arguments import Commands
from shared.chapters import ROOT
from shared.console import EXIT_FAILED

ROOMS = ("common", "emulator", "lab")  # what has tests besides the chapters


def add_parser(commands: Commands) -> None:
    parser = commands.add_parser(
        "test",
        arguments="[CHAPTER…]",
        summary="build and run the tests",
        examples={"./lab test --cpu": "on the emulator, even beside a GPU"},
        usage="./lab test [CHAPTER…] [--cuda | --cpu | --preset NAME] [--install-cuda]\n"
        "                  [--build DIR] [--no-install]",
        description="Builds and runs the tests: all of them, or those of the chapters that are named.",
        epilog=f"{', '.join(ROOMS[:-1])} and {ROOMS[-1]} are tested as chapters are: ./lab test {ROOMS[0]}",
    )
    arguments.add_chapters(parser)
    parser.add_argument("--preset", metavar="NAME", help="test this CMake preset's build, e.g. asan")
    parser.set_defaults(run=run)


def run(options: Namespace) -> int:
    if options.preset and options.backend:
        options.error("--preset says the backend already: leave out --cuda or --cpu")
    arguments.require_seed()
    rooms = [room for room in ROOMS if room in options.chapters]
    words = [word for word in options.chapters if word not in ROOMS]
    chosen = rooms + (chapters.choose(ROOT, words) if words else [])
    targets = [f"{label}_tests" for label in chosen] or ["all"]
    build = prepare(options, targets, of_preset(options.preset) if options.preset is not None else None, tests=True)

    # One more than there are processors: some tests wait for what never ends, or for a browser.
    jobs = 4 if build.preset == "cuda" else len(os.sched_getaffinity(0)) + 1
    command = ["ctest", "--test-dir", str(build.folder), "--no-tests=error", "-j", str(jobs)]
    command += ["--output-junit", str(build.folder / "tests.xml")]
    if chosen:
        command += ["-L", f"^({'|'.join(chosen)})$"]
    return EXIT_FAILED if ctest.run(command, build.folder, ROOT) else 0

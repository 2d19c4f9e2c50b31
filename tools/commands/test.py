"""./lab test: builds and runs the tests."""

import os
from argparse import Namespace
from collections.abc import Sequence

from building.build import Build
from building.prepare import of_preset, prepare
from reports import ctest
from shared import arguments, chapters, console
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
        description="Builds and runs the tests: all of them, or those of the chapters that are named. "
        "On a GPU, all but lab's own.",
        epilog=f"{', '.join(ROOMS[:-1])} and {ROOMS[-1]} are tested as chapters are: ./lab test {ROOMS[0]}",
    )
    arguments.add_chapters(parser)
    arguments.add_stage(parser)
    parser.add_argument("--preset", metavar="PRESET", help="test this CMake preset's build, e.g. asan")


def run(options: Namespace) -> int:
    if options.preset and options.backend:
        options.error("--preset says the backend already: leave out --cuda or --cpu")
    arguments.refuse_twice(options.chapters)
    arguments.require_seed()
    if options.stage:
        return test_stage(options)
    rooms = [room for room in ROOMS if room in options.chapters]
    words = [word for word in options.chapters if word not in ROOMS]
    chosen = rooms + (chapters.choose(ROOT, words) if words else [])
    targets = [f"{label}_tests" for label in chosen] or ["all"]
    build = prepare(options, targets, of_preset(options.preset) if options.preset is not None else None, tests=True)

    on_gpu = build.preset == "cuda"
    labels = ["-L", f"^({'|'.join(chosen)})$"] if chosen else ["-LE", "_my$|^lab$" if on_gpu else "_my$"]
    if on_gpu and not chosen:
        console.note("lab: without the tests of lab itself, which are the same without a GPU: ./lab test lab")
    code = _run(build, [*labels, "-E", "_my_NOT_BUILT$"])
    for chapter in chapters.discover(ROOT):
        if chapter in chosen or not chosen:
            code = _run_own(build, chapter) or code
    return EXIT_FAILED if code else 0


def test_stage(options: Namespace) -> int:
    """The chapter's tests that are about stages, with one of them alone."""
    chosen = chapters.choose(ROOT, options.chapters)
    if len(chosen) != 1 or not options.chapters:
        options.error("--stage is of one chapter: ./lab test CHAPTER --stage STAGE")
    (chapter,) = chosen
    chapters.require_stage(ROOT, chapter, options.stage)
    preset = of_preset(options.preset) if options.preset is not None else None
    build = prepare(options, [f"{chapter}_tests"], preset, tests=True)
    if chapters.is_own(ROOT, chapter, options.stage):
        return EXIT_FAILED if _run_own(build, chapter, options.stage) else 0
    return EXIT_FAILED if _run(build, ["-L", f"^{chapter}$"], options.stage) else 0


def _run_own(build: Build, chapter: str, stage: str = "") -> int:
    """The tests of the reader's own stages, or of one of them; 0 where there are none."""
    own = build.make_own(chapter, kind="_tests", asked=stage)
    code = _run(build, ["-L", f"^{chapter}_my$"], stage or ",".join(own)) if own else 0
    return code or int(own != chapters.own_stages(ROOT, chapter))


def _run(build: Build, which: Sequence[str], stages: str = "") -> int:
    # One more than there are processors: some tests wait for what never ends, or for a browser. On a GPU most of a test's time
    # goes by until the device is there for it.
    jobs = len(os.sched_getaffinity(0)) + 1
    jobs = min(12, jobs) if build.preset == "cuda" else jobs
    command = ["ctest", "--test-dir", str(build.folder), "--no-tests=error", "-j", str(jobs), *which]
    return ctest.run(command, build.folder, ROOT, {"STAGE": stages} if stages else {})

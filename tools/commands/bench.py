"""./lab bench: measures chapters on this GPU, keeps the numbers and brings the lessons up to date."""

import os
import tempfile
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

from building import backend
from building.build import Build
from building.prepare import backend_for, of_preset, prepare
from commands import docs
from commands.run import call
from reports import results
from reports.results import Json
from shared import arguments, chapters, console, processes
from shared.arguments import Commands
from shared.chapters import ROOT
from shared.console import EXIT_NO_CUDA, Failure


def add_parser(commands: Commands) -> None:
    parser = commands.add_parser(
        "bench",
        arguments="[CHAPTER…]",
        summary="measure on this GPU and bring the tables\nin the lessons up to date",
        description="Measures chapters at the benchmark sizes, keeps the numbers in results/<device>.json "
        "and brings the lessons' tables and charts up to date. With --stage it measures that stage alone, and keeps nothing.",
    )
    arguments.add_chapters(parser)
    arguments.add_stage(parser)
    parser.add_argument("--output", metavar="DIR", type=Path, help="write there instead, and leave the lessons alone")
    parser.add_argument(
        "--emulator",
        action="store_true",
        help="the emulator itself, beside OpenMP loops, and its checked build; keeps nothing",
    )


def run(options: Namespace) -> int:
    if options.emulator:
        return measure_emulator(options)
    chosen = chapters.choose(ROOT, options.chapters)
    if options.stage and (len(chosen) != 1 or options.output):
        options.error("--stage is of one chapter, and nothing is kept: ./lab bench CHAPTER --stage STAGE")
    if options.stage:
        chapters.require_stage(ROOT, chosen[0], options.stage)
    where = backend_for(options)
    if where.preset == "cpu" and options.backend != "cpu":
        raise Failure(
            "there is no GPU to measure; the emulator's times say nothing about one, but --cpu measures it",
            EXIT_NO_CUDA,
        )
    if not options.output and (folder := ROOT / "results").exists() and not os.access(folder, os.W_OK):
        raise Failure("results/ cannot be written; --output DIR keeps the numbers elsewhere")
    facts = results.facts(ROOT, backend.driver_version())
    build = prepare(options, chosen, where)
    if options.stage:
        return measure_stage(build, chosen[0], options.stage)

    exit_code = 0
    for chapter in chosen:
        lines = build.lines(chapter, "bench")
        if not lines:
            console.note(f"lab: {chapter} has nothing to measure")
            continue
        try:
            entry = results.combine([measure(chapter, line) for line in lines]) | facts
        except Failure as failure:
            console.note(f"lab: {failure}")
            exit_code = exit_code or failure.code
            continue
        path = results.save(options.output or ROOT / "results", entry)
        console.note(f"lab: written to {console.shown(path)}")
    if not options.output:
        docs.regenerate()
    return exit_code


def measure_stage(build: Build, chapter: str, stage: str) -> int:
    """Prints the rows of one stage; a command line whose program does not have it is passed over."""
    build.make_own(chapter)
    lines = [line for line in build.lines(chapter, "bench") if chapters.has_stage(line, chapter, stage)]
    return max((call([*line, "--stage", stage]) for line in lines), default=0)


def measure(chapter: str, command: Sequence[str]) -> Json:
    """Runs one program that measures, and returns what it wrote."""
    shown = processes.shown(command)
    console.heading(f"{chapter} · {shown}")
    with tempfile.TemporaryDirectory(prefix="lab-") as folder:
        output = Path(folder, "result.json")
        code = call([*command, "--json", str(output)])
        if code != 0:
            raise Failure(f"{shown} {processes.describe_exit(code)}; nothing of {chapter} is kept", code)
        return results.read_program_output(output, chapter)


def measure_emulator(options: Namespace) -> int:
    """./lab bench --emulator"""
    if options.chapters or options.output or options.backend == "cuda":
        options.error("--emulator goes with nothing but --build and --no-install")
    plain, checked = (
        prepare(options, ["emulator_benchmark"], of_preset(preset)).folder / "emulator" / "emulator_benchmark"
        for preset in ("cpu", "check")
    )
    code = processes.call([plain])
    print()
    return code or processes.call([plain, "--beside", checked])

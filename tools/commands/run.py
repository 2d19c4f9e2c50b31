"""./lab run: builds chapters and runs their programs in order."""

import os
from argparse import Namespace
from collections.abc import Mapping, Sequence
from pathlib import Path

from building.build import Build
from building.prepare import prepare
from shared import arguments, chapters, console, language, processes
from shared.arguments import Commands
from shared.chapters import ROOT
from shared.console import EXIT_USAGE, Failure, quoted


def add_parser(commands: Commands) -> None:
    parser = commands.add_parser(
        "run",
        arguments="[CHAPTER…] [-- ARGUMENTS]",
        summary="build the chapters and run their programs",
        examples={
            "./lab run": "everything",
            "./lab run 3": "one chapter; 3, 03, vector_add and\n03_vector_add are the same",
            "./lab run 3 -- --n 1000000": "with arguments for its program\n(-- --help lists them)",
            "./lab run 8/atomics_tour": "one program of a chapter that has several",
            "./lab run 5 --stage mine": "a stage of yours among the others",
        },
        program_arguments="ARGUMENTS",
        description="Builds chapters and runs their programs, one chapter after another. Arguments after -- go to the program "
        "that is named, else to the first one of each chapter, which then runs alone. --stage is for the program that has the "
        "stage: a row alone, or with a stage of your own, its tables.",
    )
    arguments.add_chapters(parser)
    arguments.add_stage(parser)


def run(options: Namespace) -> int:
    arguments.refuse_twice(options.chapters)
    asked = _asked(options.chapters)
    chosen = chapters.choose(ROOT, list(asked))
    words = options.program_arguments
    if options.stage:
        if len(chosen) != 1:
            options.error("--stage is of one chapter: ./lab run CHAPTER --stage STAGE")
        chapters.require_stage(ROOT, chosen[0], options.stage)
        among = ["--among"] * chapters.is_own(ROOT, chosen[0], options.stage)
        words = ["--stage", options.stage, *among, *words]
    build = prepare(options, chosen, at_first=chosen[:1])
    exit_code = 0
    for chapter in chosen:
        if chapter != chosen[0]:
            build.make([chapter])  # only now: the first program's output shall not wait for the last one's source
        build.make_own(chapter, asked=options.stage)
        commands = _commands(build, chapter, asked.get(chapter, []), bool(options.program_arguments), options.stage)
        for command in commands:
            console.heading(f"{chapter} · {processes.shown(command)}")
            code = call([*command, *words])
            if code != 0:
                console.note(f"lab: {processes.shown(command)} {processes.describe_exit(code)}")
            exit_code = exit_code or code
        for line in build.left_out(chapter):
            console.note(f"lab: {line}")
    return exit_code


def call(command: Sequence[str]) -> int:
    """Runs a program, whose lines are shown in the user's language."""
    if language.chosen() == language.ENGLISH:
        return processes.call(command)
    return processes.stream(command, lambda line: print(line, flush=True), env={**os.environ, "LAB_WRAPS": "1"})


def _asked(words: Sequence[str]) -> Mapping[str, Sequence[str]]:
    """By chapter, the programs that the words name; none: all of them."""
    programs: dict[str, list[str]] = {}
    for word in words:
        chapter, _, program = word.rpartition("/")
        try:
            named = chapters.choose(ROOT, [word])
        except Failure as failure:
            try:
                named = chapters.choose(ROOT, [chapter])
            except Failure:
                raise failure from None
            programs.setdefault(named[0], []).append(program)
        else:
            programs[named[0]] = []
    return programs


def _commands(build: Build, chapter: str, asked: Sequence[str], has_arguments: bool, stage: str | None) -> list[list[str]]:
    """What is run of a chapter."""
    commands = {_program(build, chapter, command): command for command in build.lines(chapter, "programs")}
    for name in asked:
        if name not in commands:
            there = ", ".join(commands)
            raise Failure(f"there is no program '{quoted(name)}' in {chapter}; the programs: {there}", EXIT_USAGE)
    if asked:
        return [command for name, command in commands.items() if name in asked]
    if stage:
        found = [command for command in commands.values() if chapters.has_stage(command, chapter, stage)]
        if not found:
            raise Failure(f"no program of {chapter} has the stage {quoted(stage)} here", EXIT_USAGE)
        return found
    first, *others = commands
    if has_arguments and others:
        console.note(f"lab: the arguments are for {first}; for another program: ./lab run {chapter}/{others[0]} -- …")
        return [commands[first]]
    return list(commands.values())


def _program(build: Build, chapter: str, command: Sequence[str]) -> str:
    """The name of the chapter's own program in a command: another one, as mpirun, may start it."""
    return next(Path(word).name for word in reversed(command) if Path(word).is_relative_to(build.folder / chapter))

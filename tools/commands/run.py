"""./lab run: builds chapters and runs their programs in order."""

from __future__ import annotations

from argparse import Namespace

from building.prepare import prepare
from shared import arguments, chapters, console, processes
from shared.arguments import Commands
from shared.chapters import ROOT


def add_parser(commands: Commands) -> None:
    parser = commands.add_parser(
        "run",
        arguments="[CHAPTER…] [-- ARGUMENTS]",
        summary="build the chapters and run their programs",
        examples={
            "./lab run": "everything",
            "./lab run 3": "one chapter; 3, 03, vector_add and\n03_vector_add are the same",
            "./lab run 3 -- --n 1000000": "with arguments for its program\n(-- --help lists them)",
        },
        program_arguments=True,
        usage="./lab run [CHAPTER…] [--cuda | --cpu] [--install-cuda] [--build DIR]\n                 [--no-install] [-- ARGUMENTS]",
        description="Builds chapters and runs their programs, one chapter after another. Arguments after -- go to the programs.",
    )
    arguments.add_chapters(parser)
    parser.set_defaults(run=run)


def run(options: Namespace) -> int:
    chosen = chapters.choose(ROOT, options.chapters)
    build = prepare(options, chosen, at_first=chosen[:1])
    exit_code = 0
    for chapter in chosen:
        if chapter != chosen[0]:
            build.make([chapter])  # only now: the first program's output shall not wait for the last one's source
        for command in build.programs(chapter):
            console.heading(f"{chapter} · {processes.shown(command)}")
            code = processes.call([*command, *options.program_arguments])
            if code != 0:
                console.note(f"lab: {processes.shown(command)} {processes.describe_exit(code)}")
            exit_code = exit_code or code
        for line in build.left_out(chapter):
            console.note(f"lab: {line}")
    return exit_code

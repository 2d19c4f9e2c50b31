"""Runs a stage in the emulator's checked build so that it leaves the page on which its threads are watched."""

from collections.abc import Sequence
from pathlib import Path

from building.build import Build
from reports import checked
from shared import arguments, chapters
from shared.chapters import ROOT
from shared.console import EXIT_USAGE, Failure


def run_stage(
    build: Build, chapter: str, asked: str | None, options: Sequence[str], doing: str = ""
) -> tuple[str, checked.Ended]:
    """The full name of a stage, or of a program of the chapter, and that program when it has ended. Builds no other program
    unless that one does not have the stage. options: what comes in place of the program's own options of the same name.
    doing: what to call it as long as it goes on."""
    names = chapters.stages(ROOT, chapter)
    stage = next((name for name in names if asked and chapters.may_mean(asked, name)), None)
    lines = build.watches(chapter)
    if not lines:
        raise Failure(f"{chapter} has no program that is made to be watched", EXIT_USAGE)
    programs = list(dict.fromkeys(Path(line[0]).name for line in lines))
    if asked in programs:
        stage = asked
    if stage is None:
        others = [program for program in programs if program not in names and len(programs) > 1]
        raise chapters.no_such_stage(chapter, asked or "", [*names, *others])

    if stage not in programs and stage in {Path(line[0]).name for line in build.lines(chapter, "programs")}:
        these = ", ".join(programs)
        raise Failure(f"{stage} is not made to be watched; of the programs in {chapter} these are: {these}", EXIT_USAGE)

    of_program = [line for line in lines if Path(line[0]).name == stage]
    runs = checked.Programs(None if of_program else stage, [], writes="EMULATOR_WATCH", doing=doing)
    is_own = stage.partition("/")[0] in chapters.own_stages(ROOT, chapter)
    for line in of_program or lines:
        name = Path(line[0]).name
        if not (is_own and build.make_own(chapter, asked=stage)):
            build.make([f"{chapter}/{name}"])
        for ended in runs.run([arguments.overridden([str(build.program(chapter, name)), *line[1:]], options)]):
            return stage, ended
    raise Failure(runs.refusal, EXIT_USAGE)

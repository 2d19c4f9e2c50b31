"""./lab check: runs chapters' programs in the emulator's checked build, which finds mistakes that a result may hide."""

import json
import re
import tempfile
from argparse import Namespace
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

from building import setup
from building.prepare import of_preset, prepare
from exercises import folder
from reports import checked
from reports.results import Json
from sass import chosen as named
from shared import arguments, chapters, console, processes
from shared.arguments import Commands
from shared.chapters import ROOT
from shared.console import EXIT_FINDINGS, EXIT_USAGE, Failure, counted

Findings = dict[checked.Place, Json]


def add_parser(commands: Commands) -> None:
    parser = commands.add_parser(
        "check",
        arguments="[CHAPTER [STAGE]]",
        summary="find races, wrong addresses and the like\nin the kernels, on the emulator",
        examples={
            "./lab check 5 3": "is anything wrong with stage 3 of\nchapter 05, and where",
            "./lab check my/listing.cu": "the same of a whole program of yours",
        },
        program_arguments="ARGUMENTS",
        description="Runs a chapter's programs in the emulator's checked build, which watches each access to memory, at sizes "
        "that leave remainders, and reports what is wrong. Arguments after -- go to the chapter's programs, in place "
        "of these sizes. A .cu file with a main() of its own is compiled and run as it is.",
    )
    parser.add_argument("--json", metavar="FILE", type=Path, help="write all findings to this file as well")
    arguments.add_chapter_and_stage(parser)


def run(options: Namespace) -> int:
    options.chapter, options.stage = chapters.of_own_file(options.chapter, options.stage)
    if named.is_file(options.chapter or ""):
        named.file(options.chapter)
        if options.stage or options.json:
            options.error(f"{console.quoted(options.chapter)} is checked as a whole, and has no stages and no --json")
        setup.ensure(True, False, not options.no_install, arguments.folder_of_builds(options), [])
        return check_file(options.chapter, words=options.program_arguments)
    chosen = arguments.chapters_to_watch(options)
    kind = "programs" if options.program_arguments else "check"
    build = prepare(options, chosen, of_preset("check"), at_first=[])
    for chapter in chosen:
        if not build.lines(chapter, kind):
            raise Failure(f"{chapter} has nothing to check")
    build.make(chosen)
    build.make_own(*chosen, asked=options.stage)

    programs = checked.Programs(options.stage, options.program_arguments, writes="EMULATOR_CHECK_JSON", doing="checking")
    found: Findings = {}
    runs = launches = exit_code = 0
    begun = {chapter: programs.begin(build.lines(chapter, kind)) for chapter in chosen}
    for chapter in chosen:
        console.heading(chapter)
        for ended in programs.ended(begun[chapter]):
            outcome = checked.outcome(ended)
            new = show(chapter, ended.command, outcome, known=found)
            for command in watching(chapter, ended.words, options.stage, new.values(), build.watches(chapter)):
                print(f"look: {command}", flush=True)
            found |= new
            runs += 1
            launches += outcome.launches
            exit_code = exit_code or outcome.code
    if runs == 0:
        raise Failure(programs.refusal, EXIT_USAGE)
    if options.json:
        console.write_file(options.json, json.dumps(list(found.values()), indent=1) + "\n")
    total = counted(len(found), "finding") if found else "nothing found"
    print(f"\nchecked {counted(runs, 'run')} with {counted(launches, 'launch')}: {total}")
    return EXIT_FINDINGS if found else exit_code


def check_file(file: str | Path, *for_nvcc: str, words: Sequence[str] = ()) -> int:
    """Runs a program that is one file, and lets it and the checked build print what they print; returns its exit code."""
    with tempfile.TemporaryDirectory(prefix="lab-") as place:
        program = Path(place, "program")
        if processes.call([ROOT / "emulator/nvcc_cpu", "--check", *for_nvcc, "-o", program, file]):
            shown = console.quoted(str(file), 200)
            if not re.search(r"\bmain\b", Path(file).read_text(encoding="utf-8", errors="replace")):
                made_by = [each.number for each in folder.discover(ROOT) if each.file_name == Path(file).name]
                hint = f"; ./lab exercise {made_by[0]} checks it" if made_by else ""
                raise Failure(f"{shown} has no main(){hint}", EXIT_USAGE)
            raise Failure(f"{shown} does not compile")
        return processes.call([program, *words])


def show(chapter: str, command: str, outcome: checked.Outcome, known: Collection[checked.Place]) -> Findings:
    """Prints how a run ended and the findings that are not known yet; returns these."""
    here = {checked.place(finding): finding for finding in outcome.findings}
    new = {place: finding for place, finding in here.items() if place not in known}
    again = f", {len(here) - len(new)} of them known from above" if len(new) < len(here) else ""
    print(f"{command}: {counted(len(here), 'finding') if here else 'ok'}{again}", flush=True)
    for finding in new.values():
        print(finding["report"], end="", flush=True)
    print(*outcome.notes, sep="", end="", flush=True)
    if outcome.code != 0:
        console.note(outcome.stderr.rstrip("\n"))
        console.note(f"lab: {command} {processes.describe_exit(outcome.code)}")
    return {place: {"chapter": chapter, "command": command, **finding} for place, finding in new.items()}


def watching(
    chapter: str, words: Sequence[str], asked: str | None, findings: Iterable[Json], watches: Sequence[Sequence[str]]
) -> list[str]:
    """The commands that show where these findings of a run come from: one for each stage, or for the program. `asked`: the
    stage that the user named. `watches`: the chapter's command lines to watch."""
    lines = [line for line in watches if line[0] == words[0]]
    in_kernels = [finding for finding in findings if finding["kernel"]]
    if not lines or not in_kernels:
        return []
    stages = {name.partition("/")[0] for name in chapters.stages(ROOT, chapter)}
    files = {Path(deed["file"]).stem for finding in in_kernels for deed in finding["deeds"]}
    numbers = [stage.partition("_")[0] for stage in sorted(files & stages)]
    names = [asked] if asked else numbers or [Path(words[0]).name]
    known = arguments.by_option(lines[0][1:])
    own = {name: option for name, option in arguments.by_option(words[1:]).items() if option != known.get(name)}
    added = [word for name, option in own.items() if name != "--stage" for word in option]
    end = f" -- {' '.join(added)}" if added else ""
    return [f"./lab watch {chapters.number(chapter)} {name}{end}" for name in names]

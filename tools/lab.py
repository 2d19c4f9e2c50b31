"""The one command of this repository. ./lab explains itself; this file reads the command line and does the commands."""

from __future__ import annotations

import argparse
import difflib
import json
import os
import pwd
import signal
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NoReturn

import backend
import chapters
import checked
import console
import counts
import ctest
import nsight
import readme
import results
import setup
from backend import Backend
from build import Build, remove_builds
from checked import counted
from console import EXIT_FAILED, EXIT_FINDINGS, EXIT_INTERRUPTED, EXIT_NO_CUDA, EXIT_USAGE, Failure
from results import Json

ROOT = Path(__file__).resolve().parent.parent
CUDA_PRESETS = ("cuda", "ci")
ROOMS = ("common", "emulator", "lab")  # what has tests besides the chapters

OVERVIEW = """\
lab builds, runs, tests and measures the chapters of this tutorial, on an NVIDIA
GPU or without one.

  ./lab run [CHAPTER…] [-- ARGUMENTS]  build the chapters and run their programs
  ./lab test [CHAPTER…]                build and run the tests
  ./lab check [CHAPTER [STAGE]]        find races, wrong addresses and the like
                                       in the kernels, on the emulator
  ./lab count [CHAPTER [STAGE]]        count what each kernel asks of the
                                       memories, on the emulator
  ./lab bench [CHAPTER…]               measure on this GPU and bring the tables
                                       in the lessons up to date
  ./lab docs [--check]                 bring the generated parts of the lessons
                                       up to date
  ./lab clean                          remove what was built

For example
  ./lab run                            everything
  ./lab run 3                          one chapter; 3, 03, vector_add and
                                       03_vector_add are the same
  ./lab run 3 -- --n 1000000           with arguments for its program
                                       (-- --help lists them)
  ./lab test --cpu                     on the emulator, even beside a GPU
  ./lab check 5 3                      is anything wrong with stage 3 of
                                       chapter 05, and where
  ./lab count 7 --lines                sectors, bank conflicts and atomics of
                                       chapter 07, line by line

What is missing is installed with apt; --no-install forbids it. What is built
goes to build/; --build DIR or the environment variable LAB_BUILD names another
folder. The compiler's warnings are shown; where the environment variable CI is
true, they end the build. ./lab COMMAND --help shows all options.

Exit codes: 0 all is well, 1 a build, test or check failed, 2 wrong arguments,
3 CUDA was asked for and is not there, 4 something needed is not installed,
5 check has found something, 130 interrupted; run and check hand on what a
failing program returned.
"""


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one line."""

    def error(self, message: str) -> NoReturn:
        if "unrecognized arguments: " in message:
            first = message.partition(": ")[2].split(" ")[0]
            message = f"unknown option {console.quoted(first) or repr(first)}"
            if self.prog.endswith("run"):
                message += "; options of the program go after '--'"
        raise Failure(f"{console.quoted(message, 160)} ({self.prog} --help shows what there is)", EXIT_USAGE)


def main(arguments: Sequence[str]) -> int:
    """Does what the command line says; returns the exit code."""
    try:
        try:
            prepare_environment()
            code = dispatch(list(arguments))
        except Failure as failure:
            console.note(f"lab: {failure}")
            code = failure.code
        except SystemExit as end:  # --help
            code = int(end.code or 0)
        sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        console.note("\nlab: interrupted")
        return EXIT_INTERRUPTED
    except BrokenPipeError:  # ./lab run | head
        console.discard(1)
        return EXIT_FAILED
    except OSError as error:  # a full disk, a folder that is read only
        console.discard(1)
        where = console.quoted(os.fsdecode(error.filename)) if error.filename else "the output cannot be written"
        console.note(f"lab: {where}: {error.strerror}")
        return EXIT_FAILED


def dispatch(arguments: list[str]) -> int:
    commands: dict[str, Callable[[list[str]], int]] = {
        "run": run,
        "test": test,
        "check": check,
        "count": count,
        "bench": bench,
        "docs": docs,
        "clean": clean,
    }
    name = arguments[0] if arguments else "help"
    if name in ("help", "--help", "-h"):
        if len(arguments) > 1 and arguments[1] in commands:
            return commands[arguments[1]](["--help"])
        print(OVERVIEW, end="")
        return 0
    if name not in commands:
        near = difflib.get_close_matches(name, commands, n=1)
        hint = f"; did you mean '{near[0]}'?" if near else f"; the commands: {', '.join(commands)}"
        raise Failure(f"unknown {'option' if name.startswith('-') else 'command'} '{console.quoted(name)}'{hint}", EXIT_USAGE)
    return commands[name](arguments[1:])


def run(arguments: list[str]) -> int:
    """./lab run"""
    arguments, program_arguments = split_at_dashes(arguments)
    parser = new_parser(
        "run", "Builds chapters and runs their programs in order. What follows -- goes to the programs."
    )
    parser.usage = "./lab run [CHAPTER…] [--cuda | --cpu] [--build DIR] [--no-install]\n                 [-- ARGUMENTS]"
    options = parser.parse_intermixed_args(arguments)
    chosen = chapters.choose(ROOT, options.chapters)
    build = prepare(options, chosen)

    exit_code = 0
    for chapter in chosen:
        for command in build.programs(chapter):
            console.heading(f"{chapter} · {shown(command)}")
            code = console.call([*command, *program_arguments])
            if code != 0:
                console.note(f"lab: {shown(command)} {describe_exit(code)}")
            exit_code = exit_code or code
        for line in build.left_out(chapter):
            console.note(f"lab: {line}")
    return exit_code


def test(arguments: list[str]) -> int:
    """./lab test"""
    parser = new_parser("test", "Builds and runs the tests: all of them, or those of the chapters that are named.")
    parser.usage = (
        "./lab test [CHAPTER…] [--cuda | --cpu | --preset NAME] [--build DIR]\n                  [--no-install]"
    )
    parser.epilog = f"{', '.join(ROOMS[:-1])} and {ROOMS[-1]} are tested as chapters are: ./lab test {ROOMS[0]}"
    parser.add_argument("--preset", metavar="NAME", help="test this CMake preset's build, e.g. asan")
    options = parser.parse_intermixed_args(arguments)
    if options.preset and options.backend:
        parser.error("--preset says the backend already: leave out --cuda or --cpu")
    rooms = [room for room in ROOMS if room in options.chapters]
    words = [word for word in options.chapters if word not in ROOMS]
    chosen = rooms + (chapters.choose(ROOT, words) if words else [])
    targets = [f"{label}_tests" for label in chosen] or ["all"]
    build = prepare(options, targets, tests=True)

    jobs = 4 if build.preset == "cuda" else len(os.sched_getaffinity(0))
    command = ["ctest", "--test-dir", str(build.folder), "--no-tests=error", "-j", str(jobs)]
    command += ["--output-junit", str(build.folder / "tests.xml")]
    if chosen:
        command += ["-L", f"^({'|'.join(chosen)})$"]
    return EXIT_FAILED if ctest.run(command, build.folder, ROOT) else 0


def check(arguments: list[str]) -> int:
    """./lab check"""
    parser = Parser(
        prog="./lab check",
        usage="./lab check [CHAPTER [STAGE]] [--json FILE] [--build DIR]\n                   [--no-install] [-- ARGUMENTS]",
        allow_abbrev=False,
        description="Runs a chapter's programs in the emulator's checked build, which watches each access to memory, at sizes "
        "that leave remainders, and tells what is wrong. What follows -- goes to the chapter's programs instead.",
    )
    parser.add_argument("--json", metavar="FILE", type=Path, help="write all findings to this file as well")
    options, program_arguments = parse_with_stage(parser, arguments)
    chosen = chapters.choose(ROOT, [options.chapter] if options.chapter else [])
    build = prepare(options, chosen, choose_preset("check"))

    found: dict[tuple[object, ...], Json] = {}
    runs = launches = exit_code = 0
    no_such_stage = ""
    for chapter in chosen:
        lines = build.programs(chapter) if options.own_arguments else build.checks(chapter)
        if not lines:
            raise Failure(f"{chapter} has nothing to check")
        console.heading(chapter)
        for line in lines:
            command = [*line, *program_arguments]
            outcome = checked.try_out(command)
            if options.stage and outcome.code == EXIT_USAGE:  # it may be a stage of another program
                no_such_stage = no_such_stage or outcome.stderr.strip().removeprefix("error: ")
                continue
            runs += 1
            launches += outcome.launches
            here = {checked.place(finding): finding for finding in outcome.findings}
            known = sum(place in found for place in here)
            print(
                f"{shown(command)}: {counted(len(here), 'finding') if here else 'ok'}"
                + (f", {known} of them known from above" if known else ""),
                flush=True,
            )
            for place, finding in here.items():
                if place not in found:
                    print(finding["report"], end="", flush=True)
                    found[place] = {"chapter": chapter, "command": shown(command), **finding}
            if outcome.code != 0:
                console.note(outcome.stderr.rstrip("\n"))
                console.note(f"lab: {shown(command)} {describe_exit(outcome.code)}")
            exit_code = exit_code or outcome.code
    if runs == 0:
        raise Failure(no_such_stage, EXIT_USAGE)
    if options.json:
        console.write_file(options.json, json.dumps(list(found.values()), indent=1) + "\n")
    total = counted(len(found), "finding") if found else "nothing found"
    print(f"\nchecked {counted(runs, 'run')} with {counted(launches, 'launch')}: {total}")
    return EXIT_FINDINGS if found else exit_code


def count(arguments: list[str]) -> int:
    """./lab count"""
    parser = Parser(
        prog="./lab count",
        usage="./lab count [CHAPTER [STAGE]] [--lines] [--json FILE]\n                   "
        "[--keep | --check | --ncu] [--build DIR] [--no-install]\n                   [-- ARGUMENTS]",
        allow_abbrev=False,
        description="Runs a chapter's programs in the emulator's checked build and counts what a profiler would: requests of "
        "warps and what each costs, barriers, warp operations. The numbers are the same on every machine. What follows "
        "-- goes to the chapter's programs, in place of what they are counted with otherwise.",
    )
    parser.add_argument("--lines", action="store_true", help="what each line of the kernels does, too")
    parser.add_argument("--json", metavar="FILE", type=Path, help="write what the programs counted to this file as well")
    what_for = parser.add_mutually_exclusive_group()
    what_for.add_argument("--keep", action="store_true", help="keep the numbers for the lessons, and bring these up to date")
    what_for.add_argument("--check", action="store_true", help="exit code 1 if they are not those that were kept")
    what_for.add_argument("--ncu", action="store_true", help="keep what Nsight Compute counts on this GPU, to compare")
    options, program_arguments = parse_with_stage(parser, arguments)
    if (options.keep or options.check or options.ncu) and program_arguments:
        parser.error("the lessons need all stages, as they are counted otherwise")
    chosen = chapters.choose(ROOT, [options.chapter] if options.chapter else [])
    if options.ncu:
        return count_with_ncu(options, chosen)
    build = prepare(options, chosen, choose_preset("check"))

    everything: list[Json] = []
    differing = []
    no_such_stage = ""
    for chapter in chosen:
        lines = build.programs(chapter) if options.own_arguments else build.counts(chapter)
        if not lines and options.chapter:
            raise Failure(f"{chapter} has nothing to count")
        runs = []
        for line in lines:
            command = [*line, *program_arguments]
            code, stderr, kernels = counts.count(command)
            if options.stage and code == EXIT_USAGE:  # it may be a stage of another program
                no_such_stage = no_such_stage or stderr.strip().removeprefix("error: ")
                continue
            if code != 0:
                console.note(stderr.rstrip("\n"))
                raise Failure(f"{shown(command)} {describe_exit(code)}", code)
            console.heading(f"{chapter} · {shown(command)}")
            rows = counts.per_stage(kernels)
            print(counts.text_table(counts.columns(rows)) if rows else "no kernel", flush=True)
            if options.lines:
                for kernel, row in zip(kernels, rows, strict=True):
                    print(f"\n{row['stage']} · {row['kernel']}\n{counts.line_table(kernel)}", flush=True)
            everything.append({"chapter": chapter, "command": shown(command), "kernels": kernels})
            runs.append((shown(command), rows))
        path = counts.path_of(ROOT, chapter)
        if options.keep and runs:
            console.write_file(path, counts.to_be_kept(runs))
        if options.check and runs:
            if not path.exists() or path.read_text(encoding="utf-8") != counts.to_be_kept(runs):
                differing.append(chapter)
    if not everything:
        raise Failure(no_such_stage or "there is nothing to count", EXIT_USAGE if no_such_stage else EXIT_FAILED)
    print(f"\n{counts.LEGEND}")
    if options.json:
        console.write_file(options.json, json.dumps(everything, indent=1) + "\n")
    if options.keep:
        regenerate_docs()
    if differing:
        raise Failure(f"not what was kept: {', '.join(differing)}; ./lab count --keep keeps the new numbers")
    return 0


def count_with_ncu(options: argparse.Namespace, chosen: Sequence[str]) -> int:
    """./lab count --ncu"""
    where = backend.choose(None)
    if where.preset != "cuda":
        raise Failure("--ncu counts on an NVIDIA GPU, and there is none, or no nvcc", EXIT_NO_CUDA)
    ncu = nsight.find_ncu(where.nvcc)
    facts = {"date": results.today(), "commit": results.commit(ROOT), "driver": backend.driver_version()}
    facts |= {"cuda": nsight.toolkit(where.nvcc)}
    build = prepare(options, chosen, where)
    exit_code = 0
    for chapter in chosen:
        runs = []
        try:
            for line in build.counts(chapter):
                console.heading(f"{chapter} · {shown(line)}")
                device, rows = nsight.profile(ncu, line)
                print(counts.text_table(counts.columns(rows)), flush=True)
                runs.append({"command": shown(line), "rows": rows})
        except Failure as failure:
            console.note(f"lab: {failure}; nothing of {chapter} is kept")
            exit_code = exit_code or failure.code
            continue
        if runs:
            path = nsight.save(ROOT, device, chapter, facts | {"runs": runs})
            console.note(f"lab: written to {os.path.relpath(path)}")
    regenerate_docs()
    return exit_code


def bench(arguments: list[str]) -> int:
    """./lab bench"""
    parser = new_parser(
        "bench",
        "Measures chapters at the benchmark sizes, keeps the numbers in results/<device>.json "
        "and brings the lessons' tables and charts up to date.",
    )
    parser.usage = (
        "./lab bench [CHAPTER…] [--cuda | --cpu | --emulator] [--output DIR]\n"
        "                   [--build DIR] [--no-install]"
    )
    parser.add_argument("--output", metavar="DIR", type=Path, help="write there instead, and leave the lessons alone")
    parser.add_argument(
        "--emulator",
        action="store_true",
        help="the emulator itself, beside OpenMP loops, and its checked build; keeps nothing",
    )
    options = parser.parse_intermixed_args(arguments)
    if options.emulator:
        if options.chapters or options.output or options.backend == "cuda":
            parser.error("--emulator goes with nothing but --build and --no-install")
        plain, checked = (
            prepare(options, ["emulator_benchmark"], choose_preset(preset)).folder / "emulator" / "emulator_benchmark"
            for preset in ("cpu", "check")
        )
        code = console.call([plain])
        print()
        return code or console.call([plain, "--beside", checked])
    chosen = chapters.choose(ROOT, options.chapters)
    where = backend.choose(options.backend)
    if where.preset == "cpu" and options.backend != "cpu":
        raise Failure(
            "there is no GPU to measure; the emulator's times say nothing about one, but --cpu measures it",
            EXIT_NO_CUDA,
        )
    if not options.output and (folder := ROOT / "results").exists() and not os.access(folder, os.W_OK):
        raise Failure("results/ cannot be written; --output DIR keeps the numbers elsewhere")
    commit = results.commit(ROOT)
    build = prepare(options, chosen, where)

    facts = {"date": results.today(), "commit": commit, "driver": backend.driver_version()}
    exit_code = 0
    for chapter in chosen:
        lines = build.benchmarks(chapter)
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
        console.note(f"lab: written to {os.path.relpath(path)}")
    if not options.output:
        regenerate_docs()
    return exit_code


def docs(arguments: list[str]) -> int:
    """./lab docs"""
    parser = Parser(
        prog="./lab docs",
        allow_abbrev=False,
        description="Brings the generated parts of the READMEs up to date: excerpts of the sources, tables and "
        "charts of the results.",
    )
    parser.add_argument("--check", action="store_true", help="change nothing; exit code 1 and a list if some are stale")
    if not parser.parse_args(arguments).check:
        regenerate_docs()
        return 0
    stale = sorted(readme.stale_files(ROOT))
    for path in stale:
        print(f"stale: {path.relative_to(ROOT)}")
    if stale:
        raise Failure("some generated parts are not current; ./lab docs makes them so")
    print("all generated parts are current")
    return 0


def clean(arguments: list[str]) -> int:
    """./lab clean"""
    parser = Parser(
        prog="./lab clean",
        usage="./lab clean [--build DIR]",
        allow_abbrev=False,
        description="Shows the build folders and how large they are, and removes them. The next command builds anew.",
    )
    add_build(parser)
    remove_builds(folder_of_builds(parser.parse_args(arguments)))
    return 0


def regenerate_docs() -> None:
    changed = readme.regenerate(ROOT)
    for path in changed:
        print(f"updated: {path.relative_to(ROOT)}")
    if not changed:
        print("all generated parts are current")


def measure(chapter: str, command: Sequence[str]) -> Json:
    """Runs one program that measures, and returns what it wrote."""
    console.heading(f"{chapter} · {shown(command)}")
    with tempfile.TemporaryDirectory(prefix="lab-") as folder:
        output = Path(folder, "result.json")
        code = console.call([*command, "--json", str(output)])
        if code != 0:
            raise Failure(f"{shown(command)} {describe_exit(code)}; nothing of {chapter} is kept", code)
        return results.read_program_output(output, chapter)


def new_parser(command: str, description: str) -> Parser:
    """The options that run, test and bench have in common."""
    parser = Parser(prog=f"./lab {command}", description=description, allow_abbrev=False)
    parser.add_argument("chapters", metavar="CHAPTER", nargs="*", help="e.g. 3, 03, vector_add; all when left out")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--cuda", dest="backend", action="store_const", const="cuda", help="on the GPU, or not at all")
    where.add_argument("--cpu", dest="backend", action="store_const", const="cpu", help="on the emulator")
    add_set_up(parser)
    return parser


def add_set_up(parser: Parser) -> None:
    """The options of all commands that build."""
    add_build(parser)
    parser.add_argument("--no-install", action="store_true", help="install nothing: name what is missing (exit code 4)")


def add_build(parser: Parser) -> None:
    parser.add_argument(
        "--build", metavar="DIR", type=Path, help="the folder of the builds, else $LAB_BUILD, else build/"
    )


def folder_of_builds(options: argparse.Namespace) -> Path:
    """Where what is built goes."""
    return Path(options.build or os.environ.get("LAB_BUILD") or ROOT / "build").absolute()


def parse_with_stage(parser: Parser, arguments: list[str]) -> tuple[argparse.Namespace, list[str]]:
    """The options of check and count, which take a chapter and a stage; and what the chapter's programs are to be given."""
    parser.add_argument("chapter", metavar="CHAPTER", nargs="?", help="e.g. 3, 03, vector_add; all when left out")
    parser.add_argument("stage", metavar="STAGE", nargs="?", help="only this one, by number or name")
    parser.add_argument("more", nargs="*", help=argparse.SUPPRESS)
    add_set_up(parser)
    arguments, program_arguments = split_at_dashes(arguments)
    options = parser.parse_intermixed_args(arguments)
    if options.more:
        command = parser.prog.rpartition(" ")[2]
        raise Failure(
            f"{command} takes one chapter and one stage of it, so '{console.quoted(options.more[0])}' is too much; "
            f"{command} several chapters one after another, or all of them: {parser.prog}",
            EXIT_USAGE,
        )
    if options.chapter and options.stage:
        chapters.require_stage(ROOT, chapters.choose(ROOT, [options.chapter])[0], options.stage)
    if options.stage and program_arguments:
        parser.error("give a stage to the program itself: -- --stage " + options.stage)
    options.own_arguments = bool(program_arguments)
    return options, program_arguments + (["--stage", options.stage] if options.stage else [])


def prepare(
    options: argparse.Namespace, targets: Sequence[str], where: Backend | None = None, tests: bool = False
) -> Build:
    """Does the set-up and builds the targets."""
    where = where or choose_preset(getattr(options, "preset", None)) or backend.choose(options.backend)
    builds = folder_of_builds(options)
    setup.ensure(where.preset not in CUDA_PRESETS, tests, not options.no_install, builds)
    for chapter in chapters.discover(ROOT):
        if {chapter, f"{chapter}_tests", "all"} & set(targets):
            for line in chapters.unlisted_stages(ROOT, chapter):
                console.note(f"lab: {line}")
    build = Build(ROOT, where, builds)
    build.make(targets)
    return build


def choose_preset(name: str | None) -> Backend | None:
    """The backend that a preset's name asks for; None for no name."""
    if name is None:
        return None
    if name in ("cpu", "cuda"):
        return backend.choose(name)
    presets = json.loads((ROOT / "CMakePresets.json").read_text(encoding="utf-8"))["configurePresets"]
    names = [preset["name"] for preset in presets if not preset.get("hidden")]
    if name not in names:
        raise Failure(f"there is no preset '{console.quoted(name)}'; the presets: {', '.join(names)}", EXIT_USAGE)
    return Backend(name, backend.find_nvcc())


def split_at_dashes(arguments: list[str]) -> tuple[list[str], list[str]]:
    """What stands before and after the first --."""
    if "--" not in arguments:
        return arguments, []
    at = arguments.index("--")
    return arguments[:at], arguments[at + 1 :]


def shown(command: Sequence[str]) -> str:
    """A command line without the folders of its programs."""
    return " ".join(Path(word).name if word.startswith("/") else word for word in command)


def describe_exit(code: int) -> str:
    """An exit code in words."""
    if code > 128 and code - 128 in set(signal.Signals):
        return f"was ended by {signal.Signals(code - 128).name}"
    return f"ended with exit code {code}"


def prepare_environment() -> None:
    """Makes up for an environment that lacks what tools rely on; puts the usual places of tools at PATH's end."""
    path = os.environ.get("PATH", os.defpath).split(os.pathsep)
    for folder in ("/usr/local/sbin", "/usr/sbin", "/sbin", "/usr/local/cuda/bin", "/usr/lib/wsl/lib"):
        if folder not in path and os.path.isdir(folder):
            path.append(folder)
    os.environ["PATH"] = os.pathsep.join(path)
    if "HOME" not in os.environ:
        os.environ["HOME"] = home_folder()
    os.environ.setdefault("EMULATOR_POISON", "1")  # what a chapter reads before it is written shall show
    if os.geteuid() == 0:  # Open MPI asks root whether it is meant. Who runs lab as root has said so.
        for name in ("OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"):
            os.environ.setdefault(name, "1")
    if sys.stderr is None:  # 2>&-: what is said there is lost, and not said to a file that happens to have its number
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115
        raise Failure("the output is closed")
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8", errors="replace")  # type: ignore[union-attr]


def home_folder() -> str:
    try:
        return pwd.getpwuid(os.getuid()).pw_dir
    except KeyError:
        return "/"


def on_termination(number: int, frame: object) -> NoReturn:
    """SIGTERM ends lab as Ctrl-C does: its children first."""
    raise SystemExit(128 + number)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, on_termination)
    sys.exit(main(sys.argv[1:]))

"""The one command of this repository. ./lab explains itself; what each command does is in tools/commands/."""

import contextlib
import difflib
import functools
import io
import os
import signal
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, NoReturn

from reports import version
from shared import arguments, console, language, processes
from shared.arguments import Parser
from shared.chapters import ROOT
from shared.console import EXIT_FAILED, EXIT_INTERRUPTED, EXIT_USAGE, Failure
from translating.templates import phrase, phrases

if TYPE_CHECKING:
    from translating.translation import Translation

# Each is a module in commands/. Only what is asked for is imported: all of them would be half of the time of a short command.
COMMANDS = (
    *"tour run test check count watch sass export new ladder exercise handout grade bench".split(),
    *"docs book notebook translate lint clean doctor completion".split(),
)
SHOWING = "tour run test check count new ladder bench clean doctor".split()  # what they print is for readers

OVERVIEW = (
    phrase("lab builds, runs, tests and measures the chapters of this tutorial, on an NVIDIA GPU or without one."),
    "{commands}",
    phrase(
        "What is missing is installed with apt; --no-install forbids it. What is built goes to build/; --build DIR or the"
        " environment variable LAB_BUILD names another folder. The compiler's warnings are shown; where the environment "
        "variable CI is true, they end the build. ./lab COMMAND --help shows all options, and ./lab --version the version"
        " and the commit."
    ),
    phrase(
        "Exit codes: 0 all is well, 1 a build, test or check failed, 2 wrong arguments, 3 CUDA was asked for and is not "
        "there, 4 something needed is not installed, 5 check has found something, 130 interrupted; run and check return "
        "what a failing program returned."
    ),
)
WORDS = (  # argparse's, and what stands in places of messages
    phrase("usage: "),
    *phrases("""
        positional arguments | options | {number} file | {number} files | {number} package | {number} packages
        {number} cell | {number} cells | {number} block | {number} blocks | {number} step | {number} steps | {number} kernel
        {number} kernels | {number} page | {number} pages | {number} source file | {number} source files
        {number} watch page | {number} watch pages
        {number} run | {number} runs | {number} launch | {number} launches | {number} problem | {number} problems
        {number} broken link | {number} broken links | command | option
        the following arguments are required: {text} | argument {text}: expected one argument
        argument {text}: invalid choice: {text2} (choose from {text3}) | argument {text}: not allowed with argument {text2}
        argument {text}: invalid int value: {text2}
    """),
)


def main(words: Sequence[str]) -> int:
    """Does what the command line says; returns the exit code."""
    console.said = said
    try:
        try:
            prepare_environment()
            code = dispatch(words)
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


def dispatch(words: Sequence[str]) -> int:
    """Finds the command that the first word names, and does it."""
    words = without_language(words)
    name, *rest = words or ["help"]
    alone = name in COMMANDS and name != "completion"  # which completes what all of them take
    commands = parsers([name] if alone else COMMANDS)
    if name in ("help", "--help", "-h"):
        rest = [*without_language(rest)]
        if not rest or rest[0] not in commands:
            paragraphs = [console.wrapped(console.said(text), "") for text in OVERVIEW]
            print("\n\n".join(paragraphs).replace("{commands}", arguments.overview(commands)))
            return 0
        name, rest = rest[0], ["--help"]
    if name == "--version":
        if rest:
            raise Failure(f"--version stands alone, so '{console.quoted(rest[0])}' is too much", EXIT_USAGE)
        print(f"lab {version.describe(ROOT)}")
        return 0
    if name not in commands:
        near = difflib.get_close_matches(name, commands, n=1)
        what = "option" if name.startswith("-") else "command"
        if near:
            raise Failure(f"unknown {what} '{console.quoted(name)}'; did you mean '{near[0]}'?", EXIT_USAGE)
        raise Failure(f"unknown {what} '{console.quoted(name)}'; there are: {', '.join(commands)}", EXIT_USAGE)
    options = commands[name].parse(rest)
    options.commands = commands
    try:
        with contextlib.ExitStack() as stack:
            if name in SHOWING and language.chosen() != language.ENGLISH:
                from translating.tables import Screen  # noqa: PLC0415 (only where it is needed, as it takes a while)

                stack.enter_context(contextlib.redirect_stdout(Screen(sys.stdout)))
            code: int | None = import_module(f"commands.{name}").run(options)
    except BaseException:
        processes.end_descendants(patience=0.5)
        raise
    return code or 0


def said(text: str) -> str:
    """What lab says, in the user's language. That is looked up each time: an option may still choose one."""
    own = language.ENGLISH
    with contextlib.suppress(Failure):
        own = language.chosen()
    return text if own == language.ENGLISH else _translation(own).says(text)


@functools.cache
def _translation(own: str) -> "Translation":
    from translating.translation import Translation  # noqa: PLC0415 (only where it is needed, as it takes a while)

    return Translation(ROOT, own)


def without_language(words: Sequence[str]) -> Sequence[str]:
    """--language may stand before the command, or behind help. So it is for all that is shown, as $LAB_LANGUAGE is."""
    option, equals, value = (words[0] if words else "").partition("=")
    if option != "--language":
        return words
    if not equals:
        value = words[1] if len(words) > 1 else ""
    language.choose(value)
    return words[1:] if equals else words[2:]


def parsers(names: Sequence[str] = COMMANDS) -> Mapping[str, Parser]:
    """The parsers of these commands, by their names."""
    commands = Parser(prog="./lab").add_subparsers(prog="./lab")
    for name in names:
        import_module(f"commands.{name}").add_parser(commands)
    return commands.choices


def prepare_environment() -> None:
    """Makes up for an environment that lacks what tools rely on; puts the usual places of tools at PATH's end."""
    path = os.environ.get("PATH", os.defpath).split(os.pathsep)
    for folder in ("/usr/local/sbin", "/usr/sbin", "/sbin", "/usr/local/cuda/bin", "/usr/lib/wsl/lib"):
        if folder not in path and os.path.isdir(folder):
            path.append(folder)
    os.environ["PATH"] = os.pathsep.join(path)
    home = os.path.expanduser("~")  # that of the user, where $HOME is not set; "~" where the user has no name either
    os.environ.setdefault("HOME", "/" if home == "~" else home)
    os.environ.setdefault("EMULATOR_POISON", "1")  # what a chapter reads before it is written shall show
    if os.environ.get("TERM") == "dumb":
        os.environ.setdefault("NO_COLOR", "1")  # for the chapters' programs, too
    if os.geteuid() == 0:  # Open MPI asks root whether it is meant. Who runs lab as root has said so.
        for name in ("OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"):
            os.environ.setdefault(name, "1")
    # Open MPI: all ranks are on this machine, so none needs the network, whose odd interfaces are worth pages to it.
    os.environ.setdefault("OMPI_MCA_btl", "^tcp")
    if sys.stderr is None:  # 2>&-: what is said there is lost, and not said to a file that happens to have its number
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115
        raise Failure("the output is closed")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="replace")


def on_termination(number: int, frame: object) -> NoReturn:
    """SIGTERM ends lab as Ctrl-C does: its children first."""
    raise SystemExit(128 + number)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, on_termination)
    sys.exit(main(sys.argv[1:]))

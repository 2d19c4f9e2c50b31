"""./lab completion: what makes a shell complete the words after ./lab. The library argcomplete reads most of them from the
parsers of the commands. What these do not know is here: chapters, stages, exercises and presets, and what follows --."""

import os
import shlex
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from building import prepare, toolkit
from commands.test import ROOMS
from exercises import folder
from shared import chapters, console
from shared.arguments import Commands, Parser
from shared.chapters import ROOT
from shared.console import EXIT_SETUP, Failure

PACKAGE = "argcomplete==3.7.2"
HASH = "sha256:6029205678bdd9c1c728a155f5f9ecf5812393f969eef58807641a2bc2aa5b19"

LINES = """\
  ~/.bashrc                   source <(./lab completion bash)
  ~/.zshrc                    source <(./lab completion zsh)
  ~/.config/fish/config.fish  ./lab completion fish | source"""

# Argcomplete's own code follows and calls this function: a path with a blank would not do. LAB is the path of lab, and not what
# the user has typed: that may be another program of this name.
ASK = "_lab_of_cuda_chapters"
FUNCTION = f"{ASK}() {{ LAB completion --no-install; }}\n"
SCRIPTS = {
    "bash": FUNCTION,
    "zsh": FUNCTION + "(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }\n",
    "fish": f"function {ASK}; LAB completion --no-install; end\n",
}


def add_parser(commands: Commands) -> None:
    parser = commands.add_parser(
        "completion",
        arguments="SHELL",
        summary="make the Tab key complete what\nfollows ./lab",
        description="Prints a script that makes a shell complete commands, options, chapters, stages and exercises after "
        "./lab. To have it in each new shell, add the last column of a line below to the file in its first, with the path "
        "of this checkout in place of the dot. The first time, pip downloads the library argcomplete to ~/.cache (0.1 MB).",
        epilog=LINES,
    )
    parser.add_argument("shell", metavar="SHELL", nargs="?", choices=list(SCRIPTS), help="bash, zsh or fish")
    parser.add_argument("--no-install", action="store_true", help="install nothing: name what is missing (exit code 4)")


def run(options: Namespace) -> None:
    is_asked = "_ARGCOMPLETE" in os.environ  # by what an earlier call has printed
    if not options.shell and not is_asked:
        options.error(f"for which shell? {', '.join(SCRIPTS)}")
    sys.path.append(str(library(not options.no_install)))
    argcomplete = import_module("argcomplete")
    if is_asked:
        line = os.environ["COMP_LINE"][: int(os.environ["COMP_POINT"])]
        given = line.rpartition(" ")[0].replace("=", " ").split()
        argcomplete.autocomplete(parser_for(line, options.commands), always_complete_options=False, exclude=given)
    code = argcomplete.shellcode(["lab"], use_defaults=False, shell=options.shell, argcomplete_script=ASK)
    print(SCRIPTS[options.shell].replace("LAB", shlex.quote(str(ROOT / "lab"))) + code)


def library(may_install: bool) -> Path:
    """The folder of argcomplete, which is downloaded where it is missing."""
    place = toolkit.cache() / PACKAGE
    if not place.is_dir():
        if not may_install:
            raise Failure(f"missing: {PACKAGE}; ./lab completion downloads it without --no-install", EXIT_SETUP)
        console.note(f"lab: {PACKAGE} goes to {place}")
        toolkit.install_packages(place, [f"{PACKAGE} --hash={HASH}"], place.is_dir)
    return place


def parser_for(line: str, commands: Mapping[str, Parser]) -> ArgumentParser:
    """What parses a command line: one with all commands, or behind -- one with what all programs of chapters take."""
    own, dashes, for_program = line.partition(" -- ")
    if dashes and commands[shlex.split(own)[1]].program_arguments:
        _, command, *words = shlex.split(own)
        os.environ |= {"COMP_LINE": f"lab {for_program}", "COMP_POINT": str(len(f"lab {for_program}"))}
        parser = ArgumentParser(add_help=False)
        parser.set_defaults(**vars(commands[command].parse(words)))
        parser.add_argument("files", metavar="FILE", nargs="*")
        complete(parser.add_argument("--stage", metavar="STAGE"))
        return parser
    parser = Parser(prog="./lab")
    parser.add_argument("--version", action="store_true", help="version and commit")
    names: Any = parser.add_subparsers()
    names.choices.update(commands)
    names.add_parser("help", summary="all commands, or one").add_argument("command", nargs="?", choices=list(commands))
    says = {name: " ".join(one.summary.split()) for name, one in names.choices.items()}
    names.completer = lambda **_: says
    for one in names.choices.values():
        for action in one._actions:
            complete(action)
    return parser


def complete(action: Any) -> None:
    """Tells argcomplete what an argument or the value of an option may be, by what --help has in its place. It knows files."""
    if action.nargs != 0 and not action.choices and action.metavar not in ("DIR", "FILE", "FOLDER"):
        action.completer = VALUES.get(action.metavar, lambda **_: ())


def chapter_names(prefix: str, parser: Parser, **_: Any) -> Iterable[str]:
    """And what the command takes in a chapter's place, files among it: a stage of the learner's is one."""
    others = {"test": ROOMS, "watch": exercises()}.get(parser.prog.split()[-1], ())
    return or_files([*chapters.discover(ROOT), *others], prefix)


def stage_names(parsed_args: Namespace, **_: Any) -> Iterable[str]:
    """Those of the chapters that are named."""
    named = vars(parsed_args).get("chapters") or [parsed_args.chapter]
    chosen = chapters.choose(ROOT, named) if named != [None] else []
    return [stage for chapter in chosen for stage in chapters.stages(ROOT, chapter)]


def exercises() -> dict[str, str]:
    """Their numbers, and what each is about."""
    return {exercise.number: exercise.short_name for exercise in folder.discover(ROOT)}


def or_files(words: Iterable[str], prefix: str) -> Iterable[str]:
    """The words, or files where none of these begins in that way."""
    fit = any(word.startswith(prefix) for word in words)
    return words if fit else import_module("argcomplete").FilesCompleter()(prefix)


VALUES: dict[str, Callable[..., Iterable[str]]] = {
    "CHAPTER": chapter_names,
    "STAGE": stage_names,
    "EXERCISE": lambda prefix, **_: or_files(exercises(), prefix),
    "PRESET": lambda **_: prepare.presets(),
}

"""The command line: the parser of a command, and the options that several commands take."""

import argparse
import functools
import os
import re
from argparse import Namespace
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn, TypeAlias

from shared import chapters, console, language
from shared.chapters import ROOT
from shared.console import EXIT_USAGE, Failure

Commands: TypeAlias = "argparse._SubParsersAction[Parser]"  # to which a command adds its parser

MISREAD = re.compile(r"""[\x00-\x1f\x7f"$`\\;#<>|\[\]]""")  # in a path; nvcc's own steps are lines for a shell
COLUMN = 39  # of the overview, in which the explanations begin


class Formatter(argparse.HelpFormatter):
    """In the user's language, whose lines may end between two Chinese characters."""

    def __init__(self, program_arguments: str, **options: Any) -> None:
        super().__init__(**options)
        self._behind_dashes = program_arguments

    def add_usage(self, usage: Any, actions: Any, groups: Any, prefix: str | None = None) -> None:
        shown = [action for action in actions if action.dest not in ("help", "language")]  # which every command has
        if self._behind_dashes:
            shown.append(argparse.Action([], "", nargs="?", metavar=f"-- {self._behind_dashes}"))
        super().add_usage(usage, shown, groups, prefix or console.said("usage: "))

    def start_section(self, heading: str | None) -> None:
        super().start_section(heading and console.said(heading))

    def format_help(self) -> str:
        return re.sub(rf"(?m)(?<=[{console.WIDE}]):$", "\uff1a", super().format_help())

    def _expand_help(self, action: argparse.Action) -> str:
        return console.said(super()._expand_help(action))

    def _split_lines(self, text: str, width: int) -> list[str]:
        is_wide = console.columns(text) != len(text)
        return console.lines_of_wide(text, width) if is_wide else super()._split_lines(text, width)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        if text.startswith("  "):  # lines that stay
            return text
        return "\n".join(indent + line for line in self._split_lines(console.said(text), width))


class Parser(argparse.ArgumentParser):
    """The parser of one command. Says what is wrong in one line."""

    def __init__(
        self,
        *,
        arguments: str = "",
        summary: str = "",
        examples: Mapping[str, str] | None = None,
        program_arguments: str = "",
        **options: Any,
    ) -> None:
        """arguments, summary, examples: for the overview. program_arguments: what follows -- and is for the programs.
        options: argparse's."""
        formatter = functools.partial(Formatter, program_arguments)
        super().__init__(allow_abbrev=False, add_help=False, **{"formatter_class": formatter, **options})
        self.add_argument("-h", "--help", action="help", help="show this help message and exit")
        self.add_argument(
            "--language", metavar="LANGUAGE", help="the language: en, zh (default: $LAB_LANGUAGE, or that of the locale)"
        )
        self.arguments = arguments
        self.summary = summary
        self.examples = examples or {}
        self.program_arguments = program_arguments

    def parse(self, words: Sequence[str]) -> Namespace:
        """The options of a command line, on which chapters and options may stand in any order."""
        own, for_programs = split_at_dashes(words) if self.program_arguments else (list(words), [])
        for before, word in zip([self.prog, *own], own, strict=False):
            if not word or (word.startswith("--") and word.endswith("=")):
                self.error(f"there is nothing behind {word or before}")
        if "--language" in own[:-1]:  # before there is help
            language.choose(own[own.index("--language") + 1])
        self.usage = self.format_usage().removeprefix(console.said("usage: "))  # argparse takes the English one off
        options = self.parse_intermixed_args(own)
        if options.language is not None:
            language.choose(options.language)
        options.program_arguments = for_programs
        options.error = self.error
        return options

    def error(self, message: str) -> NoReturn:
        if "unrecognized arguments: " in message:
            first = message.partition(": ")[2].split(" ")[0]
            option = console.quoted(first) or repr(first)
            message = console.said(f"unknown option {option}" if option.startswith("-") else f"'{option}' is too much")
            if self.prog.endswith("run"):
                message = console.said(f"unknown option {option}; options of the program go after '--'")
        else:
            message = console.said(message)
        raise Failure(f"{console.quoted(message, 160)} ({self.prog} --help shows what there is)", EXIT_USAGE)


def split_at_dashes(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """What stands before and after the first --."""
    at = words.index("--") if "--" in words else len(words)
    return list(words[:at]), list(words[at + 1 :])


def by_option(words: Sequence[str]) -> dict[str, list[str]]:
    """A program's arguments by option: all words of each, its name included."""
    options: dict[str, list[str]] = {}
    name = ""
    for word in words:
        name = word.partition("=")[0] if word.startswith("--") else name
        options.setdefault(name, []).append(word)
    return options


def overridden(words: Sequence[str], given: Sequence[str]) -> list[str]:
    """A program's arguments, in which options that are given too are as given."""
    named = by_option(given)
    return [word for name, own in by_option(words).items() if name not in named for word in own] + list(given)


def overview(commands: Mapping[str, Parser]) -> str:
    """A line for each command, then an example or more of each."""
    lines = [_explained(f"./lab {name} {parser.arguments}", parser.summary) for name, parser in commands.items()]
    lines += ["", console.said("For example")]
    for parser in commands.values():
        lines += [_explained(example, explanation) for example, explanation in parser.examples.items()]
    return "\n".join(lines)


def _explained(command: str, explanation: str) -> str:
    english = " ".join(explanation.split())
    own = console.said(english)
    if console.width() < 80:
        return f"  {command.rstrip()}\n{console.wrapped(f'      {own}', '      ')}"
    lines = explanation.splitlines() if own.isascii() else console.lines_of_wide(own, 79 - COLUMN)
    return f"  {command}".ljust(COLUMN) + f"\n{' ' * COLUMN}".join(lines)


def add_chapters(parser: Parser) -> None:
    """What run, test and bench take: chapters, the backend, and the options of all commands that build."""
    parser.add_argument("chapters", metavar="CHAPTER", nargs="*", help="e.g. 3, 03, vector_add; all when left out")
    where = parser.add_mutually_exclusive_group()
    where.add_argument(
        "--cuda", dest="backend", action="store_const", const="cuda", help="on the GPU; exit code 3 if that cannot be"
    )
    where.add_argument("--cpu", dest="backend", action="store_const", const="cpu", help="on the emulator")
    parser.add_argument("--install-cuda", action="store_true", help="download a CUDA toolkit if none suits (0.7 GB)")
    add_set_up(parser)


def add_chapter_and_stage(parser: Parser) -> None:
    """What check and count take: a chapter and a stage, and the options of all commands that build."""
    parser.add_argument("chapter", metavar="CHAPTER", nargs="?", help="e.g. 3, 03, vector_add; all when left out")
    parser.add_argument("stage", metavar="STAGE", nargs="?", help="only this one, by number or name")
    add_set_up(parser)


def add_stage(parser: Parser) -> None:
    parser.add_argument("--stage", metavar="STAGE", help="by number or name; a stage of yours, too: my/05_dot_product/mine.cu")


def refuse_twice(words: Sequence[str]) -> None:
    """Of chapters: the second one is meant to be a stage."""
    for word in words:
        if words.count(word) > 1:
            shown = console.quoted(word)
            raise Failure(f"chapter {shown} is there twice; for its stage {shown}: --stage {shown}", EXIT_USAGE)


def add_set_up(parser: Parser) -> None:
    """The options of all commands that build."""
    add_build(parser)
    parser.add_argument("--no-install", action="store_true", help="install nothing: name what is missing (exit code 4)")


def add_build(parser: Parser) -> None:
    parser.add_argument("--build", metavar="DIR", type=Path, help="the folder of the builds (default: $LAB_BUILD, or build/)")


def folder_of_builds(options: Namespace) -> Path:
    """Where what is built goes; refuses it if it cannot be built there."""
    folder = Path(options.build or os.environ.get("LAB_BUILD") or ROOT / "build").absolute()
    require_plain(ROOT, "the checkout's folder")
    require_plain(folder, "the folder of the builds")
    require_plain(os.environ.get("TMPDIR", ""), "TMPDIR")
    return folder


def require_plain(path: str | Path, what: str) -> None:
    """Refuses what nvcc, CMake or a shell would take for something else, or even for a command."""
    if match := MISREAD.search(str(path)):
        shown, wrong = console.quoted(str(path), 200), console.quoted(match[0])
        raise Failure(f"{what} is {shown}, and nvcc, CMake or a shell would misread the {wrong} in it; rename it", EXIT_USAGE)


def require_seed() -> None:
    """Refuses a $SEED that the programs with random data would read as another number."""
    seed = os.environ.get("SEED", "0")
    if not re.fullmatch("[0-9]{1,20}", seed) or int(seed) >= 1 << 64:
        raise Failure(f"the environment variable SEED is '{console.quoted(seed)}', and must be from 0 to 2^64 - 1", EXIT_USAGE)


def chapters_to_watch(options: Namespace) -> list[str]:
    """The chapter that check or count is given, or all; refuses a stage that the chapter does not have."""
    chosen = chapters.choose(ROOT, [options.chapter] if options.chapter else [])
    if options.stage:
        chapters.require_stage(ROOT, chosen[0], options.stage)
    return chosen

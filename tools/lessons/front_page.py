"""Checks what the front page says about the rest of the repository, where a change elsewhere would make it false: chapters,
commands and what they are given, files, versions. What follows from results is generated instead (tables.py)."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

from building.dependencies import Program, table
from shared import chapters
from shared.console import Failure

NUMBERS = "no one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen".split()
COMMAND = re.compile(r"\./lab( [^`#\n]*)")
LAYOUT = re.compile(r"^## How the repository is laid out\n+```\n(.*?)```", re.MULTILINE | re.DOTALL)
SOURCE = re.compile(r"\b(?!\d\d_)\d+_\w+\.(?:cu|cpp)\b(?::(\d+))?")
OF_CHAPTERS = {"run", "test", "check", "count", "watch", "sass", "export", "bench", "handout"}
WITH_A_STAGE = {"check", "count", "watch", "sass", "export"}


def problems(root: Path) -> Iterator[str]:
    """One line each, with the line of README.md."""
    page = root / "README.md"
    if not page.is_file():
        return
    text = page.read_text(encoding="utf-8")
    commands = sorted(path.stem for path in (root / "tools" / "commands").glob("[a-z]*.py"))
    yield from _chapters(text, root)
    yield from _layout(text, root, commands)
    for number, line in enumerate(text.splitlines(), 1):
        for match in COMMAND.finditer(line):
            if wrong := _wrong_in(match[1], root, commands):
                yield f"README.md:{number}: ./lab{match[1].rstrip()}: {wrong}"
        for match in SOURCE.finditer(line):
            files = list(root.glob(f"[0-9]*/{match[0].partition(':')[0]}"))
            lines = max((file.read_text(encoding="utf-8").count("\n") for file in files), default=0)
            if not files or int(match[1] or 0) > lines:
                yield f"README.md:{number}: no chapter has {match[0]}"
    yield from _versions(text)


def _chapters(text: str, root: Path) -> Iterator[str]:
    """All chapters are in the table, by their numbers, and the first sentence counts them."""
    there = chapters.discover(root)
    claimed = re.search(r"^(\w+) small programs", text, re.MULTILINE)
    if claimed and claimed[1].lower() not in (str(len(there)), *NUMBERS[len(there) :][:1]):
        yield f"README.md: '{claimed[0]}', and there are {len(there)} chapters"
    listed = re.findall(r"^\| (\d\d) \| \[.+?\]\((\w+)/README\.md\)", text, re.MULTILINE)
    if listed and listed != [(name.partition("_")[0], name) for name in there]:
        yield f"README.md: the table of chapters is not that of the folders {', '.join(there)}"


def _layout(text: str, root: Path, commands: list[str]) -> Iterator[str]:
    """Its first column names files and folders, and its line on lab all commands."""
    if not (layout := LAYOUT.search(text)):
        return
    for line in re.sub(r"\n +", " ", layout[1]).splitlines():
        path, _, what = line.partition("  ")
        if path == "lab" and sorted(re.findall(r"[a-z]+", what.partition(":")[2])) != commands:
            yield f"README.md: the layout's line on lab does not name its commands: {', '.join(commands)}"
        elif path and path != "my/" and not (root / path.removesuffix(" …")).exists():
            yield f"README.md: the layout names {path}, which is not there"


def _wrong_in(arguments: str, root: Path, commands: list[str]) -> str:
    """What is wrong with the words after ./lab; '' for nothing. Words that are no chapter's name are options or files."""
    try:
        words = shlex.split(arguments.partition(" -- ")[0])
    except ValueError:  # half a command, in a sentence
        return ""
    if not words or not re.fullmatch(r"[a-z]+", words[0]):
        return ""
    command, *rest = words
    named = [word for word in rest if re.match(r"\d", word)]
    try:
        if command not in commands:
            return f"there is no command '{command}'"
        if command == "exercise":
            for word in named:
                chapter, _, number = word.partition(".")
                if not list((root / chapters.choose(root, [chapter])[0]).glob(f"exercises/{number}_*")):
                    return f"there is no exercise '{word}'"
        elif command in OF_CHAPTERS and named:
            chapter = chapters.choose(root, [named[0].partition("/")[0]])[0]
            stages = named[1:2] if command in WITH_A_STAGE else re.findall(r"--stage (\S+)", arguments)
            for stage in stages:
                chapters.require_stage(root, chapter, stage)
    except Failure as failure:
        return str(failure)
    return ""


def _versions(text: str) -> Iterator[str]:
    """Programs that must not be too old are named with the version that the set-up asks for."""
    for row in table():
        if isinstance(row.probe, Program) and row.probe.oldest != (0, 0):
            name = row.what.partition(" ")[0]
            oldest = ".".join(map(str, row.probe.oldest))
            for said in re.findall(rf"\b{re.escape(name)} (\d+(?:\.\d+)*)", text):
                if said != oldest:
                    yield f"README.md: it asks for {name} {said}, and the set-up for {oldest}"

"""The files that a command reads and writes. All of them are checked before anything is written."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from launcher.command import values

from .messages import fail
from .options import HOST, LINKED, RULE_ALONE, RULE_BESIDE, WRITTEN_BY_HAND

if TYPE_CHECKING:
    from .command_line import Command, InputFile


def stem_of(path: str) -> str:
    return os.path.splitext(os.path.basename(path))[0]


def beside(command: Command, path: str, suffix: str) -> str:
    """Where something that is made of a source goes if no option says so."""
    return os.path.join(command.last("objects", ""), stem_of(path) + suffix)


def rule_file(command: Command, path: str) -> str:
    """Where -MD and -MMD put the rule of a source."""
    made = command.last("output") if "objects only" in command.flags else None
    return command.last("dependency file") or (os.path.splitext(made)[0] if made else beside(command, path, "")) + ".d"


def check_input(file: InputFile) -> None:
    path = file.path
    if not os.path.exists(path):
        fail("{}: no such file", path)
    if os.path.isdir(path):
        fail("{}: this is a directory", path)
    if not os.access(path, os.R_OK):
        fail("{}: no permission to read it", path)
    if file.language is None and not path.endswith((".cu", *HOST, *LINKED)) and ".so." not in path:
        fail("{}: don't know what to do with this kind of file (-x cu says that it is CUDA)", path)
    if not file.is_source():
        return
    if re.search(r"[\x00-\x1f\x7f]", path):
        fail("{}: the name of a source file cannot have line breaks or other control characters", path)
    if os.path.isfile(path):
        with open(path, "rb") as opened:
            if b"\0" in opened.read(1000):
                fail("{}: not C++, but a binary file or text in UTF-16 (it has zero bytes)", path)


def check_outputs(command: Command, files: list[InputFile]) -> None:
    """`files`: those of the command."""
    sources = [file.path for file in files if file.is_source()]
    outputs = _outputs(command, sources)
    for path in outputs:
        if outputs.count(path) > 1 and path != os.devnull:
            fail("'{}' would be written twice", path)
        if os.path.isfile(path):
            _check_overwritten(command, path, [file.path for file in files], sources)
        folder = os.path.dirname(path) or "."
        if os.path.isdir(path):
            fail("cannot write '{}': this is a directory", path)
        if not os.path.isdir(folder):
            fail("cannot write '{}': there is no folder '{}'", path, folder)
        if not os.access(path, os.W_OK) and not os.access(folder, os.W_OK):
            fail("cannot write '{}': no permission", path)
        if len(os.fsencode(os.path.basename(path))) > 255:
            fail("cannot write '{}': the name is too long", path)


def _outputs(command: Command, sources: list[str]) -> list[str]:
    """The files that will be written."""
    flags, output = command.flags, command.last("output")
    outputs: list[str | None]
    if {"preprocess", *RULE_ALONE} & flags:
        outputs = [output or (command.last("dependency file") if RULE_ALONE & flags else None)]
    else:
        if "objects only" in flags:
            outputs = [output] if output else [beside(command, path, ".o") for path in sources]
        elif "device link" in flags:
            outputs = [output or "a_dlink.o"]
        else:
            outputs = [output or ("a.a" if "archive" in flags else "a.out")]
        for path in outputs:
            if path and os.path.islink(path) and os.path.abspath(path).startswith("/dev/"):  # The linker removes links.
                fail("cannot write '{}': this is not a place for a program or object", path)
        outputs += {rule_file(command, path) for path in sources} if RULE_BESIDE & flags else []
        outputs += values(command.compiling, "-MF")
    return [path for path in outputs if path and path != "-"]


def _is_preprocessed(path: str) -> bool:
    """Has a preprocessor written the file? It begins with the name of the source then."""
    with open(path, "rb") as file:
        return re.match(rb'# [01] "', file.read(5)) is not None


def _check_overwritten(command: Command, output: str, paths: list[str], sources: list[str]) -> None:
    """No output may take the place of a file that is read, or that somebody has written by hand."""
    from rewriter import Options, included  # only where it is needed, since it takes its time

    def listed(meaning: str) -> list[str]:
        return [name for value in command.values.get(meaning, []) for name in value.split(",")]

    inputs = paths + command.option_files + listed("include")
    inputs += [
        os.path.join(folder, f"lib{name}{ending}")
        for folder in listed("library folder")
        for name in listed("library")
        for ending in (".so", ".a")
    ]
    read = [path for path in [*sources, *listed("include")] if os.path.isfile(path)]
    inputs += included(read, Options(listed("folder") + listed("system folder")))
    for path in inputs:
        if os.path.exists(path) and os.path.samefile(path, output):
            fail("input file '{}' is the same as output file", path)
    if output.lower().endswith(WRITTEN_BY_HAND) and not ("preprocess" in command.flags and _is_preprocessed(output)):
        fail("'{}' is a source file and would be overwritten (remove it first if that is meant)", output)

"""Parses the command line of nvcc_cpu."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import overload

from .messages import fail
from .options import FLAGS, HOST, JOINED, LINKED, MAY_BE_EMPTY, NOT_NEEDED, UNSUPPORTED_LIBRARIES, WITH_VALUE


@dataclass(frozen=True)
class InputFile:
    path: str
    language: str | None  # cu, c++ or c, if -x said so

    def is_source(self) -> bool:
        return self.language is not None and not self.path.endswith(LINKED) or self.path.endswith((".cu", *HOST))

    def source_language(self) -> str:
        return self.language or ("cu" if self.path.endswith(".cu") else "c" if self.path.endswith(".c") else "c++")


@dataclass
class Command:
    """A command line, parsed. What its options mean is in options.py."""

    values: dict[str, list[str]] = field(default_factory=dict)  # by their meaning
    flags: set[str] = field(default_factory=set)
    compiling: list[str] = field(default_factory=list)  # options of the compiler, in their order
    linking: list[str | InputFile] = field(default_factory=list)  # libraries, options of the linker, and InputFiles
    option_files: list[str] = field(default_factory=list)

    @overload
    def last(self, meaning: str) -> str | None: ...

    @overload
    def last(self, meaning: str, default: str) -> str: ...

    def last(self, meaning: str, default: str | None = None) -> str | None:
        return self.values.get(meaning, [default])[-1]


def parse(arguments: Sequence[str]) -> Command:
    """Returns the Command. The environment and files of options add to the arguments."""
    before, after = (_words(os.environ.get(name, ""), name) for name in ("NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS"))
    command, i = Command(), 0
    arguments = list(_with_files([*before, *arguments, *after], command.option_files))
    value_names, flag_names = _names(WITH_VALUE), _names(FLAGS)
    forward = any(argument.lstrip("-") in FLAGS["forward"].split() for argument in arguments)
    while i < len(arguments):
        argument = arguments[i]
        i += 1
        if not argument.startswith("-") or argument == "-":
            command.linking.append(InputFile(argument, command.last("language")))
            continue
        value: str | None
        name, equals, value = argument.lstrip("-").partition("=")
        if name in flag_names and not equals:
            command.flags.add(flag_names[name])
            if flag_names[name] == "relocatable objects":
                command.flags |= {"objects only"}
            if flag_names[name] == "unsupported":
                fail("not supported: {}", argument)
            continue
        if name in flag_names:
            fail("option '{}' takes no value", argument.partition("=")[0])
        if name not in value_names:
            name, value = argument[1:2], argument[2:]
            if argument.startswith("--") or name not in JOINED or name == "m" and value != "64":
                if forward:
                    command.compiling.append(argument)
                    command.linking.append(argument)
                    continue
                fail("unknown option '{}' (one for the host compiler goes behind -Xcompiler)", argument)
        elif not equals:
            value = arguments[i] if i < len(arguments) else None
            i += 1
        if value is None or value == "" and value_names[name] not in MAY_BE_EMPTY:
            fail("option '{}' needs a value", argument)
        _take(command, value_names[name], value)
    return command


def _with_files(arguments: Sequence[str], read: list[str], depth: int = 0) -> Iterator[str]:
    """The arguments, with those in files instead of `@FILE` and `--options-file FILE`. The files are added to `read`."""
    left = list(arguments)
    while left:
        argument = left.pop(0)
        name, _, value = argument.lstrip("-").partition("=")
        if argument.startswith("-") and name in WITH_VALUE["options file"].split():
            if not value and not left:
                fail("option '{}' needs a value", argument)
            files = (value or left.pop(0)).split(",")
        elif argument.startswith("@"):
            files = [argument[1:]]
        else:
            yield argument
            continue
        for path in files:
            if depth > 9:
                fail("{}: files of options that name each other", path)
            try:
                with open(path, encoding="utf-8", errors="surrogateescape") as file:
                    text = file.read()
            except OSError as error:
                fail("{}: {}", path, error.strerror or str(error))
            if "\0" in text:
                fail("{}: not a file of options (it has a zero byte)", path)
            read.append(path)
            yield from _with_files(_words(text, path), read, depth + 1)


def _words(text: str, where: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError as error:
        fail("{}: {}", where, str(error))


def _names(table: Mapping[str, str]) -> dict[str, str]:
    """name of an option -> its meaning"""
    return {name: meaning for meaning, text in table.items() for name in text.split()}


def split_list(text: str) -> list[str]:
    """-Xcompiler takes several options, with commas or blanks between them; \\, is a comma of an option's own."""
    parts = re.findall(r"""(?:\\.|"[^"]*"|'[^']*'|[^,\s\\])+""", text)
    return [re.sub(r"""["']|\\(?=,)""", "", part) for part in parts]


def _take(command: Command, meaning: str, value: str) -> None:
    """Heeds one option with a value."""
    if meaning in ("output", "objects") and value.startswith("-") and value != "-":
        value = os.path.join(".", value)  # The linker would take it for an option.
    _refuse(meaning, value)
    command.values.setdefault(meaning, []).append(value)
    if meaning in FOR_COMPILER:
        command.compiling += FOR_COMPILER[meaning](value)
    elif meaning in FOR_LINKER:
        command.linking += FOR_LINKER[meaning](value)


def _refuse(meaning: str, value: str) -> None:
    """Ends with a line if the emulator has nothing for this value."""
    if meaning == "unsupported":
        fail("not supported: {} with this option of nvcc's", value)
    if meaning == "language" and value not in ("cu", "c++", "c"):
        fail("-x {} is not one of cu, c++ and c", value)
    if meaning == "default stream" and value not in ("legacy", "null", "per-thread"):
        fail("--default-stream {} is not one of legacy, null and per-thread", value)
    for name in value.split(",") if meaning == "library" else ():
        if UNSUPPORTED_LIBRARIES.fullmatch(name):
            fail("not supported: -l{} (the emulator has none of CUDA's libraries)", name)


def _folders(option: str, value: str) -> list[str]:
    """A toolkit's own headers would hide what the emulator does not have."""
    folders = [folder for folder in value.split(",") if not os.path.isfile(os.path.join(folder, "crt", "host_defines.h"))]
    return [part for folder in folders for part in (option, folder)]


# What an option is to the compiler or to the linker, by its meaning.
FOR_COMPILER: dict[str, Callable[[str], list[str]]] = {
    "folder": lambda value: _folders("-I", value),
    "system folder": lambda value: _folders("-isystem", value),
    "define": lambda value: ["-D", value],
    "default stream": lambda value: ["-D", "CUDA_API_PER_THREAD_DEFAULT_STREAM=1"] if value == "per-thread" else [],
    "undefine": lambda value: ["-U", value],
    "include": lambda value: ["-include", value],
    "compiler option": split_list,
    "werror": lambda value: ["-Werror"] if value == "all-warnings" else [],
    "fmad": lambda value: ["-ffp-contract=off"] if value == "false" else [],
    "template depth": lambda value: [f"-ftemplate-depth={value}"],
    "template backtrace": lambda value: [f"-ftemplate-backtrace-limit={value}"],
}
FOR_LINKER: dict[str, Callable[[str], list[str]]] = {
    "linker option": lambda value: [part for option in split_list(value) for part in ("-Xlinker", option)],
    "library folder": lambda value: [f"-L{folder}" for folder in value.split(",") if folder],
    "library": lambda value: [f"-l{name}" for name in value.split(",") if name not in NOT_NEEDED],
}


def standard(command: Command) -> str:
    """The language, as an option of the compiler."""
    asked = command.last("standard", "c++17")
    match = re.fullmatch(r"(?:c|gnu)\+\+(03|11|14|17|20|23)", asked)
    if not match:
        fail("-std={} is not one of c++11, c++14, c++17, c++20 and c++23", asked)
    return "-std=gnu++" + (match[1] if match[1] in ("20", "23") else "17")


def optimization(command: Command) -> str:
    level = command.last("optimize", "2")
    if not re.fullmatch("[0-9]+", level):
        fail("-O{} is not one of -O0, -O1, -O2 and -O3", level)
    return "-O0" if "device debug" in command.flags else f"-O{level}"

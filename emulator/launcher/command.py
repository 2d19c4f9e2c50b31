"""Reads the command line of a g++ or clang++: a list whose first element is the compiler."""

from __future__ import annotations

from collections.abc import Iterator

WITH_VALUE = set(
    """-o -I -iquote -isystem -idirafter -include -imacros -MF -MT -MQ -D -U -x -Xclang -Xpreprocessor -Xassembler
    -Xlinker -arch -target -L -l -T -u""".split()
)


def source_positions(command: list[str]) -> list[int]:
    """Where the .cu files stand in the command."""
    return [
        i
        for i in range(1, len(command))
        if command[i].endswith(".cu") and not command[i].startswith("-") and command[i - 1] not in WITH_VALUE
    ]


def values(command: list[str], option: str) -> Iterator[str]:
    """The values of `-I x` and `-Ix`."""
    for before, argument in zip([""] + command, command, strict=False):
        if before == option:
            yield argument
        elif argument.startswith(option) and len(argument) > len(option):
            yield argument[len(option) :]


def without_output(command: list[str]) -> list[str]:
    """The command less what makes it write files or say less."""
    kept, skip = [], False
    for argument in command:
        if (
            not skip
            and argument not in ("-c", "-S", "-E", "-MD", "-MMD", "-MP", "-w", "-o", "-MF", "-MT", "-MQ")
            and not argument.startswith("-fdiagnostics")
        ):
            kept.append(argument)
        skip = argument in ("-o", "-MF", "-MT", "-MQ")
    return kept

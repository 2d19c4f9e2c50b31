"""What nvcc_cpu says: errors of one line, and output even where standard output or error is full or closed."""

from __future__ import annotations

import contextlib
import os
import sys
from typing import NoReturn


class Failure(Exception):
    """What ends the driver with a line of explanation."""


def fail(message: str, *names: str) -> NoReturn:
    """`names` come from the user and take the places of the {} in the message."""
    raise Failure("nvcc_cpu: error: " + message.format(*map(short, names)))


def short(name: str) -> str:
    """A name as it stands in a message: of a length to be read, and without line breaks and control characters."""
    shown = name if len(name) <= 200 else f"{name[:120]}...{name[-60:]}"
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in shown) or "''"


def explained(error: OSError) -> str:
    """What an OSError says, without its number."""
    reason = error.strerror or str(error)
    return reason if error.filename is None else f"{os.fsdecode(error.filename)}: {reason}"


class Messages:
    """Standard error. Where it is full or closed the work goes on all the same."""

    def write(self, text: str) -> int:
        with contextlib.suppress(OSError):
            write_all(2, text)
        return len(text)

    def flush(self) -> None:
        pass

    def isatty(self) -> bool:
        return os.isatty(2)


def write_all(descriptor: int, text: str) -> None:
    left = os.fsencode(text)
    while left:
        left = left[os.write(descriptor, left) :]


def show(text: str) -> None:
    """Writes to standard output."""
    try:
        write_all(1, text)
    except BrokenPipeError:  # nvcc_cpu --help | head
        sys.exit(1)
    except OSError as error:
        fail("cannot write to standard output: {}", error.strerror or str(error))


def open_standard_streams() -> None:
    """Those that are closed; the next files to be opened would take their places."""
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_WRONLY if descriptor == 2 else os.O_RDONLY)
    sys.stderr = Messages()

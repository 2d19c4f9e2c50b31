"""Texts are read as Latin-1, so that each byte is one letter, whatever the encoding. Names of files are not."""

from __future__ import annotations

import os


def read_text(path: str) -> str:
    with open(path, encoding="latin-1", newline="") as file:
        return file.read()


def write_text(path: str, text: str) -> None:
    with open(path, "w", encoding="latin-1", newline="") as file:
        file.write(text)


def as_text(path: str) -> str:
    """The name of a file as it stands in a text."""
    return os.fsencode(path).decode("latin-1")


def from_text(name: str) -> str:
    """What a text calls a file, or a name in a message, as Python and the terminal have it."""
    return os.fsdecode(name.encode("latin-1", "replace"))

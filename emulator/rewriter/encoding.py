"""Texts are read as Latin-1, so that each byte is one letter, whatever the encoding. Names of files are not."""

import os


def read_text(path):
    with open(path, encoding="latin-1", newline="") as file:
        return file.read()


def write_text(path, text):
    with open(path, "w", encoding="latin-1", newline="") as file:
        file.write(text)


def as_text(path):
    """The name of a file as it stands in a text."""
    return os.fsencode(path).decode("latin-1")


def from_text(name):
    """What a text calls a file, or a name in a message, as Python and the terminal have it."""
    return os.fsdecode(name.encode("latin-1", "replace"))

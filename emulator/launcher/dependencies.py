"""Dependency files: the rules that -MD makes a compiler write, so that an edit rebuilds the object."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping

from .command import values

EMULATOR = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
PACKAGES = ("launcher", "rewriter")  # An object depends on them, since they made the text that was compiled.


def dependency_file(command: list[str], stem: str, name: str, output: str | None) -> str | None:
    """The file with the dependencies that -MD makes the compiler write."""
    if not {"-MD", "-MMD"} & set(command):
        return None
    return next(values(command, "-MF"), None) or (os.path.splitext(output)[0] if output else name) + ".d"


def name_originals(path: str, written: Mapping[str, str]) -> None:
    """In a dependency file, puts the user's files in place of what was made from them, and adds the rewriter itself.

    `written`: made file -> the original"""
    with open(path, encoding="utf-8", errors="surrogateescape") as file:
        text = file.read()
    for made, original in written.items():
        text = text.replace(_escaped(made), _escaped(original))
    target, colon, rest = text.partition(": ")
    tools = "".join(" " + _escaped(tool) for tool in files_of_python())
    with open(path, "w", encoding="utf-8", errors="surrogateescape") as file:
        file.write(target + ":" + tools + " " + rest if colon else text)


def files_of_python() -> list[str]:
    """All files of the packages that turn a .cu file into what is compiled."""
    return sorted(
        os.path.join(folder, name)
        for package in PACKAGES
        for folder, _, names in os.walk(os.path.join(EMULATOR, package))
        for name in names
        if name.endswith(".py")
    )


def _escaped(name: str) -> str:
    return re.sub(r"(\\*)([ \t])", r"\1\1\\\2", name).replace("#", "\\#").replace("$", "$$")

"""Reads what Ninja prints: the progress, what a failing compiler said, and the warnings."""

import re
from collections.abc import Sequence

from shared import console

STEP = re.compile(r"\[(\d+)/(\d+)\] (.*)")
CHATTER = re.compile(r"-- |Preset C?Make variables|Preset environment|\d+ warnings? generated|ninja: ")
WARNING = re.compile(r"warning( #[\w-]+)?: ")
CONTEXT = re.compile(r"In file included from |.*: (In|At|required) .*:$|.*: In instantiation of ")


class NinjaOutput:
    """Reads what Ninja prints: shows the progress, and keeps what the commands said."""

    def __init__(self, progress: console.Progress) -> None:
        self.progress = progress
        self.steps = 0
        self._all: list[str] = []  # everything but steps
        self._failed: list[str] = []  # what failing commands said
        self._in_failure = False
        self._skip_command = False

    def line(self, text: str) -> None:
        if match := STEP.fullmatch(text):
            done, total, step = match.groups()
            self.steps = max(self.steps, int(done))
            self._in_failure = False
            if int(done) > 0 or not step.startswith("Re-"):  # Ninja's own: re-checking folders, re-running CMake
                self.progress.show(f"[{done}/{total}] {step_name(step)}")
        elif text.startswith("FAILED: "):
            self._in_failure = self._skip_command = True
            self._all.append(text)
        elif self._skip_command:  # the line after FAILED: is the command
            self._skip_command = False
        elif self._in_failure and not text.startswith("ninja: "):
            self._failed.append(text)
        else:
            self._all.append(text)

    def failure(self) -> str:
        """The failing compiler's own words; where no command failed, everything that Ninja said."""
        return "\n".join(without_chatter(self._failed) or without_chatter(self._all, ninja=True)).strip("\n")

    def warnings(self) -> str:
        """What a build said that succeeded. A warning in a header is there once, however many files include it."""
        blocks: list[list[str]] = [[]]
        for line in without_chatter(self._all):
            begins = WARNING.search(line) or CONTEXT.match(line)
            if begins and any(WARNING.search(earlier) for earlier in blocks[-1]):
                blocks.append([])
            blocks[-1].append(line)
        once = {next(filter(WARNING.search, block), "\n".join(block)): block for block in reversed(blocks)}
        return "\n".join("\n".join(block).strip("\n") for block in reversed(once.values())).strip("\n")


def step_name(step: str) -> str:
    """'Building CXX object 03_x/CMakeFiles/x.dir/a.cu.o' is shown as '03_x/a.cu', what is compiled as one as its folder."""
    match = re.fullmatch(r"(?:Building|Linking|Creating) \w+ (?:[\w ]+ )?(\S+)", step)
    if not match:
        return step
    path = re.sub(r"CMakeFiles/[^/]+\.dir/", "", match[1].removesuffix(".o"))
    path = re.sub(r"Unity/unity_(\w+)_cxx\.cxx", r"\1", path)
    return path.rpartition("__/")[2]  # CMake writes '..' as '__'


def without_chatter(lines: Sequence[str], ninja: bool = False) -> list[str]:
    """Less what CMake, the compiler and, unless asked for, Ninja say of their own work."""
    return [line for line in lines if not CHATTER.match(line) or (ninja and line.startswith("ninja: "))]

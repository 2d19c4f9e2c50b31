"""What a failing test's output says is wrong: for a reader, in a few lines; and for the summary, of which stage it is.

The output is that of Catch2's compact reporter, in which stand its own messages, a program's or the emulator's words; or of
Python's unittest.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

MOST_LINES = 10  # of a failing test's output, and of the summary

# Parts of Catch2's output, once it is one line (Failing.text):
# x_test.cpp:59: failed: a == b for: 1 == 2 with 2 messages: 'n := 3' and 'words' Failed 1 test case, …
PARTS = re.compile(r": failed: | for: | with \d+ messages?: | and (?=')")
END = r"(?= Failed \d+ test case|$)"
FAILED = re.compile(rf"\S+:\d+: failed: .*?{END}")
CHECK = re.compile(rf": failed: (.*?)(?: for: (.*?))?(?: with \d+ messages?: .*?)?{END}")
THROWN = re.compile(rf"(?:unexpected exception|fatal error condition|explicitly) with (?:1 )?message: (.*?){END}")
CAPTURED_STAGE = re.compile(r'\bstage\.name := "([^"]+)"')
CAPTURED_SIZE = re.compile(r"\bn := (\d+)")
# What a program printed, and what random data say every time.
NOISE = re.compile(r"'\S+\.out := \".*?\"'(?: and )?|(?: and )?'random data: [^']*'")

# What a test, a program or the emulator says there. An example stands above each.
# A test, by REQUIRE_SAME: "index 255: expected 49.0442848, got nan"
DIFFERENCE = re.compile(r'"([^"]*expected [^"]*, got [^"]*)"')
# A program: 3_blocks_and_threads is wrong at index 7: expected 1, got 2
WRONG_STAGE = re.compile(r"(\S+) is wrong(?: at |: )(.*?, got [^\s\"]+)")
# The emulator: emulator: kernel void add(int): thread (1,0,0) of block (0,0,0) read … at 03_vector_add/2_x.cu:9
FAULT = re.compile(r"emulator: kernel .*?: (thread .*? at ([^\s:]+)\.cu:\d+.*?)(?= error: | emulator: |\"|$)")
# The beginning of that, of which the kernel's name is enough: emulator: kernel void add(int):
SIGNATURE = re.compile(r"emulator: kernel \S.*?(\w+)\(.*?\): (?=thread|block)")
# A test, of the memory around an output: "index -1 was written"
WRITTEN = re.compile(r'"(index -?\d+ was written)"')


@dataclass
class Failing:
    """A test that failed."""

    label: str
    name: str
    status: str
    output: list[str] = field(default_factory=list)

    def text(self, root: Path) -> str:
        """The output in one line."""
        return NOISE.sub("", " ".join(" ".join(self.output).split()).replace(f"{root}/", ""))


@dataclass(frozen=True)
class Finding:
    """What a failing test tells: which stage is wrong, if any, and how. The higher the rank, the more it says."""

    stage: str
    detail: str
    rank: int


def useful(failing: Failing, root: Path) -> list[str]:
    """What of a failing test's output says what is wrong, a sentence a line."""
    if failed := FAILED.search(failing.text(root)):
        return PARTS.split(SIGNATURE.sub(r"emulator: kernel \1: ", failed[0]))
    lines = [line.rstrip().replace(f"{root}/", "") for line in failing.output if line.strip()]
    return _of_unittest(lines) or lines[-MOST_LINES:]


def _of_unittest(lines: Sequence[str]) -> list[str]:
    """Of each test of Python's unittest that failed: its name, and the error that ended it."""
    told: list[str] = []
    for line in lines:
        if re.match(r"(FAIL|ERROR): ", line):
            told += [line, ""]
        elif told and re.match(r"[\w.]+(Error|Exception|Failure|Expired)\b", line) and not told[-1]:
            told[-1] = line
    return [line for line in told if line]


def finding(failing: Failing, root: Path) -> Finding:
    """What a failing test tells about a stage, or else its first useful line."""
    text = failing.text(root)
    captured = CAPTURED_STAGE.search(text)
    stage = captured[1] if captured else ""
    size = CAPTURED_SIZE.search(text)
    at_size = f"; n = {size[1]}" if size else ""
    if match := WRONG_STAGE.search(text):
        return Finding(match[1], match[2], 4)
    if match := DIFFERENCE.search(text):
        return Finding(stage, match[1] + at_size, 5)
    if match := FAULT.search(text):
        return Finding(stage or match[2].rpartition("/")[2], match[1], 3)
    if match := WRITTEN.search(text):
        return Finding(stage, f"{match[1]}, outside of the output{at_size}", 2)
    if match := THROWN.search(text):
        return Finding(stage, PARTS.split(match[1])[-1].strip("'") + at_size, 1)
    if match := CHECK.search(text):
        expected = re.fullmatch(r"(\S+) == (\S+)", match[2] or "")
        detail = f"{match[1]}: {match[2]}" if match[2] else match[1]
        if stage and expected:
            actual, wanted = (re.sub(r"(?<=[\dnf])f$", "", value) for value in expected.groups())
            detail = f"expected {wanted}, got {actual}"
        return Finding(stage, detail + (at_size if stage else ""), 1)
    lines = useful(failing, root)
    told = _of_unittest(lines)
    return Finding(stage, " · ".join(told[:2]) if told else lines[-1].strip() if lines else failing.status, 0)

"""What a failing test's output says is wrong: for a reader, in a few lines; and for the summary, of which stage it is.

The output is that of Catch2, in which stand its own messages, a program's or the emulator's words; or of Python's unittest.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

MOST_LINES = 10  # of a failing test's output, and of the summary

# Parts of Catch2's output, once it is one line (Failing.text). END is where a part ends: at the next, or with the output.
END = r"(?= with messages?: | ===|$)"
CHECK = re.compile(rf"(?:REQUIRE|CHECK)\w*\( (.*?) \)(?: with expansion: (.*?))?{END}")
THROWN = re.compile(rf"due to unexpected exception with messages?: (.*?){END}")
CAPTURED = re.compile(r'\S+ := (?:"[^"]*"|\S+(?: \(0x\w+\))?) |random data: repeat with SEED=\d+ ')
CAPTURED_STAGE = re.compile(r'\bstage\.name := "([^"]+)"')
CAPTURED_SIZE = re.compile(r"\bn := (\d+)")
CAPTURED_TABLE = re.compile(r'\S+\.out := ".*?"(?= \S+ := | ===|$)')  # what a program printed
# Catch2's frame around a failure, and what random data say every time.
FRAME = re.compile(r"[-=~.]{20,}|Filters: |Run with -\?|.* is a Catch v|test cases: |assertions: |  random data: repeat")

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
        """The output in one line, since Catch2 breaks long lines wherever it likes."""
        text = " ".join(" ".join(self.output).split()).replace(f"{root}/", "")
        text = CAPTURED_TABLE.sub("", text)
        return re.sub(r"(?<=\d\.) (?=\d)|(?<=expected -) |(?<=got -) ", "", text)


@dataclass(frozen=True)
class Finding:
    """What a failing test tells: which stage is wrong, if any, and how. The higher the rank, the more it says."""

    stage: str
    detail: str
    rank: int


def useful(output: Sequence[str], root: Path) -> list[str]:
    """What of a failing test's output says what is wrong, a sentence a line."""
    lines = [line.rstrip().replace(f"{root}/", "") for line in output if line.strip()]
    failure = next((i for i, line in enumerate(lines) if line.endswith(": FAILED:")), None)
    if failure is not None:
        return _of_catch([line for line in lines[failure:] if not FRAME.match(line)])
    return _of_unittest(lines) or lines[-MOST_LINES:]


def _of_catch(lines: Sequence[str]) -> list[str]:
    """Catch2's failure: where, the condition, its expansion, and the messages less the tables that programs printed."""
    sentences, messages = [lines[0].removesuffix(": FAILED:"), ""], [""]
    in_messages = False
    for line in lines[1:]:
        if heading := re.fullmatch(r"(with|due to|explicitly with) (.*):", line):
            in_messages = "message" in heading[2]
            sentences.append(f"{heading[2].partition(' with ')[0]}:" if heading[1] == "due to" else "")
        elif not in_messages:
            sentences[-1] += f" {line.strip()}"
        elif messages[-1].count('"') % 2 == 0:
            messages.append(line.strip())
        elif line.strip() == '"':
            messages[-1] += '"'
        else:  # inside a text in quotes
            messages[-1] += f" {line.strip()}"
    sentences.append(", ".join(text for text in messages if text and not re.match(r"\S+\.out := ", text)))
    return [SIGNATURE.sub(r"emulator: kernel \1: ", text.strip()) for text in sentences if text.strip()]


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
        return Finding(stage, CAPTURED.split(match[1])[-1] + at_size, 1)
    if match := CHECK.search(text):
        expected = re.fullmatch(r"(\S+) == (\S+)", match[2] or "")
        detail = f"{match[1]}: {match[2]}" if match[2] else match[1]
        if stage and expected:
            actual, wanted = (re.sub(r"(?<=[\dnf])f$", "", value) for value in expected.groups())
            detail = f"expected {wanted}, got {actual}"
        return Finding(stage, detail + (at_size if stage else ""), 1)
    lines = useful(failing.output, root)
    told = _of_unittest(lines)
    return Finding(stage, " · ".join(told[:2]) if told else lines[-1].strip() if lines else failing.status, 0)

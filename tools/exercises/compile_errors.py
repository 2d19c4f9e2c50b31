"""What the compiler and the linker say to an answer, in words for its author."""

import re
from collections.abc import Sequence

from exercises.sandbox import Ended

MOST_LINES = 8

# main(), and a function of the task that is missing or has another signature.
TWICE = re.compile(r"multiple definition of [`'](.+?)'")
MISSING = re.compile(r"undefined reference to [`'](.+?)'")
ERROR = re.compile(r"^(?P<file>[^\s:]+):(?P<line>\d+):(?:\d+:)? (?:fatal )?[Ee]rror: (?P<says>.*)$", re.MULTILINE)
# The line that made the compiler fill in a template in which the error is: of g++, and of clang++.
CAUSE = re.compile(r"^(?P<file>[^\s:]+):(?P<line>\d+):\d+:\s+(?:required from|note: in instantiation of)", re.MULTILINE)
# What is of no use to the author: where temporary files lie, and to whom mistakes of the compiler are told.
FOLDERS = re.compile(r"/(?:[^\s:/'\"`]+/)+")
NOISE = re.compile(r"^(?:Please submit|See <file:|collect2: )|messages:$")


def explain(compiled: Ended, source: str) -> tuple[str, Sequence[str], int]:
    """A headline, what else to say, and the line of the answer; 0 where none is to blame."""
    said = compiled.said.strip()
    if compiled.exceeded:
        return f"the compiler had {compiled.exceeded} and was ended", ["Is there a template or a macro that calls itself?"], 0
    if compiled.late:
        return "the compiler did not come to an end", ["Is there a template or a macro that calls itself?"], 0
    if match := TWICE.search(said):
        if match[1] == "main":
            main = "The checker has a main() of its own, which calls your function: remove yours."
            return "main() is there twice", [main], 0
        other = "The checker has a function of that name, too: give yours another name."
        return f"{match[1]} is there twice", [other], 0
    if match := MISSING.search(said):
        details = ["The checker calls a function of exactly this name and with these parameters; it is not in the file."]
        return f"{match[1]} is missing", details, 0
    errors = list(ERROR.finditer(said))
    if not errors:
        useful = [FOLDERS.sub("", line) for line in said.splitlines() if not NOISE.search(line)]
        return "the compiler failed", useful[:MOST_LINES], 0
    first = next((error for error in errors if error["file"].endswith(source)), errors[0])
    blamed = [first, *CAUSE.finditer(said)]
    line = next((int(match["line"]) for match in blamed if match["file"].endswith(source)), 0)
    more = [f"{len(errors)} errors in all; the first is often the cause of the others."] if len(errors) > 1 else []
    hints = [text.removeprefix("nvcc_cpu: ") for text in said.splitlines() if text.startswith("nvcc_cpu: ")]
    return first["says"], [*hints, *more], line

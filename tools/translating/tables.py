"""What the generated parts of pages say besides sentences, in another language: the words of tables, what is folded, and what
charts show. Names of stages, programs and GPUs stay. And what a terminal shows: sentences, and tables in the same columns."""

import io
import re
import threading
from collections.abc import Callable
from typing import TextIO

from shared import console
from translating.markdown import FILLED_IN
from translating.templates import Translate, filled, phrases, put_in_places, with_places

LINK = re.compile(r"(?<!!)\[([^\]]+)\]\(([^()\s]+)\)")
WORDS = (
    # what was measured
    *phrases("""
        stage | time | idea | × the first | % of the library | at least | with copies | % of copy | % of peak
        speed-up over CPU | correct digits | exact | measured | value
    """),
    # whose time a floor is
    *phrases("""
        its launch | its launches | its blocks | its atomics at one address | its shared memory | its operations
        its bytes, from the L2 cache | its bytes | its bytes or {limit}
    """),
    # what was counted
    *phrases("""
        {number} % | barriers | global loads | global stores | global atomics | global atomics at one address | shared loads
        shared stores | shared atomics | shared atomics at one address | constant loads | warp operations | fences
        wavefronts of {requests} | lanes of a {request} | shared load | constant load | what | counted here
        {sectors} sectors in {requests} requests | {number} wavefronts | {number} blocks here and {number2} there
    """),
    # what chapters 02, 06 and 12 measured
    *phrases("""
        host to device | device to host | pageable | pinned | device to device | device to device share of peak
        multiply add | multiply add share of peak | multiply add of doubles | latency of global memory
        latency of the L2 cache | latency of the L1 cache | latency of shared memory | reading global memory
        reading the L2 cache | reading shared memory | atomic at one address | start of a block | start of a kernel
        peak of the memory | peak of fp32 | worked out | way | long kernel | short kernel | first launch: CPU clock
        first launch: events | CPU clock | not synchronised | synchronised
        events, and between them {time} of work for the host | events around {launches} launches, divided by {number}
        events | different addresses | constant | global | streams | terms | serial | pairwise | ranks | speed-up
        efficiency % | digits
    """),
    # floors
    *phrases("""
        times recorded on | all | below the floor | up to {times} × | more | limit | {gpu}: at least | time ÷ floor
    """),
    # the summary, lessons and plans
    *phrases("""
        chapter | largest size | fastest on the CPU | first GPU stage | best stage | gain | over the CPU | % of ceiling
        lesson | lesson, core | lesson, optional | exercises, core | exercises, optional | rays | builds on | lessons
        exercises | minutes | together | **all** | **{number}**, {hours} h {minutes} min | {hours} h
    """),
    # lines around tables
    *phrases("""
        The table of the {gpu} | The tables of the {gpu} | The same on the {gpu}
    """),
    # charts
    *phrases("""
        The stages of {chapter} and what each reaches | What {chapter} measured of memories and copies
        The time of each stage of {chapter} against n | The stages of {chapter} below the roofs that memory and cores set
        What copies and kernels of {chapter} did when | The time of each stage of {chapter} against {axis}
        number of spheres | number of keys | number of positions | number of rows | pixels a side | points a side
        rows and columns | rows of the filter
        {number} spheres | {number} keys | {number} positions | {number} numbers | M rays/s | M points/s | M edges/s
        The time of {data}, n = {n}, {stage} by blocks for each multiprocessor | random bytes
        Nanoseconds for a load of a warp, on a multiprocessor full of warps
        Error of π in float, in units of the last place
    """),
    # what only terminals show
    *phrases("""
        vs CPU | here | sectors | wavefronts | conflicts | atomics | requests | blocks | line | Options: | Stages:
        pairs | floats | ints | Before: | After: | when | call | answer | function | type | before | returns | after
        compare | lost
        needed by | none | [{text}] passed | [{text}] skipped | [{text}] FAILED | Total Test time (real) = | {number} sec
        {number}% tests passed, {number2} tests failed out of {number3} | {number} multiprocessors | {number} blocks
        {number} registers of 32 bits | {number} threads = {number2} warps | {number} bytes = {text}
        {text} × {text2} blocks | {text} at first, returns {text2} | General | Memory | L2 cache | Warp
        {text} points, {number} steps | {number} rows of {number2} numbers
        How many bytes, e.g. 1000, 1e6 or 2^20 (default: {text}) | How many keys, e.g. 1000, 1e6 or 2^20 (default: {text})
        How many points, e.g. 1000, 1e6 or 2^20 (default: {text}) | How many rows, e.g. 1000, 1e6 or 2^20 (default: {text})
        How many vertices, e.g. 1000, 1e6 or 2^20 (default: {text})
    """),
)
UNITS = ("GB/s", "GFLOP/s")  # headings that stay
WORD = "|".join(re.escape(word) for word in sorted((*WORDS, *UNITS), key=len, reverse=True) if "{" not in word)
CELL = re.compile(rf"(?<!\S)(?:{WORD})(?=  | ?$| (?:{WORD})(?: |$))|\S+(?: \S+)*")


def shown(text: str, translate: Translate, title: Callable[[str, str], str]) -> str:
    """A cell of a table, or what stands around one. title: a page's title, by the link that leads there and its English."""
    if LINK.search(text):
        linked = LINK.sub(lambda match: f"[{_linked(match[1], match[2], translate, title)}]({match[2]})", text)
        return linked.replace("), [", ")\u3001[") if linked != text else text
    return _listed(text, translate)


def _listed(text: str, translate: Translate) -> str:
    """As a whole, or else its first part and then the others: '1.3 µs, its bytes, from the L2 cache'."""
    whole = _words(text, translate)
    first, comma, rest = text.partition(", ")
    if whole != text or not comma:
        return whole
    own = _words(first, translate), _listed(rest, translate)
    return "\uff0c".join(own) if own != (first, rest) else text


def _linked(text: str, target: str, translate: Translate, title: Callable[[str, str], str]) -> str:
    return title(target, text) if ".md" in target and "#" not in target else _words(text, translate)


def _words(text: str, translate: Translate) -> str:
    if own := filled(text, WORDS, translate, lambda _, found: _words(found, translate)):
        return own
    message, values = with_places(text, FILLED_IN)  # as captions have: 'n = 1,024 floats'
    return put_in_places(translate(message), values)


class Screen(io.StringIO):
    """Standard output, on which each line is shown in the user's language: a word of a table ends where it ended."""

    def __init__(self, out: TextIO) -> None:
        super().__init__()
        self._out = out
        self._line = ""
        self._writing = threading.RLock()  # threads that start programs flush

    def write(self, text: str) -> int:
        with self._writing:
            *lines, self._line = (self._line + text).split("\n")
            return sum(self._out.write(f"{_shown_line(line)}\n") for line in lines)

    def isatty(self) -> bool:
        return self._out.isatty()

    def flush(self) -> None:
        with self._writing:
            self._out.write(_shown_line(self._line))
            self._line = ""
            self._out.flush()


def _shown_line(line: str) -> str:
    own, start = "", 0
    cells = [*CELL.finditer(line)] if "  " in line.strip() else [*re.finditer(r"\S.*", line)]
    for cell in cells:
        start = cell.start()
        word = cell[0] if cell[0].startswith("· ") else console.said(cell[0])
        at = cell.end() - console.columns(word) if own and cell[0] in WORDS else start
        own = console.filled_up(f"{own} " * bool(own), at) + word
    most = max(80, len(line) if len(cells) > 2 else 0)  # a row of a wide table stays a line
    if len(cells) > 2 and (more := console.columns(own) - most) > 0:
        own = re.sub(rf"(.*\S) {{{more}}}(?= )", r"\1", own)  # out of the last gap that is wide enough
    return "\n".join(console.lines_of_wide(own, most, " " * start)) if own != line else line

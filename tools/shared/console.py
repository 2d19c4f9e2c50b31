"""What every part of lab uses to talk to the user and to run other programs."""

import os
import re
import shutil
import sys
import textwrap
import time
import unicodedata
from collections.abc import Callable
from pathlib import Path

EXIT_FAILED = 1  # a build, a test, a program or a check failed
EXIT_USAGE = 2  # the command line is wrong
EXIT_NO_CUDA = 3  # CUDA was asked for and is not there
EXIT_SETUP = 4  # something that is needed is not installed
EXIT_FINDINGS = 5  # the checked build has found something, in a program that ended well otherwise
EXIT_INTERRUPTED = 130

WIDE = r"\u2e80-\u9fff\uf900-\ufaff\uff00-\uff60"  # Chinese characters and marks
OPENING, CLOSING = "\uff08《「『【“‘", "\uff0c。、\uff1b\uff1a\uff1f\uff01\uff09》」』】”’…"
UNBREAKABLE = re.compile(rf"\s+|[{OPENING}]*(?:[^\s{WIDE}]+|[{WIDE}])[{CLOSING}]*")

said: Callable[[str], str] = str  # what lab says, in the language that lab.py has found the user to read
DASH = "–"  # in a table, where there is nothing to say


class Failure(Exception):
    """Ends lab with one message and an exit code."""

    def __init__(self, message: str, code: int = EXIT_FAILED) -> None:
        super().__init__(message)
        self.code = code


def width() -> int:
    """The columns of the terminal; 80 where there is none."""
    return max(40, shutil.get_terminal_size((80, 24)).columns)


def note(message: str) -> None:
    """What lab itself says: one line, which is broken between words on a terminal only, so that tools can read it."""
    if message.startswith("lab: "):
        message = f"lab: {said(message.removeprefix('lab: '))}"
        message = wrapped(message, "     ") if sys.stderr.isatty() else message
    elif "\n" not in message:
        message = said(message)
    try:
        print(message, file=sys.stderr, flush=True)
    except OSError:  # there is no other place to say that stderr cannot be written
        discard(2)


def discard(descriptor: int) -> None:
    """What a stream still holds cannot be written, and Python must not try once more at the end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), descriptor)


def wrapped(text: str, indent: str, end: str = "") -> str:
    """The text in lines that fit the terminal; `end` stands at the end of each but the last."""
    most = width() - 1 - len(end)
    if columns(text) != len(text):
        return f"{end}\n".join(lines_of_wide(text, most, indent))
    lines = textwrap.wrap(text, most, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
    return f"{end}\n".join(lines)


def columns(text: str) -> int:
    """What it takes on a terminal: a Chinese character takes two columns."""
    return len(text) + sum(unicodedata.east_asian_width(character) in "WF" for character in text)


def filled_up(text: str, wanted: int) -> str:
    """The text, and blanks up to that column."""
    return text + " " * (wanted - columns(text))


def lines_of_wide(text: str, most: int, indent: str = "") -> list[str]:
    """Lines that may also end between two Chinese characters, but not before a comma or after an opening bracket."""
    lines = [text[: len(text) - len(text.lstrip())]]
    for piece in UNBREAKABLE.findall(text):
        if piece.strip() and lines[-1].strip() and columns(lines[-1] + piece) > most:
            lines[-1] = lines[-1].rstrip()
            lines.append(indent)
        if piece.strip() or lines[-1].strip():
            lines[-1] += piece
    return [*lines[:-1], lines[-1].rstrip()]


def cut(text: str, columns: int) -> str:
    """The text, or its beginning and "…" where it is longer than that."""
    return text if len(text) <= columns else text[: columns - 1] + "…"


def fitting(line: str) -> str:
    """A line that is cut on a terminal only, as one of a log is searched for."""
    return cut(line, width() - 1) if sys.stdout.isatty() else line


def quoted(words: str, most: int = 60) -> str:
    """What the user has typed, made fit for a message: on one line, and not long."""
    return cut("".join(c if c.isprintable() else ascii(c)[1:-1] for c in words[:1000]), most)


def shown(path: str | Path) -> str:
    """The path as seen from here, or the whole one where it is neither below this folder nor in the checkout."""
    near = [Path.cwd(), Path(__file__).resolve().parents[2]]
    whole = Path(os.path.abspath(path))
    return os.path.relpath(whole) if any(whole.is_relative_to(folder) for folder in near) else str(whole)


def counted(n: int, what: str) -> str:
    """'1 finding', '2 findings', '2 launches'"""
    return f"{n} {what}{'' if n == 1 else 'es' if what.endswith('ch') else 's'}"


def may_colour() -> bool:
    """Whether standard output shows colours and bold letters. lab.py sees to a terminal that has none."""
    return sys.stdout.isatty() and "NO_COLOR" not in os.environ


def heading(text: str) -> None:
    """The line above a program's output."""
    columns = min(80, width())
    *above, last = textwrap.wrap(text, columns - 7, break_long_words=False, break_on_hyphens=False)
    line = "── " + "\n   ".join([*above, last]) + " " + "─" * max(3, columns - 4 - len(last))
    if may_colour():
        line = f"\x1b[1m{line}\x1b[0m"
    print(f"\n{line}", flush=True)


class Progress:
    """One line that is overwritten on a terminal. Elsewhere a line now and then shows that the work goes on."""

    INTERVAL = 10.0  # seconds between two lines where there is no terminal
    PAUSE = 2.0  # seconds after which a line on a terminal says for how long the work has gone on

    def __init__(self) -> None:
        self.visible = sys.stderr.isatty() and os.environ.get("TERM", "dumb") != "dumb"
        self._text = ""
        self._started = self._last = time.monotonic()

    def show(self, text: str) -> None:
        self._text = text = said(text)
        if self.visible:
            self._last = time.monotonic()
            self._overwrite(text)
        else:
            self.tick()

    def clear(self) -> None:
        self._text = ""
        if self.visible:
            self.show("")

    def tick(self) -> None:
        """Time has passed and perhaps nothing was shown."""
        now = time.monotonic()
        if not self._text or now - self._last < (self.PAUSE if self.visible else self.INTERVAL):
            return
        seconds = f" ({now - self._started:.0f} s)"
        if self.visible:
            self._overwrite(self._text[: width() - 1 - len(seconds)] + seconds)
        else:
            self._last = now
            note(f"lab: {self._text}{seconds}")

    def other_line(self) -> None:
        """Something else is about to be printed, and shows as well that the work goes on."""
        self._last = time.monotonic()
        if self.visible:
            self._overwrite("")

    def _overwrite(self, text: str) -> None:
        print(f"\r{text[: width() - 1]}\x1b[K", end="", file=sys.stderr, flush=True)


def write_file(path: Path, text: str, option: str = "") -> None:
    """Writes the whole file or leaves the old one: a reader never sees half of it. What is no file, as /dev/stdout, is
    written to and not replaced. option: what names another place, where this one cannot be written."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.is_symlink() or (path.exists() and not path.is_file()):
            path.write_text(text, encoding="utf-8")
            return
        temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
        try:
            temporary.write_text(text, encoding="utf-8")
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as error:
        file = quoted(shown(path), 200)
        if option:
            raise Failure(f"{file} cannot be written: {error.strerror}; {option} names another place") from error
        raise Failure(f"{file} cannot be written: {error.strerror}") from error

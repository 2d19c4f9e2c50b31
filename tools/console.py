"""What every part of lab uses to talk to the user and to run other programs."""

from __future__ import annotations

import os
import select
import shutil
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

EXIT_FAILED = 1  # a build, a test, a program or a check failed
EXIT_USAGE = 2  # the command line is wrong
EXIT_NO_CUDA = 3  # CUDA was asked for and is not there
EXIT_SETUP = 4  # something that is needed is not installed
EXIT_FINDINGS = 5  # the checked build has found something, in a program that ended well otherwise
EXIT_INTERRUPTED = 130


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
    if message.startswith("lab: ") and sys.stderr.isatty():
        message = wrapped(message, "     ")
    try:
        print(message, file=sys.stderr, flush=True)
    except OSError:  # there is no other place to say that stderr cannot be written
        discard(2)


def discard(descriptor: int) -> None:
    """What a stream still holds cannot be written, and Python must not try once more at the end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), descriptor)


def wrapped(text: str, indent: str, end: str = "") -> str:
    """The text in lines that fit the terminal; `end` stands at the end of each but the last."""
    lines = textwrap.wrap(
        text, width() - 1 - len(end), subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )
    return f"{end}\n".join(lines)


def cut(text: str, columns: int) -> str:
    """The text, or its beginning and "…" where it is longer than that."""
    return text if len(text) <= columns else text[: columns - 1] + "…"


def quoted(words: str, most: int = 60) -> str:
    """What the user has typed, made fit for a message: on one line, and not long."""
    return cut("".join(c if c.isprintable() else ascii(c)[1:-1] for c in words[:1000]), most)


def heading(text: str) -> None:
    """The line above a program's output."""
    *above, last = textwrap.wrap(text, 73, break_long_words=False, break_on_hyphens=False)
    line = "── " + "\n   ".join([*above, last]) + " " + "─" * max(3, 76 - len(last))
    if sys.stdout.isatty() and "NO_COLOR" not in os.environ:
        line = f"\x1b[1m{line}\x1b[0m"
    print(f"\n{line}", flush=True)


class Progress:
    """One line that is overwritten on a terminal. Elsewhere a line now and then shows that the work goes on."""

    INTERVAL = 10.0  # seconds between two lines where there is no terminal

    def __init__(self) -> None:
        self.visible = sys.stderr.isatty() and os.environ.get("TERM", "dumb") != "dumb"
        self._text = ""
        self._started = self._last = time.monotonic()

    def show(self, text: str) -> None:
        self._text = text
        if self.visible:
            print(f"\r{text[: width() - 1]}\x1b[K", end="", file=sys.stderr, flush=True)
        else:
            self.tick()

    def clear(self) -> None:
        self._text = ""
        if self.visible:
            self.show("")

    def tick(self) -> None:
        """Time has passed and perhaps nothing was shown."""
        now = time.monotonic()
        if self._text and not self.visible and now - self._last >= self.INTERVAL:
            self._last = now
            note(f"lab: {self._text} ({now - self._started:.0f} s)")

    def other_line(self) -> None:
        """Something else is about to be printed, and shows as well that the work goes on."""
        self._last = time.monotonic()
        if self.visible:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def write_file(path: Path, text: str) -> None:
    """Writes the whole file or leaves the old one: a reader never sees half of it. What is no file, as /dev/stdout, is
    written to and not replaced."""
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
        raise Failure(f"{quoted(os.path.relpath(path), 200)} cannot be written: {error.strerror}") from error


def call(
    command: Sequence[str | Path],
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    stdout: int | IO[str] | None = None,
    stderr: int | IO[str] | None = None,
) -> int:
    """Runs a program that writes straight to the terminal, or where it is told to; returns its exit code (128 + signal
    for one killed)."""
    sys.stdout.flush()
    with _children_end_with_lab():
        return _exit_code(subprocess.Popen(command, env=env, cwd=cwd, stdout=stdout, stderr=stderr))


def stream(
    command: Sequence[str | Path],
    on_line: Callable[[str], None],
    log: IO[str],
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    on_second: Callable[[], None] = lambda: None,
) -> int:
    """Runs a program, hands each line it prints to on_line and to the log, and returns its exit code. on_second is
    called once a second while it prints nothing."""
    with _children_end_with_lab():
        process = subprocess.Popen(
            command,
            env=env,
            cwd=cwd,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        assert process.stdout is not None
        with process.stdout:
            for line in _lines(process.stdout, on_second):
                log.write(line + "\n")
                on_line(line)
        return _exit_code(process)


def _lines(pipe: IO[bytes], on_second: Callable[[], None]) -> Iterator[str]:
    """The lines that arrive in a pipe, each as soon as it is there."""
    rest = b""
    while True:
        if not select.select([pipe], [], [], 1.0)[0]:
            on_second()
            continue
        chunk = os.read(pipe.fileno(), 1 << 16)
        *whole, rest = (rest + chunk).split(b"\n")
        if not chunk and rest:
            whole = [rest]
        for line in whole:
            yield line.decode("utf-8", "replace")
        if not chunk:
            return


def ask(command: Sequence[str], text: str = "", timeout: float = 30, cwd: Path | None = None) -> str | None:
    """What a quick program prints, or None when it is not there, fails or hangs."""
    try:
        result = subprocess.run(
            command,
            input=text,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=timeout,
            cwd=cwd,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return result.stdout


@contextmanager
def _children_end_with_lab() -> Iterator[None]:
    """When lab is interrupted, what it started goes first. A process must be started inside: the interruption may
    come before Popen has returned it."""
    try:
        yield
    except BaseException:
        end_descendants()
        raise


def _exit_code(process: subprocess.Popen[Any]) -> int:
    """Waits for the end; a process that a signal ended counts as a shell does it."""
    # A Ctrl-C that comes just before a system call that sleeps is noticed only after it: so look up once a second.
    descriptor = os.pidfd_open(process.pid)
    try:
        while not select.select([descriptor], [], [], 1.0)[0]:
            pass
    finally:
        os.close(descriptor)
    code = process.wait()
    return code if code >= 0 else 128 - code


def end_descendants(patience: float = 3.0) -> None:
    """Ends all processes below this one: first by SIGINT as Ctrl-C does, those that stay by SIGKILL."""
    previous = signal.signal(signal.SIGINT, signal.SIG_IGN)
    started = time.monotonic()
    told: set[int] = set()
    while (left := set(_descendants(told))) and time.monotonic() - started < patience + 1:  # sudo's cannot be ended
        late = time.monotonic() - started > patience
        for pid in left if late else left - told:
            _send(pid, signal.SIGKILL if late else signal.SIGINT)
        told |= left
        time.sleep(0.02)
    with suppress(ChildProcessError):  # raised when there is none left to collect
        while os.waitpid(-1, os.WNOHANG) != (0, 0):
            pass
    signal.signal(signal.SIGINT, previous)


def _send(pid: int, number: signal.Signals) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.kill(pid, number)


def _descendants(known: Collection[int] = ()) -> list[int]:
    """The running processes below this one, zombies aside. Known ones stay, though their parent has ended and another
    has taken them over."""
    parents: dict[int, int] = {}
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            text = entry.read_text(errors="replace")
        except OSError:
            continue  # ended meanwhile
        state, parent = text.rpartition(")")[2].split()[:2]  # the name before it may hold anything
        if state != "Z":
            parents[int(entry.parent.name)] = int(parent)
    level = {pid for pid in known if pid in parents} | {os.getpid()}
    found = [pid for pid in level if pid != os.getpid()]
    while level:
        level = {pid for pid, parent in parents.items() if parent in level}
        found += level
    return found

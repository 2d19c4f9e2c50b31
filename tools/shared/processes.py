"""Runs other programs, and ends them when lab is interrupted."""

import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any


def shown(command: Sequence[str]) -> str:
    """A command line without the folders of its programs."""
    return " ".join(Path(word).name if word.startswith("/") else word for word in command)


def describe_exit(code: int) -> str:
    """An exit code in words."""
    if code > 128 and code - 128 in set(signal.Signals):
        hint = ": out of memory, probably; a smaller --n needs less" if code - 128 == signal.SIGKILL else ""
        return f"was ended by {signal.Signals(code - 128).name}{hint}"
    return f"ended with exit code {code}"


def call(
    command: Sequence[str | Path],
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    stdout: int | IO[str] | None = None,
    stderr: int | IO[str] | None = None,
    on_second: Callable[[], None] = lambda: None,
) -> int:
    """Runs a program that writes straight to the terminal, or where it is told to; returns its exit code (128 + signal
    for one killed). on_second is called once a second while it runs."""
    sys.stdout.flush()
    with children_end_with_lab():
        return _exit_code(subprocess.Popen(command, env=env, cwd=cwd, stdout=stdout, stderr=stderr), on_second)


def stream(
    command: Sequence[str | Path],
    on_line: Callable[[str], None],
    log: IO[str] | None = None,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    on_second: Callable[[], None] = lambda: None,
) -> int:
    """Runs a program, hands each line it prints to on_line and to a log, and returns its exit code. on_second is
    called once a second while it prints nothing."""
    with children_end_with_lab():
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
                if log:
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
def children_end_with_lab() -> Iterator[None]:
    """When lab is interrupted, what it started goes first. A process must be started inside: the interruption may
    come before Popen has returned it."""
    try:
        yield
    except BaseException:
        end_descendants()
        raise


def _exit_code(process: subprocess.Popen[Any], on_second: Callable[[], None] = lambda: None) -> int:
    """Waits for the end; a process that a signal ended counts as a shell does it."""
    # A Ctrl-C that comes just before a system call that sleeps is noticed only after it: so look up once a second.
    descriptor = os.pidfd_open(process.pid)
    try:
        while not select.select([descriptor], [], [], 1.0)[0]:
            on_second()
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
        # Who is stopped starts nothing new when what it waits for is killed.
        for number in (signal.SIGSTOP, signal.SIGKILL) if late else (signal.SIGINT,):
            for pid in left if late else left - told:
                _send(pid, number)
        told |= left
        time.sleep(0.02)
    with suppress(ChildProcessError):  # raised when there is none left to collect
        while os.waitpid(-1, os.WNOHANG) != (0, 0):
            pass
    signal.signal(signal.SIGINT, previous)


def _send(pid: int, number: signal.Signals) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.kill(pid, number)


def running() -> dict[int, list[str]]:
    """What /proc/PID/stat has behind the name, which may hold anything: the state, the parent, …"""
    found = {}
    for entry in Path("/proc").glob("[0-9]*"):  # a longer pattern would look at each file, and fail where it is gone
        with suppress(OSError):  # ended meanwhile
            found[int(entry.name)] = (entry / "stat").read_text(errors="replace").rpartition(")")[2].split()
    return found


def _descendants(known: Collection[int] = ()) -> list[int]:
    """The running processes below this one, zombies aside. Known ones stay, though their parent has ended and another
    has taken them over."""
    parents = {pid: int(words[1]) for pid, words in running().items() if words[0] != "Z"}
    level = {pid for pid in known if pid in parents} | {os.getpid()}
    found = [pid for pid in level if pid != os.getpid()]
    while level:
        level = {pid for pid, parent in parents.items() if parent in level}
        found += level
    return found

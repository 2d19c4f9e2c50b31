"""Runs a command for a notebook: its output is shown as it comes, and nothing that it started outlives it."""

import codecs
import contextlib
import ctypes
import os
import select
import signal
import subprocess
import time
import tty
from collections.abc import Callable, Mapping, Sequence
from typing import BinaryIO

C = ctypes.CDLL(None)
HEAD, TAIL = 100_000, 4_000  # bytes of the output that are shown: millions of lines are too much for a browser


class Output:
    """The output of a command: the beginning is shown at once, and the last of what was left out in the end."""

    def __init__(self, write: Callable[[str], object], folder: str) -> None:
        self.write = write
        self.folder = os.fsencode(folder) + b"/"  # which the reader need not see
        self.decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self.room, self.beyond, self.tail = HEAD, 0, b""

    def add(self, data: bytes) -> None:
        shown, rest = data[: self.room], data[self.room :]
        self.room -= len(shown)
        self.beyond += len(rest)
        self.tail = (self.tail + rest)[-TAIL:]
        if shown:
            self.write(self.decoder.decode(shown.replace(self.folder, b"")))

    def end(self) -> None:
        if self.beyond > len(self.tail):
            self.write(f"\n[{self.beyond - len(self.tail):,} bytes of output are left out here]\n")
        self.write(self.tail.decode("utf-8", "replace"))


def run(command: Sequence[str], output: Output, cwd: str, env: Mapping[str, str] = os.environ, name: str = "") -> int:
    """Returns the exit status; negative: the signal that ended the command. `name`: what the command finds as its own."""
    # With a terminal, lines come when they are printed, and those of both streams in their order.
    descriptor, other_side = os.openpty()
    with open(descriptor, "rb", buffering=0) as terminal:
        try:
            tty.setraw(other_side)
            process = subprocess.Popen(
                [name or command[0], *command[1:]],
                executable=command[0],
                cwd=cwd,
                env=env,
                stdin=subprocess.DEVNULL,
                stdout=other_side,
                stderr=other_side,
                start_new_session=True,
                preexec_fn=lambda: C.prctl(1, signal.SIGKILL),  # PR_SET_PDEATHSIG: it ends if the notebook's kernel is killed
            )
        finally:
            os.close(other_side)
        try:
            if _pass_on(terminal, process, output):
                output.add(b"\n[a process that the program had left running was ended]\n")
            return process.wait()
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            output.end()


def _pass_on(terminal: BinaryIO, process: "subprocess.Popen[bytes]", output: Output) -> bool:
    """Shows what is printed until the process ends. Returns whether another one still holds its terminal then."""
    end = float("inf")
    while time.monotonic() < end:
        if select.select([terminal], [], [], 0.1)[0]:
            try:
                output.add(terminal.read(1 << 16))
            except OSError:  # nobody holds the other side any more
                return False
        elif process.returncode is not None:
            return True
        if process.returncode is None and process.poll() is not None:
            end = time.monotonic() + 1  # for what is still on its way
    return True

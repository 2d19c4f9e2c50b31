"""Runs what may go wrong in any way: a compiler on an answer, and the answer. Nothing of it outlives the call."""

import os
import signal
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Thread

from exercises import box as boxes
from exercises.box import Box

OUTPUT_BYTES = 8 << 20  # of any file that it writes, what it prints included
# Of what is mapped to be written, touched or not. The engine may have 16,384 threads wait at a time, and on a busy machine it
# does; in the checked build each has 3 MiB for its stack and what is known of it, most of which is never touched. What is
# touched has another limit, box.most_memory().
MEMORY_BYTES = 56 << 30
SHOWN_BYTES = 1 << 16  # of what was printed, as much is read
LONGEST_DYING = 2.0  # seconds
LOOK_EACH = 0.1  # seconds: at what the processes have in use


@dataclass(frozen=True)
class Patience:
    """How long something may take before it is ended."""

    cpu_seconds: int
    kernel_seconds: float = 0  # of one kernel: the emulator ends it, and names the line where it is

    @property
    def wall_seconds(self) -> int:
        """For what sleeps, and on a machine that is busy with others."""
        return 30 + 2 * self.cpu_seconds


ANSWER = Patience(10, 8)
RANK = Patience(4)  # for each of a few processes, which keep the processors busy while they wait for one another
COMPILER = Patience(60)


@dataclass(frozen=True)
class Ended:
    """How it ended."""

    code: int  # 128 + signal for one that was killed
    printed: str  # to standard output
    said: str  # to standard error
    late: bool  # it was ended, since it took too long
    seconds: float
    exceeded: str = ""  # it was ended, since it had that: "more than 64 processes"

    @property
    def wrote_too_much(self) -> bool:
        return self.code == 128 + signal.SIGXFSZ


def run(
    command: Sequence[str | Path],
    folder: Path,
    environment: Mapping[str, str],
    keep_open: Sequence[int] = (),
    patience: Patience = ANSWER,
    output_bytes: int = OUTPUT_BYTES,
    memory_bytes: int = MEMORY_BYTES,
    box: Box | None = None,
    reads: Sequence[Path] = (),
    writes: Sequence[Path] = (),
) -> Ended:
    """Runs a command in a folder, in a session of its own. Whatever is left at the end, of the group or at work in
    the folder, is killed. memory_bytes: 0 for no limit. In a box, if there is one, in which it finds what it reads, and
    in the folder nothing else; of what it makes there, the files that it writes are left."""
    with (
        _end_of_lab() as end,
        boxes.refused_calls() as refused,
        (folder / ".printed").open("wb+") as printed,
        (folder / ".said").open("wb+") as said,
    ):
        if box:
            keep_open = [*keep_open, refused]
            command = [*box.around(folder, refused, reads, writes), *command]
            environment = box.environment(environment, folder)
        told = _free(keep_open, 1)
        # The shell stays, as the parent that an answer may kill. What it says itself of a killed child is not shown.
        answer = f'exec {told}>&2 2>/dev/null; "$@" 2>&{told} {told}>&-; exit $?'
        limits = f"ulimit -c 0; ulimit -t {patience.cpu_seconds}; ulimit -f {output_bytes // 512}"
        if memory_bytes:
            limits += f"; ulimit -d {memory_bytes // 1024}"
        started = time.monotonic()
        process = subprocess.Popen(
            ["/bin/sh", "-c", f"{_ends_with_lab(_free(keep_open, 0))}; {limits}; {answer}", "sh", *command],
            cwd=folder,
            env=environment,
            stdin=end,
            stdout=printed,
            stderr=said,
            pass_fds=keep_open,
            start_new_session=True,  # a box stays in it, so the group is all that must be killed
        )
        late, exceeded = False, ""
        try:
            late, exceeded = _wait(process, patience.wall_seconds, box, folder)
        finally:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            _end_those_in(folder)
        seconds = time.monotonic() - started
        code = process.returncode if process.returncode >= 0 else 128 - process.returncode
        # The limit of processor time kills; sooner than it can have been used up, somebody else did.
        used_up = seconds * (os.cpu_count() or 1) >= patience.cpu_seconds
        late = late or code == 128 + signal.SIGXCPU or (code == 128 + signal.SIGKILL and used_up)
        return Ended(code, _beginning(printed.name), _beginning(said.name), late, seconds, exceeded)


@contextmanager
def _end_of_lab() -> Iterator[int]:
    """A pipe to read from, which comes to its end when lab does, however it ends. bwrap's own way to notice that needs time to
    begin: if lab is killed meanwhile, a box is left."""
    reading, writing = os.pipe()
    try:
        yield reading
    finally:
        os.close(reading)
        os.close(writing)


def _free(taken: Sequence[int], which: int) -> int:
    """File numbers for a shell. (dash wants them of one digit.)"""
    return [number for number in range(3, 10) if number not in taken][which]


def _ends_with_lab(free: int) -> str:
    """For a shell: what reads the pipe in its standard input, and ends the group."""
    return f"exec {free}<&0 </dev/null; (read end <&{free}; kill -KILL 0) & exec {free}<&-"


def _wait(process: subprocess.Popen[bytes], seconds: float, box: Box | None, folder: Path) -> tuple[bool, str]:
    """Waits for the end: whether it came too late, and what the processes had too much of."""
    end = time.monotonic() + seconds
    # process.wait() with a limit looks every 50 ms, and three such waits are a quarter of a verdict.
    ended = Thread(target=_wait_for, args=[process.pid], daemon=True)
    ended.start()
    while (left := end - time.monotonic()) > 0:
        ended.join(min(left, LOOK_EACH))
        if not ended.is_alive():
            return False, ""
        if exceeded := box.exceeded(process.pid, folder) if box else boxes.memory_exceeded(boxes.family_of(process.pid)):
            return False, exceeded
    return True, ""


def _wait_for(pid: int) -> None:
    with suppress(ChildProcessError):  # killed, and waited for elsewhere
        os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)


def _end_those_in(folder: Path) -> None:
    """Those that left the process group, as MPI's ranks do. Returns when they are gone."""
    end = time.monotonic() + LONGEST_DYING
    while (left := _at_work_in(folder)) and time.monotonic() < end:
        for pid in left:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.01)


def _at_work_in(folder: Path) -> list[int]:
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # ended meanwhile, or somebody else's
            if (entry / "cwd").readlink().is_relative_to(folder.resolve()):
                found.append(int(entry.name))
    return found


def _beginning(name: str) -> str:
    with open(name, "rb") as file:
        return file.read(SHOWN_BYTES).decode("utf-8", "replace")

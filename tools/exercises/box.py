"""A box around what a student's file makes run, the compiler included: bubblewrap's namespaces. In it there is no network,
nobody else's process and none of the machine's files but its system's programs and what is named. All that can be written is
one folder, in memory and of limited size, and the files that the judge is to read.

An answer in the box may still use up memory and start processes: `exceeded` is asked for that while it runs. It sees what
processes have mapped. The kernel refuses what would hold memory apart from that.
"""

import errno
import itertools
import os
import re
import resource
import shutil
import struct
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from shared import processes

SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64")
SETTINGS = ("/etc/alternatives", "/etc/ld.so.cache", "/etc/openmpi")
PATH = "/usr/local/bin:/usr/bin:/bin"
NAMESPACES = ("ipc", "pid", "net", "uts", "cgroup-try")
# What a program in the box is told: what the checker, the emulator, OpenMP and MPI ask for.
TOLD = ("LC_ALL", "SEED", "XDG_CACHE_HOME")
TOLD_OF = ("EMULATOR_", "EXERCISE_", "OMPI_", "OMP_", "TSAN_", "HWLOC_")

MOST_MEMORY = 3 << 30  # bytes that all its processes have in use; less where the machine has less
MOST_PROCESSES = 64  # at the same time: the compiler has a handful, MPI a dozen
MOST_TASKS = 512  # processes and threads; the kernel refuses more
FILES_BYTES = 256 << 20  # in its folder, all together
MOST_FILES = 10_000  # there
MOST_OPEN = 128  # files, pipes and sockets of a process: what waits in these is memory, too
PAGE = resource.getpagesize()

# By the machine: what Linux calls it, its mmap(), and the calls with which memory is held that no process is seen to have:
# shmget(), msgget(), memfd_create(), memfd_secret(), vmsplice(); mount() and fsopen(), of a file system in memory.
REFUSED = {
    "x86_64": (0xC000003E, 9, (29, 68, 319, 447, 278, 165, 430)),
    "aarch64": (0xC00000B7, 222, (194, 186, 279, 447, 75, 40, 430)),
}
OTHER_CALLS = 1 << 30  # x86-64 has its calls once more from here on
SHARED = 0x21  # MAP_SHARED and MAP_ANONYMOUS: what is mapped so stays when a process is no longer seen to use it

_users = itertools.count()  # for root: no two boxes at a time have the same one


@dataclass(frozen=True)
class Box:
    """How to start something in a box. as_root: lab runs as root, which makes the namespaces; then the answer belongs to a
    user of its own. Where root may not, and for everybody else, it is a namespace of users."""

    bwrap: str
    as_root: bool
    readable: Sequence[Path] = ()  # in each box
    hidden: Sequence[Path] = ()  # where they lie in a folder of the system

    def around(self, folder: Path, refused: int, reads: Sequence[Path] = (), writes: Sequence[Path] = ()) -> list[str]:
        """What stands before a command that is to run in `folder`. refused: the open file of refused_calls(); reads: what it
        finds besides; writes: files in the folder, which it fills for whoever has started it."""
        words = [self.bwrap, "--die-with-parent", *(f"--unshare-{name}" for name in NAMESPACES)]
        words += ["--seccomp", str(refused)]
        words += [] if self.as_root else ["--unshare-user"]
        words += ["--hostname", "box", "--dir", "/etc"]
        for path in map(Path, SYSTEM):
            how = ["--symlink", str(path.readlink())] if path.is_symlink() else ["--ro-bind-try", str(path)]
            words += [*how, str(path)]
        for name in SETTINGS:
            words += ["--ro-bind-try", name, name]
        for path in self.hidden:
            if any(path.is_relative_to(system) for system in SYSTEM):
                words += ["--tmpfs", str(path)]
        # /dev/zero can be mapped as shared memory. What is there now reads the same, and cannot.
        words += ["--proc", "/proc", "--dev", "/dev", "--dev-bind", "/dev/full", "/dev/zero", "--remount-ro", "/dev"]
        for path in self.readable:
            words += _bound("--ro-bind-try", path)
        words += ["--dir", str(folder.parent), "--perms", "0777", "--size", str(FILES_BYTES), "--tmpfs", str(folder)]
        for path in reads:
            words += _bound("--ro-bind", path)
        for path in writes:
            path.touch()
            path.chmod(0o666)  # in a folder that nobody else can enter
            words += ["--bind", str(path), str(path)]
        words += ["--remount-ro", "/", "--chdir", str(folder), "--"]
        return words + self._user() + ["prlimit", f"--nproc={MOST_TASKS}", f"--nofile={MOST_OPEN}", "--"]

    def _user(self) -> list[str]:
        if not self.as_root:
            return []
        number = str(65000 + next(_users) % 500)  # which Debian gives to nobody
        return ["setpriv", "--reuid", number, "--regid", number, "--clear-groups", "--bounding-set=-all", "--"]

    def environment(self, given: Mapping[str, str], folder: Path) -> dict[str, str]:
        """What of an environment goes into the box: nothing of the user's own."""
        kept = {name: value for name, value in given.items() if name in TOLD or name.startswith(TOLD_OF)}
        return kept | {"PATH": PATH, "HOME": str(folder), "TMPDIR": str(folder)}

    def exceeded(self, pid: int, folder: Path) -> str:
        """What the processes in a box, below the one that was started, have too much of."""
        family = family_of(pid)
        if len(family) > MOST_PROCESSES:
            return f"more than {MOST_PROCESSES} processes"
        if too_much := memory_exceeded(family):
            return too_much
        if files_in(list(family), folder) > MOST_FILES:
            return f"more than {MOST_FILES:,} files"
        return ""


@contextmanager
def refused_calls() -> Iterator[int]:
    """A file with the program that tells the kernel which calls to refuse in a box (classic BPF, see seccomp(2))."""
    load, equal, at_least, masked, ends = 0x20, 0x15, 0x35, 0x54, 0x06
    following, allow, refuse = 0, -2, -1  # where a step leads to
    steps: list[tuple[int, int, int, int]] = []
    if os.uname().machine in REFUSED:
        machine, mmap, calls = REFUSED[os.uname().machine]
        steps += [(load, 4, 0, 0), (equal, machine, following, refuse), (load, 0, 0, 0)]
        steps += [(at_least, OTHER_CALLS, refuse, following), *((equal, call, refuse, following) for call in calls)]
        steps += [(equal, mmap, following, allow), (load, 40, 0, 0), (masked, SHARED, 0, 0), (equal, SHARED, refuse, allow)]
    steps += [(ends, 0x7FFF0000, 0, 0), (ends, 0x00050000 | errno.EPERM, 0, 0)]
    with tempfile.TemporaryFile() as file:
        for at, (what, value, *ways) in enumerate(steps):
            skipped = (len(steps) + way - at - 1 if way else 0 for way in ways)
            file.write(struct.pack("=HBBI", what, *skipped, value))
        file.seek(0)
        yield file.fileno()


@cache
def most_memory() -> int:
    """What an answer may have in use: a part of what this machine, or the container, has to give."""
    limits = [MOST_MEMORY]
    with suppress(OSError, ValueError):
        available = re.search(r"^MemAvailable: +(\d+) kB", Path("/proc/meminfo").read_text(), re.MULTILINE)
        limits += [int(available[1]) * 1024 * 3 // 4] if available else []
    with suppress(OSError, ValueError):
        limits.append(int(Path("/sys/fs/cgroup/memory.max").read_text()) * 3 // 4)
    return min(limits)


def memory_exceeded(family: Mapping[int, int]) -> str:
    """'' or what these processes have too much of."""
    most = most_memory()
    return f"more than {most / (1 << 30):.1f} GiB of memory".replace(".0 ", " ") if sum(family.values()) > most else ""


def find(readable: Sequence[Path], hidden: Sequence[Path]) -> tuple[Box | None, str]:
    """A box that works on this machine; or None and why there is none."""
    bwrap = shutil.which("bwrap")
    if not bwrap:
        return None, "bubblewrap is not installed"
    why = ""
    for as_root in (True, False) if os.geteuid() == 0 else (False,):
        box = Box(bwrap, as_root, readable, hidden)
        with tempfile.TemporaryDirectory(prefix="lab-") as folder, refused_calls() as refused:
            # Of a checkout that nobody but root may read, the user in the box sees nothing. tmp*: somebody is building.
            look = "find . \"$@\" -name 'tmp????????' -prune -o ! -type l ! -readable -printf '%p cannot be read there' -quit"
            there = [str(path) for path in readable if path.exists()]
            command = [*box.around(Path(folder), refused), "/bin/sh", "-c", look, "sh", *there]
            tried = subprocess.run(
                command, capture_output=True, encoding="utf-8", errors="replace", check=False, pass_fds=[refused]
            )
        if tried.returncode == 0 and not tried.stdout:
            return box, ""
        said = (tried.stderr or tried.stdout).strip().splitlines()
        why = why or (said or [f"bwrap ended with exit code {tried.returncode}"])[-1]
    return None, why


def _bound(how: str, path: Path) -> list[str]:
    """The folders above are made so that any user may go through them."""
    return ["--dir", str(path.parent), how, str(path), str(path)]


def family_of(root: int) -> dict[int, int]:
    """The processes below this one, itself first, and the bytes that each has in use."""
    running, level = processes.running(), {root}
    found: dict[int, int] = {}
    while level:
        found |= {pid: int(running[pid][21]) * PAGE for pid in level if pid in running}
        level = {pid for pid, words in running.items() if int(words[1]) in level}
    return found


def files_in(pids: Sequence[int], folder: Path) -> int:
    """How many files there are in a box's folder, as the first of these processes sees it that is in the box. bubblewrap itself
    is not, at the beginning: it sees the machine's own file system, which has another size."""
    for pid in pids:
        with suppress(OSError):  # ended meanwhile
            state = os.statvfs(f"/proc/{pid}/root{folder}")
            if state.f_blocks * state.f_frsize == FILES_BYTES:
                return state.f_files - state.f_ffree
    return 0

"""Runs apt-get: one progress line, and what it said where it fails."""

import os
import re
import shlex
import tempfile
import time
from pathlib import Path

from shared import console, processes

WILL_DO = re.compile(r"(\d+) upgraded, (\d+) newly installed")
STEP = re.compile(r"(?P<what>Get|Unpacking|Setting up)(?::\d+ \S+ \S+ \S+)? (?P<package>[^\s:]+)")
STEPS = {"Get": "downloading", "Unpacking": "unpacking", "Setting up": "setting up"}
ERROR = re.compile(r"(E|dpkg|sudo): |Err:\d")
MOST_LINES = 20  # of a failure in which no line says what is wrong
MINUTES = 10  # to wait for whoever else is installing
LOCKS = ("/var/lib/apt/lists/lock", "/var/lib/dpkg/lock-frontend", "/var/cache/apt/archives/lock")


class AptOutput:
    """Reads what apt-get prints: shows the progress, and keeps what it said."""

    def __init__(self, progress: console.Progress, what: str) -> None:
        self.progress = progress
        self.packages = 0  # that it installs
        self._what = what
        self._lines: list[str] = []
        self._done = dict.fromkeys(STEPS, 0)

    def line(self, text: str) -> None:
        if not self._lines:  # not before: sudo may ask for a password
            self.progress.show(self._what)
        self._lines.append(text)
        if match := WILL_DO.match(text):
            self.packages = int(match[1]) + int(match[2])
        elif (match := STEP.match(text)) and self.packages:
            self._done[match["what"]] += 1
            self.progress.show(f"[{self._done[match['what']]}/{self.packages}] {STEPS[match['what']]} {match['package']}")

    def failure(self) -> str:
        """From the first line that says what is wrong to the end."""
        errors = [number for number, line in enumerate(self._lines) if ERROR.match(line)]
        lines = self._lines[errors[0] :] if errors else self._lines[-MOST_LINES:]
        return "\n".join(line for line in lines if not line.startswith(("Get:", "Hit:", "Ign:")))


def get(*arguments: str) -> bool:
    """Shows the command, runs it as root and says whether it went well. What it printed is kept where it did not."""
    command = ["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", *arguments]
    if os.geteuid() != 0:
        command.insert(0, "sudo")
    console.note(console.wrapped(f"+ {shlex.join(command)}", "    ", " \\"))
    _wait_for_others()
    command += ["-o", f"DPkg::Lock::Timeout={60 * MINUTES}"]
    started = time.monotonic()
    output = AptOutput(console.Progress(), f"apt-get {arguments[0]}")
    with tempfile.NamedTemporaryFile("w", prefix="lab-apt-", suffix=".log", encoding="utf-8", delete=False) as log:
        code = processes.stream(command, output.line, log, on_second=output.progress.tick)
    output.progress.clear()
    if code != 0:
        console.note(output.failure())
        console.note(f"lab: all that apt-get printed is in {log.name}")
        return False
    Path(log.name).unlink()
    if output.packages:
        console.note(f"installed {console.counted(output.packages, 'package')} in {time.monotonic() - started:.0f} s")
    return True


def _wait_for_others() -> None:
    """apt-get would say nothing, and only waits for dpkg's lock itself."""
    said, end = "", time.monotonic() + 60 * MINUTES
    while (other := _other()) and time.monotonic() < end:
        if other != said:
            console.note(f"lab: waiting for {other}, which is using apt, {MINUTES} minutes at most")
        said = other
        time.sleep(0.5)


def _other() -> str:
    """Who has locked what apt-get needs: 'unattended-upgr (process 812)'; '' where nobody has."""
    inodes = {str(os.stat(path).st_ino) for path in LOCKS if os.path.exists(path)}
    # 1: POSIX ADVISORY WRITE PID DEVICE:INODE START END; or 1: -> … for one that waits
    for _, _, _, _, pid, place, *_ in map(str.split, Path("/proc/locks").read_text(encoding="utf-8").splitlines()):
        if place.rpartition(":")[2] in inodes:
            return f"{(processes.ask(['ps', '-o', 'comm=', pid]) or 'another program').strip()} (process {pid})"
    return ""

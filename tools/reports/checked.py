"""Runs programs of the checked build and gathers what it finds in them."""

import json
import os
import re
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path

from reports.results import Json
from shared import console, processes
from shared.console import EXIT_FINDINGS, EXIT_USAGE

NOTE = re.compile(r"^emulator: note: .*\n(?: .*\n)*", re.MULTILINE)
SUMMARY = re.compile(r"^emulator: checked (\d+) launch.*\n", re.MULTILINE)


Place = tuple[object, ...]


@dataclass
class Ended:
    """A program of the checked build that has ended."""

    words: Sequence[str]
    code: int
    stderr: str
    written: str  # to the file that it was told of

    @property
    def command(self) -> str:
        return processes.shown(self.words)


Begun = list[tuple[Sequence[str], Future[Ended]]]  # command lines that run or are going to


class Programs:
    """Runs programs of the checked build, whose own output nobody needs."""

    def __init__(self, stage: str | None, added: Sequence[str], writes: str, doing: str = "") -> None:
        """stage: run only this one. added: what stands behind each command line. writes: the environment variable that
        names the file to write to. doing: what to call it as long as it goes on, as 'counting'; empty: nothing is shown."""
        self.refusal = ""  # of the first program that has no such stage
        self._stage = stage
        self._added = [*added, *(["--stage", stage] if stage else [])]
        self._writes = writes
        self._doing = doing

        self._pool = ThreadPoolExecutor(os.cpu_count())  # watched programs run their kernels on one processor

    def run(self, lines: Iterable[Sequence[str]]) -> Iterator[Ended]:
        """Runs the command lines one after another. A stage may be another program's: one that has no such stage is passed
        over."""
        for line in lines:
            yield from self.ended(self.begin([line]))

    def begin(self, lines: Iterable[Sequence[str]]) -> Begun:
        """Has the command lines run, as many at a time as there are processors, behind those that began before."""
        commands = [[*line, *self._added] for line in lines]
        return [(command, self._pool.submit(self._run, command)) for command in commands]

    def ended(self, begun: Begun) -> Iterator[Ended]:
        """Waits for each of them in turn, and passes over those that have no such stage."""
        for command, run in begun:
            ended = self._wait(command, run)
            if self._stage and ended.code == EXIT_USAGE:
                self.refusal = self.refusal or ended.stderr.strip().removeprefix("error: ")
            else:
                yield ended

    def _wait(self, command: Sequence[str], run: Future[Ended]) -> Ended:
        progress = console.Progress()
        if self._doing:
            progress.show(f"{self._doing} {processes.shown(command)}")
        try:
            with processes.children_end_with_lab():
                while not wait([run], timeout=1.0).done:
                    progress.tick()
        except BaseException:
            self._pool.shutdown(wait=False, cancel_futures=True)
            raise
        progress.clear()
        return run.result()

    def _run(self, command: Sequence[str]) -> Ended:
        with tempfile.TemporaryDirectory(prefix="lab-") as folder:
            written, said = Path(folder, "written"), Path(folder, "stderr")
            environment = dict(os.environ, **{self._writes: str(written)})
            with said.open("w") as stderr, open(os.devnull, "w") as nowhere:
                code = processes.call(command, environment, stdout=nowhere, stderr=stderr)
            return Ended(command, code, _text_of(said), _text_of(written) if written.exists() else "")


def _text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace")


@dataclass
class Outcome:
    """What was checked and found in a program."""

    code: int  # 0 too where nothing but findings made it fail
    stderr: str  # less what is in the others
    notes: list[str]
    launches: int
    findings: list[Json]  # as the program writes them: kind, kernel, deeds and, for people, report


def outcome(ended: Ended) -> Outcome:
    """Reads what the checked build has written of a program."""
    findings = [json.loads(line) for line in ended.written.splitlines()]
    text = ended.stderr
    launches = sum(map(int, SUMMARY.findall(text)))
    for finding in findings:
        text = text.replace(finding["report"], "")
    code = 0 if ended.code == EXIT_FINDINGS else ended.code
    return Outcome(code, NOTE.sub("", SUMMARY.sub("", text)), NOTE.findall(text), launches, findings)


def place(finding: Json) -> Place:
    """What makes two findings the same: the kind, the kernel and the lines."""
    return finding["kind"], finding["kernel"], *((deed["file"], deed["line"]) for deed in finding["deeds"])

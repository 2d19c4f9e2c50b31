"""Runs CTest: a line for each test, what is wrong where one fails, and a summary."""

import os
import re
import tempfile
import textwrap
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from reports.failures import MOST_LINES, Failing, Finding, finding, useful
from shared import chapters, console, processes

LOG_NAME = "lab-test.log"

START = re.compile(r"\s*Start\s+\d+: (.*)")
RESULT = re.compile(r"\s*(\d+)/(\d+) Test\s+#\d+: (.+?) \.{3,}\s*(.*?)\s*([\d.]+) sec\s*")
CLOSING = re.compile(r"\d+% tests passed")
NOT_RUN = re.compile(r"\s+\d+ - (.*) \((Skipped|Disabled)\).*")
WHY = re.compile(
    r"^\d+/\d+ Testing: (.*)\n(?:(?!<end of output>).*\n)*?.*skipped: ([^'\n]*)", re.MULTILINE
)  # in ctest's own log
STATUS = {"Passed": "passed", "Skipped": "skipped"}


def run(command: Sequence[str], folder: Path, root: Path, more: Mapping[str, str]) -> int:
    """Runs ctest, with more variables in its environment; shows what matters and returns its exit code. The rest is in the
    folder's log."""
    output = Output(root)
    with (
        (folder / LOG_NAME).open("w", encoding="utf-8") as log,
        # Tests that are interrupted or killed clean nothing up.
        tempfile.TemporaryDirectory(prefix="lab-", ignore_cleanup_errors=True) as scratch,
    ):
        os.chmod(scratch, 0o755)  # some tests run as another user
        environment = {**os.environ, "TMPDIR": scratch, **more}
        code = processes.stream([*command, "--output-on-failure"], output.line, log, environment, on_second=output.tick)
    output.end()
    for line in not_run(output.not_run, folder / "Testing" / "Temporary" / "LastTest.log"):
        print(line, flush=True)
    if output.failing:
        print("\n" + "\n".join(summary(output.failing, output.total, root, console.shown(folder / LOG_NAME))), flush=True)
    return code


class Output:
    """Reads what ctest prints, and prints it shorter."""

    def __init__(self, root: Path) -> None:
        self.failing: list[Failing] = []
        self.not_run: list[tuple[str, str]] = []  # names, and how CTest calls it
        self.total = 0
        self._root = root
        self._progress = console.Progress()
        self._done = 0
        self._running: dict[str, float] = {}  # and since when
        self._current: Failing | None = None  # whose output is being read
        self._closing = False

    def line(self, text: str) -> None:
        if self._closing:
            self._close(text)
        elif match := RESULT.fullmatch(text):
            self._finish_output()
            self._result(*match.groups())
        elif match := START.fullmatch(text):
            self._finish_output()
            self._running[match[1]] = time.monotonic()
            self.tick()
        elif CLOSING.match(text):
            self._finish_output()
            self._closing = True
            self._print("\n" + text)
        elif self._current:
            self._current.output.append(text)
        elif text and not re.match(r"Test project |Internal ctest ", text):
            self._print(text)

    def tick(self) -> None:
        """Shows what is running, the longest first."""
        if self._running:
            name, since = min(self._running.items(), key=lambda item: item[1])
            done = f"[{self._done}/{self.total}]" if self.total else "[0]"
            self._progress.show(f"{done} running for {time.monotonic() - since:.0f} s: {_spaced(name)}")

    def end(self) -> None:
        self._finish_output()
        self._progress.clear()

    def _result(self, done: str, total: str, name: str, status: str, seconds: str) -> None:
        self._done, self.total = int(done), int(total)
        self._running.pop(name, None)
        said = status.replace("***", " ").strip().removesuffix(":")
        word = STATUS.get(said, "FAILED")
        line = f"[{done:>{len(total)}}/{total}] {word:7} {float(seconds):6.1f} s  {_spaced(name)}"
        self._print(console.fitting(line))
        if word == "FAILED":
            label, colon, rest = name.partition(":")
            self._current = Failing(label if colon else "", rest.strip() if colon else name, said)
            self.failing.append(self._current)

    def _finish_output(self) -> None:
        """What a failing test said is shown as soon as all of it is there."""
        if self._current:
            for sentence in useful(self._current, self._root)[:MOST_LINES]:
                for line in in_lines(sentence, 3):
                    self._print(f"    {line}")
        self._current = None

    def _close(self, text: str) -> None:
        """ctest's last lines: how many passed and in what time. The failing tests are in the summary."""
        if re.match(r"Total Test time|No tests were found", text):
            self._print(f"\n{text}")
        elif match := NOT_RUN.fullmatch(text):
            self.not_run.append((match[1], match[2].lower()))

    def _print(self, text: str) -> None:
        self._progress.other_line()
        print(text, flush=True)


def not_run(tests: Sequence[tuple[str, str]], log: Path) -> Iterator[str]:
    """Those tests, under the reasons that they gave in CTest's own log."""
    reasons = dict(WHY.findall(log.read_text(encoding="utf-8", errors="replace"))) if tests else {}
    names: dict[str, list[str]] = {}
    for name, how in tests:
        names.setdefault(reasons.get(name, how), []).append(_spaced(name))
    for reason, of_it in names.items():
        yield f"not run, {console.counted(len(of_it), 'test')}: {reason}"
        yield from (console.fitting(f"  {name}") for name in of_it)


def summary(failing: Sequence[Failing], total: int, root: Path, log: str) -> list[str]:
    """Ten lines at most: the stages that are wrong, where, and what looks closer; then the other tests."""
    stages: dict[tuple[str, str], tuple[Finding, int]] = {}
    others: list[tuple[Failing, Finding]] = []
    for test in failing:
        told = finding(test, root)
        if not told.stage:
            others.append((test, told))
            continue
        best, tests = stages.get((test.label, told.stage), (told, 0))
        stages[test.label, told.stage] = (max(best, told, key=lambda one: one.rank), tests + 1)

    entries = []  # lines, and the number of tests that they stand for
    for (label, stage), (told, tests) in stages.items():
        also = f", {tests} tests" if tests > 1 else ""
        lines = [f"  {label}, stage {stage}{also}", *(f"    {line}" for line in in_lines(told.detail, 3))]
        if command := look_closer(label, stage, root):
            lines.append(f"    look closer: {command}")
        entries.append((lines, tests))
    for test, told in others:
        entries.append(([f"  {test.label}: {test.name}", *(f"    {line}" for line in in_lines(told.detail, 2))], 1))

    written = [f"{len(failing)} of {total} tests failed:"]
    left = len(failing)
    for lines, tests in entries:
        if len(written) + len(lines) > MOST_LINES - 1:
            break
        written += lines
        left -= tests
    return [*map(console.fitting, written), f"{f'{left} more, and ' if left else ''}all that they printed: {log}"]


def look_closer(chapter: str, stage: str, root: Path) -> str:
    """The command that watches a stage's accesses to memory; none for what runs on the host."""
    file, slash, variant = stage.partition("/")
    number = re.match(r"[a-z]?\d+(?=_)", file)
    if not number or not chapters.NAME.fullmatch(chapter) or (root / chapter / f"{file}.cpp").exists():
        return ""
    return f"./lab check {chapters.number(chapter)} {number[0]}{slash}{variant}"


def in_lines(text: str, most: int) -> list[str]:
    """The text in lines that fit under a heading; "…" ends what is too long."""
    lines = textwrap.wrap(text, console.width() - 5, break_on_hyphens=False)
    if len(lines) > most:
        lines[most - 1] = console.cut(f"{lines[most - 1]} {lines[most]}", console.width() - 5)
    return lines[:most]


def _spaced(name: str) -> str:
    """CTest's '03_vector_add:adds' as '03_vector_add: adds', and so for '03_vector_add, yours:adds'."""
    return re.sub(r"^(\w+(?:, \w+)?):(?=\S)", r"\1: ", name)

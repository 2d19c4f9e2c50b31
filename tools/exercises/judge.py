"""Judges an answer, in four layers: it compiles; its values are right; the checked build finds nothing; the counts keep
to the limits. The first layer that fails makes the verdict.

One program answers for all layers but the first. Of an exercise in CUDA it is a program of the emulator's checked build:
what it computes is what the plain build computes, and to compile the answer only once is half of the time from save to
verdict. Where there is a GPU, an answer that passes all layers is run there as well, for its values.
"""

import json
import os
import re
import secrets
import shutil
import stat
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path

from exercises import compile_errors, host, sandbox, sharing, words
from exercises.folder import Exercise
from exercises.sandbox import Ended, Patience
from exercises.toolchain import Toolchain
from reports.results import Json
from shared import console
from shared.console import Failure

SOLVED = "solved"
ON_THE_HOST = "right, but not on the device"
SPIN_SECONDS = 3  # of waiting and nothing else
LARGEST_ANSWER = 1 << 20  # bytes
LONGEST_SAID = 1000  # characters of a sentence
LONGEST_LINE = 120  # of the answer's line
LAUNCHED = re.compile(r"^emulator: checked [1-9]\d* launch", re.MULTILINE)


@dataclass(frozen=True)
class Case:
    """A part of the checker's run, which can be run once more by itself."""

    part: str  # `check` or `counted`
    number: int  # of the case in it; 0 for all of it
    name: str
    seed: int | None  # of what is random


@dataclass(frozen=True)
class Watched:
    """A case whose kernels were watched. page: HTML; '' if the program wrote none."""

    page: str
    said: str
    went_well: bool  # this time


@dataclass(frozen=True)
class Verdict:
    """What came out. `layer` is the one that failed, or SOLVED."""

    layer: str
    title: str  # the layer's failure in some words
    headline: str
    details: Sequence[str] = ()
    line: int = 0  # of the answer; 0 where no line of it is to blame
    text: str = ""  # of that line
    printed: str = ""  # by the answer
    seconds: float = 0.0
    assertions: int = 0
    on_gpu: bool = False  # the values are right on this machine's GPU, too
    kernels: Sequence[Json] = field(default_factory=list)  # as the emulator has counted them
    case: Case | None = None  # to look at; None where no kernel ran

    @property
    def solved(self) -> bool:
        return self.layer == SOLVED

    def all_words(self) -> str:
        return " ".join([self.headline, *self.details, self.text])


class Judge:
    """Judges answers to an exercise that has been prepared."""

    def __init__(self, toolchain: Toolchain, scratch: Path | None = None) -> None:
        """scratch: where temporary folders are made; None for the usual place."""
        self.toolchain = toolchain
        self.scratch = scratch
        self._solutions: dict[Exercise, Verdict] = {}  # of those that were judged in prepare()

    def prepare(self, exercises: Sequence[Exercise]) -> None:
        """Compiles the checkers, and has the solutions show what is to be expected of a right answer."""
        self.toolchain.prepare(exercises)
        new = [exercise for exercise in exercises if self.toolchain.kept(exercise) is None]
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(self._see_solution, new))  # what one of them raises ends the rest

    def _see_solution(self, exercise: Exercise) -> None:
        verdict = self._judge(exercise, exercise.solution, None)
        if not verdict.solved:
            said = f"{verdict.layer}: {verdict.all_words()}"
            raise Failure(f"the solution of {exercise.number} fails, which is not your fault: {said}")
        self._solutions[exercise] = verdict
        self.toolchain.keep(exercise, {"assertions": verdict.assertions, "kernels": list(verdict.kernels)})

    def solution_seen(self, exercise: Exercise) -> Verdict | None:
        """The verdict on the solution, if prepare() had to ask for it."""
        return self._solutions.get(exercise)

    def judge_file(self, exercise: Exercise, path: Path) -> Verdict:
        """Judges a learner's file."""
        text, why = read_answer(path)
        return _no_answer(exercise, why) if why else self.judge(exercise, text)

    def watch_file(self, exercise: Exercise, path: Path) -> tuple[Verdict, Watched | None]:
        """Judges a learner's file on the emulator, and then has the case watched that failed; where none did, what is
        counted. No page where no kernel ran."""
        text, why = read_answer(path)
        if why:
            return _no_answer(exercise, why), None
        with self._folder() as name:
            trial = Trial(self.toolchain, exercise, Path(name), text)
            verdict = trial.verdict(self.reference(exercise))
            return verdict, trial.watched(verdict.case) if verdict.case else None

    def judge(self, exercise: Exercise, text: str, patience: Patience | None = None) -> Verdict:
        """Judges an answer's text. patience: None for what an answer usually gets."""
        return self._judge(exercise, text, self.reference(exercise), patience)

    def reference(self, exercise: Exercise) -> Json:
        """What the solution was seen to do: the number of assertions, and its kernels, as they were counted."""
        reference = self.toolchain.kept(exercise)
        assert reference, "prepare() comes first"
        return reference

    def _judge(self, exercise: Exercise, text: str, reference: Json | None, patience: Patience | None = None) -> Verdict:
        started = time.monotonic()
        with self._folder() as name:
            verdict = Trial(self.toolchain, exercise, Path(name), text, patience).verdict(reference)
        if verdict.solved and self.toolchain.nvcc and not exercise.host:
            with self._folder() as name:
                trial = Trial(self.toolchain, exercise, Path(name), text, patience, on_gpu=True)
                verdict = trial.verdict_on_gpu(verdict)
        return replace(verdict, seconds=time.monotonic() - started)

    def _folder(self) -> tempfile.TemporaryDirectory[str]:
        return tempfile.TemporaryDirectory(prefix="lab-", dir=self.scratch, ignore_cleanup_errors=True)


def read_answer(path: Path, links: bool = True) -> tuple[str, str]:
    """The text of a file, or why it is no answer. links: symbolic ones are followed."""
    try:
        if path.is_symlink() and not links:
            return "", "the file is a symbolic link, which is not followed"
        if path.is_dir():
            return "", f"{path.name} is a folder, and should be a file"
        with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK | (0 if links else os.O_NOFOLLOW)), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                return "", "it is no file"
            data = file.read(LARGEST_ANSWER + 1)
    except OSError as error:
        return "", f"the file cannot be read: {error.strerror}"
    if len(data) > LARGEST_ANSWER:
        return "", "the file is larger than 1 MiB: that is no answer"
    text = data.decode("utf-8", "surrogateescape")
    return text, "" if text.strip() else "the file is empty"


def _no_answer(exercise: Exercise, why: str) -> Verdict:
    reset = f"./lab exercise {exercise.number} --reset gives you the first version back and keeps this one beside it."
    return Verdict("compiles", "there is no answer", why, [reset])


@dataclass(frozen=True)
class _Run:
    """What a run of the program has left. part: `check` or `counted`."""

    part: str
    ended: Ended
    reports: Sequence[Json]  # the checker's
    findings: Sequence[Json]  # the emulator's
    kernels: Sequence[Json]  # which it has counted
    page: str = ""  # on which they are watched
    waits: Sequence[Json] = ()  # of MPI's ranks: the calls in which they were to the end

    def case(self, report: Json) -> Case | None:
        """The one that a report of the checker's speaks of. None where no kernel ran, or the program did not end by itself:
        then there is nothing to look at."""
        if "number" not in report or not (self.kernels or LAUNCHED.search(self.ended.said)):
            return None
        name = report["case"].removesuffix(", second call")  # which comes after the first one
        return Case(self.part, report["number"], name, report.get("seed"))


class Trial:
    """One answer, in a temporary folder."""

    def __init__(
        self,
        toolchain: Toolchain,
        exercise: Exercise,
        folder: Path,
        text: str,
        patience: Patience | None = None,
        on_gpu: bool = False,
    ) -> None:
        self.patience, self.on_gpu = patience or host.patience(exercise.host), on_gpu
        self.toolchain, self.exercise, self.folder = toolchain, exercise, folder
        self.source = f"my/{exercise.file_name}"
        path = folder / self.source
        path.parent.mkdir()
        path.write_text(text, encoding="utf-8", errors="surrogateescape")
        self.lines = text.splitlines()

    def verdict(self, reference: Json | None) -> Verdict:
        """reference: what the solution was seen to do; None for the solution itself."""
        compiled = self.toolchain.compile(self.exercise, self.source, self.folder)
        if compiled.code != 0 or not (self.folder / "program").exists():
            return self._verdict("compiles", "it does not compile", *compile_errors.explain(compiled, self.source))
        checked = self._run("check")
        if failed := self._failed(checked, reference and reference["assertions"]):
            return failed
        counted = self._run("counted")
        if failed := self._failed(counted, None):
            return failed
        if not (self.exercise.host or self.exercise.library or counted.kernels):
            return self._verdict("counts", ON_THE_HOST, words.NO_KERNEL)
        case, limits = counted.case(counted.reports[-1]), self.exercise.task.limits
        alone = sharing.who_works_alone(counted.kernels, reference["kernels"]) if reference else ""
        why = words.of_work_alone(alone)
        for limit in limits:
            value = limit.value(counted.kernels)
            if not limit.holds(value):
                line = limit.worst_line(counted.kernels)
                title = {"<=": "right, but it does too much", ">=": "right, but it does too little"}.get(
                    limit.relation, "right, but not as asked for"
                )
                details = [words.WORK_ON_THE_HOST if limit.quantity == "steps" else why]
                return self._verdict("counts", title, limit.says(value), details, line, checked.ended.printed, case)
        if alone and not sharing.may_work_alone(alone, counted.kernels, limits):
            return self._verdict("counts", "right, but the work is not shared", why, [], 0, checked.ended.printed, case)
        done = Verdict(SOLVED, "solved", "", assertions=checked.reports[-1]["assertions"], kernels=counted.kernels)
        return replace(done, printed=checked.ended.printed, case=case)

    def verdict_on_gpu(self, on_emulator: Verdict) -> Verdict:
        """Whether the values are right there, too. The other layers are the emulator's."""
        compiled = self.toolchain.compile_for_gpu(self.exercise, self.source, self.folder)
        if compiled.code != 0 or not (self.folder / "program").exists():
            return self._verdict("compiles", "nvcc does not compile it", *compile_errors.explain(compiled, self.source))
        failed = self._failed(self._run("check"), on_emulator.assertions)
        if failed:
            return replace(failed, title="right on the emulator, but not on this GPU")
        return replace(on_emulator, on_gpu=True)

    def watched(self, case: Case) -> Watched:
        """Runs the program once more, for this case only."""
        ran = self._start(case.part, [], case)
        return Watched(ran.page, ran.ended.said, not ran.findings and ran.ended.code == 0)

    def _verdict(
        self,
        layer: str,
        title: str,
        headline: str,
        details: Sequence[str] = (),
        line: int = 0,
        printed: str = "",
        case: Case | None = None,
    ) -> Verdict:
        text = self.lines[line - 1].strip() if 0 < line <= len(self.lines) else ""
        details = [self._shown(detail.replace("EXERCISE", self.exercise.number)) for detail in details if detail]
        text = console.cut(self._shown(text), LONGEST_LINE)
        return Verdict(layer, title, self._shown(headline), details, line, text, printed, case=case)

    def _shown(self, text: str) -> str:
        """What an answer, or what it makes a compiler say, may show on a terminal: no escape codes."""
        return console.quoted(text.replace("\t", " ").replace(f"{self.folder}/", ""), LONGEST_SAID)

    def _run(self, part: str) -> _Run:
        """Runs the program."""
        ran = self._start(part, [])
        if without_random_addresses := host.starting_without_random_addresses(ran.ended.said):
            ran = self._start(part, without_random_addresses)
        return ran

    def _start(self, part: str, first: Sequence[str], watched: Case | None = None) -> _Run:
        nonce = secrets.token_hex(16)
        place = Path(tempfile.mkdtemp(prefix=f"{part}-", dir=self.folder))
        (place / "my").mkdir()
        shutil.copyfile(self.folder / self.source, place / self.source)
        found, counted, page = place / "found.json", place / "counted.json", place / "page.html"
        kind = self.exercise.host
        command: list[str | Path] = [*first, *host.starting(kind), self.folder / "program", part]
        program = self.folder / "program"
        if watched:
            program = self.folder / Path(self.source).stem  # the learner's file
            os.link(self.folder / "program", program)
            command = [program, part, *([watched.name] if watched.number else [])]  # the page's title
        # mpirun hands no open file on: there the report has a name.
        with tempfile.NamedTemporaryFile(dir=place) if kind == "mpi" else tempfile.TemporaryFile() as report:
            where = report.name if kind == "mpi" else report.fileno()
            environment = environment_of(self.patience) | {"EXERCISE_REPORT": f"{where}:{nonce}"}
            box = None if self.on_gpu else self.toolchain.box
            environment |= host.environment(kind, place, box is None) if kind else {"EMULATOR_CHECK_JSON": str(found)}
            if kind == "mpi":  # the same for all ranks
                environment = {"SEED": str(secrets.randbits(32))} | environment
            if watched:
                environment |= {"EMULATOR_WATCH": str(page), "EXERCISE_CASE": str(watched.number)}
                environment |= {"SEED": str(watched.seed)} if watched.seed is not None else {}
            elif part == "counted" and not kind:
                environment["EMULATOR_COUNT_JSON"] = str(counted)
            # ThreadSanitizer and the CUDA runtime map more than there is.
            memory = 0 if kind in ("threads", "openmp") or self.on_gpu else sandbox.MEMORY_BYTES
            ended = sandbox.run(
                command,
                place,
                environment,
                [report.fileno()],
                self.patience,
                memory_bytes=memory,
                box=box,
                reads=[program, place / "my", *self.toolchain.read_at_work(self.exercise)],
                writes=[Path(report.name)] if kind == "mpi" else [] if kind else [found, counted, page],
            )
            report.seek(0)
            reports = _reports(report.read(1 << 20), nonce)
        if kind:
            reports, waits = host.apart_from_waits(reports)
            return _Run(part, ended, reports, host.findings(place, self.source, ended.said if box else ""), [], waits=waits)
        findings = [finding for line in _text(found).splitlines() if (finding := _json(line))]
        return _Run(part, ended, reports, findings, _json(_text(counted)).get("kernels", []), _text(page))

    def _failed(self, run: _Run, assertions: object) -> Verdict | None:
        """The first of the layers that fails in a run: what the checker says, and then what the emulator found."""
        ended, reports, findings = run.ended, run.reports, run.findings
        last: Json = reports[-1] if reports else {"kind": "nothing", "case": "", "assertions": 0}
        finding = words.most_telling(findings, self.source) if findings and not ended.wrote_too_much else None
        if finding and last["kind"] not in words.WRONG_VALUES:
            first = next((report for report in reports if report["kind"] == "found"), last)
            explained = words.of_finding(finding, first["case"], self.source)
            title = words.title_of_finding(finding, values_are_right=last["kind"] == "end")
            return self._verdict("checked build", title, *explained, ended.printed, run.case(first))
        if last["kind"] == "end" and ended.code == 0 and assertions in (None, last["assertions"]):
            return None
        if last["kind"] in words.CARELESS:
            return self._verdict("checked build", *words.of_carelessness(last))
        if last["kind"] == "host":
            says = last["says"] if run.kernels or self.exercise.library else words.NO_KERNEL
            why = words.WORK_WITHOUT_THE_LIBRARY if self.exercise.library else words.WORK_ON_THE_HOST
            return self._verdict("counts", ON_THE_HOST, says, [why], case=run.case(last))
        if last["kind"] == "demand" and run.part == "counted":
            says = f"{last['case']}: {last['says']}"
            return self._verdict("counts", "right, but not as asked for", says, case=run.case(last))
        headline, details, line = words.of_run(ended, last, self.source)
        if run.waits and ended.late:
            headline, details, line = words.of_waiting_ranks(run.waits, last["case"])
        if finding:  # a wrong value alone leaves the learner to guess
            first = next((report for report in reports if report["kind"] == "found"), last)
            where = f" at {first['case']}" if first["case"] != last["case"] else ""
            found, more, line = words.of_finding(finding, "", self.source)
            details = [f"The checked build has found a mistake{where}: {found}", *more, *details]
        case = run.case(last) if last["kind"] != "prediction" else None  # what is true can be read off the page
        return self._verdict("values", words.title_of_run(last), headline, details, line, ended.printed, case)


def environment_of(patience: Patience) -> dict[str, str]:
    """For an answer's program: nothing that it can learn from, and nothing that changes its numbers."""
    needed = ("PATH", "HOME", "SEED", "TMPDIR", "LD_LIBRARY_PATH", "CUDA_VISIBLE_DEVICES")
    kept = {name: value for name, value in os.environ.items() if name in needed}
    return kept | {
        "LC_ALL": "C.UTF-8",
        "EMULATOR_POISON": "1",
        "EMULATOR_NOT_READY": "1",
        "EMULATOR_TIMEOUT": str(patience.kernel_seconds),
        "EMULATOR_SPIN_SECONDS": str(SPIN_SECONDS),
    }


def _reports(data: bytes, nonce: str) -> list[Json]:
    """What the checker wrote, as its nonce shows. Another line there, and nothing counts."""
    reports = [_json(line) for line in data.decode("utf-8", "replace").splitlines()]
    return reports if all(report.get("nonce") == nonce for report in reports) else []


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""


def _json(text: str) -> Json:
    try:
        found = json.loads(text)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}

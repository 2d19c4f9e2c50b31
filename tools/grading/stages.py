"""Students' own stages of a chapter, judged as answers are and in the same box: compiled with the chapter's program, run at the
sizes that ./lab check has, counted, and held against the chapter's own rungs as ./lab ladder does."""

import re
import shlex
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from building.build import Build
from exercises import compile_errors, sandbox, words
from exercises.folder import Exercise, Task
from exercises.judge import SOLVED, Judge, Trial, Verdict, environment_of
from exercises.sandbox import Patience
from exercises.toolchain import FAST_LINKER, NVCC, Toolchain, compiler
from exporting import copied
from reports import checked, counts, floors, ladders, results
from reports.results import Json
from shared import chapters, processes
from shared.chapters import ROOT
from shared.console import EXIT_FINDINGS, EXIT_USAGE, Failure

FILE = re.compile(r"(?P<chapter>\d\d_\w+)/(?P<name>[a-z]\w+)\.cu|(?P<digits>\d\d)_(?P<flat>[a-z]\w+)\.cu")
MALFORMED = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)  # JSON that an answer forged


class OwnStage(Exercise):
    """A student's stage of a chapter: an exercise without points. All are judged under one name, whatever the student's."""

    def __init__(self, chapter: str, name: str) -> None:
        super().__init__(ROOT / chapter / "exercises" / f"0_{name}")
        self.ladder = name[0] if re.match("[a-z]_", name) else ""
        self.number = f"{chapter[:2]}/{name}"
        self.judged_as = f"{self.ladder}_mine".removeprefix("_")
        self.file_name = f"{self.judged_as}.cu"

    @cached_property
    def task(self) -> Task:
        return Task({"title": "own stage", "points": "0", "fails": "compiles"}, [], "", "", [], "")

    @cached_property
    def checker(self) -> str:
        """All that it is judged with, besides what every answer is."""
        files = [path for room in (self.chapter, "common", "harness") for path in (ROOT / room).glob("*.*")]
        return self.ladder + "".join(path.read_text(encoding="utf-8") for path in sorted(files) if path.suffix != ".png")

    def text(self, name: str) -> str:
        return ""

    @cached_property
    def solution(self) -> str:
        """The chapter's last stage."""
        return copied.copy_of(copied.sources(self.chapter)[self.ladder], Path(self.file_name), self.judged_as)


def of_file(name: str) -> OwnStage | None:
    """05_dot_product/mine.cu and 05_mine.cu, below a student's folder; None for what is no stage of any ladder."""
    if not (match := FILE.fullmatch(name)):
        return None
    digits = match["digits"] or match["chapter"][:2]
    for chapter in chapters.discover(ROOT):
        stage = OwnStage(chapter, match["flat"] or match["name"])
        if chapter[:2] == digits and match["chapter"] in (None, chapter) and stage.ladder in copied.sources(chapter):
            return stage
    return None


@dataclass(frozen=True)
class Placed(Verdict):
    """Of a stage that is right: the rung that is most like it, what a call asks for, and the least seconds that it takes."""

    rung: str = ""
    asked: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Rungs:
    """A ladder of a chapter: what its program is linked from, and how it is run."""

    objects: Sequence[Path]
    checks: Sequence[Sequence[str]]
    counts: Sequence[Sequence[str]]
    kernels: Sequence[Json]  # of the chapter's own stages, counted

    @staticmethod
    def of(build: Build, stage: OwnStage) -> "Rungs":
        chapter, last = stage.chapter, copied.sources(stage.chapter)[stage.ladder].stem
        program = next(line[0] for line in build.lines(chapter, "count") if chapters.has_stage(line[:1], chapter, last))
        checks = [line for line in build.lines(chapter, "check") if line[0] == program]
        count = [line for line in build.lines(chapter, "count") if line[0] == program]
        made = str(Path(program).relative_to(build.folder))
        said = processes.ask(["ninja", "-C", str(build.folder), "-t", "commands", made]) or ""
        linked = [word for word in shlex.split(said.splitlines()[-1]) if word.endswith((".o", ".a", ".so"))]
        objects = [build.folder / word for word in linked if not word.startswith("emulator/")]
        ended = checked.Programs(None, [], writes="EMULATOR_COUNT_JSON", doing="counting").run(count)
        return Rungs(objects, checks, count, [kernel for each in ended for kernel in counts.kernels_of(each)])


class StageJudge(Judge):
    """Judges exercises and stages."""

    def __init__(self, toolchain: Toolchain, scratch: Path, build: Callable[[Sequence[str]], Build]) -> None:
        """build: brings the checked build of chapters up to date."""
        super().__init__(toolchain, scratch)
        self._build = build
        self._rungs: dict[tuple[str, str], Rungs] = {}
        self._of_solutions: dict[tuple[str, str], Verdict] = {}

    def prepare(self, exercises: Sequence[Exercise]) -> None:
        own = {(each.chapter, each.ladder): each for each in exercises if isinstance(each, OwnStage)}
        super().prepare([each for each in exercises if not isinstance(each, OwnStage)])
        if not own:
            return
        build = self._build(sorted({chapter for chapter, _ in own}))
        self.toolchain.prepare([], stages=True)
        for key, stage in own.items():
            self._rungs[key] = Rungs.of(build, stage)
            self._of_solutions[key] = self.judge(stage, stage.solution)

    def judge(self, exercise: Exercise, text: str, patience: Patience | None = None) -> Verdict:
        if not isinstance(exercise, OwnStage):
            return super().judge(exercise, text, patience)
        key, started = (exercise.chapter, exercise.ladder), time.monotonic()
        if key in self._of_solutions and text == exercise.solution:
            return self._of_solutions[key]
        with self._folder() as name:
            trial = _StageTrial(self.toolchain, exercise, Path(name), text)
            verdict = trial.of_stage(self._rungs[key])
        return replace(verdict, seconds=time.monotonic() - started)


class _StageTrial(Trial):
    exercise: OwnStage

    def of_stage(self, rungs: Rungs) -> Verdict:
        name, chapter = self.exercise.judged_as, self.exercise.chapter
        includes = [f"-I{ROOT}", f"-I{ROOT / chapter}"]
        command = [NVCC, "--check", "-std=c++20", *FAST_LINKER, *includes, "-ccbin", compiler(), "-o", "program", self.source]
        reads = [*(ROOT / chapter).glob("*.h"), *(part for path in rungs.objects for part in _with_members(path))]
        compiled = self.toolchain.make([*command, *rungs.objects], self.folder, reads)
        if compiled.code != 0 or not (self.folder / "program").exists():
            return self._verdict("compiles", "it does not compile", *compile_errors.explain(compiled, self.source))
        found: list[tuple[str, Json]] = []
        for line in rungs.checks:
            failed, ended = self._run_stage(line, "EMULATOR_CHECK_JSON")
            if failed:
                return failed
            found += [(" ".join(line[1:]), finding) for finding in checked.outcome(ended).findings]
        if found:
            case, finding = found[0]
            explained = words.of_finding(finding, f"with {case}", self.source)
            return self._verdict("checked build", words.title_of_finding(finding, True), *explained)
        kernels = list(rungs.kernels)
        for line in rungs.counts:
            failed, ended = self._run_stage(line, "EMULATOR_COUNT_JSON")
            if failed:
                return failed
            try:
                kernels += [kernel for kernel in counts.kernels_of(ended) if kernel.get("ranges", [])[-1:] == [name]]
            except Failure as failure:
                return self._verdict("counts", "it cannot be counted", str(failure))
        return self._placed(kernels)

    def _placed(self, kernels: Sequence[Json]) -> Verdict:
        name = self.exercise.judged_as
        gpu = floors.chosen(results.load_gpus(ROOT / "results"), None)
        stages = next((stages for _, stages in ladders.tables_of(kernels, gpu) if name in stages), None)
        if not stages:
            return self._verdict("counts", "right, but not on the device", words.NO_KERNEL)
        asked = stages.pop(name)
        beside = ladders.nearest(asked, stages)
        numbers = {what: float(asked.counts[what]) for what in ladders.COLUMNS}
        numbers["floor"] = asked.floor.shown() if asked.floor else 0.0
        said = ladders.compared("it", asked, beside, stages[beside])
        return Placed(SOLVED, "solved", self._shown(said), rung=beside, asked=numbers)

    def _run_stage(self, line: Sequence[str], writes: str) -> tuple[Verdict | None, checked.Ended]:
        """Runs the chapter's program with the stage alone: what is wrong, and what the checked build has written."""
        place = Path(tempfile.mkdtemp(dir=self.folder))
        written, table = place / "written", place / "table.json"
        arguments = [*line[1:], "--stage", self.exercise.judged_as]
        program = self.folder / "program"
        ended = sandbox.run(
            [program, *arguments, "--json", table],
            place,
            environment_of(self.patience) | {writes: str(written)},
            (),
            self.patience,
            box=self.toolchain.box,
            reads=[program, self.folder / "my"],
            writes=[written, table],
        )
        told = checked.Ended(arguments, ended.code, ended.said, written.read_text(errors="replace") if written.exists() else "")
        rows = table.read_text(errors="replace") if table.exists() else ""
        if ended.code in (0, EXIT_FINDINGS) and f'"name": "{self.exercise.judged_as}"' in rows:
            return None, told
        last = {"kind": "nothing", "case": ""}
        headline, details, at = words.of_run(ended, last, self.source)
        errors = [text.removeprefix("error: ") for text in ended.said.splitlines() if text.startswith("error: ")]
        if errors and 0 < ended.code < 128:
            headline, details, at = chapters.NO_STAGE if "there is no such stage" in errors[0] else errors[0], (), 0
        if found := checked.outcome(told).findings if writes == "EMULATOR_CHECK_JSON" else []:
            says, more, at = words.of_finding(words.most_telling(found, self.source), "", self.source)
            details = [f"The checked build has found a mistake: {says}", *more, *details]
        title = {1: "wrong values", EXIT_USAGE: "it is no stage"}.get(ended.code, words.title_of_run(last))
        return self._verdict("values", title, f"with {' '.join(line[1:])}: {headline}", details, at), told


def _with_members(path: Path) -> list[Path]:
    """What a box lacks of a file to link with; of a library that only names its objects, these, too."""
    named = path.parent.glob(f"CMakeFiles/{path.stem.removeprefix('lib')}.dir/**/*.o")
    return [path, *named] if path.suffix == ".a" else [path] if path.suffix == ".o" else []  # the others are the system's

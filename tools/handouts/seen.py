"""What students see: what the checker says to the starter and to each wrong version. It is run for that, and kept for as long
as neither the exercise nor what judges it changes."""

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from exercises import said
from exercises.folder import Exercise
from exercises.judge import Judge, Verdict
from exercises.toolchain import digest, lacks
from exercises.verify import Proof, tried
from shared import console
from shared.console import Progress, counted

STARTER = ""  # the name of the version that a learner begins with
KEPT = ("layer", "title", "headline", "details", "line", "text")  # of a verdict


def message(exercise: Exercise, verdict: Verdict) -> str:
    """A verdict, as the learner reads it."""
    title, *says = (said.shown(text, exercise.translation) for text in (verdict.title, verdict.headline, *verdict.details))
    lines = [f"{exercise} · {title}", *says]
    if verdict.line:
        lines.append(f"my/{exercise.file_name}:{verdict.line}    {verdict.text}")
    return "\n    ".join(line for line in lines if line)


@dataclass(frozen=True)
class Tried:
    """What was seen of an exercise. of: by the names of its wrong versions."""

    of: Mapping[str, Verdict]
    solution: Mapping[str, str]  # what it has of each quantity that is limited
    lacks: str = ""  # why this machine cannot run it


def all_of(judge: Judge, exercises: Sequence[Exercise]) -> dict[str, Tried]:
    """By the exercises' numbers. Runs what was not yet run."""
    lacking = {exercise.number: why for exercise in exercises if (why := lacks(exercise))}
    here = [exercise for exercise in exercises if exercise.number not in lacking]
    due = [(e, proof, path) for e in here for proof in _versions(e) if not (path := _path(judge, e, proof)).exists()]
    judge.prepare([e for e in here if judge.toolchain.kept(e) is None or any(e is other for other, _, _ in due)])
    _run(judge, due)
    found = {number: Tried({}, {}, why) for number, why in lacking.items()}
    for exercise in here:
        kernels = judge.reference(exercise)["kernels"]
        solution = {limit.quantity: limit.shown(limit.value(kernels)) for limit in exercise.task.limits}
        found[exercise.number] = Tried({p.name: _read(_path(judge, exercise, p)) for p in _versions(exercise)}, solution)
    return found


def _versions(exercise: Exercise) -> Iterator[Proof]:
    yield Proof(STARTER, exercise.starter, exercise.task.front["fails"])
    for version in exercise.wrong:
        yield Proof(version.name, version.text, version.caught_by, version.says)


def _path(judge: Judge, exercise: Exercise, proof: Proof) -> Path:
    """Where it is kept what was seen, by all that it depends on."""
    parts = (exercise.text("task.md"), exercise.checker, exercise.solution, proof.text, proof.layer, proof.says)
    return judge.toolchain.made / f"{exercise.file_name}.{digest(*parts)}.seen.json"


def _run(judge: Judge, due: Sequence[tuple[Exercise, Proof, Path]]) -> None:
    progress = Progress()

    def run(exercise: Exercise, proof: Proof, path: Path) -> str:
        trial = tried(judge, exercise, proof)
        console.write_file(path, json.dumps({name: getattr(trial.verdict, name) for name in KEPT}) + "\n")
        return f"{exercise.number}, '{proof.name or 'the starter'}': {trial.said}" if trial.said else ""

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = [pool.submit(run, *one) for one in due]
        try:
            for number, job in enumerate(jobs, 1):
                progress.show(f"wrong versions: {number} of {counted(len(jobs), 'run')}")
                if said := job.result():
                    progress.other_line()
                    console.note(f"lab: not as wrong.toml says: {console.quoted(said, 300)}")
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    progress.clear()


def _read(path: Path) -> Verdict:
    return Verdict(**json.loads(path.read_text(encoding="utf-8")))

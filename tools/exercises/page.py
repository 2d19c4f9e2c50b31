"""The page on which the threads of an answer are watched, in the case that fails."""

import os
import re
from pathlib import Path

from exercises import screen
from exercises.folder import NAME, Exercise
from exercises.judge import Judge, Verdict, Watched
from exercises.learner import Learner
from reports import pages
from shared import console
from shared.console import EXIT_FAILED, EXIT_FINDINGS, EXIT_USAGE, Failure
from translating import web
from translating.translation import WATCH

NO_STEP = re.compile(r"\b0 steps$")
KINDS = {"threads": "threads of the host", "openmp": "OpenMP", "mpi": "MPI"}


def is_exercise(word: str) -> bool:
    """Whether it names an exercise, and no chapter: 5.1, 05_1_tree, my/05_1_tree.cu."""
    return word.endswith((".cu", ".cpp")) or NAME.fullmatch(word.rpartition("/")[2]) is not None


def require_kernels(exercise: Exercise, learner: Learner) -> None:
    """Refuses what has no kernel, and a file that is not there, before anything is prepared."""
    if exercise.host:
        says = f"it is about {KINDS[exercise.host]}; ./lab exercise {exercise.number} checks your file"
        raise Failure(f"{exercise} has no kernel: {says}", EXIT_USAGE)
    if not os.path.lexists(learner.path(exercise)):
        begins = f"./lab exercise {exercise.number} begins it"
        raise Failure(f"{learner.shown(exercise)} is not there yet; {begins}", EXIT_USAGE)


def make(exercise: Exercise, learner: Learner, judge: Judge, opens: bool) -> int:
    """Makes the page, says what is on it and opens it. Returns the exit code; Failure says why there is no page."""
    require_kernels(exercise, learner)
    judge.prepare([exercise])
    verdict, watched = judge.watch_file(exercise, learner.path(exercise))
    shows = pages.contents(watched.said) if watched else ""
    if watched is None or not watched.page or not shows or NO_STEP.search(shows):
        where = f"{learner.shown(exercise)}{f':{verdict.line}' if verdict.line else ''}"
        raise Failure(f"{where}: {why_none(exercise, verdict)}")
    page = judge.toolchain.builds / "watch" / f"{Path(exercise.file_name).stem}.html"
    console.write_file(page, web.translated(watched.page, exercise.translation, WATCH))
    print(screen.headline(exercise, verdict, learner))
    print(f"{os.path.relpath(page)} shows {shows}{_of_case(verdict, watched)}", flush=True)
    if opens:
        pages.open_page(page)
    if verdict.solved:
        return 0
    return EXIT_FINDINGS if verdict.layer == "checked build" else EXIT_FAILED


def _of_case(verdict: Verdict, watched: Watched) -> str:
    case = f" of {verdict.case.name}" if verdict.case and verdict.case.name else ""
    if watched.went_well and verdict.layer in ("values", "checked build"):
        return f"{case}, which went well this time: which thread comes first is not always the same"
    return case


def why_none(exercise: Exercise, verdict: Verdict) -> str:
    """Why there is no page."""
    if exercise.library and verdict.solved:
        return "it is right, and launches no kernel of its own; what an algorithm does on a GPU, the emulator's host does here"
    if verdict.title == "a prediction is wrong":
        return f"{verdict.headline}; the threads can be watched once all predictions are right"
    if verdict.layer == "compiles":
        return verdict.headline
    says = verdict.headline.rstrip(".")
    return f"{says}; what is watched has to launch a kernel and to come to its end"

"""What students have handed in: a folder a student, with files named as in my/. Nothing in it is trusted: no link is followed,
and what is no plain file is not opened."""

import errno
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from exercises.folder import Exercise
from exercises.judge import read_answer
from grading.stages import OwnStage, of_file
from shared import chapters
from shared.console import EXIT_USAGE, Failure, quoted

KEPT = re.compile(r"\..*|.*\.old\d+\.(cu|cpp)")  # what ./lab exercise leaves beside the answers
MOST_NOTES = 5  # of a student


@dataclass(frozen=True)
class Submission:
    """A student's answer to an exercise. why: it is none, and why; then the text is empty."""

    student: str
    exercise: Exercise
    text: str
    why: str = ""

    @property
    def is_there(self) -> bool:
        return self.why != NO_FILE


NO_FILE = f"the file cannot be read: {os.strerror(errno.ENOENT)}"  # as read_answer() says it


def students(folder: Path) -> tuple[list[str], list[str]]:
    """The students' names, and what else lies in the folder, as lines to show."""
    if not folder.exists():
        raise Failure(f"there is no folder {quoted(str(folder), 200)}", EXIT_USAGE)
    if not folder.is_dir():
        raise Failure(
            f"{quoted(str(folder), 200)} is a file, and should be a folder with a folder for each student", EXIT_USAGE
        )
    names, notes = [], []
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError as error:
        raise Failure(f"{quoted(str(folder), 200)} cannot be read: {error.strerror}") from error
    for entry in entries:
        if entry.is_dir(follow_symlinks=False):
            names += [entry.name] if not entry.name.startswith(".") else []
        elif entry.is_symlink():
            notes.append(f"{quoted(entry.name)} is a symbolic link, which is not followed")
        elif not entry.name.startswith("."):
            notes.append(f"{quoted(entry.name)} lies beside the students' folders, and is left out")
    if not names:
        direct = any(re.fullmatch(r"\d\d_\d_\w+\.(cu|cpp)", entry.name) for entry in entries)
        hint = ": the answers go into a folder for each student" if direct else ""
        raise Failure(f"{quoted(str(folder), 200)} has no student's folder{hint}", EXIT_USAGE)
    return names, notes[:MOST_NOTES]


def read(
    folder: Path, names: Sequence[str], known: Sequence[Exercise], chosen: Sequence[Exercise], of: Sequence[str]
) -> tuple[list[Submission], list[str]]:
    """The answers of all students to the chosen exercises, and to those of these chapters to which somebody has one; and the
    students' own stages of these. And lines to show, of what else lies in the students' folders."""
    by_name = {exercise.file_name: exercise for exercise in known}
    notes: list[str] = []
    found: dict[str, dict[str, tuple[Exercise, Path]]] = {}  # by student, and number of the exercise
    for name in names:
        there, strange = _listed(folder / name, by_name)
        found[name] = {exercise.number: (exercise, path) for exercise, path in reversed(there)}
        notes += [f"{quoted(name)}: {line}" for line in strange]
    seen = {number for there in found.values() for number, (exercise, _) in there.items() if exercise.chapter in of}
    if not (seen or chosen):
        hint = "such as 03_1_guard.cu or 05_dot_product/mine.cu"
        raise Failure(f"no student's folder in {quoted(str(folder), 200)} has an answer, {hint}", EXIT_USAGE)
    wanted = [exercise for exercise in known if exercise in chosen or exercise.number in seen]
    answers = []
    for name, of_student in found.items():
        missing = folder / name / "none"
        own = [exercise for exercise, _ in of_student.values() if isinstance(exercise, OwnStage) and exercise.number in seen]
        for exercise in [*wanted, *sorted(own, key=str)]:
            path = of_student.get(exercise.number, (exercise, missing))[1]
            answers.append(Submission(name, exercise, *read_answer(path, links=False)))
    return answers, notes


def _listed(folder: Path, by_name: dict[str, Exercise]) -> tuple[list[tuple[Exercise, Path]], list[str]]:
    """The answers in a student's folder, its my/ and those of chapters, and what is strange there."""
    answers, strange = [], []
    try:
        for name in _names(folder):
            below = name.removeprefix("my/")
            if exercise := by_name.get(below) or of_file(below):
                answers.append((exercise, folder / name))
            elif not KEPT.fullmatch(below.rpartition("/")[2]):
                strange.append(f"there is no exercise {quoted(name)}")
    except OSError as error:
        return [], [f"the folder cannot be read: {error.strerror}"]
    if len(strange) > MOST_NOTES:
        strange[MOST_NOTES - 1 :] = [f"{len(strange) - MOST_NOTES + 1} more files belong to no exercise"]
    return answers, strange


def _names(folder: Path, above: str = "") -> list[str]:
    """Of the files in a student's folder, as seen from there."""
    names = []
    for entry in sorted(os.scandir(folder / above), key=lambda entry: entry.name):
        inner = above in ("", "my/") and (entry.name == "my" or chapters.NAME.fullmatch(entry.name))
        is_folder = inner and entry.is_dir(follow_symlinks=False)
        names += _names(folder, f"{above}{entry.name}/") if is_folder else [f"{above}{entry.name}"]
    return names

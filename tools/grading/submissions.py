"""What students have handed in: a folder a student, with files named as in my/. Nothing in it is trusted: no link is followed,
and what is no plain file is not opened."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from exercises.folder import Exercise
from exercises.judge import read_answer
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
    folder: Path, names: Sequence[str], known: Sequence[Exercise], chosen: Sequence[Exercise]
) -> tuple[list[Submission], list[str]]:
    """The answers of all students to the chosen exercises; for none chosen, to those to which somebody has one. And lines to
    show, of what else lies in the students' folders."""
    by_name = {exercise.file_name: exercise for exercise in known}
    notes: list[str] = []
    seen: set[str] = set()
    for name in names:
        there, strange = _listed(folder / name, by_name)
        seen |= there
        notes += [f"{quoted(name)}: {line}" for line in strange]
    wanted = chosen or [exercise for exercise in known if exercise.file_name in seen]
    if not wanted:
        raise Failure(f"no student's folder in {quoted(str(folder), 200)} has an answer, such as 03_1_guard.cu", EXIT_USAGE)
    return [_submission(folder, name, exercise) for name in names for exercise in wanted], notes


def _listed(folder: Path, by_name: dict[str, Exercise]) -> tuple[set[str], list[str]]:
    """The answers in a student's folder, and what is strange in it."""
    try:
        found = sorted(entry.name for entry in os.scandir(folder))
    except OSError as error:
        return set(), [f"the folder cannot be read: {error.strerror}"]
    strange = [f"there is no exercise {quoted(name)}" for name in found if name not in by_name and not KEPT.fullmatch(name)]
    if len(strange) > MOST_NOTES:
        strange[MOST_NOTES - 1 :] = [f"{len(strange) - MOST_NOTES + 1} more files belong to no exercise"]
    return {name for name in found if name in by_name}, strange


def _submission(folder: Path, student: str, exercise: Exercise) -> Submission:
    return Submission(student, exercise, *read_answer(folder / student / exercise.file_name, links=False))

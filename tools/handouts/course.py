"""Which handouts there are: one for chapters 01 and 02 together, and one for each chapter after them."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from exercises import folder
from exercises.folder import Exercise
from handouts import lesson
from handouts.lesson import Lesson, Picture, Prediction, Section
from shared import chapters
from shared.chapters import ROOT
from shared.console import EXIT_USAGE, Failure

LAST_OF_THE_FIRST = 2  # chapters up to this one share a handout
ALL = "all"


@dataclass(frozen=True)
class Part:
    """A chapter in a handout."""

    chapter: str
    lesson: Lesson
    exercises: Sequence[Exercise]
    files: Sequence[str]  # of the lesson


@dataclass(frozen=True)
class Handout:
    parts: Sequence[Part]

    @property
    def name(self) -> str:
        """'05_dot_product'; of two chapters '01_basics_02_device_query'."""
        return "_".join(part.chapter for part in self.parts)

    @property
    def title(self) -> str:
        return " and ".join(part.lesson.title for part in self.parts)

    @property
    def exercises(self) -> list[Exercise]:
        return [exercise for part in self.parts for exercise in part.exercises]

    @property
    def sections(self) -> list[Section]:
        return [section for part in self.parts for section in part.lesson.sections]

    def predictions(self) -> list[tuple[Section, Prediction]]:
        """Those of the core. Of a file other than README.md only those of sections that have an exercise."""
        places = {exercise.place for exercise in self.exercises}
        sections = [
            section
            for section in self.sections
            if not section.optional and (section.file == "README.md" or (section.file, section.title) in places)
        ]
        return [(section, prediction) for section in sections for prediction in section.predictions]

    def picture(self) -> tuple[Picture, Exercise] | None:
        """The one that helps most with the tasks, and the task that it belongs to. One that is drawn by hand, if there is any."""
        return self._picture(watched=False) or self._picture(watched=True)

    def _picture(self, watched: bool) -> tuple[Picture, Exercise] | None:
        """Of the first task whose section has one; else the first of all."""
        pictures = {id(section): [p for p in section.pictures if p.is_watched == watched] for section in self.sections}
        for exercise in self.exercises:
            chiefs = [section.chief for section in self.sections if (section.file, section.title) == exercise.place]
            near = [picture for section in self.sections if section.chief in chiefs for picture in pictures[id(section)]]
            if near and exercise.task.front["kind"] == "core":
                return near[0], exercise
        first = next((picture for section in self.sections for picture in pictures[id(section)]), None)
        return (first, self.exercises[0]) if first else None


def choose(word: str) -> list[Handout]:
    """The handout of the chapter that the word names, or all of them."""
    known = folder.discover(ROOT)
    names = [chapter for chapter in chapters.discover(ROOT) if any(exercise.chapter == chapter for exercise in known)]
    if not names:
        raise Failure("there are no exercises here, and a handout is made of them")
    groups = [list(group) for _, group in itertools.groupby(names, lambda name: max(LAST_OF_THE_FIRST, chapters.number(name)))]
    if word == ALL:
        return [_handout(group, known) for group in groups]
    (chapter,) = chapters.choose(ROOT, [word])
    found = [_handout(group, known) for group in groups if chapter in group]
    if not found:
        raise Failure(f"{chapter} has no exercises, and a handout is made of them", EXIT_USAGE)
    return found


def _handout(names: Sequence[str], known: Sequence[Exercise]) -> Handout:
    return Handout([_part(ROOT / name, [exercise for exercise in known if exercise.chapter == name]) for name in names])


def _part(path: Path, exercises: Sequence[Exercise]) -> Part:
    files = list(dict.fromkeys(["README.md", *(exercise.place[0] for exercise in exercises)]))
    return Part(path.name, lesson.read(path, files), exercises, files)

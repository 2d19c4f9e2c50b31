"""Which handouts there are: one for each chapter that has exercises."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from exercises import folder
from exercises.folder import Exercise
from handouts import lesson
from handouts.lesson import Lesson, Picture, Prediction, Section
from shared import chapters
from shared.chapters import ROOT
from shared.console import EXIT_USAGE, Failure
from shared.language import ENGLISH
from translating.translation import Translation

ALL = "all"


@dataclass(frozen=True)
class Handout:
    chapter: str
    lesson: Lesson
    exercises: Sequence[Exercise]
    translation: Translation
    left_out: Sequence[Exercise] = ()  # the chapter's others

    @property
    def title(self) -> str:
        return self.lesson.title

    @property
    def sections(self) -> Sequence[Section]:
        return self.lesson.sections

    @property
    def files(self) -> Sequence[str]:
        """Of the lesson: those that the exercises need."""
        return _files(self.exercises)

    def for_students(self) -> Handout:
        """Without the exercises that are not on their sheet."""
        on_sheet = [exercise for exercise in self.exercises if exercise.is_on_sheet]
        left_out = [exercise for exercise in self.exercises if not exercise.is_on_sheet]
        return replace(self, exercises=on_sheet, left_out=left_out)

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
        """The one that helps most with the tasks, and the task that it belongs to. One drawn by hand, if there is any."""
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


def choose(word: str, language: str = ENGLISH) -> list[Handout]:
    """The handout of the chapter that the word names, or all of them."""
    known = folder.discover(ROOT, Translation(ROOT, language))
    names = [chapter for chapter in chapters.discover(ROOT) if any(exercise.chapter == chapter for exercise in known)]
    if not names:
        raise Failure("there are no exercises here, and a handout is made of them")
    if word == ALL:
        return [_handout(name, known) for name in names]
    (chapter,) = chapters.choose(ROOT, [word])
    if chapter not in names:
        raise Failure(f"{chapter} has no exercises, and a handout is made of them", EXIT_USAGE)
    return [_handout(chapter, known)]


def _handout(chapter: str, known: Sequence[Exercise]) -> Handout:
    exercises = [exercise for exercise in known if exercise.chapter == chapter]
    translation = exercises[0].translation
    return Handout(chapter, lesson.read(ROOT / chapter, _files(exercises), translation), exercises, translation)


def _files(exercises: Sequence[Exercise]) -> list[str]:
    return list(dict.fromkeys(["README.md", *(exercise.place[0] for exercise in exercises)]))

"""Which handouts there are: one for each chapter that has exercises."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

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
    def files(self) -> Sequence[str]:
        """Of the lesson: those that the exercises need."""
        return _files(self.exercises)

    def for_students(self) -> Self:
        """Without the exercises that are not on their sheet."""
        on_sheet = [exercise for exercise in self.exercises if exercise.is_on_sheet]
        left_out = [exercise for exercise in self.exercises if not exercise.is_on_sheet]
        return replace(self, exercises=on_sheet, left_out=left_out)

    def predictions(self) -> list[tuple[Section, Prediction]]:
        """Those of the core. Of a file other than README.md only those of sections that have an exercise."""
        places = {exercise.place for exercise in self.exercises}
        sections = [
            section
            for section in self.lesson.sections
            if not section.optional and (section.file == "README.md" or (section.file, section.title) in places)
        ]
        return [(section, prediction) for section in sections for prediction in section.predictions]

    def picture(self) -> tuple[Picture, Exercise | None] | None:
        """One beside a task of the core, and that task; else the chapter's first. One drawn by hand, if there is any."""
        core = [exercise for exercise in self.exercises if exercise.task.front["kind"] == "core"]
        chiefs = {(section.file, section.title): section.chief for section in self.lesson.sections}
        drawn = [(picture, section) for section in self.lesson.sections for picture in section.pictures]
        beside: list[tuple[Picture, Exercise | None]] = [
            (picture, task) for task in core for picture, section in drawn if section.chief == chiefs.get(task.place)
        ]
        return min(beside or [(picture, None) for picture, _ in drawn], key=lambda found: found[0].is_watched, default=None)


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

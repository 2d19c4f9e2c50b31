"""What the words of the command line name: stages of a chapter, files, or exercises that have one."""

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from exercises import folder, page
from exercises.learner import Learner
from shared import arguments, chapters
from shared.chapters import ROOT
from shared.console import EXIT_USAGE, Failure, quoted

EXERCISE = re.compile(r"\d+\.\d+")


@dataclass(frozen=True)
class Source:
    """name: of a page about it. flags: that its chapter gives nvcc."""

    path: Path
    title: str
    name: str
    flags: tuple[str, ...]


def sources(words: Sequence[str]) -> list[Source]:
    """One, or two to be compared."""
    words = [_of_exercise(word) if EXERCISE.fullmatch(word) else word for word in words]
    of_stages = [chapters.of_own_file(word, None) for word in words]
    if all(name for _, name in of_stages):
        return [stage(str(chapter), str(name)) for chapter, name in of_stages[:2]]
    if is_file(words[0]):
        if len(words) > 2:
            raise Failure(f"two files at most, so '{quoted(words[2])}' is too much", EXIT_USAGE)
        return [file(word) for word in words]
    (chapter,) = chapters.choose(ROOT, words[:1])
    asked = words[1:]
    if not asked:
        files = [*(ROOT / chapter).glob("*.cu"), *(ROOT / chapters.OWN / chapter).glob("*.cu")]
        names = [name for name in chapters.stages(ROOT, chapter) if any(name == path.stem for path in files)]
        raise Failure(f"which stage of {chapter}? Those with a kernel: {', '.join(names)}", EXIT_USAGE)
    if len(asked) > 2:
        raise Failure(f"two stages at most, so '{quoted(asked[2])}' is too much", EXIT_USAGE)
    return [stage(chapter, word) for word in asked]


def _of_exercise(number: str) -> str:
    """The learner's file of an exercise."""
    exercise, learner = folder.find(folder.discover(ROOT), number), Learner(ROOT / "my")
    page.require_kernels(exercise, learner)
    return learner.shown(exercise)


def is_file(word: str) -> bool:
    """Whether it names a file, which need not be there."""
    return word.endswith((".cu", ".cuh", ".cpp")) or ("." in word and Path(word).is_file())


def file(word: str) -> Source:
    """Of kernels; refuses any other."""
    path = Path(word)
    if not path.is_file():
        made_by = (each.number for each in folder.discover(ROOT) if ROOT / "my" / each.file_name == path.resolve())
        hint = next((f"; ./lab exercise {number} makes it" for number in made_by), "")
        raise Failure(f"there is no file '{quoted(word, 200)}'{hint}", EXIT_USAGE)
    if path.suffix != ".cu":
        raise Failure(f"'{quoted(word, 200)}' is no .cu file, so it has no kernel", EXIT_USAGE)
    arguments.require_plain(word, "the file")
    place = path.resolve().parent
    chapter = place.name if place.parent == ROOT else ""
    return Source(path, word, f"{chapter[:2] + '_' if chapter else ''}{path.stem}", chapters.nvcc_flags(ROOT, chapter))


def stage(chapter: str, asked: str) -> Source:
    """The stage that a word means, or a program of the chapter. All variants of a stage are in one file."""
    names = chapters.stages(ROOT, chapter)
    path = chapters.kernels_of(ROOT, chapter, next((name for name in names if chapters.may_mean(asked, name)), asked))
    name = path.stem
    if not path.is_file():
        raise chapters.no_such_stage(chapter, asked, names)
    headers = () if path.parent == ROOT / chapter else (f"-I{os.path.relpath(ROOT / chapter)}",)
    return Source(path, str(path.relative_to(ROOT)), f"{chapter[:2]}_{name}", (*chapters.nvcc_flags(ROOT, chapter), *headers))

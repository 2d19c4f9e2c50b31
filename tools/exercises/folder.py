"""An exercise's folder, read: task.md, solution.cu or solution.cpp, wrong.toml and right/. What is wrong in one is told
with its line."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from exercises.limits import Limit
from exercises.starter import starter_of
from shared import chapters
from shared.console import EXIT_USAGE, Failure, quoted
from shared.language import ENGLISH
from translating.templates import phrase
from translating.translation import Translation

LAYERS = ("compiles", "values", "checked build", "counts")
FILES = {"task.md", "check.cpp", "wrong.toml", "right"}  # and the solution
# Keys of the front matter with one of these values. fails: the layer in which the starter does; host: what a program without
# CUDA is made with; library: whose algorithms do the work, in place of kernels; sheet: whether the student's handout has it.
CHOICES = {
    "kind": ("core", "optional"),
    "fails": LAYERS[1:],
    "host": ("threads", "openmp", "mpi"),
    "library": ("thrust",),
    "sheet": ("no",),
}
KEYS = ("title", "minutes", "points", "after", "kind", "fails", "learnt", "limits", "host", "library", "sheet")
OPTIONAL_KEYS = ("limits", "host", "library", "sheet")
COUNTED = "What is counted"  # the section of task.md that follows the task
FOLDER = re.compile(r"(\d)_(\w+)")
SHARED = re.compile(r'^#include "(\.\./\w+\.cpp)"$', re.MULTILINE)  # what several exercises of a chapter check with
LESSON_FILE = re.compile(r"(\w+\.md): ")
NAME = re.compile(r"0?(\d{1,2})[._](\d)(?:_\w+)?")  # 3.1, 03.1, 03_1_guard


@dataclass(frozen=True)
class Wrong:
    """A wrong version, of one misconception."""

    name: str
    text: str  # the whole file
    caught_by: str
    says: str
    thinks: str
    asks: str  # what an instructor may ask that student; '' where nothing is written down


@dataclass(frozen=True)
class Task:
    """What task.md holds."""

    front: Mapping[str, str]
    limits: Sequence[Limit]
    text: str
    counted: str  # what "What is counted" says, which readers may leave for later; '' if there is no such section
    hints: Sequence[str]
    afterwards: str


class Exercise:
    """One exercise. Its files are read when they are asked for; Failure says what is wrong with one."""

    def __init__(self, folder: Path, translation: Translation | None = None) -> None:
        """translation: for whoever shows its task."""
        self.folder = folder
        self.translation = translation or Translation(folder.parents[2], ENGLISH)
        self.chapter = folder.parent.parent.name
        number, self.short_name = folder.name.split("_", 1)
        self.number = f"{chapters.number(self.chapter)}.{number}"
        self.source = "solution.cpp" if (folder / "solution.cpp").is_file() else "solution.cu"
        self.suffix = Path(self.source).suffix
        self.file_name = f"{self.chapter[:2]}_{number}_{self.short_name}{self.suffix}"

    def __str__(self) -> str:
        return f"{self.number} {self.title}"

    @property
    def title(self) -> str:
        return self.task.front["title"]

    @property
    def minutes(self) -> int:
        return int(self.task.front["minutes"])

    @property
    def place(self) -> tuple[str, str]:
        """The lesson's file and the section in it after which the exercise comes: 'tiles.md: Copies', or 'Copies' for
        README.md."""
        match = LESSON_FILE.match(self.task.front["after"])
        return (match[1], match.string[match.end() :]) if match else ("README.md", self.task.front["after"])

    @property
    def host(self) -> str:
        """What it is made with; '' for an exercise in CUDA."""
        return self.task.front.get("host", "")

    @property
    def library(self) -> str:
        """Whose algorithms do the work; '' where the learner writes kernels."""
        return self.task.front.get("library", "")

    @property
    def is_on_sheet(self) -> bool:
        """Whether the student's handout has it; the instructor's edition has all."""
        return "sheet" not in self.task.front

    def path(self, name: str) -> Path:
        return self.folder / name

    def text(self, name: str) -> str:
        path = self.path(name)
        try:
            return path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise Failure(f"{shown(path)} cannot be read: {getattr(error, 'strerror', 'it is no UTF-8')}") from error

    @cached_property
    def task(self) -> Task:
        file = self.path("task.md").relative_to(self.translation.root).as_posix()
        task = read_task(self.translation.page(file, self.text("task.md")), shown(self.path("task.md")))
        if ("host" in task.front) != (self.suffix == ".cpp"):
            raise Failure(f"{shown(self.path('task.md'))}: `host: …` and a solution.cpp go together, and here is {self.source}")
        return task

    @cached_property
    def checker(self) -> str:
        """check.cpp, and what it shares with other exercises of the chapter."""
        return "".join(self.text(str(path)) for path in self.checker_files)

    @property
    def checker_files(self) -> list[Path]:
        shared = SHARED.findall(self.text("check.cpp"))
        return [self.path("check.cpp"), *(self.path(name).resolve() for name in shared)]

    @cached_property
    def starter(self) -> str:
        return starter_of(self.text(self.source), shown(self.path(self.source)))[0]

    @cached_property
    def solution(self) -> str:
        """The source without the marks and without what the starter has instead."""
        return starter_of(self.text(self.source), shown(self.path(self.source)))[1]

    @cached_property
    def wrong(self) -> Sequence[Wrong]:
        return read_wrong(self.text("wrong.toml"), shown(self.path("wrong.toml")), self.solution, self.folder)

    def right(self) -> Mapping[str, str]:
        """Other right answers: the name of the file, and its text."""
        files = sorted(self.path("right").glob(f"*{self.suffix}"))
        return {f"right/{path.name}": path.read_text(encoding="utf-8") for path in files}


def discover(root: Path, translation: Translation | None = None) -> list[Exercise]:
    """All exercises, in the chapters' order."""
    folders = [folder for chapter in chapters.discover(root) for folder in (root / chapter / "exercises").glob("*")]
    return sorted((Exercise(f, translation) for f in folders if FOLDER.fullmatch(f.name) and f.is_dir()), key=_order)


def find(exercises: Sequence[Exercise], word: str) -> Exercise:
    """The exercise that a word names: 3.1, 03.1, 03_1_guard, my/03_1_guard.cu, guard."""
    key = word.rstrip("/").rpartition("/")[2].removesuffix(".cu").removesuffix(".cpp")
    match = NAME.fullmatch(key)
    wanted = f"{match[1]}.{match[2]}" if match else None
    found = [exercise for exercise in exercises if exercise.number == wanted or exercise.short_name == key]
    if len(found) == 1:
        return found[0]
    chapter = match[1] if match else key
    if chapter.isdigit() and (there := [str(e) for e in exercises if e.number.startswith(f"{int(chapter)}.")]):
        none = f"there is no exercise {wanted}; " if wanted else ""
        raise Failure(f"{none}chapter {int(chapter)} has {', '.join(there)}", EXIT_USAGE)
    first, last = exercises[0].number, exercises[-1].number
    message = phrase("there is no exercise '{text}'; the exercises are {text2} to {text3}: ./lab exercise lists them")
    raise Failure(message.format(text=quoted(word), text2=first, text3=last), EXIT_USAGE)


def _order(exercise: Exercise) -> tuple[int, ...]:
    return tuple(map(int, exercise.number.split(".")))


def shown(path: Path) -> str:
    """The path below the checkout."""
    return str(path.relative_to(chapters.ROOT)) if path.is_relative_to(chapters.ROOT) else str(path)


def read_task(text: str, name: str) -> Task:
    """Front matter (`key: value` between two lines `---`; a list of limits), the task, what is counted, hints and
    Afterwards."""
    lines = text.splitlines()
    if not lines or lines[0] != "---" or "---" not in lines[1:]:
        raise Failure(f"{name}:1: the front matter is missing: lines `key: value` between two lines `---`")
    end = lines.index("---", 1)
    front, limits = _front_matter(lines[1:end], name)
    parts: dict[str, list[str]] = {"": []}
    part = parts[""]
    for number, line in enumerate(lines[end + 1 :], end + 2):
        if line.startswith("## "):
            title = line[3:].strip()
            expected = f"Hint {len(parts) - (COUNTED in parts)}"
            known = title in (expected, "Afterwards") or (title == COUNTED and len(parts) == 1)
            if not known or "Afterwards" in parts:
                order = f"`## {COUNTED}`, if there is one, `## Hint 1`, `## Hint 2` … and last `## Afterwards`"
                raise Failure(f"{name}:{number}: after the task come {order}")
            part = parts.setdefault(title, [])
        else:
            part.append(line)
    texts = {title: "\n".join(body).strip() for title, body in parts.items()}
    for title, body in texts.items():
        if not body:
            raise Failure(f"{name}: {title or 'the task'} is empty")
    hints = [body for title, body in texts.items() if title.startswith("Hint")]
    if "Afterwards" not in texts or not hints:
        raise Failure(f"{name}: it needs `## Hint 1` and `## Afterwards`")
    return Task(front, limits, texts[""], texts.get(COUNTED, ""), hints, texts["Afterwards"])


def _front_matter(lines: Sequence[str], name: str) -> tuple[dict[str, str], list[Limit]]:
    front: dict[str, str] = {}
    limits: list[Limit] = []
    for number, line in enumerate(lines, 2):
        if line.startswith("  - ") and list(front)[-1:] == ["limits"]:
            limits.append(Limit.read(line[4:].strip(), f"{name}:{number}"))
            continue
        key, colon, value = line.partition(":")
        if not colon or key not in KEYS or key in front:
            raise Failure(f"{name}:{number}: expected one of the keys {', '.join(KEYS)}, each once, and a colon")
        front[key] = value.strip().removeprefix('"').removesuffix('"')
        _require_sense(key, front[key], f"{name}:{number}")
    if missing := [key for key in KEYS if key not in front and key not in OPTIONAL_KEYS]:
        raise Failure(f"{name}:1: the front matter lacks {', '.join(missing)}")
    return front, limits


def _require_sense(key: str, value: str, where: str) -> None:
    if key in ("minutes", "points") and not (value.isdigit() and int(value) > 0):
        raise Failure(f"{where}: {key} is a number")
    if key in CHOICES and value not in CHOICES[key]:
        raise Failure(f"{where}: {key} is one of {', '.join(CHOICES[key])}")
    if key != "limits" and not value:
        raise Failure(f"{where}: {key} is empty")


def wrong_entries(text: str, name: str) -> list[dict[str, str]]:
    """As wrong.toml has them."""
    try:
        entries: list[dict[str, str]] = tomllib.loads(text).get("wrong", [])
    except tomllib.TOMLDecodeError as error:
        raise Failure(f"{name}: {error}") from error
    return entries


def read_wrong(text: str, name: str, solution: str, folder: Path) -> list[Wrong]:
    """The wrong versions: each a change of the solution, or a file."""
    entries = wrong_entries(text, name)
    starts = [number for number, line in enumerate(text.splitlines(), 1) if line.strip() == "[[wrong]]"]
    versions = []
    for number, entry in zip(starts, entries, strict=True):
        where = f"{name}:{number}"
        for key in ("name", "caught_by", "says", "thinks"):
            if not isinstance(entry.get(key), str) or not entry[key]:
                raise Failure(f"{where}: a wrong version needs {key}")
        if entry["caught_by"] not in LAYERS:
            raise Failure(f"{where}: caught_by is one of {', '.join(LAYERS)}")
        asks = entry.get("asks", "")
        if not isinstance(asks, str) or (asks and not asks.endswith("?")):
            raise Failure(f"{where}: asks is a question, which ends with '?'")
        changed = _changed(entry, where, solution, folder)
        versions.append(Wrong(entry["name"], changed, entry["caught_by"], entry["says"], entry["thinks"], asks))
    return versions


def _changed(entry: Mapping[str, str], where: str, solution: str, folder: Path) -> str:
    if "file" in entry:
        path = folder / entry["file"]
        if not path.is_file():
            raise Failure(f"{where}: there is no file {entry['file']}")
        return path.read_text(encoding="utf-8")
    if "find" not in entry or "put" not in entry:
        raise Failure(f"{where}: a wrong version needs find and put, or a file")
    times = solution.count(entry["find"])
    if times != 1:
        raise Failure(f"{where}: find must match once in the solution and matches {times} times: {quoted(entry['find'])}")
    return solution.replace(entry["find"], entry["put"])

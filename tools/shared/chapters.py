"""Which chapters there are, and which ones the user means."""

import difflib
import os
import re
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from shared.console import EXIT_USAGE, Failure, quoted
from translating.templates import phrase

ROOT = Path(__file__).resolve().parents[2]  # the checkout that this lab belongs to
OWN = "my"  # the folder of the reader's own files
NOT_IN_GIT = ("build", OWN)
NAME = re.compile(r"(\d\d)_(\w+)")
STAGES = re.compile(r"\bSTAGES\((.*?)\);")
ENTRY = re.compile(r'\b\w*Stage(?:<\w+>)?(?: \w+)?(?:\{ ?)+(?:"(\w+)", )?"([^"]+)", (.*?)(?=, \w*Stage|\);|;)')
OF_CUDA = re.compile(r"COMPILE_LANGUAGE:CUDA>:([^>]*)>")
NO_STAGE = phrase("it has no stage, as it does not end with STAGES(): ./lab new stage shows how")
STAGE = re.compile(r"([a-z]?)(\d+)[a-z]?_\w+(?:/\w+)?")


def files(root: Path) -> Iterator[Path]:
    """All files of a checkout, but those that git does not know, and those in folders whose names begin with a dot."""
    for folder, folders, names in os.walk(root):
        top = Path(folder) == root
        folders[:] = [name for name in folders if not name.startswith(".") and not (top and name in NOT_IN_GIT)]
        yield from (Path(folder, name) for name in names)


def discover(root: Path) -> list[str]:
    """The folders NN_name that hold a CMakeLists.txt, in order."""
    return sorted(path.parent.name for path in root.glob("*/CMakeLists.txt") if NAME.fullmatch(path.parent.name))


def choose(root: Path, wanted: Sequence[str]) -> list[str]:
    """The chapters that the words name, in the chapters' own order; all of them for no words."""
    chapters = discover(root)
    if not wanted:
        return chapters
    chosen = {_find(chapters, word) for word in wanted}
    return [chapter for chapter in chapters if chapter in chosen]


def _find(chapters: Sequence[str], word: str) -> str:
    names = {name: chapter for chapter in chapters for name in _names(chapter)}
    key = word.rstrip("/").rpartition("/")[2].lower()  # a shell completes 03_vector_add/
    if key in names:
        return names[key]
    near = [] if key.isdigit() else difflib.get_close_matches(key, names, n=1)
    hint = f" (did you mean {names[near[0]]}?)" if near else ""
    raise Failure(f"there is no chapter '{quoted(word)}'{hint}; the chapters: {', '.join(chapters)}", EXIT_USAGE)


def _names(chapter: str) -> list[str]:
    """'03_vector_add' may also be called 'vector_add', '03' and '3'."""
    digits, _, name = chapter.partition("_")
    return [chapter, name, digits, str(number(chapter))]


def number(chapter: str) -> int:
    """The number of '03_vector_add' is 3."""
    return int(chapter.partition("_")[0])


def require_stage(root: Path, chapter: str, asked: str) -> None:
    """Refuses a stage that a chapter does not have. What its programs make of the rest is their own business."""
    names = stages(root, chapter)
    if names and asked != "library" and not any(may_mean(asked, name) for name in names):
        raise no_such_stage(chapter, asked, names)


def no_such_stage(chapter: str, asked: str, names: Sequence[str]) -> Failure:
    """What to tell somebody who asked for a stage that is none of these."""
    return Failure(f"there is no stage {quoted(asked)} in {chapter}; the stages: {', '.join(names)}", EXIT_USAGE)


def kernels_of(root: Path, chapter: str, stage: str) -> Path:
    """The file with a stage's kernels; refuses a stage of the host."""
    name = f"{stage.partition('/')[0]}.cu"
    path = own if (own := root / OWN / chapter / name) in _own_files(root, chapter) else root / chapter / name
    if path.with_suffix(".cpp").is_file():
        raise Failure(f"{path.stem} of {chapter} runs on the host and has no kernel", EXIT_USAGE)
    return path


def stages(root: Path, chapter: str) -> list[str]:
    """The stages of a chapter with their variants, in order, and the reader's own ones behind them."""
    files = [*_stage_files(root / chapter), *_own_files(root, chapter)]
    return [name for path in files for name in [entry.name for entry in entries(path)] or [path.stem]]


def require_own_folder(root: Path) -> None:
    """Makes the folder of the reader's own files; refuses one in which they cannot be."""
    folder = root / OWN
    with suppress(OSError):
        folder.mkdir()
    if folder.exists() and not folder.is_dir():
        raise Failure(f"{OWN} is no folder, and your files go there")
    if not os.access(folder, os.W_OK):
        raise Failure(f"{OWN}/ cannot be written, and your files go there; work in a copy of the course that belongs to you")


def own_stages(root: Path, chapter: str) -> list[str]:
    """The files that the reader has added to a chapter, without variants: mine for my/05_dot_product/mine.cu."""
    return [path.stem for path in _own_files(root, chapter)]


def without_stage(root: Path, chapter: str) -> list[str]:
    """Of these, those that say nothing to the chapter's program."""
    return [path.stem for path in _own_files(root, chapter) if "STAGES(" not in path.read_text("utf-8", "replace")]


def is_own(root: Path, chapter: str, asked: str) -> bool:
    """Whether that is a stage of the reader's."""
    return any(may_mean(asked.partition("/")[0], name) for name in own_stages(root, chapter))


def of_own_file(word: str | None, stage: str | None) -> tuple[str | None, str | None]:
    """The chapter and the stage where the word names the file of a reader's stage, my/05_dot_product/mine.cu; else both."""
    path = Path(word or "").resolve()
    is_own_file = stage is None and path.parent.parent == ROOT / OWN and path.parent.name in discover(ROOT)
    return (path.parent.name, path.stem) if is_own_file else (word, stage)


def has_stage(command: Sequence[str], chapter: str, asked: str) -> bool:
    """Whether a program of the chapter has that stage: its --help lists them."""
    listed = subprocess.run([*command, "--help"], capture_output=True, encoding="utf-8", check=False).stdout
    files = {name.partition("/")[0] for name in stages(ROOT, chapter) if may_mean(asked, name)}
    return any(re.search(rf"^  {file}\b", listed, re.MULTILINE) for file in files or {asked})


def nvcc_flags(root: Path, chapter: str) -> tuple[str, ...]:
    """nvcc's options that the chapter's CMakeLists.txt adds for kernels."""
    lists = root / chapter / "CMakeLists.txt"
    text = lists.read_text(encoding="utf-8") if chapter and lists.is_file() else ""
    return tuple(flag for flags in OF_CUDA.findall(text) for flag in flags.split(";") if flag.startswith("--"))


def _own_files(root: Path, chapter: str) -> list[Path]:
    """As common/chapter.cmake has it."""
    found = (root / OWN / chapter).glob("[a-z]*.c*")
    return sorted(path for path in found if re.fullmatch(r"[a-z]\w+\.(cu|cpp)", path.name))


@dataclass(frozen=True)
class Entry:
    """What a stage's file says at its end, in STAGES(): Stage{"padded", "a 17th column", padded, copy_engine} in 4_tiles.cu is
    4_tiles/padded. rest: what follows the idea, from the function's name on."""

    name: str
    idea: str
    rest: str


def entries(path: Path) -> list[Entry]:
    """The stage of a file and its variants. None where the chapter's program has no table of stages."""
    text = " ".join(path.read_text(encoding="utf-8").split())
    if not (end := STAGES.search(text)):
        return []
    of_type = re.search(r"<(\w+)>", end[1])  # the first one where they are templates
    typed = f"<{of_type[1]}>" if of_type else ""
    return [
        Entry(f"{path.stem}/{variant}" if variant else path.stem, idea, rest.replace("<T>", typed))
        for variant, idea, rest in ENTRY.findall(text)
    ]


def _stage_files(folder: Path) -> list[Path]:
    files = [*folder.glob("*.cu"), *folder.glob("*.cpp")]
    return sorted((path for path in files if STAGE.fullmatch(path.stem)), key=lambda path: _order(path.stem))


def _order(stage: str) -> tuple[str, int, str]:
    match = STAGE.fullmatch(stage)
    assert match
    return match[1], int(match[2]), stage


def may_mean(asked: str, stage: str) -> bool:
    """As common/stage.cpp has it: '4', '04', 'tiles' and '4_tiles' mean 4_tiles and its variants, '4/padded' a variant."""
    asked_file, slash, asked_variant = asked.partition("/")
    file, _, variant = stage.partition("/")
    number, _, words = file.partition("_")
    if len(asked_file) == 2:
        asked_file = asked_file.removeprefix("0")
    return asked_file in {file, number, words} and (not slash or asked_variant == variant != "")

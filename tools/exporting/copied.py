"""A stage's file under another name: what ./lab new begins with, and what students' stages are held against."""

import re
from functools import cache
from pathlib import Path

from shared import chapters
from shared.chapters import ROOT

OPENING = re.compile(r"\A(?://[^\n]*\n)+")
IDEA = "what it adds, in a line"
BEGUN = """\
// New here: the one idea of this file.
// What it should save: bytes, atomics, barriers, instructions.
// What remains: the next limit.
"""
WORD = re.compile(r"[A-Za-z_]\w*")
# A definition that other files may call, or that one in another file may not be called by the same name.
DEFINED = re.compile(
    r"^(?!static |constexpr |struct |template |namespace |using |STAGES)\w[\w:<>*& ]*? \*?(\w+)\(", re.MULTILINE
)


@cache
def sources(chapter: str) -> dict[str, Path]:
    """The last stage of each of a chapter's ladders that can be copied: of the main one by '', of t1, t2, … by 't'."""
    paths = [ROOT / chapter / f"{name}.cu" for name in chapters.stages(ROOT, chapter) if chapters.STAGE.fullmatch(name)]
    found = [path for path in paths if path.is_file() and chapters.entries(path) and not defined_for_others(path)]
    return {path.stem[0] if path.stem[0].isalpha() else "": path for path in found}


def defined_for_others(path: Path) -> list[str]:
    """What the file defines for others, besides what its stages are made of."""
    own = {word for entry in chapters.entries(path) for word in WORD.findall(entry.rest)}
    return [name for name in defined(path) if name not in own]


def defined(path: Path) -> list[str]:
    return DEFINED.findall(path.read_text(encoding="utf-8").rpartition("}  // namespace\n")[2])


def copy_of(source: Path, path: Path, name: str) -> str:
    """The text of the new file. What the other one defines for its stages and their variants has other names in it."""
    text = OPENING.sub(BEGUN, source.read_text(encoding="utf-8"), count=1).replace(f'"{source.stem}"', f'"{path.stem}"')
    own = {*defined(source), *re.findall(r"constexpr \w*Stage<T> (\w+)", text)}
    for entry in chapters.entries(source):
        function, *others = WORD.findall(entry.rest)
        variant = entry.name.partition("/")[2]
        new = f"{name}_{variant}" if variant else name
        for word in (function, *(other for other in others if other in own and other != "roundings")):
            renamed = new if word == function else word.replace(function, new) if function in word else f"{new}_{word}"
            text = re.sub(rf'(?<!")\b{word}\b(?!")', renamed, text)
    return re.sub(r'(Stage(?:<\w+>)?(?: \w+)?\{+\s*)"[^"]*"', rf'\1"{IDEA}"', text, count=1)

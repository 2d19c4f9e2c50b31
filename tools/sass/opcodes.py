"""What instructions mean: their kind, the bytes they move, and a sentence about each."""

import tomllib
from collections.abc import Iterator
from pathlib import Path

from sass.listing import Instruction
from sass.said import Said, say

TABLES = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
KINDS: dict[str, str] = TABLES["kinds"]
EXPLAINED: dict[str, tuple[str, str]] = {
    base: (kind, says) for kind, of_kind in TABLES["instructions"].items() for base, says in of_kind.items()
}
MOVES = ("LD", "ST", "ATOM", "RED")  # how the names of what moves bytes for each lane begin
MOVES_NOT = ("REDUX", "LDGDEPBAR", "LDTRAM", "STP")
WIDTHS = {"8": 1, "U8": 1, "S8": 1, "U16": 2, "S16": 2, "16": 2, "64": 8, "S64": 8, "U64": 8, "128": 16, "256": 32, "F64": 8}


def kind(one: Instruction) -> str:
    """One of KINDS."""
    return EXPLAINED.get(one.base, ("other", ""))[0]


def width(one: Instruction) -> int:
    """The bytes that it moves between memory and a lane; 0 where it moves none."""
    if not one.base.startswith((*MOVES, "ULDC")) or one.base in MOVES_NOT:
        return 0
    if one.base in ("LDSM", "STSM"):
        return 4 * next((int(word) for word in one.modifiers if word in ("2", "4")), 1)
    return next((WIDTHS[word] for word in one.modifiers if word in WIDTHS), 4)


def explanation(opcode: str) -> Iterator[Said]:
    """'loads from global memory into registers', 'E: 64-bit address', '128: 16 bytes a lane'"""
    base, *modifiers = opcode.split(".")
    kind_of, says = EXPLAINED.get(base, ("", TABLES["unexplained"]))
    yield say(says)
    meanings: dict[str, str] = dict(TABLES["modifiers"])
    if base.startswith((*MOVES, "ULDC")) and base not in MOVES_NOT:
        meanings |= TABLES["widths_of_constants" if kind_of == "constant" else "widths"]
    meanings |= TABLES["modifiers_of"].get(base, {})
    for word in dict.fromkeys(modifiers):
        if word in meanings:
            yield say("{1}: {2}", word, say(meanings[word]))

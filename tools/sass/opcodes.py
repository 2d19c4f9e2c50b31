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
NAMES_OF_WIDTHS = {1: "8 U8 S8", 2: "16 U16 S16", 4: "32", 8: "64 U64 S64 F64", 16: "128", 32: "256"}
WIDTHS = {name: width for width, names in NAMES_OF_WIDTHS.items() for name in names.split()}
SIZES = ("16 × 8 × 4", "16 × 8 × 8", "16 × 8 × 16", "16 × 8 × 32", "16 × 8 × 64", "16 × 8 × 128", "16 × 8 × 256")
MATRICES = {size.replace(" × ", ""): size for size in (*SIZES, "8 × 8 × 4", "8 × 8 × 16", "8 × 8 × 32", "8 × 8 × 128")}


def kind(one: Instruction) -> str:
    """One of KINDS."""
    return EXPLAINED.get(_of_lanes(one.base), ("other", ""))[0]


def _of_lanes(base: str) -> str:
    """IADD3 for UIADD3, which does the same once for the warp."""
    return base if base in EXPLAINED else base.removeprefix("U")


def width(one: Instruction) -> int:
    """The bytes that it moves between memory and a lane; 0 where it moves none."""
    if not one.base.startswith((*MOVES, "ULDC")) or one.base in MOVES_NOT:
        return 0
    if one.base in ("LDSM", "STSM"):
        return 4 * next((int(word) for word in one.modifiers if word in ("2", "4")), 1)
    return next((WIDTHS[word] for word in one.modifiers if word in WIDTHS), 4)


def explanation(opcode: str) -> Iterator[Said]:
    """'loads from global memory into registers', 'E: 64-bit address', '128: 16 B a lane'"""
    base, *modifiers = opcode.split(".")
    of_lanes = _of_lanes(base)
    kind_of, says = EXPLAINED.get(of_lanes, ("", TABLES["unexplained"]))
    yield say(says)
    if of_lanes != base and of_lanes in EXPLAINED:
        yield say("{1}: {2}", base[0], say(TABLES["uniform"]))
    moves = base.startswith((*MOVES, "ULDC")) and base not in MOVES_NOT
    meanings: dict[str, str] = TABLES["modifiers"] | TABLES["modifiers_of"].get(of_lanes, {})
    for word in dict.fromkeys(modifiers):
        if word in meanings:
            yield say("{1}: {2}", word, say(meanings[word]))
        elif word in MATRICES:
            yield say("{1}: {2}", word, say("matrices of {1}", MATRICES[word]))
        elif moves and word in WIDTHS:
            moved = say("{1} B" if kind_of == "constant" else "{1} B a lane", WIDTHS[word])
            yield say("{1}: {2}", word, say("{1}, with its sign", moved) if word[0] == "S" else moved)

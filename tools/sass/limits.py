"""What a multiprocessor holds, by compute capability. NVIDIA: CUDA C++ Programming Guide, "Technical Specifications per
Compute Capability", and the toolkit's own cuda_occupancy.h."""

import re
from dataclasses import dataclass

from shared.console import EXIT_USAGE, Failure, quoted

WARP = 32  # threads
MOST_THREADS = 1024  # of a block
REGISTERS = 65536  # of a multiprocessor, and the most that a block may have
REGISTERS_AT_ONCE = 256  # a warp gets a multiple of this
PARTS = 4  # of a multiprocessor, each with its own registers: a warp has all of its in one
KIB = 1024


@dataclass(frozen=True)
class Limits:
    """shared: bytes of a multiprocessor. reserved: what CUDA takes of them for each block. barriers: of a
    multiprocessor; 0: they never limit."""

    example: str
    warps: int
    blocks: int
    shared: int
    reserved: int
    shared_at_once: int
    barriers: int

    @property
    def shared_of_block(self) -> int:
        """The most that one block may have, on request."""
        return self.shared - self.reserved


def _limits(example: str, warps: int, blocks: int, shared_kib: int, barriers_per_block: int = 0) -> Limits:
    return Limits(example, warps, blocks, shared_kib * KIB, KIB, 128, barriers_per_block * blocks)


OF = {
    75: Limits("T4, RTX 2080", 32, 16, 64 * KIB, 0, 256, 0),
    80: _limits("A100", 64, 32, 164),
    86: _limits("A10, RTX 3090", 48, 16, 100),
    87: _limits("Jetson Orin", 48, 16, 164),
    88: _limits("", 48, 16, 100),
    89: _limits("L4, L40, RTX 4090", 48, 24, 100),
    90: _limits("H100, H200", 64, 32, 228, 2),
    100: _limits("B200", 64, 32, 228, 2),
    103: _limits("B300", 64, 32, 228, 2),
    110: _limits("Jetson Thor", 48, 24, 228, 1),
    120: _limits("RTX 5090", 48, 24, 100, 1),
    121: _limits("DGX Spark", 48, 24, 100, 1),
}
NAME = re.compile(r"(?:sm_|compute_)?(\d+)\.?(\d)([af]?)", re.IGNORECASE)


def named(word: str) -> str:
    """'sm_90' for 'sm_90', '90' and '9.0'; sm_90a is an architecture, too."""
    match = NAME.fullmatch(word)
    if not match or int(match[1] + match[2]) not in OF:
        known = ", ".join(f"sm_{number}" for number in OF)
        raise Failure(f"unknown architecture '{quoted(word)}'; known are {known}", EXIT_USAGE)
    return f"sm_{match[1]}{match[2]}{match[3].lower()}"


def of(arch: str) -> Limits:
    """Those of 'sm_90' or 'sm_90a'."""
    return OF[int(arch.removeprefix("sm_").rstrip("af"))]


def in_words(arch: str) -> str:
    """'sm_90 (H100, H200)'"""
    example = of(arch).example
    return f"{arch} ({example})" if example else arch

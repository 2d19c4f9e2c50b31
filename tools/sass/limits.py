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
    """shared: bytes of a multiprocessor. barriers: of a multiprocessor; 0: they never limit. reserved: what CUDA takes of the
    shared memory for each block."""

    example: str
    warps: int
    blocks: int
    shared: int
    barriers: int = 0
    reserved: int = KIB
    shared_at_once: int = 128

    @property
    def shared_of_block(self) -> int:
        """The most that one block may have, on request."""
        return self.shared - self.reserved


OF = {
    75: Limits("T4, RTX 2080", 32, 16, 64 * KIB, reserved=0, shared_at_once=256),
    80: Limits("A100", 64, 32, 164 * KIB),
    86: Limits("A10, RTX 3090", 48, 16, 100 * KIB),
    87: Limits("Jetson Orin", 48, 16, 164 * KIB),
    88: Limits("", 48, 16, 100 * KIB),
    89: Limits("L4, L40, RTX 4090", 48, 24, 100 * KIB),
    90: Limits("H100, H200", 64, 32, 228 * KIB, barriers=64),
    100: Limits("B200", 64, 32, 228 * KIB, barriers=64),
    103: Limits("B300", 64, 32, 228 * KIB, barriers=64),
    110: Limits("Jetson Thor", 48, 24, 228 * KIB, barriers=24),
    120: Limits("RTX 5090", 48, 24, 100 * KIB, barriers=24),
    121: Limits("DGX Spark", 48, 24, 100 * KIB, barriers=24),
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

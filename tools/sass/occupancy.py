"""How many blocks of a kernel a multiprocessor holds at a time, and what limits them. This follows NVIDIA's
cuda_occupancy.h; tests/tools/sass_test.py compares the two."""

from dataclasses import dataclass

from sass import limits
from sass.limits import MOST_THREADS, PARTS, REGISTERS, REGISTERS_AT_ONCE, WARP
from shared.console import counted


@dataclass(frozen=True)
class Use:
    """What a kernel takes. registers: of a thread. shared: bytes of a block, without what the launch asks for.
    spill_stores, spill_loads: bytes of a thread. stack: bytes of a thread in local memory, spills included."""

    registers: int
    shared: int = 0
    barriers: int = 0
    spill_stores: int = 0
    spill_loads: int = 0
    stack: int = 0


@dataclass(frozen=True)
class Occupancy:
    """blocks: on a multiprocessor. limited_by: the resources that allow no more. allows: the blocks by resource."""

    threads: int
    blocks: int
    warps: int
    most_warps: int
    limited_by: tuple[str, ...]
    allows: dict[str, int]

    @property
    def percent(self) -> float:
        return 100 * self.warps / self.most_warps


def resident(arch: str, use: Use, threads: int, dynamic_shared: int = 0) -> Occupancy:
    """The blocks of that many threads. dynamic_shared: what the launch asks for, in bytes of a block."""
    of = limits.of(arch)
    warps = -(-threads // WARP)
    allows = {
        "registers": _by_registers(use.registers, warps),
        "warps": of.warps // warps if threads <= MOST_THREADS else 0,
        "blocks": of.blocks,
    }
    if shared := round_up(use.shared + dynamic_shared + of.reserved, of.shared_at_once):
        allows["shared memory"] = of.shared // shared if shared <= of.shared else 0
    if of.barriers and use.barriers:
        allows["barriers"] = of.barriers // use.barriers
    blocks = min(allows.values())
    limited_by = tuple(what for what, most in allows.items() if most == blocks)
    return Occupancy(threads, blocks, blocks * warps, of.warps, limited_by, allows)


def _by_registers(registers: int, warps: int) -> int:
    of_warp = round_up(registers * WARP, REGISTERS_AT_ONCE)
    if of_warp * round_up(warps, PARTS) > REGISTERS:
        return 0
    return REGISTERS // PARTS // of_warp * PARTS // warps


def round_up(n: int, multiple: int) -> int:
    return -(-n // multiple) * multiple


def in_words(it: Occupancy) -> str:
    """'8 blocks, 64 of 64 warps (100 %); limited by registers and warps'"""
    by = " and ".join(it.limited_by)
    if not it.blocks:
        return f"no block fits: too much of {by} for one"
    return f"{counted(it.blocks, 'block')}, {it.warps} of {it.most_warps} warps ({it.percent:.0f} %), limited by {by}"

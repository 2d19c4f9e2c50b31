"""The terminal's listing: source lines, and below each its instructions, in the order of the machine code."""

from collections import Counter
from collections.abc import Iterator, Sequence

from sass import limits, view
from sass.occupancy import in_words
from sass.opcodes import KINDS, explanation
from sass.said import Said, say
from sass.view import Kernel, Line, Unit
from shared import console
from shared.console import counted

NOTES = 62  # the column in which notes begin
MEANINGS = 30  # the column in which explanations of names begin
SHORT = 3  # the fewest instructions of a loop that is worth a line about it


def written(it: Unit) -> str:
    """The whole listing."""
    lines = [f"{it.title} for {limits.in_words(it.arch)}, made by CUDA {it.cuda}: {it.command}"]
    for kernel in it.kernels:
        lines += ["", *(console.wrapped(line, "    ") for line in head(kernel, it.arch)), "", *_code(kernel, it)]
    used = sorted({line.it.opcode for kernel in it.kernels for line in kernel.code})
    meanings = (f"  {opcode:{MEANINGS - 2}}{'; '.join(map(str, explanation(opcode)))}" for opcode in used)
    lines += ["", "What they mean", *(console.wrapped(line, " " * MEANINGS) for line in meanings)]
    return "\n".join(lines) + "\n"


def head(kernel: Kernel, arch: str) -> Iterator[str]:
    """What it takes, and what that allows."""
    if not kernel.is_kernel:
        yield f"{kernel.full}: a function that kernels call, {counted(len(kernel.code), 'instruction')}"
        return
    use = kernel.use
    yield f"{kernel.full}"
    yield f"  {counted(len(kernel.code), 'instruction')}: {in_kinds(kernel.code)}"
    yield f"  {use.registers} registers a thread, {use.shared} bytes of shared memory a block, {spills(kernel)}"
    yield f"  {occupancy(kernel, arch)}"
    for loop in kernel.loops:
        if len(loop.body) >= SHORT:
            yield f"  {about_loop(kernel, kernel.body(loop), loop.depth)}"


def spills(kernel: Kernel) -> Said:
    use = kernel.use
    if use.spill_stores or use.spill_loads:
        return say("SPILLS: {1} bytes stored and {2} loaded a thread", use.spill_stores, use.spill_loads)
    return say("no spills, {1} bytes of local memory", use.stack) if use.stack else say("no spills")


def occupancy(kernel: Kernel, arch: str) -> str:
    """'256 threads a block (as the file launches it): 8 blocks, 64 of 64 warps (100 %), limited by warps'"""
    launch = kernel.launch
    more = f" and {launch.shared} bytes more of shared memory" if launch.shared else ""
    unknown = "; the launch adds shared memory: --shared BYTES says how much" if launch.shared is None else ""
    threads, says = counted(launch.threads, "thread"), in_words(kernel.occupancy(arch))
    return f"on a multiprocessor, with {threads} a block{more} ({launch.origin}): {says}{unknown}"


def about_loop(kernel: Kernel, body: Sequence[Line], depth: int) -> str:
    """'loop 0160–0230 (depth 1): 14 instructions: global memory 2, …; up to 4 global loads under way at a time'"""
    first, last = body[0].it.address, body[-1].it.address
    loads = "".join(f"; {each}" for each in view.in_flight(body))
    return f"loop {first:04x}–{last:04x} (depth {depth}): {counted(len(body), 'instruction')}: {in_kinds(body)}{loads}"


def in_kinds(lines: Sequence[Line]) -> str:
    found = Counter(line.kind for line in lines)
    return ", ".join(f"{name} {found[kind]}" for kind, name in KINDS.items() if found[kind])


def _code(kernel: Kernel, it: Unit) -> Iterator[str]:
    rails = max(len(line.rail) for line in kernel.code)
    place = None
    for line in kernel.code:
        if line.places and line.places[0] != place:
            place = line.places[0]
            file, number = place
            where = f"{number:5}" if file == next(iter(it.files)) else f"{file}:{number}"
            yield f"{where}  {it.files[file][number - 1].strip()}"
        yield instruction(line, rails)


def instruction(line: Line, rails: int) -> str:
    """'    │ 01c0       LDG.E R5, desc[UR6][R4.64]                    4 B a lane'"""
    one = line.it
    shown = f"      {line.rail:{rails}} {one.address:04x} {one.predicate:>5} {one.opcode} {line.operands}"
    return f"{shown:{NOTES}} {line.note}".rstrip()

"""Inline PTX.

`asm("mov.u32 %0, %%laneid;" : "=r"(x))` becomes `(x) = ::emulator::ptx::laneid()`. The instructions of ptx_instructions
become calls in a lambda, so that the statement's operands are evaluated once: `asm("ldmatrix... {%0}, [%1];" : "=r"(x) :
"r"(y))` becomes `[](auto&& operand_0, auto&& operand_1) { ldmatrix<1, false>({operand_0}, operand_1); }(variable<'r'>(x),
value<'r'>(y))`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..edits import Edit
from .asm_statement import read_asm
from .ptx_instructions import call_for

if TYPE_CHECKING:
    from ..edits import Piece
    from ..parsed_file import ParsedFile
    from ..token_stream import TokenStream
    from .asm_statement import AsmStatement


# What the emulator has besides: a statement that reads one of these registers, or does one of these things.
PTX_REGISTERS = {
    **{
        f"{register}.{axis}": f"{variable}.{axis}"
        for axis in "xyz"
        for register, variable in (
            ("tid", "::threadIdx"),
            ("ntid", "::blockDim"),
            ("ctaid", "::blockIdx"),
            ("nctaid", "::gridDim"),
        )
    },
    **{
        name: f"::emulator::ptx::{name}()"
        for name in (
            "laneid",
            "warpid",
            "nwarpid",
            "smid",
            "nsmid",
            "lanemask_eq",
            "lanemask_lt",
            "lanemask_le",
            "lanemask_gt",
            "lanemask_ge",
            "globaltimer",
            "globaltimer_lo",
            "clock",
            "clock64",
        )
    },
}
PTX_STATEMENTS = {
    "bar.sync 0": "::__syncthreads()",
    "barrier.sync 0": "::__syncthreads()",
    "trap": "::__trap()",
    "membar.cta": "::__threadfence_block()",
    "membar.gl": "::__threadfence()",
    "membar.sys": "::__threadfence_system()",
}
PTX = re.compile(r"\.(?:[usbf](?:8|16|32|64)|pred|sync|async|global|shared)\b|%(?:laneid|smid|warpid|globaltimer|lanemask)")
CONSTRAINTS = {True: "rlfd", False: "rhlfdn"}  # of operands that are written, and of the others


def rewrite_ptx(file: ParsedFile, stream: TokenStream, i: int) -> str | None:
    """Rewrites the statement whose asm stands at i. Returns None, or the first instruction that the emulator has not."""
    asm = read_asm(stream, i)
    if asm is None:
        return "a statement with other text or operands"
    if not asm.instructions and not any(operand.written for operand in asm.operands):
        return None  # tells the compiler only that memory may have changed, and any compiler takes it
    pieces = _register_read(stream, asm) or _statement(asm)
    if pieces is None:
        calls: list[str] = []
        for instruction in asm.instructions:
            call = call_for(instruction)
            if call is None:
                return instruction
            calls.append(call)
        if not calls:
            return "a statement without instructions"
        pieces = _lambda(stream, asm, calls)
        if pieces is None:
            return asm.instructions[0]
    file.edits.append(Edit(stream.tokens[i].start, stream.tokens[asm.end].end, pieces))
    return None


def _register_read(stream: TokenStream, asm: AsmStatement) -> list[Piece] | None:
    if len(asm.instructions) != 1 or [(each.written, each.constraint in "rl") for each in asm.operands] != [(True, True)]:
        return None
    read = re.fullmatch(r"mov\.[usb](?:32|64) %0 ?, ?%([\w.]+)", asm.instructions[0])
    if read is None or read[1] not in PTX_REGISTERS:
        return None
    return [stream.span(asm.operands[0].first - 1, asm.operands[0].end + 1), f" = {PTX_REGISTERS[read[1]]}"]


def _statement(asm: AsmStatement) -> list[Piece] | None:
    name = asm.instructions[0] if len(asm.instructions) == 1 and not asm.operands else None
    return [PTX_STATEMENTS[name]] if name in PTX_STATEMENTS else None


def _lambda(stream: TokenStream, asm: AsmStatement, calls: list[str]) -> list[Piece] | None:
    """None if an operand is missing, has another constraint, or is written by an instruction and not by the statement."""
    body = "; ".join(calls)
    numbers = {int(number) for number in re.findall(r"%(\d+)", body)}
    if (
        any(operand.constraint not in CONSTRAINTS[operand.written] for operand in asm.operands)
        or not numbers <= set(range(len(asm.operands)))
        or not _written(asm, calls)
    ):
        return None
    parameters = ", ".join(f"[[maybe_unused]] auto&& operand_{n}" for n in range(len(asm.operands)))
    body = re.sub(r"%(\d+)", r"operand_\1", body)
    pieces: list[Piece] = [f"[]({parameters}) __attribute__((always_inline)) {{ {body}; }}("]
    for n, operand in enumerate(asm.operands):
        wrapper = "variable" if operand.written else "value"
        pieces += [
            ", " if n else "",
            f"::emulator::ptx::{wrapper}<'{operand.constraint}'>(",
            stream.span(operand.first, operand.end),
            ")",
        ]
    return [*pieces, ")"]


def _written(asm: AsmStatement, calls: list[str]) -> bool:
    """Is what each call writes, its first list behind the product, an operand that the statement writes?"""
    for call in calls:
        lists = re.findall(r"\{(%[^{}]*)\}", call)
        if any(not asm.operands[int(number)].written for number in re.findall(r"%(\d+)", lists[0] if lists else "")):
            return False
    return True

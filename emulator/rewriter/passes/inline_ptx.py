"""Inline PTX.

`asm("mov.u32 %0, %%laneid;" : "=r"(x))` becomes `(x) = ::emulator::ptx::laneid()`. The instructions of ptx_instructions
become calls in a lambda, so that the statement's operands are evaluated once: `asm("ldmatrix... {%0}, [%1];" : "=r"(x) :
"r"(y))` becomes `[](auto&& operand_0, auto&& operand_1) { ldmatrix<1, false>({operand_0}, operand_1); }(variable<'r'>(x),
value<'r'>(y))`.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from ..edits import Edit, Span
from ..unsupported import INLINE_PTX
from .asm_statement import read_asm
from .ptx_forms import REGISTERS
from .ptx_instructions import call_for
from .ptx_macros import MacroPtx, choice, unknown

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..edits import Piece
    from ..parsed_file import ParsedFile
    from ..token_stream import TokenStream
    from .asm_statement import AsmStatement
    from .ptx_macros import MacroTexts, Place


# What is another word for one of CUDA's own functions.
PTX_STATEMENTS = {
    "bar.sync 0": "::__syncthreads()",
    "barrier.sync 0": "::__syncthreads()",
    "trap": "::__trap()",
    "membar.cta": "::__threadfence_block()",
    "membar.gl": "::__threadfence()",
    "membar.sys": "::__threadfence_system()",
}
PTX = re.compile(r"\.(?:[usbf](?:8|16|32|64)|pred|sync|async|global|shared)\b|%(?:laneid|smid|warpid|globaltimer|lanemask)")
CONSTRAINTS = {True: "hrlfd", False: "hrlfdn"}  # of operands that are written, and of the others


def rewrite_ptx(file: ParsedFile, stream: TokenStream, i: int, in_device: bool) -> str | None:
    """Rewrites the statement whose asm stands at i. Returns None, or the first instruction that the emulator has not.
    Macros in its text wait for finish_ptx()."""
    asm = read_asm(stream, i, file.symbols.called_macros)
    if isinstance(asm, str):
        return asm
    if asm.has_macros or asm.in_macros:
        file.later.append(MacroPtx((file, stream, i), asm, in_device))
        return None
    if asm.branches:
        return _conditional(file, stream, i, asm)
    if not asm.instructions and not any(operand.written for operand in asm.operands):
        return None  # tells the compiler only that memory may have changed, and any compiler takes it
    pieces = _register_read(asm) or _statement(asm)
    if pieces is None:
        text, refused = _calls(asm, asm.instructions)
        if refused is not None:
            return refused
        pieces = _lambda(asm, [text])
    file.edits.append(Edit(stream.tokens[i].start, stream.tokens[asm.end].end, pieces))
    return None


def finish_ptx(statement: MacroPtx, macros: MacroTexts, refuse: Callable[[Place, str], None]) -> None:
    """Rewrites a statement with macros in its text, when all files are read. It stays as it is if it does not look like
    PTX: the host may have asm, too."""
    (file, stream, i), asm = statement.place, statement.asm
    if asm.in_macros:
        operands = macros.operands_of(statement)
        if isinstance(operands, str):
            if statement.in_device:
                refuse(statement.place, f"not supported: {INLINE_PTX}: {operands}")
            return
        asm = replace(asm, operands=operands, in_macros=[])
        if not asm.has_macros:
            text, refused = _calls(asm, asm.instructions)
            if refused is None:
                file.edits.append(Edit(stream.tokens[i].start, stream.tokens[asm.end].end, _lambda(asm, [text])))
            elif statement.in_device:
                refuse(statement.place, f"not supported: {INLINE_PTX}: {refused}")
            return
    candidates, strange = macros.of(statement)
    made = [(each, *_calls(asm, each.instructions, f"label_{n}_")) for n, each in enumerate(candidates)]
    if not statement.in_device and not any(refused is None or PTX.search(each.literals) for each, _, refused in made):
        return
    for candidate, _, refused in made:
        for place in candidate.places if refused is not None else ():
            refuse(place, f"not supported: {INLINE_PTX}: {refused}")
    if stream.macro is None and all(refused is not None for _, _, refused in made):
        refuse(statement.place, f"not supported: {INLINE_PTX}: {made[0][2] if made else unknown(strange)}")
    pieces = _lambda(asm, choice(asm, stream, made, strange), chooses=True)
    file.edits.append(Edit(stream.tokens[i].start, stream.tokens[asm.end].end, pieces))


def _conditional(file: ParsedFile, stream: TokenStream, i: int, asm: AsmStatement) -> str | None:
    """As rewrite_ptx(), of a text with an #if: the directives stand in the lambda."""
    pieces: list[Piece] = []
    for directive, instructions in asm.branches:
        text, refused = _calls(asm, instructions)
        if refused is not None:
            return refused
        has_else = any(each.name == "else" for each, _ in asm.branches)
        if directive.name == "endif":
            pieces += [] if has_else else ["\n#else\n", text]
        pieces += ["\n", Span(directive.start, directive.end), "\n"]
        if directive.name != "endif":
            pieces.append(text)
    file.edits.append(Edit(stream.tokens[i].start, stream.tokens[asm.end].end, _lambda(asm, pieces)))
    return None


def _calls(asm: AsmStatement, instructions: list[str], label: str = "label_") -> tuple[str, str | None]:
    """What the instructions become, and the first one that the emulator has not. `label` begins the names of labels."""
    body = Body(len(asm.operands), label)
    for instruction in instructions:
        if not body.add(instruction):
            return "", instruction
    if body.branches:
        return "", f"bra {min(body.branches)}"
    if not body.calls:
        needed = any(not operand.read for operand in asm.operands)
        return ("", "a statement without instructions") if needed else ('asm volatile("" ::: "memory"); ', None)
    text = _checked(asm, body)
    return ("", instructions[0]) if text is None else (text, None)


def _register_read(asm: AsmStatement) -> list[Piece] | None:
    if len(asm.instructions) != 1 or [(each.written, each.constraint in ("r", "l")) for each in asm.operands] != [(True, True)]:
        return None
    read = re.fullmatch(r"mov\.[usb](?:32|64) %0 ?, ?%([\w.]+)", asm.instructions[0])
    if read is None or read[1] not in REGISTERS:
        return None
    return ["(", asm.operands[0].expression, f") = {REGISTERS[read[1]]}"]


def _statement(asm: AsmStatement) -> list[Piece] | None:
    name = asm.instructions[0] if len(asm.instructions) == 1 and not asm.operands else None
    return [PTX_STATEMENTS[name]] if name in PTX_STATEMENTS else None


class Body:
    """The calls that a statement becomes. Registers that it declares have the numbers behind its operands'."""

    def __init__(self, operands: int, label: str) -> None:
        self.operands, self.registers, self.label = operands, operands, label
        self.calls: list[str] = []
        self.written: set[int] = set()
        self.scopes: list[dict[str, int]] = [{}]
        self.carry = False  # whether some instruction has set it
        self.labels: set[str] = set()
        self.branches: set[str] = set()  # to labels that have not come yet

    def add(self, instruction: str) -> bool:
        """False if the emulator does not have it."""
        if label := re.match(r"([A-Za-z_$][\w$]*) ?:(?!:) ?", instruction):
            self.labels.add(label[1])
            self.branches.discard(label[1])
            self.calls.append(f"{self.label}{label[1]}: __attribute__((unused))")
            instruction = instruction[label.end() :]
        if instruction == "":
            return True
        if instruction == "{":
            self.scopes.append({})
        elif instruction == "}":
            if len(self.scopes) == 1:
                return False
            self.scopes.pop()
        elif declared := re.fullmatch(r"\.reg ?\.(?:pred|[bsuf](?:8|16|32|64)) (.*)", instruction):
            return self._declare(declared[1])
        else:
            return self._call(instruction)
        return True

    def _declare(self, names: str) -> bool:
        for name in names.split(","):
            each = re.fullmatch(r" ?(%?[A-Za-z_$][\w$]*) ?(?:<(\d{1,3})>)? ?", name)
            if each is None:
                return False
            for declared in [each[1]] if each[2] is None else [f"{each[1]}{n}" for n in range(int(each[2]))]:
                self.scopes[-1][declared] = self.registers
                self.registers += 1
        return True

    def _call(self, instruction: str) -> bool:
        guard = re.fullmatch(r"@ ?(!?) ?(%?[A-Za-z_$][\w$]*) (.*)", instruction)
        condition = None
        if guard:
            condition, instruction = self._number(guard[2]), guard[3]
            if condition is None:
                return False
        opcode, _, operands = instruction.partition(" ")
        if opcode in ("bra", "bra.uni") and re.fullmatch(r"[A-Za-z_$][\w$]*", operands):
            self.branches |= {operands} - self.labels
            return self._append(f"goto {self.label}{operands}", guard, condition)
        found = call_for(f"{opcode} {self._numbered(operands)}".strip())
        if found is None or re.match(r"(?:add|sub|mad)c\.", opcode) and not self.carry:
            return False
        call, written = found
        self.carry |= ".cc." in opcode
        self.written |= {int(each[1:]) for each in written}
        return self._append(call, guard, condition)

    def _append(self, call: str, guard: re.Match[str] | None, condition: str | None) -> bool:
        self.calls.append(
            call if condition is None else f"if ({condition} {'=' if guard and guard[1] else '!'}= 0) {{ {call}; }}"
        )
        return True

    def _number(self, name: str) -> str | None:
        return next((f"%{scope[name]}" for scope in reversed(self.scopes) if name in scope), None)

    def _numbered(self, operands: str) -> str:
        return re.sub(r"(?<![\w.%$])%?[A-Za-z_$][\w$]*", lambda name: self._number(name[0]) or name[0], operands)

    def text(self) -> str:
        declared = [f"[[maybe_unused]] ::emulator::ptx::Register %{n}" for n in range(self.operands, self.registers)]
        if self.carry:
            declared.append("[[maybe_unused]] unsigned carry = 0")
        return "; ".join([*declared, *self.calls])


def _checked(asm: AsmStatement, body: Body) -> str | None:
    """None if an operand is missing, has another constraint, or is written by an instruction and not by the statement."""
    text = body.text()
    numbers = {int(number) for number in re.findall(r"%(\d+)", text)}
    if (
        any(operand.constraint and operand.constraint not in CONSTRAINTS[operand.written] for operand in asm.operands)
        or not numbers <= set(range(body.registers))
        or not all(asm.operands[n].written for n in body.written if n < len(asm.operands))
    ):
        return None
    return re.sub(r"%(\d+)", r"operand_\1", text) + "; "


def _lambda(asm: AsmStatement, body: list[Piece], chooses: bool = False) -> list[Piece]:
    """`chooses`: it has a parameter more, `unknown`, on whose type an error can depend. It stands in parentheses, since a
    statement may be an argument of a macro, and a comma between < and > would make two of it."""
    names = ["auto unknown"] * chooses + [f"auto&& operand_{n}" for n in range(len(asm.operands))]
    parameters = ", ".join(f"[[maybe_unused]] {name}" for name in names)
    pieces: list[Piece] = [f"([]({parameters}) __attribute__((always_inline)) {{ ", *body, "}(", "0" * chooses]
    for n, operand in enumerate(asm.operands):
        wrapper = "variable" if operand.written else "value"
        named: list[Piece] = [f"'{operand.constraint}'"]
        if not operand.constraint:
            named = ["(", operand.named, f")[{int(operand.written)}]"]
        pieces += [
            ", " if n or chooses else "",
            f"::emulator::ptx::{wrapper}<",
            *named,
            ">(",
            operand.expression,
            ")",
        ]
    return [*pieces, "))"]

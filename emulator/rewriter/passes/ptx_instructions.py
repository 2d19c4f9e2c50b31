"""The instructions of inline PTX that become calls of functions (include/emulator/ptx_instructions.h).

An operand is a number, `%0`, `{%0, %1}`, `[%0]` or `[%0 + 16]`. Those here have rules of their own for their operands; the
others are a table, in ptx_forms.
"""

from __future__ import annotations

import re

from .ptx_forms import call_for_form, split_operands

# Matrix products: elements of A and B -> (their bits, those of the sums, the shapes)
SHAPES_OF_16_BITS = ("m16n8k8", "m16n8k16")
SHAPES_OF_BYTES = ("m8n8k16", "m16n8k16", "m16n8k32")
SHAPES_OF_NIBBLES = ("m8n8k32", "m16n8k32", "m16n8k64")
PRODUCTS = {
    "f16": (16, ("f16", "f32"), SHAPES_OF_16_BITS),
    "bf16": (16, ("f32",), SHAPES_OF_16_BITS),
    "tf32": (32, ("f32",), ("m16n8k4", "m16n8k8")),
    "f64": (64, ("f64",), ("m8n8k4", "m16n8k4", "m16n8k8", "m16n8k16")),
    "s8": (8, ("s32",), SHAPES_OF_BYTES),
    "u8": (8, ("s32",), SHAPES_OF_BYTES),
    "s4": (4, ("s32",), SHAPES_OF_NIBBLES),
    "u4": (4, ("s32",), SHAPES_OF_NIBBLES),
    "b1": (1, ("s32",), ("m8n8k128", "m16n8k128", "m16n8k256")),
}
WARP = 32
MMA = re.compile(
    r"mma\.sync\.aligned\.(?P<shape>m(?P<m>\d+)n(?P<n>\d+)k(?P<k>\d+))\.row\.col(?P<satfinite>\.satfinite)?"
    r"\.(?P<d>\w+)\.(?P<a>\w+)\.(?P<b>\w+)\.(?P<c>\w+)(?:\.(?P<bits>and|xor)\.popc)?"
)
WGMMA = re.compile(
    r"wgmma\.mma_async\.sync\.aligned\.m64n(?P<n>\d+)k(?P<k>\d+)(?P<satfinite>\.satfinite)?"
    r"\.(?P<d>\w+)\.(?P<a>\w+)\.(?P<b>\w+)"
)
BYTES_OF_K = 32  # that a wgmma takes
# ptxas takes the shape behind the number of matrices, too.
MATRICES = re.compile(
    r"(ldmatrix|stmatrix)\.sync\.aligned\.(?:m8n8\.x([124])(\.trans)?|x([124])(\.trans)?\.m8n8|x([124])\.m8n8(\.trans)?)"
    r"(\.trans)?\.shared(?:::cta)?(\.trans)?\.b16"
)
CP_ASYNC = re.compile(r"cp\.async\.(ca|cg)\.shared(?:::cta)?\.global(\.L2::cache_hint)?(?:\.L2::(?:64|128|256)B)?")
STATEMENTS = {
    "cp.async.commit_group": (0, "cp_async_commit_group"),
    "cp.async.wait_group": (1, "cp_async_wait_group"),
    "cp.async.wait_all": (0, "cp_async_wait_all"),
}
PTX = "::emulator::ptx::"


def call_for(instruction: str) -> tuple[str, list[str]] | None:
    """The call that does what one instruction does, and the operands that it writes; None if the emulator does not have it."""
    opcode, *rest = instruction.split(None, 1)
    operands = _operands(rest[0] if rest else "")
    if operands is not None:
        call = _with_rules_of_its_own(opcode, operands)
        if call is not None:
            writes = opcode.startswith(("mma.", "wgmma.mma_async.", "ldmatrix."))
            return call, re.findall(r"%\d+", operands[0]) if writes else []
    return call_for_form(opcode, split_operands(rest[0] if rest else ""))


def _with_rules_of_its_own(opcode: str, operands: list[str]) -> str | None:
    if match := MMA.fullmatch(opcode):
        return _product(match, operands)
    if match := WGMMA.fullmatch(opcode):
        return _product_of_warpgroup(match, operands)
    if match := MATRICES.fullmatch(opcode):
        transposed = opcode.count(".trans")
        matrices = next(int(match[n]) for n in (2, 4, 6) if match[n])
        return _matrices(match[1], matrices, transposed == 1, operands) if transposed < 2 else None
    if match := CP_ASYNC.fullmatch(opcode):
        return _copy(match[1], operands[:-1] if match[2] else operands)
    if opcode in STATEMENTS and STATEMENTS[opcode][0] == len(operands):
        return f"{PTX}{STATEMENTS[opcode][1]}({', '.join(operands)})"
    return None


def _operands(text: str) -> list[str] | None:
    """["{%0, %1}", "%2", "[%3]"] of a list of operands, or None if it has something else."""
    operand = r"(?:\{[^{}\[\]]*\}|\[\s*%\d+\s*(?:\+\s*\w+\s*)?\]|%\d+|-?\w+)"
    if not re.fullmatch(rf"(?:{operand}\s*(?:,\s*{operand}\s*)*)?", text):
        return None
    return re.findall(operand, text)


def _registers(operand: str, number: int) -> str | None:
    """A vector of so many registers as what initialises a list, or None. One alone may stand without braces."""
    names = [name.strip() for name in operand.strip("{}").split(",")]
    if (
        len(names) != number
        or not all(re.fullmatch(r"%\d+", name) for name in names)
        or not operand.startswith("{")
        and number != 1
    ):
        return None
    return "{" + ", ".join(names) + "}"


def _product(match: re.Match[str], operands: list[str]) -> str | None:
    a, b, d = match["a"], match["b"], match["d"]
    bits, sums, shapes = PRODUCTS.get(a, (0, (), ()))
    other = {"s8": "u8", "u8": "s8", "s4": "u4", "u4": "s4"}.get(a)
    whole = other is not None
    if (
        match["shape"] not in shapes
        or b not in (a, other)
        or d not in sums
        or match["c"] != d
        or len(operands) != 4
        or (match["satfinite"] and not whole)
        or (a == "b1") != (match["bits"] is not None)
    ):
        return None
    m, n, k = (int(match[name]) for name in "mnk")
    register, sum_bits = 64 if a == "f64" else 32, {"f16": 16, "f64": 64}.get(d, 32)
    registers = [
        m * n * sum_bits // max(register, sum_bits),
        m * k * bits // register,
        k * n * bits // register,
        m * n * sum_bits // max(register, sum_bits),
    ]
    lists = [_registers(operand, each // WARP) for operand, each in zip(operands, registers, strict=True)]
    known = [each for each in lists if each is not None]
    if len(known) < len(lists):
        return None
    mode = "bit_" + match["bits"] if match["bits"] else "saturate" if match["satfinite"] else "plain"
    elements = ", ".join(f"::emulator::Element::{element}" for element in (a, b, d))
    return f"{PTX}mma({{{m}, {n}, {k}, {elements}, ::emulator::MatrixProduct::Mode::{mode}}}, {', '.join(known)})"


def _product_of_warpgroup(match: re.Match[str], operands: list[str]) -> str | None:
    """The operands behind the factors: whether to add to D, and for floats the signs of A and B; for elements of 16 bits,
    whether each factor in shared memory is transposed."""
    a, b, d = match["a"], match["b"], match["d"]
    bits, sums, _ = PRODUCTS.get(a, (0, (), ()))
    n, k = int(match["n"]), int(match["k"])
    whole = bits == 8
    if (
        bits not in (8, 16, 32)
        or b not in ((a, {"s8": "u8", "u8": "s8"}[a]) if whole else (a,))
        or d not in sums
        or k * bits != BYTES_OF_K * 8
        or not 8 <= n <= 256
        or n % (16 if whole and n > 32 else 8)
        or (match["satfinite"] and not whole)
        or len(operands) < 4
    ):
        return None
    in_registers = operands[1].startswith("{")
    signs, transposed = (0, 0) if whole else (2, 0 if bits == 32 else 1 if in_registers else 2)
    if len(operands) != 4 + signs + transposed or any(operand.startswith(("{", "[")) for operand in operands[2:]):
        return None
    to = _registers(operands[0], n * (16 if d == "f16" else 32) // 64)
    from_a = _registers(operands[1], 4) if in_registers else operands[1]
    if to is None or from_a is None:
        return None
    mode = "saturate" if match["satfinite"] else "plain"
    elements = ", ".join(f"::emulator::Element::{element}" for element in (a, b, d))
    flags = [*operands[3:], *["1"] * (2 - signs), *["0"] * ((1 if in_registers else 2) - transposed)]
    product = f"{{16, {n}, {k}, {elements}, ::emulator::MatrixProduct::Mode::{mode}}}"
    return f"{PTX}wgmma({product}, {to}, {from_a}, {', '.join([operands[2], *flags])})"


def _matrices(name: str, matrices: int, transposed: bool, operands: list[str]) -> str | None:
    if len(operands) != 2:
        return None
    address, each = (operands[1], operands[0]) if name == "ldmatrix" else operands
    registers = _registers(each, matrices)
    if registers is None or not address.startswith("["):
        return None
    arguments = [registers, address.strip("[] ")]
    call = f"{PTX}{name}<{matrices}, {str(transposed).lower()}>"
    return f"{call}({', '.join(arguments if name == 'ldmatrix' else reversed(arguments))})"


def _copy(cache: str, operands: list[str]) -> str | None:
    """`cg` takes 16 bytes only."""
    if (
        len(operands) not in (3, 4)
        or not all(operand.startswith("[") for operand in operands[:2])
        or any(operand.startswith(("[", "{")) for operand in operands[2:])
    ):
        return None
    allowed = ("4", "8", "16") if cache == "ca" else ("16",)
    if not operands[2].startswith("%") and operands[2] not in allowed:
        return None
    return f"{PTX}cp_async({', '.join(operand.strip('[] ') for operand in operands)})"

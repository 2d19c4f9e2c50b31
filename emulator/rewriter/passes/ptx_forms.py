"""The instructions of inline PTX that compute, touch memory or wait, as a table: see FORMS.

docs/what_it_has.md shows the same table: `mul.{lo,hi}.{u32,s32}` stands for four instructions, and of `[.ca,.cg]` one may stand
there, or none.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

WHOLE = "{u16,s16,u32,s32,u64,s64}"
BITS = "{b16,b32,b64}"
MEMORY = "{b8,u8,s8,b16,u16,s16,b32,u32,s32,f32,b64,u64,s64,f64}"
SPACE = "[.global,.shared,.shared::cta,.shared::cluster]"
SCOPE = "[.cta,.cluster,.gpu,.sys]"
NEEDED_SCOPE = "{cta,cluster,gpu,sys}"
OWN_SHARED = "[.shared,.shared::cta]"
ANY_SHARED = "[.shared,.shared::cta,.shared::cluster]"
DIMENSIONS = "{1d,2d,3d,4d,5d}"
BARRIER_SCOPE = "[.cta,.cluster]"
L1 = "[.L1::no_allocate,.L1::evict_normal,.L1::evict_unchanged,.L1::evict_first,.L1::evict_last]"
L2 = "[.L2::64B,.L2::128B,.L2::256B]"

PTX = "::emulator::ptx::"
MBARRIER = "::emulator::mbarrier::"
Chosen = Sequence[str]  # what stands in the places of { } and [ ], "" for nothing
CallOf = Callable[[Chosen, Sequence[str]], "str | None"]


@dataclass(frozen=True)
class Form:
    """One line of the table.

    `operands` has a word for each:
        d       a register that is written
        s, r    what is read: a register or a number; for r a special register, too
        p       a predicate that is read, %0 or !%0
        D, S    as d and s, in { } as many as the .v2 or .v4 says
        V, W    as d and s, two or four in { }
        o       a register that is written, and perhaps a predicate: %0|%1, or a predicate alone: _|%1
        f       a number with a point, or a register
        u       a register that is written, or _ for none
        m       an address, [%0 + 16]
        t       a tensor's map and coordinates, [%0, {%1, %2}]
        0       that number
    `call` is a function of ptx_forms.h, whose result goes to `d`. {0} in it is what stands in the first { } or [ ] of the
    opcode, and @ the namespace.
    """

    opcode: str
    operands: str
    call: str | CallOf


# ------------------------------------------------------------------------ how calls are made where a name is not enough


def _order(chosen: str) -> str:
    return "::__NV_ATOMIC_" + (chosen or "relaxed").upper()


def _scope(chosen: str) -> str:
    return "::__NV_THREAD_SCOPE_" + {"cta": "BLOCK", "cluster": "CLUSTER", "sys": "SYSTEM"}.get(chosen, "DEVICE")


def _meeting(order: str, scope: str) -> str:
    return f"{PTX}Meeting{{{_order(order) if order else -1}, {_scope(scope)}}}"


def _address(space: str, operand: str) -> str:
    """Without a space it is a generic one; what only global memory has is the same."""
    return f"{PTX}{'shared' if space.startswith('shared') else 'generic'}_address({operand})"


def _is_too_wide(vector: str, element: str) -> bool:
    """One access has at most 16 bytes."""
    return vector == "v4" and element.endswith("64")


def _load(function: str) -> CallOf:
    """Of forms that begin with the space and end with [.v2,.v4] and the type."""

    def call(chosen: Chosen, operands: Sequence[str]) -> str | None:
        space, vector, element = chosen[0], chosen[-2], chosen[-1]
        if _is_too_wide(vector, element):
            return None
        address = _address(space, operands[1])
        if vector:
            return f"{PTX}{function}_vector<{PTX}{element}, {vector[1:]}>({operands[0]}, {address})"
        return f"{operands[0]} = {PTX}{function}<{PTX}{element}>({address})"

    return call


def _store(function: str) -> CallOf:
    def call(chosen: Chosen, operands: Sequence[str]) -> str | None:
        space, vector, element = chosen[0], chosen[-2], chosen[-1]
        if _is_too_wide(vector, element):
            return None
        name = f"{function}_vector<{PTX}{element}, {vector[1:]}>" if vector else f"{function}<{PTX}{element}>"
        return f"{PTX}{name}({_address(space, operands[0])}, {operands[1]})"

    return call


def _ordered_load(chosen: Chosen, operands: Sequence[str]) -> str | None:
    """Of a vector each element is loaded alone."""
    order, scope, space, *_, vector, element = chosen
    if _is_too_wide(vector, element):
        return None
    if vector:
        address = f"{_address(space, operands[1])}, {_order(order)}, {_scope(scope)}"
        return f"{PTX}load_vector<{PTX}{element}, {vector[1:]}>({operands[0]}, {address})"
    return f"{operands[0]} = {PTX}load<{PTX}{element}>({_address(space, operands[1])}, {_order(order)}, {_scope(scope)})"


def _ordered_store(chosen: Chosen, operands: Sequence[str]) -> str | None:
    order, scope, space, *_, vector, element = chosen
    if _is_too_wide(vector, element):
        return None
    name = f"store_vector<{PTX}{element}, {vector[1:]}>" if vector else f"store<{PTX}{element}>"
    return f"{PTX}{name}({_address(space, operands[0])}, {operands[1]}, {_order(order)}, {_scope(scope)})"


def _atomic(chosen: Chosen, operands: Sequence[str]) -> str:
    """Without an order it is what atomicAdd() is; with one it is taken at its word."""
    order, scope, space, operation, element = chosen
    *written, address, first = operands[: len(operands) - (operation == "cas")]
    rest = [first, *operands[len(written) + 2 :]]
    meeting = _meeting(order, scope)
    call = f"{PTX}atomic_{operation}<{PTX}{element}>({_address(space, address)}, {meeting}, {', '.join(rest)})"
    return f"{written[0]} = {call}" if written else call


def _shuffle(chosen: Chosen, operands: Sequence[str]) -> str:
    written, _, predicate = operands[0].partition("|")
    call = f"{PTX}shuffle_{chosen[0]}({', '.join(operands[1:])}"
    found = f"; {predicate} = {PTX}shuffle_{chosen[0]}_found({', '.join(operands[2:-1])})"
    return f"{written} = {call})" + found * bool(predicate)


def _match_all(chosen: Chosen, operands: Sequence[str]) -> str:
    written, _, predicate = operands[0].partition("|")
    call = f"{written} = {PTX}match_all<{PTX}{chosen[0]}>({', '.join(operands[1:])})"
    return call + f"; {predicate} = {written} != 0" * bool(predicate)


def _not_relaxed(chosen: Chosen) -> str:
    return str("relaxed" not in chosen).lower()


def _mbarrier_arrive(expects: bool) -> CallOf:
    """The last operand is a number of bytes, or of arrivals if it is there."""

    def call(chosen: Chosen, operands: Sequence[str]) -> str:
        drops, space = str(chosen[0] == "arrive_drop").lower(), chosen[-1]
        number = operands[2] if len(operands) > 2 else "1"
        numbers = f"1, {number}" if expects else f"{number}, 0"
        state = "" if operands[0] == "_" else f"{operands[0]} = "
        return f"{state}{MBARRIER}arrive({_address(space, operands[1])}, {numbers}, {drops}, {_not_relaxed(chosen)})"

    return call


def _mbarrier(function: str) -> CallOf:
    """Of forms that end with the space. Operands behind the address are numbers."""

    def call(chosen: Chosen, operands: Sequence[str]) -> str:
        name = chosen[0] if function == "" else function
        return f"{MBARRIER}{name}({', '.join([_address(chosen[-1], operands[0]), *operands[1:]])})"

    return call


def _mbarrier_wait(chosen: Chosen, operands: Sequence[str]) -> str:
    """Of parity and state, the word as it was, one bit counts. A limit for the time changes nothing."""
    return f"{operands[0]} = {MBARRIER}is_over({_address(chosen[-1], operands[1])}, {operands[2]}, {_not_relaxed(chosen)})"


def _arrive_behind_copies(chosen: Chosen, operands: Sequence[str]) -> str:
    return f"{PTX}arrive_behind_copies({_address(chosen[-1], operands[0])}, {str(chosen[0] == 'noinc').lower()})"


def _bulk(function: str, *spaces: str) -> CallOf:
    """A copy: the spaces of the operands that are addresses, and "" for numbers. What follows is a hint for the cache."""

    def call(chosen: Chosen, operands: Sequence[str]) -> str:
        arguments = [_address(*each) if each[0] else each[1] for each in zip(spaces, operands, strict=False)]
        return f"::emulator::{function}({', '.join(arguments)})"

    return call


def _tensor(function: str, *kinds: str) -> CallOf:
    """As _bulk(); "tensor" has to have as many coordinates as the opcode says, `2d`."""
    copy = _bulk(function, *("" if kind == "tensor" else kind for kind in kinds))

    def call(chosen: Chosen, operands: Sequence[str]) -> str | None:
        coordinates = operands[kinds.index("tensor")].count("static_cast<int>")
        return copy(chosen, operands) if coordinates == int(chosen[0][0]) else None

    return call


def _reduction(*spaces: str) -> CallOf:
    def call(chosen: Chosen, operands: Sequence[str]) -> str:
        operation, element = chosen[-2:]
        addresses = [_address(*each) for each in zip(spaces, (*operands[:2], *operands[3:4]), strict=False)]
        barrier = addresses[2] if len(addresses) > 2 else "nullptr"
        what = f"::emulator::reductions::{operation}_elements()"
        return f"::emulator::reduce_bulk<{PTX}{element}>({addresses[0]}, {addresses[1]}, {operands[2]}, {barrier}, {what})"

    return call


def _async_store(chosen: Chosen, operands: Sequence[str]) -> str | None:
    vector, element = chosen[-2:]
    if _is_too_wide(vector, element):
        return None
    values = (
        f"{PTX}gather<{PTX}{element}, {vector[1:]}>({operands[1]})" if vector else f"{PTX}of<{PTX}{element}>({operands[1]})"
    )
    return f"::emulator::store_async({_address('shared', operands[0])}, {values}, {_address('shared', operands[2])})"


def _async_reduction(chosen: Chosen, operands: Sequence[str]) -> str:
    operation, element = chosen
    value = f"{PTX}of<{PTX}{element}>({operands[1]})"
    what = f"::emulator::reductions::{operation}_elements()"
    return (
        f"::emulator::reduce_async<{PTX}{element}>({_address('shared', operands[0])}, {value}, "
        f"{_address('shared', operands[2])}, {what})"
    )


def _with_hint(opcode: str, operands: str, call: str | CallOf) -> tuple[Form, Form]:
    """With a hint for the cache, where # stands, and without."""
    return (
        Form(opcode.replace("#", ""), operands, call),
        Form(opcode.replace("#", ".L2::cache_hint"), operands + " s", call),
    )


def _proxy_fence(chosen: Chosen, operands: Sequence[str]) -> str:
    return "::emulator::check_proxy_fence()"


def _named_barrier(chosen: Chosen, operands: Sequence[str]) -> str:
    """Its number, and how many threads it is for, if not for the whole block."""
    return f"::emulator::sync_named_barrier({operands[0]}, {operands[1] if len(operands) > 1 else 0})"


def _named_arrival(chosen: Chosen, operands: Sequence[str]) -> str:
    return f"::emulator::arrive_at_named_barrier({operands[0]}, {operands[1]})"


def _named_vote(chosen: Chosen, operands: Sequence[str]) -> str:
    written, number, *threads, vote = operands
    call = f"::emulator::sync_named_barrier({number}, {threads[0] if threads else 0}, {'!' * ('and' in chosen)}{vote})"
    result = call if "popc" in chosen else f"{call} == 0" if "and" in chosen else f"{call} != 0"
    return f"{written} = static_cast<::std::uint64_t>({result})"


def _directed(function: str) -> CallOf:
    """Of forms that begin with {rz,rm,rp}, or with an operation and that, and end with the type: one of CUDA's functions."""

    def call(chosen: Chosen, operands: Sequence[str]) -> str:
        *operation, rounding, element = chosen
        arguments = ", ".join(f"{PTX}of<{PTX}{element}>({each})" for each in operands[1:])
        name = function.format(*operation, f="f" if element == "f32" else "d", suffix="f" if element == "f32" else "")
        direction = {"rz": "rz", "rm": "rd", "rp": "ru"}[rounding]
        return f"{operands[0]} = {PTX}bits(::__{name}_{direction}({arguments}))"

    return call


def _unsigned_comparison(chosen: Chosen, operands: Sequence[str]) -> str:
    name = {"lo": "lt", "ls": "le", "hi": "gt", "hs": "ge"}[chosen[0]]
    return f"{operands[0]} = {PTX}setp_{name}<{PTX}{chosen[1]}>({operands[1]}, {operands[2]})"


def _halves(operation: str) -> CallOf:
    """Of forms that end with an element such as f16 or f16x2. What stands before says what becomes of the result."""

    def call(chosen: Chosen, operands: Sequence[str]) -> str:
        name = operation or chosen[0]
        element, two, _ = chosen[-1].partition("x2")
        name += "_nan" * ("NaN" in chosen)
        how = "_".join(each for each in ("ftz", "relu", "sat") if each in chosen) or "plain"
        numbers = f"{PTX}{element}, {2 if two else 1}, {PTX}HalfResult::{how}"
        return f"{operands[0]} = {PTX}{name}_halves<{numbers}>({', '.join(operands[1:])})"

    return call


def _to_halves(chosen: Chosen, operands: Sequence[str]) -> str:
    mode, relu, element = chosen
    element, two, _ = element.partition("x2")
    rounding = "::emulator::Rounding::" + {"rn": "nearest", "rz": "to_zero"}[mode]
    arguments = ", ".join([*operands[1:], rounding])
    return f"{operands[0]} = {PTX}cvt_hal{'ves' if two else 'f'}<{PTX}{element}, {str(bool(relu)).lower()}>({arguments})"


def _eight_bits(element: str, relu: str) -> str:
    return f"{str(element == 'e4m3x2').lower()}, {str(bool(relu)).lower()}"


def _to_eight_bits(chosen: Chosen, operands: Sequence[str]) -> str:
    relu, element, *_ = chosen
    numbers = [f"{PTX}of<{PTX}f32>({each})" for each in operands[1:]]
    if len(numbers) == 1:
        numbers = [f"{PTX}half_number<{PTX}f16>({operands[1]}, {i}, false)" for i in (1, 0)]
    return f"{operands[0]} = {PTX}cvt_to_fp8<{_eight_bits(element, relu)}>({', '.join(numbers)})"


def _from_eight_bits(chosen: Chosen, operands: Sequence[str]) -> str:
    relu, element = chosen
    return f"{operands[0]} = {PTX}cvt_from_fp8<{_eight_bits(element, relu)}>({operands[1]})"


def _two_floats(chosen: Chosen, operands: Sequence[str]) -> str:
    function = f"{PTX}{chosen[0]}<{PTX}f32, {str(bool(chosen[1])).lower()}>"
    return f"{operands[0]} = {PTX}each_float([](auto... x) {{ return {function}(x...); }}, {', '.join(operands[1:])})"


def _atomic_halves(chosen: Chosen, operands: Sequence[str]) -> str:
    order, scope, space, _, element = chosen
    element, two, _ = element.partition("x2")
    *written, address, value = operands
    meeting = _meeting(order, scope)
    call = f"{PTX}atomic_add_halves<{PTX}{element}, {2 if two else 1}>({_address(space, address)}, {meeting}, {value})"
    return f"{written[0]} = {call}" if written else call


def _atomic_vector(chosen: Chosen, operands: Sequence[str]) -> str:
    order, scope, space, _ = chosen
    return f"{PTX}atomic_add_vector<{PTX}f32>({_address(space, operands[0])}, {_meeting(order, scope)}, {operands[1]})"


def _whole_pairs(chosen: Chosen, operands: Sequence[str]) -> str:
    element = chosen[1].partition("x")[0]
    function = f"[](auto... x) {{ return {PTX}{chosen[0]}<{PTX}{element}>(x...); }}"
    return f"{operands[0]} = {PTX}each_short({function}, {', '.join(operands[1:])})"


def _set(chosen: Chosen, operands: Sequence[str]) -> str:
    """All bits, or 1.0."""
    found = f"{PTX}setp_{chosen[0]}<{PTX}{chosen[2]}>({operands[1]}, {operands[2]})"
    return f"{operands[0]} = {found} ? {'0x3f800000' if chosen[1] == 'f32' else '0xffffffff'}u : 0u"


def _compare_halves(chosen: Chosen, operands: Sequence[str]) -> str:
    """Of a pair the upper one's answer is the second predicate."""
    comparison, element = chosen
    element, two, _ = element.partition("x2")
    first, _, second = operands[0].partition("|")
    each = [
        f"{PTX}setp_{comparison}<{PTX}f64>({PTX}bits({PTX}half_number<{PTX}{element}>({operands[1]}, {i}, false)), "
        f"{PTX}bits({PTX}half_number<{PTX}{element}>({operands[2]}, {i}, false)))"
        for i in (0, 1)
    ]
    return f"{first} = {each[0]}" + (f"; {second} = {each[1]}" if two else "")


def _elect(chosen: Chosen, operands: Sequence[str]) -> str:
    lane, _, predicate = operands[0].partition("|")
    if lane == "_":
        return f"{predicate} = {PTX}elect({operands[1]}) == {PTX}laneid()"
    return f"{lane} = {PTX}elect({operands[1]}); {predicate} = {lane} == {PTX}laneid()"


def _saturated(chosen: Chosen, operands: Sequence[str]) -> str:
    flushes = str("ftz" in chosen).lower()
    return f"{operands[0]} = {PTX}saturate({PTX}{chosen[0]}<{PTX}f32, {flushes}>({', '.join(operands[1:])}))"


def _both(chosen: Chosen, operands: Sequence[str]) -> str:
    """The comparison and its contrary, p|q."""
    holds, _, fails = operands[0].partition("|")
    found = f"{PTX}setp_{chosen[0]}<{PTX}{chosen[1]}>({operands[1]}, {operands[2]})"
    return f"{holds} = {found}; {fails} = {holds} == 0"


def _combined(chosen: Chosen, operands: Sequence[str]) -> str:
    comparison, combine, element = chosen
    sign = {"and": "&", "or": "|", "xor": "^"}[combine]
    found = f"({PTX}setp_{comparison}<{PTX}{element}>({operands[1]}, {operands[2]}) != 0)"
    return f"{operands[0]} = static_cast<::std::uint64_t>({found} {sign} {operands[3]})"


def _fence(chosen: Chosen, operands: Sequence[str]) -> str:
    return f"::emulator::atomics::ordered_fence({_order('acq_rel')}, {_scope(chosen[-1])})"


def _dependence(chosen: Chosen, operands: Sequence[str]) -> str:
    return "::cudaGridDependencySynchronize()" if chosen[0] == "wait" else "::cudaTriggerProgrammaticLaunchCompletion()"


def _is_in(chosen: Chosen, operands: Sequence[str]) -> str:
    return f"{operands[0]} = {PTX}isspacep_{chosen[0].replace('::', '_')}({operands[1]})"


def _no_policy(chosen: Chosen, operands: Sequence[str]) -> str:
    """There is no cache, and a hint for it is nothing."""
    return f"{operands[0]} = 0"


def _permuted(chosen: Chosen, operands: Sequence[str]) -> str:
    mode = "_" + chosen[0] if chosen[0] else ""
    return f"{operands[0]} = {PTX}prmt{mode}({', '.join(operands[1:])})"


def _nothing(chosen: Chosen, operands: Sequence[str]) -> str:
    return "static_cast<void>(0)"


def _carries(function: str) -> CallOf:
    """add.cc and its like. `carry` is a variable of the whole statement."""

    def call(chosen: Chosen, operands: Sequence[str]) -> str:
        takes, *part, gives, element = chosen
        arguments = ", ".join(operands[1:])
        flags = f"{str(bool(takes)).lower()}, {str(bool(gives)).lower()}"
        name = "_".join([function, *part])
        return f"{operands[0]} = {PTX}{name}<{PTX}{element}, {flags}>({arguments}, carry)"

    return call


# ------------------------------------------------------------------------------------------------------------------ the table

FORMS: dict[str, tuple[Form, ...]] = {
    "whole numbers": (
        Form(f"{{add,sub}}.{WHOLE}", "d s s", "{0}<@{1}>"),
        Form(f"mul.{{lo,hi}}.{WHOLE}", "d s s", "mul_{0}<@{1}>"),
        Form("mul.wide.{u16,s16,u32,s32}", "d s s", "mul_wide<@{0}>"),
        Form(f"mad.{{lo,hi}}.{WHOLE}", "d s s s", "mad_{0}<@{1}>"),
        Form("mad.wide.{u16,s16,u32,s32}", "d s s s", "mad_wide<@{0}>"),
        Form("add[c][.cc].{u32,s32,u64,s64}", "d s s", _carries("add_carrying")),
        Form("sub[c][.cc].{u32,s32,u64,s64}", "d s s", _carries("sub_carrying")),
        Form("mad[c].{lo,hi}[.cc].{u32,s32,u64,s64}", "d s s s", _carries("mad_carrying")),
        Form("{add,sub}.sat.s32", "d s s", "{0}_sat"),
        Form("{add}.{u16x2,s16x2}", "d s s", _whole_pairs),
        Form("{min,max}.{u16x2,s16x2}", "d s s", _whole_pairs),
        Form(
            "{min,max}.relu.s32", "d s s", lambda c, o: f"{o[0]} = {PTX}max<{PTX}s32>({PTX}{c[0]}<{PTX}s32>({o[1]}, {o[2]}), 0)"
        ),
        Form(f"{{div,rem}}.{WHOLE}", "d s s", "{0}<@{1}>"),
        Form(f"{{min,max}}.{WHOLE}", "d s s", "{0}<@{1}>"),
        Form("{neg,abs}.{s16,s32,s64}", "d s", "{0}<@{1}>"),
        Form("dp4a.{u32,s32}.{u32,s32}", "d s s s", "dp4a<@{0}, @{1}>"),
        Form("dp2a.{lo,hi}.{u32,s32}.{u32,s32}", "d s s s", "dp2a_{0}<@{1}, @{2}>"),
        Form(f"sad.{WHOLE}", "d s s s", "sad<@{0}>"),
        Form("mul24.lo.{u32,s32}", "d s s", "mul24_lo<@{0}>"),
        Form("mad24.lo.{u32,s32}", "d s s s", "mad24_lo<@{0}>"),
        Form("vabsdiff4.u32.u32.u32", "d s s s", lambda _, o: f"{o[0]} = {PTX}vabsdiff4({o[1]}, {o[2]})"),
        Form("vabsdiff4.u32.u32.u32.add", "d s s s", "vabsdiff4_add"),
    ),
    "bits": (
        Form("{and,or,xor}.{b16,b32,b64,pred}", "d s s", "bit_{0}"),
        Form("not.{b16,b32,b64,pred}", "d s", "bit_not<@{0}>"),
        Form("cnot.{b16,b32,b64}", "d s", "cnot<@{0}>"),
        Form("lop3.b32", "d s s s s", "lop3"),
        Form(f"shl.{BITS}", "d s s", "shl<@{0}>"),
        Form("shr.{b16,b32,b64,u16,u32,u64,s16,s32,s64}", "d s s", "shr<@{0}>"),
        Form("shf.{l,r}.{clamp,wrap}.b32", "d s s s", "shf_{0}_{1}"),
        Form("prmt.b32[.f4e,.b4e,.rc8,.ecl,.ecr,.rc16]", "d s s s", _permuted),
        Form("bfe.{u32,s32,u64,s64}", "d s s s", "bfe<@{0}>"),
        Form("bfi.{b32,b64}", "d s s s s", "bfi<@{0}>"),
        Form("bfind.{u32,s32,u64,s64}", "d s", "bfind<@{0}>"),
        Form("bfind.shiftamt.{u32,s32,u64,s64}", "d s", "bfind_shiftamt<@{0}>"),
        Form("{popc,clz,brev}.{b32,b64}", "d s", "{0}<@{1}>"),
        Form("bmsk.{clamp,wrap}.b32", "d s s", "bmsk_{0}"),
        Form("szext.{clamp,wrap}.{u32,s32}", "d s s", "szext_{0}<@{1}>"),
    ),
    "floating point": (
        Form("{add,sub,mul}[.rn][.ftz].f32", "d s s", "{0}<@f32{2}>"),
        Form("{add,sub,mul}[.rn].f64", "d s s", "{0}<@f64>"),
        Form("fma.rn[.ftz].f32", "d s s s", "fma<@f32{0}>"),
        Form("fma.rn.f64", "d s s s", "fma<@f64>"),
        Form("mad.rn[.ftz].f32", "d s s s", "fma<@f32{0}>"),
        Form("mad.rn.f64", "d s s s", "fma<@f64>"),
        Form("div.{rn,full,approx}[.ftz].f32", "d s s", "div<@f32{1}>"),
        Form("div.rn.f64", "d s s", "div<@f64>"),
        Form("{min,max}[.ftz].f32", "d s s", "{0}<@f32{1}>"),
        Form("{min,max}[.ftz].NaN.f32", "d s s", "{0}_nan<@f32{1}>"),
        Form("{min,max}.f64", "d s s", "{0}<@f64>"),
        Form("{neg,abs}[.ftz].f32", "d s", "{0}<@f32{1}>"),
        Form("{neg,abs}.f64", "d s", "{0}<@f64>"),
        Form("{sqrt,rcp}.{rn,approx}[.ftz].f32", "d s", "{0}<@f32{2}>"),
        Form("{sqrt,rcp}.rn.f64", "d s", "{0}<@f64>"),
        Form("{ex2,lg2,rsqrt,sin,cos}.approx[.ftz].f32", "d s", "{0}<@f32{1}>"),
        Form("tanh.approx.f32", "d s", "tanh<@f32>"),
        Form("{add,sub,mul}[.rn][.ftz].sat.f32", "d s s", _saturated),
        Form("{fma}.rn[.ftz].sat.f32", "d s s s", _saturated),
        Form("{add,sub,mul,div}.{rz,rm,rp}.{f32,f64}", "d s s", _directed("{f}{0}")),
        Form("fma.{rz,rm,rp}.{f32,f64}", "d s s s", _directed("fma{suffix}")),
        Form("{rcp,sqrt}.{rz,rm,rp}.{f32,f64}", "d s", _directed("{f}{0}")),
        Form("rsqrt.approx.f64", "d s", "rsqrt<@f64>"),
        Form("testp.{finite,infinite,number,notanumber,normal,subnormal}.{f32,f64}", "d s", "testp_{0}<@{1}>"),
        Form("cvt.sat.f32.f32", "d s", "saturate"),
        Form("copysign.{f32,f64}", "d s s", "copysign<@{0}>"),
        Form("{add,sub,mul}[.rn][.ftz].f32x2", "d s s", lambda c, o: _two_floats([c[0], c[2]], o)),
        Form("{fma}.rn[.ftz].f32x2", "d s s s", _two_floats),
    ),
    "half, bfloat16, numbers of 8 bits": (
        Form("{add,sub,mul}[.rn][.ftz][.sat].{f16,f16x2}", "d s s", _halves("")),
        Form("{add,sub,mul}[.rn].{bf16,bf16x2}", "d s s", _halves("")),
        Form("fma.rn[.ftz][.sat,.relu].{f16,f16x2}", "d s s s", _halves("fma")),
        Form("fma.rn[.relu].{bf16,bf16x2}", "d s s s", _halves("fma")),
        Form("{min,max}[.ftz][.NaN].{f16,f16x2}", "d s s", _halves("")),
        Form("{min,max}[.NaN].{bf16,bf16x2}", "d s s", _halves("")),
        Form("{neg,abs}.{f16,f16x2,bf16,bf16x2}", "d s", _halves("")),
        Form("ex2.approx.{f16,f16x2}", "d s", _halves("ex2")),
        Form("ex2.approx[.ftz].{bf16,bf16x2}", "d s", _halves("ex2")),
        Form("tanh.approx.{f16,f16x2,bf16,bf16x2}", "d s", _halves("tanh")),
        Form("cvt.{rn,rz}[.relu].{f16,bf16}.f32", "d s", _to_halves),
        Form("cvt.{rn,rz}[.relu].{f16x2,bf16x2}.f32", "d s s", _to_halves),
        Form("cvt.f32.{f16,bf16}", "d s", "cvt_from_half<@{0}>"),
        Form("cvt.f64.f16", "d s", lambda _, o: f"{o[0]} = {PTX}bits({PTX}half_number<{PTX}f16>({o[1]}, 0, false))"),
        Form("cvt.rn.f16.f64", "d s", lambda _, o: f"{o[0]} = {PTX}f16::nearest({PTX}of<{PTX}f64>({o[1]})).bits"),
        Form(
            "cvt.rn.f16.{u8,s8,u16,s16,u32,s32,u64,s64}",
            "d s",
            lambda c, o: f"{o[0]} = {PTX}f16::nearest(static_cast<double>({PTX}of<{PTX}{c[0]}>({o[1]}))).bits",
        ),
        Form(
            "cvt.{rni,rzi,rmi,rpi}.{u8,s8,u16,s16,u32,s32,u64,s64}.f16",
            "d s",
            lambda c, o: f"{o[0]} = {PTX}cvt_{c[0]}<{PTX}{c[1]}, {PTX}f32>({PTX}cvt_from_half<{PTX}f16>({o[1]}))",
        ),
        Form("setp.{eq,ne,lt,le,gt,ge}.{f16,bf16}", "d s s", _compare_halves),
        Form("setp.{eq,ne,lt,le,gt,ge}.{f16x2,bf16x2}", "o s s", _compare_halves),
        Form("cvt.rn.satfinite[.relu].{e4m3x2,e5m2x2}.f32", "d s s", _to_eight_bits),
        Form("cvt.rn.satfinite[.relu].{e4m3x2,e5m2x2}.f16x2", "d s", _to_eight_bits),
        Form("cvt.rn[.relu].f16x2.{e4m3x2,e5m2x2}", "d s", _from_eight_bits),
    ),
    "moves, comparisons, conversions": (
        Form("mov.{b16,u16,s16,b32,u32,s32,f32,b64,u64,s64,f64,pred}", "d r", "mov"),
        Form("mov.{b32,b64}", "V s", lambda c, o: f"{PTX}unpack({c[0][1:]}, {o[0]}, {o[1]})"),
        Form("mov.{b32,b64}", "d W", lambda c, o: f"{o[0]} = {PTX}pack({c[0][1:]}, {o[1]})"),
        Form("setp.{eq,ne}.{b16,b32,b64}", "d s s", "setp_{0}<@{1}>"),
        Form("setp.{eq,ne,lt,le,gt,ge}.{u16,s16,u32,s32,u64,s64,f32,f64}", "d s s", "setp_{0}<@{1}>"),
        Form("setp.{eq,ne,lt,le,gt,ge}.{u16,s16,u32,s32,u64,s64,f32,f64}", "o s s", _both),
        Form("setp.{lo,ls,hi,hs}.{u16,u32,u64}", "d s s", _unsigned_comparison),
        Form("set.{eq,ne,lt,le,gt,ge}.{u32,s32,f32}.{u32,s32,f32}", "d s s", _set),
        Form("setp.{eq,ne,lt,le,gt,ge}.ftz.f32", "d s s", "setp_{0}<@f32, true>"),
        Form("setp.{equ,neu,ltu,leu,gtu,geu,num,nan}.{f32,f64}", "d s s", "setp_{0}<@{1}>"),
        Form("setp.{eq,ne,lt,le,gt,ge}.{and,or,xor}.{u16,s16,u32,s32,u64,s64,f32,f64}", "d s s p", _combined),
        Form("selp.{b16,u16,s16,b32,u32,s32,b64,u64,s64,f32,f64}", "d s s p", "selp"),
        Form("cvt.{u8,s8,u16,s16,u32,s32,u64,s64}.{u8,s8,u16,s16,u32,s32,u64,s64}", "d s", "cvt<@{0}, @{1}>"),
        Form("slct.{b16,u16,s16,b32,u32,s32,f32,b64,u64,s64,f64}.{s32,f32}", "d s s s", "slct<@{1}>"),
        Form("cvt.sat.{u8,s8,u16,s16,u32,s32,u64,s64}.{u8,s8,u16,s16,u32,s32,u64,s64}", "d s", "cvt_sat<@{0}, @{1}>"),
        Form("cvt.rn.{f32,f64}.{u8,s8,u16,s16,u32,s32,u64,s64}", "d s", "cvt<@{0}, @{1}>"),
        Form("cvt.{rni,rzi,rmi,rpi}[.ftz][.sat].{u8,s8,u16,s16,u32,s32,u64,s64}.f32", "d s", "cvt_{0}<@{3}, @f32{1}>"),
        Form("cvt.{rni,rzi,rmi,rpi}[.sat].{u32,s32,u64,s64}.f64", "d s", "cvt_{0}<@{2}, @f64>"),
        Form("cvt.{rni,rzi,rmi,rpi}.f32.f32", "d s", "round_{0}<@f32>"),
        Form("cvt.{rni,rzi,rmi,rpi}.f64.f64", "d s", "round_{0}<@f64>"),
        Form("cvt.f64.f32", "d s", "cvt<@f64, @f32>"),
        Form("cvt.rn.f32.f64", "d s", "cvt<@f32, @f64>"),
        Form("cvta.{global,shared}.{u32,u64}", "d s", "cvta_{0}"),
        Form("cvta.to.{global,shared}.{u32,u64}", "d s", "cvta_to_{0}"),
        Form("cvta[.to].{const,local}.{u32,u64}", "d s", lambda _, o: f"{o[0]} = {o[1]}"),
        Form("cvt.rna.tf32.f32", "d s", "cvt_tf32"),
        Form("isspacep.{global,shared,shared::cta,shared::cluster,local,const}", "d s", _is_in),
        Form("movmatrix.sync.aligned.m8n8.trans.b16", "d s", "movmatrix"),
        Form("mapa.shared::cluster.u32", "d s s", "mapa_shared"),
        Form("mapa.u64", "d s s", "mapa"),
        Form("getctarank.shared::cluster.u32", "d s", "getctarank_shared"),
        Form("getctarank.u64", "d s", "getctarank"),
    ),
    "loads": (
        Form(f"ld{SPACE}[.ca,.cg,.cs,.lu,.cv]{L1}{L2}[.v2,.v4].{MEMORY}", "D m", _load("load")),
        Form(f"ld.weak{SPACE}[.ca,.cg,.cs,.lu,.cv][.v2,.v4].{MEMORY}", "D m", _load("load")),
        Form(f"ld.global[.ca,.cg,.cs].nc{L1}{L2}[.v2,.v4].{MEMORY}", "D m", _load("load_read_only")),
        Form(f"ld{SPACE}[.ca,.cg,.cs,.lu,.cv]{L1}.L2::cache_hint{L2}[.v2,.v4].{MEMORY}", "D m s", _load("load")),
        Form(f"ld.global[.ca,.cg,.cs].nc{L1}.L2::cache_hint{L2}[.v2,.v4].{MEMORY}", "D m s", _load("load_read_only")),
        Form(f"ldu[.global][.v2,.v4].{MEMORY}", "D m", _load("load")),
        Form(f"ld.{{const,local}}[.v2,.v4].{MEMORY}", "D m", _load("load")),
        Form(f"ld.volatile{SPACE}[.v2,.v4].{MEMORY}", "D m", _load("load_volatile")),
        Form(f"ld.{{relaxed,acquire}}.{NEEDED_SCOPE}{SPACE}{L1}{L2}[.v2,.v4].{MEMORY}", "D m", _ordered_load),
        Form("prefetch[.global].{L1,L2}", "m", _nothing),
        Form("prefetch.global.L2::{evict_last,evict_normal}", "m", _nothing),
        Form("prefetchu.L1", "m", _nothing),
        Form("discard[.global].L2", "m s", _nothing),
        Form("applypriority[.global].L2::evict_normal", "m s", _nothing),
        Form("createpolicy.fractional.L2::{evict_last,evict_normal,evict_first,evict_unchanged}.b64", "d", _no_policy),
        Form("createpolicy.fractional.L2::{evict_last,evict_normal,evict_first,evict_unchanged}.b64", "d f", _no_policy),
    ),
    "stores": (
        Form(f"st{SPACE}[.wb,.cg,.cs,.wt]{L1}[.v2,.v4].{MEMORY}", "m S", _store("store")),
        Form(f"st{SPACE}[.wb,.cg,.cs,.wt]{L1}.L2::cache_hint[.v2,.v4].{MEMORY}", "m S s", _store("store")),
        Form(f"st.weak{SPACE}[.wb,.cg,.cs,.wt][.v2,.v4].{MEMORY}", "m S", _store("store")),
        Form(f"st.{{local}}[.v2,.v4].{MEMORY}", "m S", _store("store")),
        Form(f"st.volatile{SPACE}[.v2,.v4].{MEMORY}", "m S", _store("store_volatile")),
        Form(f"st.{{relaxed,release}}.{NEEDED_SCOPE}{SPACE}{L1}[.v2,.v4].{MEMORY}", "m S", _ordered_store),
    ),
    "atomic operations": (
        *(
            form
            for name, written in (("atom", "d "), ("red", ""))
            for form in (
                Form(f"{name}{order}{SCOPE}{SPACE}.{{add}}.{{u32,s32,u64,f32,f64}}", written + "m s", _atomic)
                if operation == "add"
                else Form(f"{name}{order}{SCOPE}{SPACE}.{operation}", written + "m s" + " s" * ("cas" in operation), _atomic)
                for order in ("[.relaxed,.acquire,.release,.acq_rel]" if written else "[.relaxed,.release]",)
                for operation in (
                    "add",
                    "{and,or,xor}.{b32,b64}",
                    "{min,max}.{u32,s32,u64,s64}",
                    "{inc,dec}.{u32}",
                    *(("{exch}.{b32,b64}", "{cas}.{b16,b32,b64}") if written else ()),
                )
            )
        ),
        *(
            Form(f"{name}{order}{SCOPE}{SPACE}.{{add}}.noftz.{{f16,f16x2,bf16,bf16x2}}", operands, _atomic_halves)
            for name, order, operands in (
                ("atom", "[.relaxed,.acquire,.release,.acq_rel]", "d m s"),
                ("red", "[.relaxed,.release]", "m s"),
            )
        ),
        Form(f"red[.relaxed,.release]{SCOPE}[.global].add.{{v2,v4}}.f32", "m S", _atomic_vector),
    ),
    "warps": (
        Form("shfl.sync.{idx,up,down,bfly}.b32", "o s s s s", _shuffle),
        Form("vote.sync.{all,any,uni}.pred", "d p s", "vote_{0}"),
        Form("vote.sync.ballot.b32", "d p s", "vote_ballot"),
        Form("match.any.sync.{b32,b64}", "d s s", "match_any<@{0}>"),
        Form("match.all.sync.{b32,b64}", "o s s", _match_all),
        Form("redux.sync.{add,min,max}.{u32,s32}", "d s s", "redux_{0}<@{1}>"),
        Form("redux.sync.{and,or,xor}.b32", "d s s", "redux_{0}"),
        Form("elect.sync", "o s", _elect),
        Form("activemask.b32", "d", "activemask"),
        Form("bar.warp.sync", "s", lambda _, operands: f"{PTX}warp_sync({operands[0]})"),
    ),
    "mbarrier": (
        Form(f"mbarrier.init{OWN_SHARED}.b64", "m s", _mbarrier("init")),
        Form(f"mbarrier.inval{OWN_SHARED}.b64", "m", _mbarrier("inval")),
        *(
            Form(
                f"mbarrier.{{arrive,arrive_drop}}[.release,.relaxed]{BARRIER_SCOPE}{ANY_SHARED}.b64",
                operands,
                _mbarrier_arrive(False),
            )
            for operands in ("u m", "u m s")
        ),
        Form(
            f"mbarrier.{{arrive,arrive_drop}}.expect_tx[.release,.relaxed]{BARRIER_SCOPE}{ANY_SHARED}.b64",
            "u m s",
            _mbarrier_arrive(True),
        ),
        Form(f"mbarrier.{{arrive,arrive_drop}}.noComplete[.release][.cta]{OWN_SHARED}.b64", "u m s", _mbarrier_arrive(False)),
        Form(f"mbarrier.{{expect_tx,complete_tx}}[.relaxed]{BARRIER_SCOPE}{ANY_SHARED}.b64", "m s", _mbarrier("")),
        *(
            Form(f"mbarrier.{name}[.parity][.acquire,.relaxed]{BARRIER_SCOPE}{OWN_SHARED}.b64", operands, _mbarrier_wait)
            for name, operands in (("{test_wait,try_wait}", "d m s"), ("try_wait", "d m s s"))
        ),
        Form("mbarrier.pending_count.b64", "d s", lambda _, o: f"{o[0]} = {MBARRIER}Word({o[1]}).missing"),
        Form(f"cp.async.mbarrier.arrive[.noinc]{OWN_SHARED}.b64", "m", _arrive_behind_copies),
    ),
    "bulk copies": (
        *_with_hint(
            "cp.async.bulk.{shared::cluster,shared::cta}.global.mbarrier::complete_tx::bytes#",
            "m m s m",
            _bulk("copy_bulk", "shared", "global", "", "shared"),
        ),
        *_with_hint(
            "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster#",
            "m m s m s",
            _bulk("copy_bulk_to_many", "shared", "global", "", "shared", ""),
        ),
        Form(
            "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes",
            "m m s m",
            _bulk("copy_bulk", "shared", "shared", "", "shared"),
        ),
        *_with_hint(
            "cp.async.bulk.global.shared::cta.bulk_group#", "m m s", _bulk("copy_bulk_to_global", "global", "shared", "")
        ),
        *(
            form
            for operations in (
                "{add}.{u32,s32,u64,f32,f64}",
                "{min,max}.{u32,s32,u64,s64}",
                "{inc,dec}.{u32}",
                "{and,or,xor}.{b32,b64}",
                "{add}.noftz.{f16,bf16}",
                "{min,max}.{f16,bf16}",
            )
            for form in _with_hint(
                f"cp.reduce.async.bulk.global.shared::cta.bulk_group#.{operations}", "m m s", _reduction("global", "shared")
            )
        ),
        *(
            Form(
                f"cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.{operations}",
                "m m s m",
                _reduction("shared", "shared", "shared"),
            )
            for operations in ("{add}.{u32,s32,u64}", "{min,max}.{u32,s32}", "{inc,dec}.{u32}", "{and,or,xor}.{b32}")
        ),
        Form(
            "st.async[.weak].shared::cluster.mbarrier::complete_tx::bytes[.v2,.v4].{b32,u32,s32,f32,b64,u64,s64,f64}",
            "m S m",
            _async_store,
        ),
        *(
            Form(
                f"red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.{operations}",
                "m s m",
                _async_reduction,
            )
            for operations in ("{add}.{u32,s32,u64}", "{min,max}.{u32,s32}", "{inc,dec}.{u32}", "{and,or,xor}.{b32}")
        ),
        Form("cp.async.bulk.commit_group", "", _bulk("commit_bulk_copies")),
        Form(
            "cp.async.bulk.wait_group[.read]",
            "s",
            lambda c, o: f"::emulator::wait_for_bulk_copies({o[0]}, {str(c[0] == 'read').lower()})",
        ),
        *_with_hint("cp.async.bulk.prefetch.L2.global#", "m s", _nothing),
        *_with_hint(
            f"cp.async.bulk.tensor.{DIMENSIONS}.{{shared::cluster,shared::cta}}.global[.tile].mbarrier::complete_tx::bytes#",
            "m t m",
            _tensor("copy_tensor", "shared", "tensor", "shared"),
        ),
        *_with_hint(
            f"cp.async.bulk.tensor.{DIMENSIONS}.shared::cluster.global[.tile].mbarrier::complete_tx::bytes.multicast::cluster#",
            "m t m s",
            _tensor("copy_tensor_to_many", "shared", "tensor", "shared", ""),
        ),
        *_with_hint(
            f"cp.async.bulk.tensor.{DIMENSIONS}.global.shared::cta[.tile].bulk_group#",
            "t m",
            _tensor("copy_tensor_to_global", "tensor", "shared"),
        ),
        *_with_hint(f"cp.async.bulk.prefetch.tensor.{DIMENSIONS}.L2.global[.tile]#", "t", _nothing),
        Form("prefetch[.param,.const].tensormap", "m", _nothing),
    ),
    "barriers, fences, and others": (
        *(
            form
            for barrier, aligned in (("bar[.cta]", ""), ("barrier[.cta]", "[.aligned]"))
            for form in (
                Form(f"{barrier}.sync{aligned}", "0", lambda *_: "::__syncthreads()"),
                Form(f"{barrier}.sync{aligned}", "s", _named_barrier),
                Form(f"{barrier}.sync{aligned}", "s s", _named_barrier),
                Form(f"{barrier}.arrive{aligned}", "s s", _named_arrival),
                *(
                    Form(f"{barrier}.red.{operation}{aligned}.{element}", operands, _named_vote)
                    for operation, element in (("{popc}", "u32"), ("{and,or}", "pred"))
                    for operands in ("d s p", "d s s p")
                ),
            )
        ),
        Form(
            "barrier.cluster.arrive[.release,.relaxed][.aligned]",
            "",
            lambda c, _: f"::emulator::arrive_at_cluster({'false' if c[0] == 'relaxed' else 'true'})",
        ),
        Form("barrier.cluster.wait[.acquire][.aligned]", "", lambda *_: "::emulator::wait_for_cluster()"),
        Form("membar.{cta,gl,sys}", "", _fence),
        Form("fence[.sc,.acq_rel].{cta,cluster,gpu,sys}", "", _fence),
        Form("fence.{acquire,release}.{cta,cluster,gpu,sys}", "", _fence),
        Form("fence.acquire.sync_restrict::shared::cluster.{cluster}", "", _fence),
        Form("fence.release.sync_restrict::shared::cta.{cluster}", "", _fence),
        Form("membar.proxy.alias", "", _nothing),
        Form("fence.proxy.alias", "", _nothing),
        Form("fence.proxy.async[.global,.shared::cta,.shared::cluster]", "", _proxy_fence),
        Form("fence.proxy.async::generic.acquire.sync_restrict::shared::cluster.cluster", "", _proxy_fence),
        Form("fence.proxy.async::generic.release.sync_restrict::shared::cta.cluster", "", _proxy_fence),
        Form("fence.mbarrier_init.release.cluster", "", _nothing),
        Form("griddepcontrol.{launch_dependents,wait}", "", _dependence),
        Form("setmaxnreg.{inc,dec}.sync.aligned.u32", "s", _nothing),
        Form("wgmma.fence.sync.aligned", "", _nothing),
        Form("wgmma.commit_group.sync.aligned", "", lambda *_: f"{PTX}wgmma_commit()"),
        Form("wgmma.wait_group.sync.aligned", "s", "wgmma_wait"),
        Form("nanosleep.u32", "s", lambda *_: "::__nanosleep(0)"),
        Form("trap", "", lambda *_: "::__trap()"),
    ),
}


# ------------------------------------------------------------------------------------------------------ from text to a call

PART = re.compile(r"\{([^}]*)\}|\[([^]]*)\]|([^[{]+)")


@functools.cache
def _pattern(opcode: str) -> re.Pattern[str]:
    pieces = []
    for one_of, one_or_none, text in PART.findall(opcode):
        if text:
            pieces.append(re.escape(text))
        else:
            alternatives = "|".join(map(re.escape, (one_of or one_or_none).split(",")))
            pieces.append(f"({alternatives})" + "?" * bool(one_or_none))
    return re.compile("".join(pieces))


@functools.cache
def _forms_by_root() -> dict[str, list[Form]]:
    """The forms by the letters that their opcodes begin with."""
    by_root: dict[str, list[Form]] = {}
    for forms in FORMS.values():
        for form in forms:
            for root in each_choice(re.match(r"(?:\w|\{[^}]*\}|\[c\])+", form.opcode)[0]):  # type: ignore[index]
                by_root.setdefault(root, []).append(form)
    return by_root


def each_choice(opcode: str) -> list[str]:
    """All that a form's opcode stands for."""
    found = [""]
    for one_of, one_or_none, text in PART.findall(opcode):
        choices = [text] if text else one_of.split(",") if one_of else ["", *one_or_none.split(",")]
        found = [before + choice for before in found for choice in choices]
    return found


# What stands behind some instructions, in the table's order. ptxas takes any other order, too.
MODIFIERS_OF_MEMORY, MODIFIERS_OF_ARITHMETIC = (
    [re.compile(pattern) for pattern in patterns]
    for patterns in (
        (
            "weak|volatile|relaxed|acquire|release|acq_rel",
            "cta|cluster|gpu|sys",
            "global|shared|shared::cta|shared::cluster|const|local",
            "ca|cg|cs|lu|cv|wb|wt",
            "nc|add|and|or|xor|min|max|inc|dec|exch|cas",
            r"noftz|L1::\w+",
            "L2::cache_hint",
            r"L2::\d+B",
            "v2|v4",
            r"(?:b|u|s|f|bf)\d+(?:x2)?",
        ),
        ("rn|rz|rm|rp|approx|full", "ftz", "sat", r"(?:f|bf)\d+(?:x2)?"),
    )
)
MODIFIERS = {
    **dict.fromkeys("ld st atom red".split(), MODIFIERS_OF_MEMORY),
    **dict.fromkeys("add sub mul fma div rcp sqrt rsqrt sin cos ex2 lg2 tanh abs neg".split(), MODIFIERS_OF_ARITHMETIC),
}


@functools.cache
def in_order(opcode: str) -> str:
    """The opcode with its modifiers in the table's order, where all are known and of different kinds."""
    root, *modifiers = opcode.split(".")
    kinds = MODIFIERS.get(root, [])
    ranks = [next((n for n, each in enumerate(kinds) if each.fullmatch(modifier)), None) for modifier in modifiers]
    known = [rank for rank in ranks if rank is not None]
    if len(known) < len(ranks) or len(set(known)) < len(known):
        return opcode
    return ".".join([root, *(modifier for _, modifier in sorted(zip(known, modifiers, strict=True)))])


def call_for_form(opcode: str, operands: Sequence[str]) -> tuple[str, list[str]] | None:
    """What does the instruction, and the operands that it writes; None if the table does not have it."""
    opcode = in_order(opcode)
    for form in _forms_by_root().get(opcode.partition(".")[0], []):
        match = _pattern(form.opcode).fullmatch(opcode)
        if match is None:
            continue
        chosen = [(group or "").lstrip(".") for group in match.groups()]
        vector = next((int(each[1:]) for each in chosen if each in ("v2", "v4")), None)
        read = _read_operands(form.operands.split(), operands, vector)
        if read is None:
            continue
        written = [
            word
            for kind, text in zip(form.operands.split(), operands, strict=True)
            if kind in "dDoVu"
            for word in _words(text)
            if word != "_"
        ]
        call = _call(form, chosen, read)
        if call is not None:
            return call, written
    return None


def _words(operand: str) -> list[str]:
    return [word.strip() for word in operand.strip("{} ").replace("|", ",").split(",")]


def _call(form: Form, chosen: Chosen, operands: Sequence[str]) -> str | None:
    if not isinstance(form.call, str):
        return form.call(chosen, operands)
    has_result = form.operands.startswith("d")
    named = [", true" if each == "ftz" else each for each in chosen]
    name = re.sub(r"\{(\d)\}", lambda digit: named[int(digit[1])], "@" + form.call).replace("@", PTX)
    call = f"{name}({', '.join(operands[has_result:])})"
    return f"{operands[0]} = {call}" if has_result else call


# ------------------------------------------------------------------------------------------------------------------ operands

REGISTERS = {
    **{
        f"{register}.{axis}": f"{variable}.{axis}"
        for axis in "xyz"
        for register, variable in (
            ("tid", "::threadIdx"),
            ("ntid", "::blockDim"),
            ("ctaid", "::blockIdx"),
            ("nctaid", "::gridDim"),
            ("cluster_ctaid", "::__clusterRelativeBlockIdx()"),
            ("cluster_nctaid", "::__clusterDim()"),
            ("clusterid", "::__clusterIdx()"),
            ("nclusterid", "::__clusterGridDimInClusters()"),
        )
    },
    "cluster_ctarank": "::__clusterRelativeBlockRank()",
    "cluster_nctarank": "::__clusterSizeInBlocks()",
    "is_explicit_cluster": "::__clusterDimIsSpecified()",
    **{
        name: f"{PTX}{name}()"
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
            "globaltimer_hi",
            "clock",
            "clock_hi",
            "clock64",
        )
    },
}
NUMBER = re.compile(r"(-?)(0[xX][0-9a-fA-F]+|0[bB][01]+|[0-9]+)U?")
FLOAT = re.compile(r"0[fF]([0-9a-fA-F]{8})|0[dD]([0-9a-fA-F]{16})")
TENSOR = re.compile(r"\[ ?(%\d+) ?, ?\{([^{}]*)\} ?\]")
PATTERNS = {"o": r"%\d+( ?\| ?%\d+)?|_ ?\| ?%\d+", "f": r"%\d+|\d+(\.\d*)?|0[fF][0-9a-fA-F]{8}"}
ADDRESS = re.compile(r"\[ ?(%\d+) ?(?:([+-]) ?(-?)(\w+|%\d+) ?)?\]")


def split_operands(text: str) -> list[str]:
    """`{%0, %1}, [%2]` -> ["{%0, %1}", "[%2]"]"""
    return [each.strip() for each in re.split(r",(?![^{}]*\})(?![^\[\]]*\])", text)] if text else []


def _source(text: str) -> str | None:
    if re.fullmatch(r"%\d+", text):
        return text
    if number := NUMBER.fullmatch(text):
        return f"static_cast<::std::uint64_t>(-{number[2]})" if number[1] else number[2]
    if bits := FLOAT.fullmatch(text):
        return "0x" + (bits[1] or bits[2])
    return "32" if text == "WARP_SZ" else None


def _written(text: str) -> str | None:
    return text if re.fullmatch(r"%\d+", text) else None


def _written_or_nothing(text: str) -> str | None:
    return f"{PTX}Register()" if text == "_" else _written(text)


def _list(text: str, number: int | None, read: Callable[[str], str | None]) -> str | None:
    """Of so many registers, or of one without braces where there is no number."""
    if number is None:
        return read(text)
    each = [read(word) for word in _words(text)]
    return (
        "{" + ", ".join(filter(None, each)) + "}" if text.startswith("{") and None not in each and len(each) == number else None
    )


def _tensor_operand(text: str) -> str | None:
    tensor = TENSOR.fullmatch(text)
    coordinates = [_source(word) for word in _words(tensor[2])] if tensor else [None]
    if tensor is None or None in coordinates:
        return None
    at = ", ".join(f"static_cast<int>({each})" for each in coordinates)
    return f"{PTX}generic_address({tensor[1]}), ::emulator::TensorCoordinates{{{{{at}}}}}"


def _read_operand(kind: str, text: str, vector: int | None) -> str | None:
    if kind == "d":
        return _written(text)
    if kind == "r" and text.startswith("%") and text[1:] in REGISTERS:
        return REGISTERS[text[1:]]
    if kind in "sr":
        return _source(text)
    if kind == "D":
        return _list(text, vector, _written)
    if kind == "S":
        return _list(text, vector, _source)
    if kind in "VW":
        read = _written_or_nothing if kind == "V" else _source
        return _list(text, text.count(",") + 1, read) if text.count(",") in (1, 3) else None
    if kind == "p":
        predicate = re.fullmatch(r"(!?) ?(%\d+)", text)
        return f"({predicate[2]} {'=' if predicate[1] else '!'}= 0)" if predicate else None
    if kind == "u":
        return text if text == "_" else _written(text)
    if kind in PATTERNS:
        return text.replace(" ", "") if re.fullmatch(PATTERNS[kind], text) else None
    if kind == "t":
        return _tensor_operand(text)
    if kind == "m":
        address = ADDRESS.fullmatch(text)
        if address is None or address[4] and NUMBER.fullmatch(address[4]) is None and not address[4].startswith("%"):
            return None
        return address[1] + (f" {'-' if (address[2] == '-') != bool(address[3]) else '+'} {address[4]}" if address[4] else "")
    return text if text == kind else None


def _read_operands(kinds: Sequence[str], operands: Sequence[str], vector: int | None) -> list[str] | None:
    if len(kinds) != len(operands):
        return None
    read = [_read_operand(kind, text, vector) for kind, text in zip(kinds, operands, strict=True)]
    known = [each for each in read if each is not None]
    return known if len(known) == len(read) else None

"""The ways through a function's machine code: its loops, and how many loads and copies are under way at a time.

Method: dominators and natural loops, as in Aho, Lam, Sethi and Ullman, "Compilers", section 9.6."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from sass.listing import Function, Instruction

BRANCHES = ("BRA", "BRX", "BRXU", "JMP", "JMX", "JMXU", "WARPSYNC", "CALL")
ENDS = ("EXIT", "RET", "KILL", "BPT")
LOADS = ("LDG", "LD")
COPY = "LDGSTS"  # from global to shared memory: cp.async
ALL_BUT = re.compile(r"SB0, 0x([0-9a-f]+)$")  # of DEPBAR.LE: waits until no more groups of copies than that are under way
REGISTER = re.compile(r"\bR(\d+)\b(\.64)?")


@dataclass(frozen=True)
class Loop:
    """head: the instruction where each round begins. body: all its instructions, by their places in the function.
    depth: 1 for an outermost one."""

    head: int
    body: frozenset[int]
    depth: int

    @property
    def first(self) -> int:
        return min(self.body)

    @property
    def last(self) -> int:
        return max(self.body)


def loops(function: Function) -> list[Loop]:
    """The loops, outer ones before those inside them."""
    starts, successors = _blocks(function)
    predecessors: list[list[int]] = [[] for _ in starts]
    for block, following in enumerate(successors):
        for one in following:
            predecessors[one].append(block)
    bodies: dict[int, set[int]] = {}
    for head in {block for following in successors for block in following}:
        # It dominates what the first block leads to only through it. A branch back from there closes a loop.
        dominated = _reachable(0, successors, -1) - _reachable(0, successors, head)
        for last in dominated.intersection(predecessors[head]):
            bodies.setdefault(head, {head}).update(_reachable(last, predecessors, head))
    ends = [*starts[1:], len(function.code)]
    found = [
        (starts[head], frozenset(at for block in body for at in range(starts[block], ends[block])))
        for head, body in bodies.items()
    ]
    nested = [Loop(head, body, sum(body <= other for _, other in found)) for head, body in found]
    return sorted(nested, key=lambda loop: (loop.first, loop.depth))


def _blocks(function: Function) -> tuple[list[int], list[list[int]]]:
    """Where each basic block begins, and which blocks follow each."""
    code, index = function.code, function.index_of()
    targets = [[index[label] for label in one.target_labels if label in index] for one in code]
    begins = {0} if code else set()
    for at, one in enumerate(code):
        if one.base in BRANCHES:
            begins.update(targets[at])
        if one.base in BRANCHES or one.base in ENDS:
            begins.add(at + 1)
    starts = sorted(begins - {len(code)})
    block_at = {start: block for block, start in enumerate(starts)}
    successors = []
    for block, end in enumerate([*starts[1:], len(code)]):
        last = code[end - 1]
        following = [block_at[at] for at in targets[end - 1]] if last.base in BRANCHES else []
        if goes_on(last) and block + 1 < len(starts):
            following.append(block + 1)
        successors.append(list(dict.fromkeys(following)))
    return starts, successors


def goes_on(one: Instruction) -> bool:
    """Whether the next instruction may come after it."""
    if one.base in ENDS:
        return bool(one.predicate)
    if one.base in BRANCHES:
        return is_conditional(one) or one.base in ("WARPSYNC", "CALL")
    return True


def is_conditional(one: Instruction) -> bool:
    """A branch that is not always taken: by its predicate, or by one among its operands."""
    return bool(one.predicate) or bool({"DIV", "CONV"} & set(one.modifiers)) or re.match(r"!?U?P\d", one.operands) is not None


def _reachable(start: int, edges: Sequence[Sequence[int]], but: int) -> set[int]:
    """The blocks to which edges lead from this one, itself included, without going through another."""
    seen = {but}
    waiting = [start]
    while waiting:
        if (block := waiting.pop()) not in seen:
            seen.add(block)
            waiting += edges[block]
    return seen - {but}


def loads_in_flight(code: Sequence[Instruction], widths: Sequence[int]) -> int:
    """The most global loads that have begun and whose values nobody has needed yet, in the order of a loop's code.
    widths: the bytes that each instruction moves for a lane."""
    pending: list[set[int]] = []
    most = 0
    for one, width in [*zip(code, widths, strict=True)] * 2:  # what one round has loaded, the next one may need
        used = {int(number) + more for number, pair in REGISTER.findall(one.operands) for more in range(2 if pair else 1)}
        pending = [registers for registers in pending if not registers & used]
        if one.base in LOADS and (match := REGISTER.match(one.operands)):
            pending.append({int(match[1]) + more for more in range(max(1, width // 4))})
            most = max(most, len(pending))
    return most


def copies_in_flight(code: Sequence[Instruction]) -> int | None:
    """The most copies to shared memory that a lane has begun and not waited for yet, in the order of a loop's code, once it
    has gone round often enough. None where the loop does not wait for groups of them (cp.async.wait_group)."""
    if not any(one.base == COPY for one in code):
        return 0
    waits = [_groups_left(one) for one in code]
    allowed = [groups for groups in waits if groups is not None]
    if not allowed or not any(one.base == "LDGDEPBAR" for one in code):
        return None
    closed: list[int] = []  # how many copies each group has
    begun = most = 0
    for _ in range(max(allowed) + 2):
        for one, groups in zip(code, waits, strict=True):
            if one.base == COPY:
                begun += 1
                most = max(most, sum(closed) + begun)
            elif one.base == "LDGDEPBAR":
                closed.append(begun)
                begun = 0
            elif groups is not None:
                closed = closed[max(0, len(closed) - groups) :]
    return most


def _groups_left(one: Instruction) -> int | None:
    """How many groups of copies it leaves under way, if it waits for them."""
    match = ALL_BUT.match(one.operands) if one.opcode == "DEPBAR.LE" else None
    return int(match[1], 16) if match else None

"""What stages ask for in a call, as the emulator counts it, and which of a chapter's own stages another one is most like."""

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from recorded import of_kernel
from reports import counts, floors
from reports.floors import Floor
from reports.results import Json
from translating.templates import phrases

COLUMNS = ("sectors", "wavefronts", "atomics", "barriers", "requests", "launches")
ALIKE = 1.02  # what differs by less is called equal
SENTENCES = (  # that are put together below, for translators
    *phrases("""
        {text} is as lean as {text2} in bytes, with {text3}. | {text} moves {text2}, with {text3}.
        {number} times the bytes of {text} | {number}% of the bytes of {text} | no bytes | {number} bytes, where it has none
        {number} times its wavefronts | {number}% of its wavefronts | no wavefronts | {number} wavefronts, where it has none
        {number} times its atomics | {number}% of its atomics | no atomics | {number} atomics, where it has none
        {number} times its barriers | {number}% of its barriers | no barriers | {number} barriers, where it has none
        {number} times its requests | {number}% of its requests | no requests | {number} requests, where it has none
        {number} times its launches | {number}% of its launches | no launches | {number} launches, where it has none
        the same in all else | nearly the same in all else | It takes at least {text}, {text2}.
    """),
)


@dataclass
class Asked:
    """What a stage asks for each time that it is called, and the least time that a GPU needs for it."""

    counts: Counter[str]
    kernels: list[Json]  # as the emulator counts them
    floor: Floor | None = None


def tables_of(kernels: Sequence[Json], gpu: Json | None) -> Iterator[tuple[str, dict[str, Asked]]]:
    """Of each of a program's tables its title and the stages. The stage that launches least launches one kernel a call."""
    found: dict[str, list[tuple[str, Json]]] = {}
    for kernel, row in zip(kernels, counts.per_stage(kernels), strict=True):
        found.setdefault(row.get("table", ""), []).append((row["stage"], kernel))
    for title, rows in found.items():
        calls = min(kernel["launches"] for _, kernel in rows)
        stages: dict[str, Asked] = {}
        for stage, kernel in ((stage, _in_a_call(kernel, calls)) for stage, kernel in rows):
            asked = stages.setdefault(stage, Asked(Counter(), []))
            asked.kernels.append(kernel)
            asked.counts.update(of_kernel({entry["what"]: entry for entry in kernel["counts"]}))
            asked.counts["wavefronts"] += sum(entry.get("wavefronts", 0) for entry in kernel["counts"])
            asked.counts["launches"] += kernel["launches"]
            least = next((each for name, each in floors.of_counted([kernel]).items() if gpu and name in gpu["device"]), None)
            if least:
                before = asked.floor.seconds if asked.floor else 0.0
                asked.floor = Floor(before + least.seconds / calls, least.limit)
        yield title, stages


def _in_a_call(kernel: Json, calls: int) -> Json:
    """What was counted, but for its floors, divided by the calls of its stage."""

    def share(numbers: Json) -> Json:
        return {name: number / calls if isinstance(number, int) else number for name, number in numbers.items()}

    return share(kernel) | {"counts": [share(entry) for entry in kernel["counts"]]}


def nearest(asked: Asked, rungs: Mapping[str, Asked]) -> str:
    """The rung that is most like it, in bytes above all; of several, the last."""

    def away(stage: str, what: str) -> float:
        return abs(math.log((asked.counts[what] + 1) / (rungs[stage].counts[what] + 1)))

    return min(reversed(list(rungs)), key=lambda stage: sum(away(stage, what) for what in ("sectors", *COLUMNS)))


def compared(name: str, asked: Asked, beside: str, rung: Asked) -> str:
    """'mine is as lean as 6_wide in bytes, with 2.0 times its barriers. It takes at least 0.48 ms …'"""
    moved = _beside("bytes", asked.counts["sectors"], rung.counts["sectors"])
    of_rung = moved.replace("its bytes", f"the bytes of {beside}")
    first = f"{name} moves {of_rung}" if moved else f"{name} is as lean as {beside} in bytes"
    others = [_beside(what, asked.counts[what], rung.counts[what]) for what in COLUMNS[1:]]
    said = ", ".join(filter(None, others)) or f"{'' if asked.counts == rung.counts else 'nearly '}the same in all else"
    least = f" It takes at least {floors.time_text(asked.floor.shown())}, {asked.floor.limit}." if asked.floor else ""
    return f"{first}, with {said}.{least}"


def _beside(what: str, own: float, other: float) -> str:
    """'2.1 times its barriers'; nothing where both are nearly the same."""
    if 1 / ALIKE < (own + 1e-9) / (other + 1e-9) < ALIKE:
        return ""
    if not own or not other:
        return f"no {what}" if other else f"{own:,.0f} {what}, where it has none"
    return f"{own / other:.1f} times its {what}" if own > other else f"{max(own / other, 0.01):.0%} of its {what}"

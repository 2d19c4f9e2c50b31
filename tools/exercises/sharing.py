"""Whether the threads of an answer's kernels share the work, or one thread, lane of each warp, warp or block does it alone.

The emulator counts the steps of each thread: two for an access to memory, and one for a piece of code without a branch. All
of them are held against those of the busiest thread, and so on, of each launch, and both against what the solution does.

Pieces of code count only if the thread then touches memory, or gives other threads a value. A thread that comes, finds
nothing to do and goes has no steps at all: else a launch for each phase would make a worker of it, the sooner the more pieces
the compiler makes of a kernel's beginning."""

from collections.abc import Sequence

from exercises.limits import Limit
from reports.results import Json

ALONE = 1.6  # all steps, divided by those of the busiest: below that it does the work alone
SHARED = 1.9  # the same of the solution: from there on the work can be shared
OTHERS = 0.5  # of what all others do in the solution: with more they work, too, and the busiest one waits in a loop


KINDS = {"thread": "thread", "warp": "warp", "lane": "lane of each warp", "block": "block"}


def who_works_alone(kernels: Sequence[Json], of_solution: Sequence[Json]) -> str:
    """One of KINDS' words; '' if nobody does the work alone."""
    for kind, who in KINDS.items():
        steps, busiest = _steps(kernels, kind)
        wanted, wanted_of_one = _steps(of_solution, kind)
        can_be_shared = wanted >= SHARED * wanted_of_one
        if can_be_shared and steps < ALONE * busiest and steps - busiest < OTHERS * (wanted - wanted_of_one):
            return who
    return ""


def may_work_alone(who: str, kernels: Sequence[Json], limits: Sequence[Limit]) -> bool:
    """One block may, if it is the only one and no limit asks for several. A lane may, unless limits count what threads do.
    Where fences say whether the work is shared, threads wait for each other in loops, whose turns are steps, too."""
    if any(limit.what == "fence" and limit.quantity.startswith("warps") for limit in limits):
        return True
    if who == KINDS["block"]:
        several = any(limit.quantity in ("blocks", "blocks per launch") and limit.relation != "<=" for limit in limits)
        return not several and all(kernel["blocks"] == kernel["launches"] for kernel in kernels)
    return who == KINDS["lane"] and not any(limit.what for limit in limits)


def _steps(kernels: Sequence[Json], kind: str) -> tuple[int, int]:
    """All of them, and those of the busiest of a kind."""
    counted = [kernel["steps"] for kernel in kernels if "steps" in kernel]
    return sum(steps["all"] for steps in counted), sum(steps[f"of_{kind}"] for steps in counted)

"""How fast a kernel cannot be: floors of times, from what its work takes at least and what a GPU does at most.

A floor is a lower bound and never a prediction: it is the largest of several times, each of which the work takes even if
nothing else took any. What is not in it (latency, too few threads, accesses that are not coalesced) makes the real time
longer. So only such work counts as no kernel of the stage can avoid:
- bytes: what is read and written at least once, by the program's own formula. Memory that a launch before may have left in
  the L2 cache need not be moved, but comes from there;
- operations: those of the method, by the program's own formula;
- wavefronts of loads from shared memory: only as a profiler has counted them on a GPU, since nvcc joins what the source has
  apart;
- atomic operations at one address, blocks and kernels that start: one after the other."""

import bisect
import itertools
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from reports.results import Json
from sass.launches import value_of
from shared import console
from shared.chapters import ROOT
from shared.console import EXIT_USAGE, Failure
from translating.templates import phrase

CEILINGS_OF = "02_device_query"
CPU = re.compile(r"^[a-z]?\d+_cpu([_/]|$)")
LEGEND = phrase(
    "At least: the floor of a time that was recorded, and no prediction: bytes are counted once, operations by the method's "
    "formula, and blocks and launches start one after the other. The floors of a stage that you name are shown for all sizes, "
    "else for the largest."
)


@dataclass(frozen=True)
class Ceilings:
    """What a GPU does at most. What its clocks and the widths of its buses allow, where these are known: the rates that
    were measured differ by some percent from one card of a kind to the next. Else the highest that was measured."""

    memory: float  # bytes a second over the bus of the global memory
    l2_bytes: float  # the size of the L2 cache
    l2: float  # bytes a second from the L2 cache
    wavefronts: float  # of shared memory in a second, one in each cycle of each multiprocessor
    atomic_at_one_address: float  # seconds, as the next two
    start_of_a_block: float
    start_of_a_kernel: float


@dataclass(frozen=True)
class Work:
    """What a stage does at least, in a launch or the few that belong together."""

    bytes: float = 0  # of global memory, each counted once
    one_way: float = 0  # of these, what goes in one direction between the L2 cache and the multiprocessors
    operations: float = 0
    operations_a_second: float = math.inf  # at most, by the GPU's cores
    wavefronts: float = 0  # of shared memory
    atomics_at_one_address: float = 0
    blocks: float = 0
    kernels: int = 1
    times: float = 1  # all of this is done so often, once after the other
    cold: bool = False  # nothing of it is in the L2 cache at the beginning


@dataclass(frozen=True)
class Floor:
    seconds: float
    limit: str  # whose time it is: "its bytes"

    def shown(self) -> float:
        """Rounded down to two digits: what is claimed."""
        if self.seconds <= 0:
            return 0
        digit = 10.0 ** (math.floor(math.log10(self.seconds)) - 1)
        return math.floor(self.seconds / digit * (1 + 1e-12)) * digit


def ceilings(gpu: Json) -> Ceilings | None:
    """Those of a GPU that chapter 02 was measured on, as a whole."""
    entry = gpu["chapters"].get(CEILINGS_OF, {})
    peak, measured, memory = entry.get("peak") or {}, entry.get("measured") or {}, entry.get("memory") or {}
    if not peak.get("gb_per_s") or not measured.get("atomic_at_one_address_ns"):
        return None
    return Ceilings(
        1e9 * peak["gb_per_s"],
        memory["l2_cache_bytes"],
        1e9 * measured["reading_the_l2_cache_gb_per_s"],
        1e3 * entry["general"]["clock_rate_khz"] * entry["multiprocessor"]["multiprocessors"],
        1e-9 * measured["atomic_at_one_address_ns"],
        1e-9 * measured["start_of_a_block_ns"],
        1e-9 * measured["start_of_a_kernel_ns"],
    )


def floor(work: Work, most: Ceilings) -> Floor:
    """The largest of the times that the work takes on the GPU."""
    from_memory = work.bytes if work.cold else max(0.0, work.bytes - most.l2_bytes)
    floors = [
        Floor(work.kernels * most.start_of_a_kernel, "its launch" if work.kernels == 1 else "its launches"),
        Floor(work.blocks * most.start_of_a_block, "its blocks"),
        Floor(work.atomics_at_one_address * most.atomic_at_one_address, "its atomics at one address"),
        Floor(work.wavefronts / most.wavefronts, "its shared memory"),
        Floor(work.operations / work.operations_a_second, "its operations"),
        Floor(work.one_way / most.l2, "its bytes, from the L2 cache"),
        Floor(from_memory / most.memory, "its bytes"),
    ]
    largest = max(floors, key=lambda each: each.seconds)
    if work.times == 1:
        return largest
    return Floor(work.times * largest.seconds, largest.limit.replace("its launch", "its launches"))


def zones(gpu: Json, chapter: str, runs: Sequence[Json], sizes: Sequence[float]) -> list[tuple[str, float]]:
    """What a plain stage of these runs, the same work at several sizes, waits for at least: a launch, its bytes from the L2
    cache, or from memory where they do not fit in there, or its operations; each with the size from which on it takes
    longer than the others. Between two sizes work is taken to grow as a power of the size. Empty where no ceilings are
    known, or no work."""
    most = ceilings(gpu)
    works = [
        [work_of(chapter, run, stage) for stage in run["stages"] if stage.get("seconds") and not CPU.search(stage["name"])]
        for run in runs
    ]
    moved = [max((work.bytes for work in of_run), default=0) for of_run in works]
    operations = [max((work.operations / work.operations_a_second for work in of_run), default=0) for of_run in works]
    if not most or not (any(moved) or any(operations)):
        return []

    def limit(size: float) -> str:
        bytes_there = _between(sizes, moved, size)
        rate, name = (most.l2, "L2") if bytes_there <= most.l2_bytes else (most.memory, "memory")
        times = {"launch": most.start_of_a_kernel, name: bytes_there / rate, "operations": _between(sizes, operations, size)}
        return max(times, key=lambda each: times[each])

    def first(low: float, high: float) -> float:
        """Where, between two sizes, the limit is no longer that of the first."""
        for _ in range(40):
            middle = math.sqrt(low * high)
            low, high = (middle, high) if limit(middle) == limit(low) else (low, middle)
        return high

    steps = 200
    at = [sizes[0] * (sizes[-1] / sizes[0]) ** (i / steps) for i in range(steps + 1)]
    changes = [first(low, high) for low, high in itertools.pairwise(at) if limit(low) != limit(high)]
    return [(limit(size), size) for size in (at[0], *changes)]


def _between(xs: Sequence[float], ys: Sequence[float], x: float) -> float:
    """At x, on the straight line between its neighbours with both scales logarithmic."""
    right = min(max(bisect.bisect_left(xs, x), 1), len(xs) - 1)
    (x0, x1), (y0, y1) = xs[right - 1 : right + 1], ys[right - 1 : right + 1]
    if not y0 or not y1:
        return 0.0
    return float(y0 * (y1 / y0) ** (math.log(x / x0) / math.log(x1 / x0)))


def short_name(gpu: str) -> str:
    """'NVIDIA H100 80GB HBM3' is an H100."""
    words = (re.match(r"[A-Za-z]*\d+[A-Za-z]*", word) for word in gpu.split())
    return next((word[0] for word in words if word and not re.match(r"\d+GB", word[0])), "GPU")[:7]


def chosen(gpus: Sequence[Json], name: str | None) -> Json | None:
    """The GPU with this in its name; without one, the last one measured. None where no GPU's ceilings are known."""
    known = [gpu for gpu in gpus if ceilings(gpu)]
    if name is None:
        return max(reversed(known), key=lambda gpu: str(gpu["chapters"][CEILINGS_OF].get("date", "")), default=None)
    matching = [gpu for gpu in known if name.lower().replace("_", " ") in gpu["device"].lower()]
    if len(matching) != 1:
        which = "none" if not matching else "several"
        raise Failure(f"--gpu {console.quoted(name)}: {which} of {', '.join(gpu['device'] for gpu in known)}", EXIT_USAGE)
    return matching[0]


# What the programs' formulas say of all stages of a chapter is too much for some:
# 12: 17 multiply-adds, a division and an addition for eight terms, where the formula has 48 operations. 04: half of the picture
# is computed, and written twice, by stages that include this header.
OPERATIONS = {("12_pi", "9_polynomials"): 2 * 19 / 48}
HALF = '#include "half_plane.h"'
# 06: two subtractions and two multiply-adds for each ray and sphere; four rays in a row may miss a sphere after one of each.
OPERATIONS_OF_A_RAY = {"2_global": 6, "3_constant": 6, "4_packed": 6, "5_four_pixels": 3 / 4}
SPHERES = re.compile(r"([\d,]+) spheres?, ")
# 10: a find reads a key and writes a value; the sectors of the table that it needs, 32 of the formula's 40 bytes, serve
# several finds.
BYTES = {("10_hash_table", "finds"): 8 / 40}
# 14: how many steps a launch takes between reading the points and writing them, where it is not one. 9 has four launches for
# each. 7 takes all steps that there are.
STEPS = re.compile(r" points, ([\d,]+) steps?$")
STEPS_OF_A_LAUNCH = {
    "6_temporal/2": 2,
    "6_temporal": 4,
    "6_temporal/8": 8,
    "9_two_devices": 1 / 4,
    "10_columns": 8,
    "10_columns/4": 4,
}
ALL_STEPS = "7_one_launch"
# Launches that a graph has ready may follow each other faster than those that were measured; and two devices share the work.
OTHERWISE_LAUNCHED = ("8_graph", "9_two_devices")
READ_ONLY = ("05_dot_product", "07_histogram", "08_atomic_sum")
# How many items (floats, pixels, steps of a point) a stage has for each block that it starts, whatever their number: in the
# constants of its file and of the headers beside it; where other work of the stage takes longer than its blocks, nothing is
# said. 13: stages 2 to 6 start a block for each tile in two kernels. What scans the sums of the tiles is left out.
ITEMS_OF_A_BLOCK = {
    ("03_vector_add", "2_one_thread_blocks"): "1",
    ("03_vector_add", "3_blocks_and_threads"): "block_size",
    ("04_julia", "2_block_per_pixel"): "1",
    ("13_scan", "2_hillis_steele"): "tile / 2",
    ("13_scan", "3_blelloch"): "tile / 2",
    ("13_scan", "4_conflict_free"): "tile / 2",
    ("13_scan", "5_warp_shuffle"): "tile / 2",
    ("13_scan", "6_reduce_first"): "tile / 2",
    ("14_stencil", "2_naive"): "block_width * block_height",
    ("14_stencil", "3_constant"): "block_width * block_height",
    ("14_stencil", "4_shared_tile"): "tile_width * tile_height",
    ("14_stencil", "5_quads"): "4 * block_width * block_height",
    ("14_stencil", "8_graph"): "block_width * block_height",
    ("14_stencil", "b2_naive"): "block_width * block_height",
}
# Wavefronts of loads from shared memory, as Nsight Compute counted them, for so many multiply-adds. At other sizes there are
# as many for each of them where all tiles are whole: no tile has more rows or columns than TILE. The operations of the stages
# after 6 take longer.
WAVEFRONTS = {
    ("11_matrix_multiply", "4_row_in_shared"): (65536, 64 * 256 * 256),
    ("11_matrix_multiply", "5_tiled"): (196608, 64 * 256 * 256),
    ("11_matrix_multiply", "6_register_tile"): (65536, 128 * 256 * 256),  # half of each tile was outside the matrix
}
TILE = 128
# Stages with an atomic operation of global memory for each item. 07: at the counter of one of 256 values; whatever the data
# are, one of these has its share. 12: the lanes of a warp add as one.
ATOMICS = {
    ("07_histogram", "2_global_atomics"): 1 / 256,
    ("08_atomic_sum", "2_atomic_per_thread"): 1,
    ("12_pi", "r2_atomic_per_hit"): 1 / 32,
}
ONE_VALUE = "one repeated value"
# Stages that launch a kernel for each item.
A_KERNEL_FOR_EACH_ITEM = (("09_bubble_sort", "2_global_memory"),)


def work_of(chapter: str, run: Json, stage: Json) -> Work:
    """The least work of a stage in a run that was recorded, at its size."""
    name, seconds, n = stage["name"], stage["seconds"], run["n"]
    asked = "finds" if " finds " in run["title"] else "build"
    moved = 1e9 * (stage.get("gb_per_s") or 0) * seconds * BYTES.get((chapter, asked), 1)
    done = 1e9 * (stage.get("gflop_per_s") or 0) * seconds * OPERATIONS.get((chapter, name), 1)
    done *= 1 / 2 if chapter == "04_julia" and HALF in _source(chapter, name) else 1
    launches = 1.0
    if found := STEPS.search(run["title"]):
        steps = int(found[1].replace(",", ""))
        moved /= steps
        if name != ALL_STEPS and name not in OTHERWISE_LAUNCHED:
            launches = steps / STEPS_OF_A_LAUNCH.get(name, 1)
    if spheres := SPHERES.match(run["title"]):
        done = OPERATIONS_OF_A_RAY.get(name, 0) * n**2 * int(spheres[1].replace(",", ""))
    wavefronts, products = WAVEFRONTS.get((chapter, name), (0, 1)) if n % TILE == 0 else (0, 1)
    at_one = ATOMICS.get((chapter, name), 0)
    if at_one and run["title"].startswith(ONE_VALUE):
        at_one = 1
    return Work(
        bytes=moved,
        one_way=moved if chapter in READ_ONLY else moved / 2,  # at least half of it goes in one of both directions
        operations=done,
        operations_a_second=1e9 * run["peak_gflop_per_s"] if done and run["peak_gflop_per_s"] else math.inf,
        atomics_at_one_address=n * at_one,
        wavefronts=wavefronts * n**3 / products,
        blocks=n / items_of_a_block(chapter, name) / launches,
        kernels=n if (chapter, name) in A_KERNEL_FOR_EACH_ITEM else 1,
        times=launches,
        cold=run["cold_l2"],
    )


@cache
def _source(chapter: str, stage: str) -> str:
    """A stage's file, of the chapter or the reader's; empty for one that was measured and is there no more."""
    paths = (path for folder in (ROOT, ROOT / "my") for path in (folder / chapter).glob(f"{stage.partition('/')[0]}.c*"))
    return "".join(path.read_text(encoding="utf-8") for path in paths)


@cache
def items_of_a_block(chapter: str, stage: str) -> float:
    """Infinite where the number of blocks does not depend on the number of items."""
    file = stage.partition("/")[0]
    expression = ITEMS_OF_A_BLOCK.get((chapter, file))
    if not expression:
        return math.inf
    text = (ROOT / chapter / f"{file}.cu").read_text(encoding="utf-8")
    headers = [path for name in re.findall(r'#include "(\w+\.h)"', text) if (path := ROOT / chapter / name).is_file()]
    items = value_of(expression, [text, *(path.read_text(encoding="utf-8") for path in headers)])
    assert items, (chapter, stage)
    return items


@dataclass(frozen=True)
class Recorded:
    """A time that was recorded, and its floor."""

    gpu: str
    chapter: str
    run: Json
    stage: Json
    floor: Floor

    def ratio(self) -> float:
        return float(self.stage["seconds"] / self.floor.seconds)


def of_recorded(gpu: Json, chapter: str) -> Iterator[Recorded]:
    """All stages of a chapter that were measured on the GPU, in their order."""
    most = ceilings(gpu)
    for run in gpu["chapters"].get(chapter, {}).get("runs", []) if most else []:
        for stage in run["stages"]:
            if stage.get("seconds") and not CPU.search(stage["name"]):
                assert most
                yield Recorded(gpu["device"], chapter, run, stage, floor(work_of(chapter, run, stage), most))


def with_floors(gpu: Json, chapter: str) -> Json:
    """What was measured of a chapter; each stage that has a floor has it as `floor`."""
    entry: Json = gpu["chapters"][chapter]
    found = {id(each.stage): each.floor for each in of_recorded(gpu, chapter)}

    def noted(stage: Json) -> Json:
        return stage | {"floor": found[id(stage)]} if id(stage) in found else stage

    runs = [run | {"stages": [noted(stage) for stage in run["stages"]]} for run in entry.get("runs", [])]
    return entry | {"runs": runs} if runs else entry


def of_counted(kernels: Sequence[Json]) -> dict[str, Floor]:
    """By the names of the GPUs that the emulator knows: the floor of all launches of the kernel that takes longest."""
    found: dict[str, Floor] = {}
    for each in (each for kernel in kernels for each in kernel.get("floors", [])):
        if each["gpu"] not in found or each["seconds"] > found[each["gpu"]].seconds:
            found[each["gpu"]] = Floor(each["seconds"], each["limit"])
    return found


def columns(recorded: Sequence[Recorded], sizes: Sequence[str] = ()) -> dict[str, list[str]]:
    """A table's columns by their headings; with the sizes of the runs, where they differ."""
    return {
        "stage": [each.stage["name"] for each in recorded],
        **({"size": list(sizes)} if sizes else {}),
        "limit": [each.floor.limit.removeprefix("its ") for each in recorded],
        "at least": [time_text(each.floor.shown()) for each in recorded],
        "recorded": [time_text(each.stage["seconds"], 3) for each in recorded],
        "time ÷ floor": [times_text(each.ratio()) for each in recorded],
    }


def time_text(seconds: float, digits: int = 2) -> str:
    """'0.66 ms': a number of so many digits, with the unit that suits."""
    factor, unit = next(((f, u) for f, u in ((1, "s"), (1e3, "ms")) if seconds * f >= 0.1), (1e6, "µs"))
    return f"{_rounded(seconds * factor, digits)} {unit}"


def times_text(ratio: float) -> str:
    return f"{ratio:.2f}" if ratio < 10 else f"{ratio:,.0f}"


def _rounded(value: float, digits: int) -> str:
    after_point = max(0, digits - 1 - math.floor(math.log10(value))) if value > 0 else 0
    return f"{value:,.{after_point}f}"

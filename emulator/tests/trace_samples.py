"""Traces as the emulator writes them (emulator/watch/README.md), of kernels whose accesses can be written down by hand, and
the page around them."""

import base64
import copy
import html
import json
import random
import zlib
from collections.abc import Callable, Iterable
from pathlib import Path

WATCH = Path(__file__).resolve().parents[1] / "watch"
HOSTILE = "</script><b>\"bold\"</b> & 'more' <!-- {{trace}}"
Trace = dict


class Builder:
    """A trace of one launch, put together step by step."""

    def __init__(self, kernel: str, source: str, grid: tuple[int, int, int], block: tuple[int, int, int],
                 program: str = "") -> None:
        self.threads = block[0] * block[1] * block[2]
        self.warps = (self.threads + 31) // 32
        self.sites: list[dict] = []
        self.arrays: list[dict] = []
        self.lines = source.strip("\n").split("\n")
        self.memory: dict[tuple[int, int], object] = {}
        self.launch = {"kernel": kernel, "stage": "", "file": 0, "line": 1, "grid": list(grid), "block": list(block),
                       "blocks": grid[0] * grid[1] * grid[2], "shown": [], "findings": []}
        self.program = program or kernel.split("(")[0].split()[-1]

    def array(self, name: str, memory: str, extents: list[int], address: int = 0, kind: str = "float",
              unit: int = 4, element: int = 4) -> int:
        elements = 1
        for extent in extents:
            elements *= extent
        self.arrays.append({"name": name, "memory": memory, "bytes": elements * element, "address": address,
                            "element": element, "unit": unit, "kind": kind, "extents": extents})
        return len(self.arrays) - 1

    def fill(self, array: int, values: Iterable) -> None:
        for i, value in enumerate(values):
            self.memory[array, i] = value

    def site(self, text: str, operation: str, memory: str = "", size: int = 4, name: str = "") -> int:
        line = 1 + next(i for i, line in enumerate(self.lines) if text in line)
        site = {"file": 0, "line": line, "operation": operation, "memory": memory, "bytes": size, "name": name}
        if site not in self.sites:
            self.sites.append(site)
        return self.sites.index(site)

    def block(self, index: list[int], left_out: int = 0) -> None:
        for number, array in enumerate(self.arrays):
            if array["memory"] == "shared":
                for key in [key for key in self.memory if key[0] == number]:
                    del self.memory[key]
        self.launch["shown"].append({"index": index, "steps_left_out": left_out, "rounds": []})
        self.round()

    def round(self) -> None:
        self.launch["shown"][-1]["rounds"].append({"barrier": None, "warps": [[] for _ in range(self.warps)]})

    def barrier(self, site: int, grid: bool = False) -> None:
        self.launch["shown"][-1]["rounds"][-1].update({"barrier": site} | ({"grid": True} if grid else {}))
        self.round()

    def _step(self, warp: int, site: int, lanes: list[int]) -> dict:
        step: dict = {"site": site}
        if lanes != list(range(min(32, self.threads - 32 * warp))):
            step["lanes"] = sum(1 << lane for lane in lanes)
        self.launch["shown"][-1]["rounds"][-1]["warps"][warp].append(step)
        return step

    def access(self, warp: int, site: int, array: int, element: dict[int, int],
               value: Callable[[int], object] | None = None) -> dict[int, object]:
        """lane → element; stores and atomics: the value of each lane. Returns what was read, or held before."""
        operation = self.sites[site]["operation"]
        memory = self.sites[site]["memory"]
        step = self._step(warp, site, list(element))
        unit = self.arrays[array]["element"]
        at = [e * unit for e in element.values()]
        gaps = {b - a for a, b in zip(at, at[1:], strict=False)}
        step["array"] = array
        if len(gaps) <= 1:
            step |= {"from": at[0], "by": gaps.pop() if gaps else 0}
        else:
            step["at"] = at
        before, after = {}, {}
        for lane, e in element.items():
            before[lane] = self.memory.get((array, e))
            if operation != "load":
                self.memory[array, e] = before[lane] + value(lane) if operation == "atomic" else value(lane)
            after[lane] = self.memory.get((array, e))
        step["values"] = list(after.values())
        address = self.arrays[array]["address"]
        if memory == "shared":
            size = self.sites[site]["bytes"]
            words = {word for offset in at for word in range((address + offset) // 4, (address + offset + size + 3) // 4)}
            busiest = max(sum(word % 32 == bank for word in words) for bank in range(32))
            step |= {"cost": busiest, "least": (len(words) + 31) // 32 if size > 4 else 1}
        elif memory == "global":
            step["cost"] = len({(address + offset) // 32 for offset in at})
        else:
            step["cost"] = len(set(at))
        if operation == "atomic":
            step["before"] = list(before.values())
            step["same"] = max(at.count(offset) for offset in at)
        return before

    def warp_operation(self, warp: int, site: int, gave: dict[int, object], got: dict[int, object],
                       sources: dict[int, int] | None = None) -> None:
        step = self._step(warp, site, list(gave))
        step |= {"values": [got[lane] for lane in gave], "before": list(gave.values())}
        if sources:
            step["sources"] = [sources[lane] for lane in gave]

    def fence(self, warp: int, site: int, lanes: list[int]) -> None:
        self._step(warp, site, lanes)

    def finding(self, kind: str, report: str, steps: list[list[int]]) -> None:
        self.launch["findings"].append({"kind": kind, "report": report, "steps": steps})

    def trace(self, path: str = "sample.cu", why: str = "") -> Trace:
        return {"format": "cuda emulator trace", "version": 1, "program": self.program,
                "left_out": {"launches": 3 if why else 0, "why": why},
                "files": [{"path": path, "first": 1, "lines": self.lines}], "sites": self.sites, "arrays": self.arrays,
                "launches": [self.launch]}


TREE = """
__global__ void tree_sum(const float* a, float* sums, unsigned n) {
    __shared__ float cache[256];
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    cache[threadIdx.x] = a[i];
    __syncthreads();

    for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) {
            cache[threadIdx.x] += cache[threadIdx.x + half];
        }
        __syncthreads();  // not inside the if
    }
    if (threadIdx.x == 0) sums[blockIdx.x] = cache[0];
}
"""


def tree(threads: int = 256, blocks: tuple[int, ...] = (0, 3)) -> Trace:
    b = Builder("void tree_sum(const float*, float*, unsigned)", TREE, (4, 1, 1), (threads, 1, 1),
                "./tree_sum --n 1024")
    a = b.array("a", "global", [4 * threads])
    sums = b.array("sums", "global", [4])
    cache = b.array("cache", "shared", [threads])
    b.fill(a, (i % 7 for i in range(4 * threads)))
    load = b.site("= a[i]", "load", "global")
    keep = b.site("= a[i]", "store", "shared")
    barrier = b.site("__syncthreads();", "barrier")
    read = b.site("+= cache", "load", "shared")
    write = b.site("+= cache", "store", "shared")
    again = b.site("// not inside", "barrier")
    last = b.site("sums[blockIdx.x]", "load", "shared")
    out = b.site("sums[blockIdx.x]", "store", "global")
    for block in blocks:
        b.block([block, 0, 0])
        for w in range(b.warps):
            lanes = range(min(32, threads - 32 * w))
            got = b.access(w, load, a, {lane: block * threads + 32 * w + lane for lane in lanes})
            b.access(w, keep, cache, {lane: 32 * w + lane for lane in lanes}, lambda lane, got=got: got[lane])
        b.barrier(barrier)
        half = threads // 2
        while half > 0:
            for w in range(b.warps):
                lanes = [lane for lane in range(32) if 32 * w + lane < half]
                if not lanes:
                    continue
                far = b.access(w, read, cache, {lane: 32 * w + lane + half for lane in lanes})
                near = b.access(w, read, cache, {lane: 32 * w + lane for lane in lanes})
                b.access(w, write, cache, {lane: 32 * w + lane for lane in lanes},
                         lambda lane, far=far, near=near: far[lane] + near[lane])
            b.barrier(again)
            half //= 2
        total = b.access(0, last, cache, {0: 0})
        b.access(0, out, sums, {0: block}, lambda lane, total=total: total[lane])
    return b.trace()


def two_launches() -> Trace:
    """What the first launch left in global memory is there in the second."""
    trace = tree(blocks=(0,))
    trace["launches"].append(copy.deepcopy(trace["launches"][0]) | {"stage": "second"})
    trace["left_out"] = {"launches": 3, "why": "the program repeats them"}
    return trace


COPY = """
__global__ void copy(const float* from, float* to, unsigned stride) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    to[i] = from[i * stride];
    to[i] = from[i];
}
"""


def strided_copy() -> Trace:
    b = Builder("void copy(const float*, float*, unsigned)", COPY, (1, 1, 1), (64, 1, 1))
    source = b.array("from", "global", [2048], address=16)
    to = b.array("to", "global", [64])
    b.fill(source, (i * 0.5 for i in range(2048)))
    b.block([0, 0, 0])
    for text, stride in (("i * stride", 32), ("from[i]", 1)):
        load, store = b.site(text, "load", "global"), b.site(text, "store", "global")
        for w in range(2):
            got = b.access(w, load, source, {lane: (32 * w + lane) * stride for lane in range(32)})
            b.access(w, store, to, {lane: 32 * w + lane for lane in range(32)}, lambda lane, got=got: got[lane])
    return b.trace()


TRANSPOSE = """
__global__ void transpose(const float* in, float* out) {
    __shared__ float tile[32][WIDTH];
    tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];
    __syncthreads();
    out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
"""


def transpose(padding: int) -> Trace:
    wide = 32 + padding
    b = Builder("void transpose(const float*, float*)", TRANSPOSE.replace("WIDTH", str(wide)), (1, 1, 1), (32, 32, 1))
    a, out = b.array("in", "global", [1024]), b.array("out", "global", [1024])
    tile = b.array("tile", "shared", [32, wide])
    b.fill(a, range(1024))
    load, keep = b.site("= in", "load", "global"), b.site("= in", "store", "shared")
    read, write = b.site("= tile", "load", "shared"), b.site("= tile", "store", "global")
    barrier = b.site("__syncthreads", "barrier")
    b.block([0, 0, 0])
    for w in range(32):
        got = b.access(w, load, a, {lane: 32 * w + lane for lane in range(32)})
        b.access(w, keep, tile, {lane: wide * w + lane for lane in range(32)}, lambda lane, got=got: got[lane])
    b.barrier(barrier)
    for w in range(32):
        got = b.access(w, read, tile, {lane: wide * lane + w for lane in range(32)})
        b.access(w, write, out, {lane: 32 * w + lane for lane in range(32)}, lambda lane, got=got: got[lane])
    return b.trace()


HISTOGRAM = """
__global__ void histogram(const unsigned* text, unsigned* bins) {
    __shared__ unsigned counts[16];
    if (threadIdx.x < 16) counts[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&counts[text[threadIdx.x]], 1);
    __syncthreads();
    if (threadIdx.x < 16) atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
"""


def histogram() -> Trace:
    b = Builder("void histogram(const unsigned*, unsigned*)", HISTOGRAM, (1, 1, 1), (96, 1, 1))
    text = b.array("text", "global", [96], kind="unsigned")
    bins = b.array("bins", "global", [16], kind="unsigned")
    counts = b.array("counts", "shared", [16], kind="unsigned")
    b.fill(text, ((i * i + i // 5) % 11 for i in range(96)))
    b.fill(bins, [100] * 16)
    clear = b.site("= 0;", "store", "shared")
    barrier = b.site("__syncthreads", "barrier")
    load, add = b.site("&counts", "load", "global"), b.site("&counts", "atomic", "shared", name="add")
    read, flush = b.site("&bins", "load", "shared"), b.site("&bins", "atomic", "global", name="add")
    b.block([0, 0, 0])
    b.access(0, clear, counts, {lane: lane for lane in range(16)}, lambda lane: 0)
    b.barrier(barrier)
    for w in range(3):
        got = b.access(w, load, text, {lane: 32 * w + lane for lane in range(32)})
        b.access(w, add, counts, got, lambda lane: 1)
    b.barrier(barrier)
    got = b.access(0, read, counts, {lane: lane for lane in range(16)})
    b.access(0, flush, bins, {lane: lane for lane in range(16)}, lambda lane: got[lane])
    return b.trace()


DIVERGENT = """
__global__ void collatz(const int* start, int* steps) {
    int x = start[threadIdx.x];
    int count = 0;
    while (x != 1) {
        x = x % 2 ? 3 * x + 1 : x / 2;
        steps[threadIdx.x] = ++count;
    }
}
"""


def divergent_loop() -> Trace:
    b = Builder("void collatz(const int*, int*)", DIVERGENT, (1, 1, 1), (40, 1, 1))
    start, steps = b.array("start", "global", [40], kind="int"), b.array("steps", "global", [40], kind="int")
    b.fill(start, range(1, 41))
    load, store = b.site("= start", "load", "global"), b.site("++count", "store", "global")
    b.block([0, 0, 0])
    for w, count in ((0, 32), (1, 8)):
        x = b.access(w, load, start, {lane: 32 * w + lane for lane in range(count)})
        turn = 0
        while active := [lane for lane in x if x[lane] != 1]:
            turn += 1
            for lane in active:
                x[lane] = 3 * x[lane] + 1 if x[lane] % 2 else x[lane] // 2
            b.access(w, store, steps, {lane: 32 * w + lane for lane in active}, lambda lane, turn=turn: turn)
    return b.trace()


SHUFFLES = """
__global__ void warp_sum(const float* a, float* result) {
    float sum = a[threadIdx.x];
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(~0u, sum, offset);
    float all = __shfl_sync(~0u, sum, 0);
    unsigned positive = __ballot_sync(~0u, all > 0);
    float twin = __shfl_xor_sync(~0u, sum, 1);
    __threadfence();
    if (threadIdx.x == 0) *result = all;
}
"""


def shuffles() -> Trace:
    b = Builder("void warp_sum(const float*, float*)", SHUFFLES, (1, 1, 1), (32, 1, 1))
    a, result = b.array("a", "global", [32]), b.array("result", "global", [])
    b.fill(a, (1 + i % 5 for i in range(32)))
    lanes = range(32)
    b.block([0, 0, 0])
    x = b.access(0, b.site("= a[", "load", "global"), a, {lane: lane for lane in lanes})
    down = b.site("shfl_down", "warp operation", name="__shfl_down_sync()")

    def shuffle(site: int, x: dict, source: Callable[[int], int]) -> dict:
        sources = {lane: source(lane) for lane in lanes}
        got = {lane: x[sources[lane]] for lane in lanes}
        b.warp_operation(0, site, x, got, sources)
        return got

    for offset in (16, 8, 4, 2, 1):
        got = shuffle(down, x, lambda lane, offset=offset: lane + offset if lane + offset < 32 else lane)
        x = {lane: x[lane] + got[lane] for lane in lanes}
    total = shuffle(b.site("shfl_sync", "warp operation", name="__shfl_sync()"), x, lambda lane: 0)
    b.warp_operation(0, b.site("__ballot", "warp operation", name="__ballot_sync()"), dict.fromkeys(lanes, 1),
                     dict.fromkeys(lanes, 0xffffffff))
    shuffle(b.site("shfl_xor", "warp operation", name="__shfl_xor_sync()"), x, lambda lane: lane ^ 1)
    b.fence(0, b.site("__threadfence", "fence"), list(lanes))
    b.access(0, b.site("*result", "store", "global"), result, {0: 0}, lambda lane: total[lane])
    return b.trace()


CONSTANT = """
__constant__ float weights[64];
__global__ void weigh(float* out) {
    float same = weights[5];
    float own = weights[threadIdx.x];
    out[threadIdx.x] = same * own;
}
"""


def constant() -> Trace:
    b = Builder("void weigh(float*)", CONSTANT, (1, 1, 1), (32, 1, 1))
    weights, out = b.array("weights", "constant", [64]), b.array("out", "global", [32])
    b.fill(weights, (i / 8 for i in range(64)))
    b.block([0, 0, 0])
    one = b.access(0, b.site("weights[5]", "load", "constant"), weights, dict.fromkeys(range(32), 5))
    own = b.access(0, b.site("weights[threadIdx.x]", "load", "constant"), weights, {lane: lane for lane in range(32)})
    b.access(0, b.site("out[", "store", "global"), out, {lane: lane for lane in range(32)},
             lambda lane: one[lane] * own[lane])
    return b.trace()


LOCK = """
__global__ void count(int* lock, int* total) {
    bool done = false;
    while (!done) {
        if (atomicCAS(lock, 0, 1) == 0) {
            *total += 1;
            __threadfence();
            atomicExch(lock, 0);
            done = true;
        }
    }
}
"""


def lock(lanes: int = 6) -> Trace:
    b = Builder("void count(int*, int*)", LOCK, (1, 1, 1), (lanes, 1, 1))
    word, total = b.array("lock", "global", [], kind="int"), b.array("total", "global", [], kind="int")
    b.fill(word, [0])
    b.fill(total, [0])
    cas = b.site("atomicCAS", "atomic", "global", name="compare and swap")
    load, store = b.site("+= 1", "load", "global"), b.site("+= 1", "store", "global")
    fence, exchange = b.site("__threadfence", "fence"), b.site("atomicExch", "atomic", "global", name="exchange")
    b.block([0, 0, 0])
    for owner in range(lanes):
        waiting = list(range(owner, lanes))
        b.access(0, cas, word, dict.fromkeys(waiting, 0), lambda lane, owner=owner: int(lane == owner))
        old = b.access(0, load, total, {owner: 0})
        b.access(0, store, total, {owner: 0}, lambda lane, old=old: old[lane] + 1)
        b.fence(0, fence, [owner])
        b.access(0, exchange, word, {owner: 0}, lambda lane: -1)
    return b.trace()


RACE = """
__global__ void shift(float* a) {
    __shared__ float cache[64];
    cache[threadIdx.x] = a[threadIdx.x];
    a[threadIdx.x] = cache[63 - threadIdx.x];  // a barrier is missing above
}
"""


def race() -> Trace:
    b = Builder("void shift(float*)", RACE, (1, 1, 1), (64, 1, 1))
    a, cache = b.array("a", "global", [64]), b.array("cache", "shared", [64])
    b.fill(a, range(64))
    load, keep = b.site("= a[", "load", "global"), b.site("= a[", "store", "shared")
    read, out = b.site("63 -", "load", "shared"), b.site("63 -", "store", "global")
    b.block([0, 0, 0])
    for w in range(2):
        lanes = {lane: 32 * w + lane for lane in range(32)}
        got = b.access(w, load, a, lanes)
        b.access(w, keep, cache, lanes, lambda lane, got=got: got[lane])
        got = b.access(w, read, cache, {lane: 63 - i for lane, i in lanes.items()})
        b.access(w, out, a, lanes, lambda lane, got=got: got[lane])
    b.finding("race", "race on cache[63] between two threads of block (0, 0, 0):\n"
              "  thread (0, 0, 0) reads it at sample.cu:4\n  thread (63, 0, 0) writes it at sample.cu:3\n"
              "no barrier stands between them", [[0, 0, 0, 2, 0], [0, 0, 1, 1, 31]])
    return b.trace()


def giant(steps: int = 20_000, warps: int = 8) -> Trace:
    """As many steps as a page may hold, each with 32 lanes."""
    source = "__global__ void giant(float* a) {\n    __shared__ float cache[1024];\n" + "".join(
        f"    cache[(threadIdx.x + {i}) % 1024] += a[threadIdx.x + {i}];\n" for i in range(60)) + "}"
    b = Builder("void giant(float*)", source, (1, 1, 1), (32 * warps, 1, 1))
    a, cache = b.array("a", "global", [4096]), b.array("cache", "shared", [1024])
    b.fill(a, (i % 100 for i in range(4096)))
    sites = [(b.site(f"+ {i}) %", "load", "global"), b.site(f"+ {i}) %", "store", "shared")) for i in range(60)]
    barrier = b.site("giant(", "barrier")
    b.block([0, 0, 0])
    for i in range(steps // (2 * warps)):
        for w in range(warps):
            load, store = sites[i % 60]
            got = b.access(w, load, a, {lane: (32 * w + lane + i * 5) % 4096 for lane in range(32)})
            b.access(w, store, cache, {lane: (32 * w + lane + i) % 1024 for lane in range(32)},
                     lambda lane, got=got, i=i: got[lane] + i)
        if i % 50 == 49:
            b.barrier(barrier)
    return b.trace()


WIDE = """
__global__ void wide(const float* a, float* out) {
    __shared__ double pairs[64];
    __shared__ char letters[70];
    float4 four = reinterpret_cast<const float4*>(a)[threadIdx.x];
    pairs[threadIdx.x] = four.x + four.w;
    letters[threadIdx.x] = 'a' + threadIdx.x % 26;
    out[threadIdx.x] = pairs[threadIdx.x] + letters[threadIdx.x + 1];
}
"""


def wide() -> Trace:
    """Accesses that are wider and narrower than a word."""
    b = Builder("void wide(const float*, float*)", WIDE, (1, 1, 1), (32, 1, 1))
    a = b.array("a", "global", [128])
    pairs = b.array("pairs", "shared", [64], kind="float", unit=8, element=8)
    letters = b.array("letters", "shared", [70], address=512, kind="int", unit=1, element=1)
    lanes = {lane: lane for lane in range(32)}
    b.block([0, 0, 0])
    step = b._step(0, b.site("float4 four", "load", "global", 16), list(lanes))
    step |= {"array": a, "from": 0, "by": 16, "values": [[4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3] for i in lanes],
             "cost": 16}
    b.access(0, b.site("pairs[threadIdx.x] =", "store", "shared", 8), pairs, lanes, lambda lane: 8 * lane + 3.5)
    b.access(0, b.site("letters[threadIdx.x] =", "store", "shared", 1), letters, lanes, lambda lane: 97 + lane % 26)
    b.access(0, b.site("out[", "load", "shared", 1), letters, {lane: lane + 1 for lane in lanes})
    return b.trace()


def scattered(rng: random.Random) -> Trace:
    """Loads, stores and atomic additions at random elements, by random lanes, in random order; two blocks."""
    source = "\n".join(["__global__ void scattered(int* a, int* b) {", "load", "store", "atomic", "barrier", "}"])
    threads = rng.choice((1, 31, 33, 64, 97))
    b = Builder("void scattered(int*)", source, (3, 1, 1), (threads, 1, 1))
    size = rng.choice((1, 31, 33, 70))
    arrays = [b.array("s", "shared", [size], address=4 * rng.randrange(40), kind="int"),
              b.array("g", "global", [size], address=4 * rng.randrange(32), kind="int")]
    sites = [(b.site(operation, operation, memory), array)
             for array, memory in zip(arrays, ("shared", "global"), strict=True) for operation in ("load", "store", "atomic")]
    b.fill(arrays[1], (rng.randrange(100) for _ in range(size)))
    for block in (0, 2):
        b.block([block, 0, 0])
        for _ in range(rng.randrange(1, 5)):
            for w in range(b.warps):
                present = min(32, threads - 32 * w)
                for _ in range(rng.randrange(5)):
                    site, array = rng.choice(sites)
                    lanes = sorted(rng.sample(range(present), rng.randint(1, present)))
                    writes = {lane: rng.randrange(1000) for lane in lanes}
                    elements = {lane: rng.randrange(size) for lane in lanes}
                    if b.sites[site]["operation"] == "atomic":  # nothing can be added to what nobody has written
                        written = [e for e in range(size) if b.memory.get((array, e)) is not None]
                        if not written:
                            continue
                        elements = {lane: rng.choice(written) for lane in lanes}
                    b.access(w, site, array, elements, writes.__getitem__)
            b.barrier(b.site("barrier", "barrier"))
    return b.trace()


def hostile() -> Trace:
    """Everything that is a name or a source line tries to be HTML."""
    trace = race()
    trace["program"] = HOSTILE
    trace["files"][0]["path"] = HOSTILE
    trace["files"][0]["lines"] = [line + "  // " + HOSTILE for line in trace["files"][0]["lines"]]
    for array in trace["arrays"]:
        array["name"] += HOSTILE
    for site in trace["sites"]:
        site["name"] = HOSTILE
    trace["launches"][0]["kernel"] = f"void shift<{HOSTILE}>(float*)"
    trace["launches"][0]["findings"][0]["report"] += HOSTILE
    trace["launches"][0]["findings"][0]["kind"] = HOSTILE
    trace["left_out"] = {"launches": 2, "why": HOSTILE}
    trace["graphs"] = [{"launches": 1, "left_out": 0, "nodes": [
        {"kind": "kernel", "kernel": f"void shift<{HOSTILE}>(float*)", "grid": [1, 1, 1], "block": [32, 1, 1], "after": []},
        {"kind": HOSTILE, "after": [0]}]}]
    return trace


ROUNDS = """
shared[i] = first;
__syncthreads();
other = shared[i + distance];
shared[i] = own;
"""


def rounds(name: str, values: list[int]) -> tuple[Builder, Callable[..., None], Callable[[], None]]:
    """A block of one warp with values in shared memory; how it reads or writes there, and how it waits."""
    b = Builder(f"void {name}()", ROUNDS, (1, 1, 1), (len(values), 1, 1))
    shared, barrier = b.array("shared", "shared", [len(values)]), b.site("__sync", "barrier")
    read, write = b.site("other", "load", "shared"), b.site("own", "store", "shared")
    b.block([0, 0, 0])
    b.access(0, b.site("first", "store", "shared"), shared, {i: i for i in range(len(values))}, lambda i: values[i])
    b.barrier(barrier)

    def access(elements: dict[int, int], own: Callable[[int], object] | None = None) -> None:
        b.access(0, write if own else read, shared, elements, own)

    return b, access, lambda: b.barrier(barrier)


def scan(n: int = 8) -> Trace:
    """All read, then all write: what a thread adds was read a round before."""
    b, access, barrier = rounds("scan", [1] * n)
    distance = 1
    while distance < n:
        access({i: i - distance for i in range(distance, n)})
        barrier()
        distance *= 2
        access({i: i for i in range(n)}, lambda i, most=distance: min(i + 1, most))
        barrier()
    return b.trace()


def exchanges() -> Trace:
    """Neighbours of 30, 50, 40, 60 change places: at first none, and in the next round thread 0 its elements 1 and 2."""
    b, access, barrier = rounds("sort", [30, 50, 40, 60])
    for elements in ({0: 0, 1: 2}, {0: 1, 1: 3}):
        access(elements)
    barrier()
    access({0: 1})
    access({0: 2})
    access({0: 1}, lambda lane: 40)
    access({0: 2}, lambda lane: 50)
    barrier()
    return b.trace()


def graphs() -> Trace:
    """A kernel between two branches, and a chain that is longer than what is kept."""
    trace = tree(32, (0,))
    kernel = {"kind": "kernel", "kernel": "void tree_sum(const float*)", "grid": [4, 2, 1], "block": [32, 1, 1]}
    fork = [{"kind": "copy", "bytes": 4096, "after": []}, {**kernel, "after": [0]}, {"kind": "fill", "bytes": 1, "after": [0]},
            {"kind": "graph", "nodes": 3, "after": [2]}, {"kind": "host function", "after": [1, 3]}]
    chain = [{**kernel, "after": [number - 1] if number else []} for number in range(60)]
    trace["graphs"] = [{"launches": 3, "left_out": 0, "nodes": fork}, {"launches": 1, "left_out": 40, "nodes": chain}]
    return trace


SAMPLES: dict[str, Callable[[], Trace]] = {
    "tree": tree, "two_launches": two_launches, "strided_copy": strided_copy, "transpose": lambda: transpose(0), "transpose_padded": lambda: transpose(1),
    "histogram": histogram, "divergent_loop": divergent_loop, "shuffles": shuffles, "constant": constant, "lock": lock,
    "race": race, "wide": wide, "giant": giant, "hostile": hostile, "graphs": graphs,
    "scan": scan, "exchanges": exchanges,
}


def page(trace: Trace, static: str = '<svg id="static" width="10" height="10"></svg>') -> str:
    """The page as the emulator puts it together: README.md says how."""
    parts = {"title": html.escape(trace["program"]), "style": (WATCH / "page.css").read_text(encoding="utf-8"),
             "script": "".join(path.read_text(encoding="utf-8") for path in sorted(WATCH.glob("*.js"))),
             "trace": base64.b64encode(zlib.compress(json.dumps(trace).encode())).decode(), "static": static}
    text = (WATCH / "page.html").read_text(encoding="utf-8")
    pieces = []
    while "{{" in text:
        before, _, rest = text.partition("{{")
        name, _, text = rest.partition("}}")
        pieces += [before, parts[name]]
    return "".join([*pieces, text])

"""What tests of the trace of watched kernels share: programs that are watched, and predictions of what they do, written down
request by request and compared with the trace (emulator/watch/README.md)."""

import base64
import json
import math
import os
import random
import re
import shutil
import struct
import subprocess
import tempfile
import unittest
import zlib
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any, ClassVar

from counters_test import Model

HERE = os.path.dirname(os.path.abspath(__file__))
NVCC = os.path.join(os.path.dirname(HERE), "nvcc_cpu")
SEED = int(os.environ.get("SEED", random.randrange(1 << 32)))
EXIT_FINDINGS = 5
MOST_STEPS, MOST_PAGE = 20_000, 3_000_000

Json = Any
Step = dict[str, Any]


class Array:
    """Memory that kernels use, element by element; one of several numbers is a tuple. None: never written."""

    def __init__(self, name: str, memory: str, values: Iterable, element: int = 4, unit: int = 4, kind: str = "int",
                 extents: tuple[int, ...] | None = None) -> None:
        self.values = list(values)
        self.element = element
        self.described = {"name": name, "memory": memory, "bytes": element * len(self.values), "address": 0,
                          "element": element, "unit": unit, "kind": kind,
                          "extents": [len(self.values)] if extents is None else list(extents)}
        self.name = name

    def clear(self) -> "Array":
        self.values = [None] * len(self.values)
        return self


class Launch:
    """What a launch is to look like, written down request by request."""

    def __init__(self, threads: int) -> None:
        self.threads = threads
        self.warps = (threads + 31) // 32
        self.blocks: list[list[dict]] = []
        self.arrays: dict[str, Array] = {}

    def block(self) -> None:
        self.blocks.append([])
        self._round()

    def _round(self) -> None:
        self.blocks[-1].append({"barrier": None, "grid": False, "warps": [[] for _ in range(self.warps)]})

    def barrier(self, mark: str, grid: bool = False) -> None:
        self.blocks[-1][-1].update(barrier=mark, grid=grid)
        self._round()

    def step(self, warp: int, mark: str, operation: str, memory: str, lanes: dict[int, dict], **more: object) -> None:
        self.blocks[-1][-1]["warps"][warp].append(
            {"mark": mark, "operation": operation, "memory": memory, "lanes": lanes, **more})

    def access(self, mark: str, operation: str, array: Array, elements: dict[int, int],
               value: Callable[[int], object] | None = None, part: tuple[int, int] | None = None) -> dict[int, Any]:
        """Thread → element. `value`: what a thread stores, or makes of what is there. `part`: bytes of the element, from
        and how many. Returns what the threads found."""
        memory = array.described["memory"]
        self.arrays[array.name] = array
        begin, size = part or (0, array.element)
        found: dict[int, Any] = {}
        for warp in range(self.warps):
            lanes: dict[int, dict] = {}
            for thread in range(32 * warp, min(32 * warp + 32, self.threads)):
                if thread not in elements:
                    continue
                e = elements[thread]
                found[thread] = array.values[e]
                if operation != "load":
                    array.values[e] = value(thread)
                lanes[thread % 32] = {"array": array.name, "at": array.element * e + begin, "value": array.values[e]}
                if operation == "atomic":
                    lanes[thread % 32]["before"] = found[thread]
            if lanes:
                self.step(warp, mark, operation, memory, lanes, bytes=size,
                          **costs(operation, memory, size, [(lane, lanes[lane]["at"]) for lane in lanes]))
        return found

    def load(self, mark: str, array: Array, elements: dict[int, int]) -> dict[int, Any]:
        return self.access(mark, "load", array, elements)

    def store(self, mark: str, array: Array, elements: dict[int, int], values: dict[int, object]) -> None:
        self.access(mark, "store", array, elements, lambda thread: values[thread])

    def exchange(self, mark: str, name: str, brought: dict[int, object], got: dict[int, object],
                 sources: dict[int, int] | None = None) -> None:
        lanes = {lane: {"value": got[lane], "before": brought[lane]} for lane in brought}
        for lane, source in (sources or {}).items():
            lanes[lane]["source"] = source
        self.step(0, mark, "warp operation", "", lanes, bytes=0, name=name + "()")


def costs(operation: str, memory: str, size: int, lanes: list[tuple[int, int]]) -> dict[str, int]:
    """Of a request in which each lane asks for so many bytes at an address."""
    model = Model(size)
    if memory == "constant":
        return {"cost": len({at for _, at in lanes})}
    if memory == "shared":
        model.banks(lanes, load=operation == "load")
        found = {"cost": model.counts["wavefronts"], "least": model.counts["least_wavefronts"]}
    else:
        (model.atomic_sectors if operation == "atomic" else model.sectors)(lanes)
        found = {"cost": model.counts["sectors"]}
    if operation == "atomic":
        model.same(lanes)
        found["same"] = model.counts["same_address"]
    return found


def active_lanes(launch: Json, warp: int, step: Json) -> list[int]:
    threads = math.prod(launch["block"])
    here = min(32, threads - 32 * warp)
    return [lane for lane in range(here) if step.get("lanes", 0xffffffff) >> lane & 1]


def as_value(value: Json) -> object:
    return tuple(value) if isinstance(value, list) else value


def understood(trace: Json, launch: Json, warp: int, step: Json) -> Step:
    """A step of a trace in the words of Launch."""
    site = trace["sites"][step["site"]]
    text = trace["files"][site["file"]]["lines"][site["line"] - trace["files"][site["file"]]["first"]]
    active = active_lanes(launch, warp, step)
    lanes: dict[int, dict] = {lane: {} for lane in active}
    for i, lane in enumerate(active):
        if "array" in step:
            array = step["array"][i] if isinstance(step["array"], list) else step["array"]
            lanes[lane] = {"array": trace["arrays"][array]["name"],
                           "at": step["at"][i] if "at" in step else step["from"] + i * step["by"]}
        for name, of in (("value", "values"), ("before", "before"), ("source", "sources")):
            if of in step:
                lanes[lane][name] = as_value(step[of][i])
                if len(step[of]) != len(active):
                    raise AssertionError(f"{of}: not one for each lane")
    read = {"mark": text.partition("  // ")[2].strip(), "operation": site["operation"], "memory": site["memory"],
            "bytes": site["bytes"], "lanes": lanes}
    if "name" in site:
        read["name"] = site["name"]
    return read | {name: step[name] for name in ("cost", "least", "same") if name in step}


def mark_of(trace: Json, number: int | None) -> str | None:
    if number is None:
        return None
    site = trace["sites"][number]
    if site["operation"] != "barrier":
        raise AssertionError(f"site {number} is no barrier")
    return trace["files"][0]["lines"][site["line"] - 1].partition("  // ")[2].strip()


def steps_of(launch: Json) -> Iterable[tuple[int, Json]]:
    for block in launch["shown"]:
        for each in block["rounds"]:
            for warp, steps in enumerate(each["warps"]):
                for step in steps:
                    yield warp, step


def sums_of(trace: Json) -> Counter:
    """What the trace's steps add up to, as EMULATOR_COUNT_JSON has it."""
    sums: Counter = Counter()
    for launch in trace["launches"]:
        for warp, step in steps_of(launch):
            site = trace["sites"][step["site"]]
            what = f"{site['memory']} {site['operation']}".strip()
            lanes = len(active_lanes(launch, warp, step))
            served = {"global": "sectors", "shared": "wavefronts", "constant": "addresses"}.get(site["memory"])
            sums += Counter({(what, "requests"): 1, (what, "lanes"): lanes, (what, "bytes"): lanes * site["bytes"],
                             (what, "same_address"): step.get("same", 0)})
            if served:
                sums += Counter({(what, served): step["cost"], (what, "least_wavefronts"): step.get("least", 0)})
        for block in launch["shown"]:
            for each in block["rounds"]:
                if each["barrier"] is not None:
                    times = 2 if each.get("grid") else 1  # that is how a grid's barrier is made of the block's
                    sums += Counter({("barrier", "requests"): times,
                                     ("barrier", "lanes"): times * math.prod(launch["block"])})
    return +sums


def sums_of_counts(counts: Json) -> Counter:
    sums: Counter = Counter()
    for kernel in counts["kernels"]:
        for each in kernel["counts"]:
            for name in ("requests", "lanes", "bytes", "sectors", "wavefronts", "least_wavefronts", "addresses",
                         "same_address"):
                sums[each["what"], name] += each.get(name, 0)
    return +sums


class Run:
    """A watched program that has ended."""

    def __init__(self, done: subprocess.CompletedProcess, folder: str) -> None:
        self.code, self.said = done.returncode, done.stderr.decode(errors="surrogateescape")
        self.trace = json.loads(self._read(folder, "trace.json"))
        self.counts = json.loads(self._read(folder, "counts.json"))
        self.page = self._read(folder, "page.html")

    @staticmethod
    def _read(folder: str, name: str) -> str:
        with open(os.path.join(folder, name), encoding="utf-8") as file:  # which also says that it is UTF-8
            return file.read()


class Traced(unittest.TestCase):
    """A program of traced/, compiled once."""

    program: ClassVar[str]
    folder: ClassVar[str]
    folders: ClassVar[dict[str, str]] = {}  # of the programs that are compiled

    @classmethod
    def setUpClass(cls) -> None:
        if cls.program not in cls.folders:
            cls.folder = cls.folders[cls.program] = tempfile.mkdtemp()
            unittest.addModuleCleanup(cls.forget, cls.program)
            cls.compile(os.path.join(HERE, "traced", cls.program + ".cu"), cls.program)
        cls.folder = cls.folders[cls.program]

    @classmethod
    def forget(cls, program: str) -> None:
        shutil.rmtree(cls.folders.pop(program))  # tests of other modules may run before this module's next one

    @classmethod
    def compile(cls, source: str, program: str) -> None:
        done = subprocess.run([NVCC, "--check", "-std=c++20", source, "-o", os.path.join(cls.folder, program)],
                              capture_output=True, text=True, timeout=900, check=False)
        if done.returncode != 0:
            raise AssertionError(done.stderr)

    def setUp(self) -> None:
        self.random = random.Random(SEED)
        print(f"SEED={SEED}")

    def execute(self, *arguments: str | bytes, data: bytes = b"", program: str = "",
                **environment: str) -> subprocess.CompletedProcess:
        return subprocess.run([os.path.join(self.folder, program or self.program), *arguments], input=data,
                              capture_output=True, timeout=900, check=False, env={**os.environ, **environment})

    def watch(self, *arguments: str | bytes, data: bytes = b"", code: int = 0, program: str = "",
              **environment: str) -> Run:
        paths = {"EMULATOR_WATCH": "page.html", "EMULATOR_WATCH_JSON": "trace.json", "EMULATOR_COUNT_JSON": "counts.json"}
        environment |= {name: os.path.join(self.folder, file) for name, file in paths.items()}
        done = self.execute(*arguments, data=data, program=program, **environment)
        self.assertEqual(done.returncode, code, done.stderr)
        run = Run(done, self.folder)
        embedded = re.search(r'<script type="application/json\+deflate;base64" id="trace">([^<]*)</script>', run.page)
        self.assertIsNotNone(embedded)
        self.assertEqual(json.loads(zlib.decompress(base64.b64decode(embedded[1]))), run.trace)
        return run

    def same(self, trace: Json, found: Json, expected: Launch) -> None:
        """Compares a launch of a trace with what was predicted, step by step."""
        self.assertEqual(len(found["shown"]), len(expected.blocks), "blocks")
        for b, (block, rounds) in enumerate(zip(found["shown"], expected.blocks, strict=True)):
            self.assertEqual(block["steps_left_out"], 0)
            barriers = [(mark_of(trace, r["barrier"]), r.get("grid", False)) for r in block["rounds"]]
            self.assertEqual(barriers, [(r["barrier"], r["grid"]) for r in rounds], f"barriers of block {b}")
            for r, (is_there, wanted) in enumerate(zip(block["rounds"], rounds, strict=True)):
                self.assertEqual(len(is_there["warps"]), len(wanted["warps"]), "warps")
                for warp, (steps, predicted) in enumerate(zip(is_there["warps"], wanted["warps"], strict=True)):
                    steps = [understood(trace, found, warp, step) for step in steps]
                    where = f"block {b}, round {r}, warp {warp}"
                    self.assertEqual([s["mark"] for s in steps], [s["mark"] for s in predicted], where)
                    for i, (step, other) in enumerate(zip(steps, predicted, strict=True)):
                        self.same_step(step, other, f"{where}, step {i}, {other['mark']}: {other['operation']}")
        arrays = {a["name"]: a for a in self.arrays_of(trace, found)}
        self.assertEqual(arrays, {name: array.described for name, array in expected.arrays.items()})

    def same_step(self, step: Step, expected: Step, where: str) -> None:
        self.assertEqual(set(step["lanes"]), set(expected["lanes"]), where)
        for lane, each in expected["lanes"].items():
            self.assertEqual(step["lanes"][lane], each, f"{where}, lane {lane}")
        self.assertEqual(step, expected, where)

    @staticmethod
    def arrays_of(trace: Json, launch: Json) -> list[Json]:
        numbers: set[int] = set()
        for _, step in steps_of(launch):
            if "array" in step:
                numbers |= set(step["array"]) if isinstance(step["array"], list) else {step["array"]}
        return [trace["arrays"][number] for number in sorted(numbers)]

    def predict(self, run: Run, *expected: Launch) -> None:
        self.assertEqual(len(run.trace["launches"]), len(expected), "launches")
        for found, launch in zip(run.trace["launches"], expected, strict=True):
            self.same(run.trace, found, launch)
        if run.trace["left_out"]["launches"] == 0:
            self.assertEqual(sums_of(run.trace), sums_of_counts(run.counts))


def floats(values: Iterable[float]) -> bytes:
    values = list(values)
    return struct.pack(f"{len(values)}f", *values)


def ints(values: Iterable[int]) -> bytes:
    values = list(values)
    return struct.pack(f"{len(values)}i", *values)

"""Tests of the trace of watched kernels: each step of the kernels of traced/patterns.cu, whose accesses can be written down
by hand, as is done here, with random data.

    SEED=7 python3 emulator/tests/trace_test.py
"""

import json
import os
import struct
import unittest
from collections import Counter
from collections.abc import Callable
from typing import Any

from trace_prediction import Array, Launch, Run, Traced, costs, floats, ints, steps_of, sums_of, sums_of_counts, understood


class Patterns(Traced):
    program = "patterns"

    def eighths(self, n: int) -> list[float]:
        """Random numbers of which sums are exact, not 0."""
        return [self.random.choice([-1, 1]) * self.random.randrange(1, 8000) / 8 for _ in range(n)]

    def integers(self, n: int) -> list[int]:
        return [self.random.randrange(-1000, 1000) for _ in range(n)]

    def test_tree(self) -> None:
        values = self.eighths(512)
        a, sums = Array("a", "global", values, kind="float"), Array("sums", "global", [None, None], kind="float")
        cache, launch = Array("cache", "shared", [None] * 256, kind="float"), Launch(256)
        for block in range(2):
            launch.block()
            cache.clear()
            everyone = {t: t for t in range(256)}
            launch.store("fill", cache, everyone, launch.load("fill", a, {t: 256 * block + t for t in range(256)}))
            launch.barrier("filled")
            half = 128
            while half > 0:
                far = launch.load("far", cache, {t: t + half for t in range(half)})
                near = launch.load("near", cache, {t: t for t in range(half)})
                launch.store("near", cache, {t: t for t in range(half)}, {t: near[t] + far[t] for t in range(half)})
                launch.barrier("folded")
                half //= 2
            launch.store("result", sums, {0: block}, launch.load("result", cache, {0: 0}))
        run = self.watch("tree", data=floats(values))
        self.predict(run, launch)
        self.assertEqual(sums.values, [sum(values[:256]), sum(values[256:])])
        self.assertEqual(run.said, f"emulator: {self.folder}/page.html shows 1 launch, 2 blocks, 108 steps\n")

    def test_copies(self) -> None:
        for stride in 1, 2, 32:
            values = self.eighths(128 * stride)
            run = self.watch("copy", str(stride), data=floats(values))
            self.predict(run, self.copied(values, stride))
            costs = [step["cost"] for _, step in steps_of(run.trace["launches"][0])]
            self.assertEqual(costs, [{1: 4, 2: 8, 32: 32}[stride], 4] * 4)

    def copied(self, values: list, stride: int, blocks: int = 2, threads: int = 64, **element: Any) -> Launch:
        element = element or {"kind": "float"}
        source, to = Array("from", "global", values, **element), Array("to", "global", [None] * (blocks * threads), **element)
        launch = Launch(threads)
        for block in range(blocks):
            launch.block()
            i = {t: threads * block + t for t in range(threads)}
            launch.store("copy", to, i, launch.load("copy", source, {t: i[t] * stride for t in i}))
        return launch

    def test_vectors(self) -> None:
        values = self.eighths(128 * 4)
        vectors = [tuple(values[i:i + 4]) for i in range(0, len(values), 4)]
        run = self.watch("copy4", "1", data=floats(values))
        self.predict(run, self.copied(vectors, 1, kind="float", element=16, unit=4))

    def test_structures_in_pieces(self) -> None:
        """A copy of a structure is one access of the program's, and three of a GPU's."""
        values = self.eighths(96)
        triples = [tuple(values[i:i + 3]) for i in range(0, 96, 3)]
        source = Array("from", "global", triples, element=12, kind="float")
        to = Array("to", "global", [None] * 32, element=12, kind="float")
        launch, i = Launch(32), {t: t for t in range(32)}
        launch.block()
        for operation, array in ("load", source), ("store", to):
            for member in range(3):
                launch.access("copy", operation, array, i, lambda t: triples[t], part=(4 * member, 4))
                for lane, each in launch.blocks[0][0]["warps"][0][-1]["lanes"].items():
                    each["value"] = triples[lane][member]
        self.predict(self.watch("structures", data=floats(values)), launch)

    def test_transposes(self) -> None:
        for width, ways in (32, 32), (33, 1):
            values = self.eighths(1024)
            a, out = Array("in", "global", values, kind="float"), Array("out", "global", [None] * 1024, kind="float")
            tile = Array("tile", "shared", [None] * (32 * width), kind="float", extents=(32, width))
            launch = Launch(1024)
            launch.block()
            i = {t: t for t in range(1024)}
            launch.store("fill", tile, {t: width * (t // 32) + t % 32 for t in i}, launch.load("fill", a, i))
            launch.barrier("filled")
            launch.store("column", out, i, launch.load("column", tile, {t: width * (t % 32) + t // 32 for t in i}))
            run = self.watch(f"transpose{width}", data=floats(values))
            self.predict(run, launch)
            last = run.trace["launches"][0]["shown"][0]["rounds"][1]["warps"]
            self.assertEqual([(steps[0]["cost"], steps[0]["least"]) for steps in last], [(ways, 1)] * 32)
            self.assertEqual(out.values, [values[32 * (i % 32) + i // 32] for i in range(1024)])

    def test_loop_of_different_lengths(self) -> None:
        for n in 32, self.random.randrange(33, 64):
            start = self.integers(n)
            a, out = Array("start", "global", start), Array("out", "global", [None] * (5 * n))
            launch = Launch(n)
            launch.block()
            own = launch.load("start", a, {t: t for t in range(n)})
            for r in range(4):
                there = {t: 5 * t + r for t in range(n) if t % 5 > r}
                launch.store("round", out, there, {t: own[t] + r for t in there})
            launch.store("end", out, {t: 5 * t + 4 for t in range(n)}, own)
            self.predict(self.watch("loop", str(n), data=ints(start)), launch)

    def test_exchanges(self) -> None:
        a, b = self.eighths(32), [self.random.choice([-1, 1]) * self.random.randrange(1, 100) for _ in range(32)]
        all_lanes, launch = {lane: lane for lane in range(32)}, Launch(32)
        results = Array("floats", "global", [None] * 32, kind="float"), Array("ints", "global", [None] * 32)
        launch.block()
        x = launch.load("a", Array("a", "global", a, kind="float"), all_lanes)
        n = launch.load("b", Array("b", "global", b), all_lanes)

        def shuffle(mark: str, name: str, brought: dict, source: Callable[[int], int]) -> None:
            sources = {lane: source(lane) for lane in brought}
            got = {lane: brought[sources[lane]] for lane in brought}
            launch.exchange(mark, name, brought, got, sources)
            launch.store(mark, results[brought is not x], {lane: lane for lane in brought}, got)

        def vote(mark: str, name: str, votes: dict, result: int) -> None:
            launch.exchange(mark, name, votes, dict.fromkeys(votes, result))
            signed = struct.unpack("i", struct.pack("I", result))[0]
            launch.store(mark, results[1], all_lanes, dict.fromkeys(votes, signed))

        shuffle("down", "__shfl_down_sync", x, lambda lane: lane + 5 if lane + 5 < 32 else lane)
        shuffle("xor", "__shfl_xor_sync", x, lambda lane: lane ^ 3)
        shuffle("shuffle", "__shfl_sync", n, lambda lane: (lane + 7) % 32)
        positive = {lane: int(n[lane] > 0) for lane in n}
        vote("ballot", "__ballot_sync", positive, sum(positive[lane] << lane for lane in positive))
        large = {lane: int(n[lane] > 90) for lane in n}
        vote("any", "__any_sync", large, int(any(large.values())))
        odd = {lane: n[lane] for lane in range(1, 32, 2)}
        shuffle("odd", "__shfl_up_sync", odd, lambda lane: lane - 2 if lane >= 2 else lane)
        self.predict(self.watch("exchange", data=floats(a) + ints(b)), launch)

    def test_atomics(self) -> None:
        for words in 1, 3, 32:
            index = [self.random.randrange(words) for _ in range(32)] if words < 32 else self.random.sample(range(32), 32)
            addends, totals = [self.random.randrange(1, 1000) for _ in range(32)], self.integers(32)
            run = self.watch("add", data=struct.pack("32I", *index) + ints(addends + totals))
            total, counts = Array("total", "global", totals), Array("counts", "shared", [None] * 32)
            launch, i = Launch(32), {t: t for t in range(32)}
            launch.block()
            launch.store("clear", counts, i, dict.fromkeys(i, 0))
            launch.barrier("cleared")
            k = launch.load("index", Array("index", "global", index, kind="unsigned"), i)
            n = launch.load("addend", Array("addend", "global", addends), i)
            two = {t: (16 * t + 5) % 32 for t in i}
            self.in_any_order(run, launch, "shared", counts, k, lambda old, t, n=n: old + n[t])
            self.in_any_order(run, launch, "global", total, k, lambda old, t, n=n: old + n[t])
            self.in_any_order(run, launch, "max", counts, two, lambda old, t, n=n: max(old, n[t]))
            self.predict(run, launch)

    def in_any_order(self, run: Run, launch: Launch, mark: str, array: Array, elements: dict[int, int],
                     result: Callable[[int, int], int]) -> None:
        """An atomic operation of one warp, in the order in which the emulator's lanes came: each finds what one has left."""
        (found,) = [s for s in (understood(run.trace, run.trace["launches"][0], 0, step)
                                for _, step in steps_of(run.trace["launches"][0])) if s["mark"] == mark]
        order = sorted(elements, key=lambda t: (found["lanes"][t]["before"], found["lanes"][t]["value"]))
        predicted: dict[int, dict] = {}
        for t in order:
            old = array.values[elements[t]]
            array.values[elements[t]] = result(old, t)
            predicted[t] = {"array": array.name, "at": 4 * elements[t], "value": array.values[elements[t]], "before": old}
        launch.arrays[array.name] = array
        memory = array.described["memory"]
        where = [(t, 4 * elements[t]) for t in elements]
        launch.step(0, mark, "atomic", memory, predicted, bytes=4, **costs("atomic", memory, 4, where))

    def test_lock(self) -> None:
        """In which order the lanes come, and how often they try in vain, is the emulator's affair."""
        for n in 1, 6, 32:
            start = self.random.randrange(1000)
            run = self.watch("lock", str(n), data=ints([0, start]))
            (launch,) = run.trace["launches"]
            (each,) = launch["shown"][0]["rounds"]
            steps = [understood(run.trace, launch, 0, step) for step in each["warps"][0]]
            found = []
            for lane in range(n):
                own = [step["lanes"][lane] | {"mark": step["mark"]} for step in steps if lane in step["lanes"]]
                tries = [s for s in own if s["mark"] == "take"]
                at = {"array": "taken", "at": 0}
                self.assertEqual(tries[:-1], [at | {"value": 1, "before": 1, "mark": "take"}] * (len(tries) - 1))
                old = own[len(tries)]["value"]
                self.assertEqual(own[len(tries) - 1:], [
                    at | {"value": 1, "before": 0, "mark": "take"}, {"array": "total", "at": 0, "value": old, "mark": "old"},
                    {"array": "total", "at": 0, "value": old + 1, "mark": "new"}, {"mark": "fence"},
                    at | {"value": 0, "before": 1, "mark": "free"}])
                found.append(old)
            self.assertEqual(sorted(found), list(range(start, start + n)))
            for step in steps:
                self.assertEqual(len(step["lanes"]) == 1 or step["mark"] == "take", True)
                if step["operation"] == "atomic":
                    self.assertEqual((step["same"], step["cost"]), (len(step["lanes"]), len(step["lanes"])))
            self.assertEqual(sums_of(run.trace), sums_of_counts(run.counts))

    def test_constant_memory(self) -> None:
        values = self.eighths(64)
        weights, out = Array("weights", "constant", values, kind="float"), Array("out", "global", [None] * 64, kind="float")
        launch, i = Launch(64), {t: t for t in range(64)}
        launch.block()
        own = launch.load("own", weights, i)
        one = launch.load("one", weights, dict.fromkeys(i, 5))
        few = launch.load("few", weights, {t: t % 3 for t in i})
        launch.store("out", out, i, {t: own[t] + one[t] + few[t] for t in i})
        run = self.watch("weigh", data=floats(values))
        self.predict(run, launch)
        self.assertEqual([step["cost"] for _, step in steps_of(run.trace["launches"][0])], [32, 1, 3, 4] * 2)

    def test_shapes(self) -> None:
        for kernel, threads, grid, block in (("shapes2", 39, [1, 2, 1], [13, 3, 1]), ("shapes3", 45, [1, 1, 2], [5, 3, 3])):
            values = self.integers(2 * threads)
            launch = Launch(threads)
            a, out = Array("in", "global", values), Array("out", "global", [None] * (2 * threads))
            for b in range(2):
                launch.block()
                i = {t: b * threads + t for t in range(threads)}
                n = launch.load("in", a, i)
                odd = {t: i[t] for t in i if n[t] % 2}
                launch.store("odd", out, odd, {t: -n[t] for t in i})
                launch.store("out", out, i, n)
            run = self.watch(kernel, data=ints(values))
            self.predict(run, launch)
            (found,) = run.trace["launches"]
            self.assertEqual((found["grid"], found["block"], found["blocks"]), (grid, block, 2))
            self.assertEqual([shown["index"] for shown in found["shown"]], [[0, 0, 0], [g - 1 for g in grid]])

    def test_types(self) -> None:
        bytes_, colours = self.random.randbytes(32), self.random.randbytes(128)
        doubles = [self.random.uniform(-1e6, 1e6) for _ in range(32)]
        longs = [self.random.randrange(-1 << 52, 1 << 52) for _ in range(32)]
        values, flags = self.eighths(96), self.integers(32)
        launch, i = Launch(32), {t: t for t in range(32)}
        launch.block()
        byte = launch.load("byte", Array("bytes", "global", bytes_, element=1, unit=1, kind="unsigned"), i)
        x = launch.load("double", Array("doubles", "global", doubles, element=8, unit=8, kind="float"), i)
        long = Array("longs", "global", longs, element=8, unit=8)
        launch.load("long", long, i)
        colour = Array("colours", "global", [tuple(colours[4 * t:4 * t + 4]) for t in i], unit=1, kind="unsigned")
        launch.load("colour", colour, i)
        exact = {t: 3 * longs[t] if abs(3 * longs[t]) <= 1 << 53 else str(3 * longs[t]) for t in i}  # as JavaScript's
        launch.store("triple", long, i, exact)
        triples = Array("triples", "global", [tuple(values[3 * t:3 * t + 3]) for t in i], element=12, kind="float")
        self.members(launch, "members", "load", triples, {m: {t: values[3 * t + m] for t in i} for m in range(3)})
        self.members(launch, "turned", "store", triples,
                     {m: {t: values[3 * t + (m + 2) % 3] for t in i} for m in range(3)})
        pairs = Array("pairs", "global", [None] * 32, element=8)
        self.members(launch, "pair", "store", pairs, {0: byte, 1: {t: colours[4 * t + 1] for t in i}})
        flag = Array("flags", "global", flags)
        launch.load("flag", flag, i)
        launch.store("raised", flag, i, {t: flags[t] + 1 for t in i})
        # Of a structure whose members differ only the bytes are known.
        mixed = Array("mixed", "global", [None] * 32, element=16, unit=4, kind="bytes")

        def in_hexadecimal(code: str, value: object) -> str | tuple[str, ...]:
            words = struct.unpack("<" + "I" * (struct.calcsize(code) // 4), struct.pack("<" + code, value))
            texts = tuple(f"0x{word:08x}" for word in words)
            return texts if len(texts) > 1 else texts[0]

        for mark, at, size, code, value in (("weight", 4, 4, "f", x), ("number", 0, 4, "i", byte), ("size", 8, 8, "d", x)):
            launch.access(mark, "store", mixed, i, lambda t, code=code, value=value: in_hexadecimal(code, value[t]), (at, size))
        wide = Array("wide", "global", [None] * 32, element=8, unit=8, kind="unsigned")
        large = {t: (1 << 64) - 1 - flags[t] % (1 << 64) for t in i}
        launch.store("wide", wide, i, {t: large[t] if large[t] <= 1 << 53 else str(large[t]) for t in i})
        data = bytes_ + struct.pack("32d32q", *doubles, *longs) + colours + floats(values) + ints(flags)
        self.predict(self.watch("types", data=data), launch)

    def members(self, launch: Launch, mark: str, operation: str, array: Array, values: dict[int, dict]) -> None:
        """All lanes move the members of a structure one after another, 4 bytes each."""
        for member, of_lane in values.items():
            launch.access(mark, operation, array, {t: t for t in range(32)}, lambda t: None, part=(4 * member, 4))
            for lane, each in launch.blocks[-1][-1]["warps"][0][-1]["lanes"].items():
                each["value"] = of_lane[lane]

    def test_asynchronous_copies(self) -> None:
        for size in 4, 8, 16:
            n = size // 4
            values = self.eighths(32 * n)
            launch = Launch(32)
            launch.block()
            pieces = [tuple(values[n * t:n * t + n]) if n > 1 else values[t] for t in range(32)]
            whole = {"kind": "float", "element": size}
            i = {t: t for t in range(32)}
            got = launch.load("begin", Array("from", "global", pieces, **whole), i)
            launch.store("begin", Array("tile", "shared", [None] * 32, **whole), i, got)
            launch.barrier("there")
            tile = Array("tile", "shared", values, kind="float")
            read = launch.load("read", tile, {t: 31 - t for t in i})
            launch.store("read", Array("to", "global", [None] * 32, kind="float"), i, read)
            launch.arrays["from"] = Array("from", "global", values, kind="float")
            self.predict(self.watch(f"async{size}", data=floats(values)), launch)

    def test_dynamic_shared_memory(self) -> None:
        n = self.random.randrange(33, 100)
        values = self.integers(n)
        a, out = Array("in", "global", values), Array("out", "global", [None] * n)
        words = Array("words", "shared", [None] * (2 * n))
        launch, i = Launch(n), {t: t for t in range(n)}
        launch.block()
        launch.store("keep", words, {t: 2 * t for t in i}, launch.load("keep", a, i))
        launch.barrier("kept")
        launch.store("give", out, i, launch.load("give", words, {t: 2 * (n - 1 - t) for t in i}))
        run = self.watch("dynamic", str(n), data=ints(values))
        # Dynamic shared memory stands behind all other, at a multiple of 128 bytes or not: its address says where.
        (found,) = [a for a in run.trace["arrays"] if a["name"] == "words"]
        words.described["address"] = found["address"]
        self.assertEqual(found["address"] % 128, 0)
        self.predict(run, launch)

    def test_two_pointers_into_one_allocation(self) -> None:
        values = self.eighths(100)
        first = Array("first", "global", values[:50], kind="float")
        second = Array("second", "global", values[50:], kind="float")
        second.described["address"] = 200 % 128
        launch, i = Launch(50), {t: t for t in range(50)}
        launch.block()
        one, two = launch.load("first", first, i), launch.load("second", second, i)
        for warp in launch.blocks[0][0]["warps"]:  # what begins in the middle of a sector
            places = [(lane, 200 + each["at"]) for lane, each in warp[1]["lanes"].items()]
            warp[1] |= costs("load", "global", 4, places)
        launch.store("sum", Array("sum", "global", [None] * 50, kind="float"), i, {t: one[t] + two[t] for t in i})
        self.predict(self.watch("join", data=floats(values)), launch)

    def test_pinned_memory(self) -> None:
        values = self.eighths(64)
        self.predict(self.watch("pinned", data=floats(values)), self.copied(values, 1, blocks=1))

    def test_grid_barrier(self) -> None:
        """The blocks take turns at it, and each has one barrier there."""
        values = self.integers(192)
        a, launch = Array("a", "global", values), Launch(64)
        rounds: list[list] = [[] for _ in range(3)]
        place = [{t: 64 * b + t for t in range(64)} for b in range(3)]
        own, other = {}, {}
        for b in range(3):
            launch.block()
            own[b] = launch.load("own", a, place[b])
            launch.barrier("read")
            launch.store("raise", a, place[b], {t: own[b][t] + 1 for t in range(64)})
            launch.barrier("grid", grid=True)
            rounds[b] = launch.blocks[b]
        for b in range(3):
            launch.blocks[-1] = rounds[b]
            other[b] = launch.load("other", a, {t: 191 - place[b][t] for t in range(64)})
            launch.barrier("again", grid=True)
        for b in range(3):
            launch.blocks[-1] = rounds[b]
            launch.store("swap", a, place[b], other[b])
        launch.blocks = rounds
        run = self.watch("grid", data=ints(values))
        self.predict(run, launch)
        self.assertEqual(a.values, [values[191 - i] + 1 for i in range(192)])

    def test_launches(self) -> None:
        both = self.integers(32), self.integers(32)
        arrays = [Array("a", "global", values) for values in both]
        launches = []
        for number in range(5):
            launch, a, i = Launch(32), arrays[number % 2], {t: t for t in range(32)}
            launch.block()
            old = launch.load("old", a, i)
            launch.store("new", a, i, {t: 2 * old[t] for t in i})
            launches.append(launch)
        run = self.watch("launches", "5", data=ints(both[0] + both[1]))
        self.predict(run, *launches)
        self.assertEqual([a["name"] for a in run.trace["arrays"]], ["a"] * 5)
        self.assertIn("5 launches, 5 blocks, 10 steps\n", run.said)
        self.assertEqual(run.trace["left_out"], {"launches": 0, "why": ""})

    def test_graph(self) -> None:
        run = self.watch("graph", "3", data=ints(self.integers(32)))
        self.assertEqual(len(run.trace["launches"]), 6)
        kernel = {"kind": "kernel", "kernel": run.trace["launches"][0]["kernel"], "grid": [1, 1, 1], "block": [32, 1, 1]}
        nodes = [{**kernel, "after": []}, {"kind": "fill", "bytes": 4, "after": [0]}, {**kernel, "after": [0]},
                 {"kind": "host function", "after": [1, 2]}]
        self.assertEqual(run.trace["graphs"], [{"launches": 3, "left_out": 0, "nodes": nodes}])

    def test_repeated_launches_are_shown_once(self) -> None:
        values = self.eighths(128)
        expected = self.copied(values, 1)
        run = self.watch("again", "20", data=floats(values))
        # The first one finds another array than the second, in which nothing was written yet: it does not read it.
        self.predict(run, expected)
        self.assertEqual(run.trace["left_out"], {"launches": 19, "why": "the program repeats them"})
        self.assertEqual(sums_of_counts(run.counts), Counter({k: 20 * n for k, n in sums_of(run.trace).items()}))

    def test_blocks_that_are_kept(self) -> None:
        for n in 1, 3, 4, 5, 100:
            values = self.integers(32 * n)
            run = self.watch("blocks", str(n), data=ints(values))
            (launch,) = run.trace["launches"]
            kept = sorted({*range(min(n, 3)), n - 1})
            self.assertEqual([block["index"] for block in launch["shown"]], [[b, 0, 0] for b in kept])
            self.assertEqual(launch["blocks"], n)
            expected = self.copied(values, 1, blocks=n, threads=32, kind="int")
            expected.blocks = [expected.blocks[b] for b in kept]
            self.same(run.trace, launch, expected)

    def test_shuffled_order(self) -> None:
        """Threads and blocks begin in another order, and do the same where the order does not matter."""
        values = self.eighths(1024)
        plain = self.watch("transpose33", data=floats(values))
        shuffled = self.watch("transpose33", data=floats(values), EMULATOR_SHUFFLE=str(self.random.randrange(1 << 30)))
        self.assertEqual(shuffled.trace["launches"], plain.trace["launches"])
        self.assertEqual(shuffled.counts, plain.counts)
        values = self.integers(32 * 7)
        run = self.watch("blocks", "7", data=ints(values), EMULATOR_SHUFFLE="5")
        self.assertEqual(sorted(b["index"][0] for b in run.trace["launches"][0]["shown"]), [0, 1, 2, 6])

    def test_counts_are_the_same_without_a_trace(self) -> None:
        values = self.eighths(512)
        run = self.watch("tree", data=floats(values))
        path = os.path.join(self.folder, "alone.json")
        self.execute("tree", data=floats(values), EMULATOR_COUNT_JSON=path)
        with open(path, encoding="utf-8") as file:
            self.assertEqual(json.load(file), run.counts)
        both = self.execute("tree", data=floats(values), EMULATOR_COUNT="1", EMULATOR_WATCH=os.path.join(self.folder, "p.html"))
        alone = self.execute("tree", data=floats(values), EMULATOR_COUNT="1")
        self.assertIn(b"global load", alone.stderr)
        self.assertTrue(both.stderr.startswith(alone.stderr), both.stderr)


if __name__ == "__main__":
    unittest.main()

"""Tests of the counters of the checked build: on counted/theory.cu, whose numbers anybody can say, and on
counted/random.cu, with random data and shapes, against a model of a warp that is written down here.

    SEED=7 python3 emulator/tests/counters_test.py
"""

import json
import os
import random
import shutil
import subprocess
import tempfile
import unittest
from collections import Counter

HERE = os.path.dirname(os.path.abspath(__file__))
NVCC = os.path.join(os.path.dirname(HERE), "nvcc_cpu")
SEED = int(os.environ.get("SEED", random.randrange(1 << 32)))
ABSENT = 0xffffffff
ELEMENTS = 256


class Counted(unittest.TestCase):
    """A program of counted/, compiled once."""

    program: str

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp()
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.source = os.path.join(HERE, "counted", cls.program + ".cu")
        done = subprocess.run([NVCC, "--check", "-std=c++20", cls.source, "-o", os.path.join(cls.folder, cls.program)],
                              capture_output=True, text=True, timeout=900, check=False)
        if done.returncode != 0:
            raise AssertionError(done.stderr)

    @classmethod
    def run_program(cls, *arguments, environment=None, text=""):
        return subprocess.run([os.path.join(cls.folder, cls.program), *arguments], input=text, capture_output=True,
                              text=True, timeout=900, check=False, env={**os.environ, **(environment or {})})

    @classmethod
    def count(cls, *arguments, text=""):
        """What the program's kernels did, by their names."""
        path = os.path.join(cls.folder, "counts.json")
        done = cls.run_program(*arguments, environment={"EMULATOR_COUNT_JSON": path}, text=text)
        if done.returncode != 0 or done.stderr:
            raise AssertionError(f"exit code {done.returncode}: {done.stderr}")
        with open(path, encoding="utf-8") as file:
            return {kernel["kernel"]: kernel for kernel in json.load(file)["kernels"]}


class Theory(Counted):
    program = "theory"

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        kernels = cls.count()
        cls.kernels = {name.split("(")[0].removeprefix("void "): kernel for name, kernel in kernels.items()}

    def counts(self, kernel):
        return {counts.pop("what"): counts for counts in map(dict, self.kernels[kernel]["counts"])}

    def expect(self, kernel, what, **expected):
        counts = self.counts(kernel)[what]
        self.assertEqual({name: counts.get(name) for name in expected}, expected, f"{kernel}, {what}")

    def test_sectors(self):
        for kernel, requests, lanes, load, store in (
                ("coalesced", 9, 288, 4, 4), ("stride", 2, 64, 8, 4), ("stride_32", 2, 64, 32, 4), ("doubles", 2, 64, 8, 8),
                ("chars", 2, 64, 1, 1), ("misaligned", 2, 64, 5, 4)):
            self.expect(kernel, "global load", requests=requests, lanes=lanes, sectors=requests * load, most_sectors=load)
            self.expect(kernel, "global store", requests=requests, lanes=lanes, sectors=requests * store,
                        most_sectors=store)
        self.expect("coalesced", "global load", bytes=288 * 4)
        # A warp and a half.
        self.expect("broadcast", "global load", requests=2, lanes=48, sectors=2, most_sectors=1)
        self.expect("broadcast", "global store", requests=2, lanes=48, sectors=6, most_sectors=4)

    def test_vectors(self):
        self.expect("vectors", "global load", requests=2, sectors=32, bytes=64 * 16)
        self.expect("vectors", "global store", requests=6, sectors=96, bytes=3 * 64 * 16)
        self.expect("pairs", "global store", requests=2, sectors=32, bytes=64 * 16)
        self.expect("by_value", "global load", requests=2, sectors=32)
        self.expect("by_value", "global store", requests=2, sectors=32)
        self.expect("no_vectors", "global load", requests=4, sectors=32, bytes=64 * 8)
        self.expect("no_vectors", "global store", requests=12, sectors=96, bytes=3 * 64 * 8)

    def test_constant_memory(self):
        self.expect("constants", "constant load", requests=4, addresses=2 * 1 + 2 * 4)
        self.assertNotIn("global load", self.counts("constants"))

    def test_bank_conflicts(self):
        for kernel, ways in ("columns", 32), ("padded", 1):
            self.expect(kernel, "shared load", requests=32, wavefronts=32 * ways, least_wavefronts=32, worst_ways=ways)
            self.expect(kernel, "shared store", requests=32, wavefronts=32, least_wavefronts=32, worst_ways=1)
        self.expect("wide_shared", "shared store", requests=4, wavefronts=2 * 2 + 2 * 4, least_wavefronts=12)
        self.expect("wide_shared", "shared load", requests=6, wavefronts=2 * (4 + 1 + 8), least_wavefronts=2 * (2 + 1 + 4))

    def test_matrices_of_the_tensor_cores(self):
        """The lanes that give ldmatrix an address read 16 bytes each; 8 of them are served at once, unless banks conflict."""
        self.expect("matrix_rows", "global load", requests=1, lanes=32, sectors=16)
        self.expect("matrix_rows", "shared store", requests=1, lanes=32, wavefronts=4)
        self.expect("matrix_rows", "shared load", requests=2, lanes=40, bytes=40 * 16, wavefronts=5)
        self.expect("matrix_rows", "warp operation", requests=3, lanes=96)
        self.expect("matrix_rows_of_128_bytes", "shared load", requests=1, lanes=8, wavefronts=8)

    def test_atomics(self):
        self.expect("one_counter", "global atomic", requests=2, lanes=48, sectors=32 + 16, same_address=32 + 16,
                    most_same_address=32)
        self.expect("eight_counters", "shared atomic", requests=4, lanes=128, same_address=2 * (4 + 8),
                    most_same_address=8, worst_ways=1)

    def test_barriers(self):
        self.expect("tree", "barrier", requests=2 * 8, lanes=2 * 8 * 256)
        self.assertEqual((self.kernels["tree"]["blocks"], self.kernels["tree"]["threads"]), (2, 512))
        self.expect("tree", "global store", requests=2, lanes=2, sectors=2)
        # 128, 64 and 32 threads are whole warps, and less is a part of one.
        self.expect("tree", "shared store", requests=2 * (8 + 4 + 2 + 1 + 5), lanes=2 * (256 + 255))

    def test_most_of_a_warp(self):
        for kernel, most in (("coalesced", {"global load": 1, "global store": 1}),
                             ("no_vectors", {"global load": 2, "global store": 6})):
            self.assertEqual(self.kernels[kernel]["most_of_a_warp"], most)
        self.assertEqual(self.kernels["tree"]["most_of_a_warp"]["shared store"], 9)  # of the first warp, 20 in all

    def test_most_of_a_block(self):
        self.assertEqual(self.kernels["tree"]["most_of_a_block"]["shared store"], 20)  # of 40 by two blocks

    def test_steps(self):
        """Here accesses only, of which each makes two."""
        threads = self.kernels["coalesced"]["threads"]
        busiest = {"of_thread": 4, "of_warp": 4 * 32, "of_block": 4 * threads // self.kernels["coalesced"]["blocks"]}
        self.assertEqual(self.kernels["coalesced"]["steps"], {"all": 4 * threads, "of_lane": 4 * threads // 32, **busiest})
        steps = self.kernels["tree"]["steps"]
        self.assertEqual(steps["all"], 2 * sum(entry["lanes"] for entry in self.kernels["tree"]["counts"]
                                               if entry["what"] != "barrier"))
        self.assertEqual(steps["of_block"], steps["all"] // 2)
        self.assertGreater(steps["of_thread"], steps["of_lane"] // 16)

    def test_warp_operations_and_fences(self):
        self.expect("shuffles", "warp operation", requests=10, lanes=320)
        self.expect("shuffles", "fence", requests=2, lanes=64)
        self.expect("halves", "warp operation", requests=4, lanes=64)
        self.expect("halves", "global load", requests=2, lanes=64)
        self.expect("both_sides", "warp operation", requests=2, lanes=64)
        self.expect("both_sides", "global load", requests=4, lanes=64)
        self.expect("both_sides", "global store", requests=2, lanes=64)

    def test_warps_that_part(self):
        self.expect("uneven_loops", "global load", requests=2 * (4 + 4), lanes=320)
        self.expect("uneven_loops", "global store", requests=4, lanes=128)
        self.expect("ends_of_rounds", "global load", requests=2 * 5, lanes=5 * 64)
        self.expect("ends_of_rounds", "global store", requests=2 * (5 + 1), lanes=5 * 64 // 8 + 64)
        self.expect("begins_of_rounds", "global load", requests=2 * 5, lanes=5 * 64 * 3 // 4)
        self.expect("begins_of_rounds", "global store", requests=2 * (5 + 1), lanes=5 * sum(i % 3 != 0 for i in range(64)) + 64)
        # In each warp and round the longest way is three times around. The odd lanes go it in one round, the even ones in two.
        self.expect("rounds_in_rounds", "global load", requests=2 * 3 * 3, lanes=2 * 8 * 3 * (0 + 1 + 2 + 3))
        self.expect("rounds_in_rounds", "global store", requests=2 * (2 + 3 + 2 + 3),
                    lanes=sum((i + r) % 4 for i in range(0, 64, 2) for r in range(3)) + 3 * 64)
        self.expect("branches", "global load", requests=4, lanes=64, sectors=2 * (4 + 1))
        self.expect("branches", "global store", requests=2, lanes=64)
        self.expect("functions", "global load", requests=4, lanes=16 + 8 + 32 + 16)

    def test_lines(self):
        with open(self.source, encoding="utf-8") as file:
            text = file.read().splitlines()
        kernel = self.kernels["misaligned"]
        self.assertEqual(os.path.basename(kernel["file"]), "theory.cu")
        self.assertIn("void misaligned(", text[kernel["line"] - 1])
        self.assertEqual({line["text"] for line in kernel["lines"]}, {"y[threadIdx.x] = x[threadIdx.x + 1];"})
        for each in self.kernels.values():
            sums = Counter()
            for line in each["lines"]:
                self.assertEqual(text[line["line"] - 1].strip(), line["text"])
                for name, n in line["counts"].items():
                    if name in ("requests", "lanes", "sectors", "wavefronts"):
                        sums[line["counts"]["what"], name] += n
            self.assertEqual(sums, {(counts["what"], name): n for counts in each["counts"] for name, n in counts.items()
                                    if name in ("requests", "lanes", "sectors", "wavefronts")})

    def test_table(self):
        text = self.run_program(environment={"EMULATOR_COUNT": "1"}).stderr
        self.assertRegex(text, r"void coalesced\(const float\*, float\*\) at theory\.cu:\d+\n  1 launch, 3 blocks, 288 thr")
        self.assertRegex(text, r"global load +9 requests of 32\.0 lanes, 4\.0 sectors each, at most 4\n")
        self.assertRegex(text, r"shared load +32 requests of 32\.0 lanes, 32\.0-way, at most 32\n")
        self.assertRegex(text, r"barrier +8\.0 per block\n")
        self.assertRegex(text, r"24\.0 lanes at one address, at most 32\n")
        self.assertNotIn("theory.cu:", text.split("padded(float*)")[1].split("\n", 1)[1].split("\nvoid")[0])
        lines = self.run_program(environment={"EMULATOR_COUNT": "lines"}).stderr
        self.assertRegex(lines, r"theory\.cu:\d+  y\[threadIdx\.x\] = x\[threadIdx\.x \+ 1\];\n +global load +2 requests")

    def test_not_asked(self):
        done = self.run_program()
        self.assertEqual((done.returncode, done.stderr), (0, "emulator: checked 29 launches: nothing found\n"))


class Floors(Counted):
    program = "floors"

    def test_sectors_are_counted_once(self):
        touched = {name.partition("(")[0].removeprefix("void "): (kernel["read_sectors"], kernel["written_sectors"])
                   for name, kernel in self.count().items()}
        self.assertEqual(touched, {
            "copy": (8, 8), "in_place": (8, 8), "write_first": (0, 16), "again": (2 * 8, 2 * 8), "count": (2, 2),
            "many_blocks": (0, 0), "far_apart": (5 << 19, 1)})

    def test_the_largest_time_is_the_floor(self):
        floors = {name.partition("(")[0].removeprefix("void "): kernel["floors"] for name, kernel in self.count().items()}
        for gpu in range(2):
            limits = {name: of_kernel[gpu]["limit"] for name, of_kernel in floors.items()}
            self.assertEqual(limits, dict.fromkeys(limits, "its launch") | {
                "many_blocks": "its blocks", "far_apart": "its bytes, from the L2 cache"})
        self.assertEqual([floor["gpu"] for floor in floors["copy"]], ["H100", "H200"])
        self.assertEqual(floors["again"][1]["seconds"], 2 * floors["copy"][1]["seconds"])
        self.assertEqual(floors["many_blocks"][1]["seconds"], 20000 * 0.6e-9)

    def test_the_table_has_them(self):
        text = self.run_program(environment={"EMULATOR_COUNT": "1"}).stderr
        self.assertRegex(text, r"void again[^\n]*\n  2 launches(.*\n)+?  global sectors   8 read and 8 written, each counted once\n"
                         r"  at least         1\.2 µs on an H200: its launch\n")
        self.assertIn("  at least         12 µs on an H200: its blocks\n", text)
        text = self.run_program(environment={"EMULATOR_COUNT": "1", "EMULATOR_GPU": "H100"}).stderr
        self.assertIn("  at least         1.6 µs on an H100: its launch\n", text)
        text = self.run_program(environment={"EMULATOR_COUNT": "1", "EMULATOR_GPU": "A100"}).stderr
        self.assertIn("emulator: EMULATOR_GPU=A100 is ignored: its value is H100 or H200\n", text)


class Ranges(Counted):
    program = "ranges"

    def test_a_kernel_counts_for_the_range_that_launched_it(self):
        path = os.path.join(self.folder, "ranges.json")
        text = self.run_program(environment={"EMULATOR_COUNT_JSON": path, "EMULATOR_COUNT": "1"}).stderr
        with open(path, encoding="utf-8") as file:
            kernels = json.load(file)["kernels"]
        found = [(kernel["ranges"], kernel["launches"], kernel["threads"]) for kernel in kernels]
        self.assertEqual(found, [([], 2, 64), (["outer"], 2, 128), (["outer", 'inner "one"'], 1, 128)])
        self.assertEqual([kernel["counts"][0]["lanes"] for kernel in kernels], [64, 128, 128])
        self.assertRegex(text, r"void touch\(int\*\) at ranges\.cu:\d+ in outer\n  2 launches, 2 blocks, 128 threads")


class Model:
    """Of warps: counts what the lanes of each ask for, `lanes` a list of [(lane, address)] for each request."""

    def __init__(self, size):
        self.size = size
        self.counts = Counter()

    def request(self, lanes):
        if not lanes:
            return
        self.counts["requests"] += 1
        self.counts["lanes"] += len(lanes)

    def sectors(self, lanes):
        self.request(lanes)
        self.counts["sectors"] += len({(address + byte) // 32 for _, address in lanes for byte in range(self.size)})

    def atomic_sectors(self, lanes):
        self.request(lanes)
        most = Counter()
        for address, times in Counter(address for _, address in lanes).items():
            most[address // 32] = max(most[address // 32], times)
        self.counts["sectors"] += sum(most.values())

    def banks(self, lanes, load=True):
        self.request(lanes)
        at_once = 128 // max(self.size, 4)
        where = dict(lanes)
        if load and self.size > 4 and any(all(where.get(lane ^ distance, address) == address for lane, address in lanes)
                                          for distance in (1, 2)):
            at_once *= 2
        for begin in range(0, 32, at_once):
            words = {(address + byte) // 4 for lane, address in lanes if begin <= lane < begin + at_once
                     for byte in range(self.size)}
            if words:
                self.counts["wavefronts"] += max(Counter(word % 32 for word in words).values())
                self.counts["least_wavefronts"] += 1

    def same(self, lanes):
        if lanes:
            self.counts["same_address"] += max(Counter(address for _, address in lanes).values())


class Random(Counted):
    program = "random"

    def setUp(self):
        self.random = random.Random(SEED)
        print(f"SEED={SEED}")

    def lines(self, kernel):
        """The counts of the lines that are marked by a comment."""
        found = {}
        for line in kernel["lines"]:
            text, _, mark = line["text"].partition("  // ")
            if mark:
                found.setdefault(mark, {})[line["counts"]["what"]] = line["counts"]
        return found

    def test_random(self):
        for shape in range(12):
            block = self.random.choice([1, 31, 32, 33, 64, 100, 256])
            threads = block * self.random.randrange(1, 4)
            n = self.random.randrange(1, threads + 1)
            spread = self.random.choice([1, 4, 33, ELEMENTS])  # how far apart the indices are
            step = self.random.choice([1, 1, 2, 3, 32])
            alike = self.random.choice([0, 0, 1, 2, 31])  # lanes whose numbers differ in these bits have the same index
            own = [(self.random.randrange(spread) + i * step) % ELEMENTS for i in range(n)]
            index = [ABSENT if self.random.random() < 0.2 else own[i & ~alike] for i in range(n)]
            trips = [[self.random.randrange(5) for _ in range(3)] for _ in range(n)]
            text = "".join(f"{index[i]} {trips[i][0]} {trips[i][1]} {trips[i][2]}\n" for i in range(n))
            kernels = self.count(str(threads), str(block), str(n), text=text)
            # The lanes of each warp that have something to do, as (lane, i).
            warps = [[(lane, first + lane) for lane in range(32) if warp + lane < block and first + lane < n]
                     for begin in range(0, threads, block) for warp in range(0, block, 32)
                     for first in [begin + warp]]
            with self.subTest(seed=SEED, shape=shape, block=block, threads=threads, n=n, spread=spread, step=step,
                              alike=alike):
                self.check_gathers(kernels, warps, index)
                self.check_atomics(kernels, warps, index)
                self.check_loops(kernels, warps, index, trips)

    def expect(self, model, counts, what):
        self.assertEqual(dict(model.counts), {name: counts.get(name) for name in model.counts}, what)

    def check_gathers(self, kernels, warps, index):
        present = [[(lane, index[i]) for lane, i in warp if index[i] != ABSENT] for warp in warps]
        types = {"char": (1, 1), "short int": (2, 1), "float": (4, 1), "double": (8, 1), "float3": (4, 3), "float4": (16, 1)}
        seen = 0
        for name, kernel in kernels.items():
            if "gather" not in name:
                continue
            size, pieces = types[name.partition("[with T = ")[2].rstrip("]")]
            seen += 1
            lines = self.lines(kernel)
            model, stores = Model(size), Model(size)
            for warp in present:
                for piece in range(pieces):
                    addresses = [(lane, (k * pieces + piece) * size) for lane, k in warp]
                    (model.banks if "shared" in name else model.sectors)(addresses)
                    stores.banks([(lane, ((ELEMENTS - 1 - k) * pieces + piece) * size) for lane, k in warp], load=False)
            if not any(present):
                self.assertEqual(lines, {})
            elif "shared" in name:
                self.expect(model, lines["shared load"]["shared load"], name)
                self.expect(stores, lines["shared store"]["shared store"], name)
            else:
                self.expect(model, lines["load"]["global load"], name)
                self.expect(model, lines["store"]["global store"], name)
        self.assertEqual(seen, 2 * len(types))

    def check_atomics(self, kernels, warps, index):
        kernel = next(kernel for name, kernel in kernels.items() if " add(" in name)
        lines = self.lines(kernel)
        shared, total = Model(4), Model(4)
        for warp in warps:
            addresses = [(lane, 4 * index[i]) for lane, i in warp if index[i] != ABSENT]
            shared.banks(addresses, load=False)
            shared.same(addresses)
            total.atomic_sectors(addresses)
            total.same(addresses)
        if not any(total.counts.values()):
            return self.assertEqual(lines, {})
        self.expect(shared, lines["shared atomic"]["shared atomic"], "shared atomic")
        self.expect(total, lines["atomic"]["global atomic"], "atomic")

    def check_loops(self, kernels, warps, index, trips):
        kernel = next(kernel for name, kernel in kernels.items() if " loops(" in name)
        lines = self.lines(kernel)
        rounds, inner, other = Model(4), Model(4), Model(4)
        for warp in warps:
            for r in range(3):
                rounds.request(warp)
                for loop, odd in (inner, 0), (other, 1):
                    there = [(lane, i) for lane, i in warp if index[i] % 2 == odd]
                    for j in range(5):
                        loop.request([(lane, i) for lane, i in there if trips[i][r] > j])
        self.expect(rounds, lines["each round"]["global load"], "each round")
        self.expect(rounds, lines["end of round"]["global store"], "end of round")
        for model, mark in (inner, "loop"), (other, "other loop"):
            if model.counts:
                self.expect(model, lines[mark]["global load"], mark)
            else:
                self.assertNotIn(mark, lines)


if __name__ == "__main__":
    unittest.main()

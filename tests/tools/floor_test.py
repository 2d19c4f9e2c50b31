"""Floors of times: no time that was recorded lies below its floor."""

import json
import math
import re
import unittest

from support import ROOT, FakeRepository
from reports import counts, floors, results
from reports.floors import Ceilings, Floor, Work
from shared.console import Failure

MOST = Ceilings(memory=1e12, l2_bytes=5e7, l2=5e12, wavefronts=1e11, atomic_at_one_address=1e-9, start_of_a_block=1e-9, start_of_a_kernel=1e-6)
ENTRY = {
    "general": {"clock_rate_khz": 2e6},
    "multiprocessor": {"multiprocessors": 100},
    "memory": {"l2_cache_bytes": 0},
    "peak": {"gb_per_s": 2.0},
    "measured": {"reading_the_l2_cache_gb_per_s": 5.0, "atomic_at_one_address_ns": 1.0, "start_of_a_block_ns": 0.5, "start_of_a_kernel_ns": 1000.0},
    "date": "2026-11-24",
}
RUN = {
    "title": "n = 1,000,000,000 floats",
    "n": 10**9,
    "cold_l2": False,
    "peak_gflop_per_s": 100.0,
    "stages": [
        {"name": "1_cpu", "seconds": 9.0, "gb_per_s": 1.0},
        {"name": "2_rows", "seconds": 4.0, "gb_per_s": 1.0},
        {"name": "3_x/wide", "seconds": 30.0, "gb_per_s": 0.1},
        {"name": "4_too_slow", "seconds": None},
    ],
}


def gpu(name: str, **more: object) -> results.Json:
    return {"device": name, "chapters": {"02_device_query": ENTRY | more, "03_vector_add": {"runs": [RUN]}}}


def _counted(chapter: str, stage: str) -> list[tuple[str, results.Json]]:
    """The command lines that counted a stage, and its rows."""
    found = [(e["command"], row) for e in counts.kept(ROOT, chapter) for row in e["rows"] if row["stage"] == stage]
    assert found, (chapter, stage)
    return found


def _items(command: str) -> int:
    words = command.split()
    if "--size" in words:
        return math.prod(map(int, words[words.index("--size") + 1].split("x")))
    return int(words[words.index("--n") + 1])


class Recorded(unittest.TestCase):
    def test_no_recorded_time_lies_below_its_floor(self) -> None:
        gpus = results.load_gpus(ROOT / "results")
        self.assertGreaterEqual(len(gpus), 2)
        for each in (each for one in gpus for chapter in one["chapters"] for each in floors.of_recorded(one, chapter)):
            with self.subTest(gpu=each.gpu, chapter=each.chapter, run=each.run["title"], stage=each.stage["name"]):
                self.assertGreaterEqual(each.stage["seconds"], each.floor.shown())

    def test_every_chapter_with_stages_has_floors_on_every_gpu(self) -> None:
        for one in results.load_gpus(ROOT / "results"):
            for chapter, entry in one["chapters"].items():
                if any(not floors.CPU.match(stage["name"]) for run in entry.get("runs", []) for stage in run["stages"]):
                    self.assertTrue(list(floors.of_recorded(one, chapter)), (one["device"], chapter))

    def test_what_is_said_of_a_stage_is_said_of_one_that_there_is(self) -> None:
        named = {*floors.ATOMICS, *floors.WAVEFRONTS, *floors.ITEMS_OF_A_BLOCK, *floors.OPERATIONS, *floors.A_KERNEL_FOR_EACH_ITEM}
        for chapter, stage in named:
            self.assertTrue(list((ROOT / chapter).glob(f"{stage.partition('/')[0]}.cu")), (chapter, stage))

    def test_blocks_and_atomics_are_as_counted(self) -> None:
        for chapter, stage in floors.ITEMS_OF_A_BLOCK:
            items = floors.items_of_a_block(chapter, stage)
            rows = _counted(chapter, stage)
            if chapter == "13_scan":  # Its scan_tiles is launched twice, the second time for few sums: rows have the average.
                started = sum(row["blocks"] * (2 if row["kernel"] == "scan_tiles" else 1) for _, row in rows)
                self.assertTrue(1 <= started * items / _items(rows[0][0]) < 1.04, (chapter, stage))
                continue
            for entry, row in rows:
                self.assertEqual(row["blocks"] * items, _items(entry), (chapter, stage))
        for chapter, stage in floors.ATOMICS:
            for entry, row in _counted(chapter, stage):
                counted = row["counts"]["global atomic"]
                done = 32 * counted["requests"] if chapter == "12_pi" else counted["lanes"]  # there, a warp's adds become one
                self.assertEqual(done, _items(entry), (chapter, stage))

    def test_wavefronts_are_those_that_a_profiler_counted(self) -> None:
        found = json.loads((ROOT / "results/counts/nsight_compute_NVIDIA_H100_80GB_HBM3.json").read_text(encoding="utf-8"))
        for (chapter, stage), (wavefronts, _) in floors.WAVEFRONTS.items():
            rows = [row for run in found["chapters"][chapter]["runs"] for row in run["rows"] if row["stage"] == stage]
            self.assertIn(wavefronts, [row["counts"]["shared load"]["wavefronts"] for row in rows], stage)

    def test_the_emulators_gpus_are_those_that_were_measured(self) -> None:
        text = (ROOT / "emulator/src/checked/counters/floors.h").read_text(encoding="utf-8")
        rows = re.findall(r'\{"(\w+)", ([\d.]+), ([\d.]+), (\d+), ([\d.]+), ([\d.]+)\}', text)
        measured = {name: floors.chosen(results.load_gpus(ROOT / "results"), name) for name, *_ in rows}
        self.assertEqual(sorted(measured), ["H100", "H200"])
        for name, *numbers in rows:
            gpu = measured[name]
            assert gpu
            most = floors.ceilings(gpu)
            assert most
            memory, l2, l2_bytes, block, kernel = map(float, numbers)
            self.assertEqual(l2_bytes, most.l2_bytes)
            for here, there in ((memory, most.memory / 1e9), (l2, most.l2 / 1e9)):
                self.assertTrue(there * 0.999 <= here <= there * 1.00001, (name, here, there))
            for here, there in ((block, most.start_of_a_block * 1e9), (kernel, most.start_of_a_kernel * 1e9)):
                # The least of several runs, of which the recorded one is the last.
                self.assertTrue(there * 0.95 <= here <= there, (name, here, there))

    def test_the_floor_of_a_learners_answer(self) -> None:
        both = [{"gpu": "H100", "seconds": 2e-6, "limit": "its launch"}, {"gpu": "H200", "seconds": 1e-6, "limit": "its launch"}]
        slower = [{"gpu": "H200", "seconds": 3e-6, "limit": "its blocks"}]
        found = floors.of_counted([{"floors": both}, {"floors": slower}, {}])
        self.assertEqual(found, {"H100": Floor(2e-6, "its launch"), "H200": Floor(3e-6, "its blocks")})


class Floors(unittest.TestCase):
    def limit(self, **work: float) -> tuple[float, str]:
        found = floors.floor(Work(**work), MOST)  # type: ignore[arg-type]
        return found.seconds, found.limit

    def test_the_largest_single_floor_counts(self) -> None:
        self.assertEqual(self.limit(), (1e-6, "its launch"))
        self.assertEqual(self.limit(kernels=3), (3e-6, "its launches"))
        self.assertEqual(self.limit(times=3), (3e-6, "its launches"))
        self.assertEqual(self.limit(bytes=1.05e9), (1e-3, "its bytes"))
        self.assertEqual(self.limit(bytes=1.05e9, times=8), (8e-3, "its bytes"))
        self.assertEqual(self.limit(bytes=1e9, cold=True), (1e-3, "its bytes"))
        self.assertEqual(self.limit(bytes=6e7, one_way=6e7), (12e-6, "its bytes, from the L2 cache"))
        self.assertEqual(self.limit(bytes=1e9, operations=1e12, operations_a_second=1e13), (0.1, "its operations"))
        self.assertEqual(self.limit(bytes=1e9, blocks=10**8), (0.1, "its blocks"))
        self.assertEqual(self.limit(bytes=1e9, wavefronts=1e10), (0.1, "its shared memory"))
        self.assertEqual(self.limit(bytes=1e9, atomics_at_one_address=1e8), (0.1, "its atomics at one address"))

    def test_without_ceilings_nobody_knows_what_takes_over(self) -> None:
        self.assertEqual(floors.zones({"device": "NVIDIA A", "chapters": {}}, "03_vector_add", [RUN], [RUN["n"]]), [])

    def test_a_floor_is_rounded_down(self) -> None:
        for seconds, shown in ((0.000679, 0.00067), (0.00067, 0.00067), (1.3e-6, 1.3e-6), (0.999, 0.99), (10.9, 10), (0, 0)):
            self.assertTrue(math.isclose(Floor(seconds, "").shown(), shown), (seconds, Floor(seconds, "").shown()))
            self.assertLessEqual(Floor(seconds, "").shown(), seconds * (1 + 1e-9))

    def test_the_gpu_that_is_asked_for(self) -> None:
        known = [gpu("NVIDIA H100 80GB HBM3"), gpu("NVIDIA H200", date="2026-11-25")]
        self.assertEqual(floors.chosen(known, None), known[1])
        self.assertEqual(floors.chosen(known, "h100"), known[0])
        self.assertEqual(floors.chosen(known, "NVIDIA_H100_80GB_HBM3"), known[0])
        self.assertIsNone(floors.chosen([], None))
        with self.assertRaisesRegex(Failure, "--gpu a100: none of NVIDIA H100 80GB HBM3, NVIDIA H200"):
            floors.chosen(known, "a100")
        with self.assertRaisesRegex(Failure, "--gpu nvidia: several of"):
            floors.chosen(known, "nvidia")
        without = {"device": "NVIDIA A100", "chapters": {"02_device_query": ENTRY | {"measured": None}}}
        self.assertIsNone(floors.chosen([without], None))
        self.assertEqual(list(floors.of_recorded(without, "03_vector_add")), [])


class Count(FakeRepository):
    def test_floors_stand_below_the_counts(self) -> None:
        kernel = {"kernel": "f()", "file": "/03_vector_add/2_rows.cu", "line": 1, "launches": 1, "not_counted": 0}
        kernel |= {"blocks": 1, "threads": 1, "counts": [], "lines": []}
        printed = json.dumps({"kernels": [kernel]})
        self.chapter("03_vector_add", "vector_add", f"printf '%s' '{printed}' > \"$EMULATOR_COUNT_JSON\"\n")
        self.counts("03_vector_add", "vector_add --n 64")
        self.assertNotIn("at least", self.lab("count").stdout)
        recorded = gpu("NVIDIA H200")
        recorded["chapters"]["03_vector_add"]["runs"].append(RUN | {"title": "n = 1,000 floats", "n": 1000})
        self.write("results/NVIDIA_H200.json", json.dumps(recorded))
        result = self.runs("count", "3", "--gpu", "h200")
        self.assertIn("── on an NVIDIA H200 · n = 1,000,000,000 floats ─", result.stdout)
        self.assertRegex(result.stdout, r"2_rows +bytes +2.0 s +4.00 s +2.00\n")
        self.assertNotIn("3_x/wide", result.stdout)  # was not counted
        self.assertNotIn("n = 1,000 floats", result.stdout)  # only the largest run
        self.assertLess(result.stdout.index("no prediction"), result.stdout.index("──"))
        of_stage = self.lab("count", "3", "2").stdout.partition("── on an NVIDIA H200 ─")[2]
        self.assertEqual(re.findall(r"2_rows +(n = [\d,]+)", of_stage), ["n = 1,000,000,000", "n = 1,000"])
        result = self.lab("count", "3", "--gpu", "a100")
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertEqual(result.stderr, "lab: --gpu a100: none of NVIDIA H200\n")

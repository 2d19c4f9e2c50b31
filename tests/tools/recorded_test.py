"""What the emulator's builds are told of a chapter's recorded numbers."""

import unittest

import support  # noqa: F401  where the tools are
import recorded
from reports import floors
from reports.results import Json


def device(name: str, date: str, seconds: float) -> Json:
    runs = [
        {"title": "n = 10", "n": 10, "cold_l2": False, "stages": [{"name": "2_half", "seconds": seconds}]},
        {"title": "n = 10", "n": 10, "cold_l2": True, "stages": [{"name": "2_half", "seconds": 1.0}]},
    ]
    return {"chapters": {"03_toy": {"device": {"name": name}, "date": date, "runs": runs}}}


def kernel(stage: str, **counts: Json) -> Json:
    return {"stage": stage, "kernel": "k", "blocks": 2, "counts": {name.replace("_", " "): n for name, n in counts.items()}}


class Recorded(unittest.TestCase):
    def test_counts_of_all_kernels_of_a_stage(self) -> None:
        load = {"requests": 4, "lanes": 128, "sectors": 16}
        shared = {"requests": 4, "lanes": 128, "wavefronts": 12, "least_wavefronts": 4}
        rows = [kernel("2_half", global_load=load), kernel("2_half", global_load=load, shared_store=shared), kernel("3_whole")]
        find = kernel("2_half", global_atomic={"requests": 1, "lanes": 5, "sectors": 1}) | {"table": "finds"}
        entries = [{"command": "toy --n 64", "rows": rows}, {"command": "other", "rows": [find, *rows]}]
        first, finds = recorded.of_chapter("03_toy", [], entries)["counted"]
        self.assertEqual((first["title"], first["command"]), ("", "toy --n 64"))
        self.assertEqual(first["what"], ["sectors", "conflicts", "requests"])  # no atomics and no barriers anywhere
        self.assertEqual([first["stages"]["2_half"][what] for what in first["what"]], [32, 8, 8])
        self.assertEqual([first["stages"]["3_whole"][what] for what in first["what"]], [0, 0, 0])
        self.assertEqual((finds["title"], finds["command"]), ("finds", "other"))
        self.assertEqual(finds["what"], ["sectors", "atomics", "requests"])
        self.assertEqual([finds["stages"]["2_half"][what] for what in finds["what"]], [1, 5, 1])

    def test_times_are_those_of_the_gpu_measured_last(self) -> None:
        devices = [device("NVIDIA H100 80GB HBM3", "2030-01-02", 2e-6), device("NVIDIA H200", "2030-01-03", 1.5e-6)]
        for each in (devices, devices[::-1]):
            found = recorded.of_chapter("03_toy", each, [])
            self.assertEqual((found["gpu"], found["gpu_in_full"]), ("H200", "NVIDIA H200"))
            self.assertEqual(found["runs"], [{"title": "n = 10", "n": 10, "seconds": {"2_half": 1.5e-06}}])

    def test_nothing_recorded(self) -> None:
        nothing = {"counted": [], "gpu": "", "gpu_in_full": "", "runs": []}
        self.assertEqual(recorded.of_chapter("04_other", [device("x", "", 1)], []), nothing)
        tables_only = {"chapters": {"03_toy": {"device": {"name": "x 1"}, "runs": [], "tables": [{}]}}}
        self.assertEqual(recorded.of_chapter("03_toy", [tables_only], []), nothing)

    def test_the_name_in_a_word(self) -> None:
        names = {
            "NVIDIA H100 80GB HBM3": "H100",
            "NVIDIA A100-SXM4-80GB": "A100",
            "NVIDIA GeForce RTX 4090": "4090",
            "Tesla T4": "T4",
            "strange": "GPU",
        }
        for name, word in names.items():
            self.assertEqual(floors.short_name(name), word)

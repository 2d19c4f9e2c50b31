"""Measuring, merging what was measured, and of the tables and charts made of it what no lesson shows: those that lessons show are
compared with what is made by ./lab docs --check."""

import copy
import json
import math
import re
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from support import ROOT, FakeRepository
from lessons import chart, roofline, tables, timeline
from reports import results


def stage(name: str, seconds: float, gb_per_s: float | None = None) -> results.Json:
    return {"name": name, "seconds": seconds, "gb_per_s": gb_per_s}


def of_kind(svg: str, kind: str) -> list[ElementTree.Element]:
    """A picture's shapes of a kind, without the paper below them."""
    shapes = list(ElementTree.fromstring(svg).iter(f"{{http://www.w3.org/2000/svg}}{kind}"))
    return shapes[1:] if kind == "rect" else shapes


def words_in(svg: str) -> list[str]:
    return [element.text or "" for element in of_kind(svg, "text")]


# Made-up numbers of a made-up device.
ENTRY: results.Json = {
    "chapter": "03_vector_add",
    "device": {"name": "NVIDIA <Test> 9", "backend": "cuda", "cuda_runtime": "13.0"},
    "copy_gb_per_s": 3000.0,
    "runs": [
        {"title": "n = 10", "n": 10, "cold_l2": False, "stages": [stage("1_cpu", 1e-7)]},
        {
            "title": "n = 1,000",
            "n": 1000,
            "cold_l2": False,
            "stages": [
                stage("1_cpu", 0.21),
                stage("2_one_thread_blocks", 0.0123456, 270),
                stage("3_blocks", 0.001, 2970),
                stage("library", 0.00098, 2999),
            ],
        },
    ],
    "date": "2031-02-03",
    "commit": "abc1234",
    "driver": "999.1",
}


def gpu_with(entry: results.Json) -> results.Json:
    return {"device": "NVIDIA <Test> 9", "chapters": {"03_vector_add": entry}}


# The same work at four sizes.
SWEEP: results.Json = ENTRY | {
    "runs": [
        {"title": f"random, n = {n:,}", "n": n, "cold_l2": False, "stages": [stage("3_fast", n * 1e-9, 8)]}
        for n in (10, 1000, 100, 10_000)
    ]
}


class Tables(unittest.TestCase):
    def test_what_is_no_sweep(self) -> None:
        self.assertEqual(tables.sweep(ENTRY), [], "two sizes")
        runs = copy.deepcopy(SWEEP["runs"])
        runs[0]["title"] = "sorted, n = 10"
        self.assertEqual(tables.sweep(SWEEP | {"runs": runs}), [], "two kinds")
        self.assertEqual(tables.sweep(SWEEP | {"runs": SWEEP["runs"][:1] * 4}), [], "one size, four times")

    def test_a_size_is_a_whole_number(self) -> None:
        for title in ("11,000 × 1,000, c = 0", "1,000 × 1,000,000 points, 64 steps"):
            size = tables.size_of({"title": title, "n": 7, "cold_l2": False})
            self.assertEqual((size.label, size.axis, size.kind), ("n = 7", "n", title))

    def test_the_tables_of_one_gpu_are_shown_and_those_of_others_folded(self) -> None:
        def gpu(name: str, date: str) -> dict[str, object]:
            device = ENTRY["device"] | {"name": name}
            numbers = {"title": "waits", "header": ["n", "ns"], "rows": [["1", 2.0]], "curve": "line"}
            entry = ENTRY | {"device": device, "date": date, "tables": [numbers]}
            return {"device": name, "chapters": {"03_vector_add": entry}}

        for dates, shown in (("2026-01-02", "2026-01-01"), "A"), (("2026-01-01", "2026-01-02"), "B"), (("2026-01-01",) * 2, "B"):
            gpus = [gpu(name, date) for name, date in zip("AB", dates, strict=True)]
            folded = "A" if shown == "B" else "B"
            for text in (
                tables.summary_table(gpus),
                tables.chapter_tables("03_vector_add", gpus, Path("/nowhere")),
                tables.chapter_tables("03_vector_add", gpus, Path("/nowhere"), ["3", "waits"]),
            ):
                with self.subTest(dates=dates, text=text):
                    before, _, inside = text.partition(f"<details><summary>The same on the {folded}</summary>\n\n")
                    self.assertTrue(inside.endswith("\n\n</details>"))
                    self.assertIn(f"**{shown}**", before)
                    self.assertNotIn(f"**{folded}**", before)
                    self.assertIn(f"**{folded}**", inside)
                    self.assertNotIn(f"**{shown}**", inside)
                    self.assertNotIn("![", inside)  # the picture shows the other GPU

    def test_ceilings_that_were_not_measured(self) -> None:
        entry = {key: value for key, value in ENTRY.items() if key not in ("runs", "copy_gb_per_s")}
        measured = {"host_to_device_pinned_gb_per_s": 54.81, "launch_us": None, "device_to_device_gb_per_s": None}
        entry |= {"chapter": "02_device_query", "measured": measured, "peak": {"gb_per_s": 3352.3, "gflop_per_s": None}}
        gpu = {"device": "x", "chapters": {"02_device_query": entry}}
        text = tables.chapter_tables("02_device_query", [gpu], Path("/nowhere"))
        self.assertIn("| host to device, pinned | 54.8 GB/s |\n| launch | – |\n| device to device | – |\n| peak of", text)
        self.assertNotIn("fp32", text)
        self.assertIn("Nothing has been measured", tables.summary_table([gpu]))
        words = words_in(chart.bandwidth_chart(entry))
        self.assertEqual([word for word in words if "device" in word], ["02_device_query: GB/s of copies and memories", "host to device, pinned"])

    def test_the_summary_shows_the_gpu_that_most_chapters_were_measured_on_last(self) -> None:
        def gpu(name: str, dates: tuple[str, ...]) -> results.Json:
            device = ENTRY["device"] | {"name": name}
            names = [f"0{i}_chapter" for i in range(3, 3 + len(dates))]
            of = {n: ENTRY | {"chapter": n, "device": device, "date": d} for n, d in zip(names, dates, strict=True)}
            return {"device": name, "chapters": of}

        for again, shown in (("2026-01-01", "2026-01-01", "2026-01-03"), "B"), (("2026-01-03", "2026-01-01", "2026-01-03"), "A"):
            text = tables.summary_table([gpu("A", again), gpu("B", ("2026-01-02",) * 3)])
            self.assertIn(f"**{shown}**", text.partition("<details>")[0])

    def test_variants_that_differ_in_a_number_are_a_sweep(self) -> None:
        rows = [stage("3_blocks", 0.1)] + [stage(f"3_blocks/{n}_blocks", 0.008 / n) for n in (8, 1, 4, 2)]
        run = {"title": "n = 9, 3_blocks by blocks", "n": 9, "cold_l2": False, "stages": rows}
        self.assertIsNone(tables.sweep_of_variants(ENTRY | {"runs": [run | {"stages": rows[:4]}]}), "three are too few")
        found = tables.sweep_of_variants(ENTRY | {"runs": [*ENTRY["runs"], run]})
        self.assertEqual([row["name"] for row in found["stages"]], [f"3_blocks/{n}_blocks" for n in (1, 2, 4, 8)])

    def test_stages_below_their_roofs(self) -> None:
        def row(name: str, sectors: int) -> results.Json:
            return {"stage": name, "kernel": "k", "blocks": 1, "counts": {"global load": {"sectors": sectors}}}

        counted = {"command": "add --n 64", "rows": [row("2_one_thread_blocks", 8), row("2_one_thread_blocks", 8)]}
        counted["rows"] += [row("absent", 1), row("1_cpu", 0)]
        found = roofline.points(ENTRY, counted, 2)
        self.assertEqual(list(found), ["2_one_thread_blocks"])
        self.assertAlmostEqual(found["2_one_thread_blocks"][0], 128 / 512, msg="the bytes of all kernels of a stage")
        counted["command"] = "add"
        self.assertRaisesRegex(Exception, "how many items", roofline.points, ENTRY, counted, 2)

    def test_numbers(self) -> None:
        for seconds, text in (
            (1.0, "1.000 s"),
            (0.99999, "1.000 s"),
            (1e-3, "1.000 ms"),
            (1234, "1,234.0 s"),
        ):
            self.assertEqual(tables.time_text(seconds), text)
        for value, text in ((None, "–"), (0, "0"), (0.005789, "0.00579"), (1234, "1,234")):
            self.assertEqual(tables.significant_text(value), text)
        for error, text in ((None, "–"), (0, "exact"), (5e-7, "6.3"), (3.0, "0.0")):
            self.assertEqual(tables.digits_text(error), text)


class Chart(unittest.TestCase):
    def test_names_are_escaped(self) -> None:
        self.assertTrue(any("NVIDIA <Test> 9 · n = 1,000" in word for word in words_in(chart.stage_chart(ENTRY))))

    def test_bars_that_could_not_be_seen_have_a_logarithmic_scale(self) -> None:
        entry = copy.deepcopy(ENTRY)
        entry["runs"][1]["stages"][1]["gb_per_s"] = 0.03
        svg = chart.stage_chart(entry)
        widths = [float(bar.attrib["width"]) for bar in of_kind(svg, "rect")]
        decade = chart.BARS / math.log10(3000 / 0.01)
        for width, value in zip(widths, (0.03, 2970, 2999), strict=True):
            self.assertAlmostEqual(width, decade * math.log10(value / 0.01), delta=0.1)
        words = words_in(svg)
        for word in ("0.01", "0.1", "1", "10", "100", "1,000", "0.03", "copy: 3,000 GB/s"):
            self.assertIn(word, words)
        self.assertTrue(any(word.endswith("logarithmic scale") for word in words))
        self.assertNotIn("logarithmic", chart.stage_chart(ENTRY))

        entry["runs"][1]["stages"][1]["gb_per_s"] = 0.01
        shortest, *_ = of_kind(chart.stage_chart(entry), "rect")
        self.assertGreater(float(shortest.attrib["width"]), 30, "not even the shortest bar begins and ends at the same power of ten")

    def test_no_two_curves_look_alike(self) -> None:
        names = [f"{number}_stage" for number in range(2, 20)] + ["2_stage/variant", "1_cpu", "1_cpu/threads", "library"]
        runs = [run | {"stages": [stage(name, run["n"] * 1e-9) for name in names]} for run in SWEEP["runs"]]
        looks = re.findall(r'h24" stroke="(.+?)" stroke-width="2"(.*)/>\n<path d="(.+?)"', chart.sweep_chart(SWEEP | {"runs": runs}))
        self.assertEqual([len(looks), len(set(looks))], [len(names)] * 2)

    def test_the_shortest_operation_of_a_timeline_is_seen(self) -> None:
        rows = [{"name": name, "operations": [[1, 0.0, 0.001], [2, 3.0, 4.0]]} for name in ("in", "work", "out")]
        picture = timeline.timeline_chart(ENTRY | {"timelines": [{"title": "1 stream", "rows": rows}]})
        widths = [float(box.attrib["width"]) for box in of_kind(picture, "rect")]
        self.assertEqual((min(widths), len(widths)), (0.5, 6))


class Merge(FakeRepository):
    def test_what_several_programs_measured_is_kept(self) -> None:
        of_four = [{"tables": ["a"]}, {"runs": [1]}, {"tables": ["b"], "timelines": ["c"], "x": 1}, {"runs": [2]}]
        combined = results.combine(of_four)
        self.assertEqual(combined, {"tables": ["a", "b"], "timelines": ["c"], "runs": [1, 2], "x": 1})

    def test_a_new_entry_takes_the_place_of_the_old_one_only(self) -> None:
        folder = self.temporary / "results"
        results.save(folder, ENTRY)
        other = copy.deepcopy(ENTRY) | {"chapter": "02_device_query"}
        results.save(folder, other)
        path = results.save(folder, copy.deepcopy(ENTRY) | {"date": "2031-03-04"})
        self.assertEqual(path.name, "NVIDIA_Test_9.json")
        chapters = json.loads(path.read_text())["chapters"]
        self.assertEqual(list(chapters), ["02_device_query", "03_vector_add"])
        self.assertEqual(chapters["02_device_query"], other)
        self.assertEqual(chapters["03_vector_add"]["date"], "2031-03-04")
        self.assertEqual([path.name for path in folder.iterdir()], ["NVIDIA_Test_9.json"], "no temporary file is left")

    def test_the_files_that_are_kept_are_written_so(self) -> None:
        paths = sorted((ROOT / "results").glob("*.json"))
        self.assertTrue(paths)
        for path in paths:
            self.assertEqual(path.read_text(), results.in_rows(results.load(path)) + "\n", f"{path.name}: written by hand?")
        self.assertEqual(results.in_rows({"none": [], "µ": {"a": [{}]}}), '{\n  "none": [],\n  "µ": {\n    "a": [\n      {}\n    ]\n  }\n}')

    def test_the_emulators_results_are_kept_apart(self) -> None:
        entry = copy.deepcopy(ENTRY)
        entry["device"]["backend"] = "emulator"
        self.assertEqual(results.save(self.temporary, entry).name, "CPU_emulator.json")
        self.assertEqual(results.load_gpus(self.temporary), [])

    def test_a_damaged_file_is_named(self) -> None:
        path = self.temporary / "x.json"
        path.write_text('{"half": ')
        with self.assertRaisesRegex(results.Failure, "x.json"):
            results.load_gpus(self.temporary)


class Bench(FakeRepository):
    def setUp(self) -> None:
        super().setUp()
        self.entry = {key: value for key, value in ENTRY.items() if key not in ("date", "commit", "driver")}
        self.write("03_vector_add/out.json", json.dumps(self.entry))
        script = 'echo measuring "$1"\n[ "$1 $2" = "--bench --json" ] && cp "{root}/03_vector_add/out.json" "$3"\n'
        self.chapter("03_vector_add", "vector_add", script.format(root=self.root))
        self.benches("03_vector_add", "vector_add --bench")
        self.write("03_vector_add/README.md", "# Add\n\n<!-- results: 03_vector_add -->\n<!-- /results -->\n")

    def test_measures_keeps_and_shows(self) -> None:
        result = self.runs("bench", "--cpu", LAB_COMMIT="feed123")
        self.assertIn("01_hello has nothing to measure", result.stderr)
        self.assertIn("measuring --bench", result.stdout)
        kept = json.loads((self.root / "results/NVIDIA_Test_9.json").read_text())["chapters"]["03_vector_add"]
        self.assertEqual(kept["commit"], "feed123")
        self.assertRegex(kept["date"], r"^\d{4}-\d\d-\d\d$")
        self.assertEqual(kept["runs"], self.entry["runs"])
        self.assertIn("| 3_blocks | 1.000 ms |", (self.root / "03_vector_add/README.md").read_text())
        self.assertTrue((self.root / "03_vector_add/results.svg").exists())
        self.assertEqual(self.lab("docs").stdout, "all generated parts are current\n")

    def test_another_folder_leaves_the_lessons_alone(self) -> None:
        before = (self.root / "03_vector_add/README.md").read_text()
        self.runs("bench", "3", "--cpu", "--output", "elsewhere", cwd=self.temporary)
        self.assertTrue((self.temporary / "elsewhere/NVIDIA_Test_9.json").exists())
        self.assertFalse((self.root / "results").exists())
        self.assertEqual((self.root / "03_vector_add/README.md").read_text(), before)

    def test_without_a_gpu_it_must_be_asked_for(self) -> None:
        self.refused(3, "lab: ", "bench")

    def test_a_program_that_fails_or_writes_nonsense_changes_nothing(self) -> None:
        for text in ("{", "[]", '{"chapter": "04_other", "device": {"name": "x"}}'):
            self.write("03_vector_add/out.json", text)
            result = self.ends(1, "bench", "3", "--cpu")
            self.assertIn("03_vector_add", result.stderr)
            self.assertFalse((self.root / "results").exists())

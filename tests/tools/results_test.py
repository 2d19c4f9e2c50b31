"""Measuring, merging what was measured, and the tables and charts made of it."""

import copy
import json
import math
import os
import re
import shutil
import subprocess
import tempfile
import unittest
import unittest.mock
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from support import ROOT, FakeRepository
from lessons import chart, roofline, tables, timeline
from reports import floors, results


def stage(name: str, seconds: float | None, gb_per_s: float | None = None, speedup: float | None = None) -> results.Json:
    return {
        "name": name,
        "seconds": seconds,
        "seconds_with_copies": None,
        "gb_per_s": gb_per_s,
        "percent_of_copy": gb_per_s and gb_per_s / 30,
        "speedup": speedup,
        "error": 0,
    }


def of_kind(svg: str, kind: str) -> list[ElementTree.Element]:
    """A picture's shapes of a kind, without the paper below them."""
    shapes = list(ElementTree.fromstring(svg).iter(f"{{http://www.w3.org/2000/svg}}{kind}"))
    return shapes[1:] if kind == "rect" else shapes


def words_in(svg: str) -> list[str]:
    return [element.text or "" for element in of_kind(svg, "text")]


# Made-up numbers of a made-up device.
ENTRY: results.Json = {
    "chapter": "03_vector_add",
    "device": {
        "name": "NVIDIA <Test> 9",
        "backend": "cuda",
        "cuda_runtime": "13.0",
    },
    "copy_gb_per_s": 3000.0,
    "runs": [
        {"title": "n = 10", "n": 10, "cold_l2": False, "stages": [stage("1_cpu", 1e-7)]},
        {
            "title": "n = 1,000",
            "n": 1000,
            "cold_l2": False,
            "stages": [
                stage("1_cpu", 0.21),
                stage("2_one_thread_blocks", 0.0123456, 270, 17),
                stage("3_blocks", 0.001, 2970, 210),
                stage("library", 0.00098, 2999, 214),
            ],
        },
    ],
    "date": "2031-02-03",
    "commit": "abc1234",
    "driver": "999.1",
}


def gpu_with(entry: results.Json) -> results.Json:
    return {"device": "NVIDIA <Test> 9", "chapters": {"03_vector_add": entry}}


def tables_of(entry: results.Json, *more: object) -> str:
    """What the chapter's own page shows of one GPU."""
    return tables.chapter_tables("03_vector_add", [gpu_with(entry)], Path("/nowhere"), "", *more)


def with_tables() -> results.Json:
    """The same chapter, with a table that is drawn and another."""
    curve = {"title": "ns for a load", "curve": True, "header": ["addresses", "constant", "global"]}
    curve["rows"] = [["1", 1.072, 0.76], ["2", 2.05, 0.759], ["32", 32.41, None]]
    plain = {"title": "ms", "curve": False, "header": ["way", "long"], "rows": [["events", 0.005789], ["clock", 1234]]}
    return ENTRY | {"tables": [curve, plain]}


def with_timelines() -> results.Json:
    """The same chapter, with two timelines."""
    one = [[1, 0.0, 1.0], [2, 3.0, 3.001]], [[1, 1.0, 2.0], [2, 4.0, 5.0]], [[1, 2.0, 3.0], [2, 5.0, 6.0]]
    two = [[1, 0.0, 1.0], [2, 1.0, 2.0]], [[1, 1.0, 2.0], [2, 2.0, 3.0]], [[1, 2.0, 3.0], [2, 3.0, 4.0]]
    timelines = [
        {"title": title, "rows": [{"name": name, "operations": row} for name, row in zip(("in", "work", "out"), rows, strict=True)]}
        for title, rows in (("1 <stream>", one), ("2 streams", two))
    ]
    return ENTRY | {"timelines": timelines}


# The same work at four sizes; the last one is too much for 2_slow.
SWEEP: results.Json = ENTRY | {
    "runs": [
        {
            "title": f"random, n = {n:,}",
            "n": n,
            "cold_l2": False,
            "stages": [
                *([stage("2_slow", n * n * 1e-9)] if n < 1000 else []),
                stage("3_fast", n * 1e-9, 8),
                stage("library", n * 1e-9, 8),
            ],
        }
        for n in (10, 1000, 100, 10_000)
    ]
}


class Tables(unittest.TestCase):
    def test_a_chapters_tables(self) -> None:
        text = tables_of(ENTRY)
        self.assertIn("](results.svg)", text)
        self.assertIn("**NVIDIA <Test> 9** · n = 1,000 · CUDA 13.0 · driver 999.1 · 2031-02-03 · commit abc1234", text)
        self.assertIn("| stage | time | GB/s | % of copy | speed-up over CPU |\n| :-- | --: | --: | --: | --: |", text)
        self.assertIn("| 1_cpu | 210.0 ms | – | – | – |", text)
        self.assertIn("| 2_one_thread_blocks | 12.35 ms | 270 | 9.0 | 17.0× |", text)
        self.assertLess(text.index("n = 10 "), text.index("n = 1,000 "))

    def test_the_cpu_is_named_where_it_was_recorded(self) -> None:
        entry = ENTRY | {"device": ENTRY["device"] | {"cpu": "Test CPU, 16 threads"}}
        self.assertTrue(tables.caption(entry).endswith(" · commit abc1234 · CPU: Test CPU, 16 threads"))
        self.assertNotIn("CPU", tables.caption(ENTRY))

    def test_a_run_with_a_cold_cache_says_so(self) -> None:
        entry = copy.deepcopy(ENTRY)
        entry["runs"][0]["cold_l2"] = True
        text = tables_of(entry)
        self.assertIn("** · n = 10, cold L2 cache · CUDA", text)
        self.assertIn("** · n = 1,000 · CUDA", text)

    def test_runs_of_another_day_say_so(self) -> None:
        later = {"title": "in bytes, n = 9", "n": 9, "cold_l2": False, "stages": [stage("4_bytes", 1e-6)]}
        entry = ENTRY | {"runs": [*ENTRY["runs"], later | {"date": "2031-02-04", "commit": "def5678"}]}
        self.assertIn(", n = 9 · CUDA 13.0 · driver 999.1 · 2031-02-04 · commit def5678", tables_of(entry, ["4"]))
        self.assertIn(" · 2031-02-03 · commit abc1234", tables_of(entry, ["2", "3"]))

    def test_correct_digits(self) -> None:
        entry = copy.deepcopy(ENTRY)
        for measured, error in zip(entry["runs"][1]["stages"], (None, 5e-7, 0, 3.0), strict=True):
            measured["error"] = error
        text = tables_of(entry)
        rows = [line.split(" | ")[-1] for line in text[text.index("n = 1,000") :].splitlines() if line[:1] == "|"]
        self.assertEqual(rows, ["correct digits |", "--: |", "– |", "6.3 |", "exact |", "0.0 |"])
        self.assertEqual(text.count("correct digits"), 1)  # where all stages are exact, the column is left out

    def test_a_sweep_is_one_table_and_the_largest_run(self) -> None:
        text = tables_of(SWEEP)
        self.assertIn("](results_by_n.svg)", text)
        self.assertIn("2031-02-03 · commit abc1234 · random\n", text)
        self.assertIn(
            "| stage | n = 10 | n = 100 | n = 1,000 | n = 10,000 |\n| :-- | --: | --: | --: | --: |\n"
            "| 2_slow | 0.100 µs | 10.00 µs | – | – |\n| 3_fast | 0.010 µs | 0.100 µs | 1.000 µs | 10.00 µs |\n| library |",
            text,
        )
        self.assertEqual([line for line in text.splitlines() if "n = 1,000 ·" in line], [])
        self.assertEqual(len([line for line in text.splitlines() if "random, n = 10,000 ·" in line]), 1)

    def test_each_kind_of_data_is_a_sweep(self) -> None:
        runs = copy.deepcopy(SWEEP["runs"])
        for run in runs:
            run["title"] = f"in double, n = {run['n']:,} terms"
        entry = SWEEP | {"runs": [*SWEEP["runs"], *runs]}
        self.assertEqual(tables.sweep(entry), tables.sweep(SWEEP))
        text = tables_of(entry)
        self.assertEqual(text.count("| stage | n = 10 | n = 100 | n = 1,000 | n = 10,000 |"), 2)
        self.assertIn(" · random\n", text)
        self.assertIn(" · in double\n", text)
        self.assertEqual(len([line for line in text.splitlines() if ", n = " in line and "**" in line]), 2, "the largest of each")

    def test_what_is_no_sweep(self) -> None:
        self.assertEqual(tables.sweep(ENTRY), [], "two sizes")
        runs = copy.deepcopy(SWEEP["runs"])
        runs[0]["title"] = "sorted, n = 10"
        self.assertEqual(tables.sweep(SWEEP | {"runs": runs}), [], "two kinds")
        self.assertEqual(tables.sweep(SWEEP | {"runs": SWEEP["runs"][:1] * 4}), [], "one size, four times")

    def test_the_size_in_a_title(self) -> None:
        for title, value, label, axis, kind in (
            ("in double, n = 1,000 terms", 1000, "n = 1,000", "n", "in double"),
            ("random bytes, n = 16,384, by blocks", 16384, "n = 16,384", "n", "random bytes, by blocks"),
            ("n = 100 ints", 100, "n = 100", "n", ""),
            ("20 spheres, 1,024 × 1,024 pixels", 20, "20 spheres", "number of spheres", "1,024 × 1,024 pixels"),
            ("blur of 5 × 5, 64 × 64 floats", 5, "5 × 5", "rows of the filter", "blur, 64 × 64 floats"),
            ("build: 1,000 keys into 64 buckets", 1000, "1,000 keys", "number of keys", "build: keys into 64 buckets"),
            ("64 finds among 1,000 keys", 1000, "1,000 keys", "number of keys", "64 finds among keys"),
            ("1,000 finds among 1,000 keys", 1000, "1,000 keys", "number of keys", "finds among keys"),
            ("TF32, 512 × 512 times 512 × 512", 512, "512 × 512", "rows and columns", "TF32"),
            ("1,024 × 1,024 points, 64 steps", 1024, "1,024 × 1,024", "points a side", "64 steps"),
            ("64 × 64 × 64 points, 16 steps", 64, "64 × 64 × 64", "points a side", "16 steps"),
            ("1,000 × 1,000, c = -0.8 + 0.156i", 1000, "1,000 × 1,000", "pixels a side", "c = -0.8 + 0.156i"),
            ("power: 4,096 rows, 32,768 entries", 4096, "4,096 rows", "number of rows", "power"),
            ("11,000 × 1,000, c = 0", 7, "n = 7", "n", "11,000 × 1,000, c = 0"),
            ("1,000 × 1,000,000 points, 64 steps", 7, "n = 7", "n", "1,000 × 1,000,000 points, 64 steps"),
        ):
            with self.subTest(title):
                size = tables.size_of({"title": title, "n": 7, "cold_l2": False})
                self.assertEqual((size.value, size.label, size.axis, size.kind), (value, label, axis, kind))
        self.assertEqual(tables.size_of({"title": "n = 100 ints", "n": 100, "cold_l2": True}).kind, "cold L2 cache")

    def test_of_several_sweeps_the_one_with_the_most_stages_is_drawn(self) -> None:
        rounding = [
            run | {"title": f"rounding, n = {run['n']:,}", "stages": [stage("round", 1e-6), stage("round/a", 1e-6), stage("round/b", 1e-6)]}
            for run in SWEEP["runs"]
        ]
        self.assertEqual(tables.sweep(SWEEP | {"runs": [*rounding, *SWEEP["runs"]]}), tables.sweep(SWEEP))

    def test_the_run_that_stands_for_a_chapter_keeps_its_table(self) -> None:
        runs = [run | {"title": f"{n} spheres, 64 × 64 pixels", "n": 64} for run, n in zip(SWEEP["runs"], (20, 5, 90, 800), strict=True)]
        text = tables_of(SWEEP | {"runs": runs})
        self.assertIn("| stage | 5 spheres | 20 spheres | 90 spheres | 800 spheres |", text)
        alone = [line.split(" · ")[1] for line in text.splitlines() if "64 pixels · CUDA" in line]
        self.assertEqual(alone, ["20 spheres, 64 × 64 pixels", "800 spheres, 64 × 64 pixels"])

    def test_nothing_measured(self) -> None:
        text = tables.chapter_tables("03_vector_add", [], Path("/nowhere"), "")
        self.assertEqual(text.count("\n"), 0)
        self.assertIn("`./lab bench 3`", text)
        self.assertIn("`./lab bench`", tables.summary_table([]))

    def test_the_summary(self) -> None:
        row = tables.summary_table([gpu_with(ENTRY)]).splitlines()[-1]
        self.assertEqual(
            row,
            "| [03_vector_add](03_vector_add/) | n = 1,000 | 1_cpu, 210.0 ms | 2_one_thread_blocks, 12.35 ms | "
            "3_blocks, 1.000 ms | 12.3× | 210× | 980.0 µs | 99.0 |",
        )

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
                tables.chapter_tables("03_vector_add", gpus, Path("/nowhere"), ""),
                tables.chapter_tables("03_vector_add", gpus, Path("/nowhere"), "", ["3", "waits"]),
            ):
                with self.subTest(dates=dates, text=text):
                    before, _, inside = text.partition(f"<details><summary>The same on the {folded}</summary>\n\n")
                    self.assertTrue(inside.endswith("\n\n</details>"))
                    self.assertIn(f"**{shown}**", before)
                    self.assertNotIn(f"**{folded}**", before)
                    self.assertIn(f"**{folded}**", inside)
                    self.assertNotIn(f"**{shown}**", inside)
                    self.assertNotIn("![", inside)  # the picture shows the other GPU

    def test_the_cpu_with_several_threads_is_no_stage_of_the_gpu(self) -> None:
        run = ENTRY["runs"][1]
        stages = [*run["stages"][:1], stage("1_cpu/threads", 0.1), *run["stages"][1:]]
        entry = ENTRY | {"runs": [run | {"stages": stages}]}
        row = tables.summary_table([gpu_with(entry)]).splitlines()[-1]
        self.assertIn("| 1_cpu/threads, 100.0 ms | 2_one_thread_blocks, 12.35 ms | 3_blocks, 1.000 ms | 12.3× | 100× |", row)

    def test_a_variant_stands_below_its_stage_and_links_to_its_file(self) -> None:
        folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        (folder / "3_blocks.cu").touch()
        (folder / "1_cpu.cpp").touch()
        names = ("1_cpu", "1_cpu/threads", "2_one", "3_blocks/full_grid")
        run = ENTRY["runs"][1] | {"stages": [stage(name, 1e-4) for name in names]}
        text = tables.chapter_tables("03_vector_add", [gpu_with(ENTRY | {"runs": [run]})], folder, "../03/")
        rows = [line.split(" | ")[0] for line in text.splitlines() if line.startswith("| ")]
        self.assertEqual(
            rows[2:],
            [
                "| [1_cpu](../03/1_cpu.cpp)",
                "| &emsp;[· threads](../03/1_cpu.cpp)",
                "| 2_one",
                "| [3_blocks/full_grid](../03/3_blocks.cu)",
            ],
        )

    def test_a_second_ladders_cpu_is_no_stage_of_the_gpu(self) -> None:
        self.assertTrue(tables.is_cpu({"name": "b1_cpu"}))
        self.assertTrue(tables.is_cpu({"name": "1_cpu/threads"}))
        self.assertFalse(tables.is_cpu({"name": "b2_table_popcount"}))

    def test_ceilings(self) -> None:
        entry = {key: value for key, value in ENTRY.items() if key not in ("runs", "copy_gb_per_s")}
        entry |= {
            "chapter": "02_device_query",
            "measured": {"host_to_device_pinned_gb_per_s": 54.81, "launch_us": None},
            "peak": {"gb_per_s": 3352.3, "gflop_per_s": None},
        }
        gpu = {"device": "x", "chapters": {"02_device_query": entry}}
        text = tables.chapter_tables("02_device_query", [gpu], Path("/nowhere"), "")
        self.assertIn(
            "| host to device, pinned | 54.8 GB/s |\n| launch | – |\n| peak of the memory, worked out | 3,352 GB/s |",
            text,
        )
        self.assertNotIn("fp32", text)
        self.assertTrue(text.startswith("![What 02_device_query measured of memories and copies](results.svg)\n\n"), text)
        self.assertIn("Nothing has been measured", tables.summary_table([gpu]))
        svg = chart.bandwidth_chart(entry)
        for text in ("host to device, pinned", "54.8", "peak of the memory: 3,352 GB/s", "1,000"):
            self.assertIn(f">{text}</text>", svg)
        self.assertNotIn("launch", svg)

    def test_a_table_of_numbers_by_its_title(self) -> None:
        entry = with_tables()
        entry["tables"][1]["title"] = "waits, in ms"
        text = tables_of(entry, ["waits"])
        self.assertEqual(text.count("| :-- |"), 1)
        self.assertIn("| way | long |\n| :-- | --: |\n| events | 0.00579 |", text)
        text = tables_of(entry, ["3", "ns for a load"])
        self.assertIn("| 3_blocks | 1.000 ms |", text)
        self.assertIn("![ns for a load](curve.svg)", text)
        for absent in ("1_cpu", "| way |"):
            self.assertNotIn(absent, text)
        with self.assertRaisesRegex(Exception, "no stage 'ns for' in this table"):
            tables_of(entry, ["ns for"])

    def test_a_table_of_numbers(self) -> None:
        text = tables.chapter_tables("03_vector_add", [gpu_with(with_tables())], Path("/nowhere"), "../")
        self.assertIn("**NVIDIA <Test> 9** · ns for a load · CUDA 13.0", text)
        self.assertIn("![ns for a load](../curve.svg)\n\n<details><summary>The tables of the NVIDIA <Test> 9</summary>\n\n", text)
        self.assertIn("\n\n| addresses | constant | global |\n| :-- | --: | --: |\n", text)
        self.assertIn("| 1 | 1.07 | 0.760 |\n| 2 | 2.05 | 0.759 |\n| 32 | 32.4 | – |", text)
        self.assertIn("| way | long |\n| :-- | --: |\n| events | 0.00579 |\n| clock | 1,234 |", text)
        self.assertEqual(text.count("curve.svg"), 1)
        self.assertIn("| 3_blocks | 1.000 ms |", text)

    def test_the_summary_shows_the_gpu_that_most_chapters_were_measured_on_last(self) -> None:
        def gpu(name: str, dates: tuple[str, ...]) -> results.Json:
            device = ENTRY["device"] | {"name": name}
            names = [f"0{i}_chapter" for i in range(3, 3 + len(dates))]
            of = {n: ENTRY | {"chapter": n, "device": device, "date": d} for n, d in zip(names, dates, strict=True)}
            return {"device": name, "chapters": of}

        for again, shown in (("2026-01-01", "2026-01-01", "2026-01-03"), "B"), (("2026-01-03", "2026-01-01", "2026-01-03"), "A"):
            text = tables.summary_table([gpu("A", again), gpu("B", ("2026-01-02",) * 3)])
            self.assertIn(f"**{shown}**", text.partition("<details>")[0])

    def test_the_chart_of_a_page_is_of_the_run_with_most_of_its_stages(self) -> None:
        packing = {"title": "packing", "n": 10**6, "cold_l2": False, "stages": [stage("pack", 0.1, 5)]}
        entry = ENTRY | {"runs": [packing, *ENTRY["runs"]]}
        self.assertEqual(tables.headline_run(entry)["title"], "n = 1,000")  # the larger one is of another ladder
        self.assertEqual(tables.headline_run(entry | {"runs": [packing]})["title"], "packing")
        self.assertEqual(tables.headline_run(entry, ["pack", "2", "3"])["title"], "n = 1,000")
        self.assertEqual(tables.headline_run(entry, ["pack"])["title"], "packing")

    def test_a_chart_of_the_host_has_no_limit_of_the_device(self) -> None:
        runs = [{"title": "x", "n": 9, "cold_l2": False, "stages": [stage("1_cpu", 0.1, 5), stage("2_cpu_two", 0.1, 9)]}]
        self.assertNotIn("copy:", chart.stage_chart(ENTRY | {"runs": runs}))
        self.assertNotIn("dashed", chart.how_to_read(ENTRY | {"runs": runs}))
        self.assertIn("copy:", chart.stage_chart(ENTRY))

    def test_how_to_read_a_chart(self) -> None:
        said = chart.how_to_read(ENTRY, ["2", "3"])
        self.assertIn("how many GB a stage moves in a second. The dashed line is what a copy", said)
        self.assertNotIn("factor of ten", said)
        slow = ENTRY["runs"][1] | {"stages": [stage("2_slow", 1.0, 3), stage("3_fast", 0.01, 300)]}
        self.assertIn("factor of ten", chart.how_to_read(ENTRY | {"runs": [slow]}))
        rays = ENTRY["runs"][1] | {"items_are": "rays", "stages": [stage("2_a", 1.0) | {"mega_items_per_s": 2.0}]}
        self.assertIn("how many million rays a stage does", chart.how_to_read(ENTRY | {"runs": [rays]}))
        floats = ENTRY["runs"][1] | {"peak_gflop_per_s": 80.0, "stages": [stage("2_a", 1.0) | {"gflop_per_s": 40.0}]}
        for of_cores, which in ((80.0, "all cores"), (40.0, "all cores"), (10.0, "the tensor cores")):
            said_of_peak = chart.how_to_read(ENTRY | {"runs": [floats]}, (), of_cores)
            self.assertIn(f"The dashed line is what {which} could do.", said_of_peak)
        text = tables_of(ENTRY, ["3"], "x.svg", said)
        self.assertIn(f"](x.svg)\n\n{said}\n\n<details>", text)

    def test_pictures_come_first_and_the_tables_are_folded(self) -> None:
        text = tables_of(with_tables(), ["3", "ns for a load"], "x.svg")
        pictures, folded = text.split("<details>")
        self.assertEqual(pictures.count("!["), 2)
        self.assertIn("](x.svg)", pictures)
        self.assertIn("](curve.svg)", pictures)
        self.assertNotIn("| ", pictures)
        self.assertNotIn("![", folded)
        self.assertTrue(folded.startswith("<summary>The tables of the NVIDIA <Test> 9</summary>\n\n"))
        self.assertTrue(folded.endswith("\n\n</details>"))
        one = tables_of(ENTRY, ["3"])
        self.assertIn("<details><summary>The table of the NVIDIA <Test> 9</summary>", one)

    def test_variants_that_differ_in_a_number_are_a_sweep(self) -> None:
        rows = [stage("3_blocks", 0.1)] + [stage(f"3_blocks/{n}_blocks", 0.008 / n) for n in (8, 1, 4, 2)]
        run = {"title": "n = 9, 3_blocks by blocks for each <SM>", "n": 9, "cold_l2": False, "stages": rows}
        self.assertIsNone(tables.sweep_of_variants(ENTRY))
        self.assertIsNone(tables.sweep_of_variants(ENTRY | {"runs": [run | {"stages": rows[:4]}]}), "three are too few")
        entry = ENTRY | {"runs": [*ENTRY["runs"], run]}
        found = tables.sweep_of_variants(entry)
        self.assertEqual([row["name"] for row in found["stages"]], [f"3_blocks/{n}_blocks" for n in (1, 2, 4, 8)])
        text = tables_of(entry)
        self.assertIn("](results_by_variant.svg)\n\n<details>", text)
        svg = chart.variants_chart(entry)
        for expected in ("8.00 ms", "1.00 ms", "1", "2", "4", "8", "blocks for each <SM>", "2 ms"):
            self.assertIn(expected, words_in(svg))
        line = next(line for line in of_kind(svg, "polyline") if line.get("stroke-width") == "2.5")
        xs, ys = zip(*(map(float, point.split(",")) for point in line.get("points", "").split()), strict=True)
        self.assertEqual(list(xs), sorted(xs))
        self.assertEqual(list(ys), sorted(ys), "a shorter time is further down")

    def test_stages_below_their_roofs(self) -> None:
        def row(name: str, sectors: int) -> results.Json:
            return {"stage": name, "kernel": "k", "blocks": 1, "counts": {"global load": {"sectors": sectors}}}

        counted = {"command": "add --n 64", "rows": [row("2_one_thread_blocks", 8), row("2_one_thread_blocks", 8)]}
        counted["rows"] += [row("3_blocks", 2), row("absent", 1), row("1_cpu", 0)]
        found = roofline.points(ENTRY, counted, 2)
        self.assertEqual(list(found), ["2_one_thread_blocks", "3_blocks"])
        self.assertAlmostEqual(found["3_blocks"][0], 128 / 64)
        self.assertAlmostEqual(found["2_one_thread_blocks"][0], 128 / 512, msg="the bytes of all kernels of a stage")
        self.assertAlmostEqual(found["3_blocks"][1], 2 * 1000 / 0.001 / 1e9)
        counted["command"] = "multiply --a 2x3 --b 3x4"
        self.assertAlmostEqual(roofline.points(ENTRY, counted, 2)["3_blocks"][0], 48 / 64)
        counted["command"] = "heat --size 8x4x2 --steps 3"
        self.assertAlmostEqual(roofline.points(ENTRY, counted, 2)["3_blocks"][0], 128 / 64, msg="a launch takes one step")
        with unittest.mock.patch.object(floors, "ALL_STEPS", "3_blocks"):
            self.assertAlmostEqual(roofline.points(ENTRY, counted, 2)["3_blocks"][0], 3 * 128 / 64)
        counted["command"] = "add"
        self.assertRaisesRegex(Exception, "how many items", roofline.points, ENTRY, counted, 2)
        counted["command"] = "add --n 64"
        svg = roofline.roofline_chart(ENTRY, counted, 2, (1e-3, 1.0))
        self.assertLess({"3_blocks", "memory: 0.00 GB/s"}, set(words_in(svg)))
        left, right = (float(circle.get("cx", "")) for circle in of_kind(svg, "circle"))
        self.assertLess(left, right, "more operations for a byte are further right")
        measured = {"device_to_device_gb_per_s": 4.0, "multiply_add_gflop_per_s": 60.0}
        self.assertEqual(roofline.roofs({"chapters": {"02_device_query": {"measured": measured}}}), (4.0, 60.0))
        self.assertIsNone(roofline.roofs(gpu_with(ENTRY)))

    def test_timelines_are_a_picture(self) -> None:
        gpus = [gpu_with(entry) for entry in (ENTRY, with_timelines())]
        picture = "](../timeline.svg)"
        self.assertNotIn(picture, tables.chapter_tables("03_vector_add", gpus[:1], Path("/nowhere"), "../"))
        self.assertEqual(tables.chapter_tables("03_vector_add", gpus, Path("/nowhere"), "../").count(picture), 1)
        numbers = [{"title": "waits", "header": ["n", "ns"], "rows": [["1", 2.0]]}]
        some = [gpu_with(with_timelines() | {"tables": numbers})]
        for asked, there in (["3", "waits"], True), (["3"], False):
            text = tables.chapter_tables("03_vector_add", some, Path("/nowhere"), "../", asked)
            self.assertEqual(picture in text, there, asked)

    def test_numbers(self) -> None:
        for seconds, text in (
            (None, "–"),
            (2.5, "2.500 s"),
            (1.0, "1.000 s"),
            (0.99999, "1.000 s"),
            (0.5, "500.0 ms"),
            (1e-3, "1.000 ms"),
            (3.14159e-6, "3.142 µs"),
            (98.76e-6, "98.76 µs"),
            (1234, "1,234.0 s"),
        ):
            self.assertEqual(tables.time_text(seconds), text)
        for value, text in ((None, "–"), (0.5, "0.50"), (12.34, "12.3"), (2995.1, "2,995")):
            self.assertEqual(tables.number_text(value), text)


class Chart(unittest.TestCase):
    def test_it_is_well_formed_small_and_complete(self) -> None:
        text = chart.stage_chart(ENTRY)
        words = words_in(text)
        for word in ("2_one_thread_blocks", "3_blocks", "library", "270", "2,970", "copy: 3,000 GB/s"):
            self.assertIn(word, words)
        self.assertTrue(any("NVIDIA <Test> 9 · n = 1,000" in word for word in words))
        self.assertLess(len(text.encode()), 10_000)

    def test_bars_are_as_long_as_their_numbers(self) -> None:
        widths = [float(bar.attrib["width"]) for bar in of_kind(chart.stage_chart(ENTRY), "rect")]
        for width, value in zip(widths, (270, 2970, 2999), strict=True):
            self.assertAlmostEqual(width, chart.BARS * value / 3000, delta=0.1)

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

    def test_other_items_than_bytes_and_operations_have_a_rate_and_no_limit(self) -> None:
        entry = copy.deepcopy(ENTRY)
        run = entry["runs"][1] | {"items_are": "rays"}
        run["stages"] = [
            of_bytes | {"gb_per_s": None, "percent_of_copy": None, "mega_items_per_s": 1 / of_bytes["seconds"]}
            for of_bytes in run["stages"]
        ]
        entry["runs"] = [run]
        table = tables_of(entry)
        self.assertIn("| M rays/s |", table)
        self.assertNotIn("GB/s", table)
        self.assertIn("| 1,000 |", next(line for line in table.splitlines() if "3_blocks" in line))
        words = words_in(chart.stage_chart(entry))
        self.assertIn("03_vector_add: M rays/s of each stage", words)
        self.assertFalse(any(word.startswith("copy: ") for word in words), "a copy is no limit for rays")

    def test_a_long_name_beside_a_curve_fits(self) -> None:
        runs = copy.deepcopy(SWEEP["runs"])
        for run in runs:
            run["stages"][0]["name"] = "2_atomic_per_thread/32_bits"
        text = chart.sweep_chart(SWEEP | {"runs": runs})
        self.assertIn(">2/32_bits<", text)
        self.assertNotIn("2_atomic_per_thread", text)

    def test_no_two_curves_look_alike(self) -> None:
        names = [f"{number}_stage" for number in range(2, 20)] + ["2_stage/variant", "1_cpu", "1_cpu/threads", "library"]
        runs = [run | {"stages": [stage(name, run["n"] * 1e-9) for name in names]} for run in SWEEP["runs"]]
        looks = re.findall(r'h24" stroke="(.+?)" stroke-width="2"(.*)/>\n<path d="(.+?)"', chart.sweep_chart(SWEEP | {"runs": runs}))
        self.assertEqual([len(looks), len(set(looks))], [len(names)] * 2)

    def test_a_square_is_twice_as_steep(self) -> None:
        svg = chart.sweep_chart(SWEEP)
        for word in ("2_slow", "3_fast", "library", "10", "10,000", "1 µs", "10 µs", "n"):
            self.assertIn(word, words_in(svg))
        lines = [line.attrib for line in of_kind(svg, "polyline") if line.get("stroke-width")]
        slopes = []
        for line in lines:
            points = [tuple(map(float, point.split(","))) for point in line["points"].split()]
            slopes.append((points[1][1] - points[0][1]) / (points[1][0] - points[0][0]))
        self.assertEqual(len(slopes), 3)
        self.assertAlmostEqual(slopes[0] / slopes[1], 2, delta=0.01)
        self.assertAlmostEqual(slopes[1], slopes[2])

    def test_what_takes_over_is_named_where_it_is_in_the_picture(self) -> None:
        def names(*zones: tuple[str, float]) -> list[str]:
            words = words_in(chart.sweep_chart(SWEEP, zones=zones))
            return [word for word in words if word in ("launch", "L2", "memory")]

        self.assertEqual(names(), [])
        self.assertEqual(names(("launch", 10), ("L2", 100), ("memory", 1000)), ["launch", "L2", "memory"])
        self.assertEqual(names(("launch", 1), ("L2", 5), ("memory", 1000)), ["L2", "memory"], "the smallest n is 10")
        self.assertEqual(names(("launch", 10), ("L2", 100), ("memory", 1e9)), ["launch", "L2"])

    def test_a_curve_has_the_stages_of_its_page(self) -> None:
        words = words_in(chart.sweep_chart(SWEEP, ["2", "library"]))
        self.assertIn("2_slow", words)
        self.assertNotIn("3_fast", words)

    def test_names_of_curves_keep_their_distance(self) -> None:
        wanted = {"a": 100, "b": 101, "c": chart.SWEEP_BOTTOM, "d": chart.SWEEP_BOTTOM - 1}
        heights = chart.spread(wanted, chart.SWEEP_BOTTOM)
        self.assertEqual(heights["a"], 100)
        self.assertEqual(heights["b"], 118)
        self.assertEqual(heights["c"], chart.SWEEP_BOTTOM)
        self.assertEqual(heights["d"], chart.SWEEP_BOTTOM - 18)

    def test_arithmetic_is_preferred_to_bandwidth(self) -> None:
        entry = copy.deepcopy(ENTRY)
        entry["runs"][1]["stages"][2]["gflop_per_s"] = 51_000
        text = chart.stage_chart(entry)
        self.assertIn("51,000", text)
        self.assertNotIn("copy:", text)
        self.assertNotIn("peak:", text)
        self.assertIn("peak: 66,908 GFLOP/s", chart.stage_chart(entry | {"peak_gflop_per_s": 66_908}))
        entry["runs"][1]["peak_gflop_per_s"] = 33_454  # of the run's precision
        self.assertIn("peak: 33,454 GFLOP/s", chart.stage_chart(entry | {"peak_gflop_per_s": 66_908}))

    def test_curves_that_meet_have_one_number_there(self) -> None:
        entry = with_tables()
        numbers = tables.curve_of(entry)
        numbers["rows"] = [["1", 7.0, 7.1], ["2", 5.0, 500.0]]
        svg = chart.curve_chart(entry)
        self.assertEqual([text for text in words_in(svg) if text in ("7.00", "7.10", "5.00", "500")], ["7.00", "5.00", "500"])
        self.assertEqual(svg.count("<circle"), 4)

    def test_a_curve_shows_every_point_where_it_belongs(self) -> None:
        entry = with_tables()
        numbers = tables.curve_of(entry)
        numbers["rows"][2][2] = 0.5
        svg = chart.curve_chart(entry)
        lines = [line.attrib["points"].split() for line in of_kind(svg, "polyline")]
        constant, other = ([tuple(map(float, point.split(","))) for point in line] for line in lines)
        self.assertEqual([x for x, _ in constant], [chart.CURVE_LEFT, 176, chart.CURVE_RIGHT])  # 1, 2, 32: log2
        self.assertEqual([x for x, _ in other], [x for x, _ in constant])
        self.assertAlmostEqual(constant[2][1], chart.TOP + 10)  # the largest is at the top, the smallest at the bottom
        self.assertAlmostEqual(other[2][1], chart.CURVE_BOTTOM)
        self.assertTrue(constant[0][1] > constant[1][1] > constant[2][1])
        for word in ("ns for a load", "constant", "global", "addresses", "32", "1.07", "0.500"):
            self.assertIn(word, words_in(svg))
        self.assertIsNone(tables.curve_of(ENTRY))

    def test_operations_of_a_timeline_are_where_and_as_long_as_they_were(self) -> None:
        svg = timeline.timeline_chart(with_timelines())
        boxes = [element.attrib for element in of_kind(svg, "rect")]
        begins = [float(box["x"]) for box in boxes]
        widths = [float(box["width"]) for box in boxes]
        millisecond = (timeline.RIGHT - timeline.LEFT) / 6  # the longer of the two takes 6 ms
        for begin, expected in zip(begins, (0, 3, 1, 4, 2, 5, 0, 1, 1, 2, 2, 3), strict=True):
            self.assertAlmostEqual(begin, timeline.LEFT + expected * millisecond, delta=0.1)
        self.assertEqual(widths.pop(1), 0.5, "even the shortest one is seen")
        for width in widths:
            self.assertAlmostEqual(width, millisecond, delta=0.1)
        self.assertEqual(len({box["y"] for box in boxes}), 6)
        words = words_in(svg)
        for word in ("1 <stream>: 6.00 ms", "2 streams: 4.00 ms", "in", "work", "out"):
            self.assertIn(word, words)
        self.assertEqual([words.count(piece) for piece in ("1", "2")], [6, 5], "there is no room for a number")


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

    def test_a_line_for_each_row(self) -> None:
        path = results.save(self.temporary, with_timelines() | {"tables": with_tables()["tables"]})
        lines = [line.strip().removesuffix(",") for line in path.read_text().splitlines()]
        for row in ENTRY["runs"][1]["stages"]:
            self.assertIn(json.dumps(row), lines)
        for row in (["32", 32.41, None], [2, 3.0, 3.001], ["events", 0.005789]):
            self.assertIn(json.dumps(row), lines)
        self.assertEqual(results.in_rows({"none": [], "µ": {"a": [{}]}}), '{\n  "none": [],\n  "µ": {\n    "a": [\n      {}\n    ]\n  }\n}')

    def test_the_files_that_are_kept_are_written_so(self) -> None:
        paths = sorted((ROOT / "results").glob("*.json"))
        self.assertTrue(paths)
        for path in paths:
            self.assertEqual(path.read_text(), results.in_rows(results.load(path)) + "\n", f"{path.name}: written by hand?")

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

    @unittest.mock.patch.dict(os.environ)
    @unittest.skipUnless(shutil.which("git"), "there is no git")
    def test_the_commit(self) -> None:
        os.environ.pop("LAB_COMMIT", None)
        git = ["git", "-C", str(self.root), "-c", "user.name=x", "-c", "user.email=x@example.org"]
        self.assertEqual(results.commit(self.root), "unknown")
        subprocess.run([*git, "init", "-q"], check=True)
        self.write("03_vector_add/README.md", "text\n")
        subprocess.run([*git, "add", "."], check=True)
        subprocess.run([*git, "commit", "-q", "-m", "x"], check=True)
        self.assertRegex(results.commit(self.root), r"^[0-9a-f]{7,}$")
        self.write("03_vector_add/more.md", "text\n")
        subprocess.run([*git, "add", "."], check=True)
        subprocess.run([*git, "commit", "-q", "-m", "x"], check=True)
        self.write("03_vector_add/README.md", "what bench itself changes\n")
        self.write("03_vector_add/more.md", "and in a lesson of several files\n")
        self.assertNotIn("dirty", results.commit(self.root))
        self.write("03_vector_add/CMakeLists.txt", "changed\n")
        self.assertRegex(results.commit(self.root), r"^[0-9a-f]{7,}-dirty$")
        self.assertEqual(results.commit(self.root / "01_hello"), "unknown", "that is another repository's commit")


class Bench(FakeRepository):
    def setUp(self) -> None:
        super().setUp()
        self.entry = {key: value for key, value in ENTRY.items() if key not in ("date", "commit", "driver")}
        self.write("03_vector_add/out.json", json.dumps(self.entry))
        script = 'echo measuring "$1"\n[ "$1 $2" = "--bench --json" ] && cp "{root}/03_vector_add/out.json" "$3"\n'
        self.chapter("03_vector_add", "vector_add", script.format(root=self.root))
        path = self.root / "03_vector_add/CMakeLists.txt"
        path.write_text(
            path.read_text() + 'file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/bench.txt "vector_add --bench\\n")\n'
        )
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


if __name__ == "__main__":
    unittest.main()

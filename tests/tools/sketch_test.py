"""The sketches of stages: what they take from the sources, when they are stale, and that all of a drawing can be read."""

from __future__ import annotations

import unittest
from xml.etree import ElementTree

from support import ROOT, FakeRepository
from lessons import matrix_sketches, sketch
from translating import pictures

CHAPTER = "11_matrix_multiply"
NAME = f"{CHAPTER}/pictures/sketch_b6_popc.svg"
SOURCE = "constexpr unsigned thread_rows = 8, thread_columns = 4;\n"


class Sketches(unittest.TestCase):
    def test_nothing_is_drawn_beyond_the_edge(self) -> None:
        for stage, draw in matrix_sketches.SKETCHES.items():
            svg = ElementTree.fromstring(draw(ROOT / CHAPTER).svg())
            height = float(svg.attrib["viewBox"].split()[3])
            for shape in svg.iter():
                kind = shape.tag.rpartition("}")[2]
                if kind not in ("text", "rect"):
                    continue
                x, y = float(shape.get("x", 0)), float(shape.get("y", 0))
                if kind == "rect":
                    left, right, bottom = x, x + float(shape.attrib["width"]), y + float(shape.attrib["height"])
                else:
                    width = 0.51 * float(shape.attrib["font-size"]) * len(shape.text or "")
                    share = {"start": 0.0, "middle": 0.5, "end": 1.0}[shape.attrib["text-anchor"]]
                    left, right, bottom = x - share * width, x + (1 - share) * width, y
                with self.subTest(stage=stage, shape=shape.text or shape.attrib):
                    self.assertGreaterEqual(left, 0)
                    self.assertLessEqual(right, sketch.WIDTH)
                    self.assertLessEqual(bottom, height)

    def test_every_picture_has_colours_for_dark_pages(self) -> None:
        bright = [name for name in pictures.files(ROOT) if "prefers-color-scheme: dark" not in (ROOT / name).read_text()]
        self.assertEqual(bright, [], "chart.DARK gives them")


class Shown(FakeRepository):
    def setUp(self) -> None:
        super().setUp()
        self.chapter(CHAPTER, "multiply", "")
        self.source = self.write(f"{CHAPTER}/binary_tile.h", SOURCE)
        self.lesson = self.write(f"{CHAPTER}/README.md", "<!-- sketch: b6_popc | Pairs -->\nold\n<!-- /sketch -->\n")

    def test_it_is_drawn_with_the_numbers_of_the_source(self) -> None:
        self.assertEqual(self.lab("docs").stdout, f"updated: {CHAPTER}/README.md\nupdated: {NAME}\n")
        self.assertIn("\n![Pairs](pictures/sketch_b6_popc.svg)\n", self.lesson.read_text())
        self.assertIn("12 words serve 32 pairs", (self.root / NAME).read_text())
        self.source.write_text(SOURCE.replace("8", "6"))
        self.assertEqual(self.lab("docs", "--check").stdout, f"stale: {NAME}\n")
        self.lab("docs")
        self.assertIn("10 words serve 24 pairs", (self.root / NAME).read_text())

    def test_it_goes_with_its_marker(self) -> None:
        self.lab("docs")
        self.lesson.write_text("# Add\n")
        self.assertEqual(self.lab("docs").stdout, f"updated: {NAME}\n")
        self.assertFalse((self.root / NAME).exists())

    def test_what_is_missing_is_named(self) -> None:
        self.source.write_text("constexpr unsigned thread_rows = 8;\n")
        said = self.lab("docs").stderr
        self.assertIn(f"{CHAPTER}/README.md:1: binary_tile.h holds nothing like", said)
        self.assertIn("thread_columns", said)
        self.lesson.write_text("<!-- sketch: 9_absent | Text -->\n<!-- /sketch -->\n")
        self.assertIn("README.md:1: nothing draws a sketch of '9_absent'", self.lab("docs").stderr)


if __name__ == "__main__":
    unittest.main()

"""The generated parts of the READMEs."""

import json
import subprocess
import sys

from support import FakeRepository
from results_test import ENTRY, gpu_with

GPU = gpu_with(ENTRY)
LESSON = """\
# Add

<!-- minutes -->
<!-- /minutes -->

<!-- excerpt: add.cu add -->

Prose.

<!-- excerpt: ../common/sum.h sum Pair -->
```cpp
old text
<!-- not a marker -->
```

<!-- excerpt: add.cu lines "// first" .. "// last" -->
````text
old
````

```md
<!-- excerpt: absent.cu absent -->
```

<!-- results: 03_vector_add -->
old
<!-- /results -->
End.
"""

SUM = """\
namespace x {
    int sum(int a) {
        return a;
    }
    struct Pair {};
}
"""


class Docs(FakeRepository):
    def setUp(self) -> None:
        super().setUp()
        self.write("03_vector_add/add.cu", "// first\n__global__ void add(int* x) { *x += 1; }\n// last\n")
        self.write("common/sum.h", SUM)
        self.lesson = self.write("03_vector_add/README.md", LESSON)
        self.write("results/README.md", "<!-- results: summary -->\n<!-- /results -->\n")
        self.write("COURSE.md", "# Course\n\n## How the minutes were found\n")
        self.write("build/x/README.md", "<!-- excerpt: absent.cu absent -->\n")

    def test_machine_code(self) -> None:
        """Here there is no CUDA toolkit of lab's own: what is current stays, and what is stale is told and kept."""
        self.write("03_vector_add/1_add.cu", "__global__ void add(int* x) { *x += 1; }\n")
        self.write("03_vector_add/README.md", "# Add\n\n<!-- sass: 3 1 | add | loop -->\n\nold\n\n<!-- /sass 0123456789ab -->\n")
        for command in (("docs",), ("docs", "--check")):
            result = self.lab(*command)
            self.assertIn("skipped: 03_vector_add/README.md:3: its machine code may be out of date: CUDA 13", result.stdout)
            self.assertNotIn("stale", result.stdout)
        script = (
            "import sys; sys.path.insert(0, 'tools'); from lessons import machine_code; from shared.chapters import ROOT;"
            "print(machine_code.excerpt(ROOT, '3 1', 'add', 'loop').end(['', 'old', '']))"
        )
        end = self.run_python(script).strip()
        self.lesson.write_text(f"# Add\n\n<!-- sass: 3 1 | add | loop -->\n\nold\n\n{end}\n")
        self.assertNotIn("skipped", self.lab("docs").stdout)
        self.assertIn(end, self.lesson.read_text())
        self.lesson.write_text(self.lesson.read_text().replace("old", "changed by hand"))
        self.assertIn("skipped", self.lab("docs").stdout)
        self.write("03_vector_add/1_add.cu", "__global__ void add(int* x) { *x += 1; }  // with a comment\n")
        self.assertEqual(self.run_python(script).strip(), end)
        self.write("03_vector_add/1_add.cu", "__global__ void add(int* x) { *x += 2; }\n")
        self.assertNotEqual(self.run_python(script).strip(), end)
        self.lesson.write_text("<!-- sass: 3 1 | add | loops -->\n<!-- /sass -->\n")
        self.assertIn("03_vector_add/README.md:1: 'loops' is none of: loop, all", self.lab("docs").stderr)

    def run_python(self, script: str) -> str:
        done = subprocess.run([sys.executable, "-c", script], cwd=self.root, env=self.env, capture_output=True, text=True, check=True)
        return done.stdout

    def test_everything_is_woven_once(self) -> None:
        result = self.runs("docs")
        self.assertEqual(result.stdout, "updated: 03_vector_add/README.md\nupdated: course.svg\nupdated: results/README.md\n")
        text = self.lesson.read_text()
        self.assertIn("add -->\n```cuda\n__global__ void add(int* x) { *x += 1; }\n```\n\nProse.", text)
        self.assertIn("Pair -->\n```cpp\nint sum(int a) {\n    return a;\n}\n\nstruct Pair {};\n```\n\n<!--", text)
        self.assertIn(
            '"// last" -->\n```cuda\n// first\n__global__ void add(int* x) { *x += 1; }\n// last\n```\n', text
        )
        self.assertIn("```md\n<!-- excerpt: absent.cu absent -->\n```\n", text)
        self.assertIn("-->\n\n*Nothing has been measured yet: `./lab bench 3` on", text)
        self.assertIn("*Nothing has been measured yet: `./lab bench` on", (self.root / "results/README.md").read_text())
        self.assertIn("-->\n\n**Time:** 5 minutes. ([how the minutes were found](../COURSE.md#how-the-", text)
        self.assertNotIn("old", text)
        self.assertTrue(text.endswith("<!-- /results -->\nEnd.\n"))
        self.assertEqual(self.lab("docs").stdout, "all generated parts are current\n")

    def test_the_front_page(self) -> None:
        """What it has from addresses.toml, in each language, and what the notebook has."""
        page = "{links} <!-- links -->\n\n# {title}\n\n```sh\ngit clone {address} cuda && cd cuda\n```\n\n`./lab sass 3 2`\n"
        self.write("03_vector_add/2_add.cu", "")
        self.write("translations/zh/README.po", 'msgid "All"\nmsgstr "全部"\n')
        self.write("translations/zh/lab.po", 'msgid "the address of this repository"\nmsgstr "地址"\n')
        self.write("README.md", page.format(links="old", title="All", address="old"))
        self.write("colab.ipynb", "old")
        self.write("README.zh.md", "old")

        def made(book: str, repository: str) -> list[str]:
            self.write("addresses.toml", f'book = "{book}"\nrepository = "{repository}"\n')
            self.assertIn("stale: README.md\nstale: README.zh.md\nstale: colab.ipynb\n", self.lab("docs", "--check").stdout)
            self.lab("docs")
            notebook = json.loads((self.root / "colab.ipynb").read_text(encoding="utf-8"))["cells"][1]["source"][0]
            return [*((self.root / name).read_text(encoding="utf-8") for name in ("README.md", "README.zh.md")), notebook]

        english, chinese = "[English](README.md)", "[中文](README.zh.md)"
        self.assertEqual(
            made("", ""),
            [
                page.format(links=chinese, title="All", address="<the address of this repository>"),
                page.format(links=english, title="全部", address="<地址>"),
                'REPOSITORY = ""  # @param {type: "string"}\n',
            ],
        )

        def doors(book: str) -> str:
            there = {"The machine code of a stage": "sass/03_2_add.html", "The book": ""}
            return "".join(f"[{text}]({book}{place}) · " for text, place in there.items())

        address = "https://x.org/y.git"
        self.assertEqual(
            made("https://x.org/y", address),
            [
                page.format(links=doors("https://x.org/y/") + chinese, title="All", address=address),
                page.format(links=doors("https://x.org/y/zh/") + english, title="全部", address=address),
                f'REPOSITORY = "{address}"  # @param {{type: "string"}}\n',
            ],
        )
        self.write("addresses.toml", "book = x")
        self.assertIn("lab: addresses.toml: ", self.lab("docs").stderr)

    def test_check_finds_stale_files_and_changes_nothing(self) -> None:
        self.lab("docs")
        self.runs("docs", "--check")
        self.write("03_vector_add/add.cu", "// first\n__global__ void add(int* x) { *x += 2; }\n// last\n")
        before = self.lesson.read_text()
        result = self.ends(1, "docs", "--check")
        self.assertEqual(result.stdout, "stale: 03_vector_add/README.md\n")
        self.assertEqual(self.lesson.read_text(), before)

    def test_check_also_finds_what_is_wrong_in_the_text(self) -> None:
        self.lab("docs")
        self.lesson.write_text(self.lesson.read_text() + "[x](absent.md)\n[y](#absent)\n")
        result = self.ends(1, "docs", "--check")
        self.assertEqual(result.stdout.count("leads nowhere"), 2, result.stdout)
        self.assertEqual(result.stderr, "lab: 2 problems in the sources of the lessons, listed above\n")

    def test_results_make_tables_and_charts(self) -> None:
        results = self.write("results/x.json", json.dumps(GPU))
        self.lab("docs")
        text = self.lesson.read_text()
        self.assertIn("| 3_blocks | 1.000 ms |", text)
        self.assertIn("| [03_vector_add](../03_vector_add/) |", (self.root / "results/README.md").read_text())
        chart = self.root / "03_vector_add/results.svg"
        self.assertTrue(chart.exists())
        chart.write_text(chart.read_text().replace("2,970", "9,999"))
        self.assertEqual(self.lab("docs", "--check").stdout, "stale: 03_vector_add/results.svg\n")
        results.unlink()
        self.lab("docs")
        self.assertFalse(chart.exists(), "a chart of nothing goes away")

    def test_minutes_count_the_charts_that_have_just_come(self) -> None:
        self.write("results/x.json", json.dumps(GPU))
        for predictions in range(5):  # minutes are multiples of five: one of these lessons has one more with its chart
            self.lesson.write_text(LESSON + "\n> **Predict.**\n" * predictions)
            self.lab("docs")
            self.assertNotIn("stale", self.lab("docs", "--check").stdout, f"{predictions} predictions")

    def test_a_lesson_of_several_files(self) -> None:
        more = self.write("03_vector_add/more.md", "# More\n\n<!-- excerpt: add.cu add -->\n")
        elsewhere = self.write("03_vector_add/exercises/task.md", "<!-- excerpt: absent.cu absent -->\n")
        self.assertIn("updated: 03_vector_add/more.md\n", self.lab("docs").stdout)
        self.assertIn("add -->\n```cuda\n__global__ void add(int* x) { *x += 1; }\n```\n", more.read_text())
        self.assertEqual(elsewhere.read_text(), "<!-- excerpt: absent.cu absent -->\n")
        self.write("03_vector_add/add.cu", "// first\n__global__ void add(int* x) { *x += 2; }\n// last\n")
        self.assertIn("stale: 03_vector_add/more.md\n", self.lab("docs", "--check").stdout)

    def test_results_of_some_stages(self) -> None:
        self.write("results/x.json", json.dumps(GPU))
        more = self.write("03_vector_add/more.md", "<!-- results: 03_vector_add | 3, library -->\n<!-- /results -->\n")
        self.lab("docs")
        chart = self.root / "03_vector_add/results_more.svg"
        self.assertTrue(chart.exists())
        self.assertEqual(self.lab("docs").stdout, "all generated parts are current\n")
        more.write_text("<!-- results: 03_vector_add | 3, 4 -->\n<!-- /results -->\n")
        self.refused(1, "03_vector_add/more.md:1: 03_vector_add has no stage '4' in this table; there are: 1_cpu, ", "docs")
        self.write("03_vector_add/b2_other.cu", 'STAGES(Stage{"other", added});\n')
        more.write_text("<!-- results: 03_vector_add | b2 -->\n<!-- /results -->\n")
        self.lab("docs")
        self.assertIn("Nothing has been measured yet", more.read_text(), "of a ladder that is new")
        more.unlink()
        self.lab("docs")
        self.assertFalse(chart.exists(), "the chart of a page that is gone goes, too")

    def test_a_roofline_needs_counts_and_measured_roofs(self) -> None:
        more = self.write("03_vector_add/more.md", "<!-- roofline: vector_add --n 64 | 1 -->\n<!-- /roofline -->\n")
        self.assertIn("more.md:1: ./lab count has kept nothing of 'vector_add --n 64'", self.lab("docs").stderr)
        rows = [{"stage": "3_blocks", "kernel": "add", "blocks": 1, "counts": {"global load": {"sectors": 24}}}]
        self.write("results/counts/03_vector_add.json", json.dumps([{"command": "vector_add --n 64", "rows": rows}]))
        self.write("results/x.json", json.dumps(GPU))
        self.lab("docs")
        self.assertIn("Nothing has been measured yet", more.read_text(), "no roofs")
        measured = {"device_to_device_gb_per_s": 3000.0, "multiply_add_gflop_per_s": 60000.0}
        chapters = GPU["chapters"] | {"02_device_query": {"device": {}, "measured": measured}}
        self.write("results/x.json", json.dumps(GPU | {"chapters": chapters}))
        self.assertIn("updated: 03_vector_add/roofline_more.svg\n", self.lab("docs").stdout)
        self.assertIn("](roofline_more.svg)\n", more.read_text())
        chart = self.root / "03_vector_add/roofline_more.svg"
        chart.write_text(chart.read_text().replace("3,000 GB/s", "9,999 GB/s"))
        self.assertEqual(self.lab("docs", "--check").stdout, "stale: 03_vector_add/roofline_more.svg\n")

    def test_mistakes_are_named_with_file_and_line(self) -> None:
        for text, expected in (
            ("\n<!-- excerpt: add.cu absent -->\n", "03_vector_add/README.md:2: 'add.cu' holds no 'absent'"),
            ("<!-- excerpt: absent.cu add -->\n", "03_vector_add/README.md:1: the excerpt's file 'absent.cu'"),
            ('<!-- excerpt: add.cu lines "x" .. "y" -->\n', 'holds no lines "x" .. "y"'),
            ("<!-- results: 03_vector_add -->\n", "README.md:1: there is no <!-- /results -->"),
            ("<!-- results: 09_absent -->\n<!-- /results -->\n", "there is no chapter '09_absent'"),
            ("<!-- excerpt: add.cu -->\n", "README.md:1: this marker"),
        ):
            with self.subTest(text=text):
                self.lesson.write_text(text)
                self.refused(1, expected, "docs")
                self.assertEqual(self.lesson.read_text(), text)

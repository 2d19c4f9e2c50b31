"""./lab count."""

import json

from support import FakeRepository


def counting_program(sectors: int = 8, conflicts: int = 2, launches: int = 2, lost: int = 0, wide: bool = False) -> str:
    """A program of the checked build, of a stage, and of a variant that has two kernels of one name. If wide, the stage also
    loads 16 bytes a lane from shared memory."""

    def line(number: int, counts: dict[str, object]) -> dict[str, object]:
        return {"file": "/03_vector_add/2_rows.cu", "line": number, "text": f"text of line {number};", "counts": counts}

    load = {"what": "global load", "requests": 2000 * launches, "lanes": 64000 * launches, "bytes": 256000 * launches}
    load |= {"sectors": sectors * 2000 * launches, "most_sectors": 32}
    atomic = {"what": "shared atomic", "requests": 3, "lanes": 24, "bytes": 96, "wavefronts": 3 * conflicts}
    atomic |= {"least_wavefronts": 3, "worst_ways": 4, "same_address": 18, "most_same_address": 8}
    barrier = {"what": "barrier", "requests": 9 * 4 * launches, "lanes": 256 * launches}
    first = {"kernel": "void {anonymous}::rows(const float*) [with bool wide = true]", "file": "/03_vector_add/2_rows.cu"}
    first |= {"line": 3, "launches": launches, "not_counted": lost, "blocks": 4 * launches, "threads": 128}
    quads = {"what": "shared load", "requests": 5 * launches, "lanes": 160 * launches, "bytes": 2560 * launches}
    quads |= {"wavefronts": 20 * launches, "least_wavefronts": 20 * launches, "worst_ways": 1}
    first |= {"counts": [load, barrier, *([quads] if wide else [])], "lines": [line(7, load), line(8, barrier)]}
    second = {"kernel": "void f(T*) [with T = int; std::size_t = long]", "file": "/03_vector_add/3_x.cu", "line": 1}
    second |= {"launches": 1, "not_counted": 0, "blocks": 1, "threads": 8, "counts": [atomic], "lines": [line(9, atomic)]}
    second |= {"ranges": ["n = 64", "3_x/wide"]}  # who launched it
    third = second | {"kernel": "void f(T*) [with T = float]", "counts": [], "lines": []}
    kernels = json.dumps({"kernels": [first, second, third]})
    return f"echo a table; echo a remark >&2; printf '%s' '{kernels}' > \"$EMULATOR_COUNT_JSON\"\n"


def below_the_heading(output: str) -> list[str]:
    lines = output.splitlines()
    return lines[next(i for i, line in enumerate(lines) if line.startswith("── ")) + 1 :]


class Count(FakeRepository):
    def setUp(self) -> None:
        super().setUp()
        self.chapter("03_vector_add", "vector_add", counting_program())
        self.counts("03_vector_add", "vector_add --n 64")
        self.checks("03_vector_add", "vector_add --n 5")

    def test_what_is_being_counted_is_shown(self) -> None:
        shown = self.on_terminal("count", "3")
        self.assertIn("\rcounting vector_add --n 64\x1b[K\r\x1b[K", shown)
        self.assertLess(shown.index("lab: the first build in build/check takes longest"), shown.index("\rbuilding …"))
        self.assertIn("\rchecking vector_add --n 5\x1b[K\r\x1b[K", self.on_terminal("check", "3"))

    def test_a_table(self) -> None:
        result = self.runs("count")
        lines = result.stdout.splitlines()
        self.assertIn("sectors of 32 bytes", lines[0])
        self.assertIn("── 03_vector_add · vector_add --n 64 ─", lines[6])
        self.assertEqual(
            lines[7:],
            [
                "                                                            shared atomics",
                "stage     kernel    barriers  global loads  shared atomics  at one address",
                "2_rows    rows             9   2,000 × 8.0               –               –",
                "3_x/wide  f<int>           –             –         3 × 2.0             6.0",
                "3_x/wide  f<float>         –             –               –               –",
            ],
        )
        self.assertNotIn("a table", result.stdout)
        self.assertNotIn("a remark", result.stderr)
        self.assertNotIn("text of line", result.stdout)

    def test_a_table_that_is_too_wide_goes_on_below(self) -> None:
        result = self.lab("count", COLUMNS="50")
        self.assertEqual(
            below_the_heading(result.stdout),
            [
                "stage     kernel    barriers  global loads",
                "2_rows    rows             9   2,000 × 8.0",
                "3_x/wide  f<int>           –             –",
                "3_x/wide  f<float>         –             –",
                "",
                "                                  shared atomics",
                "stage     kernel  shared atomics  at one address",
                "3_x/wide  f<int>         3 × 2.0             6.0",
            ],
        )

    def test_what_is_as_in_the_first_run_is_not_repeated(self) -> None:
        self.counts("03_vector_add", "vector_add --n 64", "vector_add --n 64 --fast", "vector_add")
        more = f"case $* in *fast) {counting_program(sectors=4)} ;; *) {counting_program()} ;; esac"
        self.write("03_vector_add/vector_add.sh", f"#!/bin/sh\n{more.replace(chr(10), '')}\n")
        lines = self.lab("count", "3").stdout.splitlines()
        self.assertEqual(
            lines[14:20],
            [
                "stage     kernel    global loads",
                "2_rows    rows       2,000 × 4.0",
                "3_x/wide  f<int>               –",
                "3_x/wide  f<float>             –",
                "The other columns are as above.",
                "",
            ],
        )
        self.assertEqual(lines[21:], ["The other columns are as above."])

    def test_wavefronts_of_wide_requests(self) -> None:
        self.write("03_vector_add/vector_add.sh", f"#!/bin/sh\n{counting_program(wide=True)}")
        result = self.lab("count", COLUMNS="120")
        self.assertEqual(
            below_the_heading(result.stdout)[:3],
            [
                " " * 63 + "wavefronts                  shared atomics",
                "stage     kernel    barriers  global loads  shared loads  of shared loads  shared atomics  at one address",
                "2_rows    rows             9   2,000 × 8.0       5 × 1.0               20               –               –",
            ],
        )

    def test_lines(self) -> None:
        written = self.temporary / "counts.json"
        result = self.lab("count", "3", "--lines", "--json", str(written))
        self.assertIn(
            "\n2_rows · rows\n2_rows.cu:7  text of line 7;\n    global load: 2,000 × 8.0, 32.0 lanes each\n"
            "2_rows.cu:8  text of line 8;\n    barrier: 9 for each block\n",
            result.stdout,
        )
        self.assertIn("    shared atomic: 3 × 2.0, 8.0 lanes each, 6.0 at one address\n", result.stdout)
        (entry,) = json.loads(written.read_text())
        self.assertEqual((entry["chapter"], entry["command"]), ("03_vector_add", "vector_add --n 64"))
        self.assertEqual([kernel["launches"] for kernel in entry["kernels"]], [2, 1, 1])

    def test_kept_for_the_lessons(self) -> None:
        lesson = self.write(
            "03_vector_add/README.md",
            "<!-- counts: vector_add --n 64 | barriers, global loads -->\n<!-- /counts -->\nEnd.\n",
        )
        self.refused(1, "03_vector_add/README.md:1: ./lab count has kept nothing of 'vector_add --n 64'", "docs")
        self.ends(1, "count", "--check")
        result = self.runs("count", "3", "--keep")
        self.assertEqual(
            lesson.read_text(),
            "<!-- counts: vector_add --n 64 | barriers, global loads -->\n\n"
            "| stage | barriers | global loads |\n| :-- | --: | --: |\n| 2_rows | 9 | 2,000 × 8.0 |\n\n"
            "*Counted: `./lab count 3`, of `vector_add --n 64`.*\n\n<!-- /counts -->\nEnd.\n",
        )
        self.assertEqual(self.lab("docs").stdout, "all generated parts are current\n")
        self.runs("count", "--check")
        # How often a program launches is no matter, but what a launch does.
        self.chapter("03_vector_add", "vector_add", counting_program(launches=3))
        self.counts("03_vector_add", "vector_add --n 64")
        self.runs("count", "--check")
        for changed in (counting_program(sectors=9), counting_program(conflicts=3)):
            self.write("03_vector_add/vector_add.sh", f"#!/bin/sh\n{changed}")
            result = self.ends(1, "count", "--check")
            self.assertIn("not what was kept: 03_vector_add", result.stderr)
        lesson.write_text("<!-- counts: vector_add --n 64 | lanes of a global load -->\n<!-- /counts -->\n")
        self.runs("docs")
        self.assertIn("| stage | lanes of a global load |\n| :-- | --: |\n| 2_rows | 32.0 |\n", lesson.read_text())
        lesson.write_text("<!-- counts: vector_add --n 64 | fences -->\n<!-- /counts -->\n")
        said = self.lab("docs").stderr
        self.assertIn("03_vector_add/README.md:1: 03_vector_add has no counts of 'fences'; there are: barriers, global loads", said)

    def test_what_goes_wrong(self) -> None:
        result = self.lab("count", "1")
        self.assertEqual((result.returncode, "01_hello has nothing to count" in result.stderr), (1, True))
        self.assertFalse((self.root / "build/check/01_hello/hello").exists(), "nothing is built for that")
        self.write("03_vector_add/vector_add.sh", f"#!/bin/sh\n{counting_program(lost=1)}")
        result = self.lab("count", "3")
        self.assertEqual((result.returncode, "does too much between two barriers" in result.stderr), (1, True))
        self.write("03_vector_add/vector_add.sh", f"#!/bin/sh\n{counting_program()}exit 3\n")
        result = self.ends(3, "count", "3")
        self.assertEqual(result.stderr.splitlines()[-2:], ["a remark", "lab: vector_add --n 64 ended with exit code 3"])

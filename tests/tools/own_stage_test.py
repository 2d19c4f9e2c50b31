"""A reader's own stage: it is in the table, in nobody's way, and ./lab ladder says where it stands."""

import json
import random
import shutil
import subprocess
import unittest
from collections import Counter

from support import ROOT, FakeRepository
from building import dependencies
from building.build import A_YEAR
from building.dependencies import NeededBy
from commands import ladder
from exercises.limits import Limit
from reports import ladders
from reports.floors import Floor
from shared import chapters

HELP = "echo '  1_cpu  first'; echo '  2_rows  second'"
TARGET = """
add_custom_command(OUTPUT my/vector_add COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/own.build)
add_custom_target(03_vector_add_my DEPENDS my/vector_add)
"""
OF_THREE = {
    "main": "int stages = 0; int main() { return stages; }",
    "good": "extern int stages; static int listed = ++stages;",
    "bad": "extern int stages; static int listed = ++stages",
}


class InTheTable(FakeRepository):
    def setUp(self) -> None:
        super().setUp()
        self.chapter("03_vector_add", "vector_add", f'case "$*" in *--help*) {HELP} ;; *) echo "rows: $*" ;; esac\n')
        self.write("03_vector_add/2_rows.cu", 'STAGES(Stage{"an idea", rows});\n')
        self.write("my/03_vector_add/mine.cu", 'STAGES(Stage{"an idea", mine}, Stage{"twice", "again", mine_twice});\n')
        lists = self.root / "03_vector_add/CMakeLists.txt"
        lists.write_text(lists.read_text() + TARGET)
        self.write("03_vector_add/own.build", "mkdir -p my; printf '#!/bin/sh\\necho \"  mine\"; echo \"  other\"; echo rows and mine: $*\\n' > my/vector_add; chmod +x my/vector_add\n")

    def test_all_rows_with_its_own_or_one_row_of_the_chapter(self) -> None:
        for words, said in (
            (["--stage", "mine"], "rows and mine: --stage mine --among\n"),
            (["--stage", "mine/twice", "--", "--n", "5"], "rows and mine: --stage mine/twice --among --n 5\n"),
            ([], "rows and mine:\n"),
        ):
            result = self.runs("run", "3", *words)
            self.assertTrue(result.stdout.endswith(said), result.stdout)
        shutil.rmtree(self.root / "my")
        self.assertTrue(self.lab("run", "3", "--stage", "2", "--", "--n", "5").stdout.endswith("rows: --stage 2 --n 5\n"))
        self.ends(2, "run", "3", "--stage", "mine")
        self.ends(2, "run", "--stage", "2")

    def test_one_that_does_not_compile_is_in_nobodys_way(self) -> None:
        self.write("03_vector_add/own.build", "echo 'mine.cu:3:1: error: oops' >&2; exit 1\n")
        result = self.runs("run", "3")
        self.assertTrue(result.stdout.endswith("rows:\n") or result.stdout.endswith("rows: \n"), result.stdout)
        self.assertIn("mine.cu:3:1: error: oops\n", result.stderr)
        self.assertIn("lab: without mine of my/03_vector_add: the build failed", result.stderr)
        self.ends(1, "run", "3", "--stage", "mine")

    def test_one_that_does_not_compile_leaves_the_others(self) -> None:
        self.write("my/03_vector_add/other.cu", 'STAGES(Stage{"an idea", other});\n')
        build = self.root / "03_vector_add/own.build"
        objects = "03_vector_add/CMakeFiles/rows_my.dir/__/my/03_vector_add"
        build.write_text(build.read_text() + f"mkdir -p ../{objects}; cd ../{objects}; touch other.cu.o; touch -t 197001020000 mine.cu.o\n")
        result = self.runs("run", "3")
        self.assertTrue(result.stdout.endswith("rows and mine:\n"), result.stdout)
        self.assertIn("lab: without mine of my/03_vector_add: it does not compile\n", result.stderr)
        self.runs("run", "3", "--stage", "other")
        self.ends(1, "run", "3", "--stage", "mine")

    def test_one_that_has_no_stage(self) -> None:
        self.write("my/03_vector_add/bad.cu", "int x;")
        says = f"bad of my/03_vector_add: {chapters.NO_STAGE}\n"
        for code, words in ((0, ["run", "3"]), (1, ["run", "3", "--stage", "bad"]), (1, ["ladder", "3", "bad"])):
            self.assertIn(says, self.ends(code, *words).stderr)

    def test_what_is_made_of_one_that_does_not_compile(self) -> None:
        main, good, bad = (self.write(f"{name}.cpp", text) for name, text in OF_THREE.items())
        compiler = dependencies.compiler()[-1]
        for path in (main, good, bad):
            command = ["sh", ROOT / "common/or_nothing.sh", compiler, "-c", path, "-o", path.with_suffix(".o")]
            done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
            self.assertEqual((done.returncode, bool(done.stderr)), (0, path == bad), done.stderr)
        objects = [path.with_suffix(".o") for path in (main, good, bad)]
        self.assertEqual([path.stat().st_mtime > A_YEAR for path in objects], [True, True, False])
        subprocess.run([compiler, "-o", self.temporary / "program", *objects], check=True)
        self.assertEqual(subprocess.run([self.temporary / "program"], check=False).returncode, 1)

    def test_names(self) -> None:
        self.write("my/03_vector_add/2_none.cu", "")  # has a number, as only the chapter's have
        self.assertEqual(chapters.stages(self.root, "03_vector_add"), ["2_rows", "mine", "mine/twice"])
        self.assertEqual(chapters.kernels_of(self.root, "03_vector_add", "mine/twice"), self.root / "my/03_vector_add/mine.cu")
        self.assertEqual(chapters.kernels_of(self.root, "03_vector_add", "2_rows"), self.root / "03_vector_add/2_rows.cu")

    def test_a_new_one(self) -> None:
        result = self.runs("new", "stage", "3", "yours")
        self.assertTrue(result.stdout.startswith("my/03_vector_add/yours.cu: a copy of 2_rows, for you to change"))
        self.assertIn("yours", chapters.stages(self.root, "03_vector_add"))
        for name, why in (
            ("mine", "my/03_vector_add/mine.cu is there already"),
            ("b_rows", "would be taken for one of another ladder"),
            ("library_2", "would be taken for one of another ladder"),
            ("Two", "is no name"),
        ):
            self.refused(2, why, "new", "stage", "3", name)

    @unittest.skipIf(dependencies.missing({NeededBy.EMULATOR}), "the emulator cannot be configured without its libraries")
    def test_what_cmake_makes_of_it(self) -> None:
        for name in ("05_dot_product", "common", "harness", "emulator"):
            shutil.rmtree(self.root / name, ignore_errors=True)
            shutil.copytree(ROOT / name, self.root / name)
        for name in ("mine", "t_mine"):
            self.write(f"my/05_dot_product/{name}.cu", "")
        folder = self.temporary / "b"
        command = ["cmake", "-G", "Ninja", "-S", self.root / "05_dot_product", "-B", folder, "-DBACKEND=cpu"]
        done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = {line["file"].rpartition("/")[2]: line["command"] for line in json.loads((folder / "compile_commands.json").read_text())}
        self.assertIn(f"-I{self.root}/05_dot_product ", lines["mine.cu"])

        def inputs(target: str) -> str:
            return subprocess.run(
                ["ninja", "-C", folder, "-t", "inputs", target], capture_output=True, encoding="utf-8", check=True
            ).stdout

        for target, has in (("my/dot_product", "mine"), ("my/trees", "t_mine"), ("05_dot_product_my", "mine t_mine")):
            objects = inputs(target).split()
            self.assertEqual({one for one in ("mine", "t_mine") if any(f"/{one}.cu.o" in each for each in objects)}, {*has.split()})
        commands = subprocess.run(["ninja", "-C", folder, "-t", "commands", "my/trees"], capture_output=True, encoding="utf-8", check=True)
        launched = [line for line in commands.stdout.splitlines() if "/or_nothing.sh" in line]
        self.assertRegex("\n".join(launched), r"^sh \S+/or_nothing.sh \S*python\S* \S+/compile .*/t_mine.cu$")
        self.assertTrue(any("/4_warp_shuffle.cu.o" in each for each in inputs("my/dot_product").split()))
        self.assertNotIn("mine.cu", inputs("all") + inputs("05_dot_product"))


class Ladder(unittest.TestCase):
    def test_between_which_rungs_it_is(self) -> None:
        seconds = {"1_cpu": 1e-6, "2_rows": 9e-3, "3_fast": 3e-3, "library": 2e-3, "mine": 4e-3}
        self.assertEqual(ladder.standing("mine", seconds), "mine, 4.000 ms, is between 2_rows and 3_fast; 0.50 of the speed of library")
        self.assertIn("is ahead of 3_fast; 2.00 of", ladder.standing("mine", seconds | {"mine": 1e-3}))
        self.assertIn("is behind 2_rows; 0.20 of", ladder.standing("mine", seconds | {"mine": 1e-2}))

    def test_beside_the_rung_that_is_most_like_it(self) -> None:
        def asked(**counts: int) -> ladders.Asked:
            return ladders.Asked(Counter(counts), [], Floor(4.8e-4, "its bytes"))

        rungs = {"2_rows": asked(sectors=900, launches=2), "3_fast": asked(sectors=300, atomics=5, barriers=2, launches=1)}
        rungs["4_same"] = asked(sectors=300, atomics=50, barriers=1, launches=1)
        for own, beside, said in (
            (asked(sectors=300, atomics=50, barriers=2, launches=1), "4_same", "as 4_same in bytes, with 2.0 times its barriers."),
            (asked(sectors=301, atomics=5, barriers=2, launches=1), "3_fast", "lean as 3_fast in bytes, with nearly the same in all else."),
            (asked(sectors=800, launches=3), "2_rows", "moves 89% of the bytes of 2_rows, with 1.5 times its launches."),
            (asked(sectors=2000, atomics=7), "2_rows", "moves 2.2 times the bytes of 2_rows, with 7 atomics, where it has none, no launches."),
        ):
            self.assertEqual(ladders.nearest(own, rungs), beside)
            text = ladders.compared("mine", own, beside, rungs[beside])
            self.assertIn(said, text)
            self.assertTrue(text.endswith("It takes at least 0.48 ms, its bytes."), text)

    def test_all_of_a_call(self) -> None:
        calls, launches = random.randint(2, 9), random.randint(2, 9)
        barrier = {"what": "barrier", "requests": 7 * calls}
        load = {"what": "global load", "requests": 8 * calls, "lanes": 9, "sectors": 32 * calls}
        kernels = [
            {
                **{"kernel": f"void {name}(int)", "file": "a.cu", "line": 1, "ranges": ["n = 8", name], "launches": calls * times},
                **{"blocks": calls, "threads": calls, "counts": [barrier, load], "floors": []},
            }
            for name, times in (("2_rows", launches), ("mine", 1))
        ]
        ((title, stages),) = ladders.tables_of(kernels, None)
        self.assertEqual(title, "n = 8")
        self.assertEqual([stages[name].counts["launches"] for name in ("2_rows", "mine")], [launches, 1])
        self.assertEqual({what: stages["mine"].counts[what] for what in ("sectors", "barriers")}, {"sectors": 32, "barriers": 7})
        limits = [Limit.read(text, "") for text in ("launches = 1", "global load requests <= 8", "barriers per block <= 6")]
        said = ladder.Challenge("a.md", limits, "").verdict("mine", stages["mine"].kernels).splitlines()
        self.assertEqual(said[0], "mine and the challenge of a.md:")
        self.assertEqual([line.split()[0] for line in said[1:]], ["met", "met", "NOT"])
        dash = Limit.read("ways per shared load <= 1", "")
        self.assertEqual(dash.says(dash.value(stages["mine"].kernels)), "– ways per shared load: at most 1.0 are asked for")
        self.assertTrue(said[3].endswith("7.0 barriers per block: at most 6.0 are asked for"), said)

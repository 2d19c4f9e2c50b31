"""What continuous integration runs: .ci/run, and the lessons' nvcc lines."""

import json
import shutil
import subprocess
from pathlib import Path

from support import ROOT, FakeRepository
from count_test import counting_program

UNIT_TEST = """\
import unittest
class Table(unittest.TestCase):
    def test_one(self): pass
"""


class ContinuousIntegration(FakeRepository):
    def setUp(self) -> None:
        super().setUp()
        shutil.copytree(ROOT / ".ci", self.root / ".ci")
        self.env["CUDACXX"] = "/nowhere/nvcc"
        counts = counting_program().replace("\n", "")
        self.chapter("03_vector_add", "vector_add", f'if [ "$EMULATOR_COUNT_JSON" ]; then {counts}; fi\n')
        self.counts("03_vector_add", "vector_add")
        self.runs("count", "--keep")
        self.checks("01_hello", "hello")
        self.checks("03_vector_add", "vector_add")
        self.chapter("12_pi", "pi", "echo pi\n")
        self.checks("12_pi", "pi")
        # What .ci/run names besides the chapters.
        rooms = "".join(f"add_custom_target({room}_tests)\n" for room in ("common", "emulator", "lab"))
        tests = "".join(
            f"add_test(NAME tries_{room} COMMAND {command})\nset_tests_properties(tries_{room} PROPERTIES LABELS {room})\n"
            for room, command in (("emulator", "sh ${CMAKE_SOURCE_DIR}/emulator/all.sh"), ("lab", "true"))
        )
        lists = self.root / "CMakeLists.txt"
        lists.write_text(f"{lists.read_text()}add_subdirectory(12_pi)\n{rooms}{tests}")
        self.write("emulator/all.sh", "echo all of them")
        self.write("emulator/tests/readme_test.py", UNIT_TEST)
        self.write("emulator/tests/settings_test.py", UNIT_TEST)
        # It compiles nothing, but is there.
        self.nvcc = self.temporary / "nvcc"
        self.nvcc.write_text("#!/bin/sh\n")
        self.nvcc.chmod(0o755)

    def ci(self, *parts: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["bash", str(self.root / ".ci/run"), *parts],
            cwd=self.temporary,
            env=self.env,
            capture_output=True,
            encoding="utf-8",
            timeout=1500,
        )

    def test_what_passed_is_not_run_again_until_something_has_changed(self) -> None:
        presets = self.root / "CMakePresets.json"
        presets.write_text(presets.read_text().replace('{"name": "asan"', '{"name": "ci", "inherits": "base"}, {"name": "asan"'))
        presets.write_text(presets.read_text()[:-2] + ', "buildPresets": [{"name": "ci", "configurePreset": "ci"}]}')

        def ends(*options: str) -> tuple[int, str]:
            result = self.ci(*options, "emulator")
            return result.returncode, result.stdout.splitlines()[-1]

        whole = (0, "3 passed, 0 failed, 0 skipped")
        self.assertEqual(ends(), (0, "2 passed, 0 failed, 1 skipped"))  # without nvcc, which is no proof
        self.env["CUDACXX"] = str(self.nvcc)
        self.assertEqual(ends(), whole)
        self.assertEqual(ends(), (0, "1 passed, 0 failed, 1 skipped"))  # the pages alone
        self.assertEqual(ends(), (0, "0 passed, 0 failed, 2 skipped"))
        self.assertEqual(ends("--whole"), whole)
        self.write("emulator/docs/page.md", "Tests of pages read it,\n")
        self.assertEqual(ends(), (0, "1 passed, 0 failed, 1 skipped"))
        self.write("emulator/docs/page.md", "all the others\n\n<!-- nvcc -->\n```sh\nnvcc a.cu\n```\n")
        self.assertEqual(ends(), whole)
        self.write("emulator/tests/README.md", "these.\n")
        self.assertEqual(ends(), whole)
        self.write("emulator/all.sh", "exit 1")
        self.assertEqual(ends(), (1, "1 passed, 2 failed, 0 skipped"))
        self.assertEqual(ends(), (1, "1 passed, 2 failed, 0 skipped"))

    def test_a_part_alone(self) -> None:
        result = self.ci("check", "docs")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertEqual(result.stdout.splitlines()[-1], "3 passed, 0 failed, 0 skipped")
        self.assertNotIn("=== ./lab test", result.stdout)
        (copy,) = (self.root / "build").glob("* *ü*")
        built = (copy / "build/check/CMakeCache.txt").stat()
        (self.root / "03_vector_add/vector_add.build").rename(self.root / "03_vector_add/other.build")
        self.assertEqual(self.ci("checks").returncode, 2)
        names = {path.name for path in (copy / "03_vector_add").iterdir()}
        self.assertEqual(names, {path.name for path in (self.root / "03_vector_add").iterdir()})
        self.assertEqual((copy / "build/check/CMakeCache.txt").stat(), built, "what was built stays")
        self.runs("clean")
        self.assertFalse(copy.exists())

    def test_goes_on_after_a_failure(self) -> None:
        self.chapter("01_hello", "hello", "echo it broke; exit 1\n")
        self.write("README.md", "<!-- results: summary -->\n<!-- /results -->\n")
        result = self.ci()
        self.assertEqual(result.returncode, 1)
        self.assertEqual(result.stdout.splitlines()[-1], "7 passed, 3 failed, 7 skipped")
        self.assertIn("stale: README.md", result.stdout)
        self.assertIn("./lab check: FAILED (1)", result.stdout)
        at_the_end = result.stdout.split("\n=== what failed\n")[1]
        self.assertIn("\n--- ./lab check\n", at_the_end)
        self.assertRegex(at_the_end, r"\n--- ./lab docs --check --draw\n(.*\n)*stale: README.md")
        self.assertRegex(at_the_end, r"01_hello: runs .*Failed .*\nit broke\n")



class LessonLines(FakeRepository):
    def try_lines(self, *options: str) -> subprocess.CompletedProcess[str]:
        script = ["python3", str(self.root / "tools/nvcc_lines.py"), "--arch", "sm_90", *options]
        return subprocess.run(script, env=self.env, capture_output=True, encoding="utf-8")

    def test_every_marked_line_is_compiled_and_linked(self) -> None:
        # Makes the file after -o, and fails where an object or a source that it is given is missing.
        self.command(
            "nvcc",
            """#!/bin/bash
echo "$PWD: $*" >> "$HOME/log"
while (($#)); do
    case $1 in
        -o) shift; cp /bin/true "$1" ;;
        *.o | *.c*) [[ -f $1 ]] || { echo "$1 is missing" >&2; exit 1; } ;;
    esac
    shift
done
""",
        )
        for name, text in (("01_hello/a.cu", ""), ("01_hello/b.cu", "#ifdef c\n#endif\n"), ("common/x.cpp", "")):
            self.write(name, text)
        self.write(
            "01_hello/README.md",
            "<!-- nvcc -->\n```sh\nnvcc -O3 -arch=native *.cu \\\n    ../common/*.cpp -lm -o a\necho not this\n"
            "nvcc -O3 -arch=native b.cu ../common/x.cpp -o b\nnvcc -O3 -Dc b.cu -o c\n```\n"
            "```sh\nnvcc unmarked.cu -o x\n```\n",
        )
        result = self.try_lines()
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        log = (self.temporary / "log").read_text().splitlines()
        compiled = [line for line in log if " -c " in line]
        self.assertEqual(len(compiled), 4)  # a.cu, b.cu with two sets of options, x.cpp
        for line in compiled:
            self.assertRegex(line, r"/01_hello: -O0 (-arch=sm_90|-Dc) -c /\S+\.(cu|cpp) -o /\S+\.o$")
        linked = sorted((line for line in log if " -c " not in line), key=lambda line: line.rsplit("/", 1)[1])
        self.assertEqual(len(linked), 3)  # several at once: whichever is done first
        self.assertRegex(linked[0], r"/01_hello: -O0 -arch=sm_90 /\S+\.o /\S+\.o /\S+\.o -lm -o /\S+/a$")

        (self.root / "common/x.cpp").unlink()
        result = self.try_lines()
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stdout, r"-o b\n/\S+/common/x.cpp is missing\n")

    def test_what_the_build_has_compiled_with_the_same_options_is_only_linked(self) -> None:
        self.root = self.root.rename(self.temporary / "ein Kurs für alle")
        self.command("nvcc", '#!/bin/sh\necho "$*" >> "$HOME/log"\nfor o; do :; done\ncp /bin/true "$o"\n')
        for name in ("a.cu", "b.cu", "c.cpp", "d.cu"):
            self.write(f"01_hello/{name}", "#ifdef FAST\n#endif\n")
        self.write(
            "01_hello/README.md",
            "<!-- nvcc -->\n```sh\nnvcc -std=c++20 -O3 -arch=native --fmad=false -Xcompiler -fopenmp -DFAST -DX -I.. "
            "*.cu *.cpp -o a\n```\n",
        )
        root, hello = self.root, self.root / "01_hello"
        speed = "-O0 -g1 -gz -Wall -isystem /x --generate-code=arch=compute_75,code=[sm_75] -forward-unknown-to-host-compiler"
        same = f"{speed} -I'{root}' -std=c++20 --fmad=false -Xcompiler=-Wall,-fopenmp -DFAST"
        commands = {
            "a.cu": f"nvcc {same} -x cu",
            "b.cu": f"nvcc {same} -use_fast_math",
            "c.cpp": f"c++ {speed} -I'{root}' -std=c++20 -fopenmp -DFAST",
            "d.cu": f"nvcc {same.replace('-DFAST', '')}",
        }
        entries = [
            {"directory": str(root), "file": str(hello / name), "command": f"{command} -c '{hello / name}' -o {name}.o"}
            for name, command in commands.items()
        ]
        for name in commands:
            self.write(f"{name}.o", "")
        self.write("compile_commands.json", json.dumps(entries))
        result = self.try_lines("--build", str(root))
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        compiled = [line.split(" -c ")[1] for line in (self.temporary / "log").read_text().splitlines() if " -c " in line]
        self.assertEqual(sorted(Path(line.split(" -o ")[0]).name for line in compiled), ["b.cu", "d.cu"])

    def test_what_nvcc_says_is_shown_under_the_line(self) -> None:
        self.write("01_hello/README.md", "<!-- nvcc -->\n```sh\nnvcc b.cu -o b\nnvcc c.o -o c\nnvcc b.cu\n```\n")
        self.command("nvcc", "#!/bin/sh\necho 'b.cu(3): warning' >&2\n")
        result = self.try_lines()
        self.assertEqual(result.returncode, 1)
        self.assertIn("01_hello: nvcc b.cu -o b\nb.cu(3): warning\n", result.stdout)
        self.assertIn("01_hello: nvcc b.cu\nthe line names no output (-o)\n", result.stdout)

        self.command("nvcc", "#!/bin/sh\nexit 7\n")
        self.assertIn("01_hello: nvcc c.o -o c\nexit code 7\n", self.try_lines().stdout)
        self.command("nvcc", "#!/bin/sh\n")
        self.assertIn("01_hello: nvcc c.o -o c\nit makes no program\n", self.try_lines().stdout)

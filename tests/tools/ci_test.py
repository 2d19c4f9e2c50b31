"""What continuous integration runs: .ci/run, and the lessons' nvcc lines."""

from __future__ import annotations

import shutil
import subprocess
import unittest

from support import ROOT, FakeRepository
from lab_test import counting_program
import nvcc_lines


class ContinuousIntegration(FakeRepository):
    def setUp(self) -> None:
        super().setUp()
        shutil.copytree(ROOT / ".ci", self.root / ".ci")
        self.env["CUDACXX"] = "/nowhere/nvcc"
        counts = counting_program().replace("\n", "")
        self.chapter("03_vector_add", "vector_add", f'if [ "$EMULATOR_COUNT_JSON" ]; then {counts}; fi\n')
        self.counts("03_vector_add", "vector_add")
        kept = self.lab("count", "--keep")
        self.assertEqual(kept.returncode, 0, kept.stderr)
        self.checks("01_hello", "hello")
        self.checks("03_vector_add", "vector_add")

    def ci(self) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["bash", str(self.root / ".ci/run")],
            cwd=self.temporary,
            env=self.env,
            capture_output=True,
            encoding="utf-8",
            timeout=120,
        )

    def test_adds_up_what_every_step_said(self) -> None:
        result = self.ci()
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertEqual(result.stdout.splitlines()[-1], "7 passed, 0 failed, 2 skipped")

    def test_goes_on_after_a_failure(self) -> None:
        self.chapter("01_hello", "hello", "exit 1\n")
        self.write("README.md", "<!-- results: summary -->\n<!-- /results -->\n")
        result = self.ci()
        self.assertEqual(result.returncode, 1)
        self.assertEqual(result.stdout.splitlines()[-1], "3 passed, 4 failed, 2 skipped")
        self.assertIn("stale: README.md", result.stdout)
        self.assertIn("./lab check: FAILED (1)", result.stdout)

    def test_a_build_that_fails_is_a_failure(self) -> None:
        self.write("CMakeLists.txt", "message(FATAL_ERROR no)\n")
        result = self.ci()
        self.assertEqual(result.returncode, 1)
        self.assertEqual(result.stdout.splitlines()[-1], "1 passed, 4 failed, 2 skipped")


class LessonLines(FakeRepository):
    def test_every_marked_line_is_run(self) -> None:
        self.command("nvcc", '#!/bin/sh\necho "$PWD: $*" >> "$HOME/log"\nfor last; do :; done; cp /bin/true "$last"\n')
        self.write("01_hello/README.md", "<!-- nvcc -->\n```sh\nnvcc -arch=native a.cu -o a\nnvcc b.cu -o b\n```\n")
        script = ["python3", str(self.root / "tools/nvcc_lines.py"), "--arch", "sm_90"]
        result = subprocess.run(script, env=self.env, capture_output=True, encoding="utf-8")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        log = sorted((self.temporary / "log").read_text().splitlines())
        self.assertEqual(len(log), 2)
        self.assertRegex(log[0], r"/01_hello: -arch=sm_90 a.cu -o /\S+/a$")

        self.command("nvcc", "#!/bin/sh\necho 'a.cu(3): error' >&2; exit 1\n")
        result = subprocess.run(script, env=self.env, capture_output=True, encoding="utf-8")
        self.assertEqual(result.returncode, 1)
        self.assertIn("01_hello: nvcc b.cu -o b\na.cu(3): error\n", result.stdout)


class NvccLines(unittest.TestCase):
    README = """\
<!-- nvcc -->
```sh
nvcc -std=c++20 -arch=native 1_cpu.cpp \\
    main.cpp -o vector_add
echo not this
```
```sh
nvcc unmarked.cu -o x
```
"""

    def test_the_marked_lines_are_found_and_prepared(self) -> None:
        (line,) = nvcc_lines.lines_of(self.README)
        self.assertEqual(line.split(), "nvcc -std=c++20 -arch=native 1_cpu.cpp main.cpp -o vector_add".split())
        self.assertTrue(nvcc_lines.prepared(line, "/t", "native").endswith(" -o /t/vector_add"))
        self.assertIn("-arch=sm_90 ", nvcc_lines.prepared(line, "/t", "sm_90"))


if __name__ == "__main__":
    unittest.main()

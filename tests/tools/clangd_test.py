"""An editor's clangd reads .cu files with the options in .clangd: a chapter's kernel has no error, and a mistake has one."""

import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from support import ROOT

CLANG = os.environ["CXX"] if "clang" in os.environ.get("CXX", "") else "clang++"

# Copies to shared memory, matrices, a barrier of the grid, atomics with an order, assert and printf.
FILES = ("11_matrix_multiply/9_pipelined", "15_attention/4_wmma", "14_stencil/7_one_launch", "08_atomic_sum/atomics_tour")
SOURCE = "".join(f'#include "{name}.cu"\n' for name in FILES) + "__global__ void more(int* x) { MISTAKE }\n"


@unittest.skipUnless(shutil.which(CLANG), "skipped: there is no clang++")
class Clangd(unittest.TestCase):
    def errors(self, mistake: str) -> list[str]:
        added = re.search(r"PathMatch: .*cu.*\nCompileFlags:\n  Add: \[(.*)\]", (ROOT / ".clangd").read_text())
        assert added
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "a.cu")
            path.write_text(SOURCE)
            command = [CLANG, "-std=c++20", f"-I{ROOT}/emulator/include", f"-I{ROOT}", f"-DMISTAKE={mistake}", *added[1].split(", ")]
            result = subprocess.run([*command, "-fsyntax-only", path], capture_output=True, encoding="utf-8")
        self.assertEqual(result.returncode == 0, "error: " not in result.stderr, result.stderr)
        return re.findall(r"error: (.*)", result.stderr)

    def test_what_is_right(self) -> None:
        self.assertEqual(self.errors(""), [])

    def test_what_is_wrong(self) -> None:
        self.assertRegex("".join(self.errors("more<<<1>>>(x);")), "at least 2|too few")
        self.assertRegex("".join(self.errors("undeclared(x);")), "undeclared")


if __name__ == "__main__":
    unittest.main()

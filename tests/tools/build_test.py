"""What is shown of a build."""

from __future__ import annotations

import os
import pty
import subprocess
import unittest

from support import FakeRepository
import build
import console

FAILING = """\
[0/2] Re-checking globbed directories...
-- Configuring done
[1/9] Building CXX object 01_x/CMakeFiles/x.dir/good.cu.o
[2/9] Building CXX object 01_x/CMakeFiles/x.dir/bad.cu.o
FAILED: {code}01_x/CMakeFiles/x.dir/bad.cu.o
/usr/bin/g++ -Wall -o bad.cu.o -c bad.cu
bad.cu: In function ‘int main()’:
bad.cu:3:7: error: expected expression
    3 |   x = ;
[3/9] Building CXX object 01_x/CMakeFiles/x.dir/also_good.cu.o
ninja: build stopped: subcommand failed.
"""


class Output(unittest.TestCase):
    def read(self, text: str) -> build.NinjaOutput:
        output = build.NinjaOutput(console.Progress())
        for line in text.splitlines():
            output.line(line)
        return output

    def test_only_the_compilers_words_are_left_of_a_failure(self) -> None:
        for code in ("", "[code=1] "):  # Ninja 1.12 says the exit code
            output = self.read(FAILING.replace("{code}", code))
            self.assertEqual(
                output.failure(),
                "bad.cu: In function ‘int main()’:\nbad.cu:3:7: error: expected expression\n    3 |   x = ;",
            )
            self.assertEqual(output.steps, 3)

    def test_a_failure_without_words_is_named_all_the_same(self) -> None:
        output = self.read("[1/2] Generating x\nFAILED: x.txt\nfalse\nninja: build stopped: subcommand failed.\n")
        self.assertIn("FAILED: x.txt", output.failure())
        self.assertIn("unknown target", self.read("ninja: error: unknown target 'x'\n").failure())

    def test_steps_are_shown_by_their_files(self) -> None:
        for step, name in (
            ("Building CXX object 03_x/CMakeFiles/x.dir/2_a.cu.o", "03_x/2_a.cu"),
            ("Building CUDA object 03_x/CMakeFiles/x.dir/2_a.cu.o", "03_x/2_a.cu"),
            ("Building CXX object tests/CMakeFiles/t.dir/__/common/check.cpp.o", "common/check.cpp"),
            ("Linking CXX executable 03_x/x", "03_x/x"),
            ("Linking CXX static library libcommon.a", "libcommon.a"),
            ("Generating picture", "Generating picture"),
        ):
            self.assertEqual(build.step_name(step), name)


class OnATerminal(FakeRepository):
    def on_terminal(self, *arguments: str) -> str:
        """Runs lab on a terminal of its own; returns all that was written to it."""
        ours, its = pty.openpty()
        with subprocess.Popen(
            [self.root / "lab", *arguments],
            cwd=self.root,
            env=self.env | {"TERM": "xterm"},
            stdin=its,
            stdout=its,
            stderr=its,
        ):
            os.close(its)
            written = b""
            try:
                while chunk := os.read(ours, 4096):
                    written += chunk
            except OSError:  # the other end is closed
                pass
        os.close(ours)
        return written.decode()

    def test_progress_is_one_line_that_is_overwritten(self) -> None:
        text = self.on_terminal("run", "1")
        self.assertIn("\r[1/1] 01_hello/hello.cu\x1b[K\r\x1b[K", text)
        before, _, after = text.partition("built 1 file in ")
        self.assertNotIn("\n", before, "nothing is left of the progress")
        self.assertIn("hello", after)


if __name__ == "__main__":
    unittest.main()

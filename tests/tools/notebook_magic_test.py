"""%%cuda: cells are compiled by the emulator's nvcc_cpu and run, in an IPython without a notebook."""

import contextlib
import io
import os
import re
import signal
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path
from unittest import mock

from support import ROOT, in_python_of_notebooks

sys.path.insert(0, str(ROOT / "emulator" / "python"))
from cuda_emulator import process  # noqa: E402

in_python_of_notebooks()
try:
    from IPython.core.interactiveshell import InteractiveShell
    from IPython.utils.capture import capture_output
    from traitlets.config import Config
except ImportError:
    InteractiveShell = None

HELLO = '#include <cstdio>\n__global__ void hello() { printf("hi %d\\n", threadIdx.x); }\n'
BEYOND = """\
__global__ void beyond(int* x) {
    x[threadIdx.x] = 1;
}
int main() {
    int* x;
    cudaMalloc(&x, 16);
    beyond<<<1, 5>>>(x);
    cudaDeviceSynchronize();
    cudaFree(x);
}
"""


def interrupt_after(seconds):
    """What the notebook's stop button does."""
    threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT)).start()


class Process(unittest.TestCase):
    def shell(self, script):
        self.said = io.StringIO()
        output = process.Output(self.said.write, "/folder")
        return process.run(["/bin/sh", "-c", script], output, ".", name="cell"), self.said.getvalue()

    def test_output_and_exit_status(self):
        self.assertEqual(self.shell("echo a; echo b >&2; echo /folder/c; echo $0; exit 3"), (3, "a\nb\nc\ncell\n"))
        self.assertEqual(self.shell("kill -SEGV $$")[0], -signal.SIGSEGV)
        self.assertEqual(self.shell("cat; printf 'no newline'"), (0, "no newline"))

    def test_much_output(self):
        status, said = self.shell("head -c 100000000 /dev/zero | tr '\\0' x; echo end")
        self.assertEqual(status, 0)
        self.assertLess(len(said), process.HEAD + process.TAIL + 100)
        self.assertIn("x\n[99,896,004 bytes of output are left out here]\nx", said)
        self.assertTrue(said.endswith("xend\n"))

    def test_a_process_that_is_left_running(self):
        status, said = self.shell("sleep 1000 & echo $!")
        self.assertEqual(status, 0)
        pid, line = said.split("\n\n")
        self.assertEqual(line, "[a process that the program had left running was ended]\n")
        self.ended(int(pid))

    def test_stop_button(self):
        interrupt_after(1)
        with self.assertRaises(KeyboardInterrupt):
            self.shell("sleep 1000 & echo $!; sleep 1000")
        self.ended(int(self.said.getvalue()))

    def ended(self, pid):
        for _ in range(100):
            with contextlib.suppress(FileNotFoundError):
                if Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z":
                    time.sleep(0.05)
                    continue
            return
        self.fail(f"process {pid} is still there")


@unittest.skipUnless(InteractiveShell, "skipped: needs IPython")
class Cells(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        # Nothing of IPython's own is written either.
        cls.enterClassContext(mock.patch.dict(os.environ, {"IPYTHONDIR": cls.enterClassContext(tempfile.TemporaryDirectory())}))
        cls.shell = InteractiveShell.instance(config=Config({"HistoryManager": {"enabled": False}}))
        cls.enterClassContext(contextlib.chdir(cls.enterClassContext(tempfile.TemporaryDirectory())))
        cls.shell.run_cell("%load_ext cuda_emulator")
        cls.shell.run_cell_magic("cuda", "--cpu --run return(0)", " ")  # says where kernels run, once

    def cell(self, line, text, success=True):
        """What the cell prints; of an error only its line."""
        with capture_output() as said:
            result = self.shell.run_cell(f"%%cuda {line}\n{text}")
        self.assertEqual(result.success, success, said.stdout + said.stderr)
        self.assertEqual(os.listdir(), [])
        self.rich = said.outputs
        return re.sub(r"\x1b\[[0-9;]*[mK]", "", said.stderr + said.stdout)

    def test_findings_have_the_lines_of_the_cell(self):
        said = self.cell("--check", BEYOND)
        self.assertIn("0 bytes past the end of x (16 bytes, made at cell:7) at cell:3\n", said)
        self.assertTrue(said.endswith("emulator: checked 1 launch: 1 finding\n"), said)

    def test_counts(self):
        said = self.cell("--count", BEYOND.replace("5>>>", "4>>>"))
        self.assertIn("void beyond(int*) at cell:2\n  1 launch", said)
        self.assertIn("cell:3  x[threadIdx.x] = 1;\n", self.cell("--count lines", BEYOND.replace("5>>>", "4>>>")))

    def test_page(self):
        self.assertIn("emulator: page.html shows 1 launch", self.cell("--watch", BEYOND))
        (page,) = self.rich
        self.assertRegex(page.data["text/html"], r'<iframe [^>]*srcdoc="&lt;!DOCTYPE html&gt;[^"]*"></iframe>$')

    def test_main_is_made_where_asked(self):
        self.assertEqual(self.cell("", HELLO, success=False),
                         '%%cuda: the cell has no main(): write one, or let --run "kernel<<<1, 32>>>()" make it\n')
        self.assertEqual(self.cell('--run "hello<<<1, 2>>>()"', HELLO), "hi 0\nhi 1\n")
        self.assertIn("invalid argument\n%%cuda: the program ended with exit code 1\n",
                      self.cell('--run "hello<<<1, 2000>>>()"', HELLO, success=False))

    def test_cells_share_functions(self):
        self.assertEqual(self.cell("--header hello.h", HELLO), "")
        self.assertEqual(self.cell('--run "hello<<<1, 1>>>()"', '#include "hello.h"\n#include "hello.h"\n'), "hi 0\n")
        said = self.cell('--run "hello<<<1, 1>>>()"', '#include "hello.h"\n' + HELLO, success=False)
        self.assertRegex(said, r"cell:4:17: error: redefinition of ‘void hello\(\)’")
        self.assertRegex(said, r"hello\.h:3:17: note: ‘void hello\(\)’ previously defined here")
        self.assertIn("a name such as helpers.h is needed", self.cell("--header ../a.h", HELLO, success=False))

    def test_errors(self):
        self.assertRegex(self.cell("", '\nint main() { const char* s = "abc; }', success=False),
                         r'^cell:3:30: .*missing terminating " character[^$]*\n%%cuda: the cell does not compile\n$')
        self.assertEqual(self.cell("--chek", "x", success=False), "UsageError: unrecognized arguments: --chek\n")
        self.assertEqual(self.cell('--run "a', "x", success=False), '%%cuda: No closing quotation\n')
        self.assertIn("--sass needs a CUDA toolkit", self.with_path("", "--sass", BEYOND))
        self.assertIn("no C++ compiler found", self.with_path("", "", BEYOND, success=False))
        with mock.patch("cuda_emulator.magic.NVCC_CPU", "-cprint('nvcc_cpu: 1 of 10', flush=True); exit('undefined reference to `main\\'')"):
            self.assertIn("nvcc_cpu: 1 of 10", self.cell("", "x", success=False))

    def with_path(self, path, *arguments, **options):
        with mock.patch.dict(os.environ, {"PATH": path}), mock.patch("cuda_emulator.magic.TOOLKIT", "/nowhere"):
            return self.cell(*arguments, **options)

    def test_exits(self):
        self.assertEqual(self.cell("", "int main() {}"), "(the program printed nothing)\n")
        self.assertEqual(self.cell("", "int main() { return 3; }", success=False), "%%cuda: the program ended with exit code 3\n")
        self.assertEqual(self.cell("", "int main() { __builtin_abort(); }", success=False),
                         "%%cuda: the program was ended by signal 6 (Aborted)\n")

    def test_stop_button(self):
        text = "__global__ void forever() { for (volatile int i = 0;;) i = 1; }"
        interrupt_after(5)
        self.assertEqual(self.cell('--run "forever<<<1, 1>>>()"', text, success=False), "%%cuda: interrupted; the program was ended\n")
        self.assertEqual(self.cell('--options "-DN=2" --arguments "-a \'b c\'"', '#include <cstdio>\nint main(int, char** v) { std::puts(v[N]); }'), "b c\n")

"""What lab says and shows, and that nothing it has started is left when it is interrupted."""

import contextlib
import io
import os
import subprocess
import tempfile
import time
import unittest
import unittest.mock
from pathlib import Path
from typing import Any

from support import ROOT, left_running
from shared import console, processes


class Words(unittest.TestCase):
    def test_a_path_is_short_in_the_checkout_only(self) -> None:
        here = os.path.relpath(ROOT / "build")
        self.assertEqual([console.shown(ROOT / "build"), console.shown("x/y"), console.shown("/x/y")], [here, "x/y", "/x/y"])

    def test_a_long_heading_has_two_lines(self) -> None:
        for words, lines in (("11_x · y", 1), ("11_matrix_multiply · matrix_multiply --repeat 1 --binary --a 64x1024 --b 2x2", 2)):
            with contextlib.redirect_stdout(io.StringIO()) as stdout:
                console.heading(words)
            shown = stdout.getvalue().strip("\n").split("\n")
            self.assertEqual(len(shown), lines)
            self.assertEqual(len(shown[-1]), 80)
            self.assertEqual(" ".join(line.strip("─ ") for line in shown), words)
        with contextlib.redirect_stdout(io.StringIO()) as stdout, unittest.mock.patch.dict(os.environ, {"COLUMNS": "60"}):
            console.heading("11_x · y")
        self.assertEqual(len(stdout.getvalue().strip("\n")), 60)

    def test_a_note_is_broken_on_a_terminal_only(self) -> None:
        note = "lab: " + "several words " * 20
        for terminal, lines in ((False, 1), (True, 4)):
            with contextlib.redirect_stderr(io.StringIO()) as stderr:
                stderr.isatty = lambda terminal=terminal: terminal  # type: ignore[method-assign]
                console.note(note.strip())
            self.assertEqual(stderr.getvalue().count("\n"), lines)

    def test_what_is_no_file_is_not_replaced(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            file, link = Path(folder, "file"), Path(folder, "link")
            link.symlink_to(file)
            for path in (file, link):
                console.write_file(path, f"to {path.name}")
                self.assertEqual(file.read_text(), f"to {path.name}")
            self.assertTrue(link.is_symlink())
            with self.assertRaisesRegex(console.Failure, "file/below cannot be written: (File exists|Not a directory); -o FILE names"):
                console.write_file(file / "below", "", "-o FILE")
            self.assertEqual(len(list(Path(folder).iterdir())), 2)


class Progress(unittest.TestCase):
    def test_without_a_terminal_a_line_now_and_then(self) -> None:
        with contextlib.redirect_stderr(io.StringIO()) as stderr:
            progress = console.Progress()
            progress.show("[1/9] x")
            self.assertEqual(stderr.getvalue(), "")
            with unittest.mock.patch.object(console.Progress, "INTERVAL", 0.01):
                script = "sleep 1.2; echo a; printf b"
                lines: list[str] = []
                processes.stream(["sh", "-c", script], lines.append, on_second=progress.tick)
                progress.clear()
                progress.tick()
        self.assertEqual(lines, ["a", "b"])
        self.assertRegex(stderr.getvalue(), r"^(lab: \[1/9\] x \(\d s\)\n)+$")


class ProgressOnATerminal(unittest.TestCase):
    def test_a_line_that_stays_says_for_how_long(self) -> None:
        stderr = io.StringIO()
        stderr.isatty = lambda: True  # type: ignore[method-assign]
        with contextlib.redirect_stderr(stderr), unittest.mock.patch.dict(os.environ, TERM="xterm", COLUMNS="50"):
            progress = console.Progress()
            progress.show("x" * 99)
            progress.tick()
            self.assertEqual(stderr.getvalue(), f"\r{'x' * 49}\x1b[K", "not yet")
            with unittest.mock.patch.object(console.Progress, "PAUSE", 0.0):
                progress.tick()
                self.assertTrue(stderr.getvalue().endswith(f"\r{'x' * 43} (0 s)\x1b[K"), stderr.getvalue())
                progress.clear()
                before = stderr.getvalue()
                progress.tick()
            self.assertEqual(stderr.getvalue(), before)


class Interruption(unittest.TestCase):
    """Whenever it comes, nothing that lab started is left."""

    def check(self, script: str, interrupted_in: str) -> None:
        """Interrupts call(), in the function that is named, as soon as the script has made the file READY."""
        process: subprocess.Popen[bytes] | None = None
        real_popen = subprocess.Popen

        def popen(*arguments: Any, **options: Any) -> subprocess.Popen[bytes]:
            nonlocal process
            process = real_popen(*arguments, **options)
            while not ready.exists():
                time.sleep(0.01)
            if interrupted_in == "Popen":
                raise KeyboardInterrupt
            return process

        started = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            ready = Path(folder, "ready")
            with (
                unittest.mock.patch("subprocess.Popen", popen),
                unittest.mock.patch("shared.processes._exit_code", side_effect=KeyboardInterrupt),
                self.assertRaises(KeyboardInterrupt),
            ):
                processes.call(["sh", "-c", script.replace("READY", "touch ready")], cwd=Path(folder))
            self.assertEqual(left_running(Path(folder)), [])
        assert process
        self.assertFalse(Path(f"/proc/{process.pid}").exists())
        self.assertEqual(processes._descendants(), [])
        self.assertLess(time.monotonic() - started, 50)  # the program would go on for 60
        process.returncode = 0  # it was collected behind this object's back

    def test_before_popen_has_returned(self) -> None:
        self.check("READY; exec sleep 60", "Popen")

    def test_children_of_children(self) -> None:
        self.check("sleep 60 & READY; wait", "wait")

    def test_what_does_not_listen(self) -> None:
        with unittest.mock.patch.object(processes.end_descendants, "__defaults__", (0.2,)):
            self.check("trap '' INT; READY; sleep 60; sleep 60", "wait")

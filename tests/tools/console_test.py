"""Running other programs, and ending them when lab is interrupted."""

from __future__ import annotations

import contextlib
import io
import subprocess
import tempfile
import time
import unittest
import unittest.mock
from pathlib import Path
from typing import Any

import support  # noqa: F401  (makes tools/ importable)
import console


class Programs(unittest.TestCase):
    def test_exit_codes(self) -> None:
        self.assertEqual(console.call(["sh", "-c", "exit 3"]), 3)
        self.assertEqual(console.call(["sh", "-c", "kill -TERM $$"]), 128 + 15)

    def test_lines_go_to_both(self) -> None:
        lines: list[str] = []
        log = io.StringIO()
        self.assertEqual(console.stream(["sh", "-c", "echo a; echo b >&2; exit 4"], lines.append, log), 4)
        self.assertEqual(lines, ["a", "b"])
        self.assertEqual(log.getvalue(), "a\nb\n")

    def test_what_is_not_there_or_fails_says_nothing(self) -> None:
        self.assertIsNone(console.ask(["/nowhere/program"]))
        self.assertIsNone(console.ask(["false"]))
        self.assertIsNone(console.ask(["sleep", "60"], timeout=0.05))


def working_in(folder: str) -> list[str]:
    """The processes, whoever their parent is by now, whose current folder that is."""
    found = []
    for link in Path("/proc").glob("[0-9]*/cwd"):
        with contextlib.suppress(OSError):  # ended meanwhile, or another user's
            if link.readlink() == Path(folder):
                found.append(link.parent.name)
    return found


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
                unittest.mock.patch("console._exit_code", side_effect=KeyboardInterrupt),
                self.assertRaises(KeyboardInterrupt),
            ):
                console.call(["sh", "-c", script.replace("READY", "touch ready")], cwd=Path(folder))
            self.assertEqual(working_in(folder), [])
        assert process
        self.assertFalse(Path(f"/proc/{process.pid}").exists())
        self.assertEqual(console._descendants(), [])
        self.assertLess(time.monotonic() - started, 30)
        process.returncode = 0  # it was collected behind this object's back

    def test_while_it_runs(self) -> None:
        self.check("READY; exec sleep 60", "wait")

    def test_before_popen_has_returned(self) -> None:
        self.check("READY; exec sleep 60", "Popen")

    def test_children_of_children(self) -> None:
        self.check("sleep 60 & READY; wait", "wait")

    def test_what_does_not_listen(self) -> None:
        with unittest.mock.patch.object(console.end_descendants, "__defaults__", (0.2,)):
            self.check("trap '' INT; READY; sleep 60; sleep 60", "wait")


if __name__ == "__main__":
    unittest.main()

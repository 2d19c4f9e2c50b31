"""Running other programs, and ending them when lab is interrupted."""

from __future__ import annotations

import io
import subprocess
import tempfile
import time
import unittest
import unittest.mock
from pathlib import Path

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


class Interruption(unittest.TestCase):
    """Whenever it comes, nothing that lab started is left."""

    def check(self, script: str, interrupted_in: str) -> float:
        started = time.monotonic()
        processes: list[subprocess.Popen[bytes]] = []
        real = subprocess.Popen

        def popen(*arguments: object, **options: object) -> subprocess.Popen[bytes]:
            process = real(*arguments, **options)  # type: ignore[call-overload]
            processes.append(process)
            assert process.stdout is None or process.stdout.readline()
            while not Path(self.ready).exists():
                time.sleep(0.01)
            if interrupted_in == "Popen":
                raise KeyboardInterrupt
            process.wait = unittest.mock.Mock(side_effect=KeyboardInterrupt)
            return process

        with tempfile.TemporaryDirectory() as folder:
            self.ready = Path(folder, "ready")
            with unittest.mock.patch("subprocess.Popen", popen), self.assertRaises(KeyboardInterrupt):
                console.call(["sh", "-c", script.replace("READY", f"touch {self.ready}")])
        self.assertFalse(Path(f"/proc/{processes[0].pid}").exists())
        self.assertEqual(console._descendants(), [])
        processes[0].returncode = 0  # it was collected behind this object's back
        return time.monotonic() - started

    def test_while_it_runs(self) -> None:
        self.assertLess(self.check("READY; exec sleep 60", "wait"), 30)

    def test_before_popen_has_returned(self) -> None:
        self.assertLess(self.check("READY; exec sleep 60", "Popen"), 30)

    def test_children_of_children(self) -> None:
        self.assertLess(self.check("sleep 60 & READY; wait", "wait"), 30)

    def test_what_does_not_listen(self) -> None:
        with unittest.mock.patch.object(console.end_descendants, "__defaults__", (0.2,)):
            self.check("trap '' INT; READY; sleep 60; sleep 60", "wait")


if __name__ == "__main__":
    unittest.main()

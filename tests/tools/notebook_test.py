"""The notebook for Colab: its cells, executed in order. The chapter's program is a stand-in here and the exercise is compiled
for the emulator; `python3 tests/tools/notebook_test.py --whole` clones this checkout and builds everything."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from collections.abc import Mapping
from pathlib import Path

from support import ROOT
from exercise_test import Exercise

NOTEBOOK = ROOT / "colab.ipynb"


def code_cells() -> list[str]:
    cells = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    return ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]


class Notebook:
    """What a notebook's kernel does with cells of Python, of lines for the shell (!) and of %cd."""

    def __init__(self, folder: Path, env: Mapping[str, str], shows: bool = False) -> None:
        self.folder = folder
        self.env = dict(env)
        self.shows = shows
        self.said = ""  # by the last cell
        self.names: dict[str, object] = {}

    def execute(self, cell: str) -> None:
        """Throws where a line fails."""
        self.said = ""
        if not re.search(r"^[!%]", cell, re.MULTILINE):
            self.python(cell)
            return
        for line in cell.splitlines():
            if line.startswith("%cd "):
                self.folder = self.folder / line.removeprefix("%cd ")
            elif line.startswith("!"):
                self.shell(line[1:].format(**self.names))
            else:
                raise ValueError(f"what is this line for? {line}")

    def shell(self, command: str) -> None:
        result = subprocess.run(
            ["bash", "-c", command], cwd=self.folder, env=self.env, stdin=subprocess.DEVNULL, encoding="utf-8",
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )
        if self.shows:
            print(f"$ {command}\n{result.stdout}", flush=True)
        self.said += result.stdout
        if result.returncode != 0:
            raise AssertionError(f"{command}: exit code {result.returncode}\n{result.stdout}")

    def python(self, cell: str) -> None:
        before = dict(os.environ)
        os.environ.clear()
        os.environ.update(self.env)
        try:
            exec(cell, self.names)
            self.env = dict(os.environ)
        finally:
            os.environ.clear()
            os.environ.update(before)


def execute(notebook: Notebook, repository: Path) -> list[str]:
    """All cells; returns what each printed. As a reader would, this changes the repository's address, and solves the exercise
    before the last cell."""
    said = []
    cells = code_cells()
    for number, cell in enumerate(cells):
        if number == len(cells) - 1:
            mine = notebook.folder / "my/03_1_guard.cu"
            mine.write_text(re.sub(r"^ +(?=c\[i\] = )", "    if (i < n) ", mine.read_text(), flags=re.MULTILINE))
        notebook.execute(cell)
        if number == 0:
            assert "REPOSITORY" in notebook.names
            notebook.names["REPOSITORY"] = f"file://{repository}"
        said.append(notebook.said)
    return said


class Cells(Exercise):
    @unittest.skipUnless(shutil.which("git"), "skipped: there is no git")
    def test_in_order(self) -> None:
        exercise = "03_vector_add/exercises/1_guard"
        shutil.rmtree(self.root / self.folder)
        shutil.copytree(ROOT / exercise, self.root / exercise)
        # The plain build stands in for the checked one. What it cannot count is not asked for.
        task = self.root / exercise / "task.md"
        task.write_text(re.sub(r"^limits:\n(  - .*\n)+", "limits:\n  - blocks <= 2\n", task.read_text(), flags=re.MULTILINE))
        git = ["git", "-C", str(self.root), "-c", "user.name=x", "-c", "user.email=x@example.org"]
        for command in (["init", "--quiet"], ["add", "--all"], ["commit", "--quiet", "--message", "x"]):
            subprocess.run([*git, *command], env=self.env, check=True, capture_output=True)

        said = execute(Notebook(self.temporary, self.env), self.root)
        self.assertIn("**All that is needed is there.**", said[3])
        self.assertIn("adding", said[4])
        self.assertIn("The last block has threads to spare", said[5])
        self.assertIn("3.1 guard · solved", said[6])
        self.assertFalse((self.root / "my").exists(), "the learner's file is in the clone")

    def test_an_old_compiler(self) -> None:
        (cell,) = (cell for cell in code_cells() if "-dumpversion" in cell)
        for version, expected in (("11", "g++-12"), ("12", "x"), ("14.2.0", "x")):
            self.command("g++", f"#!/bin/sh\necho {version}\n")
            notebook = Notebook(self.temporary, self.env | {"CXX": "x"})
            notebook.execute(cell)
            self.assertEqual(notebook.env["CXX"], expected)

    def test_nothing_was_kept_of_a_run(self) -> None:
        for cell in json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]:
            if cell["cell_type"] == "code":
                self.assertEqual((cell["outputs"], cell["execution_count"]), ([], None))


if __name__ == "__main__":
    if sys.argv[1:] == ["--whole"]:
        with tempfile.TemporaryDirectory(prefix="lab-test-") as temporary:
            execute(Notebook(Path(temporary), os.environ, shows=True), ROOT)
    else:
        unittest.main()

"""./lab notebook. What it makes of three chapters is executed whole, on the emulator, where there is nbclient."""

import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from support import ROOT, FakeRepository, in_python_of_notebooks
from exercises import folder
from translating.translation import Translation

in_python_of_notebooks()
try:
    import nbformat
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError
except ImportError:
    NotebookClient = None

LESSON = """\
# Three

[One](../01_hello/README.md#x), [two](https://x.org), `[3](x.md)`, 4<!--=a.copy--> and [`five`](#a).

```sh
./lab run 03 -- --n 2    # two
./lab run 03
```

```sh
./lab run 03 --show
```

## A

<!-- excerpt: 2_add.cu add -->
```cuda
# no [heading](x.md)
```

![A [box]](box.svg)

*Exercise (10 minutes):* `./lab exercise 3.1` is
about it.

## B

End.
"""
PROGRAM = '#include <cstdio>\n#include "add.h"\n\nint main() {}\n'


def lab(*arguments: str | Path) -> None:
    subprocess.run([ROOT / "lab", *arguments], check=True, capture_output=True)


class Made(FakeRepository):
    def setUp(self) -> None:
        super().setUp()
        self.write("03_vector_add/README.md", LESSON)
        self.write("03_vector_add/2_add.cu", PROGRAM)
        self.write("03_vector_add/box.svg", "<svg/>")
        self.write("addresses.toml", 'repository = ""  # what git clone takes\n')
        exercise = "03_vector_add/exercises/1_guard"
        shutil.copytree(ROOT / exercise, self.root / exercise)

    def cells(self, *arguments: str) -> list[tuple[str, str]]:
        self.result = self.runs("notebook", "3", "--output", "x.ipynb", *arguments)
        made = json.loads((self.root / "x.ipynb").read_text(encoding="utf-8"))
        return [(cell["cell_type"], "".join(cell["source"])) for cell in made["cells"]]

    def test_cells(self) -> None:
        cells = self.cells()
        self.assertEqual([kind[0] for kind, _ in cells], [*"mcmcmmmmmcmcm"])
        texts = [text for _, text in cells]
        self.assertTrue(texts[1].startswith('REPOSITORY = ""'))
        self.assertEqual(texts[2], "# Three\n\nOne, [two](https://x.org), `[3](x.md)`, 4 and `five`.")
        self.assertEqual(texts[3], "!./lab run 03 -- --n 2    # two\n!./lab run 03")
        self.assertEqual(texts[4], "```sh\n./lab run 03 --show\n```")
        self.assertEqual(texts[5], "## A\n\n```cpp\n# no [heading](x.md)\n```")
        self.assertEqual(texts[6], '<img alt="A [box]" src="data:image/svg+xml;base64,PHN2Zy8+">')
        self.assertTrue(texts[7].startswith("*Exercise"))
        self.assertRegex(texts[8], r"^### 3\.1 · (.|\n)*<summary>Hint 1</summary>")
        self.assertTrue(texts[9].startswith("%%script --no-raise-error ./lab exercise 3.1 --stdin\n"))
        self.assertEqual(texts[10], "All of `2_add.cu`, to run and to change:")
        self.assertEqual(texts[11].partition("int main")[0], '%%cuda --options "-std=c++20"\n#include <cstdio>\n#include "03_vector_add/add.h"\n\n')
        self.assertEqual(texts[12], "## B\n\nEnd.")
        self.assertIn("outside of this folder it asks where the course is cloned from", self.result.stderr)

    def test_address(self) -> None:
        cells = self.cells("--repository", "https://x.org/a/b.git")
        self.assertIn('repository = "https://x.org/a/b.git"  # what', (self.root / "addresses.toml").read_text())
        self.assertIn("./lab docs puts it into README.md", self.result.stdout)
        self.assertIn('REPOSITORY = "https://x.org/a/b.git"', cells[1][1])
        there = "https://x.org/a/b/blob/HEAD"
        self.assertIn(f"[One]({there}/01_hello/README.md#x), [two](https://x.org)", cells[2][1])
        self.assertIn(f"[`five`]({there}/03_vector_add/README.md#a)", cells[2][1])
        self.assertEqual((self.cells(), self.result.stderr), (cells, ""))

    def test_bad_input(self) -> None:
        self.write("x.ipynb", "mine")
        for arguments, code, says in (
            (["3", "--output", "x.ipynb"], 2, "x.ipynb is there, perhaps with your changes"),
            (["7"], 2, "there is no chapter '7'"),
            (["3", "--repository", 'a"b'], 2, "'a\"b' is nothing that git clone takes"),
            (["3", "--output", "/dev/null/x"], 1, "cannot be written"),
        ):
            self.refused(code, says, "notebook", *arguments)


@unittest.skipUnless(NotebookClient, "skipped: needs nbclient")
class Executed(unittest.TestCase):
    def setUp(self) -> None:
        os.environ["IPYTHONDIR"] = self.enterContext(tempfile.TemporaryDirectory())
        self.said: dict[str, str] = {}

    def execute(self, notebook: object, folder: Path, **env: str) -> None:
        def says(output: dict[str, object]) -> str:
            return str(output.get("text") or "".join(output.get("traceback", [])) or output.get("data"))

        client = NotebookClient(notebook, timeout=1500, resources={"metadata": {"path": str(folder)}})
        try:
            client.execute(env=os.environ | env)
        finally:
            for cell in notebook.cells:
                self.said[cell.source] = "".join(map(says, cell.get("outputs", []))).replace("\r\n", "\n")

    def whole(self, number: int, language: str) -> None:
        """Each program is right, and each exercise gets its verdict, where nobody else's answers are in my/."""
        (ROOT / "build").mkdir(exist_ok=True)
        made = Path(self.enterContext(tempfile.TemporaryDirectory(dir=ROOT / "build")), "x.ipynb")
        lab("notebook", str(number), "--output", made, "--language", language)
        notebook = nbformat.read(made, as_version=4)
        mine = ROOT / "my"
        if mine.exists():
            notebook.cells = [cell for cell in notebook.cells if not cell.source.startswith("%%script")]
        else:
            self.addCleanup(shutil.rmtree, mine, ignore_errors=True)
        exercises = {exercise.number: exercise for exercise in folder.discover(ROOT, Translation(ROOT, language))}
        for cell in notebook.cells:
            cell.source = cell.source.replace(exercises["1.1"].starter.strip(), exercises["1.1"].solution)
        self.execute(notebook, made.parent)
        for cell in notebook.cells:
            said = self.said[cell.source]
            if task := re.match(r"%%script .* exercise (\S+)", cell.source):
                expected = exercises[task[1]].translation.phrase("solved") if task[1] == "1.1" else ""
                self.assertRegex(said, rf"(?m)^{exercises[task[1]]} · {expected}")
            elif cell.source.startswith("%%cuda"):  # a wrong result would end it
                self.assertRegex(said, r"\w+", cell.source)
            elif cell.source.startswith("!"):
                self.assertIn("设备：" if language == "zh" else "Device: ", said)

    def test_01(self) -> None:
        self.whole(1, "en")

    def test_01_in_chinese(self) -> None:
        self.whole(1, "zh")

    def test_05(self) -> None:
        self.whole(5, "en")

    def test_13(self) -> None:
        self.whole(13, "en")

    @unittest.skipUnless(shutil.which("git"), "skipped: there is no git")
    def test_set_up_elsewhere(self) -> None:
        """The address is asked for, the course is cloned, and an old compiler is not taken."""
        temporary = Path(self.enterContext(tempfile.TemporaryDirectory()))
        course, here = temporary / "course", temporary / "a b"
        here.mkdir()
        shutil.copytree(ROOT / "emulator" / "python", course / "emulator" / "python")
        for name, text in (("course/lab", "echo lab $*, $CXX"), ("course/emulator/nvcc_cpu", ""), ("g++", "echo 11")):
            (temporary / name).write_text(f"#!/bin/sh\n{text}\n")
            (temporary / name).chmod(0o755)
        git = ["git", "-C", str(course), "-c", "user.name=x", "-c", "user.email=x@example.org"]
        for command in (["init", "--quiet"], ["add", "--all"], ["commit", "--quiet", "--message", "x"]):
            subprocess.run([*git, *command], check=True, capture_output=True)
        set_up = json.loads((ROOT / "colab.ipynb").read_text(encoding="utf-8"))["cells"][1]
        set_up = re.sub('(?<=REPOSITORY = ")[^"]*', "", "".join(set_up["source"]))
        path = f"{temporary}:{os.environ['PATH']}"
        new = nbformat.v4
        with self.assertRaisesRegex(CellExecutionError, "The first line needs what `git clone` takes"):
            self.execute(new.new_notebook(cells=[new.new_code_cell(set_up)]), here, PATH=path)
        set_up = set_up.replace('""', f'"file://{course}"', 1)
        self.execute(new.new_notebook(cells=[new.new_code_cell(set_up), new.new_code_cell("!pwd")]), here, PATH=path)
        self.assertIn("lab doctor --install, g++-12", self.said[set_up])
        self.assertEqual(self.said["!pwd"], f"{here}/cuda_chapters\n")

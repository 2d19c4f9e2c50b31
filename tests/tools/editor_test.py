"""What .vscode/ offers in an editor: each task and each program of the debugger is there, and gdb stops in a kernel."""

import json
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path
from typing import Any

from support import ROOT
import lab
from building import dependencies
from building.dependencies import NeededBy
from exercises import folder
from shared import chapters

STAGE = {"fileDirnameBasename": "03_vector_add", "fileBasenameNoExtension": "3_blocks_and_threads"}
EXERCISE = {"relativeFile": "my/03_1_guard.cu"}
PROGRAM = """\
__global__ void twice(float* a, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] = 2 * a[i];
}
int main() {
    float* a = nullptr;
    cudaMallocManaged(&a, 100 * sizeof *a);
    a[70] = 21;
    twice<<<4, 32>>>(a, 100);
    return cudaDeviceSynchronize();
}
"""


def read(name: str) -> Any:
    return json.loads((ROOT / ".vscode" / name).read_text(encoding="utf-8"))


def filled(text: str, values: dict[str, str]) -> str:
    """The text as the editor fills it in."""
    return re.sub(r"\$\{(\w+)\}", lambda match: values.get(match[1], match[0]), text)


class Editor(unittest.TestCase):
    def setUp(self) -> None:
        self.tasks = {task["label"]: task for task in read("tasks.json")["tasks"]}
        self.launch = read("launch.json")

    def test_tasks_are_commands_of_lab(self) -> None:
        parsers = lab.parsers()
        for label, task in self.tasks.items():
            if task["command"] != "./lab":
                continue
            words = [filled(word, {**STAGE, **EXERCISE}) for word in task["args"]]
            options = parsers[words[0]].parse(words[1:])
            self.assertNotIn("$", " ".join(words), label)
            if label.startswith("exercise"):
                self.assertEqual(folder.find(folder.discover(ROOT), words[1]).number, "3.1")
            else:
                self.assertEqual(chapters.choose(ROOT, [words[1]]), ["03_vector_add"])
                self.assertIn(getattr(options, "stage", None), (None, "3_blocks_and_threads"))
        used = {task["args"][0] for task in self.tasks.values() if task["command"] == "./lab"}
        self.assertEqual(used, {"run", "test", "check", "count", "watch", "exercise"})

    def test_errors_are_links(self) -> None:
        pattern = read("tasks.json")["problemMatcher"]["pattern"]
        match = re.fullmatch(pattern["regexp"], "a folder/3_x.cu:3:7: fatal error: x: not found")
        assert match
        found = [match[pattern[what]] for what in ("file", "line", "column", "severity", "message")]
        self.assertEqual(found, ["a folder/3_x.cu", "3", "7", "error", "x: not found"])

    def test_the_debugger_knows_all_programs(self) -> None:
        (programs,) = (one["options"] for one in self.launch["inputs"])
        self.assertEqual(programs, list(dict.fromkeys(programs)))
        expected = []
        for chapter in chapters.discover(ROOT):
            text = (ROOT / chapter / "CMakeLists.txt").read_text(encoding="utf-8")
            match = re.search(r"set\(programs ([^)]*)\)", text) or re.search(r"PROGRAMS ([^$\n)]*?)(?: [A-Z]+ .*)?\n", text)
            assert match, chapter
            expected += [f"{chapter}/{program}" for program in match[1].split()]
        self.assertEqual(sorted(programs), sorted(expected))

    def test_configurations(self) -> None:
        presets = json.loads((ROOT / "CMakePresets.json").read_text(encoding="utf-8"))
        self.assertIn("debug", [preset["name"] for preset in presets["buildPresets"]])
        for configuration in self.launch["configurations"]:
            self.assertIn(configuration["preLaunchTask"], self.tasks)
            self.assertIn({"text": "handle SIGSEGV nostop noprint pass"}, configuration["setupCommands"])
        self.assertEqual(read("settings.json")["C_Cpp.intelliSenseEngine"], "disabled", "clangd has that job")
        self.assertTrue(all("." in name for name in read("extensions.json")["recommendations"]))

    @unittest.skipUnless(shutil.which("gdb"), "skipped: there is no gdb")
    @unittest.skipIf(dependencies.missing({NeededBy.EMULATOR}), "skipped: the emulator's libraries are missing")
    def test_gdb_stops_in_a_kernel(self) -> None:
        (configuration,) = (one for one in self.launch["configurations"] if one["program"].endswith("/${fileBasenameNoExtension}"))
        build = self.tasks[configuration["preLaunchTask"]]["command"].replace("emulator/", f"'{ROOT}'/emulator/")
        with tempfile.TemporaryDirectory(suffix=" with blanks") as place:
            Path(place, "mine.cu").write_text(PROGRAM)
            values = {"fileBasenameNoExtension": "mine", "relativeFile": "mine.cu", "workspaceFolder": place}
            subprocess.run(["sh", "-c", filled(build, values)], cwd=place, check=True, capture_output=True)
            commands = [one["text"] for one in configuration["setupCommands"] if not one["text"].startswith("-")]
            commands += ["break mine.cu:3 if blockIdx.x == 2 && threadIdx.x == 6", "run", "print i", "next", "print a[70]"]
            gdb = ["gdb", "-nx", "-q", "-batch", *(word for command in commands for word in ("-ex", command))]
            said = subprocess.run(
                [*gdb, filled(configuration["program"], values)], cwd=place, capture_output=True, encoding="utf-8", check=False
            )
        if "ptrace" in said.stderr.lower():
            self.skipTest("skipped: gdb may not trace a process here")
        self.assertRegex(said.stdout, r"(?s)mine\.cu:3\n.*\$1 = 70\n.*\$2 = 42\n", said.stderr)


if __name__ == "__main__":
    unittest.main()

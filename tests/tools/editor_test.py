"""What .vscode/ offers in an editor: each task and each program of the debugger is there, and gdb stops in a kernel. And its
clangd reads .cu files with the options in .clangd: a chapter's kernel has no error, and a mistake has one."""

import json
import os
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
CLANG = os.environ["CXX"] if "clang" in os.environ.get("CXX", "") else "clang++"
# Copies to shared memory, matrices, a barrier of the grid, atomics with an order, assert and printf.
KERNELS = ("11_matrix_multiply/9_pipelined", "15_attention/4_wmma", "14_stencil/7_one_launch", "08_atomic_sum/atomics_tour")


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


@unittest.skipUnless(shutil.which(CLANG), "skipped: there is no clang++")
class Clangd(unittest.TestCase):
    def errors(self, mistake: str) -> list[str]:
        added = re.search(r"PathMatch: .*cu.*\nCompileFlags:\n  Add: \[(.*)\]", (ROOT / ".clangd").read_text())
        assert added
        source = "".join(f'#include "{name}.cu"\n' for name in KERNELS) + f"__global__ void more(int* x) {{ {mistake} }}\n"
        command = [CLANG, "-std=c++20", f"-I{ROOT}/emulator/include", f"-I{ROOT}", *added[1].split(", "), "-fsyntax-only", "-"]
        result = subprocess.run(command, input=source, capture_output=True, encoding="utf-8", check=False)
        self.assertEqual(result.returncode == 0, "error: " not in result.stderr, result.stderr)
        return re.findall(r"error: (.*)", result.stderr)

    def test_what_is_right(self) -> None:
        self.assertEqual(self.errors(""), [])

    def test_what_is_wrong(self) -> None:
        self.assertRegex("".join(self.errors("more<<<1>>>(x);")), "at least 2|too few")
        self.assertRegex("".join(self.errors("undeclared(x);")), "undeclared")

"""./lab export: each stage that launches a kernel, as one file, compiles in C++17 and gives what the CPU gives."""

import os
import re
import subprocess
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from support import ROOT, FakeRepository
from building import backend
from exporting import slices, stage

# What nearly all files include. To read it again for each would be half of the time that compiling takes.
OF_MAIN = slices.read(stage.HERE / "before_main.cu", ROOT).system
PRECOMPILED = "".join(f"#include <{name}>\n" for name in ("cuda_runtime.h", *OF_MAIN, "stdexcept", "type_traits"))


class Slices(FakeRepository):
    def parts(self, header: str, source: str, also: str = "") -> list[str]:
        self.write("a/problem.h", header)
        path = self.write("a/1_stage.cu", f'#include "problem.h"\n{source}')
        read = slices.read(path, self.root)
        chosen = slices.used(read, slices.headers_of(read, self.root), also)
        return [part.name for _, parts in chosen for part in parts]

    def test_only_what_is_used_directly_or_not(self) -> None:
        header = "struct A { int x; };\nstruct B { A a; };\nstruct C {};\ninline constexpr int n{3}, m = 2;\n#define TWICE(x) (2 * (x))\n"
        self.assertEqual(self.parts(header, "B b;\n"), ["A", "B"])
        self.assertEqual(self.parts(header, "// C\nint i = TWICE(1);\n"), ["TWICE"])
        self.assertEqual(self.parts(header, "", "C c;"), ["C"])

    def test_members_come_with_their_class(self) -> None:
        header = "using Launch = void();\nLaunch one, two;\nstruct T { void f(); };\nvoid T::f() {}\n"
        self.assertEqual(self.parts(header, "T t;\n"), ["T", "T::f"])


class Command(unittest.TestCase):
    def lab(self, *words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([ROOT / "lab", "export", *words], capture_output=True, text=True, check=False)

    def test_where_it_goes(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            result = self.lab("dot_product", "warp_shuffle", "--build", folder)
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            written = Path(folder, "export/05_4_warp_shuffle.cu").read_text()
            self.assertEqual(self.lab("5", "4", "-o", "-").stdout, written)
            path = Path(folder, "my own.cu")
            self.assertIn(f"emulator/nvcc_cpu -run '{path}' runs it", self.lab("5", "4", "-o", str(path)).stdout)
            self.assertEqual(path.read_text(), written)
            path.write_text("of mine\n")
            result = self.lab("5", "4", "-o", str(path))
            self.assertEqual(result.returncode, 2)
            self.assertIn("is there already", result.stderr)
            self.assertEqual(path.read_text(), "of mine\n")

    def test_what_cannot_be_exported(self) -> None:
        for words, says in (
            (("5", "1"), "lab: 1_cpu of 05_dot_product runs on the host"),
            (("5", "99"), "lab: there is no stage 99 in 05_dot_product"),
            (("01", "1"), "lab: 1_add is a program, or a part of one, and no stage that can be taken out of it; 01_basics/README.md"),
            (("99", "1"), "lab: there is no chapter '99'"),
            (("5", "4", "-o", "/"), "lab: / is a folder"),
        ):
            with self.subTest(words=words):
                result = self.lab(*words)
                self.assertEqual(result.returncode, 2)
                self.assertTrue(result.stderr.startswith(says), result.stderr)
                self.assertEqual(result.stderr.count("\n"), 1)


class EveryStage(unittest.TestCase):
    def test_it_compiles_and_agrees_with_the_cpu(self) -> None:
        """On the GPU where there is one, else on the emulator."""
        nvcc = backend.find_nvcc() if backend.has_gpu() else None
        stages = list(stage.all_stages(ROOT))
        if nvcc:
            stages = [one for one in stages if not one.for_sm_90a or backend.compute_capability() == (9, 0)]
            stages = [one for one in stages if not one.name.endswith("_nccl") or Path("/usr/include/nccl.h").exists()]
        with tempfile.TemporaryDirectory() as name, ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
            folder = Path(name)
            (folder / "precompiled.h").write_text(PRECOMPILED)
            first = self.tried(stages[0], folder, nvcc)  # makes the emulator's library and the precompiled header
            wrong = [first, *pool.map(lambda one: self.tried(one, folder, nvcc), stages[1:])]
            self.assertEqual("\n".join(text for text in wrong if text), "")

    def tried(self, one: stage.Stage, folder: Path, nvcc: str | None) -> str:
        """What is wrong with a stage's file, compiled by nvcc or for the emulator and run; '' if nothing is."""
        own = folder / f"{one.chapter}_{re.sub(r'[^a-z0-9]', '_', one.name)}"
        source = own.with_suffix(".cu")
        source.write_text(stage.exported(ROOT, one))
        as_told = source.read_text().splitlines()[1].partition(" FILE.cu")[0].split()[2:]
        command = [nvcc, *as_told] if nvcc else [str(ROOT / "emulator/nvcc_cpu"), "-O1", "-std=c++17"]
        environment = os.environ | {"EMULATOR_PRECOMPILED": str(folder / "precompiled.h"), "EMULATOR_POISON": "1"}
        for words in ([*command, "-o", str(own), str(source)], [str(own)]):
            done = subprocess.run(words, capture_output=True, text=True, env=environment, check=False)
            said = done.stderr if "compiling the emulator" not in done.stderr else ""
            if done.returncode or said:
                return f"{one.chapter}/{one.name}: {Path(words[0]).name} exit code {done.returncode}\n{done.stdout}{done.stderr}"
        own.unlink()
        return "" if done.stdout.startswith(f"{one.name}: ") else f"{one.chapter}/{one.name} printed {done.stdout!r}"

"""Which toolkit lab takes, which GPU and driver suit it, and what is said where they do not."""

import os
import subprocess
from unittest import mock

from support import COMPILER, EVERYTHING, ROOT, FakeRepository, compiler
from building import backend
from shared.console import Failure

RECORD = 'file(WRITE "${CMAKE_BINARY_DIR}/compilers" "$ENV{CUDACXX} $ENV{CUDAHOSTCXX}")\n'


class Fakes(FakeRepository):
    def setUp(self) -> None:
        super().setUp()
        self.env["CUDACXX"] = str(self.bin / "nvcc")  # and no other: there may be a real one
        self.nvcc("12.4")
        self.gpu()

    def gxx(self, version: int, most: int) -> None:
        """The default g++, and the newest one that nvcc's header accepts."""
        self.command("g++", compiler(EVERYTHING).replace("echo 12 ;;", f"echo {version} ;;"))
        header = self.temporary / "include/crt/host_config.h"
        header.parent.mkdir(parents=True, exist_ok=True)
        header.write_text(f"#if __GNUC__ > {most}\n#error -- gcc versions later than {most} are not supported!\n#endif\n")

    def choose(self, forced: str | None = "cuda") -> backend.Backend:
        with mock.patch.dict(os.environ, self.env, clear=True):
            return backend.choose(forced)


class Suitable(Fakes):
    def test_pairs_that_work(self) -> None:
        for version, capability, cuda in (
            ("12.0", "6.0", "12.0"),
            ("12.4", "7.0", "12.2"),  # a driver runs all of CUDA 12
            ("12.9", "12.0", "13.1"),
            ("13.0", "7.5", "13.0"),
            ("13.0", "[Not Supported]", "?"),  # a driver that does not tell
        ):
            with self.subTest(version=version, capability=capability, cuda=cuda):
                path = self.nvcc(version)
                self.gpu(capability, cuda)
                self.assertEqual(self.choose(), backend.Backend("cuda", path))
                self.assertEqual(self.choose(None), backend.Backend("cuda", path))

    def test_pairs_that_do_not(self) -> None:
        for version, capability, cuda, said in (
            ("11.8", "8.0", "13.0", "is CUDA 11.8, which is too old: install CUDA 12 or 13"),
            ("12.4", "5.2", "12.4", "the GPU has compute capability 5.2, and the chapters need 6.0"),
            ("13.0", "7.0", "13.0", "is CUDA 13.0, which is too new for a GPU of compute capability 7.0: install CUDA 12"),
            ("13.0", "9.0", "12.8", "and the driver runs CUDA 12.8 at most: update the driver to 580 or newer, or install CUDA 12"),
            ("13.0", "9.0", "11.8", "and the driver runs CUDA 11.8 at most: update the driver to 580 or newer(?!, or)"),
            ("?", "9.0", "13.0", "does not tell its version"),
        ):
            with self.subTest(version=version, capability=capability, cuda=cuda):
                self.nvcc(version)
                self.gpu(capability, cuda)
                with self.assertRaisesRegex(Failure, f"^--cuda: .*{said}") as raised:
                    self.choose()
                self.assertNotIn("\n", str(raised.exception))
                self.assertEqual(raised.exception.code, 3)
                with mock.patch("shared.console.note") as note:
                    self.assertEqual(self.choose(None), backend.Backend("cpu"))
                self.assertRegex(note.call_args[0][0], f"^lab: this runs on the emulator: .*{said}")

    def test_what_is_missing_is_named(self) -> None:
        for name, gpu, said in (
            ("nvcc", "exit 9", "no working NVIDIA GPU"),
            ("nvcc", "echo No devices were found", "no working NVIDIA GPU"),
            ("none", None, "no nvcc"),
        ):
            self.gpu()
            if gpu:
                self.command("nvidia-smi", f"#!/bin/sh\n{gpu}\n")
            self.env["CUDACXX"] = str(self.bin / name)
            with self.assertRaisesRegex(Failure, said):
                self.choose()

    def test_a_gpu_that_is_hidden_or_not_asked_for(self) -> None:
        self.assertEqual(self.choose("cpu").preset, "cpu")
        self.env["CUDA_VISIBLE_DEVICES"] = ""
        self.assertEqual(self.choose(None).preset, "cpu")

    def test_without_a_gpu_no_toolkit_is_offered(self) -> None:
        self.command("nvidia-smi", "#!/bin/sh\nexit 9\n")
        self.env["CUDACXX"] = "/nowhere/nvcc"
        for arguments in (["run", "--cuda"], ["test", "--preset", "cuda"], ["run", "--cuda", "--install-cuda"]):
            self.assertNotIn("--install-cuda", self.refused(3, "no working NVIDIA GPU", *arguments))

    def test_a_path_that_a_shell_would_misread(self) -> None:
        self.gpu()
        for name in ("$(touch HERE)", "`touch HERE`"):
            self.nvcc("13.0", name)
            self.env["CUDACXX"] = str(self.temporary / name / "nvcc")
            with self.assertRaisesRegex(Failure, "would misread the [$`] in .*: rename the folder"):
                self.choose()
        self.assertFalse(list(self.temporary.rglob("HERE")))

    def test_the_download_is_named_where_it_would_do(self) -> None:
        old = self.nvcc("11.8")
        for cuda, asked, named in (("13.0", "", 1), ("12.4", "", 0), ("13.0", old, 0)):
            self.gpu("9.0", cuda)
            self.env["CUDACXX"] = asked
            with mock.patch.object(backend, "nvccs", return_value=[old]), self.assertRaises(Failure) as raised:
                self.choose()
            self.assertEqual(str(raised.exception).count("; --install-cuda downloads"), named)

    def test_the_oldest_of_several_gpus_counts(self) -> None:
        self.nvcc("13.0")
        self.gpu("9.0\n6.1", "13.0")
        with self.assertRaisesRegex(Failure, "too new for a GPU of compute capability 6.1"):
            self.choose()

    def test_a_toolkit_that_suits_is_preferred(self) -> None:
        self.gpu("7.0", "12.4")
        self.nvcc("11.8")
        del self.env["CUDACXX"]
        other = self.nvcc("12.4", "toolkit/bin")
        self.env["CUDA_HOME"] = str(self.temporary / "toolkit")
        self.assertEqual(self.choose().nvcc, other)
        self.nvcc("12.0")
        self.assertEqual(self.choose().nvcc, str(self.bin / "nvcc"))

    def test_lab_falls_back_in_one_line(self) -> None:
        self.nvcc("11.8")
        result = self.runs("run", "1")
        self.assertIn("lab: this runs on the emulator: ", result.stderr)
        self.assertTrue((self.root / "build/cpu").exists())
        self.refused(3, "lab: ", "run", "1", "--cuda")


class InCMake(Fakes):
    """What common/toolkit.cmake makes of the same, for who builds without lab."""

    def says(self, *options: str) -> str:
        script = self.write("says.cmake", f"""
            cmake_minimum_required(VERSION 3.24)
            include("{ROOT}/common/toolkit.cmake")
            obstacle_to_cuda(obstacle)
            architectures_to_compile_for(architectures)
            message("${{architectures}}, ${{obstacle}}")
        """)
        done = subprocess.run(["cmake", *options, "-P", script], env=self.env, capture_output=True, encoding="utf-8")
        return done.stderr.strip()

    def test_what_is_compiled_for(self) -> None:
        none, old = "no GPU answers; -DBACKEND=cuda compiles for GPUs all the same", "sm_52 is too old: these chapters need sm_60 or newer"
        for version, known, oldest in ((12, "50 60 70 75", "60;70"), (13, "75", "75")):
            known = "".join(f"compute_{number} " for number in f"{known} 80 86 90 100 110 103 120".split())
            self.command("nvcc", f"#!/bin/sh\n[ $1 = --version ] && echo release {version}.0, && exit\necho {known}\n")
            every = f"{oldest};80;90;100;110;120"
            for gpu, option, expected in (
                ("", "", f"{every}, {none}"),
                ("", "BACKEND=cuda", f"{every},"),
                ("", "CMAKE_CUDA_ARCHITECTURES=90", "90,"),
                ("", "CMAKE_CUDA_ARCHITECTURES=52", f"52, {old}"),
                ("9.0", "", "native,"),
                ("5.2", "", f"native, {old}"),
            ):
                with self.subTest(version=version, gpu=gpu, option=option):
                    self.gpu(gpu, "13.0")
                    self.assertEqual(self.says(f"-D{option or 'X=0'}"), expected)
        self.env["CUDA_VISIBLE_DEVICES"] = ""
        self.assertEqual(self.says(), f"{every}, {none}")


class HostCompiler(Fakes):
    def test_an_older_one_is_taken(self) -> None:
        self.write("CMakeLists.txt", (self.root / "CMakeLists.txt").read_text() + RECORD)
        self.gxx(14, most=13)
        self.command("g++-13", COMPILER)
        result = self.runs("run", "1")
        self.assertIn(f"lab: CUDA 12.4 ({self.bin}/nvcc) with g++-13\n", result.stderr)
        self.assertEqual((self.root / "build/cuda/compilers").read_text(), f"{self.bin}/nvcc g++-13")

    def test_none_is_needed(self) -> None:
        self.gxx(13, most=13)
        self.assertEqual(self.choose().host_compiler, None)
        self.gxx(14, most=13)
        self.env["CUDAHOSTCXX"] = "g++-12"
        self.assertEqual(self.choose().host_compiler, None)

    def test_none_is_there(self) -> None:
        self.env["PATH"] = str(self.bin)
        self.gxx(14, most=13)
        with self.assertRaisesRegex(Failure, r"accepts no g\+\+ newer than 13, and this one is 14: install g\+\+-13; --cpu runs"):
            self.choose()

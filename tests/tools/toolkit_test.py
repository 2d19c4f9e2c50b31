"""The CUDA toolkit that --install-cuda downloads: with a pip that makes small packages itself."""

import os
import subprocess
import sys
from argparse import Namespace
from pathlib import Path
from unittest import mock

from support import FakeRepository
from building import backend, cccl, setup, toolkit
from building.prepare import prepare
from shared import console
from shared.console import Failure

# Downloads as pip does; or what $FAIL_AT names fails, and $HOW says how.
PIP = """\
import os, pathlib, signal, sys, zipfile
if sys.argv[1] == "--version":
    print("pip 1")
    sys.exit()
HEADER = "include/cccl/thrust/version.h"
given = dict(zip(sys.argv[2:], sys.argv[3:]))
name, _, version = pathlib.Path(given["--requirement"]).read_text().split(" ")[0].partition("==")
assert "--require-hashes" in sys.argv
if name == os.environ.get("FAIL_AT"):
    if os.environ["HOW"] == "kill":
        os.kill(os.getppid(), signal.SIGKILL)
    print(os.environ["HOW"])
    sys.exit(1)
wheel = pathlib.Path(given["--dest"], f"{name.replace('-', '_')}-{version}-py3-none-any.whl")
wheel.parent.mkdir(exist_ok=True)
with open(os.environ["HOME"] + "/downloaded", "a") as file:
    file.write("" if wheel.exists() else name + "\\n")
files = {"nvidia-cuda-nvcc": "bin/nvcc", "nvidia-cublas": "lib/libcublas.so.13", "nvidia-cuda-cccl": HEADER}
with zipfile.ZipFile(wheel, "w") as archive:
    member = zipfile.ZipInfo("nvidia/cu13/" + files.get(name, "include/" + name + ".h"))
    member.external_attr = 0o755 << 16
    text = "#!/bin/sh\\necho 'Cuda compilation tools, release 13.2, V13.2.78'\\n"
    archive.writestr(member, text)
    record = f"{name}-{version}.dist-info/RECORD"
    archive.writestr(record, f"{member.filename},sha256=x,{len(text)}\\n{record},,\\n")
"""
NUMBER = 9  # of the packages


class Toolkit(FakeRepository):
    def setUp(self) -> None:
        super().setUp()
        package = self.temporary / "python/pip"
        package.mkdir(parents=True)
        (package / "__init__.py").touch()
        (package / "__main__.py").write_text(PIP)
        self.env["PYTHONPATH"] = str(package.parent)
        self.enterContext(mock.patch.dict(os.environ, self.env, clear=True))

    def install(self, **environment: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, self.root / "tools/install_toolkit.py"]
        return subprocess.run(command, env={**self.env, **environment}, capture_output=True, text=True)

    def downloaded(self) -> list[str]:
        log = self.temporary / "downloaded"
        return log.read_text().split() if log.exists() else []

    def suits(self, nvccs: list[str], **environment: str) -> None:
        """Calls what --install-cuda calls, where these compilers are installed."""
        with mock.patch.dict(os.environ, environment), mock.patch.object(backend, "nvccs", return_value=nvccs):
            setup.install_cuda(may_install=True)


class Installing(Toolkit):
    def test_it_is_complete_and_told_under_which_licence(self) -> None:
        result = self.install()
        self.assertEqual(result.returncode, 0, result.stderr)
        nvcc = Path(result.stdout.strip())
        self.assertTrue(nvcc.is_relative_to(self.temporary / ".cache/cuda_chapters"))
        self.assertTrue(os.access(nvcc, os.X_OK))
        self.assertTrue((nvcc.parents[1] / "lib/libcublas.so").samefile(nvcc.parents[1] / "lib/libcublas.so.13"))
        self.assertIn("End User License Agreement", result.stderr)
        self.assertEqual(os.listdir(self.temporary / ".cache/cuda_chapters"), [nvcc.parents[3].name])
        self.assertEqual(backend.cuda_version(str(nvcc)), toolkit.VERSION)
        self.assertIn(str(nvcc), backend.nvccs())
        again = self.install(FAIL_AT="nvidia-nvvm", HOW="asked again")
        self.assertEqual((again.stdout, again.stderr), (result.stdout, ""))

    def test_a_damaged_one_is_none_and_is_made_anew(self) -> None:
        nvcc = Path(self.install().stdout.strip())
        for damage in (nvcc.unlink, (nvcc.parents[1] / "include/nvidia-nvvm.h").unlink, lambda: nvcc.write_text("#!/bin/sh\n")):
            damage()
            self.assertIsNone(toolkit.nvcc())
            again = self.install()
            self.assertEqual((again.returncode, again.stdout.strip()), (0, str(nvcc)))
            self.assertIn("once more", again.stderr)
            self.assertEqual(toolkit.nvcc(), str(nvcc))

    def test_another_cache(self) -> None:
        elsewhere = self.temporary / "elsewhere"
        self.assertTrue(self.install(XDG_CACHE_HOME=str(elsewhere)).stdout.startswith(str(elsewhere)))
        self.assertTrue(self.install(XDG_CACHE_HOME="relative").stdout.startswith(str(self.temporary / ".cache")))

    def test_what_fails_is_one_line_and_the_next_call_goes_on(self) -> None:
        for how, said in (
            ("WARNING: Retrying (Retry(total=1)) after connection broken by 'x'", "pip does not reach its package index"),
            ("ERROR: Could not install: [Errno 28] No space left on device", "no space is left on the disk"),
            ("ERROR: No matching distribution found for x", f"no such package for this machine ({os.uname().machine})"),
            ("ERROR: THESE PACKAGES DO NOT MATCH THE HASHES", "THESE PACKAGES DO NOT MATCH THE HASHES"),
        ):
            with self.subTest(how=how):
                result = self.install(FAIL_AT="nvidia-cuda-crt", HOW=how)
                self.assertEqual((result.returncode, result.stdout), (4, ""))
                *_, last = result.stderr.splitlines()
                self.assertIn("lab: nvidia-cuda-crt cannot be downloaded: ", last)
                self.assertIn(said, last)
        self.assertEqual(self.install(FAIL_AT="nvidia-cublas", HOW="kill").returncode, -9)
        self.assertEqual(self.install().returncode, 0)
        self.assertEqual(len(self.downloaded()), NUMBER)  # none of them twice

    def test_pip_that_does_not_come(self) -> None:
        (self.temporary / "ca.crt").touch()
        for certificates, says, told in (
            ("none.crt", "", "apt-get install ca-certificates"),
            ("ca.crt", "E: Failed to fetch x  Temporary failure resolving 'a.example'", "apt-get does not reach its packages"),
            ("ca.crt", "E: Unable to locate package python3-pip-whl", "missing: pip .*apt-get install python3-pip-whl"),
        ):
            self.command("apt-get", f'#!/bin/sh\necho "{says}" >&2\nexit 100\n')
            with (
                mock.patch("os.geteuid", return_value=1000),
                mock.patch.object(toolkit, "CERTIFICATES", self.temporary / certificates),
                self.assertRaisesRegex(Failure, told),
            ):
                toolkit._fetch_pip()

    def test_what_only_root_installs_is_told_before_the_download(self) -> None:
        self.gpu()
        self.command("cmake", "#!/bin/sh\necho cmake version 3.18.4\n")
        self.command("apt-get", "#!/bin/sh\nexit 1\n")
        with (
            mock.patch.object(backend, "nvccs", return_value=[]),
            mock.patch("os.geteuid", return_value=1000),
            mock.patch.object(setup.shutil, "which", lambda name: None if name == "sudo" else "/there"),
            self.assertRaisesRegex(Failure, "as root, run: .* cmake"),
        ):
            options = Namespace(backend=None, install_cuda=True, no_install=False, build=str(self.temporary / "build"))
            prepare(options, ["all"])
        self.assertEqual(self.downloaded(), [])

    def test_a_machine_without_a_compiler_downloads_nothing(self) -> None:
        self.only_these_commands("bash", "env", "dirname", "readlink")
        (self.bin / "g++").unlink()
        self.write("my.cu", "__global__ void kernel() {}\n")
        result = self.lab("sass", "my.cu", "--install-cuda", CUDACXX="/nowhere/nvcc")
        self.assertIn("missing: a C++20 compiler (g++)", result.stderr)
        self.assertNotIn("CMake", result.stderr)
        self.assertEqual(self.downloaded(), [])

    def test_a_disk_that_is_too_small(self) -> None:
        with (
            mock.patch("shutil.disk_usage", return_value=mock.Mock(free=10**9)),
            self.assertRaisesRegex(Failure, r"needs 1.8 GB, and 1.0 GB are free in .*XDG_CACHE_HOME"),
        ):
            toolkit.install()
        self.assertEqual(self.downloaded(), [])


class Suitable(Toolkit):
    def test_one_that_suits_is_left_alone(self) -> None:
        self.gpu()
        self.suits([self.nvcc("12.4", "other")])
        self.suits([], CUDACXX="/nowhere/nvcc")
        self.assertEqual(self.downloaded(), [])

    def test_beside_one_that_does_not(self) -> None:
        self.gpu()
        self.suits([self.nvcc("11.8", "other")])
        self.assertEqual(len(self.downloaded()), NUMBER)

    def test_a_gpu_that_is_too_old(self) -> None:
        self.gpu("7.0", "13.0")
        said = "which is too new for a GPU of compute capability 7.0: install CUDA 12"
        with self.assertRaisesRegex(Failure, f"^--install-cuda downloads CUDA 13.2, {said}$"):
            self.suits([])
        self.assertEqual(self.downloaded(), [])

    def test_nothing_is_downloaded_unasked(self) -> None:
        self.gpu()
        self.env["CUDACXX"] = "/nowhere/nvcc"
        result = self.runs("run", "1")
        self.assertIn("so this runs on the emulator: $CUDACXX allows no other than /nowhere/nvcc", result.stderr)
        del self.env["CUDACXX"]
        with mock.patch.object(backend, "nvccs", return_value=[]), mock.patch.object(console, "note") as note:
            self.assertEqual(backend.choose(None).preset, "cpu")
        hint = "lab: there is a GPU but no nvcc, so this runs on the emulator: --install-cuda downloads the CUDA toolkit"
        self.assertTrue(note.call_args[0][0].startswith(hint))
        self.refused(2, "exclude each other", "run", "1", "--install-cuda", "--no-install")
        self.assertEqual(self.downloaded(), [])


class HeadersOfThrust(Toolkit):
    def setUp(self) -> None:
        super().setUp()
        os.environ["CUDACXX"] = "/nowhere/nvcc"
        cccl.folder.cache_clear()
        self.addCleanup(cccl.folder.cache_clear)

    def test_one_package_is_downloaded_once(self) -> None:
        self.assertIsNone(cccl.folder())
        with mock.patch.object(console, "note") as note:
            cccl.install()
            cccl.install()
        note.assert_called_once()
        self.assertIn("End User License Agreement", note.call_args[0][0])
        self.assertEqual(self.downloaded(), ["nvidia-cuda-cccl"])
        found = cccl.folder()
        assert found
        self.assertTrue((found / "thrust/version.h").is_file())
        self.assertEqual(len(os.listdir(self.temporary / ".cache/cuda_chapters")), 1)

    def test_one_that_fails_leaves_nothing_that_is_taken_for_it(self) -> None:
        os.environ |= {"FAIL_AT": "nvidia-cuda-cccl", "HOW": "ERROR: No matching distribution found for x"}
        with self.assertRaisesRegex(Failure, "^nvidia-cuda-cccl cannot be downloaded: pip finds no such package"):
            cccl.install()
        self.assertIsNone(cccl.folder())
        del os.environ["FAIL_AT"]
        cccl.install()
        self.assertIsNotNone(cccl.folder())

    def test_those_of_a_toolkit_come_first(self) -> None:
        cccl.install()
        older, newer = (self.temporary / name for name in ("cuda-12", "cuda-13"))
        for home in (older, newer):
            (home / "bin").mkdir(parents=True)
            (home / "bin/nvcc").touch()
        headers = newer / "include/cccl"
        (headers / "thrust").mkdir(parents=True)
        (headers / "thrust/version.h").touch()
        nvccs = [str(home / "bin/nvcc") for home in (older, newer)]
        cccl.folder.cache_clear()
        with mock.patch.object(backend, "nvccs", return_value=nvccs):
            self.assertEqual(cccl.folder(), headers.resolve())

    def test_a_folder_of_links_to_a_toolkit_is_followed(self) -> None:
        home, links = (self.temporary / name for name in ("cuda-13", "local"))
        (home / "include/cccl/thrust").mkdir(parents=True)
        (home / "include/cccl/thrust/version.h").touch()
        for name in ("bin", "include"):
            (links / name).mkdir(parents=True)
        (links / "bin/nvcc").touch()  # a script that starts the one of the toolkit
        (links / "include/cccl").symlink_to(home / "include/cccl")
        with mock.patch.object(backend, "nvccs", return_value=[str(links / "bin/nvcc")]):
            self.assertEqual(cccl.folder(), (home / "include/cccl").resolve())

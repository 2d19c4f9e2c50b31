"""NVIDIA's programs that make machine code and show it: nvcc and, beside it, nvdisasm."""

import os
import re
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from building import backend, setup, toolkit
from building.dependencies import Compiler, NeededBy
from sass import limits
from sass.occupancy import Use
from shared import console, processes
from shared.chapters import ROOT
from shared.console import EXIT_FAILED, EXIT_SETUP, Failure

OPTIONS = ("-std=c++20", "-O3", "-lineinfo")
ABOUT_USE = re.compile(r"^ptxas info\s*:.*\n(?:    \d+ bytes stack frame.*\n)?", re.MULTILINE)
ENTRY = re.compile(r"Compiling entry function '([^']+)'")
FRAME = re.compile(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads")
USED = re.compile(r"Used (\d+) registers(?:, used (\d+) barriers)?")
SHARED = re.compile(r"(\d+)(?:\+\d+)? bytes smem")


@dataclass(frozen=True)
class Toolkit:
    nvcc: str
    nvdisasm: str
    host_compiler: str | None
    version: str


@dataclass(frozen=True)
class MachineCode:
    """listing: as nvdisasm prints it. uses: by kernel. command: as one would type it."""

    listing: str
    uses: dict[str, Use]
    command: str


def find(arch: str, install_cuda: bool = False, may_install: bool = True) -> Toolkit:
    """The first toolkit that has both programs and compiles for arch; installs lab's own one if that is asked for and there
    is none."""
    if install_cuda and not may_install:
        setup.install_cuda(may_install)  # says that these two exclude each other
    found = backend.nvccs()
    obstacles = {nvcc: _obstacle(nvcc, arch) for nvcc in found}
    nvcc = next((nvcc for nvcc in found if not obstacles[nvcc]), None)
    if (nvcc or install_cuda) and not shutil.which("g++"):  # nvcc has it read the source first
        setup.require({NeededBy.BUILD}, may_install, Compiler)
    if nvcc is None and install_cuda:
        nvcc = toolkit.install()
    if nvcc is None:
        without = obstacles[found[0]] if found else "no CUDA toolkit"
        raise Failure(f"{without}; {backend.TOOLKIT_HINT}", EXIT_SETUP)
    return of_nvcc(nvcc)


def _obstacle(nvcc: str, arch: str) -> str:
    """Why this toolkit does not show machine code for arch; or an empty text."""
    if not _nvdisasm(nvcc):
        return f"no nvdisasm beside {nvcc}"
    if obstacle := backend.obstacle(nvcc):
        return obstacle
    known = (processes.ask([nvcc, "--list-gpu-code"]) or "").split()
    if known and arch not in known and arch.rstrip("af") not in known:
        return f"{backend.in_words(nvcc, None)} does not compile for {arch}; it knows {', '.join(known)}"
    return ""


def of_nvcc(nvcc: str) -> Toolkit:
    version = backend.cuda_version(nvcc) or (0, 0)
    disassembler = _nvdisasm(nvcc)
    assert disassembler
    host_compiler = backend.with_host_compiler("cuda", nvcc).host_compiler
    return Toolkit(nvcc, disassembler, host_compiler, f"{version[0]}.{version[1]}")


def _nvdisasm(nvcc: str) -> str | None:
    places = (Path(nvcc).parent, Path(nvcc).resolve().parent)
    return next((str(place / "nvdisasm") for place in places if os.access(place / "nvdisasm", os.X_OK)), None)


def machine_code(toolkit: Toolkit, source: Path, arch: str, flags: Sequence[str] = (), shown: str = "") -> MachineCode:
    """Compiles a file, and lists what came out. shown: how the file is called. Complaints go to stderr."""
    with tempfile.TemporaryDirectory(prefix="lab-sass-") as folder:
        cubin = Path(folder, "code.cubin")
        host = ["-ccbin", toolkit.host_compiler] if toolkit.host_compiler else []
        options = [*OPTIONS, f"-arch={arch}", *flags]
        command = [toolkit.nvcc, *host, *options, f"-I{ROOT}", "-cubin", "-Xptxas", "-v", "-o", str(cubin), str(source)]
        said = _run(command)
        text = ABOUT_USE.sub("", said.stderr + said.stdout).strip("\n")
        if text:
            console.note(text)
        if said.returncode:
            raise Failure(f"{console.quoted(console.shown(source), 200)} does not compile for {arch}", EXIT_FAILED)
        listed = _run([toolkit.nvdisasm, "-c", "-gi", str(cubin)])
        if listed.returncode:
            raise Failure(f"nvdisasm: {console.quoted(listed.stderr.strip(), 200)}", EXIT_FAILED)
    typed = shlex.join(["nvcc", *options, "-I.", "-cubin", shown])
    return MachineCode(listed.stdout, uses(said.stderr), typed)


def _run(command: Sequence[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, encoding="utf-8", errors="replace", check=False)


def uses(said: str) -> dict[str, Use]:
    """What `ptxas -v` says about each kernel. Spills and stacks of functions that it calls count as its own."""
    found: dict[str, Use] = {}
    kernel = ""
    frames: list[tuple[int, int, int]] = []
    for line in said.splitlines():
        if entry := ENTRY.search(line):
            kernel, frames = entry[1], []
            found[kernel] = Use(0)
        elif frame := FRAME.search(line):
            frames.append((int(frame[1]), int(frame[2]), int(frame[3])))
        elif used := USED.search(line):
            shared = SHARED.search(line)
            found[kernel] = Use(int(used[1]), int(shared[1]) if shared else 0, int(used[2] or 0))
        if kernel and frames:
            it = found[kernel]
            stack, stores, loads = (sum(column) for column in zip(*frames, strict=True))
            found[kernel] = Use(it.registers, it.shared, it.barriers, stores, loads, stack)
    return found


def default_arch() -> str:
    """That of the card that is there; otherwise of the H100 and H200, on which this course's times were measured."""
    capability = backend.compute_capability()
    number = capability[0] * 10 + capability[1] if capability else 0
    return f"sm_{number}" if number in limits.OF else "sm_90"

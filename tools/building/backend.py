"""Where the kernels run: on an NVIDIA GPU, or on the emulator."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from shared import console, processes
from shared.console import EXIT_NO_CUDA, Failure

TOOLKIT_HINT = "README.md says how to get the CUDA toolkit; --cpu runs on the emulator"


@dataclass(frozen=True)
class Backend:
    """A CMake preset, and the CUDA compiler it needs."""

    preset: str
    nvcc: str | None = None


def choose(forced: str | None) -> Backend:
    """forced: 'cuda', 'cpu', or None: CUDA where both nvcc and a working GPU are found."""
    if forced == "cpu":
        return Backend("cpu")
    nvcc = find_nvcc()
    gpu = has_gpu()
    if nvcc and gpu:
        return Backend("cuda", nvcc)
    if forced == "cuda":
        raise Failure(f"--cuda: {_what_is_missing(nvcc, gpu)}", EXIT_NO_CUDA)
    if gpu:
        console.note(f"lab: there is a GPU but no nvcc, so this runs on the emulator ({TOOLKIT_HINT.split(';')[0]})")
    return Backend("cpu")


def find_nvcc() -> str | None:
    """The CUDA compiler: $CUDACXX, PATH, $CUDA_HOME, $CUDA_PATH, then the toolkit's usual place."""
    if asked := os.environ.get("CUDACXX"):
        return shutil.which(asked)
    if found := shutil.which("nvcc"):
        return found
    for home in (os.environ.get("CUDA_HOME"), os.environ.get("CUDA_PATH"), "/usr/local/cuda"):
        if home and os.access(nvcc := Path(home, "bin", "nvcc"), os.X_OK):
            return str(nvcc)
    return None


def has_gpu() -> bool:
    """True when the driver answers and lists a GPU that this process may use."""
    if os.environ.get("CUDA_VISIBLE_DEVICES") in ("", "-1"):
        return False
    answer = processes.ask(["nvidia-smi", "-L"]) or ""
    return any(line.startswith("GPU ") for line in answer.splitlines())


def driver_version() -> str:
    """The NVIDIA driver's version, or an empty text."""
    answer = processes.ask(["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader"]) or ""
    return answer.split("\n")[0].strip()


def cards() -> list[str]:
    """'NVIDIA H100 80GB HBM3, compute capability 9.0, 81559 MiB', for each card that the driver lists."""
    answer = processes.ask(["nvidia-smi", "--query-gpu=name,compute_cap,memory.total", "--format=csv,noheader"]) or ""
    rows = [line.split(", ") for line in answer.splitlines()]
    return [f"{row[0]}, compute capability {row[1]}, {row[2]}" for row in rows if len(row) == 3]


def _what_is_missing(nvcc: str | None, gpu: bool) -> str:
    no_gpu = "no working NVIDIA GPU (nvidia-smi -L lists none)"
    no_nvcc = "no nvcc (looked in PATH, $CUDA_HOME, $CUDA_PATH and /usr/local/cuda)"
    if gpu:
        return f"{no_nvcc}; {TOOLKIT_HINT}"
    if nvcc:
        return f"{no_gpu}; install its driver, or use --cpu to run on the emulator"
    return f"{no_gpu} and {no_nvcc}; {TOOLKIT_HINT}"

"""CUDA kernels on the CPU: the compiler driver `nvcc_cpu`, and `%%cuda` for notebooks after `%load_ext cuda_emulator`."""

import os
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
PLACES = (HERE / "lib" / "cuda_emulator", HERE.parents[1])  # in a wheel, and beside its sources
NVCC_CPU = next(place / "nvcc_cpu" for place in PLACES if (place / "nvcc_cpu").exists())


def nvcc_cpu() -> None:
    os.execv(sys.executable, [sys.executable, str(NVCC_CPU), *sys.argv[1:]])


def load_ipython_extension(shell: Any) -> None:
    from .magic import CudaMagics  # the command needs no IPython

    shell.register_magics(CudaMagics)

"""What attention_torch.log says: python3 attention_torch.py, where there is PyTorch with CUDA, and nvcc."""

import ctypes
import itertools
import statistics
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

import torch
from torch.nn.attention import SDPBackend, sdpa_kernel

ROOT = Path(__file__).resolve().parents[2]
POSITIONS, SIZES, WARM_UP, CALLS = (1024, 4096, 16384), (64, 128), 10, 41
SHAPES = (*((4096, 1, d, False) for d in SIZES), *itertools.product(POSITIONS, (16,), SIZES, (False, True)))
STAGES = {"5_mma": "mma", "6_wgmma": "wgmma"}
BACKENDS = {"FlashAttention-2": SDPBackend.FLASH_ATTENTION, "cuDNN": SDPBackend.CUDNN_ATTENTION}
WRAPPER = """
#include "attention.h"
namespace attention { Launch mma, wgmma; }
#define WRAP(stage) \\
    extern "C" void launch_##stage(int heads, int n, int d, bool causal, attention::Vectors<__nv_bfloat16> in, \\
                                   float* out) { \\
        attention::stage({heads, n, d, causal}, {{}, in}, out, nullptr); \\
    }
WRAP(mma)
WRAP(wgmma)
"""


class Vectors(ctypes.Structure):
    _fields_ = [(name, ctypes.c_void_p) for name in ("queries", "keys", "values")]


def stages() -> ctypes.CDLL:
    """The stages as a library."""
    with tempfile.TemporaryDirectory() as folder:
        wrapper, library = Path(folder, "wrapper.cu"), Path(folder, "stages.so")
        wrapper.write_text(WRAPPER)
        sources = [wrapper, ROOT / "common/stage.cpp", *(ROOT / f"15_attention/{stage}.cu" for stage in STAGES)]
        command = ["nvcc", "-std=c++20", "-O3", "-gencode", "arch=compute_90a,code=sm_90a", "-shared"]
        command += ["-Xcompiler", "-fPIC", "-I", ROOT, "-I", ROOT / "15_attention", "-o", library, *sources]
        subprocess.run([str(part) for part in command], check=True)
        return ctypes.CDLL(str(library))


def median(work: Callable[[], object]) -> float:
    """Microseconds of single calls, by events."""
    for _ in range(WARM_UP):
        work()
    times = []
    for _ in range(CALLS):
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        begin.record()
        work()
        end.record()
        end.synchronize()
        times.append(begin.elapsed_time(end) * 1000)
    return statistics.median(times)


def times(library: ctypes.CDLL, n: int, heads: int, d: int, *, causal: bool) -> list[float]:
    """Of STAGES, of what PyTorch chooses by itself, and of BACKENDS. Stops where a stage's result is wrong."""
    # 32nds up to 3, as 15_attention takes them
    inputs = [torch.randint(-96, 97, (1, heads, n, d), device="cuda").div(32).bfloat16() for _ in range(3)]
    vectors = Vectors(*(numbers.data_ptr() for numbers in inputs))
    out = torch.full(inputs[0].shape, torch.nan, device="cuda")

    def attend() -> torch.Tensor:
        return torch.nn.functional.scaled_dot_product_attention(*inputs, is_causal=causal)

    found = []
    for function in STAGES.values():
        launch = library[f"launch_{function}"]
        arguments = (heads, n, d, ctypes.c_bool(causal), vectors, ctypes.c_void_p(out.data_ptr()))
        found.append(median(lambda launch=launch, arguments=arguments: launch(*arguments)))
        torch.testing.assert_close(out, attend().float(), rtol=0.02, atol=0.02)
        out.fill_(torch.nan)
    found.append(median(attend))
    for backend in BACKENDS.values():
        with sdpa_kernel(backend):
            found.append(median(attend))
    return found


print(f"{torch.cuda.get_device_name()} · PyTorch {torch.__version__}, CUDA {torch.version.cuda}\n")
columns = (*STAGES, "PyTorch", *BACKENDS, "PyTorch / 6_wgmma")
print("positions  heads    d  mask  ", *(f"{name:>17}" for name in columns))
library = stages()
for n, heads, d, causal in SHAPES:
    found = times(library, n, heads, d, causal=causal)
    row = (*(f"{time:14.1f} us" for time in found), f"{found[2] / found[1]:17.3f}")
    print(f"{n:9} {heads:6} {d:4}  {'causal' if causal else 'full  '}", *row, flush=True)

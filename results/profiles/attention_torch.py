"""What attention_torch.log says of PyTorch: python3 attention_torch.py, where there is PyTorch with CUDA."""

import itertools
import statistics
from collections.abc import Callable

import torch
from torch.nn.attention import SDPBackend, sdpa_kernel

POSITIONS, WARM_UP, CALLS = 4096, 10, 30
BACKENDS = (SDPBackend.FLASH_ATTENTION, SDPBackend.EFFICIENT_ATTENTION, SDPBackend.CUDNN_ATTENTION, SDPBackend.MATH)


def microseconds(work: Callable[[], object]) -> float:
    """The median of single calls, by events."""
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


def random_vectors(heads: int, d: int) -> torch.Tensor:
    """32nds up to 3, as 15_attention takes them."""
    return torch.randint(-96, 97, (1, heads, POSITIONS, d), device="cuda").div(32).bfloat16()


def measure(heads: int, d: int, causal: bool) -> dict[str, float]:
    """By the name of the backend; default is what PyTorch chooses by itself."""
    vectors = [random_vectors(heads, d) for _ in range(3)]

    def attend() -> torch.Tensor:
        return torch.nn.functional.scaled_dot_product_attention(*vectors, is_causal=causal)

    times = {"default": microseconds(attend)}
    for backend in BACKENDS:
        with sdpa_kernel(backend):
            times[backend.name] = microseconds(attend)
    return times


print(f"{torch.cuda.get_device_name()} · PyTorch {torch.__version__}, CUDA {torch.version.cuda}")
for heads, d, causal in itertools.product((1, 16), (64, 128), (False, True)):
    told = ", ".join(f"{name} {time:.1f} us" for name, time in measure(heads, d, causal).items())
    print(f"bfloat16, {heads}, {d}, {'causal' if causal else 'full'}, {told}", flush=True)

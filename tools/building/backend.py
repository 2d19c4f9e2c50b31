"""Where the kernels run: on an NVIDIA GPU, or on the emulator."""

import os
import re
import shutil
from dataclasses import dataclass
from pathlib import Path

from building import toolkit
from shared import console, processes
from shared.console import EXIT_NO_CUDA, Failure

TOOLKIT_HINT = f"--install-cuda downloads the CUDA toolkit ({toolkit.GIGABYTES} GB, without root)"

Version = tuple[int, int]
OLDEST_CUDA: Version = (12, 0)
OLDEST_GPU: Version = (6, 0)  # its compute capability
OLDEST_GPU_OF_CUDA_13: Version = (7, 5)
OLDEST_GXX = 12


@dataclass(frozen=True)
class Backend:
    """A CMake preset, the CUDA compiler it needs, and the g++ that this compiler needs where g++ itself is too new."""

    preset: str
    nvcc: str | None = None
    host_compiler: str | None = None


def choose(forced: str | None) -> Backend:
    """forced: 'cuda', 'cpu', or None: CUDA where there are a working GPU and an nvcc that suits it."""
    if forced == "cpu":
        return Backend("cpu")
    found = nvccs()
    gpu = has_gpu()
    if not found or not gpu:
        if forced == "cuda":
            raise Failure(f"--cuda: {_what_is_missing(gpu)}", EXIT_NO_CUDA)
        if gpu:
            remedy = obstacle_to_own_toolkit() or TOOLKIT_HINT
            console.note(f"lab: there is a GPU but no nvcc, so this runs on the emulator: {remedy}")
        return Backend("cpu")
    capability, supported = compute_capability(), _cuda_of_driver()
    obstacles = [obstacle(nvcc, capability, supported) for nvcc in found]
    if "" in obstacles:
        return with_host_compiler("cuda", found[obstacles.index("")])
    would_do = f"; {TOOLKIT_HINT}" if not toolkit.nvcc() and not obstacle_to_own_toolkit() else ""
    if forced == "cuda":
        raise Failure(f"--cuda: {obstacles[0]}{would_do}; --cpu runs on the emulator", EXIT_NO_CUDA)
    console.note(f"lab: this runs on the emulator: {obstacles[0]}{would_do}")
    return Backend("cpu")


def with_host_compiler(preset: str, nvcc: str | None) -> Backend:
    """That preset with that nvcc, and a g++ that it accepts."""
    return Backend(preset, nvcc, (nvcc and _suitable_gxx(nvcc)) or None)


def find_nvcc() -> str | None:
    """The CUDA compiler that comes first: $CUDACXX, PATH, $CUDA_HOME, $CUDA_PATH, the toolkit's usual places, lab's own."""
    return next(iter(nvccs()), None)


def is_any_suitable() -> bool:
    """Whether one of the toolkits that are there suits the GPU, the driver and g++."""
    capability, supported = compute_capability(), _cuda_of_driver()
    return any(not obstacle(nvcc, capability, supported) for nvcc in nvccs())


def obstacle_to_own_toolkit() -> str:
    """Why the toolkit that --install-cuda downloads cannot be used here, and what would do; or an empty text."""
    if asked := os.environ.get("CUDACXX"):
        return f"$CUDACXX allows no other than {console.quoted(asked, 200)}"
    what = f"--install-cuda downloads CUDA {_dotted(toolkit.VERSION)}"
    return _obstacle_to_version(what, toolkit.VERSION, compute_capability(), _cuda_of_driver())


def cuda_version(nvcc: str) -> Version | None:
    """What nvcc says that it is: (12, 4)."""
    match = re.search(r"release (\d+)\.(\d+)", processes.ask([nvcc, "--version"]) or "")
    return (int(match[1]), int(match[2])) if match else None


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


def in_words(nvcc: str, host_compiler: str | None) -> str:
    """'CUDA 12.4 (/usr/bin/nvcc) with g++-13'."""
    version = cuda_version(nvcc)
    return f"CUDA {_dotted(version) if version else '?'} ({nvcc}){f' with {host_compiler}' if host_compiler else ''}"


def nvccs() -> list[str]:
    """Every nvcc in the places where one may be, in the order in which they count. $CUDACXX allows no other."""
    if asked := os.environ.get("CUDACXX"):
        named = shutil.which(asked)
        return [named] if named else []
    homes = [os.environ.get("CUDA_HOME"), os.environ.get("CUDA_PATH"), "/usr/local/cuda"]
    versions = sorted(Path("/usr/local").glob("cuda-*"), key=lambda path: _numbers(path.name), reverse=True)
    places = [str(Path(home, "bin", "nvcc")) for home in (*homes, *versions, "/opt/cuda") if home]
    found = [path for place in ("nvcc", *places, toolkit.nvcc()) if place and (path := shutil.which(place))]
    return list({os.path.realpath(path): path for path in reversed(found)}.values())[::-1]


def _dotted(version: Version) -> str:
    return f"{version[0]}.{version[1]}"


def _numbers(name: str) -> list[int]:
    """'cuda-12.10' is [12, 10]."""
    return [int(number) for number in re.findall(r"\d+", name)]


def compute_capability() -> Version | None:
    """That of the oldest GPU; none where the driver does not tell."""
    answer = processes.ask(["nvidia-smi", "--query-gpu=compute_cap", "--format=csv,noheader"]) or ""
    found = re.findall(r"^(\d+)\.(\d+)$", answer, re.MULTILINE)
    return min(((int(major), int(minor)) for major, minor in found), default=None)


def _cuda_of_driver() -> Version | None:
    """The newest CUDA whose programs the driver runs; none where it does not tell."""
    match = re.search(r"CUDA (?:\w+ )?Version *: *(\d+)\.(\d+)", processes.ask(["nvidia-smi"]) or "")
    return (int(match[1]), int(match[2])) if match else None


def obstacle(nvcc: str, capability: Version | None = None, supported: Version | None = None) -> str:
    """Why this nvcc cannot be used, with this GPU and this driver where they are given, and what would do; or an empty text."""
    if wrong := re.search(r"[$`]", nvcc):  # a linked one starts the others from where it lies
        where = console.quoted(nvcc, 200)
        return f"nvcc starts its parts by a shell, which would misread the {wrong[0]} in {where}: rename the folder"
    version = cuda_version(nvcc)
    if not version:
        return f"{nvcc} does not tell its version"
    here = f"{nvcc} is CUDA {_dotted(version)}"
    if unsuitable := _obstacle_to_version(here, version, capability, supported):
        return unsuitable
    if _suitable_gxx(nvcc) is None:
        newest = _newest_gxx(nvcc)
        this_one = f"this one is {_version_of_gxx()}: install g++-{newest}"
        return f"{here}, which accepts no g++ newer than {newest}, and {this_one}"
    return ""


def _obstacle_to_version(here: str, version: Version, capability: Version | None, supported: Version | None) -> str:
    """The same for what is only known by its version; `here` names it."""
    if version < OLDEST_CUDA:
        return f"{here}, which is too old: install CUDA 12 or 13"
    if capability and capability < OLDEST_GPU:
        needed = f"the chapters need {_dotted(OLDEST_GPU)}: use a newer GPU"
        return f"the GPU has compute capability {_dotted(capability)}, and {needed}"
    if capability and version >= (13, 0) and capability < OLDEST_GPU_OF_CUDA_13:
        return f"{here}, which is too new for a GPU of compute capability {_dotted(capability)}: install CUDA 12"
    if supported and supported[0] < version[0]:
        newer = f" to {toolkit.OLDEST_DRIVER} or newer" if version[0] == toolkit.VERSION[0] else ""
        older = f", or install CUDA {supported[0]}" if supported >= OLDEST_CUDA else ""
        return f"{here}, and the driver runs CUDA {_dotted(supported)} at most: update the driver{newer}{older}"
    return ""


def _suitable_gxx(nvcc: str) -> str | None:
    """The g++ for nvcc's host code: '' where it takes the default one, none where none suits."""
    newest = _newest_gxx(nvcc)
    if os.environ.get("CUDAHOSTCXX") or not newest or _version_of_gxx() <= newest:
        return ""
    names = [f"g++-{number}" for number in range(newest, OLDEST_GXX - 1, -1)]
    return next((name for name in names if shutil.which(name)), None)


def _newest_gxx(nvcc: str) -> int:
    """The newest g++ that nvcc's own header accepts; 0 where that is not known."""
    home = Path(nvcc).resolve().parent.parent
    for folder in (home / "include", Path("/usr/include")):
        header = folder / "crt" / "host_config.h"
        if header.is_file():
            match = re.search(r"gcc versions later than (\d+)", header.read_text(encoding="utf-8", errors="replace"))
            return int(match[1]) if match else 0
    return 0


def _version_of_gxx() -> int:
    """The default g++; 0 where there is none."""
    return next(iter(_numbers(processes.ask(["g++", "-dumpversion"]) or "")), 0)


def _what_is_missing(gpu: bool) -> str:
    """A toolkit is named only where there is a GPU: it would not help without one."""
    if not gpu:
        return console.said(
            "no working NVIDIA GPU (nvidia-smi -L lists none); install its driver, or use --cpu for the emulator"
        )
    no_nvcc = "no nvcc (looked in PATH, $CUDA_HOME, $CUDA_PATH, /usr/local/cuda* and /opt/cuda)"
    return f"{no_nvcc}; {obstacle_to_own_toolkit() or TOOLKIT_HINT}; --cpu runs on the emulator"

"""What NVIDIA's profiler, Nsight Compute, counts of the programs that ./lab count counts: kept beside those counts, in
results/counts/nsight_compute_<device>.json, to be compared with them."""

import csv
import json
import math
import os
import re
import shutil
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

from reports import counts, results
from reports.results import Json
from shared import console, processes
from shared.console import EXIT_SETUP, Failure

REQUESTS = "l1tex__t_requests_pipe_lsu_mem_global_op_{}.sum"
SECTORS = "l1tex__t_sectors_pipe_lsu_mem_global_op_{}.sum"
WAVEFRONTS = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{}.sum"
# Of what the emulator counts: the operations that the profiler tells apart there, and what it says of each.
OPERATIONS = {"load": ("ld",), "store": ("st",), "atomic": ("atom", "red")}
METRICS = {
    f"global {operation}": {"requests": [REQUESTS.format(op) for op in ops], "sectors": [SECTORS.format(op) for op in ops]}
    for operation, ops in OPERATIONS.items()
} | {f"shared {operation}": {"wavefronts": [WAVEFRONTS.format(ops[0])]} for operation, ops in OPERATIONS.items()}

# The kernels of a chapter's stages: those of a .cu file's anonymous namespace, whose name has the file's in it. Some are
# launched thousands of times: of a kernel and a shape of its grid, the first six will do.
KERNELS = "::regex:^_ZN[0-9a-z_]+_GLOBAL__N_:^[1-6]$"
LIBRARY = "library"  # the stage that calls the vendor's, which the emulator has not


def find_ncu(nvcc: str | None) -> str:
    """Nsight Compute's program: in PATH, or beside the compiler."""
    found = shutil.which("ncu") or shutil.which("ncu", path=os.path.dirname(os.path.realpath(nvcc or "")))
    if not found:
        raise Failure("Nsight Compute is not installed: no ncu in PATH or beside nvcc", EXIT_SETUP)
    return found


def profile(ncu: str, command: Sequence[str]) -> tuple[str, list[Json]]:
    """Runs a program under Nsight Compute: the device's name, and the rows of its kernels as counts.per_stage has them."""
    metrics = ",".join(name for counted in METRICS.values() for names in counted.values() for name in names)
    options = ["--clock-control", "none", "--csv", "--page", "raw", "--print-units", "base", "--metrics", metrics]
    options += ["--kernel-name-base", "mangled", "--print-kernel-base", "mangled", "--kernel-id", KERNELS]
    with tempfile.TemporaryDirectory(prefix="lab-") as folder:
        said = Path(folder, "said")
        with said.open("w") as file:
            code = processes.call([ncu, *options, *command], stdout=file, stderr=file)
        text = said.read_text(encoding="utf-8", errors="replace")
    device, rows = read(text)
    if code != 0 or not rows:
        console.note(text[-2000:].rstrip("\n"))
        raise Failure(f"ncu has profiled nothing (exit code {code})", code or console.EXIT_FAILED)
    return device, rows


def read(text: str) -> tuple[str, list[Json]]:
    """The same from what ncu printed: the program's own output, then a table with a line of units below its heading."""
    device = ""
    kernels: dict[tuple[str, str], Json] = {}
    for launch in csv.DictReader(_table(text)):
        stage = _stage(launch["Kernel Name"] or "")  # it may say something behind its table
        if not launch["ID"] or stage in ("", LIBRARY):
            continue
        device = launch["device__attribute_display_name"]
        kernel = kernels.setdefault((stage, launch["Kernel Name"]), {"launches": 0, "blocks": 0, "counts": {}})
        kernel["launches"] += 1
        kernel["blocks"] += math.prod(map(int, re.findall(r"\d+", launch["Grid Size"])))
        for what, counted in METRICS.items():
            entry = kernel["counts"].setdefault(what, dict.fromkeys(counted, 0))
            for name, metrics in counted.items():
                entry[name] += sum(_value(launch[metric]) for metric in metrics)
    if not kernels:
        return "", []
    demangled = processes.ask(["c++filt"], "\n".join(name for _, name in kernels))
    if demangled is None:
        raise Failure("c++filt, which comes with the compiler, is not installed", EXIT_SETUP)
    named = zip(kernels.items(), demangled.splitlines(), strict=True)
    return device, counts.per_stage([_as_counted(stage, name, kernel) for ((stage, _), kernel), name in named])


def path_of(root: Path, device: str) -> Path:
    return root / "results" / "counts" / f"nsight_compute_{results.in_file_name(device)}.json"


def save(root: Path, device: str, chapter: str, entry: Json) -> Path:
    """Puts a chapter's entry in place of the older one in its device's file."""
    path = path_of(root, device)
    chapters = json.loads(path.read_text(encoding="utf-8"))["chapters"] if path.exists() else {}
    chapters[chapter] = entry
    lines = []
    for name, of_chapter in sorted(chapters.items()):
        facts = json.dumps({key: value for key, value in of_chapter.items() if key != "runs"})
        runs = counts.to_be_kept([(run["command"], run["rows"]) for run in of_chapter["runs"]])
        lines.append(f'{json.dumps(name)}: {facts[:-1]}, "runs": {runs.rstrip()}}}')
    text = f'{{"device": {json.dumps(device)}, "chapters": {{\n' + ",\n".join(lines) + "\n}}\n"
    console.write_file(path, text)
    return path


def toolkit(nvcc: str | None) -> str:
    """The version of the CUDA toolkit, or an empty text."""
    match = re.search(r"release ([\d.]+)", processes.ask([nvcc or "nvcc", "--version"]) or "")
    return match[1] if match else ""


def _table(text: str) -> Iterable[str]:
    at = text.find('"ID","Process ID"')
    return text[at:].splitlines() if at >= 0 else []


def _stage(name: str) -> str:
    """'_ZN3dot40_GLOBAL__N__12345678_7_2_x_cu_123456783sumEPf' is of 2_x: a namespace has the length and the name of
    the file in it. Empty for other kernels."""
    match = re.match(r"_ZN[0-9a-z_]+_GLOBAL__N__[0-9a-f]+_(\d+)_(.*)", name)
    return match[2][: int(match[1])].removesuffix("_cu") if match else ""


def _value(text: str) -> float:
    return float(text.replace(",", ""))


def _as_counted(stage: str, name: str, kernel: Json) -> Json:
    """A kernel as a program of the checked build tells of it."""
    told = [{"what": what, **entry} for what, entry in kernel["counts"].items() if any(entry.values())]
    return {"kernel": name, "file": f"{stage}.cu", **kernel, "counts": told}

"""A CUDA toolkit of lab's own, in the user's cache: NVIDIA's packages for Python, downloaded with pip and unpacked. They
need neither root nor a Python of their own. All clones share it. It is there whole or not at all."""

import csv
import hashlib
import importlib.util
import os
import re
import shutil
import sys
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path

from building import apt
from shared import console, processes
from shared.console import EXIT_SETUP, Failure
from shared.locks import lock

PACKAGES = Path(__file__).with_name("toolkit.txt")
VERSION = (13, 2)
OLDEST_DRIVER = 580  # of CUDA 13
GIGABYTES = 0.7  # that are downloaded: on arm64, and 0.6 on x86-64
GIGABYTES_ON_DISK = 1.8  # while they are unpacked; 1.1 afterwards
LICENCE = "NVIDIA's End User License Agreement for the CUDA Toolkit (docs.nvidia.com/cuda/eula)"
PIP_PACKAGE = "python3-pip-whl"  # Debian's: pip as a wheel, which Python runs as it is
CERTIFICATES = Path("/etc/ssl/certs/ca-certificates.crt")  # without which this pip does not even start
NO_NETWORK = re.compile(r"Retrying \(|ConnectionError|ProxyError|Temporary failure|Could not (resolve|connect)|timed out", re.I)


def folder() -> Path:
    """Where it is, or would be. Other packages make another folder."""
    digest = hashlib.sha256(PACKAGES.read_bytes()).hexdigest()
    return cache() / f"cuda-{VERSION[0]}.{VERSION[1]}-{digest[:8]}"


def cache() -> Path:
    """The folder of this and of other packages, in the user's cache."""
    user = os.environ.get("XDG_CACHE_HOME", "")
    return Path(user if os.path.isabs(user) else Path(os.environ.get("HOME", "/"), ".cache"), "cuda_chapters")


def packages() -> list[str]:
    """A line for each: its name, its version and the hashes of its files."""
    text = PACKAGES.read_text(encoding="utf-8").replace("\\\n", "")
    return [line for line in text.splitlines() if line[:1] != "#"]


def nvcc() -> str | None:
    """Its compiler, where it is installed whole."""
    path = _nvcc_in(folder())
    return str(path) if path.exists() and _is_whole(folder()) else None


def install() -> str:
    """Downloads what is missing of it, unless it is there. Returns its nvcc. What was interrupted goes on where it was."""
    if not nvcc():
        place = folder()
        again = " once more, for files of it are missing or cut short" if place.exists() else ""
        console.note(f"lab: CUDA {VERSION[0]}.{VERSION[1]} goes to {place}{again}; its use is subject to {LICENCE}")
        install_packages(place, packages(), lambda: nvcc() is not None, GIGABYTES_ON_DISK)
    return str(_nvcc_in(folder()))


def install_packages(place: Path, lines: Sequence[str], is_there: Callable[[], bool], gigabytes: float = 0.0) -> None:
    """Downloads some of packages() and unpacks them to a folder of the cache, which is there whole or not at all. gigabytes:
    that must be free for it."""
    partial = place.with_name(f".{place.name}")
    try:
        partial.mkdir(parents=True, exist_ok=True)
        with lock(partial, "downloads the CUDA toolkit"):
            if not is_there():
                _require_space(partial, gigabytes)
                _download(lines, partial)
                _unpack(partial)
                shutil.rmtree(place, ignore_errors=True)
                (partial / "toolkit").replace(place)
                shutil.rmtree(partial)
    except OSError as error:
        shutil.rmtree(partial / "toolkit", ignore_errors=True)
        where = "the environment variable XDG_CACHE_HOME names another folder"
        raise Failure(f"{partial.parent}: {error.strerror or error}; {where}", EXIT_SETUP) from error


def _nvcc_in(place: Path) -> Path:
    return place / "nvidia" / f"cu{VERSION[0]}" / "bin" / "nvcc"


def _is_whole(place: Path) -> bool:
    """Whether all files are there and as long as the packages say in their RECORD, a part of Python's format of packages."""
    try:
        for record in place.glob("*.dist-info/RECORD"):
            with record.open(encoding="utf-8", newline="") as rows:
                if any(size and (place / name).stat().st_size != int(size) for name, _, size in csv.reader(rows)):
                    return False
    except (OSError, ValueError):
        return False
    return True


def _require_space(place: Path, gigabytes: float) -> None:
    there = sum(path.stat().st_size for path in place.rglob("*") if path.is_file())
    free = (shutil.disk_usage(place).free + there) / 1e9
    if free < gigabytes:
        raise Failure(
            f"the CUDA toolkit needs {gigabytes} GB, and {free:.1f} GB are free in {place.parent}; the environment variable "
            "XDG_CACHE_HOME names another folder",
            EXIT_SETUP,
        )


def _download(lines: Sequence[str], partial: Path) -> None:
    """Fetches the packages to partial/wheels, one after another, and leaves alone what an earlier call has fetched."""
    pip = _pip()
    wanted = partial / "package.txt"
    options: list[str | Path] = ["--dest", partial / "wheels", "--requirement", wanted, "--require-hashes", "--no-deps"]
    options += ["--only-binary", ":all:", "--retries", "2", "--no-cache-dir", "--progress-bar", "off"]
    options += ["--disable-pip-version-check"]
    environment = {**os.environ, "TMPDIR": str(partial), "PIP_REQUIRE_VIRTUALENV": "0"}  # /tmp may be small
    progress = console.Progress()
    for number, line in enumerate(lines, 1):
        package = line.split("==")[0]
        progress.show(f"[{number}/{len(lines)}] downloading {package}")
        wanted.write_text(line + "\n", encoding="utf-8")
        said: list[str] = []
        code = processes.stream([*pip, "download", *options], said.append, env=environment, on_second=progress.tick)
        if code:
            progress.clear()
            raise Failure(f"{package} cannot be downloaded: {_why(said)}", EXIT_SETUP)
    progress.clear()


def _why(said: Sequence[str]) -> str:
    """What pip complains of, in a line."""
    text = "\n".join(said)
    if "No space left on device" in text:
        return "no space is left on the disk; the environment variable XDG_CACHE_HOME names another folder"
    if NO_NETWORK.search(text):
        return "pip does not reach its package index; the next call goes on from here"
    if "No matching distribution" in text:
        return f"pip finds no such package for this machine ({os.uname().machine})"
    errors = [line.removeprefix("ERROR: ") for line in said if line.startswith("ERROR: ") or "Error: " in line]
    return console.quoted((errors or list(said) or ["pip failed"])[-1].strip(), 200)


def _unpack(partial: Path) -> None:
    """Makes a toolkit of the packages, with the names by which a linker looks for libraries."""
    place = partial / "toolkit"
    shutil.rmtree(place, ignore_errors=True)
    progress = console.Progress()
    for wheel in sorted((partial / "wheels").glob("*.whl")):
        progress.show(f"unpacking {wheel.name.split('-')[0].replace('_', '-')}")
        with zipfile.ZipFile(wheel) as archive:
            for member in archive.infolist():
                path = archive.extract(member, place)
                if mode := member.external_attr >> 16 & 0o777:
                    os.chmod(path, mode | 0o200)
                progress.tick()
    progress.clear()
    for library in _nvcc_in(place).parents[1].glob("lib/*.so.*"):
        library.with_name(library.name.partition(".so.")[0] + ".so").symlink_to(library.name)


def _pip() -> list[str | Path]:
    """The command that runs pip. Debian's Python comes without it, and may have it as a wheel; a wheel runs as it is."""
    pythons = list(dict.fromkeys([sys.executable, "/usr/bin/python3"]))
    for python in pythons:
        if processes.ask([python, "-m", "pip", "--version"]):
            return [python, "-m", "pip"]
    with_python = importlib.util.find_spec("ensurepip")
    bundled = Path(with_python.origin).parent / "_bundled" if with_python and with_python.origin else Path("/nowhere")
    if not (wheels := _wheels_of_pip(bundled, Path("/usr/share/python-wheels"))):
        wheels = _fetch_pip()
    return [sys.executable, wheels[-1] / "pip"]


def _wheels_of_pip(*folders: Path) -> list[Path]:
    return [wheel for folder in folders for wheel in sorted(folder.glob("pip-*.whl"))]


def _fetch_pip() -> list[Path]:
    """Debian's package of pip: installed by root, otherwise only downloaded and unpacked."""
    missing = f"missing: pip (Debian and Ubuntu: apt-get install {PIP_PACKAGE})"
    if not shutil.which("apt-get"):
        raise Failure(missing, EXIT_SETUP)
    if os.geteuid() == 0:
        if not (apt.get("update") and apt.get("install", "-y", "--no-install-recommends", PIP_PACKAGE)):
            raise Failure(missing, EXIT_SETUP)
        return _wheels_of_pip(Path("/usr/share/python-wheels"))
    if not CERTIFICATES.exists():
        raise Failure("missing: certificates (Debian and Ubuntu: apt-get install ca-certificates)", EXIT_SETUP)
    place = folder().parent / "pip"
    if not (wheels := _wheels_of_pip(place / "usr/share/python-wheels")):
        place.mkdir(parents=True, exist_ok=True)
        said: list[str] = []
        code = processes.stream(["apt-get", "download", PIP_PACKAGE], said.append, cwd=place)
        if code and NO_NETWORK.search("\n".join(said)):
            raise Failure("pip cannot be downloaded: apt-get does not reach its packages", EXIT_SETUP)
        for package in place.glob("*.deb"):
            processes.ask(["dpkg-deb", "--extract", str(package), str(place)])
            package.unlink()
        wheels = _wheels_of_pip(place / "usr/share/python-wheels")
    if not wheels:
        raise Failure(missing, EXIT_SETUP)
    return wheels

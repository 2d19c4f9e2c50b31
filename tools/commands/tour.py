"""./lab tour: five things to see first, each with the command that does it again. The next one is built while one reads."""

import os
import struct
import subprocess
import sys
import tempfile
import zlib
from argparse import Namespace
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from building.build import Build
from building.prepare import of_preset, prepare
from commands import check, watch
from reports import pages, watched
from shared import arguments, console, language, processes
from shared.arguments import Commands
from shared.chapters import ROOT
from shared.console import Failure
from translating.translation import Translation

MOVES = "05_dot_product/pictures/watch_2_shared_tree_*_motion*.svg"
PIXEL = 4  # bytes
RACE = "emulator/tests/broken/race/before_the_tree.cu"


@dataclass(frozen=True)
class Station:
    title: str
    text: str
    again: str
    programs: Sequence[str]  # that it runs, as paths in the build folder
    show: Callable[[Build, Namespace], None]


def add_parser(commands: Commands) -> None:
    parser = commands.add_parser(
        "tour",
        summary="five things to see first, a minute each",
        description="Shows a first kernel's output, the same kernel thread by thread, a race that is found, a Julia set, and "
        "what each stage of a dot product gains. No GPU is needed. Each station names the command that does it again; the next "
        "one is built while you read.",
    )
    parser.add_argument("--no-open", action="store_true", help="open no page")
    arguments.add_set_up(parser)


def run(options: Namespace) -> None:
    (picture,) = ROOT.glob(MOVES)
    print(f"To begin with, a picture that moves: the threads of a block add up ones.\n{os.path.relpath(picture)}", flush=True)
    if not options.no_open:
        pages.open_page(picture)
    build = prepare(options, ["01_basics", "04_julia", "05_dot_product"], of_preset("check"), at_first=[])
    for number, station in enumerate(STATIONS, 1):
        build.make(station.programs)
        console.heading(f"{number} of {len(STATIONS)} · {station.title}")
        print(station.text, flush=True)
        station.show(build, options)
        print(f"again: {station.again}", flush=True)
        if number < len(STATIONS):
            _wait_for_reader(build, STATIONS[number])
    print("\nNow the first lesson: 01_basics/README.md. All commands: ./lab")


def _wait_for_reader(build: Build, following: Station) -> None:
    """Until Enter, if somebody is there to press it. Meanwhile, what comes next is built; what goes wrong is told then."""
    if not sys.stdin.isatty():
        return
    with processes.children_end_with_lab():
        command = ["cmake", "--build", str(build.folder), "--target", *following.programs]
        ahead = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        print("Enter goes on ", end="", flush=True)
        sys.stdin.readline()
        ahead.wait()


def _watched_kernel(build: Build, options: Namespace) -> None:
    name, ended = watched.run_stage(build, "01_basics", "1_add", [])
    page = arguments.folder_of_builds(options) / "watch" / f"01_{name}.html"
    watch.show(ended, page, Translation(ROOT, language.chosen()), opens=not options.no_open)


def _race(build: Build, options: Namespace) -> None:
    if check.check_file(ROOT / RACE, "-DBROKEN") == 0:
        raise Failure(f"nothing was found in {RACE}")


def _julia(build: Build, options: Namespace) -> None:
    with tempfile.TemporaryDirectory(prefix="lab-") as folder:
        png = Path(folder, "julia.png")
        size = ["--size", "78x52", "--scale", "1.1", "--palette", "smooth"]
        _call([build.folder / "04_julia/julia", "--stage", "3", "--repeat", "1", *size, "--out", png], quiet=True)
        draw = half_blocks if console.may_colour() else signs
        print(draw(pixels_of(png.read_bytes())))


def _call(command: Sequence[str | Path], quiet: bool = False) -> None:
    if code := processes.call(command, stdout=subprocess.DEVNULL if quiet else None):
        raise Failure(f"{processes.shown([str(word) for word in command])} {processes.describe_exit(code)}")


def pixels_of(png: bytes) -> list[bytes]:
    """The rows of a PNG file as Bitmap writes it: RGBA with 8 bits each, not interlaced."""
    data, at = b"", 8
    while at < len(png):
        length, kind = struct.unpack_from(">I4s", png, at)
        if kind == b"IHDR":
            width = PIXEL * struct.unpack_from(">I", png, at + 8)[0]
        elif kind == b"IDAT":
            data += png[at + 8 : at + 8 + length]
        at += length + 12
    raw, rows = zlib.decompress(data), [bytes(width)]
    for begin in range(0, len(raw), width + 1):
        row = bytearray(raw[begin + 1 : begin + 1 + width])
        for i in range(width):
            left, up, corner = (row[i - PIXEL], rows[-1][i], rows[-1][i - PIXEL]) if i >= PIXEL else (0, rows[-1][i], 0)
            near = min((abs(up - corner), 0, left), (abs(left - corner), 1, up), (abs(left + up - 2 * corner), 2, corner))[2]
            row[i] = (row[i] + (0, left, up, (left + up) // 2, near)[raw[begin]]) & 255
        rows.append(bytes(row))
    return rows[1:]


def half_blocks(rows: Sequence[bytes]) -> str:
    """Two rows of pixels in each line of a terminal: the upper one is the colour of the sign ▀, the lower one its ground."""
    lines = []
    for upper, lower in zip(rows[::2], rows[1::2], strict=True):
        cells = [
            f"\x1b[38;2;{upper[i]};{upper[i + 1]};{upper[i + 2]};48;2;{lower[i]};{lower[i + 1]};{lower[i + 2]}m▀"
            for i in range(0, len(upper), PIXEL)
        ]
        lines.append("".join(cells) + "\x1b[0m")
    return "\n".join(lines)


def signs(rows: Sequence[bytes]) -> str:
    """The same without colours: a sign for each two rows, which is denser where there is more light."""
    return "\n".join("".join(" .:-=+*#%@"[max(row[i : i + 3]) // 26] for i in range(0, len(row), PIXEL)) for row in rows[::2])


STATIONS = (
    Station(
        "a first kernel",
        "One thread of the GPU adds two numbers, and the CPU fetches the sum. Here the emulator stands in for the GPU.",
        "./lab run 1/1_add",
        ["01_basics/1_add"],
        lambda build, options: _call([build.folder / "01_basics/1_add"]),
    ),
    Station(
        "the same kernel, watched",
        "The page shows each step of the kernel: what the thread reads, and what it writes. The arrow keys go through it.",
        "./lab watch 1 1_add",
        ["01_basics/1_add"],
        _watched_kernel,
    ),
    Station(
        "a race is found",
        f"A barrier is missing in {RACE}.\nThe emulator's checked build names the two lines that are in each other's way.",
        f"emulator/nvcc_cpu --check -DBROKEN -o race {RACE} && ./race",
        ["emulator/libemulator.a"],
        _race,
    ),
    Station(
        "a Julia set",
        "A thread for each pixel of the fractal of chapter 04.",
        "./lab run 4 -- --out julia.png",
        ["04_julia/julia"],
        _julia,
    ),
    Station(
        "a ladder",
        "Chapter 05 computes one dot product in many ways, each with one more idea. The times were recorded on a real GPU.",
        "./lab run 5",
        ["05_dot_product/dot_product"],
        lambda build, options: _call([build.folder / "05_dot_product/dot_product", "--repeat", "1", "--n", "65536"]),
    ),
)

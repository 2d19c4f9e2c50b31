"""./lab tour: its stations, and how it reads pictures."""

import random
import re
import struct
import subprocess
import unittest
import zlib

from support import ROOT
from building import dependencies
from building.dependencies import NeededBy
from commands import tour

SEED = random.randrange(1 << 32)


def png(width: int, rows: list[bytes], filters: list[int]) -> bytes:
    """A PNG file of RGBA rows, each written with that filter."""
    data, before = b"", bytes(4 * width)
    for row, kind in zip(rows, filters, strict=True):
        data += bytes([kind])
        for i, value in enumerate(row):
            a, b, c = (row[i - 4], before[i], before[i - 4]) if i >= 4 else (0, before[i], 0)
            p = a + b - c
            paeth = a if abs(p - a) <= abs(p - b) and abs(p - a) <= abs(p - c) else b if abs(p - b) <= abs(p - c) else c
            data += bytes([(value - (0, a, b, (a + b) // 2, paeth)[kind]) % 256])
        before = row
    header = struct.pack(">IIBBBBB", width, len(rows), 8, 6, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(data)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(struct.pack(">I", len(it)) + kind + it + bytes(4) for kind, it in chunks)


class Tour(unittest.TestCase):
    def test_all_filters_of_a_picture(self) -> None:
        drawn = random.Random(SEED)
        rows = [drawn.randbytes(4 * 7) for _ in range(10)]
        self.assertEqual(tour.pixels_of(png(7, rows, [0, 1, 2, 3, 4, 4, 3, 2, 1, 0])), rows, f"SEED={SEED}")

    def test_a_picture_with_and_without_colours(self) -> None:
        rows = [bytes([0, 0, 0, 255, 9, 255, 100, 255])] * 4
        self.assertEqual(tour.signs(rows), " @\n @")
        self.assertEqual(tour.half_blocks(rows).count("▀"), 4)

    @unittest.skipIf(dependencies.missing({NeededBy.EMULATOR}), "the emulator cannot be built without its libraries")
    def test_the_stations(self) -> None:
        command = [ROOT / "lab", "tour", "--no-open", "--no-install"]
        said = subprocess.run(command, cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        self.assertEqual(said.returncode, 0, said.stderr)
        self.assertEqual(re.findall(r"^── (\d) of 5", said.stdout, re.MULTILINE), list("12345"))
        for seen in ("2 + 7 = 9", "01_1_add.html shows 1 launch", "8_deterministic", "again: ./lab run 5"):
            self.assertIn(seen, said.stdout)
        self.assertIn("wrote it at before_the_tree.cu", said.stderr)
        self.assertNotIn("\x1b", said.stdout)
        self.assertEqual(len(re.findall(r"^[ .:=+*#%@-]{78}$", said.stdout, re.MULTILINE)), 26)

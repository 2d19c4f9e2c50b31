"""Sketches for the stages of attention."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from lessons.sketch import EMPTY, FAINT, IDLE, INPUT, MADE, NEAR, PAPER, USED, Sketch, Source

OPERATIONS_A_CYCLE = 4096  # of an H100's multiprocessor, in BF16: a multiply-add counts as two
EXPONENTIALS_A_CYCLE = 16


def _tiled(folder: Path) -> Sketch:
    source = Source(folder / "3_tiled.cu")
    tile = source.number("tile")
    on = Sketch("Stage 3: the matrix of scores exists tile by tile", 300)
    cell, cells, left, top = 24, 8, 92, 66
    on.box(left, top, cell * cells, cell * cells, PAPER)
    for column in range(cells):
        now = column == 3
        on.box(
            left + column * cell,
            top + 4 * cell,
            cell,
            cell,
            USED if now else (IDLE if column < 3 else EMPTY),
            thick=2 if now else 1,
        )
    on.words(left + cell * cells / 2, top - 10, "n keys", anchor="middle")
    on.words(left - 8, top + 4.5 * cell + 4, f"{tile} queries", anchor="end")
    on.line(left + 4 * cell + 4, top + 4.5 * cell, left + cell * cells - 4, top + 4.5 * cell, arrow=True)
    on.lines(
        left,
        top + cell * cells + 18,
        f"grey: forgotten · thick: {tile} × {tile} scores",
        "that exist now · pale: still to come",
    )
    on.words(340, 72, "What a query keeps", bold=True)
    for i, (name, width) in enumerate(
        (("largest score", 120), ("sum of weights", 120), ("weighted sum of the values, d numbers", 260))
    ):
        on.labelled(340, 84 + 34 * i, width, 26, MADE, name)
    on.words(340, 214, "When a tile has a larger score", bold=True)
    on.lines(340, 234, "both sums are multiplied by exp(old − new), and", "the tile's weights, exp(score − new), are added.")
    return on


def _fragments(folder: Path) -> Sketch:
    Source(folder / "5_mma.cu").found(r"multiply_add\(sums\[b\]\[2 \* c\], weights\[b\]")  # weights go on as they are
    lane = 5
    on = Sketch("Stage 5: what a lane gets is what it has to give", 344)
    cell, top = 14, 84

    def grid(left: float, title: str, *, apart: float) -> None:
        on.words(left, top - 26, title, bold=True)
        for row in range(16):
            for column in range(16):
                own = row % 8 == lane // 4 and column % 8 // 2 == lane % 4
                x = left + column * cell + (apart if column >= 8 else 0)
                on.box(x, top + row * cell, cell, cell, USED if own else (INPUT if row % 8 == lane // 4 else PAPER))

    grid(60, "scores: two results of 16 × 8", apart=10)
    grid(420, "weights: a left factor of 16 × 16", apart=0)
    on.words(52, top + (lane // 4 + 0.8) * cell, f"row {lane // 4}", size=11, colour=FAINT, anchor="end")
    on.words(52, top + (lane // 4 + 8.8) * cell, f"row {lane // 4 + 8}", size=11, colour=FAINT, anchor="end")
    on.line(304, top + 8 * cell, 410, top + 8 * cell, arrow=True)
    on.words(357, top + 8 * cell - 10, "exp, pack", anchor="middle")
    on.lines(
        60, top + 16 * cell + 20, f"green: the elements of lane {lane} · blue: those of the three lanes that share its rows"
    )
    return on


class Products:
    """When two warpgroups' products run, in cycles: each starts the scores of the next tile and the sums of the last one, and
    weighs the scores when they are there. The tensor cores take one product after the other."""

    def __init__(self, product: int, weigh: int, tiles: int) -> None:
        self.runs: list[tuple[int, str, float, float]] = []  # warpgroup, what, begin, end
        free, ready = 0.0, [0.0, 0.0]  # the tensor cores; each warpgroup
        for tile in range(tiles):
            for group in range(2):
                begin = max(free, ready[group])
                scores = begin + product
                sums = scores + (product if tile else 0)
                free = sums
                self.runs.append((group, f"s{tile}", begin, scores))
                if tile:
                    self.runs.append((group, f"v{tile - 1}", scores, sums))
                self.runs.append((group, f"w{tile}", scores, scores + weigh))
                ready[group] = max(sums, scores + weigh)


def _weights_meanwhile(folder: Path) -> Sketch:
    source = Source(folder / "6_wgmma.cu")
    rows, keys, d = source.number("wgmma_rows"), source.number("tile_keys"), 128
    product = 2 * rows * keys * d // OPERATIONS_A_CYCLE
    weigh = 2 * rows * keys // EXPONENTIALS_A_CYCLE  # two warpgroups share what makes exponentials
    on = Sketch(f"Stage 6: products of one warpgroup, weights of the other, d = {d}", 232)
    left, scale, last = 128, 0.118, 5200
    lines = {"t": (56, "tensor cores"), "0": (92, "warpgroup 0"), "1": (128, "warpgroup 1")}
    for top, name in lines.values():
        on.words(16, top + 17, name)
    for group, what, begin, end in Products(product, weigh, 5).runs:
        if begin >= last:
            continue
        fill = {"s": NEAR, "v": USED, "w": MADE}[what[0]]
        line = str(group) if what[0] == "w" else "t"
        width = (min(end, last) - begin) * scale
        number = what[1:] + "′" * group if width > 20 else ""
        on.labelled(left + begin * scale, lines[line][0], width, 26, fill, number, size=11)
    for x, fill, text in (
        (16, NEAR, "scores of a tile"),
        (160, USED, "its values, weighted"),
        (330, MADE, "its weights are computed"),
    ):
        on.box(x, 174, 12, 12, fill)
        on.words(x + 18, 184, text)
    on.lines(
        16,
        210,
        f"The number is the tile's, with a prime for warpgroup 1. A product takes {product} cycles, exponentials {weigh}.",
    )
    return on


SKETCHES: dict[str, Callable[[Path], Sketch]] = {
    "3_tiled": _tiled,
    "5_mma": _fragments,
    "6_wgmma": _weights_meanwhile,
}

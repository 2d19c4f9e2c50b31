"""Sketches for the stages of attention."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from pathlib import Path

from lessons.sketch import EMPTY, FAINT, IDLE, INPUT, MADE, NEAR, PAPER, USED, Sketch, Source

OPERATIONS_A_CYCLE = 4096  # of an H100's multiprocessor, in BF16: a multiply-add counts as two
EXPONENTIALS_A_CYCLE = 16


def _three_words(folder: Path) -> Sketch:
    Source(folder / "1_cpu.cpp").found(r"std::exp\(scores\[j\] - largest\)")
    query, words = (2, 1), {"big": ((1, 0), (4, 0)), "red": ((0, 1), (4, 4)), "bus": ((1, 2), (0, 8))}
    scores = [sum(map(math.prod, zip(query, key, strict=True))) / math.sqrt(2) for key, _ in words.values()]
    weights = [math.exp(score) / sum(map(math.exp, scores)) for score in scores]
    mean = [sum(weight * value[c] for weight, (_, value) in zip(weights, words.values(), strict=True)) for c in (0, 1)]
    on = Sketch("Three words: what the query of 'big' finds", 300)
    on.labelled(64, 50, 130, 26, EMPTY, f"query of 'big': {query}")
    for at, name in ((104, "key"), (220, "score"), (330, "weight"), (468, "value")):
        on.words(at, 106, name, anchor="middle", bold=True)
    left, top, unit = 560, 48, 24  # the plane of values
    on.line(left, top + 8.5 * unit, left + 6.5 * unit, top + 8.5 * unit, arrow=True)
    on.line(left, top + 8.5 * unit, left, top, arrow=True)
    x, y = left + mean[0] * unit, top + (8.5 - mean[1]) * unit
    for i, ((word, (key, value)), score, weight) in enumerate(zip(words.items(), scores, weights, strict=True)):
        row, point = 116 + 46 * i, (left + value[0] * unit, top + (8.5 - value[1]) * unit)
        on.words(16, row + 19, word, bold=True)
        on.labelled(64, row, 80, 28, INPUT, str(key))
        on.line(146, row + 14, 186, row + 14, arrow=True)
        on.labelled(190, row, 60, 28, NEAR, f"{score:.2f}")
        on.box(290, row + 4, 100 * weight, 20, MADE)
        on.words(296 + 100 * weight, row + 19, f"{weight:.3f}")
        on.labelled(428, row, 80, 28, USED, str(value))
        on.line(*point, x, y, dashed=True)
        on.box(point[0] - 5, point[1] - 5, 10, 10, USED)
        on.words(point[0] + 10, point[1] - 6, word, bold=True)
    on.box(x - 6, y - 6, 12, 12, MADE)
    on.words(x + 12, y + 5, f"({mean[0]:.1f}, {mean[1]:.1f})", bold=True)
    on.lines(16, 270, "score: query · key / √2; weight: softmax", "right: the values, and their weighted mean in gold")
    return on


def _tiled(folder: Path) -> Sketch:
    source = Source(folder / "3_tiled.cu")
    tile = source.number("tile")
    on = Sketch("Stage 3: the matrix of scores exists tile by tile", 300)
    cell, cells, left, top = 24, 8, 92, 66
    on.box(left, top, cell * cells, cell * cells, PAPER)
    for column in range(cells):
        fill = USED if column == 3 else IDLE if column < 3 else EMPTY
        on.box(left + column * cell, top + 4 * cell, cell, cell, fill, thick=2 if column == 3 else 1)
    on.words(left + cell * cells / 2, top - 10, "n keys", anchor="middle")
    on.words(left - 8, top + 4.5 * cell + 4, f"{tile} queries", anchor="end")
    on.line(left + 4 * cell + 4, top + 4.5 * cell, left + cell * cells - 4, top + 4.5 * cell, arrow=True)
    texts = f"grey: forgotten · thick: {tile} × {tile} scores", "that exist now · pale: still to come"
    on.lines(left, top + cell * cells + 18, *texts)
    on.words(340, 72, "What a query keeps", bold=True)
    for i, name in enumerate(("largest score", "sum of weights", "weighted sum of the values, d numbers")):
        on.labelled(340, 84 + 34 * i, 260 if i == 2 else 120, 26, MADE, name)
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
        for row, column in itertools.product(range(16), repeat=2):
            own = row % 8 == lane // 4 and column % 8 // 2 == lane % 4
            x = left + column * cell + (apart if column >= 8 else 0)
            on.box(x, top + row * cell, cell, cell, USED if own else (INPUT if row % 8 == lane // 4 else PAPER))

    grid(60, "scores: two results of 16 × 8", apart=10)
    grid(420, "weights: a left factor of 16 × 16", apart=0)
    on.words(52, top + (lane // 4 + 0.8) * cell, f"row {lane // 4}", size=11, colour=FAINT, anchor="end")
    on.words(52, top + (lane // 4 + 8.8) * cell, f"row {lane // 4 + 8}", size=11, colour=FAINT, anchor="end")
    on.line(304, top + 8 * cell, 410, top + 8 * cell, arrow=True)
    on.words(357, top + 8 * cell - 10, "exp, pack", anchor="middle")
    text = f"green: the elements of lane {lane} · blue: those of the three lanes that share its rows"
    on.lines(60, top + 16 * cell + 20, text)
    return on


def _products(product: int, weigh: int, tiles: int) -> Iterator[tuple[int, str, int, int]]:
    """When two warpgroups' products run, in cycles: each starts the scores of the next tile and the sums of the last one, and
    weighs the scores when they are there. The tensor cores take one product after the other."""
    free, ready = 0, [0, 0]  # the tensor cores; each warpgroup
    for tile, group in itertools.product(range(tiles), range(2)):
        begin = max(free, ready[group])
        scores = begin + product
        free = scores + (product if tile else 0)
        ready[group] = max(free, scores + weigh)
        yield group, f"s{tile}", begin, scores
        yield group, f"v{tile - 1}", scores, free
        yield group, f"w{tile}", scores, scores + weigh


def _weights_meanwhile(folder: Path) -> Sketch:
    source = Source(folder / "6_wgmma.cu")
    rows, keys, d = source.number("wgmma_rows"), source.number("tile_keys"), 128
    product = 2 * rows * keys * d // OPERATIONS_A_CYCLE
    exponentials = rows * keys // EXPONENTIALS_A_CYCLE
    on = Sketch(f"Stage 6: products of one warpgroup, weights of the other, d = {d}", 248)
    left, scale, last = 128, 0.118, 5200
    lines = {"t": (56, "tensor cores"), "0": (92, "warpgroup 0"), "1": (128, "warpgroup 1")}
    for top, name in lines.values():
        on.words(16, top + 17, name)
    for group, what, begin, end in _products(product, 2 * exponentials, 5):
        if begin >= min(end, last):
            continue
        fill = {"s": NEAR, "v": USED, "w": MADE}[what[0]]
        line = str(group) if what[0] == "w" else "t"
        width = (min(end, last) - begin) * scale
        number = what[1:] + "′" * group if width > 20 else ""
        on.labelled(left + begin * scale, lines[line][0], width, 26, fill, number, size=11)
    colours = (16, NEAR, "scores of a tile"), (160, USED, "its values, weighted"), (330, MADE, "its weights are computed")
    for x, fill, text in colours:
        on.box(x, 174, 12, 12, fill)
        on.words(x + 18, 184, text)
    cycles = f"A product takes {product} cycles, a tile's exponentials {exponentials}; its weights take more than those."
    on.lines(16, 210, "The number is the tile's, with a prime for warpgroup 1.", cycles)
    return on


SKETCHES: dict[str, Callable[[Path], Sketch]] = {
    "three_words": _three_words,
    "3_tiled": _tiled,
    "5_mma": _fragments,
    "6_wgmma": _weights_meanwhile,
}

"""A sketch for each stage of the matrix multiplication whose idea is not in another picture."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import ceil
from pathlib import Path

from lessons.sketch import EMPTY, FAINT, IDLE, INPUT, MADE, NEAR, PAPER, USED, Sketch, Source

MULTIPROCESSORS = 132  # of an H100 and an H200
WARP = 32


class Product:
    """a to the left, b above, and c where they meet: 16 cells each way."""

    CELLS, GAP = 16, 12

    def __init__(self, on: Sketch, x: float, y: float, cell: int) -> None:
        self._on, self._cell = on, cell
        self.side = self.CELLS * cell
        self.left, self.top = x + self.side + self.GAP, y + self.side + self.GAP  # of c
        self.a_left, self.b_top = x, y
        for left, top, name in ((x, self.top, "a"), (self.left, y, "b"), (self.left, self.top, "c")):
            on.box(left, top, self.side, self.side, PAPER if name == "c" else INPUT)
            on.words(left + self.side - 6, top + self.side - 6, name, anchor="end")

    def part(self, of: str, row: int, column: int, rows: int, columns: int, fill: str) -> None:
        left, top = {"a": (self.a_left, self.top), "b": (self.left, self.b_top), "c": (self.left, self.top)}[of]
        at = left + column * self._cell, top + row * self._cell
        self._on.box(*at, columns * self._cell, rows * self._cell, fill)


def _row_per_block(folder: Path) -> Sketch:
    threads = Source(folder / "matrix_multiply.h").number("usual_threads")
    on = Sketch("Stage 2: a block for each row", 300)
    product = Product(on, 16, 46, 7)
    product.part("a", 6, 0, 1, 16, NEAR)
    product.part("a", 6, 5, 1, 1, USED)
    product.part("b", 5, 0, 1, 16, NEAR)
    product.part("b", 5, 4, 1, 4, USED)
    product.part("c", 6, 0, 1, 16, EMPTY)
    product.part("c", 6, 4, 1, 4, MADE)
    on.words(300, 62, "One step of one warp reads", bold=True)
    on.lines(300, 82, "one float of a, the same for all 32 lanes", "32 neighbours in a row of b, one for each lane")
    on.words(300, 134, "The warp makes 32 elements of the row", bold=True)
    on.lines(
        300, 154, f"The block has {threads // WARP} such warps. Thread j makes", f"elements j, j + {threads}, … of its row."
    )
    on.words(300, 206, "For 32 multiply-adds", bold=True)
    on.lines(300, 226, "two loads, each of which is a wavefront of the L1 cache.", "Nothing stays in a register but the sums.")
    return on


def _row_in_shared(folder: Path) -> Sketch:
    piece = Source(folder / "4_row_in_shared.cu").number("piece_size")
    on = Sketch("Stage 4: the block's row of a in shared memory", 300)
    product = Product(on, 16, 46, 7)
    product.part("a", 6, 0, 1, 16, USED)
    product.part("b", 0, 4, 16, 4, NEAR)
    product.part("b", 5, 4, 1, 4, USED)
    product.part("c", 6, 0, 1, 16, EMPTY)
    product.part("c", 6, 4, 1, 4, MADE)
    on.words(300, 72, "Loaded once for the whole block", bold=True)
    on.lines(300, 92, f"its row of a, in pieces of {piece:,} floats")
    on.box(300, 106, 360, 20, USED)
    for x in range(320, 660, 20):
        on.line(x, 106, x, 126)
    on.lines(300, 144, "a piece in shared memory: all threads read it")
    on.words(300, 190, "As before", bold=True)
    on.lines(300, 210, "The block loads all of b. It uses each float of it once:", "the next row of c is another block's.")
    return on


def _tiled(folder: Path) -> Sketch:
    tile = int(Source(folder / "5_tiled.cu").found(r"void tiled\(.*\n\s*\w+<(\d+)>")[1])
    on = Sketch(f"Stage 5: tiles of {tile} × {tile}", 242)
    product = Product(on, 16, 46, 5)
    product.part("a", 4, 0, 4, 16, NEAR)
    product.part("a", 4, 8, 4, 4, USED)
    product.part("b", 0, 4, 16, 4, NEAR)
    product.part("b", 8, 4, 4, 4, USED)
    product.part("c", 4, 4, 4, 4, MADE)
    on.words(240, 50, "A tile of a and a tile of b are in shared memory", bold=True)
    on.lines(240, 70, "until all threads are done. Then come the next ones: a's to the right, b's below.")
    cell, left, top = 8, 320 + 8 * 8 + 16, 92
    for x, y, name in ((left, top, "b's tile"), (320, top + 8 * cell + 16, "a's tile")):
        on.box(x, y, 8 * cell, 8 * cell, INPUT)
        on.words(x - 6 if x == left else x, y + 12 if x == left else y - 6, name, anchor="end" if x == left else "start")
    on.box(left, top + 8 * cell + 16, 8 * cell, 8 * cell, EMPTY)
    on.box(320, top + 8 * cell + 16 + 2 * cell, 8 * cell, cell, USED)
    on.box(left + 5 * cell, top, cell, 8 * cell, USED)
    on.box(left + 5 * cell, top + 8 * cell + 16 + 2 * cell, cell, cell, MADE)
    right = left + 8 * cell + 12
    on.lines(right, top + 14, "One thread, one", f"element: {tile} floats of", f"each tile, {2 * tile} loads for")
    on.lines(right, top + 14 + 51, f"{tile} multiply-adds.", "Each float serves", f"{tile} threads.")
    return on


def _outer(on: Sketch, x: float, y: float, rows: int, columns: int, cell: float) -> None:
    """What a thread has in registers for one l: parts of a and of b, and all their products."""
    for i in range(rows):
        on.box(x, y + 24 + i * cell, cell, cell, USED)
    for j in range(columns):
        on.box(x + 24 + j * cell, y, cell, cell, USED)
    for i in range(rows):
        for j in range(columns):
            on.box(x + 24 + j * cell, y + 24 + i * cell, cell, cell, MADE)


def _thread_of_tile(on: Sketch, x: float, y: float, tile: int, places: Sequence[int], size: float) -> None:
    """A block's tile, and the elements of one thread in it: `size` neighbours at each place, each way. Green, at the sides,
    the loads. Single elements are drawn larger than they are."""
    scale = 200 / tile
    size, small = size * scale, 5
    on.box(x, y, 200, 200, EMPTY)
    for row in places:
        for column in places:
            on.box(x + column * scale, y + row * scale, max(size, small), max(size, small), MADE, thick=0.6)
    for place in places:
        on.box(x + place * scale, y - 20, max(size, small), 12, USED, thick=0.6)
        on.box(x - 20, y + place * scale, 12, max(size, small), USED, thick=0.6)


def _register_tile(folder: Path) -> Sketch:
    source = Source(folder / "6_register_tile.cu")
    tile, per_thread = source.number("tile"), source.number("per_thread")
    across = tile // per_thread
    loads, products = 2 * per_thread, per_thread * per_thread
    on = Sketch(f"Stage 6: a thread makes {per_thread} × {per_thread} elements", 326)
    on.lines(
        16,
        48,
        f"The block's tile of c, {tile} × {tile}. Gold: the elements of one thread, {across} apart and drawn too large.",
    )
    _thread_of_tile(on, 44, 92, tile, [5 + across * i for i in range(per_thread)], 1)
    _outer(on, 330, 92, per_thread, per_thread, 20)
    on.words(330, 82, "In its registers, for one l", bold=True)
    on.words(546, 120, f"{loads} loads", bold=True)
    on.lines(546, 138, f"{per_thread} floats of a and {per_thread} of b,", "from shared memory")
    on.words(546, 188, f"{products} multiply-adds", bold=True)
    on.lines(546, 206, "each of a with each of b:", f"{products} sums stay where they are")
    on.lines(44, 314, f"In stage 5, {products} multiply-adds take {2 * products} loads.")
    return on


def _vectorized(folder: Path) -> Sketch:
    source, before = Source(folder / "7_vectorized.cu"), Source(folder / "6_register_tile.cu")
    tile, groups, per_thread = source.number("tile"), source.number("groups"), before.number("per_thread")
    apart = tile // per_thread
    on = Sketch("Stage 7: neighbours, so that one load brings four of them", 318)
    for x, stage, places, size in (
        (44, "stage 6", [4 + apart * i for i in range(per_thread)], 1),
        (320, "stage 7", [20 + tile // groups * g for g in range(groups)], 4),
    ):
        _thread_of_tile(on, x, 84, tile, places, size)
        on.words(x, 54, f"{stage}: {2 * len(places)} loads of {4 * size} bytes", bold=True)
    on.lines(548, 110, "At the sides: a thread's", "loads for one l, of a to the", "left, and of b above.")
    on.lines(548, 178, "Inside: the elements of c", "that it makes of them:", f"{per_thread * per_thread} in both stages.")
    on.lines(
        44,
        306,
        f"Each square is the block's tile of {tile} × {tile} elements of c; the single ones are drawn larger than they are.",
    )
    return on


def _three_blocks(folder: Path) -> Sketch:
    before, source = Source(folder / "9_pipelined.cu"), Source(folder / "10_three_blocks.cu")
    on = Sketch("Stage 10: smaller tiles, so more blocks", 344)
    n = 1000
    shapes = (
        (16, "stage 9", before.number("tile"), before.number("tile"), before.number("block_size") // WARP, 2),
        (396, "stage 10", source.number("rows"), source.number("columns"), 4, source.number("blocks_at_once")),
    )
    for x, stage, rows, columns, warps, blocks in shapes:
        down, across = ceil(n / rows), ceil(n / columns)
        on.words(x, 54, f"{stage}: tiles of {rows} × {columns}", bold=True)
        for i in range(down):
            for j in range(across):
                on.box(x + j * 17, 66 + i * 136 / down, 17, 136 / down, MADE, thick=0.6)
        on.lines(x, 220, f"c of {n} × {n}:", f"{down * across} tiles, {down * across} blocks")
        for i in range(MULTIPROCESSORS):
            fill = MADE if i < down * across else IDLE
            on.box(x + 164 + i % 12 * 14, 66 + i // 12 * 12.4, 12, 10, fill, thick=0.6)
        on.lines(x + 164, 220, f"{min(down * across, MULTIPROCESSORS)} of {MULTIPROCESSORS} multiprocessors", "have a block")
        left = x
        for block in range(blocks):
            width = warps * 13 + 7
            on.box(left, 270, width, 30, PAPER)
            for warp in range(warps):
                on.box(left + 4 + warp * 13, 276, 11, 18, IDLE if block == 0 else MADE, thick=0.6)
            left += width + 8
        waits = "the other one" if blocks == 2 else "two others"
        on.lines(
            x, 320, "one multiprocessor of a large product: while one", f"block waits at its barrier (grey), {waits} can go on"
        )
    return on


def _long_slices(folder: Path) -> Sketch:
    before, source = Source(folder / "10_three_blocks.cu"), Source(folder / "11_long_slices.cu")
    rows, columns, buffers = source.number("rows"), source.number("columns"), source.number("buffers")
    padding, blocks = Source(folder / "slices.h").number("slice_padding"), source.number("blocks_at_once")
    on = Sketch("Stage 11: longer slices, fewer barriers, more shared memory", 276)
    on.words(176, 56, "64 values of l, and a barrier (black) before each slice", bold=True)
    for y, stage, depth in ((68, "stage 10", before.number("slice")), (108, "stage 11", source.number("slice"))):
        on.words(16, y + 20, f"{stage}: {depth} at a time")
        for first in range(0, 64, depth):
            on.labelled(176 + first * 8.8, y, depth * 8.8, 28, MADE, str(depth))
            on.box(175 + first * 8.8, y - 5, 3, 38, "#1f2933", edge="#1f2933", thick=0)
    scale = 563 / 227
    on.words(176, 176, "Shared memory of a multiprocessor, 227 KiB for its blocks", bold=True)
    on.box(176, 186, 563, 28, PAPER)
    left = 176.0
    size = buffers * source.number("slice") * (rows + padding + columns) * 4 / 1024
    for _ in range(blocks):
        on.labelled(left, 186, size * scale, 28, NEAR, f"{size:.0f} KiB")
        left += size * scale
    on.words(16, 206, f"{blocks} blocks")
    on.line(176 + 48 * scale, 180, 176 + 48 * scale, 226, dashed=True)
    on.lines(
        176, 242, f"{buffers} buffers of {source.number('slice')} × ({rows} + {padding} + {columns}) floats are {size:.0f} KiB."
    )
    on.lines(176, 260, "Beyond 48 KiB (dashed), a kernel has to ask.")
    return on


def _loads_ahead(folder: Path) -> Sketch:
    source = Source(folder / "12_loads_ahead.cu")
    source.found(r"if \(l == slice - 1\) \{\s+__pipeline_wait_prior")
    last = source.number("slice") - 1
    on = Sketch("Stage 12: a slice's first operands come before the barrier", 268)
    on.lines(
        16,
        48,
        "What one warp does at the end of a slice. Time runs to the right, as if a load took half as long as the products.",
    )
    bar, wide, short = 12, 112, 56
    for y, stage, before in ((66, "stage 11", 2), (158, "stage 12", 1)):
        on.words(16, y + 18, stage, bold=True)
        x, waited = 110, False
        for step, now in enumerate((last - 1, last, 0, 1)):
            if step == before:
                on.box(x, y - 6, bar, 76, FAINT)
                x += bar
            if step == 2 and before == 2:
                on.labelled(x, y + 36, short, 28, INPUT, f"load {now}")
                x, waited = x + short, True
            on.labelled(x, y, wide, 28, MADE, f"products {now}")
            following = (last, 0, 1, 2)[step]
            if following or before == 1:
                on.labelled(x, y + 36, short, 28, INPUT, f"load {following}")
            x += wide
        on.lines(x + 10, y + 18, *(("waits once", "in each slice") if waited else ("waits for", "no load")))
    on.lines(
        16,
        252,
        "Grey: the barrier. Blue: the operands of one l are on their way from shared memory. Gold: they are multiplied.",
    )
    return on


def _wavefronts(quads: Sequence[int]) -> list[int]:
    """Of each lane the wavefront that brings its quad, by the rule of stage 13."""
    found: list[int] = []
    for first in range(0, WARP, 16):
        half = quads[first : first + 16]
        pairs = all(half[i] == half[i ^ 1] for i in range(16))
        next_but_one = all(half[i] == half[i ^ 2] for i in range(16))
        count = max(found, default=-1) + 1
        found += [count] * 16 if pairs or next_but_one else [count] * 8 + [count + 1] * 8
    return found


def _lane_pairs(folder: Path) -> Sketch:
    source = Source(folder / "13_lane_pairs.cu")
    source.found(r"lane / \(2 \* Tile::lanes_across\) \* 2 \+ lane % 2")
    source.found(r"lane_column = lane / 2 % Tile::lanes_across")
    across = source.number("warp_columns") // (4 * source.number("column_groups"))
    on = Sketch("Stage 13: where the 32 lanes of a warp stand", 298)
    on.lines(16, 48, "Colours: the lanes that one wavefront serves when the warp loads a quad of b for each lane, from above.")
    fills = (USED, MADE, NEAR, IDLE)
    layouts: tuple[tuple[int, str, Callable[[int], tuple[int, int]]], ...] = (
        (60, "stages 8 to 12", lambda lane: (lane // across, lane % across)),
        (440, "stage 13", lambda lane: (lane // (2 * across) * 2 + lane % 2, lane // 2 % across)),
    )
    for x, name, place in layouts:
        places = [place(lane) for lane in range(WARP)]
        of_a, of_b = _wavefronts([row for row, _ in places]), _wavefronts([column for _, column in places])
        on.words(x, 78, name, bold=True)
        for column in range(across):
            on.labelled(x + column * 34, 92, 30, 18, INPUT, f"b{column}", size=11)
        for row in range(WARP // across):
            on.labelled(x - 40, 120 + row * 34, 30, 30, INPUT, f"a{row}", size=11)
        for lane, (row, column) in enumerate(places):
            on.labelled(x + column * 34, 120 + row * 34, 30, 30, fills[of_b[lane]], str(lane))
        on.lines(x, 276, f"wavefronts: {max(of_b) + 1} for a load of b, {max(of_a) + 1} for a load of a")
    return on


def _fitted(folder: Path) -> Sketch:
    source = Source(folder / "fitted_tiles.h")
    shapes = source.all_found(r"using \w+ = Tile<(\d+), (\d+),")
    numbers = source.all_found(r"\{\w+::rows, \w+::columns, ([\d.]+), ([\d.]+),")
    m, n = 1056, 1024
    on = Sketch(f"Stage 14: tiles for c of {m:,} × {n:,} elements", 406)
    on.lines(
        16,
        48,
        f"A round: each of the {MULTIPROCESSORS} multiprocessors makes a tile, if one is left. Height: how many have one.",
    )
    scale, height = 560 / (2.25 * 8192), 62
    for i, ((rows, columns), (speed, start)) in enumerate(zip(shapes, numbers, strict=True)):
        tiles = ceil(m / int(rows)) * ceil(n / int(columns))
        y, one = 80 + i * 106, int(rows) * int(columns) / float(speed) * scale
        on.words(16, y + 10, f"{rows} × {columns}", bold=True)
        on.lines(16, y + 30, f"{tiles} tiles,", f"{ceil(tiles / MULTIPROCESSORS)} rounds")
        left = 150.0
        on.labelled(left, y, one * float(start), height, IDLE, "start", size=10)
        left += one * float(start)
        rest = tiles
        while rest > 0:
            busy = min(rest, MULTIPROCESSORS)
            on.box(left, y, one, height, PAPER)
            part = height * busy / MULTIPROCESSORS
            on.box(left, y + height - part, one, part, MADE)
            on.words(left + one / 2, y + height / 2 + 4, str(busy), anchor="middle")
            left += one
            rest -= busy
        on.words(left + 6, y + height / 2 + 4, "end")
    on.line(150, 388, 740, 388, arrow=True)
    on.words(150, 380, "time, as the host estimates it before it chooses", colour=FAINT)
    return on


def _bulk_copies(folder: Path) -> Sketch:
    source = Source(folder / "15_bulk_copies.cu")
    rows, depth, buffers = source.number("tile_rows"), source.number("depth"), source.number("buffers")
    order = Source(folder / "tiles.h")
    order.found(r"const unsigned i = h % 2 == 0 \? step : 4 \* rows - 1 - step;")
    order.found(r"const unsigned j = step % 2 == 0 \? k : 3 - k;")
    on = Sketch("Stage 15: the way of a slice, and of a thread's products", 330)
    on.words(16, 50, "global memory", bold=True)
    on.words(230, 50, "shared memory", bold=True)
    for y, name, box, end in ((64, "a", f"{rows} × {depth}", 226), (150, "b", f"{depth} × {rows}", 386)):
        on.labelled(16, y, 110, 50, INPUT, f"{name}: a box of {box}", size=10)
        on.line(130, y + 25, end, y + 25, arrow=True)
        on.words(136, y + 18, "the engine", colour=FAINT, size=11)
    on.labelled(230, 64, 70, 50, NEAR, "rows of a", size=11)
    on.line(304, 89, 386, 89, arrow=True)
    on.words(310, 82, "threads", colour=FAINT, size=11)
    for i in range(buffers):
        on.labelled(390 + i * 12, 64 + i * 6, 60, 50, USED, "a" if i == buffers - 1 else "")
        on.labelled(390 + i * 12, 150 + i * 6, 60, 50, USED, "b" if i == buffers - 1 else "")
    on.words(16, 238, f"A ring of {buffers} slices. One is full when b's bytes have", colour=FAINT, size=11)
    on.words(16, 254, "arrived and each thread has transposed its share of a.", colour=FAINT, size=11)
    on.words(520, 50, "8 × 8 products, to and fro", bold=True)
    cell, left, top = 26, 520, 64
    path = []
    for h in range(2):
        for step in range(8):
            i = step if h == 0 else 7 - step
            path += [(i, 4 * h + (k if step % 2 == 0 else 3 - k)) for k in range(4)]
    for i, j in path:
        on.box(left + j * cell, top + i * cell, cell, cell, MADE if j < 4 else USED, edge=PAPER)
    for (i, j), (to_i, to_j) in zip(path, path[1:], strict=False):
        on.line(
            left + j * cell + cell / 2,
            top + i * cell + cell / 2,
            left + to_j * cell + cell / 2,
            top + to_i * cell + cell / 2,
        )
    on.words(left, top + 8 * cell + 20, "Neighbours on the path share an", colour=FAINT, size=11)
    on.words(left, top + 8 * cell + 36, "element of a (row) or b (column).", colour=FAINT, size=11)
    return on


def _dependent_launch(folder: Path) -> Sketch:
    source = Source(folder / "16_dependent_launch.cu")
    source.found(r"cudaGridDependencySynchronize\(\);.*\n *cudaTriggerProgrammaticLaunchCompletion\(\);")
    on = Sketch("Stages 14 and 16: three launches, one behind the other", 330)
    begin, prepare, multiply, end = 44, 26, 110, 20
    on.words(16, 54, "14", bold=True)
    at = 60.0
    for launch in range(3):
        y = 40 + launch * 30
        on.labelled(at, y, begin, 22, IDLE, "begins", size=10)
        on.box(at + begin, y, prepare, 22, NEAR)
        on.labelled(at + begin + prepare, y, multiply, 22, MADE, "multiplies", size=10)
        on.labelled(at + begin + prepare + multiply, y, end, 22, IDLE, "ends", size=7)
        at += begin + prepare + multiply + end
    on.line(60, 136, at, 136, arrow=True)
    on.words(at + 8, 140, "time", colour=FAINT, size=11)
    on.words(16, 174, "16", bold=True)
    at = 60.0
    for launch in range(3):
        y, works = 160 + launch * 30, at + begin + prepare
        if launch > 0:
            begun = at - multiply + 16  # the blocks of the launch ahead have all come past the wait
            on.labelled(begun, y, begin, 22, IDLE, "begins", size=10)
            on.box(begun + begin, y, prepare, 22, NEAR)
            on.labelled(begun + begin + prepare, y, at + end - begun - begin - prepare, 22, PAPER, "waits", size=10)
            works = at + end
        else:
            on.labelled(at, y, begin, 22, IDLE, "begins", size=10)
            on.box(at + begin, y, prepare, 22, NEAR)
        on.labelled(works, y, multiply, 22, MADE, "multiplies", size=10)
        on.labelled(works + multiply, y, end, 22, IDLE, "ends", size=7)
        at = works + multiply
    on.line(60, 256, at + end, 256, arrow=True)
    on.words(at + end + 8, 260, "time", colour=FAINT, size=11)
    on.box(60, 282, 26, 16, NEAR)
    on.words(94, 295, "prepares: which tile, and where its rows and columns begin", colour=FAINT, size=11)
    on.words(60, 316, "The next launch may begin when all blocks of this one have come past the wait.", colour=FAINT, size=11)
    return on


def _library(folder: Path) -> Sketch:
    Source(folder / "library.cu").found(r"cublasSgemm")
    on = Sketch("library: the same memory, read in rows and in columns", 230)
    cell = 34
    on.words(16, 58, "in memory", bold=True)
    for i in range(6):
        on.labelled(120 + i * cell, 40, cell, 28, MADE if i < 3 else USED, str(i + 1))
    on.words(120, 100, "our c: 2 rows of 3", bold=True)
    for i in range(6):
        on.labelled(120 + i % 3 * cell, 112 + i // 3 * cell, cell, cell, MADE if i < 3 else USED, str(i + 1))
    on.words(340, 100, "cuBLAS sees: 2 columns of 3", bold=True)
    for i in range(6):
        on.labelled(340 + i // 3 * cell, 112 + i % 3 * cell, cell, cell, MADE if i < 3 else USED, str(i + 1))
    on.lines(
        440,
        130,
        "So it takes our a, b and c for aᵀ, bᵀ and cᵀ.",
        "We ask for cᵀ = bᵀ · aᵀ: b comes first,",
        "and nothing is transposed in memory.",
    )
    return on


def _signs(count: int, step: int, by: int) -> list[int]:
    return [i * step % by % 2 for i in range(count)]


def _pack(folder: Path) -> Sketch:
    Source(folder / "pack.cu").found(r"__ballot_sync\(full_warp, is_plus\(element\)\)")
    on = Sketch("pack: 32 signs become a word", 300)
    cell, bits = 19, _signs(WARP, 7, 11)
    on.words(16, 54, "a, along its rows: 32 lanes vote, and the word is the ballot", bold=True)
    on.lines(16, 78, "floats")
    on.lines(16, 100, "lane")
    on.lines(16, 126, "bit")
    for i, bit in enumerate(bits):
        on.labelled(100 + i * cell, 64, cell, 20, EMPTY, "+" if bit else "−")
        on.words(100 + i * cell + cell / 2, 100, str(i), size=10, colour=FAINT, anchor="middle")
        on.labelled(100 + i * cell, 110, cell, 22, MADE if bit else PAPER, str(bit))
    on.words(16, 166, "b, down its columns: each lane makes a word by itself, of 32 rows", bold=True)
    for i in range(5):
        values = _signs(12, 5 + i, 13)
        name = f"row {i}" if i < 3 else "…" if i == 3 else "row 31"
        on.lines(16, 194 + i * 20, name)
        for lane, bit in enumerate(values):
            on.labelled(
                100 + lane * 28, 180 + i * 20, 28, 20, EMPTY if lane != 4 else MADE, "…" if i == 3 else "+" if bit else "−"
            )
    on.words(100 + 14 + 4 * 28, 296, "lane 4's word", size=11, anchor="middle")
    on.lines(460, 200, "Each load of the warp is a row of", "32 neighbours: 128 bytes side by side,", "for b as for a.")
    return on


def _table(folder: Path) -> Sketch:
    Source(folder / "ones_in_byte.h").found(r"ones\[word & 0xff\]")
    on = Sketch("b2 and b3: a table counts, byte by byte", 226)
    a, b = 0x9A3C_51E7, 0xC93C_0D66
    different, size = a ^ b, 18
    for y, name, word in ((52, "word of a", a), (80, "word of b", b), (116, "exclusive or", different)):
        on.words(16, y + 16, name)
        for i in range(WARP):
            bit = word >> (31 - i) & 1
            x = 120 + i * size + i // 8 * 8
            on.labelled(x, y, size, 22, (MADE if y == 116 else USED) if bit else PAPER, str(bit), size=11)
    total = different.bit_count()
    for i in range(4):
        byte, x = different >> (24 - 8 * i) & 0xFF, 120 + i * (8 * size + 8) + 4 * size
        on.line(x, 140, x, 158, arrow=True)
        on.labelled(x - 56, 160, 112, 24, NEAR, f"ones[{byte}] = {byte.bit_count()}")
    sums = " + ".join(str((different >> shift & 0xFF).bit_count()) for shift in (24, 16, 8, 0))
    on.lines(
        120, 210, f"{sums} = {total} of 32 products are −1: four look-ups, and the lanes of a warp look up different bytes"
    )
    return on


def _conflict_free(folder: Path) -> Sketch:
    sources = Source(folder / "b4_tiled.cu"), Source(folder / "b5_tiled_conflict_free.cu")
    sources[0].found(r"y = threadIdx\.x, x = threadIdx\.y")
    sources[1].found(r"y = threadIdx\.y, x = threadIdx\.x")
    tile = sources[0].number("tile")
    on = Sketch(f"b5: which {WARP} of the {tile} × {tile} elements are one warp's", 312)
    cell = 13
    for x, name, down in ((16, "b4: lanes go down the columns", True), (396, "b5: lanes go along the rows", False)):
        on.words(x, 54, name, bold=True)
        places = [(lane % tile, lane // tile) if down else (lane // tile, lane % tile) for lane in range(WARP)]
        for i in range(tile):
            for j in range(tile):
                on.box(x + j * cell, 66 + i * cell, cell, cell, MADE if (i, j) in places else PAPER, thick=0.6)
        for i, j in (places[0], places[1], places[2]):
            on.words(x + j * cell + cell / 2, 66 + i * cell + 10, str(places.index((i, j))), size=9, anchor="middle")
        rows = {row for row, _ in places}
        banks = {row * tile % WARP for row in rows}
        most = max(sum(row * tile % WARP == bank for row in rows) for bank in banks)
        left = x + tile * cell + 14
        on.lines(left, 86, f"for one w, {len(rows)} words", "of a's tile:", f"a_tile[0…{len(rows) - 1}][w]")
        on.lines(left, 148, f"in {len(banks)} banks,", f"{most} in each" if most > 1 else "one in each")
        on.lines(left, 196, f"a store to c: {len(rows)}", f"pieces of {WARP // len(rows) * 4} bytes")
    on.lines(16, 300, "Gold: warp 0 and its first three lanes. Each row of a's tile is 16 words, half of the 32 banks.")
    return on


def _popc(folder: Path) -> Sketch:
    source = Source(folder / "binary_tile.h")
    rows, columns = source.number("thread_rows"), source.number("thread_columns")
    on = Sketch(f"b6: {rows + columns} words serve {rows * columns} pairs", 250)
    _outer(on, 40, 48, rows, columns, 20)
    on.words(200, 76, "In a thread's registers, for one word of k", bold=True)
    on.lines(200, 96, f"{rows} words of a (to the left) and {columns} of b (above), from shared memory")
    on.words(200, 132, f"For each of the {rows * columns} pairs (gold)", bold=True)
    on.labelled(200, 144, 120, 28, USED, "word ^ word")
    on.line(320, 158, 346, 158, arrow=True)
    on.labelled(348, 144, 120, 28, NEAR, "__popc()")
    on.line(468, 158, 494, 158, arrow=True)
    on.labelled(496, 144, 120, 28, MADE, "add to a sum")
    on.lines(200, 190, "64 threads a cycle")
    on.lines(348, 190, "16 threads a cycle")
    on.lines(496, 190, "64 threads, two at once")
    on.lines(200, 218, "What a multiprocessor of compute capability 9.0 starts: counting is the bottleneck.")
    return on


def _carry_save(folder: Path) -> Sketch:
    Source(folder / "b7_carry_save.cu").found(r"twos\[r\]\[s\] \+= __popc\(add\(")
    on = Sketch("b7: add two words, then count one", 262)
    on.lines(16, 48, "For one element of c. x and y are exclusive ors of a word of a and a word of b.")
    on.labelled(16, 110, 76, 32, USED, "ones = 0")
    for i in range(3):
        x = 150 + i * 196
        on.line(92 if i == 0 else x - 118, 126, x - 2, 126, arrow=True)
        on.labelled(x, 104, 78, 44, EMPTY, "add")
        on.labelled(x - 2, 64, 36, 24, USED, f"x{i}")
        on.labelled(x + 44, 64, 36, 24, USED, f"y{i}")
        on.line(x + 16, 88, x + 16, 102, arrow=True)
        on.line(x + 62, 88, x + 62, 102, arrow=True)
        on.line(x + 39, 148, x + 39, 168, arrow=True)
        on.labelled(x - 16, 170, 110, 28, MADE, "popc(carry)")
        on.words(x + 86, 118, "ones", size=11, colour=FAINT)
        on.line(x + 39, 198, x + 39, 214, arrow=True)
    on.line(150 + 2 * 196 + 78, 126, 678, 126, arrow=True)
    on.labelled(680, 112, 66, 28, MADE, "popc", size=12)
    on.box(120, 216, 470, 24, NEAR)
    on.words(355, 233, "twos: the sum of these counts, each of which counts double", anchor="middle")
    on.lines(680, 160, "at the end,", "counts once")
    return on


def _tensor_cores(folder: Path) -> Sketch:
    source = Source(folder / "b8_tensor_cores.cu")
    words, rows, columns = source.number("step"), source.number("fragment_rows"), source.number("fragment_columns")
    on = Sketch("b8: one instruction of a warp, and the lane that holds each part", 436)
    on.lines(
        16,
        48,
        f"{rows} × {columns * 32} bits of a, {words * 32} × {columns} bits of b, {rows} × {columns} sums. Gold: lane 5's.",
    )
    width, height = 44, 13

    def cell(x: float, y: float, lane: int) -> None:
        on.labelled(x, y, width, height, MADE if lane == 5 else INPUT, str(lane), size=10)

    left, top = 16 + words * width + 16, 74 + words * height + 16
    for word in range(words):
        for row in range(rows):
            cell(16 + word * width, top + row * height, row % 8 * 4 + word % 4)
        for column in range(columns):
            cell(left + column * width, 74 + word * height, column * 4 + word % 4)
    for row in range(rows):
        for column in range(columns):
            lane = row % 8 * 4 + column // 2
            on.labelled(
                left + column * width, top + row * height, width, height, MADE if lane == 5 else EMPTY, str(lane), size=10
            )
    on.words(16, top - 8, f"a: {rows} rows of {words} words")
    on.words(left, 68, f"b: {columns} columns of {words} words")
    on.words(left, top + rows * height + 16, f"the sums: {rows} rows of {columns}")
    on.lines(
        16,
        92,
        "A lane holds four words of a, two of b and four",
        "sums. No lane could do anything with its part",
        "alone: all 32 take part, or nothing is defined.",
    )
    return on


class Pipeline:
    """When slices of t3 are asked for, have arrived and were used, in the time that a warpgroup needs for one."""

    PER_TILE, TRANSFER, STORE, APART = 6, 2.3, 1.9, 0.25  # slices; apart: how far the second warpgroup is behind

    def __init__(self, places: int, slices: int) -> None:
        self.asked: list[float] = []
        self.arrived: list[float] = []
        self.begun: list[float] = []  # by the first warpgroup
        for n in range(slices):
            free = self.begun[n - places] + 1 + self.APART if n >= places else 0
            self.asked.append(max(free, self.asked[-1] + 0.1 if self.asked else 0))
            self.arrived.append(max(self.asked[-1] + self.TRANSFER, self.arrived[-1] + 0.4 if self.arrived else 0))
            before = self.begun[-1] + 1 if self.begun else 0
            self.begun.append(max(self.arrived[-1], before + (self.STORE if n and n % self.PER_TILE == 0 else 0)))


def _wgmma(folder: Path) -> Sketch:
    source = Source(folder / "t3_wgmma.cu")
    places, consumers = source.number("slices"), source.number("consumers")
    rows, columns, row_bytes = source.number("tile_rows"), source.number("tile_columns"), source.number("row_bytes")
    on = Sketch("t3: one thread asks for slices, two warpgroups multiply", 474)
    size = (rows + columns) * row_bytes // 1024

    # The parts, and who waits for whom.
    on.labelled(16, 76, 96, 64, INPUT, "a and b")
    on.words(64, 156, "global memory", size=11, colour=FAINT, anchor="middle")
    for place in range(places):
        on.labelled(270, 56 + place * 30, 150, 26, EMPTY, f"place {place}: {size} KiB")
    on.words(345, 194, "the ring, in shared memory", size=11, colour=FAINT, anchor="middle")
    on.line(112, 108, 264, 108, arrow=True)
    on.words(188, 100, "the copy engine", anchor="middle")
    on.words(188, 124, "arrives at full", size=11, colour=FAINT, anchor="middle")
    for group in range(consumers):
        top = 66 + group * 58
        on.labelled(574, top, 170, 40, MADE, f"warpgroup {group}: {rows // consumers} × {columns}")
        on.line(426, 112, 568, top + 20, arrow=True)
    on.words(500, 64, "wait for full", size=11, colour=FAINT, anchor="middle")
    on.words(500, 170, "arrive at empty", size=11, colour=FAINT, anchor="middle")
    on.words(659, 194, "the consumers", size=11, colour=FAINT, anchor="middle")
    on.labelled(60, 214, 208, 26, USED, "the producer, one thread")
    on.line(164, 214, 164, 132, arrow=True)
    on.words(172, 182, "asks for boxes", size=11, colour=FAINT)
    on.line(345, 200, 345, 227)
    on.line(345, 227, 274, 227, arrow=True)
    on.words(354, 224, "waits for empty", size=11, colour=FAINT)

    # What happens in time.
    left, unit, top = 128, 45.0, 290
    last = 13.7
    pipeline = Pipeline(places, 12)
    on.words(16, top - 16, f"In time, with {Pipeline.PER_TILE} slices for a tile", bold=True)

    def bar(y: float, begin: float, end: float, fill: str, text: str) -> None:
        if begin < last:
            end = min(end, last)
            on.labelled(left + begin * unit, y, (end - begin) * unit, 20, fill, text if end - begin > 0.3 else "", size=11)

    for place in range(places):
        on.words(16, top + 15 + place * 24, f"place {place}")
    for group in range(consumers):
        on.words(16, top + 23 + (places + group) * 24, f"warpgroup {group}")
    for n, begun in enumerate(pipeline.begun):
        y, tile = top + n % places * 24, n // Pipeline.PER_TILE
        number = f"{n % Pipeline.PER_TILE}" + "′" * tile
        bar(y, pipeline.asked[n], pipeline.arrived[n], NEAR, number)
        bar(y, pipeline.arrived[n], begun, USED, number)
        bar(y, begun, begun + 1 + Pipeline.APART, MADE, number)
        for group in range(consumers):
            y = top + 8 + (places + group) * 24
            begin = begun + group * Pipeline.APART
            bar(y, begin, begin + 1, MADE, number)
            if n % Pipeline.PER_TILE == Pipeline.PER_TILE - 1:
                bar(y, begin + 1, begin + 1 + Pipeline.STORE, IDLE, "stores its sums")
    y = top + 22 + (places + consumers) * 24
    for x, fill, text in ((16, NEAR, "arrives"), (120, USED, "is there"), (224, MADE, "is multiplied")):
        on.box(x, y - 10, 12, 12, fill)
        on.words(x + 18, y, text)
    on.words(340, y, "A prime: the next tile, whose slices arrive while sums are stored.", colour=FAINT)
    return on


SKETCHES: dict[str, Callable[[Path], Sketch]] = {
    "2_row_per_block": _row_per_block,
    "4_row_in_shared": _row_in_shared,
    "5_tiled": _tiled,
    "6_register_tile": _register_tile,
    "7_vectorized": _vectorized,
    "10_three_blocks": _three_blocks,
    "11_long_slices": _long_slices,
    "12_loads_ahead": _loads_ahead,
    "13_lane_pairs": _lane_pairs,
    "14_fitted": _fitted,
    "15_bulk_copies": _bulk_copies,
    "16_dependent_launch": _dependent_launch,
    "library": _library,
    "pack": _pack,
    "b2_table_popcount": _table,
    "b5_tiled_conflict_free": _conflict_free,
    "b6_popc": _popc,
    "b7_carry_save": _carry_save,
    "b8_tensor_cores": _tensor_cores,
    "t3_wgmma": _wgmma,
}

"""What the checked build counts in the kernels of a chapter: per stage, per line, and kept for the lessons."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from reports import checked
from reports.results import Json
from shared import console
from shared.console import DASH, Failure
from translating.templates import phrase

# Columns of the table, in order: of which count, the heading, and what is put into it of a count and a kernel.
REQUESTS = ("global load", "global store", "global atomic", "shared load", "shared store", "shared atomic", "constant load")
COSTS = {
    "global": ("sectors", "requests"),
    "shared": ("wavefronts", "least_wavefronts"),
    "constant": ("addresses", "requests"),
}
NAMES = ("stage", "kernel", "size")  # the columns that say whose row it is
LEGEND = phrase(
    "Requests of warps in a launch × what each costs: sectors of 32 bytes of global memory, wavefronts of shared memory "
    "(1.0: no bank conflict), addresses of constant memory. At one address: so many lanes of a request. Wavefronts: where "
    "a request needs several even without a conflict. Barriers: of a block. Warp operations and fences: by warps, in a launch."
)


def kernels_of(ended: checked.Ended) -> list[Json]:
    """What a program of the checked build has counted in its kernels: those of its stages, where it says so with a range
    for each table and one for each stage, and not those that bring the input into shape."""
    kernels: list[Json] = json.loads(ended.written)["kernels"] if ended.written else []
    kernels = [kernel for kernel in kernels if len(kernel.get("ranges", [])) != 1]
    for kernel in kernels:
        if kernel["not_counted"]:
            raise Failure(f"{kernel['kernel']} failed, or does too much between two barriers to be counted")
    return kernels


def per_stage(kernels: Iterable[Json]) -> list[Json]:
    """A row for each kernel: of which stage (the program's range that ran it, else the file that it stands in), its name,
    and its counts in a launch. Where file and stage differ, as for a variant, the row names the file, too; and the range
    around the stage's is the table that it was run for."""
    kernels = list(kernels)
    rows: list[Json] = []
    for kernel in kernels:
        launches, ranges = kernel["launches"], kernel.get("ranges", [])
        counts = {
            entry["what"]: {name: _share(n, launches, name) for name, n in entry.items() if name != "what"}
            for entry in kernel["counts"]
        }
        file = Path(kernel["file"]).stem
        stage = ranges[-1] if ranges else file
        rows.append(
            {"stage": stage}
            | ({"file": file} if file != stage else {})
            | ({"table": ranges[0]} if len(ranges) > 1 else {})
            | {"kernel": _short_name(kernel["kernel"]), "blocks": _share(kernel["blocks"], launches), "counts": counts}
        )
    # Kernels of one name in a file are told apart by their template's values, whoever runs them.
    alike = Counter((path, _short_name(name)) for path, name in {(kernel["file"], kernel["kernel"]) for kernel in kernels})
    for row, kernel in zip(rows, kernels, strict=True):
        if alike[kernel["file"], row["kernel"]] > 1:
            row["kernel"] += _template_values(kernel["kernel"])
    return rows


def columns(rows: Sequence[Json]) -> dict[str, list[str]]:
    """The table's columns by their headings: those in which something stands."""
    found = {"stage": [row["stage"] for row in rows], "kernel": [row["kernel"] for row in rows]}
    cells: dict[str, list[str]] = {"barriers": [_barriers(row) for row in rows]}
    for what in REQUESTS:
        cells[f"{what}s"] = [_requests(row, what) for row in rows]
        if what.endswith("atomic"):
            cells[f"{what}s at one address"] = [_at_one_address(row, what) for row in rows]
        if what.startswith("shared") and any(_is_wide(row, what) for row in rows):
            cells[f"wavefronts of {what}s"] = [_number(row["counts"].get(what, {}).get("wavefronts")) for row in rows]
    for what in ("warp operation", "fence"):
        cells[f"{what}s"] = [_number(row["counts"].get(what, {}).get("requests")) for row in rows]
    return found | {name: texts for name, texts in cells.items() if any(text != DASH for text in texts)}


def differing(named: dict[str, list[str]], above: dict[str, list[str]]) -> dict[str, list[str]]:
    """The columns that are not as those above, where the rows are the same; else all."""
    if not above.keys() <= named.keys() or any(named[name] != above.get(name) for name in NAMES if name in named):
        return named
    return {name: texts for name, texts in named.items() if name in NAMES or texts != above.get(name)}


def text_table(named: dict[str, list[str]]) -> str:
    """For a terminal: columns that do not fit beside the others go below, with the names of the rows that have something
    there. Kernels are named where a stage has several, and by their template's values only if these tell them apart."""
    if "kernel" in named:
        full = list(zip(named["stage"], named["kernel"], strict=True))
        short = [(stage, kernel.partition("<")[0]) for stage, kernel in full]
        best = [a if full.count(a) == 1 < short.count(b) else b for a, b in zip(full, short, strict=True)]
        named = named | {"kernel": [kernel for _, kernel in best]}
        if len(set(named["stage"])) == len(best):
            named.pop("kernel")
    names = {name: texts for name, texts in named.items() if name in NAMES}
    rest = [column for column in named.items() if column[0] not in NAMES]
    tables: list[str] = []
    while rest or not tables:
        fitting = 1
        while fitting < len(rest) and _width(names | dict(rest[: fitting + 1])) <= console.width():
            fitting += 1
        rows = list(range(len(next(iter(names.values())))))
        if tables:
            rows = [at for at in rows if any(texts[at] != DASH for _, texts in rest[:fitting])]
        tables.append(_text_table({name: [texts[at] for at in rows] for name, texts in [*names.items(), *rest[:fitting]]}))
        rest = rest[fitting:]
    return "\n\n".join(tables)


def _width(named: dict[str, list[str]]) -> int:
    return max(map(len, _text_table(named).split("\n")))


def _text_table(named: dict[str, list[str]]) -> str:
    """Words to the left, numbers to the right, and long headings in several lines."""
    headings = {name: re.sub(" (?=at |of )", "\n", name).split("\n") for name in named}
    lines_of_heading = max(map(len, headings.values()))
    rows = []
    for at in range(lines_of_heading):
        rows.append([(["" for _ in range(lines_of_heading - len(h))] + h)[at] for h in headings.values()])
    rows += [list(row) for row in zip(*named.values(), strict=True)]
    widths = [max(len(row[i]) for row in rows) for i in range(len(named))]
    aligned = [
        "  ".join(
            text.ljust(width) if name in (*NAMES, "limit") else text.rjust(width)
            for name, text, width in zip(named, row, widths, strict=True)
        )
        for row in rows
    ]
    return "\n".join(line.rstrip() for line in aligned)


def line_table(kernel: Json) -> str:
    """What each line of a kernel does, in a launch."""
    rows, last = [], ""
    for line in kernel["lines"]:
        place = f"{Path(line['file']).name}:{line['line']}"
        if place != last:
            rows.append(f"{place}  {line['text']}")
            last = place
        entry = line["counts"]
        share = {name: _share(n, kernel["launches"], name) for name, n in entry.items() if name != "what"}
        row = {"blocks": kernel["blocks"] / kernel["launches"], "counts": {entry["what"]: share}}
        if entry["what"] == "barrier":
            rows.append(f"    barrier: {_barriers(row)} for each block")
        else:
            at_one = f", {_at_one_address(row, entry['what'])} at one address" if "same_address" in entry else ""
            lanes = f"{share['lanes'] / share['requests']:.1f} lanes each"
            rows.append(f"    {entry['what']}: {_requests(row, entry['what'])}, {lanes}{at_one}")
    return "\n".join(rows)


def path_of(root: Path, chapter: str) -> Path:
    return root / "results" / "counts" / f"{chapter}.json"


def kept(root: Path, chapter: str) -> list[Json]:
    """What was kept of a chapter's counts: a command line and its rows, several times."""
    path = path_of(root, chapter)
    entries: list[Json] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else []
    return entries


def kept_of(root: Path, chapter: str, command: str) -> Json | None:
    """The entry with that command line."""
    return next((entry for entry in kept(root, chapter) if entry["command"] == command), None)


def to_be_kept(runs: Sequence[tuple[str, list[Json]]]) -> str:
    """The text of a chapter's file: a line for each row, so that a change of one is seen as such."""
    parts = []
    for command, rows in runs:
        lines = ",\n".join(f"  {json.dumps(row)}" for row in rows)
        parts.append(f'{{"command": {json.dumps(command)}, "rows": [\n{lines}\n]}}')
    return "[\n" + ",\n".join(parts) + "\n]\n"


def _share(n: int, launches: int, name: str = "") -> float:
    """Of one launch; what is the most of anything is that of all."""
    share = n if name.startswith(("most", "worst")) else n / launches
    return int(share) if share == int(share) else round(share, 3)


def _requests(row: Json, what: str) -> str:
    entry = row["counts"].get(what)
    if not entry:
        return DASH
    if what.split()[0] not in COSTS:
        return _number(entry["requests"])
    cost, least = COSTS[what.split()[0]]
    if least not in entry:  # a profiler's
        return f"{_number(entry[cost])} {cost}"
    return f"{_number(entry['requests'])} × {entry[cost] / entry[least]:.1f}"


def _at_one_address(row: Json, what: str) -> str:
    entry = row["counts"].get(what)
    return f"{entry['same_address'] / entry['requests']:.1f}" if entry and "same_address" in entry else DASH


def _is_wide(row: Json, what: str) -> bool:
    """Whether some requests take several wavefronts even without a conflict: the cost behind the × does not show these."""
    entry = row["counts"].get(what, {})
    return bool(entry.get("least_wavefronts", 0) > entry.get("requests", 0))


def _barriers(row: Json) -> str:
    entry = row["counts"].get("barrier")
    if not entry:
        return DASH
    each: float = entry["requests"] / row["blocks"]
    return f"{each:.3g}" if each < 100 else f"{each:,.0f}"


def _number(n: float | None) -> str:
    return DASH if n is None else f"{n:,.0f}" if n >= 10 or n == int(n) else f"{n:.1f}"


def _short_name(kernel: str) -> str:
    """'void a::{anonymous}::f(int)' is f."""
    name = kernel.replace("(anonymous namespace)", "{anonymous}").partition("(")[0].partition("<")[0]
    return re.split(r"::|\s", name)[-1]


def _template_values(kernel: str) -> str:
    """'void f(T*) [with T = int; bool b = true]' has <int, true>, and so has 'void f<int, true>(int*)'."""
    kernel = re.sub(r"\{anonymous\}::|\(anonymous namespace\)::", "", kernel)
    if values := re.search(r"\[(?:with )?(.+)\]$", kernel):
        given = [part.partition(" = ")[::2] for part in values[1].split("; ")]
        return "<" + ", ".join(value for name, value in given if "::" not in name) + ">"
    in_name = re.search(r"\w<(.+?)>\(", kernel)
    if not in_name:
        return ""
    as_in_gcc = re.sub(r"unsigned (long long|long|short)", r"\1 unsigned int", in_name[1])
    return f"<{re.sub(r'(?<=[0-9])[ul]+', '', as_in_gcc)}>"

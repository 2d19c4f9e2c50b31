"""Markdown tables of the measured numbers."""

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from reports import floors
from reports.results import Json
from shared import chapters
from shared.console import DASH, Failure

SIZES_OF_A_SWEEP = 4  # so many make a curve
UNITS = {
    "gb_per_s": "GB/s",
    "gflop_per_s": "GFLOP/s",
    "tflop_per_s": "TFLOP/s",
    "percent": "%",
    "seconds": "s",
    "ms": "ms",
    "us": "µs",
    "ns": "ns",
    "bytes": "bytes",
}


@dataclass(frozen=True)
class Size:
    """What differs between runs of the same work."""

    value: int
    label: str  # "n = 1,000"
    axis: str  # "n": what the values are
    kind: str  # the run's title without its size: "in double"


_NUMBER, _SAME = r"(?<![\d,])([\d,]*\d)", r"\1(?!,?\d)"
# How titles give the size, what it is, and what a column of that size is called.
SIZES = tuple(
    (re.compile(pattern), axis, label)
    for pattern, axis, label in (
        (r"n = ([\d,]*\d)(?: \w+)?(?=,|$)", "n", "n = {}"),
        (rf"{_NUMBER} spheres?(?=,)", "number of spheres", "{} spheres"),
        (rf" of {_NUMBER} × {_SAME}(?=, [\d,]+ × )", "rows of the filter", "{0} × {0}"),
        (rf"{_NUMBER} positions(?=,)", "number of positions", "{} positions"),
        (rf"(?<=rows) of {_NUMBER} numbers", "numbers in a row", "{} numbers"),
        (rf"{_NUMBER} (?=finds among {_SAME} keys|keys\b)", "number of keys", "{} keys"),
        (rf"{_NUMBER} × {_SAME} times {_SAME} × {_SAME}", "rows and columns", "{0} × {0}"),
        (rf"{_NUMBER} × {_SAME} × {_SAME} points", "points a side", "{0} × {0} × {0}"),
        (rf"{_NUMBER} × {_SAME} points", "points a side", "{0} × {0}"),
        (rf"{_NUMBER} × {_SAME}(?=, c)", "pixels a side", "{0} × {0}"),
        (r": ([\d,]*\d) rows, [\d,]*\d entries", "number of rows", "{} rows"),
    )
)


def chapter_tables(
    chapter: str,
    gpus: Sequence[Json],
    chapter_path: Path,
    stages: Sequence[str] = (),
    chart: str = "results.svg",
    how_to_read: str = "",
) -> str:
    """All that was measured for one chapter: first what is drawn, and below it the tables, folded. With `stages`: only
    their rows, and those tables of numbers that it names. `chart` is the name of the stages' chart, below which stands how to
    read it."""
    entries = [floors.with_floors(gpu, chapter) for gpu in gpus if chapter in gpu["chapters"]]
    if not entries or _are_new(chapter_path, entries, stages):
        return nothing_measured(chapters.number(chapter))
    if stages:
        entries = _only(chapter, entries, stages)
    pictures = []
    if any(stage_runs(entry) for entry in entries):
        pictures += [f"![The stages of {chapter} and what each reaches]({chart})", how_to_read]
    if runs := next(filter(None, map(sweep, entries)), None):
        by_n = chart.removesuffix(".svg") + "_by_n.svg"
        pictures.append(f"![The time of each stage of {chapter} against {size_of(runs[0]).axis}]({by_n})")
    if any(bandwidths(entry) for entry in entries):
        pictures += [f"![What {chapter} measured of memories and copies]({chart})", how_to_read]
    if found := next((run for entry in entries if (run := sweep_of_variants(entry))), None):
        pictures.append(f"![The time of {run_title(found)}](results_by_variant.svg)")
    if any(entry.get("timelines") for entry in entries):
        pictures.append(f"![What copies and kernels of {chapter} did when](timeline.svg)")
    if curve := next(filter(None, map(curve_of, entries)), None):
        pictures.append(f"![{curve['title']}](curve.svg)")
    return "\n\n".join(_one_shown(entries, chapter_path, pictures))


def nothing_measured(*numbers: int) -> str:
    """What stands in place of what these chapters were to be measured for; all of them, where none is named."""
    command = " ".join(["./lab bench", *map(str, numbers)])
    return f"*Nothing has been measured yet: `{command}` on a machine with an NVIDIA GPU does it.*"


def _tables(entry: Json, chapter_path: Path) -> list[str]:
    parts = _run_tables(entry, chapter_path)
    if entry.get("measured"):
        parts.append(caption(entry))
        parts.append(_ceilings_table(entry["measured"], entry.get("peak") or {}))
    for numbers in entry.get("tables", []):
        rows = [[name, *map(significant_text, values)] for name, *values in numbers["rows"]]
        parts += [caption(entry, numbers), table(numbers["header"], rows)]
    return parts


def last_measured(entries: Iterable[Json]) -> Json | None:
    """The entry with the latest date; of several, the last of these."""
    return max(reversed(list(entries)), key=lambda entry: entry.get("date", ""), default=None)


def last_gpu(chapter: str, gpus: Iterable[Json], has: Callable[[Json], object] = bool) -> Json | None:
    """The GPU on which something was measured last of the chapter that its entry then has; of several, the last of these."""
    found = [gpu for gpu in gpus if has(gpu["chapters"].get(chapter, {}))]
    return max(reversed(found), key=lambda gpu: gpu["chapters"][chapter].get("date", ""), default=None)


def _one_shown(entries: Sequence[Json], chapter_path: Path, pictures: Sequence[str]) -> list[str]:
    """The pictures, then the tables of the GPU that was measured last, which the pictures are of; those of the others are
    folded below. Where there is a picture, all tables are folded: it is what one looks at first."""
    parts = {entry["device"]["name"]: _tables(entry, chapter_path) for entry in entries}
    last = last_measured(entry for entry in entries if parts[entry["device"]["name"]])
    shown = last["device"]["name"] if last else ""
    tables = _folded(parts, shown)
    if not pictures:
        return tables
    of_shown = len(parts[shown])
    number = "The table" if of_shown == 2 else "The tables"  # each with a caption
    first = [f"<details><summary>{number} of the {shown}</summary>", *tables[:of_shown], "</details>"]
    return [*filter(None, pictures), *first, *tables[of_shown:]]


def _folded(parts: Mapping[str, Sequence[str]], shown: str) -> list[str]:
    """parts: by the name of the GPU."""
    folded = []
    for name, its in parts.items():
        if name != shown and its:
            folded += [f"<details><summary>The same on the {name}</summary>", *its, "</details>"]
    return [*parts.get(shown, []), *folded]


def _run_tables(entry: Json, chapter_path: Path) -> list[str]:
    """Of runs at many sizes the times in one table, and all about the largest one and the one that stands for the chapter;
    of others, all."""
    parts = []
    runs = stage_runs(entry)
    sweeps = sweeps_of(runs)
    headline = headline_run(entry)["title"] if runs else ""
    for by_n in sweeps:
        parts += [f"{caption(entry)} · {sweep_title(by_n)}", _sweep_table(by_n, chapter_path)]
    for run in runs:
        if run["title"] == headline or not any(run is each for by_n in sweeps for each in by_n[:-1]):
            parts += [caption(entry, run), _stage_table(run, chapter_path)]
    return parts


def _only(chapter: str, entries: Sequence[Json], stages: Sequence[str]) -> list[Json]:
    """The entries with these stages, and with the tables of numbers that are named so up to their first comma; with such a
    table, with the timelines, too."""

    def name_of(numbers: Json) -> str:
        return str(numbers["title"]).partition(", ")[0]

    named = {name_of(numbers) for entry in entries for numbers in entry.get("tables", [])}.intersection(stages)
    asked = [stage for stage in stages if stage not in named]
    require_stages(chapter, asked, [stage["name"] for entry in entries for run in stage_runs(entry) for stage in run["stages"]])
    kept = ("chapter", "device", "date", "commit", "driver", *(["timelines"] if named else []))
    return [
        {key: entry[key] for key in kept if key in entry}
        | {"runs": shown_runs(entry, asked) if asked else []}
        | {"tables": [numbers for numbers in entry.get("tables", []) if name_of(numbers) in named]}
        for entry in entries
    ]


def _are_new(chapter_path: Path, entries: Sequence[Json], stages: Sequence[str]) -> bool:
    """Whether the chapter has all of these stages, and no GPU has measured any of them."""
    others = (path.stem for path in chapter_path.glob("*.cu"))  # such as library and pack
    there = [*chapters.stages(chapter_path.parent, chapter_path.name), *others]
    of_chapter = all(any(chapters.may_mean(asked, name) for name in there) for asked in stages)
    return bool(stages) and of_chapter and not any(shown_runs(entry, stages) for entry in entries)


def require_stages(chapter: str, stages: Sequence[str], names: Sequence[str]) -> None:
    for asked in stages:
        if not any(chapters.may_mean(asked, name) for name in names):
            raise Failure(f"{chapter} has no stage '{asked}' in this table; there are: {', '.join(dict.fromkeys(names))}")


def _means(asked: str, name: str) -> bool:
    """In a marker, library is not library_tensor: each ladder has a library of its own."""
    return chapters.may_mean(asked, name) and (asked != "library" or name.partition("/")[0] == asked)


def is_among(name: str, stages: Sequence[str]) -> bool:
    """Whether a stage is one of those that were asked for; all are where none was."""
    return not stages or any(_means(asked, name) for asked in stages)


def summary_table(gpus: Sequence[Json]) -> str:
    """For results/README.md what every chapter's stages gained: one table per GPU, of which the one is shown that was the last
    to be measured in most chapters."""
    stages = ["fastest on the CPU", "first GPU stage", "best stage"]
    header = ["chapter", "largest size", *stages, "gain", "over the CPU", "library", "% of ceiling"]
    entries = {gpu["device"]: [entry for entry in gpu["chapters"].values() if stage_runs(entry)] for gpu in gpus}
    parts = {
        name: [f"**{name}**", table(header, [_summary_row(entry) for entry in its], text_columns=5)]
        for name, its in entries.items()
        if its
    }
    if not parts:
        return nothing_measured()
    everything = [entry for its in entries.values() for entry in its]
    of_chapters = [[e for e in everything if e["chapter"] == chapter] for chapter in {e["chapter"] for e in everything}]
    last = [last_measured(its) for its in of_chapters]
    shown = max(reversed(list(parts)), key=lambda name: sum(entry in last for entry in entries[name]))
    return "\n\n".join(_folded(parts, shown))


def caption(entry: Json, run: Json | None = None) -> str:
    """Which device, size, software, day and commit a table is about."""
    device = entry["device"]
    facts = [f"**{device['name']}**"]
    if run:
        facts.append(run_title(run))
    facts.append(f"CUDA {device.get('cuda_runtime', '?')}")
    for name in ("driver", "date", "commit"):
        if entry.get(name):
            facts.append(entry[name] if name == "date" else f"{name} {entry[name]}")
    if device.get("cpu"):
        facts.append(f"CPU: {device['cpu']}")
    return " · ".join(facts)


def stage_runs(entry: Json) -> list[Json]:
    """The runs of an entry that hold stages; a chapter such as 02_device_query has none."""
    return [run for run in entry.get("runs", []) if run.get("stages")]


def shown_runs(entry: Json, stages: Sequence[str]) -> list[Json]:
    """The same with the rows of some stages only; with all for none."""
    if not stages:
        return stage_runs(entry)
    runs = [run | {"stages": [row for row in run["stages"] if is_among(row["name"], stages)]} for run in stage_runs(entry)]
    return [run for run in runs if run["stages"]]


def headline_run(entry: Json, stages: Sequence[str] = ()) -> Json:
    """The run that stands for the chapter in the chart and the summary: the largest of its own ladder, which has numbers and no
    letters before them; the first one of several. Of those with most of the stages that are named, where some are."""

    def how_many(run: Json) -> int:
        rows = [row for row in run["stages"] if not is_cpu(row)]  # which a large run may have left out
        return sum(any(_means(asked, row["name"]) for row in rows) for asked in stages)

    def is_own_ladder(run: Json) -> bool:
        return any(row["name"][0].isdigit() for row in run["stages"])

    return max(shown_runs(entry, stages), key=lambda run: (how_many(run), is_own_ladder(run), run.get("n", 0)))


def sweep(entry: Json, stages: Sequence[str] = ()) -> list[Json]:
    """The runs that are the same work at many sizes, with the most stages if there are several such works; else none."""

    def how_many_stages(runs: Sequence[Json]) -> int:
        return len({row["name"].partition("/")[0] for row in runs[0]["stages"]})

    return max(sweeps_of(shown_runs(entry, stages)), key=how_many_stages, default=[])


def sweeps_of(all_runs: Iterable[Json]) -> list[list[Json]]:
    """All runs that are the same work at many sizes, each from the smallest to the largest."""
    kinds: dict[str, list[Json]] = {}
    for run in all_runs:
        kinds.setdefault(size_of(run).kind, []).append(run)
    return [
        sorted(runs, key=lambda run: size_of(run).value)
        for runs in kinds.values()
        if len({size_of(run).value for run in runs}) == len(runs) >= SIZES_OF_A_SWEEP
    ]


def sweep_of_variants(entry: Json) -> Json | None:
    """A run of one stage whose variants differ in a number, as 3_shared_atomics/8_blocks: only these, in its order. The
    largest such run."""
    for run in sorted(stage_runs(entry), key=lambda run: -run["n"]):
        numbered = {number: row for row in run["stages"] if (number := variant_number(row["name"])) is not None}
        if len(numbered) >= SIZES_OF_A_SWEEP:
            return run | {"stages": [numbered[number] for number in sorted(numbered)]}
    return None


def variant_number(name: str) -> int | None:
    found = re.fullmatch(r"\w+/(\d+)_[a-z]+", name)
    return int(found[1]) if found else None


def sweep_title(runs: Sequence[Json]) -> str:
    """What the runs of a sweep have in common."""
    size = size_of(runs[0])
    return size.kind or f"by {size.axis}"


def run_title(run: Json) -> str:
    return (run.get("title") or f"n = {run['n']:,}") + (", cold L2 cache" if run.get("cold_l2") else "")


def is_cpu(stage: Json) -> bool:
    return floors.CPU.match(stage["name"]) is not None


def is_library(stage: Json) -> bool:
    return re.match(r"library", stage["name"]) is not None


def table(header: Sequence[str], rows: Sequence[Sequence[str]], text_columns: int = 1) -> str:
    """A Markdown table; the columns after the first text_columns hold numbers and are set flush right."""
    rule = [":--" if column < text_columns else "--:" for column in range(len(header))]
    return "\n".join("| " + " | ".join(row) + " |" for row in [header, rule, *rows])


def time_text(seconds: float | None) -> str:
    """Four digits or so, with the unit that suits."""
    if seconds is None:
        return DASH
    value, unit = next(
        ((seconds * factor, unit) for factor, unit in ((1, "s"), (1e3, "ms")) if seconds * factor >= 0.99995),
        (seconds * 1e6, "µs"),
    )
    digits = 3 if value < 10 else 2 if value < 100 else 1
    return f"{value:,.{digits}f} {unit}"


def number_text(value: float | None, suffix: str = "") -> str:
    """Three digits or more, with thousands set apart."""
    if value is None:
        return DASH
    digits = 2 if abs(value) < 10 else 1 if abs(value) < 100 else 0
    return f"{value:,.{digits}f}{suffix}"


def significant_text(value: float | None) -> str:
    """Three digits, wherever the point is."""
    if not value:
        return DASH if value is None else "0"
    digits = max(0, 2 - math.floor(math.log10(abs(value))))
    return f"{value:,.{digits}f}"


def percent_text(value: float | None) -> str:
    return DASH if value is None else f"{value:.1f}"


def digits_text(error: float | None) -> str:
    """How many decimal digits are right, from a relative error."""
    if error is None:
        return DASH
    return f"{max(0.0, -math.log10(error)):.1f}" if error else "exact"


def _stage_table(run: Json, chapter_path: Path) -> str:
    stages = run["stages"]
    columns: dict[str, list[str]] = {
        "time": [time_text(stage.get("seconds")) for stage in stages],
        "[at least](../results/README.md#floors)": [_floor_text(stage.get("floor")) for stage in stages],
        "with copies": [time_text(stage.get("seconds_with_copies")) for stage in stages],
        "GB/s": [number_text(stage.get("gb_per_s")) for stage in stages],
        "GFLOP/s": [number_text(stage.get("gflop_per_s")) for stage in stages],
        f"M {run.get('items_are')}/s": [number_text(stage.get("mega_items_per_s")) for stage in stages],
        "% of copy": [percent_text(stage.get("percent_of_copy")) for stage in stages],
        "% of peak": [percent_text(stage.get("percent_of_peak")) for stage in stages],
        "speed-up over CPU": [number_text(stage.get("speedup"), "×") for stage in stages],
    }
    if any(stage.get("error") for stage in stages):  # where all are exact, the column would say nothing
        columns["correct digits"] = [digits_text(stage.get("error")) for stage in stages]
    used = {name: texts for name, texts in columns.items() if any(text != DASH for text in texts)}
    all_names = [stage["name"] for stage in stages]
    names = [_stage_link(name, all_names, chapter_path) for name in all_names]
    return table(["stage", *used], list(zip(names, *used.values(), strict=True)))


def payoff(entry: Json, stages: Sequence[str], title: str, chapter_path: Path) -> str:
    """What each of these stages adds, as its file says, and what it brought: in the run with that title, or in the one that
    stands for them."""
    require_stages(chapter_path.name, stages, [row["name"] for run in stage_runs(entry) for row in run["stages"]])
    files = [*chapter_path.glob("*_*.c*"), *chapter_path.glob("library*.cu")]
    ideas = {stage.name: stage.idea for path in files for stage in chapters.entries(path)}
    found = [run for run in shown_runs(entry, stages) if run_title(run) == title]
    if title and not found:
        raise Failure(f"no run is called '{title}'")
    run = found[0] if found else headline_run(entry, stages)
    rows = [row for row in run["stages"] if any(_means(a, row["name"]) and ("/" in a) == ("/" in row["name"]) for a in stages)]
    on_host = all(map(is_cpu, rows))
    seconds = [_seconds(row) if on_host or not is_cpu(row) else None for row in rows]
    first = next(filter(None, seconds), 0.0)
    library = next((_seconds(row) for row in rows if is_library(row)), None)
    cells = [
        [
            _stage_link(row["name"], [], chapter_path),
            ideas.get(row["name"], ""),
            time_text(row.get("seconds")),
            number_text(own and first / own, "×"),
            *([percent_text(own and 100 * library / own)] if library else []),
        ]
        for row, own in zip(rows, seconds, strict=True)
    ]
    header = ["stage", "idea", "time", "× the first", *(["% of the library"] if library else [])]
    return f"**{entry['device']['name']}** · {run_title(run)}\n\n{table(header, cells, text_columns=2)}"


def _floor_text(floor: floors.Floor | None) -> str:
    return f"{floors.time_text(floor.shown())}, {floor.limit}" if floor else DASH


def in_ladder(name: str) -> tuple[float, str]:
    """Sorts the names of stages by their numbers: 9_merge_tree, 10_radix. The library's has none, and is the last."""
    number = re.match(r"\d+", name)
    return (int(number[0]) if number else math.inf, name)


def _sweep_table(runs: Sequence[Json], chapter_path: Path) -> str:
    """The time of each stage at each size; a dash where it was left out."""
    names = sorted({stage["name"] for run in runs for stage in run["stages"]}, key=in_ladder)
    times = [{stage["name"]: stage.get("seconds") for stage in run["stages"]} for run in runs]
    rows = [[_stage_link(name, names, chapter_path), *[time_text(by_name.get(name)) for by_name in times]] for name in names]
    return table(["stage", *[size_of(run).label for run in runs]], rows)


def size_of(run: Json) -> Size:
    """'in double, n = 1,000 terms' is 'in double' of size 1,000."""
    title = run_title(run)
    for pattern, axis, label in SIZES:
        if match := pattern.search(title):
            kind = re.sub(r", (?=,)", "", pattern.sub("", title)).strip(" ,")
            return Size(int(match[1].replace(",", "")), label.format(match[1]), axis, kind)
    return Size(run["n"], f"n = {run['n']:,}", "n", title)


def shown_name(name: str, all_names: Sequence[str]) -> str:
    """A variant, '4_tiled/padded', is '· padded' below its stage."""
    file, _, variant = name.partition("/")
    return f"· {variant.replace('_', ' ')}" if variant and file in all_names else name


def _stage_link(name: str, all_names: Sequence[str], chapter_path: Path) -> str:
    """A stage's name is its file's name: link to it."""
    file, shown = name.partition("/")[0], shown_name(name, all_names)
    indent = "&emsp;" if shown != name else ""
    for suffix in (".cu", ".cpp"):
        if (chapter_path / (file + suffix)).exists():
            return f"{indent}[{shown}]({file}{suffix})"
    return indent + shown


def _ceilings_table(measured: Json, peak: Json) -> str:
    """What 02_device_query measured, and below it the peaks that it worked out."""
    rows = []
    for key, value in measured.items():
        unit = next((name for name in UNITS if key.endswith(f"_{name}")), "")
        rows.append([_label(key, unit), _with_unit(value, unit)])
    for unit, label in (("gb_per_s", "peak of the memory, worked out"), ("gflop_per_s", "peak of fp32, worked out")):
        if peak.get(unit):
            rows.append([label, _with_unit(peak[unit], unit)])
    return table(["measured", "value"], rows)


def _label(key: str, unit: str) -> str:
    words = key.removesuffix(f"_{unit}").replace("_", " ")
    return re.sub(r"\bl([12])\b", r"L\1", re.sub(r" (pageable|pinned)$", r", \1", words))


def bandwidths(entry: Json) -> dict[str, float]:
    """Of what 02_device_query measured, the GB/s, by what they are of."""
    measured = entry.get("measured") or {}
    return {_label(key, "gb_per_s"): value for key, value in measured.items() if value and key.endswith("_gb_per_s")}


def curve_of(entry: Json) -> Json | None:
    """The table of an entry that is also to be drawn, if there is one."""
    return next((numbers for numbers in entry.get("tables", []) if numbers.get("curve")), None)


def _with_unit(value: float | None, unit: str) -> str:
    return DASH if value is None else f"{number_text(value)} {UNITS.get(unit, '')}".rstrip()


def _seconds(stage: Json) -> float:
    return float(stage["seconds"])


def _summary_row(entry: Json) -> list[str]:
    run = headline_run(entry)
    timed = [stage for stage in run["stages"] if stage.get("seconds")]  # others were too slow to be measured
    cpu = min(filter(is_cpu, timed), key=_seconds, default=None)
    library = next((stage["seconds"] for stage in run["stages"] if is_library(stage)), None)
    own = [stage for stage in timed if not is_cpu(stage) and not is_library(stage)]
    first, best = own[0], min(own, key=_seconds)
    return [
        f"[{entry['chapter']}](../{entry['chapter']}/)",
        run_title(run),
        f"{cpu['name']}, {time_text(cpu['seconds'])}" if cpu else DASH,
        f"{first['name']}, {time_text(first['seconds'])}",
        f"{best['name']}, {time_text(best['seconds'])}",
        number_text(first["seconds"] / best["seconds"], "×"),
        number_text(_seconds(cpu) / _seconds(best) if cpu else None, "×"),
        time_text(library),
        percent_text(best.get("percent_of_copy") or best.get("percent_of_peak")),
    ]

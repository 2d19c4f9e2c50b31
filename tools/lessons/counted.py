"""Markdown tables of what was counted in the kernels: on the emulator, and by Nsight Compute beside it."""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from lessons import tables
from reports import counts, nsight
from reports.results import Json
from shared.console import DASH, Failure


def chapter_table(chapter: str, entry: Json, wanted: Sequence[str], stages: Sequence[str]) -> tuple[list[str], list[list[str]]]:
    """Headings and rows of some columns (all for none), for those of some stages in which one of them has something."""
    tables.require_stages(chapter, stages, [row["stage"] for row in entry["rows"]])
    usual = counts.columns(entry["rows"])
    named = usual | _lanes(entry["rows"])
    for name in wanted:
        if name not in named:
            raise Failure(f"{chapter} has no counts of '{name}'; there are: {', '.join(list(named)[2:])}")
    chosen = {name: named[name] for name in (wanted or list(usual)[2:])}
    rows = [
        [_row_name(row, entry["rows"]), *texts]
        for row, *texts in zip(entry["rows"], *chosen.values(), strict=True)
        if tables.is_among(row["stage"], stages) and any(text != DASH for text in texts)
    ]
    return ["stage", *chosen], rows


def _lanes(rows: Sequence[Json]) -> dict[str, list[str]]:
    """Columns that a lesson must ask for: how many lanes take part in an average request. Few: the lanes diverge."""
    return {
        f"lanes of a {what}": [
            f"{count['lanes'] / count['requests']:.1f}" if (count := row["counts"].get(what)) else DASH for row in rows
        ]
        for what in counts.REQUESTS
    }


def _row_name(row: Json, rows: Sequence[Json]) -> str:
    """The stage, and the kernel too where the stage has several."""
    several = sum(other["stage"] == row["stage"] for other in rows) > 1
    return f"{row['stage']}, `{row['kernel']}`" if several else str(row["stage"])


def comparison(root: Path, wanted: Sequence[str]) -> str:
    """For Markdown: what was counted of some stages ('03_vector_add/5_vectorized') here and on each GPU; and how much of
    all that was counted on both sides is the same."""
    parts = []
    for path in sorted((root / "results" / "counts").glob("nsight_compute_*.json")):
        kept = json.loads(path.read_text(encoding="utf-8"))
        pairs = [pair for chapter, entry in kept["chapters"].items() for pair in _pairs(root, chapter, entry["runs"])]
        chosen: dict[str, dict[str, tuple[str, Json, Json]]] = {name: {} for name in wanted}
        for chapter, here, there in pairs:  # of a kernel that several commands run, the first one's
            if (name := f"{chapter}/{here['stage']}") in chosen:
                chosen[name].setdefault(here["kernel"], (chapter, here, there))
        for name, found in chosen.items():
            if not found:
                raise Failure(f"'{name}' was not counted both on the emulator and on {kept['device']}")
        rows = [row for found in chosen.values() for pair in found.values() for row in _comparison_rows(*pair)]
        captions = {
            tables.caption(entry | {"device": {"name": kept["device"], "cuda_runtime": entry["cuda"]}})
            for chapter, entry in kept["chapters"].items()
            if any(name.startswith(chapter + "/") for name in wanted)
        }
        parts += sorted(captions)
        parts.append(tables.table(["stage", "what", "counted here", "Nsight Compute"], rows, text_columns=2))
        parts.append(_summary(pairs))
    return "\n\n".join(parts) or "*Nothing has been counted on a GPU yet: `./lab count --ncu` does it.*"


def _pairs(root: Path, chapter: str, runs: Sequence[Json]) -> Iterable[tuple[str, Json, Json]]:
    """The kernels of a chapter that both sides have counted: the chapter, and the rows of both."""
    # The profiler knows of a kernel the file that it stands in, not which stage ran it: what several have run is left out.
    here: dict[tuple[str, str, str], list[Json]] = {}
    for entry in counts.kept(root, chapter):
        for row in entry["rows"]:
            for place in {row["stage"], row.get("file", row["stage"])}:
                here.setdefault((entry["command"], place, row["kernel"]), []).append(row)
    for run in runs:
        for row in run["rows"]:
            counted = here.get((run["command"], row["stage"], row["kernel"]), [])
            if len(counted) == 1:
                yield chapter, counted[0], row


def _comparison_rows(chapter: str, here: Json, there: Json) -> list[list[str]]:
    name = f"{chapter[:2]} · {here['stage']}" + ("" if "<" not in here["kernel"] else f", `{here['kernel']}`")
    if here["blocks"] != there["blocks"]:
        name += f", {here['blocks']:,} blocks here and {there['blocks']:,} there"
    rows: list[list[str]] = []
    for what in nsight.METRICS:
        if what in here["counts"] or what in there["counts"]:
            rows.append(["" if rows else name, f"{what}s", _figure(what, here), _figure(what, there)])
    return rows


def _cost(what: str, row: Json) -> float:
    entry = row["counts"].get(what, {})
    return float(entry.get("sectors" if what.startswith("global") else "wavefronts", 0))


def _figure(what: str, row: Json) -> str:
    if what.startswith("shared"):
        return f"{_cost(what, row):,.0f} wavefronts"
    requests = row["counts"].get(what, {}).get("requests", 0)
    return f"{_cost(what, row):,.0f} sectors in {requests:,.0f} requests"


def _summary(pairs: Sequence[tuple[str, Json, Json]]) -> str:
    figures = [
        (_cost(what, here), _cost(what, there))
        for _, here, there in pairs
        if here["blocks"] == there["blocks"]
        for what in nsight.METRICS
        if what in here["counts"] or what in there["counts"]
    ]
    equal = sum(here == there for here, there in figures)
    near = sum(here != there and abs(here - there) <= 0.05 * there for here, there in figures)
    return (
        f"Of all {len(figures)} sums of sectors or wavefronts that both sides have of a chapter's kernel, with the same grid, "
        f"{equal} are equal and {near} more differ by less than 5 %."
    )

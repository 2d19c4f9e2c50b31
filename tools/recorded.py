"""Writes what results/ has of a chapter for the chapter's program, which shows it where there is no GPU: what was counted in
each stage, and how long it took on the GPU that measured it last. harness/recorded.cpp reads it.
Called by the emulator's builds as: python3 tools/recorded.py CHAPTER OUTPUT
"""

import json
import sys
from collections.abc import Iterable
from pathlib import Path

from lessons import tables
from reports import counts, floors, results
from reports.results import Json
from shared.chapters import ROOT

GLOBAL = ("global load", "global store", "global atomic")
SHARED = ("shared load", "shared store", "shared atomic")


def of_chapter(chapter: str, devices: Iterable[Json], counted: list[Json]) -> Json:
    return {"counted": _counts(counted), **_measured(chapter, devices)}


def _counts(entries: list[Json]) -> list[Json]:
    """For each table the command line that counted it, the first one of several; and what a launch of each stage has,
    from what costs most to what costs least. What no stage has is left out."""
    tables: dict[str, dict[str, dict[str, float]]] = {}
    commands: dict[str, str] = {}
    for entry in entries:
        for row in entry["rows"]:
            title = row.get("table", "")
            if commands.setdefault(title, entry["command"]) == entry["command"]:
                counts = tables.setdefault(title, {}).setdefault(row["stage"], {})
                for what, number in of_kernel(row["counts"]).items():
                    counts[what] = counts.get(what, 0) + number
    found = []
    for title, stages in tables.items():
        shown = [what for what in of_kernel({}) if any(counts[what] for counts in stages.values())]
        found.append({"title": title, "command": commands[title], "what": shown, "stages": stages})
    return found


def of_kernel(counts: Json) -> dict[str, float]:
    def total(kinds: Iterable[str], what: str) -> float:
        return float(sum(counts.get(kind, {}).get(what, 0) for kind in kinds))

    return {
        "sectors": total(GLOBAL, "sectors"),
        "conflicts": total(SHARED, "wavefronts") - total(SHARED, "least_wavefronts"),
        "atomics": total(("global atomic", "shared atomic"), "lanes"),
        "barriers": total(("barrier",), "requests"),
        "requests": total(GLOBAL, "requests"),
    }


def _measured(chapter: str, devices: Iterable[Json]) -> Json:
    """Of the GPU whose tables a lesson shows."""
    entries = [device["chapters"][chapter] for device in devices if chapter in device["chapters"]]
    entry = tables.last_measured(filter(tables.stage_runs, entries))
    if entry is None:
        return {"gpu": "", "gpu_in_full": "", "runs": []}
    name = entry["device"]["name"]
    runs = [
        {"title": run["title"], "n": run["n"], "seconds": {stage["name"]: stage["seconds"] for stage in run["stages"]}}
        for run in tables.stage_runs(entry)
        if not run.get("cold_l2")
    ]
    return {"gpu": floors.short_name(name), "gpu_in_full": name, "runs": runs}


def main() -> None:
    chapter, output = sys.argv[1], Path(sys.argv[2])
    found = of_chapter(chapter, results.load_gpus(ROOT / "results"), counts.kept(ROOT, chapter))
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_text(json.dumps(found), encoding="utf-8")


if __name__ == "__main__":
    main()

"""Markdown tables of floors: what the recorded times are at least, and how many times that they are."""

from collections.abc import Iterator, Sequence

from lessons import tables
from reports import floors
from reports.floors import Recorded
from reports.results import Json
from shared.console import DASH


def overview(gpus: Sequence[Json]) -> str:
    """How far all recorded times lie above their floors, and folded, those of the largest run of each kind."""
    recorded = {
        gpu["device"]: [each for chapter in sorted(gpu["chapters"]) for each in floors.of_recorded(gpu, chapter)]
        for gpu in gpus
        if floors.ceilings(gpu)
    }
    if not any(recorded.values()):
        return "*No floors are known yet: `./lab bench` on a machine with an NVIDIA GPU measures ceilings and times.*"
    parts = [_summary(recorded)]
    for chapter in sorted({each.chapter for of_gpu in recorded.values() for each in of_gpu}):
        parts.append(f"<details><summary>{chapter}</summary>")
        parts += _tables({gpu: [each for each in of_gpu if each.chapter == chapter] for gpu, of_gpu in recorded.items()})
        parts.append("</details>")
    return "\n\n".join(parts)


def _summary(recorded: dict[str, list[Recorded]]) -> str:
    rows = []
    for gpu, of_gpu in recorded.items():
        # What is claimed is the rounded floor. One that was measured is seldom the same in the fourth digit.
        above = [each.ratio() for each in of_gpu if each.stage["seconds"] >= each.floor.shown()]
        limits = ((0, 1.5), (1.5, 3), (3, 10), (10, 100), (100, float("inf")))
        counts = [len(of_gpu), len(of_gpu) - len(above), *(sum(a <= ratio < b for ratio in above) for a, b in limits)]
        rows.append([gpu, *(f"{count:,}" for count in counts)])
    return tables.table(
        ["times recorded on", "all", "below the floor", "up to 1.5 ×", "up to 3 ×", "up to 10 ×", "up to 100 ×", "more"], rows
    )


def _tables(of_chapter: dict[str, list[Recorded]]) -> Iterator[str]:
    """A table for each kind of run, of the one with the largest n; the GPUs stand beside each other."""
    runs: dict[str, Json] = {}
    for each in (each for of_gpu in of_chapter.values() for each in of_gpu):
        kind = tables.size_of(each.run).kind
        runs[kind] = max(runs.get(kind, each.run), each.run, key=lambda run: run["n"])
    for run in runs.values():
        stages: dict[str, dict[str, Recorded]] = {}
        for gpu, of_gpu in of_chapter.items():
            for each in of_gpu:
                if tables.run_title(each.run) == tables.run_title(run):
                    stages.setdefault(each.stage["name"], {})[gpu] = each
        shown = [gpu for gpu in of_chapter if any(gpu in of_stage for of_stage in stages.values())]
        header = ["stage", "limit"]
        for gpu in shown:
            header += [f"{floors.short_name(gpu)}: at least", "time", "time ÷ floor"]
        rows = []
        for name, of_stage in stages.items():
            limits = " or ".join(dict.fromkeys(each.floor.limit for each in of_stage.values()))
            cells = [cell for gpu in shown for cell in _cells(of_stage.get(gpu))]
            rows.append([name, limits, *cells])
        yield f"{tables.run_title(run)}:"
        yield tables.table(header, rows, text_columns=2)


def _cells(each: Recorded | None) -> list[str]:
    if not each:
        return [DASH] * 3
    return [floors.time_text(each.floor.shown()), floors.time_text(each.stage["seconds"], 3), floors.times_text(each.ratio())]

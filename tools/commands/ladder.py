"""./lab ladder: where a stage of the reader's own stands among those of its chapter."""

from __future__ import annotations

import math
import re
import textwrap
from argparse import Namespace
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from building.build import Build
from building.prepare import backend_for, of_preset, prepare
from commands import bench
from exercises.limits import Limit
from lessons import tables
from recorded import of_kernel
from reports import checked, counts, floors, results
from reports.floors import Floor
from reports.results import Json
from sass import chosen, programs, view
from shared import arguments, chapters, console
from shared.arguments import Commands
from shared.chapters import ROOT
from shared.console import DASH, EXIT_FINDINGS, EXIT_USAGE, Failure, counted

COLUMNS = ("sectors", "wavefronts", "atomics", "barriers", "requests", "launches")
CHALLENGE = re.compile(r"<!-- challenge ?([a-z]?): (.+?) -->")
ALIKE = 1.02  # what differs by less is called equal


def add_parser(commands: Commands) -> None:
    parser = commands.add_parser(
        "ladder",
        arguments="CHAPTER",
        summary="where your own stage stands",
        examples={"./lab ladder 5": "my/05_dot_product/ among the rungs of 05"},
        program_arguments=True,
        usage="./lab ladder CHAPTER [--cuda | --cpu] [--build DIR] [--no-install]\n                    [-- ARGUMENTS]",
        description="On a GPU: measures the chapter with your own stages and says between which of its stages they are. "
        "Without one: checks them at awkward sizes, counts what each stage asks of the memories, and says what time a GPU "
        "needs at least, which is no prediction. Arguments after -- go to the programs, in place of the usual ones.",
    )
    arguments.add_chapters(parser)
    parser.set_defaults(run=run)


def run(options: Namespace) -> int:
    if len(options.chapters) != 1:
        options.error("which chapter?")
    (chapter,) = chapters.choose(ROOT, options.chapters)
    own = chapters.own_stages(ROOT, chapter)
    n = chapters.number(chapter)
    if not own:
        raise Failure(f"there is no stage of yours in {chapter}; ./lab new stage {n} mine begins one", EXIT_USAGE)
    where = backend_for(options)
    build = prepare(options, [chapter], where if where.preset == "cuda" else of_preset("check"))
    if not build.make_own(chapter):
        return console.EXIT_FAILED
    words = options.program_arguments
    return measured(build, chapter, own, words) if where.preset == "cuda" else by_counts(build, chapter, own, words)


def measured(build: Build, chapter: str, own: Sequence[str], words: Sequence[str]) -> int:
    """On a GPU."""
    said: list[str] = []
    lines = [[line[0], *words] for line in build.benchmarks(chapter)] if words else build.benchmarks(chapter)
    for line in lines:
        for of_run in tables.stage_runs(bench.measure(chapter, line)):
            seconds = {row["name"]: float(row["seconds"]) for row in of_run["stages"] if row["seconds"]}
            said += [f"{tables.run_title(of_run)}: {standing(name, seconds)}" for name in own if name in seconds]
    print("\n" + "\n".join(said))
    return 0


def standing(name: str, seconds: Mapping[str, float]) -> str:
    """'mine, 5.00 µs, is between 4_warp_shuffle and 5_vectorized; 0.91 of library'"""
    own = seconds[name]
    others = {stage: time for stage, time in seconds.items() if stage != name and not tables.is_cpu({"name": stage})}
    rungs = {stage: time for stage, time in others.items() if not tables.is_library({"name": stage})}
    slower = min((stage for stage, time in rungs.items() if time > own), key=rungs.__getitem__, default="")
    faster = max((stage for stage, time in rungs.items() if time <= own), key=rungs.__getitem__, default="")
    place = f"between {slower} and {faster}" if slower and faster else f"ahead of {slower}" if slower else f"behind {faster}"
    library = [f"{time / own:.2f} of {stage}" for stage, time in others.items() if stage not in rungs]
    return "; ".join([f"{name}, {tables.time_text(own)}, is {place}", *library])


def by_counts(build: Build, chapter: str, own: Sequence[str], words: Sequence[str]) -> int:
    """Without a GPU: is it right, and what does it ask for."""
    exit_code = 0
    for name in own:
        runs = checked.Programs(name, [], writes="EMULATOR_CHECK_JSON", doing="checking")
        outcomes = [checked.outcome(ended) for ended in runs.run(build.checks(chapter))]
        wrong, found = sum(each.code != 0 for each in outcomes), sum(len(each.findings) for each in outcomes)
        says = f"wrong in {wrong} of {counted(len(outcomes), 'run')}" if wrong else f"right in {counted(len(outcomes), 'run')}"
        more = f": ./lab check {chapters.number(chapter)} {name}" if found or wrong else ""
        print(f"{name}: {says}; {counted(found, 'finding') if found else 'nothing found'}{more}", flush=True)
        exit_code = exit_code or (EXIT_USAGE if not outcomes else 1 if wrong else EXIT_FINDINGS if found else 0)
    if exit_code:
        return exit_code
    gpu = floors.chosen(results.load_gpus(ROOT / "results"), None)
    lines = [[line[0], *words] for line in build.counts(chapter)] if words else build.counts(chapter)
    for ended in checked.Programs(None, [], writes="EMULATOR_COUNT_JSON", doing="counting").run(lines):
        for stages in _tables(counts.kernels_of(ended), gpu):
            if any(name in stages for name in own):
                console.heading(f"{chapter} · {ended.command}")
                show(stages, own, chapter, floors.short_name(gpu["device"]) if gpu else "")
    print("\nIn one call. At least: a floor, of bytes, launches, atomics and shared memory; no prediction.")
    return 0


@dataclass
class Asked:
    """What a stage asks for each time that it is called, and the least time that a GPU needs for it."""

    counts: Counter[str]
    kernels: list[Json]  # as the emulator counts them
    floor: Floor | None = None


def _tables(kernels: Sequence[Json], gpu: Json | None) -> Iterator[dict[str, Asked]]:
    """Of each of a program's tables, the stages. The stage that launches least launches one kernel a call."""
    found: dict[str, list[tuple[str, Json]]] = {}
    for kernel, row in zip(kernels, counts.per_stage(kernels), strict=True):
        found.setdefault(row.get("table", ""), []).append((row["stage"], kernel))
    for rows in found.values():
        calls = min(kernel["launches"] for _, kernel in rows)
        stages: dict[str, Asked] = {}
        for stage, kernel in ((stage, _in_a_call(kernel, calls)) for stage, kernel in rows):
            asked = stages.setdefault(stage, Asked(Counter(), []))
            asked.kernels.append(kernel)
            asked.counts.update(of_kernel({entry["what"]: entry for entry in kernel["counts"]}))
            asked.counts["wavefronts"] += sum(entry.get("wavefronts", 0) for entry in kernel["counts"])
            asked.counts["launches"] += kernel["launches"]
            least = next((each for name, each in floors.of_counted([kernel]).items() if gpu and name in gpu["device"]), None)
            if least:
                before = asked.floor.seconds if asked.floor else 0.0
                asked.floor = Floor(before + least.seconds / calls, least.limit)
        yield stages


def _in_a_call(kernel: Json, calls: int) -> Json:
    """What was counted, but for its floors, divided by the calls of its stage."""

    def share(numbers: Json) -> Json:
        return {name: number / calls if isinstance(number, int) else number for name, number in numbers.items()}

    return share(kernel) | {"counts": [share(entry) for entry in kernel["counts"]]}


def show(stages: Mapping[str, Asked], own: Sequence[str], chapter: str, gpu: str) -> None:
    """The table, and what it says of the reader's stages."""
    used = [what for what in COLUMNS if any(asked.counts[what] for asked in stages.values())]
    table = {"stage": list(stages)} | {what: [f"{asked.counts[what]:,.0f}" for asked in stages.values()] for what in used}
    table[f"at least, {gpu}"] = [floors.time_text(asked.floor.shown()) if asked.floor else DASH for asked in stages.values()]
    print(counts.text_table(table), flush=True)
    rungs = {stage: asked for stage, asked in stages.items() if stage.partition("/")[0] not in own}
    for name in (name for name in stages if name not in rungs):
        beside = nearest(stages[name], rungs)
        said = f"{compared(name, stages[name], beside, rungs[beside])} {instructions(chapter, name, beside)}"
        print("\n" + "\n".join(textwrap.wrap(said, console.width())), flush=True)
        for challenge in challenges(chapter, name):
            print(f"The lesson's challenge: {_met(challenge, stages[name].kernels)}", flush=True)


def challenges(chapter: str, stage: str) -> Iterator[list[Limit]]:
    """What the chapter's lessons ask of a stage of that ladder: <!-- challenge: barriers per block <= 2; launches = 1 -->, or
    <!-- challenge b: … --> for a ladder b1, b2, …"""
    ladder = letter[0] if (letter := re.match(r"[a-z](?=_)", stage)) else ""
    for page in sorted((ROOT / chapter).glob("*.md")):
        for of, limits in CHALLENGE.findall(page.read_text(encoding="utf-8")):
            if of == ladder:
                yield [Limit.read(limit, f"{page.relative_to(ROOT)}, challenge, '{limit}'") for limit in limits.split("; ")]


def _met(challenge: Sequence[Limit], kernels: Sequence[Json]) -> str:
    missed = [limit for limit in challenge if not limit.holds(limit.value(kernels))]
    if not missed:
        return "met; now see the times on a GPU"
    return "not met: " + "; ".join(limit.says(limit.value(kernels)) for limit in missed)


def nearest(asked: Asked, rungs: Mapping[str, Asked]) -> str:
    """The rung that is most like it: in bytes above all."""

    def away(stage: str, what: str) -> float:
        return abs(math.log((asked.counts[what] + 1) / (rungs[stage].counts[what] + 1)))

    return min(rungs, key=lambda stage: (round(50 * away(stage, "sectors")), sum(away(stage, what) for what in COLUMNS)))


def compared(name: str, asked: Asked, beside: str, rung: Asked) -> str:
    """'mine is as lean as 6_wide in bytes, with 2.0 times its barriers. It takes at least 0.48 ms …'"""
    moved = _beside("bytes", asked.counts["sectors"], rung.counts["sectors"])
    of_rung = moved.replace("its bytes", f"the bytes of {beside}")
    first = f"{name} moves {of_rung}" if moved else f"{name} is as lean as {beside} in bytes"
    others = [_beside(what, asked.counts[what], rung.counts[what]) for what in COLUMNS[1:]]
    said = ", ".join(filter(None, others)) or "the same in all else"
    least = f" It takes at least {floors.time_text(asked.floor.shown())}, {asked.floor.limit}." if asked.floor else ""
    return f"{first}, with {said}.{least}"


def _beside(what: str, own: float, other: float) -> str:
    """'2.1 times its barriers'; nothing where both are nearly the same."""
    if 1 / ALIKE < (own + 1e-9) / (other + 1e-9) < ALIKE:
        return ""
    if not own or not other:
        return f"no {what}" if other else f"{own:,.0f} {what}, where it has none"
    return f"{own / other:.1f} times its {what}" if own > other else f"{own / other:.0%} of its {what}"


def instructions(chapter: str, *names: str) -> str:
    """How many the kernels of these stages have; nothing where there is no toolkit."""
    arch = programs.default_arch()
    try:
        toolkit = programs.find(arch, may_install=False)
    except Failure:
        return ""
    sources = [chosen.stage(chapter, name.partition("/")[0]) for name in names]
    units = [view.unit(toolkit, source.path, source.title, arch, source.flags, None, None) for source in sources]
    numbers = [sum(len(kernel.code) for kernel in unit.kernels if kernel.is_kernel) for unit in units]
    said = ", ".join(f"{name} {number:,}" for name, number in zip(names, numbers, strict=True))
    return f"Instructions of all kernels in the file, for {arch}: {said}."

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
from shared.console import DASH, EXIT_FAILED, EXIT_FINDINGS, EXIT_USAGE, Failure, counted

COLUMNS = ("sectors", "wavefronts", "atomics", "barriers", "requests", "launches")
CHALLENGE = re.compile(r"<!-- challenge ?([a-z]?): (.+?)(?: @ (.+?))? -->")
ALIKE = 1.02  # what differs by less is called equal


def add_parser(commands: Commands) -> None:
    parser = commands.add_parser(
        "ladder",
        arguments="CHAPTER [STAGE]",
        summary="where your own stage stands",
        examples={"./lab ladder 5": "my/05_dot_product/ among the rungs"},
        program_arguments="ARGUMENTS",
        description="On a GPU: measures the chapter with your own stages and says between which of its stages they are. "
        "Without one: checks them at awkward sizes, counts what each stage asks of the memories, and says what time a GPU "
        "needs at least, which is no prediction. Arguments after -- go to the programs, in place of their own of that name.",
    )
    arguments.add_chapters(parser)


def run(options: Namespace) -> int:
    if not 1 <= len(options.chapters) <= 2:
        options.error("one chapter, and perhaps one stage of yours")
    (chapter,) = chapters.choose(ROOT, options.chapters[:1])
    own = chapters.own_stages(ROOT, chapter)
    n = chapters.number(chapter)
    if not own:
        raise Failure(f"there is no stage of yours in {chapter}; ./lab new stage {n} NAME begins one", EXIT_USAGE)
    for word in options.chapters[1:]:
        own = [name for name in own if chapters.may_mean(word, name)]
        if not own:
            there = ", ".join(chapters.own_stages(ROOT, chapter))
            raise Failure(f"there is no stage {console.quoted(word)} of yours in {chapter}, only {there}", EXIT_USAGE)
    where = backend_for(options)
    build = prepare(options, [chapter], where if where.preset == "cuda" else of_preset("check"))
    made = build.make_own(chapter)
    if not (own := [name for name in own if name in made]):
        return EXIT_FAILED
    words = options.program_arguments
    lines = build.benchmarks(chapter) if where.preset == "cuda" else build.counts(chapter)
    if words:  # --bench chooses the sizes itself
        lines = [[line[0], *words] if where.preset == "cuda" else arguments.overridden(line, words) for line in lines]
    lines = list(map(list, dict.fromkeys(map(tuple, lines))))
    lines = [line for line in lines if any(chapters.has_stage(line, chapter, name) for name in own)]
    return measured(chapter, own, lines) if where.preset == "cuda" else by_counts(build, chapter, own, lines)


def measured(chapter: str, own: Sequence[str], lines: Sequence[Sequence[str]]) -> int:
    """On a GPU."""
    said: list[str] = []
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


def by_counts(build: Build, chapter: str, own: Sequence[str], lines: Sequence[Sequence[str]]) -> int:
    """Without a GPU: is it right, and what does it ask for."""
    exit_code = 0
    for name in own:
        runs = checked.Programs(name, [], writes="EMULATOR_CHECK_JSON", doing="checking")
        outcomes = [checked.outcome(ended) for ended in runs.run(build.checks(chapter))]
        wrong, found = sum(each.code != 0 for each in outcomes), sum(len(each.findings) for each in outcomes)
        n, how_many = chapters.number(chapter), counted(len(outcomes), "run")
        says = f"wrong in {wrong} of {how_many}" if wrong else f"right in {how_many}"
        next_step = f"./lab check {n} {name} says more" if found or wrong else f"./lab test {n} --stage {name} tries more sizes"
        print(f"{name}: {says}, {counted(found, 'finding') if found else 'nothing found'}; {next_step}", flush=True)
        exit_code = exit_code or (EXIT_USAGE if not outcomes else EXIT_FAILED if wrong else EXIT_FINDINGS if found else 0)
    if exit_code:
        return exit_code
    gpu = floors.chosen(results.load_gpus(ROOT / "results"), None)
    open_challenges = {name: list(challenges(chapter, name)) for name in own}
    for ended in checked.Programs(None, [], writes="EMULATOR_COUNT_JSON", doing="counting").run(lines):
        if ended.code:
            console.note(ended.stderr.rstrip("\n"))
            return EXIT_FAILED
        for title, stages in tables_of(counts.kernels_of(ended), gpu):
            if any(name in stages for name in own):
                console.heading(f"{chapter} · {ended.command}")
                show(title, stages, own, chapter, floors.short_name(gpu["device"]) if gpu else "")
                for name in (name for name in own if name in stages):
                    asked_here = [each for each in open_challenges[name] if title.startswith(each.table)]
                    for challenge in asked_here:
                        print(challenge.verdict(name, stages[name].kernels), flush=True)
                        open_challenges[name].remove(challenge)
    print("\nIn one call. At least: a floor, of bytes, launches, atomics and shared memory; no prediction.")
    return 0


@dataclass(frozen=True)
class Challenge:
    """What a lesson asks of a stage: limits, in the first table whose title begins so."""

    page: str
    limits: Sequence[Limit]
    table: str

    def verdict(self, name: str, kernels: Sequence[Json]) -> str:
        values = [(limit, limit.value(kernels)) for limit in self.limits]
        said = [f"  {'met    ' if limit.holds(value) else 'NOT met'}  {limit.says(value)}" for limit, value in values]
        return "\n".join([f"{name} and the challenge of {self.page}:", *said])


def challenges(chapter: str, stage: str) -> Iterator[Challenge]:
    """Of the chapter's lessons, those for that ladder: <!-- challenge: barriers per block <= 2; launches = 1 -->, or
    <!-- challenge b: … --> for a ladder b1, b2, …; where a program has several tables, with @ and how a title begins."""
    ladder = letter[0] if (letter := re.match(r"[a-z](?=_)", stage)) else ""
    for page in sorted((ROOT / chapter).glob("*.md")):
        name = str(page.relative_to(ROOT))
        for of, limits, table in CHALLENGE.findall(page.read_text(encoding="utf-8")):
            if of == ladder:
                yield Challenge(
                    name, [Limit.read(limit, f"{name}, challenge, '{limit}'") for limit in limits.split("; ")], table
                )


@dataclass
class Asked:
    """What a stage asks for each time that it is called, and the least time that a GPU needs for it."""

    counts: Counter[str]
    kernels: list[Json]  # as the emulator counts them
    floor: Floor | None = None


def tables_of(kernels: Sequence[Json], gpu: Json | None) -> Iterator[tuple[str, dict[str, Asked]]]:
    """Of each of a program's tables its title and the stages. The stage that launches least launches one kernel a call."""
    found: dict[str, list[tuple[str, Json]]] = {}
    for kernel, row in zip(kernels, counts.per_stage(kernels), strict=True):
        found.setdefault(row.get("table", ""), []).append((row["stage"], kernel))
    for title, rows in found.items():
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
        yield title, stages


def _in_a_call(kernel: Json, calls: int) -> Json:
    """What was counted, but for its floors, divided by the calls of its stage."""

    def share(numbers: Json) -> Json:
        return {name: number / calls if isinstance(number, int) else number for name, number in numbers.items()}

    return share(kernel) | {"counts": [share(entry) for entry in kernel["counts"]]}


def show(title: str, stages: Mapping[str, Asked], own: Sequence[str], chapter: str, gpu: str) -> None:
    """The table, and what it says of the reader's stages."""
    least = [floors.time_text(asked.floor.shown()) if asked.floor else DASH for asked in stages.values()]
    print(f"{title}; each stage takes at least {least[0]} on an {gpu}" if {*least} == {least[0]} != {DASH} else title)
    used = [what for what in COLUMNS if any(asked.counts[what] for asked in stages.values())]
    table = {"stage": list(stages)} | {what: [f"{asked.counts[what]:,.0f}" for asked in stages.values()] for what in used}
    if len({*least}) > 1:
        table[f"at least, {gpu}"] = least
    print(counts.text_table(table), flush=True)
    rungs = {stage: asked for stage, asked in stages.items() if stage.partition("/")[0] not in own}
    for name in (name for name in stages if name not in rungs):
        beside = nearest(stages[name], rungs)
        said = f"{compared(name, stages[name], beside, rungs[beside])} {instructions(chapter, name, beside)}"
        print("\n" + "\n".join(textwrap.wrap(said, console.width())), flush=True)


def nearest(asked: Asked, rungs: Mapping[str, Asked]) -> str:
    """The rung that is most like it, in bytes above all; of several, the last."""

    def away(stage: str, what: str) -> float:
        return abs(math.log((asked.counts[what] + 1) / (rungs[stage].counts[what] + 1)))

    return min(reversed(list(rungs)), key=lambda stage: sum(away(stage, what) for what in ("sectors", *COLUMNS)))


def compared(name: str, asked: Asked, beside: str, rung: Asked) -> str:
    """'mine is as lean as 6_wide in bytes, with 2.0 times its barriers. It takes at least 0.48 ms …'"""
    moved = _beside("bytes", asked.counts["sectors"], rung.counts["sectors"])
    of_rung = moved.replace("its bytes", f"the bytes of {beside}")
    first = f"{name} moves {of_rung}" if moved else f"{name} is as lean as {beside} in bytes"
    others = [_beside(what, asked.counts[what], rung.counts[what]) for what in COLUMNS[1:]]
    said = ", ".join(filter(None, others)) or f"{'' if asked.counts == rung.counts else 'nearly '}the same in all else"
    least = f" It takes at least {floors.time_text(asked.floor.shown())}, {asked.floor.limit}." if asked.floor else ""
    return f"{first}, with {said}.{least}"


def _beside(what: str, own: float, other: float) -> str:
    """'2.1 times its barriers'; nothing where both are nearly the same."""
    if 1 / ALIKE < (own + 1e-9) / (other + 1e-9) < ALIKE:
        return ""
    if not own or not other:
        return f"no {what}" if other else f"{own:,.0f} {what}, where it has none"
    return f"{own / other:.1f} times its {what}" if own > other else f"{max(own / other, 0.01):.0%} of its {what}"


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

"""./lab ladder: where a stage of the reader's own stands among those of its chapter."""

import re
from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from building.build import Build
from building.prepare import backend_for, of_preset, prepare
from commands import bench
from exercises import said as verdicts
from exercises.limits import Limit
from lessons import tables
from reports import checked, counts, floors, ladders, results
from reports.ladders import Asked
from reports.results import Json
from sass import chosen, programs, view
from shared import arguments, chapters, console, language
from shared.arguments import Commands
from shared.chapters import ROOT
from shared.console import DASH, EXIT_FAILED, EXIT_FINDINGS, EXIT_USAGE, Failure, counted
from translating.templates import phrase, phrases
from translating.translation import Translation

CHALLENGE = re.compile(r"<!-- challenge ?([a-z]?): (.+?)(?: @ (.+?))? -->")
MET, NOT_MET = phrase("met"), phrase("NOT met")
# What is put together below, for translators.
SENTENCES = phrases("""
    right in {text} | wrong in {number} of {text} | {number} finding | {number} findings | ./lab check {text} says more
    ./lab test {text} tries more sizes | {text}, {text2}, is between {text3} and {text4}
    {text}, {text2}, is ahead of {text3} | {text}, {text2}, is behind {text3} | {number} of the speed of {text}
    {text} and the challenge of {text2}: | Instructions of all kernels in the file, for {text}: {text2}.
""")


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
    lines = build.lines(chapter, "bench" if where.preset == "cuda" else "count")
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
    """'mine, 5.00 µs, is between 4_warp_shuffle and 5_vectorized; 0.91 of the speed of library'"""
    own = seconds[name]
    others = {stage: time for stage, time in seconds.items() if stage != name and not tables.is_cpu({"name": stage})}
    rungs = {stage: time for stage, time in others.items() if not tables.is_library({"name": stage})}
    slower = min((stage for stage, time in rungs.items() if time > own), key=rungs.__getitem__, default="")
    faster = max((stage for stage, time in rungs.items() if time <= own), key=rungs.__getitem__, default="")
    place = f"between {slower} and {faster}" if slower and faster else f"ahead of {slower}" if slower else f"behind {faster}"
    library = [f"{time / own:.2f} of the speed of {stage}" for stage, time in others.items() if stage not in rungs]
    return "; ".join([f"{name}, {tables.time_text(own)}, is {place}", *library])


def by_counts(build: Build, chapter: str, own: Sequence[str], lines: Sequence[Sequence[str]]) -> int:
    """Without a GPU: is it right, and what does it ask for."""
    exit_code = 0
    for name in own:
        runs = checked.Programs(name, [], writes="EMULATOR_CHECK_JSON", doing="checking")
        outcomes = [checked.outcome(ended) for ended in runs.run(build.lines(chapter, "check"))]
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
        for title, stages in ladders.tables_of(counts.kernels_of(ended), gpu):
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
        own = Translation(ROOT, language.chosen())
        said = [
            f"  {MET if limit.holds(value) else NOT_MET:<7}  {verdicts.shown(limit.says(value), own)}"
            for limit, value in values
        ]
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


def show(title: str, stages: Mapping[str, Asked], own: Sequence[str], chapter: str, gpu: str) -> None:
    """The table, and what it says of the reader's stages."""
    least = [floors.time_text(asked.floor.shown()) if asked.floor else DASH for asked in stages.values()]
    print(f"{title}; each stage takes at least {least[0]} on an {gpu}" if {*least} == {least[0]} != {DASH} else title)
    used = [what for what in ladders.COLUMNS if any(asked.counts[what] for asked in stages.values())]
    table = {"stage": list(stages)} | {what: [f"{asked.counts[what]:,.0f}" for asked in stages.values()] for what in used}
    if len({*least}) > 1:
        table[f"at least, {gpu}"] = least
    print(counts.text_table(table), flush=True)
    others = {stage: asked for stage, asked in stages.items() if stage.partition("/")[0] not in own}
    for name in (name for name in stages if name not in others):
        beside = ladders.nearest(stages[name], others)
        said = f"{ladders.compared(name, stages[name], beside, others[beside])} {instructions(chapter, name, beside)}"
        print("\n" + console.wrapped(console.said(said.strip()), ""), flush=True)


def instructions(chapter: str, *names: str) -> str:
    """How many the kernels of these stages have; nothing where there is no toolkit, or a stage launches others' kernels."""
    arch = programs.default_arch()
    try:
        toolkit = programs.find(arch, may_install=False)
        sources = [chosen.stage(chapter, name.partition("/")[0]) for name in names]
        units = [view.unit(toolkit, source.path, source.title, arch, source.flags, None, None) for source in sources]
    except Failure:
        return ""
    numbers = [sum(len(kernel.code) for kernel in unit.kernels if kernel.is_kernel) for unit in units]
    said = ", ".join(f"{name} {number:,}" for name, number in zip(names, numbers, strict=True))
    return f"Instructions of all kernels in the file, for {arch}: {said}."

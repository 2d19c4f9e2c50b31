"""./lab count: runs chapters' programs in the emulator's checked build and counts what their kernels ask for."""

import json
from argparse import Namespace
from collections.abc import Sequence, Set
from pathlib import Path

from building import backend
from building.prepare import of_preset, prepare
from commands import docs
from lessons.tables import size_of
from reports import checked, counts, floors, nsight, results
from reports.results import Json
from shared import arguments, console, processes
from shared.arguments import Commands
from shared.chapters import ROOT
from shared.console import EXIT_FAILED, EXIT_NO_CUDA, EXIT_USAGE, Failure


def add_parser(commands: Commands) -> None:
    parser = commands.add_parser(
        "count",
        arguments="[CHAPTER [STAGE]]",
        summary="count what each kernel asks of the\nmemories, on the emulator",
        examples={"./lab count 7 --lines": "sectors, bank conflicts and atomics of\nchapter 07, line by line"},
        program_arguments="ARGUMENTS",
        description="Runs a chapter's programs in the emulator's checked build and counts what the kernels' source asks for: "
        "requests of warps and what each costs, barriers, warp operations. A profiler on a GPU mostly counts the same; "
        "emulator/docs/counts.md says where it differs. The numbers are the same on every machine, and nearly "
        "the same with every compiler. Below stand the floors of the times that were recorded on a GPU: what a stage's bytes, "
        "operations, blocks or launches take at least, at the largest size; those of a STAGE at all sizes. A floor is no "
        "prediction. Arguments after -- go to the chapter's "
        "programs, in place of the usual ones.",
    )
    parser.add_argument("--lines", action="store_true", help="show the counts of each line of the kernels, too")
    parser.add_argument("--json", metavar="FILE", type=Path, help="write what the programs counted to this file as well")
    parser.add_argument("--gpu", metavar="NAME", help="the GPU of the floors, such as h100 (default: the last one measured)")
    what_for = parser.add_mutually_exclusive_group()
    what_for.add_argument("--keep", action="store_true", help="keep the numbers for the lessons, and bring these up to date")
    what_for.add_argument("--check", action="store_true", help="exit code 1 if the numbers differ from those that were kept")
    what_for.add_argument("--ncu", action="store_true", help="keep what Nsight Compute counts on this GPU, to compare")
    arguments.add_chapter_and_stage(parser)


def run(options: Namespace) -> int:
    chosen = arguments.chapters_to_watch(options)
    gpu = floors.chosen(results.load_gpus(ROOT / "results"), options.gpu)
    for_lessons = options.keep or options.check or options.ncu
    if for_lessons and (options.stage or options.program_arguments):
        options.error("the lessons need all stages, as they are counted otherwise")
    if options.ncu:
        return count_with_ncu(options, chosen)
    kind = "programs" if options.program_arguments else "count"
    build = prepare(options, chosen, of_preset("check"), at_first=[])
    if options.chapter and not build.lines(chosen[0], kind):
        raise Failure(f"{chosen[0]} has nothing to count")
    build.make(chosen)
    build.make_own(*([] if for_lessons else chosen), asked=options.stage)

    programs = checked.Programs(options.stage, options.program_arguments, writes="EMULATOR_COUNT_JSON", doing="counting")
    everything: list[Json] = []
    differing = []
    begun = {chapter: programs.begin(build.lines(chapter, kind)) for chapter in chosen}
    print("\n".join(console.wrapped(console.said(legend), "") for legend in (counts.LEGEND, floors.LEGEND)[: 2 if gpu else 1]))
    for chapter in chosen:
        runs: list[tuple[str, list[Json]]] = []
        for ended in programs.ended(begun[chapter]):
            kernels = counts.kernels_of(ended)
            rows = show(chapter, ended, kernels, options.lines, runs)
            everything.append({"chapter": chapter, "command": ended.command, "kernels": kernels})
            runs.append((ended.command, rows))
        show_floors(gpu, chapter, {row["stage"] for _, rows in runs for row in rows}, options.stage is not None)
        path = counts.path_of(ROOT, chapter)
        if options.keep and runs:
            console.write_file(path, counts.to_be_kept(runs))
        if options.check and runs and not (path.exists() and path.read_text(encoding="utf-8") == counts.to_be_kept(runs)):
            differing.append(chapter)
    if not everything:
        raise Failure(programs.refusal or "there is nothing to count", EXIT_USAGE if programs.refusal else EXIT_FAILED)
    if options.json:
        console.write_file(options.json, json.dumps(everything, indent=1) + "\n")
    if options.keep:
        docs.regenerate()
    if differing:
        raise Failure(f"not what was kept: {', '.join(differing)}; ./lab count --keep keeps the new numbers")
    return 0


def show(
    chapter: str, ended: checked.Ended, kernels: Sequence[Json], lines: bool, above: Sequence[tuple[str, list[Json]]]
) -> list[Json]:
    """Prints what a run has counted, per kernel and perhaps per line, but no column that is as in the chapter's first run;
    returns the rows of its table."""
    if ended.code != 0:
        console.note(ended.stderr.rstrip("\n"))
        raise Failure(f"{ended.command} {processes.describe_exit(ended.code)}", ended.code)
    console.heading(f"{chapter} · {ended.command}")
    rows = counts.per_stage(kernels)
    columns = counts.columns(rows)
    shown = counts.differing(columns, counts.columns(above[0][1])) if above else columns
    if not above or shown.keys() - counts.NAMES:
        print(counts.text_table(shown) if rows else "no kernel", flush=True)
    if len(shown) < len(columns):
        print("The other columns are as above.", flush=True)
    if lines:
        for kernel, row in zip(kernels, rows, strict=True):
            print(f"\n{row['stage']} · {row['kernel']}\n{counts.line_table(kernel)}", flush=True)
    return rows


def show_floors(gpu: Json | None, chapter: str, stages: Set[str], at_all_sizes: bool) -> None:
    """Prints the times that these stages took on a GPU, and below which none of them could be: in the largest run of each, or
    in all runs."""
    recorded = [each for each in floors.of_recorded(gpu, chapter) if each.stage["name"] in stages] if gpu else []
    tables: dict[str, list[floors.Recorded]] = {}
    for each in sorted(recorded, key=lambda each: -float(each.run["n"])):
        tables.setdefault(size_of(each.run).kind if at_all_sizes else str(each.run["title"]), []).append(each)
    for title, rows in tables.items():
        if at_all_sizes or not stages.isdisjoint(each.stage["name"] for each in rows):
            stages = stages - {each.stage["name"] for each in rows}
            console.heading(f"on an {rows[0].gpu}{title and f' · {title}'}")
            sizes = [size_of(each.run).label for each in rows] if at_all_sizes else []
            print(counts.text_table(floors.columns(rows, sizes)), flush=True)


def count_with_ncu(options: Namespace, chosen: Sequence[str]) -> int:
    """./lab count --ncu"""
    where = backend.choose(None)
    if where.preset != "cuda":
        raise Failure("--ncu counts on an NVIDIA GPU, and there is none, or no nvcc", EXIT_NO_CUDA)
    ncu = nsight.find_ncu(where.nvcc)
    facts = results.facts(ROOT, backend.driver_version()) | {"cuda": nsight.toolkit(where.nvcc)}
    build = prepare(options, chosen, where)
    exit_code = 0
    for chapter in chosen:
        runs = []
        try:
            for line in build.lines(chapter, "count"):
                console.heading(f"{chapter} · {processes.shown(line)}")
                device, rows = nsight.profile(ncu, line)
                print(counts.text_table(counts.columns(rows)), flush=True)
                runs.append({"command": processes.shown(line), "rows": rows})
        except Failure as failure:
            console.note(f"lab: {failure}; nothing of {chapter} is kept")
            exit_code = exit_code or failure.code
            continue
        if runs:
            path = nsight.save(ROOT, device, chapter, facts | {"runs": runs})
            console.note(f"lab: written to {console.shown(path)}")
    docs.regenerate()
    return exit_code

"""./lab watch: runs a stage in the emulator's checked build and makes a page on which its threads are watched."""

import re
from argparse import Namespace
from pathlib import Path

from building.prepare import of_preset, prepare
from exercises import folder, page, session
from exercises.learner import Learner
from reports import checked, pages, watched
from sass import chosen
from shared import arguments, chapters, console, language, processes
from shared.arguments import Commands
from shared.chapters import ROOT
from shared.console import EXIT_FAILED, EXIT_FINDINGS, EXIT_USAGE, Failure
from translating import web
from translating.translation import WATCH, Translation

CHECKED = re.compile(r"^emulator: checked .*\n", re.MULTILINE)


def add_parser(commands: Commands) -> None:
    parser = commands.add_parser(
        "watch",
        arguments="CHAPTER STAGE",
        summary="a page that shows what each thread\ndoes, step by step",
        examples={
            "./lab watch 5 2": "see a block fold 256 numbers into one",
            "./lab watch my/05_1_tree.cu": "the same of an exercise's file of yours",
        },
        program_arguments="ARGUMENTS",
        description="Runs a stage in the emulator's checked build, at a small size, and writes a page: each "
        "step of each warp, what its lanes read and write, and what the memory contains. STAGE may be a program of the "
        "chapter, too. Arguments after -- go to the program, in place of its own options of the same name. For an exercise "
        "it is your file that runs, in the case that fails.",
    )
    parser.add_argument("chapter", metavar="CHAPTER", help="e.g. 5, 05, dot_product; or an exercise: 5.1, my/05_1_tree.cu")
    parser.add_argument("stage", metavar="STAGE", nargs="?", help="by number or name; or a program of the chapter")
    parser.add_argument("--no-open", action="store_true", help="do not open the page")
    arguments.add_set_up(parser)


def run(options: Namespace) -> int:
    options.chapter, options.stage = chapters.of_own_file(options.chapter, options.stage)
    if chosen.is_file(options.chapter) and not folder.NAME.fullmatch(Path(options.chapter).stem):
        chosen.file(options.chapter)
    return watch_exercise(options) if page.is_exercise(options.chapter) else watch_stage(options)


def watch_exercise(options: Namespace) -> int:
    """The learner's file of an exercise."""
    if options.stage or options.program_arguments:
        too_much = options.stage or " ".join(["--", *options.program_arguments])
        says = f"an exercise is watched as its checker calls it, so '{console.quoted(too_much)}' is too much"
        raise Failure(says, EXIT_USAGE)
    known = folder.discover(ROOT, Translation(ROOT, language.chosen()))
    exercise, learner = folder.find(known, options.chapter), Learner(ROOT / "my")
    page.require_kernels(exercise, learner)
    return page.make(exercise, learner, session.judge_for(options, [exercise]), opens=not options.no_open)


def watch_stage(options: Namespace) -> int:
    """A stage of a chapter, or a program that has none."""
    (chapter,) = chapters.choose(ROOT, [options.chapter])
    require_stage_or_program(chapter, options.stage)
    build = prepare(options, [chapter], of_preset("check"), at_first=[])
    stage, ended = watched.run_stage(build, chapter, options.stage, options.program_arguments, doing="watching")
    path = arguments.folder_of_builds(options) / "watch" / f"{chapter[:2]}_{stage.replace('/', '_')}.html"
    return show(ended, path, Translation(ROOT, language.chosen()), opens=not options.no_open)


def require_stage_or_program(chapter: str, asked: str | None) -> None:
    """Refuses what the chapter does not have, before anything is built for it."""
    names = chapters.stages(ROOT, chapter)
    if names and not asked:
        raise Failure(f"which stage of {chapter}? The stages: {', '.join(names)}", EXIT_USAGE)
    programs = re.findall(r"\w+", (ROOT / chapter / "CMakeLists.txt").read_text(encoding="utf-8"))
    if asked and asked not in programs:
        chapters.require_stage(ROOT, chapter, asked)
        for name in names:
            if chapters.may_mean(asked, name):
                chapters.kernels_of(ROOT, chapter, name)


def show(ended: checked.Ended, path: Path, translation: Translation, opens: bool) -> int:
    """Keeps the page that a program has written and says what is on it. Returns the program's exit code."""
    said = CHECKED.sub("", pages.SHOWS.sub("", ended.stderr)).rstrip("\n")
    if said:
        console.note(said)
    if ended.code not in (0, EXIT_FINDINGS):
        console.note(f"lab: {ended.command} {processes.describe_exit(ended.code)}")
    shows = pages.contents(ended.stderr)
    if not shows:
        return ended.code or EXIT_FAILED
    console.write_file(path, web.translated(ended.written, translation, WATCH))
    print(console.said(f"{console.shown(path)} shows {shows}"), flush=True)
    if opens:
        pages.open_page(path)
    return ended.code

"""./lab handout: makes a chapter's lab sheet, for students or for the instructor."""

from argparse import Namespace
from collections.abc import Sequence

from building import setup
from building.dependencies import NeededBy
from exercises import session
from handouts import course, instructor, pages, seen, sheet
from handouts.course import ALL, Handout
from shared import arguments, console, language
from shared.arguments import Commands
from shared.chapters import ROOT
from shared.language import ENGLISH
from translating.translation import Translation


def add_parser(commands: Commands) -> None:
    parser = commands.add_parser(
        "handout",
        arguments="CHAPTER",
        summary="a chapter's lab sheet, on paper: for\nstudents or for the instructor",
        examples={"./lab handout 5 --pdf": "print it: predictions, tasks, tables to\nfill"},
        description="Makes a lab sheet of two to four pages, in build/handouts/: what one can do afterwards, predictions "
        "with room to write, the tasks with what to hand in, tables to fill. The instructor's edition adds answers, "
        "solutions, what wrong programs print, a plan and the marks; the wrong programs run for that, once.",
    )
    parser.add_argument("chapter", metavar="CHAPTER", help="e.g. 5, 05, dot_product; 1 and 2 share a sheet; all: in one file")
    parser.add_argument("--instructor", action="store_true", help="the instructor's edition")
    parser.add_argument("--pdf", action="store_true", help="a PDF file as well, for the printer")
    parser.add_argument("--paper", metavar="PAPER", choices=pages.PAPERS, default="a4", help="a4 (default) or letter")
    arguments.add_set_up(parser)


def run(options: Namespace) -> None:
    shown = language.chosen()
    handouts = course.choose(options.chapter, shown)
    needed = {NeededBy.PAGES} | ({NeededBy.PRINTED_HANDOUTS} if options.pdf else set())
    if options.pdf and shown == "zh":
        needed.add(NeededBy.PRINTED_CHINESE)
    setup.require(needed, not options.no_install)
    edition = "instructor" if options.instructor else "students"
    text = for_instructor(handouts, options) if options.instructor else for_students(handouts)
    name = course.ALL if options.chapter == ALL else handouts[0].chapter
    suffix = "" if shown == ENGLISH else f"_{shown}"
    path = arguments.folder_of_builds(options) / "handouts" / f"{name}_{edition}{suffix}.html"
    page = pages.html(text, f"{name} · {edition}", options.paper, Translation(ROOT, shown))
    console.write_file(path, page, "--build DIR")
    print(console.shown(path))
    if options.pdf:
        print(console.shown(pages.write_pdf(path)))


def for_students(handouts: Sequence[Handout]) -> str:
    return "\n\n".join(map(sheet.student, handouts))


def for_instructor(handouts: Sequence[Handout], options: Namespace) -> str:
    """Runs all wrong versions first, unless that was done."""
    exercises = [exercise for handout in handouts for exercise in handout.exercises]
    found = seen.all_of(session.judge_for(options, exercises), exercises)
    return "\n\n".join(instructor.instructor(handout, found) for handout in handouts)

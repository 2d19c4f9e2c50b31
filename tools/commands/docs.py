"""./lab docs: brings the generated parts of the lessons up to date, or tells which are not and what is wrong besides."""

from argparse import Namespace
from collections.abc import Iterator, Sequence

from lessons import drawn, machine_code, prose, readme
from lessons.watched import Picture
from shared import arguments, console
from shared.arguments import Commands
from shared.chapters import ROOT
from shared.console import Failure, counted
from shared.language import languages
from translating import parts, terms


def add_parser(commands: Commands) -> None:
    parser = commands.add_parser(
        "docs",
        arguments="[--check] [--draw]",
        summary="bring the generated parts of the lessons\nup to date",
        description="Brings the generated parts of the lessons and READMEs up to date: excerpts of the sources and of their "
        "machine code, tables and charts of the results, pictures of watched threads, README.md in other languages, and what "
        "addresses.toml says in README.md and colab.ipynb. Only the pictures "
        "need a build and Chromium, and only the machine code needs CUDA; only what is out of date is made. --check also "
        "follows the links in all Markdown files, counts the lessons' words, and compares times and ratios that were typed "
        "with those measured. It counts what is left to translate, too.",
    )
    parser.add_argument(
        "--check", action="store_true", help="change nothing; exit code 1 and a list if something is stale or wrong"
    )
    parser.add_argument(
        "--draw",
        action="store_true",
        help="draw all pictures of watched threads anew, not only where a stage has changed, and compare them",
    )
    arguments.add_set_up(parser)


def run(options: Namespace) -> None:
    if options.check:
        return check(options)
    for picture, svg in _to_draw(regenerate(), options):
        if not picture.holds(svg):
            console.write_file(picture.path, svg)
            print(f"drawn: {picture.path.relative_to(ROOT)}", flush=True)


def check(options: Namespace) -> None:
    stale = readme.stale(ROOT)
    _tell_skipped(stale)
    listed = [f"stale: {path.relative_to(ROOT)}" for path in sorted(stale.files)]
    listed += [_in_words(picture) for picture in stale.pictures if not picture.is_current()]
    if options.draw and not listed:
        listed += [_in_words(picture) for picture, svg in _to_draw(stale.pictures, options) if not picture.holds(svg)]
    print("\n".join(listed), end="\n" if listed else "")
    if listed:
        raise Failure("some generated parts are not current; ./lab docs makes them so")
    problems = list(prose.problems(ROOT))  # only now: a lesson that is stale may lead to files that are not there yet
    for problem in problems:
        print(problem)
    if problems:
        raise Failure(f"{counted(len(problems), 'problem')} in the sources of the lessons, listed above")
    print("all generated parts are current, and all links lead somewhere")
    for language in languages(ROOT)[1:]:
        check_translation(language)


def check_translation(language: str) -> None:
    """Tells what is left to translate, and fails where that is too much, or where a translation does not fit its English."""
    states = [parts.state(part, ROOT, language) for part in parts.parts(ROOT)]
    problems = [*terms.problems(ROOT, language), *(slip for state in states for slip in state.slips)]
    for problem in problems:
        print(problem)
    for state in states:
        if state.begun and state.new + state.fuzzy:
            print(parts.in_words(state))
    left, messages = parts.left(states)
    begun = sum(state.begun for state in states)
    print(
        f"{language}: {begun} of {counted(len(states), 'part')} are translated; {left} of their {counted(messages, 'message')} "
        f"are new or fuzzy, and {sum(state.messages for state in states if not state.begun)} are in parts that are not begun"
    )
    if problems:
        raise Failure(f"{counted(len(problems), 'problem')} in translations/{language}, listed above")
    if left > parts.MOST_LEFT * messages:
        raise Failure(f"more than {parts.MOST_LEFT:.0%} are new or fuzzy; ./lab translate shows them to the translators")


def regenerate() -> list[Picture]:
    """Brings everything up to date but the pictures of watched threads, says what changed and returns these. count and bench
    end with it."""
    stale = readme.stale(ROOT)
    _tell_skipped(stale)
    readme.regenerate(stale.files)
    again = readme.stale(ROOT)  # a page's minutes count the charts that it has by now
    readme.regenerate(again.files)
    updated = sorted(stale.files.keys() | again.files.keys())
    for path in updated:
        print(f"updated: {path.relative_to(ROOT)}")
    if not updated and all(picture.is_current() for picture in stale.pictures):
        print("all generated parts are current")
    return stale.pictures


def _to_draw(pictures: Sequence[Picture], options: Namespace) -> Iterator[tuple[Picture, str]]:
    chosen = [picture for picture in pictures if options.draw or not picture.is_current()]
    return drawn.draw(chosen, options) if chosen else iter(())


def _tell_skipped(stale: readme.Stale) -> None:
    """Names the excerpts of machine code whose sources have changed, where nothing can make them anew."""
    for place in stale.skipped:
        print(f"skipped: {place}: its machine code may be out of date: {machine_code.MISSING}")


def _in_words(picture: Picture) -> str:
    path = picture.path.relative_to(ROOT)
    if not picture.path.exists():
        return f"missing: {path}; ./lab docs draws it"
    return f"stale: {path}; ./lab docs{' --draw' if picture.is_current() else ''} draws it again"

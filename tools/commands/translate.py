"""./lab translate: brings the files of translators up to date with the English text, and tells what is left."""

from argparse import Namespace

from building import setup
from building.dependencies import NeededBy
from shared import chapters, language
from shared.arguments import Commands
from shared.chapters import ROOT
from shared.console import EXIT_USAGE, Failure, quoted
from shared.language import ENGLISH
from translating import parts
from translating.parts import Part
from translating.translation import WRONG


def add_parser(commands: Commands) -> None:
    parser = commands.add_parser(
        "translate",
        arguments="[PART]",
        summary="the files of translators: begin one,\nbring them up to date",
        description="Brings the files in translations/ up to date with the English text, and says what is left to translate. "
        "A part that is named is begun where it has no file yet. Where the English has changed a little, the old translation "
        "stays and is marked fuzzy. The language is Chinese, unless another one is chosen.",
    )
    parser.add_argument("parts", metavar="PART", nargs="*", help="e.g. README, GLOSSARY, 3, 03_vector_add, wrong_3")
    parser.add_argument("--no-install", action="store_true", help="install nothing: name what is missing (exit code 4)")


def run(options: Namespace) -> None:
    setup.require([NeededBy.TRANSLATING], not options.no_install)
    known = parts.parts(ROOT)
    shown = language.chosen() if language.chosen() != ENGLISH else "zh"
    named = [_find(known, word) for word in options.parts]
    for part in known:
        if part in named or parts.state(part, ROOT, shown).begun:
            parts.update(part, ROOT, shown)
    for state in (parts.state(part, ROOT, shown) for part in known):
        print(parts.in_words(state))


def _find(known: list[Part], word: str) -> Part:
    name = word.rstrip("/").removesuffix(".md").removesuffix(".po").rpartition("/")[2].lower()
    for part in known:
        if part.name.lower() == name:
            return part
    try:
        chapter = chapters.choose(ROOT, [name.removeprefix(WRONG)])[0]
    except Failure as failure:
        pages = ", ".join(part.name for part in known if not part.name[0].isdigit() and not part.name.startswith(WRONG))
        raise Failure(f"there is no part '{quoted(word)}': name a chapter, {WRONG}CHAPTER, or {pages}", EXIT_USAGE) from failure
    return next(part for part in known if part.name == (WRONG if name.startswith(WRONG) else "") + chapter)

"""What the front page has from addresses.toml and from the languages of the course: the first line,
    [中文](README.zh.md) <!-- links -->
which leads to the page in other languages and, where the book is published, to it and to its pages of the first stages that the
front page watches and takes apart; the line that clones; and the front page in these other languages."""

import posixpath
import re
import tomllib
from pathlib import Path

from book import watch
from shared.console import Failure
from shared.language import ENGLISH, NAMES, languages
from translating.templates import phrase
from translating.translation import SASS, WATCH, Translation

PAGE = "README.md"
DOORS = {WATCH: phrase("Step through a kernel"), SASS: phrase("The machine code of a stage")}
LINKS = re.compile(r"^.*(<!-- links -->)\n", re.MULTILINE)
CLONE = re.compile(r"(?<=^git clone ).*(?= cuda && cd cuda$)", re.MULTILINE)


def address(root: Path, of: str) -> str:
    """Of the 'repository' or of the 'book'; '' where nobody has said it."""
    path = root / "addresses.toml"
    try:
        return str(tomllib.loads(path.read_text(encoding="utf-8") if path.is_file() else "").get(of, ""))
    except tomllib.TOMLDecodeError as error:
        raise Failure(f"{path.name}: {error}") from error


def woven(root: Path, english: str) -> dict[Path, str]:
    """The page as it should be, in all languages if it has links to them. english: the page with its other generated parts."""
    shown = languages(root) if LINKS.search(english) else [ENGLISH]
    return {root / _file(language): _in_language(root, english, language) for language in shown}


def _file(language: str) -> str:
    return PAGE if language == ENGLISH else PAGE.replace(".", f".{language}.")


def _in_language(root: Path, english: str, language: str) -> str:
    translation = Translation(root, language)
    clone = address(root, "repository") or f"<{translation.phrase('the address of this repository')}>"
    text = CLONE.sub(clone, translation.page(PAGE, english))
    return LINKS.sub(lambda match: f"{_links(root, english, translation)} {match[1]}\n", text)


def _links(root: Path, english: str, translation: Translation) -> str:
    links = []
    if book := address(root, "book"):
        book = posixpath.join(book, "" if translation.language == ENGLISH else translation.language, "")
        for command, text in DOORS.items():
            if match := re.search(rf"`\./lab {command} ({watch.WORDS})`", english):
                links.append(f"[{translation.phrase(text)}]({book}{watch.page_of(root, command, match[1]).address})")
        links.append(f"[{translation.phrase('The book')}]({book})")
    links += [f"[{NAMES.get(other, other)}]({_file(other)})" for other in languages(root) if other != translation.language]
    return " · ".join(links)

"""The course in a language, for whoever shows it. What has no translation, or one of an older text, is shown in English."""

import posixpath
from collections.abc import Mapping
from functools import cache, cached_property
from pathlib import Path, PurePosixPath

from shared.language import ENGLISH, FOLDER
from translating import catalogue, markdown, pictures, tables
from translating.catalogue import Entry
from translating.sentences import Sentences

# Parts of the course besides its pages: what tools say, what the pages say that they make, labels of pictures, and verdicts.
PHRASES, MESSAGES, WATCH, SASS, PICTURES, VERDICTS = "lab", "messages", "watch", "sass", "pictures", "verdicts"
WRONG = "wrong_"  # and a chapter: what an instructor reads about the wrong versions of its exercises


class Translation:
    def __init__(self, root: Path, language: str) -> None:
        self.root = root
        self.language = language
        self.entries = cache(self._read)

    def page(self, file: str, text: str) -> str:
        """The text of a Markdown file, which is named below the root."""
        if self.language == ENGLISH:
            return text
        folder = posixpath.dirname(file)

        def title(target: str, english: str) -> str:
            path = posixpath.normpath(posixpath.join(folder, target))
            own = self.message(path, english)
            if own == english:  # a link leaves out that the page is optional
                own = self.message(path, f"{english} (optional)").removesuffix(self.phrase("(optional)"))
            return own.removesuffix(" (optional)")

        def word(english: str) -> str:
            return tables.shown(english, self.phrase, title)

        return markdown.translated(text, lambda message: self.message(file, message), self.phrase, word)

    def message(self, file: str, message: str) -> str:
        """A message of that file."""
        entry = self.entries(part_of(file)).get(message)
        return entry.translation if entry and entry.is_current else message

    def picture(self, svg: str) -> str:
        """A picture of the course."""
        return pictures.translated(svg, lambda label: self.message(PICTURES, label), self.language)

    def phrase(self, text: str) -> str:
        """Words that a tool puts around what it shows. They are found in its source, so they stand there in one piece."""
        return self.message(PHRASES, text)

    @cached_property
    def _messages(self) -> Sentences:
        return Sentences(self.known(PHRASES) | self.known(MESSAGES))

    def says(self, text: str) -> str:
        """What lab says of itself: help, progress, errors."""
        own = self.phrase(text)
        return own if own != text else self._messages.shown(text).text

    def known(self, part: str) -> dict[str, str]:
        """All messages of a part that are translated."""
        return {source: entry.translation for source, entry in self.entries(part).items() if entry.is_current}

    def missing(self, file: str, text: str) -> int:
        """How many messages of the file stay English."""
        if self.language == ENGLISH:
            return 0
        entries = self.entries(part_of(file))
        return sum(message not in entries or not entries[message].is_current for message in markdown.messages(text))

    def _read(self, part: str) -> Mapping[str, Entry]:
        path = catalogue_of(self.root, self.language, part)
        return catalogue.read(path) if path.is_file() else {}


def part_of(file: str) -> str:
    """The part of the course that a file is in: its chapter, the chapter's wrong versions, or a page of the root."""
    path = PurePosixPath(file)
    if path.name == "wrong.toml":
        return WRONG + path.parts[0]
    return path.parts[0] if len(path.parts) > 1 else path.stem


def catalogue_of(root: Path, language: str, part: str) -> Path:
    """What a translator edits for a part."""
    return root / FOLDER / language / f"{part}.po"

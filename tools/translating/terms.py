"""Whether translations keep to the table of terms, and hold the code and the links of their English."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path

from lessons.page import CODE
from shared.console import Failure
from shared.language import FOLDER
from translating import catalogue
from translating.catalogue import Entry
from translating.markdown import TARGET

PICTURE = re.compile(r"!\[")
PLACE = re.compile(r"(?<!`)\{[^{}`]*\w[^{}`]*\}")
TABLE = "terms.toml"  # beside the translators' files
EXCEPT = re.compile(r"not: *(.+)")  # a comment in a translator's file: these are no terms here

# Marks of Latin text that touch Chinese characters: Chinese has its own, as wide as a character.
NARROW = re.compile(r"[\u4e00-\u9fff][,:;?!()]|[,:;?!()][\u4e00-\u9fff]")


class Terms:
    """English terms, each with the translations that it may have."""

    def __init__(self, table: Mapping[str, Sequence[str]]) -> None:
        self.table = {term.lower(): translations for term, translations in table.items()}

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        """The longest term comes first: in "thread block" it is not that of "thread"."""
        terms = "|".join(map(re.escape, sorted(self.table, key=len, reverse=True)))
        return re.compile(rf"(?<![\w-])({terms})(?:e?s)?(?![\w-])" if terms else r"(?!)", re.IGNORECASE)

    def problems(self, entry: Entry) -> Iterator[str]:
        """What is wrong with an entry, a line each."""
        excepted = {term for comment in entry.comments if (match := EXCEPT.match(comment)) for term in match[1].split(", ")}
        prose = CODE.sub("`", TARGET.sub("", PLACE.sub("", entry.source)))
        for term in dict.fromkeys(match[1].lower() for match in self._pattern.finditer(prose)):
            if term not in excepted and not any(word in entry.translation for word in self.table[term]):
                yield f"'{term}' is {' or '.join(self.table[term])}"
        if narrow := NARROW.search(CODE.sub("`", TARGET.sub("", entry.translation))):
            yield f"{narrow[0]} has a mark of Latin text"
        for what, pattern in (("code", CODE), ("links", TARGET), ("places to fill", PLACE), ("pictures", PICTURE)):
            asked, given = (Counter(m[0] for m in pattern.finditer(text)) for text in (entry.source, entry.translation))
            if asked != given:
                lacking, more = " ".join((asked - given).elements()), " ".join((given - asked).elements())
                yield f"the {what} differ:{f' it lacks {lacking}' * bool(lacking)}{f' it has {more}' * bool(more)}"


def problems(root: Path, language: str) -> Iterator[str]:
    """One line each, with the translator's file and the line of the entry."""
    folder = root / FOLDER / language
    path = folder / TABLE
    try:
        terms = Terms(tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {})
    except tomllib.TOMLDecodeError as error:
        raise Failure(f"{path.relative_to(root)}: {error}") from error
    for file in sorted(folder.glob("*.po")):
        for entry in catalogue.read(file).values():
            if entry.is_current:
                yield from (f"{file.relative_to(root)}:{entry.line}: {problem}" for problem in terms.problems(entry))

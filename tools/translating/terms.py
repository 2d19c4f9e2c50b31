"""Whether translations keep to the table of terms, and hold the code, the links and the numbers of their English."""

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
# Emphasis, and what is around it. CommonMark sees neither its end between a mark and a letter, *…。*字, nor its beginning
# between a letter and a mark: 字*“…”*.
EMPHASIS = re.compile(
    r"(?<=\w)(\*{1,2})(?=[^\w\s*{])[^*]+\1"
    r"|(?<![*\\])(\*{1,2})(?![\s*])[^*]*[^*\w\s\\]\2\w"
    r"|(?<![*\\])(\*{1,2})(?![\s*])[^*]+\3"
)
NUMBER = re.compile(r"(\d[\d,.]*\d|\d) ?(thousand|million|billion|[百千万亿]*)")
POWERS = {"thousand": 3, "million": 6, "billion": 9, "百": 2, "千": 3, "万": 4, "亿": 8}


class Terms:
    """English terms, each with the translations that it may have."""

    def __init__(self, table: Mapping[str, Sequence[str]], never: Mapping[str, str] | None = None) -> None:
        """never: patterns that no translation has, each with what to say."""
        self.table = {term.lower(): translations for term, translations in table.items()}
        self.never = [(re.compile(pattern), say) for pattern, say in (never or {}).items()]

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
        shown = CODE.sub("`", TARGET.sub("", entry.translation))
        if narrow := NARROW.search(shown):
            yield f"{narrow[0]} has a mark of Latin text"
        yield from (f"{match[0]}: say {say}" for pattern, say in self.never if (match := pattern.search(shown)))
        yield from (f"the emphasis {match[0]} is not seen" for match in EMPHASIS.finditer(shown) if match[1] or match[2])
        absent = _numbers(prose) - _numbers(PLACE.sub("", shown))  # it may have more: words of the English
        if absent and "numbers" not in excepted:
            yield f"it lacks the number {' '.join(map(str, absent.elements()))}"
        for what, pattern in (("code", CODE), ("links", TARGET), ("places to fill", PLACE), ("pictures", PICTURE)):
            asked, given = (Counter(m[0] for m in pattern.finditer(text)) for text in (entry.source, entry.translation))
            if asked != given:
                lacking, more = " ".join((asked - given).elements()), " ".join((given - asked).elements())
                yield f"the {what} differ:{f' it lacks {lacking}' * bool(lacking)}{f' it has {more}' * bool(more)}"


def _numbers(text: str) -> Counter[float]:
    found = ((match[1].replace(",", ""), match[2]) for match in NUMBER.finditer(text))
    return Counter(
        float(f"{number}e{sum(POWERS[power] for power in re.findall('[a-z]+|.', powers))}")
        for number, powers in found
        if number.count(".") < 2  # not that of a version
    )


def problems(root: Path, language: str) -> Iterator[str]:
    """One line each, with the translator's file and the line of the entry."""
    folder = root / FOLDER / language
    path = folder / TABLE
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
        terms = Terms({term: own for term, own in table.items() if term != "never"}, table.get("never"))
    except tomllib.TOMLDecodeError as error:
        raise Failure(f"{path.relative_to(root)}: {error}") from error
    for file in sorted(folder.glob("*.po")):
        for entry in catalogue.read(file).values():
            if entry.is_current:
                yield from (f"{file.relative_to(root)}:{entry.line}: {problem}" for problem in terms.problems(entry))

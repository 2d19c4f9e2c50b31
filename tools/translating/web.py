"""What web pages say: the messages in the sources of pages and of their data, and the catalogue that pages are given in another
language."""

import json
import re
import tomllib
from collections.abc import Iterator, Mapping

from translating.translation import Translation

PLACE = '<script type="application/json" id="words">{}</script>'  # of a page, for its catalogue
TEXT = r'"((?:[^"\\]|\\.)*)"'
SAID = re.compile(rf"""\b(?:say\(\s*(?:[^"(),]*\?\s*)?|plural\([^"]*?,\s*){TEXT}(?:\s*[:,]\s*{TEXT})?""")
MARKED = re.compile(r'<(\w+)\b[^>]* translate="yes"[^>]*>(.*?)</\1>', re.DOTALL)
LABEL = re.compile(r'\b(?:aria|data)-label="([^"]+)"')


def messages(source: str, suffix: str) -> list[str]:
    """Of a script what it says, of HTML the elements and the labels that are to be translated, of a table all of its texts."""
    if suffix == ".toml":
        return list(_texts(tomllib.loads(source)))
    if suffix == ".html":
        return [*(" ".join(match[2].split()) for match in MARKED.finditer(source)), *LABEL.findall(source)]
    texts = [text for match in SAID.finditer(source) for text in match.groups() if text]
    return [json.loads(f'"{text}"') for text in texts]


def _texts(table: Mapping[str, object]) -> Iterator[str]:
    for value in table.values():
        if isinstance(value, dict):
            yield from _texts(value)
        elif isinstance(value, str):
            yield value


def translated(page: str, translation: Translation, part: str) -> str:
    """The page with its catalogue: the translations of a part of the course."""
    own = translation.known(part)
    if not own:
        return page
    catalogue = json.dumps({"language": translation.language, "messages": own}, ensure_ascii=False, separators=(",", ":"))
    return page.replace(PLACE, PLACE.replace("{}", catalogue.replace("<", "\\u003c")), 1)

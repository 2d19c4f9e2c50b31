"""Texts that a tool has put together, as '8.0 sectors per global load': when it is shown in another language, each is
recognised by its template, '{value} {quantity}'."""

import functools
import re
from collections.abc import Callable, Sequence
from itertools import count

Translate = Callable[[str], str]
PLACE = re.compile(r"\{(\d+)\}")
NUMBER = r"\d[\d,.]*"  # what {number} stands for: '0.16 s, its blocks' are no {number} blocks


def phrase(text: str) -> str:
    """Marks a text for translators."""
    return text


def phrases(text: str) -> Sequence[str]:
    """Several that are short, with | or the end of a line between them."""
    return re.split(r"\s*[|\n]\s*", text.strip())


def filled(text: str, templates: Sequence[str], translate: Translate, value: Callable[[str, str], str]) -> str | None:
    """By the first template that it has and that is translated; None without one. value: of a place, by its name."""
    for template in templates:
        own = translate(template)
        if own != template and (match := pattern(template).fullmatch(text)):
            return own.format(**{name: value(name, found) for name, found in match.groupdict().items()})
    return None


def with_places(text: str, pattern: re.Pattern[str]) -> tuple[str, list[str]]:
    """The text with {1}, {2} in the place of what matches, and that."""
    places = count(1)
    return pattern.sub(lambda match: f"{{{next(places)}}}", text), [match[0] for match in pattern.finditer(text)]


def put_in_places(text: str, values: Sequence[str]) -> str:
    """What with_places() has divided, or its translation."""
    return PLACE.sub(lambda match: values[int(match[1]) - 1], text) if values else text


@functools.cache
def pattern(template: str) -> re.Pattern[str]:
    def place(match: re.Match[str]) -> str:
        return f"(?P<{match[1]}>{NUMBER if match[1].startswith('number') else '.+?'})"

    return re.compile(re.sub(r"\\\{(\w+)\\\}", place, re.escape(template)))

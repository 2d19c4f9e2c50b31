"""Texts that a tool has put together, as '8.0 sectors per global load': when it is shown in another language, each is
recognised by its template, '{value} {quantity}'."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Sequence

Translate = Callable[[str], str]


def phrase(text: str) -> str:
    """Marks a text for translators."""
    return text


# Whose time a floor is, as tables and verdicts say it.
FLOORS = (
    phrase("its launch"),
    phrase("its launches"),
    phrase("its blocks"),
    phrase("its atomics at one address"),
    phrase("its shared memory"),
    phrase("its operations"),
    phrase("its bytes, from the L2 cache"),
    phrase("its bytes"),
)


def filled(text: str, templates: Sequence[str], translate: Translate, value: Callable[[str, str], str]) -> str | None:
    """By the first template that it has and that is translated; None without one. value: of a place, by its name."""
    for template in templates:
        own = translate(template)
        if own != template and (match := pattern(template).fullmatch(text)):
            return own.format(**{name: value(name, found) for name, found in match.groupdict().items()})
    return None


@functools.cache
def pattern(template: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>.+?)", re.escape(template)))

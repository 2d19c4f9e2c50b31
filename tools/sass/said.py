"""What is said of machine code: by the listing in English, by the page in its reader's language. The texts stand in the sources
in one piece, as those of the page's scripts do, so that a tool can find them."""

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Said:
    """A text with places, {1} and {2}, and what is in them. As a string it is English."""

    text: str
    values: tuple["str | int | Said", ...] = ()

    def __str__(self) -> str:
        return re.sub(r"\{(\d)\}", lambda place: str(self.values[int(place[1]) - 1]), self.text)


def say(text: str, *values: str | int | Said) -> Said:
    return Said(text, values)


def plural(count: int, one: str, several: str) -> Said:
    """Says how many there are."""
    return Said(one if count == 1 else several, (count,))

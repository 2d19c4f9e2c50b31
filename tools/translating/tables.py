"""What the generated parts of pages say besides sentences, in another language: the words of tables, what is folded, and what
charts show. Names of stages, programs and GPUs stay."""

from __future__ import annotations

import re
from collections.abc import Callable

from translating.templates import FLOORS, Translate, filled, phrase

LINK = re.compile(r"(?<!!)\[([^\]]+)\]\(([^()\s]+)\)")
WORDS = (
    # what was measured
    phrase("stage"),
    phrase("time"),
    phrase("at least"),
    phrase("with copies"),
    phrase("% of copy"),
    phrase("% of peak"),
    phrase("speed-up over CPU"),
    phrase("correct digits"),
    phrase("exact"),
    phrase("measured"),
    phrase("value"),
    *FLOORS,
    # what was counted
    phrase("barriers"),
    phrase("global loads"),
    phrase("global stores"),
    phrase("global atomics"),
    phrase("global atomics at one address"),
    phrase("shared loads"),
    phrase("shared stores"),
    phrase("shared atomics"),
    phrase("shared atomics at one address"),
    phrase("constant loads"),
    phrase("warp operations"),
    phrase("fences"),
    phrase("wavefronts of {requests}"),
    phrase("lanes of a {request}"),
    phrase("shared load"),
    phrase("constant load"),
    phrase("what"),
    phrase("counted here"),
    phrase("{sectors} sectors in {requests} requests"),
    phrase("{number} wavefronts"),
    # floors
    phrase("times recorded on"),
    phrase("all"),
    phrase("below the floor"),
    phrase("up to {times} ×"),
    phrase("more"),
    phrase("limit"),
    phrase("{gpu}: at least"),
    phrase("time ÷ floor"),
    # the summary, lessons and plans
    phrase("chapter"),
    phrase("first GPU stage"),
    phrase("best stage"),
    phrase("gain"),
    phrase("over the CPU"),
    phrase("% of ceiling"),
    phrase("lesson"),
    phrase("lesson, core"),
    phrase("lesson, optional"),
    phrase("exercises, core"),
    phrase("exercises, optional"),
    phrase("rays"),
    phrase("builds on"),
    phrase("lessons"),
    phrase("exercises"),
    phrase("minutes"),
    phrase("together"),
    phrase("**all**"),
    phrase("{hours} h {minutes} min"),
    phrase("{hours} h"),
    # lines around tables
    phrase("The table of the {gpu}"),
    phrase("The tables of the {gpu}"),
    phrase("The same on the {gpu}"),
    phrase("*Largest sizes:* {sizes}"),
    phrase("*Rows of the CPU:* {row}, in chapter {number} {other}."),
    phrase("*Rows of the CPU:* {row}."),
    phrase("*Without a ceiling:* chapter {number}, where {what} are counted."),
    # charts
    phrase("The stages of {chapter} and what each reaches"),
    phrase("The time of each stage of {chapter} against n"),
    phrase("The stages of {chapter} below the roofs that memory and cores set"),
    phrase("What copies and kernels of {chapter} did when"),
)


def shown(text: str, translate: Translate, title: Callable[[str, str], str]) -> str:
    """A cell of a table, or what stands around one. title: a page's title, by the link that leads there and its English."""
    if LINK.search(text):
        linked = LINK.sub(lambda match: f"[{_linked(match[1], match[2], translate, title)}]({match[2]})", text)
        return linked.replace("), [", ")\u3001[") if linked != text else text
    whole = _words(text, translate)
    parts = text.split(", ")
    own = [_words(part, translate) for part in parts]
    return "\uff0c".join(own) if whole == text and own != parts else whole


def _linked(text: str, target: str, translate: Translate, title: Callable[[str, str], str]) -> str:
    return title(target, text) if ".md" in target and "#" not in target else _words(text, translate)


def _words(text: str, translate: Translate) -> str:
    return filled(text, WORDS, translate, lambda name, value: _words(value, translate)) or text

"""What the generated parts of pages say besides sentences, in another language: the words of tables, what is folded, and what
charts show. Names of stages, programs and GPUs stay."""

from __future__ import annotations

import re
from collections.abc import Callable

from translating.markdown import FILLED_IN
from translating.templates import FLOORS, Translate, filled, phrase, put_in_places, with_places

LINK = re.compile(r"(?<!!)\[([^\]]+)\]\(([^()\s]+)\)")
WORDS = (
    # what was measured
    phrase("stage"),
    phrase("time"),
    phrase("idea"),
    phrase("× the first"),
    phrase("% of the library"),
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
    # what chapters 02, 06 and 12 measured
    phrase("host to device"),
    phrase("device to host"),
    phrase("pageable"),
    phrase("pinned"),
    phrase("device to device"),
    phrase("device to device share of peak"),
    phrase("multiply add"),
    phrase("multiply add share of peak"),
    phrase("multiply add of doubles"),
    phrase("latency of global memory"),
    phrase("latency of the L2 cache"),
    phrase("latency of the L1 cache"),
    phrase("latency of shared memory"),
    phrase("reading global memory"),
    phrase("reading the L2 cache"),
    phrase("reading shared memory"),
    phrase("atomic at one address"),
    phrase("start of a block"),
    phrase("start of a kernel"),
    phrase("peak of the memory"),
    phrase("peak of fp32"),
    phrase("worked out"),
    phrase("way"),
    phrase("long kernel"),
    phrase("short kernel"),
    phrase("first launch: CPU clock"),
    phrase("first launch: events"),
    phrase("CPU clock"),
    phrase("not synchronised"),
    phrase("synchronised"),
    phrase("events, and between them {time} of work for the host"),
    phrase("events around {launches} launches, divided by {number}"),
    phrase("events"),
    phrase("different addresses"),
    phrase("constant"),
    phrase("global"),
    phrase("streams"),
    phrase("terms"),
    phrase("serial"),
    phrase("pairwise"),
    phrase("ranks"),
    phrase("speed-up"),
    phrase("efficiency %"),
    phrase("digits"),
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
    phrase("*Rows of the CPU:* {row}, in chapter {number} {other} or {third}."),
    phrase("*Rows of the CPU:* {row}, in chapter {number} {other}."),
    phrase("*Rows of the CPU:* {row}."),
    phrase("*Without a ceiling:* chapter {number}, where {what} are counted."),
    # charts
    phrase("The stages of {chapter} and what each reaches"),
    phrase("What {chapter} measured of memories and copies"),
    phrase("The time of each stage of {chapter} against n"),
    phrase("The stages of {chapter} below the roofs that memory and cores set"),
    phrase("What copies and kernels of {chapter} did when"),
    phrase("The time of each stage of {chapter} against {axis}"),
    phrase("number of spheres"),
    phrase("pixels a side"),
    phrase("rows and columns"),
    phrase("{number} spheres"),
    phrase("M rays/s"),
    phrase("The time of {data}, n = {n}, {stage} by blocks for each multiprocessor"),
    phrase("random bytes"),
    phrase("Nanoseconds for a load of a warp, on a multiprocessor full of warps"),
    phrase("Error of π in float, in units of the last place"),
)


def shown(text: str, translate: Translate, title: Callable[[str, str], str]) -> str:
    """A cell of a table, or what stands around one. title: a page's title, by the link that leads there and its English."""
    if LINK.search(text):
        linked = LINK.sub(lambda match: f"[{_linked(match[1], match[2], translate, title)}]({match[2]})", text)
        return linked.replace("), [", ")\u3001[") if linked != text else text
    return _listed(text, translate)


def _listed(text: str, translate: Translate) -> str:
    """As a whole, or else its first part and then the others: '1.3 µs, its bytes, from the L2 cache'."""
    whole = _words(text, translate)
    first, comma, rest = text.partition(", ")
    if whole != text or not comma:
        return whole
    own = _words(first, translate), _listed(rest, translate)
    return "\uff0c".join(own) if own != (first, rest) else text


def _linked(text: str, target: str, translate: Translate, title: Callable[[str, str], str]) -> str:
    return title(target, text) if ".md" in target and "#" not in target else _words(text, translate)


def _words(text: str, translate: Translate) -> str:
    def value(name: str, found: str) -> str:
        return _sizes(found, translate) if name == "sizes" else _words(found, translate)

    return filled(text, WORDS, translate, value) or text


def _sizes(text: str, translate: Translate) -> str:
    """'03: n = 1,024 floats; 05: …', of which captions have messages"""
    found = []
    for size in text.removesuffix(".").split("; "):
        chapter, _, title = size.partition(": ")
        message, values = with_places(title, FILLED_IN)
        found.append(f"{chapter}\uff1a{put_in_places(translate(message), values)}")
    return "\uff1b".join(found) + "\u3002" * text.endswith(".")

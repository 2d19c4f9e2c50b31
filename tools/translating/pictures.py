"""What pictures say in another language. The labels of an SVG file are messages: what is in its texts and titles. All numbers,
stages and elements of arrays have places in a message, {1}, {2}, so it is one for all pictures and for all measurements."""

import itertools
import re
from collections.abc import Iterator, Sequence
from html import escape, unescape
from pathlib import Path

from shared import chapters, console
from translating.templates import PLACE, Translate, put_in_places, with_places

LABEL = re.compile(r"(<(?:text|tspan|title|desc)\b[^<>]*>|</tspan>)([^<]*[^<\s][^<]*)")
KEPT = re.compile(r' (?:translate="no"|class="mono bold"|font-family="monospace")')  # of a text that is a name, or code
FONTS = {"zh": "Noto Sans CJK SC"}
GENERIC_FONT = re.compile(r"\b(?:sans-serif|monospace)\b")

NUMBER = r"(?<![\w.])[-\u2212]?(?:0x[0-9a-f]+|\d[\d,.]*\d|\d)[KMGi]?(?!\w|[.,]\d)"
FILLED_IN = re.compile(
    r"\b[A-Za-z_]\w*(?:\[[^\]]*\])+"  # an element of an array
    r"|\b[a-z]?\d+_\w+"  # a chapter or a stage
    rf"|{NUMBER}(?:(?:, {NUMBER}){{2,}})?"
)
DATE = re.compile(r"\d{4}-\d\d-\d\d")
CALL = re.compile(r"\w+(?:<<<.*>>>)?\([^()]*\)")
CODE = re.compile(r"[_=\d]|->|\+\+|::|[a-z][A-Z]|\w\.\w")  # in what no blank divides
UNIT = re.compile(r"(?:GB|GFLOP)(?:/s)?|[KMG]iB|GHz|[mµn]s")
WORD = re.compile(r"[^\W\d_]{2,}")


def files(root: Path) -> list[str]:
    """The course's pictures that have labels, below the root."""
    folders = [root / name for name in (*chapters.discover(root), "emulator/pictures")]
    paths = [*sorted(root.glob("*.svg")), *(path for folder in folders for path in sorted(folder.rglob("*.svg")))]
    return [path.relative_to(root).as_posix() for path in paths]


def messages(svg: str) -> list[str]:
    """All of them, each once, in the picture's order."""
    found: dict[str, None] = {}

    def note(message: str) -> str:
        found[message] = None
        return message

    _with_labels(svg, note)
    return list(found)


def translated(svg: str, translate: Translate, language: str) -> str:
    """The picture with each message as `translate` has it, in a font that has the language's characters."""
    own = _with_labels(svg, translate)
    if own != svg and (font := FONTS.get(language)):
        own = GENERIC_FONT.sub(rf"{font}, \g<0>", own)
    return own.replace("<svg ", f'<svg xml:lang="{language}" ', 1) if own != svg else svg


def _with_labels(svg: str, translate: Translate) -> str:
    title, caption = _title(svg), _caption(svg)
    lines = iter(caption and _in_lines(_shown(" ".join(caption), translate), caption))

    def put(match: re.Match[str]) -> str:
        tag, label = match[1], unescape(match[2])
        if KEPT.search(tag):
            return match[0]
        if tag.startswith("<text") and (line := next(lines, None)) is not None:
            own = line
        elif tag == "<title>" and label == title:
            own = _shown_title(title, _texts(svg), translate)
        else:
            inner = label.strip()
            own = label.replace(inner, _shown(inner, translate))
        return match[0] if own == label else tag + escape(own, quote=False)

    return LABEL.sub(put, svg)


def _texts(svg: str) -> Iterator[str]:
    return (unescape(match[2]) for match in LABEL.finditer(svg) if match[1].startswith("<text"))


def _title(svg: str) -> str:
    """The whole picture's; '' for none."""
    match = re.match(r"<svg\b[^<>]*>\s*<title>([^<]+)", svg)
    return unescape(match[1]) if match else ""


def _caption(svg: str) -> list[str]:
    """The lines of the title where it is too long for one: the picture begins with them."""
    lines: list[str] = []
    title = _title(svg)
    for text in _texts(svg):
        lines.append(text)
        if not title.startswith(joined := " ".join(lines)):
            break
        if joined == title:
            return lines if len(lines) > 1 else []
    return []


def _in_lines(text: str, english: Sequence[str]) -> list[str]:
    """As many as in English, and no longer than these if that is possible."""
    for most in itertools.count(max(map(console.columns, english))):
        lines = console.lines_of_wide(text, most)
        if len(lines) <= len(english):
            return lines + [""] * (len(english) - len(lines))
    raise AssertionError


def _shown_title(title: str, texts: Iterator[str], translate: Translate) -> str:
    """A chart's has the line below it, too."""
    first = next(texts, "")
    if not first or not title.startswith(f"{first}, "):
        return _shown(title, translate)
    parts = first, title.removeprefix(f"{first}, ")
    own = tuple(_shown(part, translate) for part in parts)
    return title if own == parts else "\uff0c".join(own)


def _shown(label: str, translate: Translate) -> str:
    if DATE.search(label):  # below a chart's title: the GPU, what was measured, when
        gpu, *parts = label.split(" · ")
        return " · ".join([gpu, *(_shown(part, translate) for part in parts)])
    message, values = with_places(label, FILLED_IN)
    return put_in_places(translate(message), values) if _has_words(message) else label


def _has_words(message: str) -> bool:
    pieces = CALL.sub(" ", PLACE.sub(" ", message)).split()
    return any(WORD.search(UNIT.sub("", piece)) for piece in pieces if not CODE.search(piece))

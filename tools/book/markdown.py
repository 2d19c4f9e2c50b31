"""The repository's Markdown as HTML. It is GitHub's, and MkDocs's own Markdown reads lists, tables and folded parts
differently. So GitHub's parser reads it: cmark-gfm."""

import base64
import mimetypes
import re
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from html import escape, unescape
from pathlib import Path

from lessons.page import slug, unique

CMARK = ("cmark-gfm", "--unsafe", "-e", "table", "-e", "strikethrough", "-e", "autolink", "-e", "tasklist")
HEADING = re.compile(r"<h([1-6])>(.*?)</h\1>", re.DOTALL)
LINK = re.compile(r'(<(?:a|img)\b[^>]*? (?:href|src)=")([^"]*)"')
LINKED_OR_IMAGE = re.compile(r'<a\b[^>]*>.*?</a>|<img src="([^"]*)"[^>]*/>', re.DOTALL)
COMMENT = re.compile(r"^<!--.*?-->\n?|<!--.*?-->", re.DOTALL | re.MULTILINE)
TAG = re.compile(r"<[^>]+>")


@dataclass(frozen=True)
class Heading:
    level: int
    slug: str
    html: str


def to_html(markdown: str) -> str:
    """The page's HTML, without the comments that mark generated parts."""
    result = subprocess.run(CMARK, input=markdown, capture_output=True, encoding="utf-8", check=True)
    return COMMENT.sub("", result.stdout)


def with_slugs(html: str, english: str = "") -> tuple[str, list[Heading]]:
    """The HTML with an anchor at each heading, as GitHub has it, and the headings. english: the same page in English,
    whose anchors these are in every language."""
    headings: list[Heading] = []
    used: dict[str, int] = {}
    titles = [match[2] for match in HEADING.finditer(english or html)]

    def anchored(match: re.Match[str]) -> str:
        name = slug(plain(titles[len(headings)]))
        heading = Heading(int(match[1]), unique(name, used), match[2])
        headings.append(heading)
        link = f'<a class="headerlink" href="#{heading.slug}" title="Permanent link">¶</a>'
        return f'<h{match[1]} id="{heading.slug}">{match[2]}{link}</h{match[1]}>'

    return HEADING.sub(anchored, html), headings


def with_links(html: str, to: Callable[[str], str]) -> str:
    """The HTML with each link and picture where `to` says."""
    return LINK.sub(lambda match: f'{match[1]}{escape(to(unescape(match[2])))}"', html)


def with_large_pictures(html: str) -> str:
    """Each picture that is no link leads to itself, in its own size."""
    return LINKED_OR_IMAGE.sub(lambda match: f'<a href="{match[1]}">{match[0]}</a>' if match[1] else match[0], html)


def data_url(picture: Path, shown: Callable[[str], str]) -> str:
    """The picture as an address that needs no file; an SVG as `shown` makes it."""
    data = picture.read_bytes()
    if picture.suffix == ".svg":
        data = shown(data.decode()).encode()
    return f"data:{mimetypes.guess_type(picture.name)[0]};base64,{base64.b64encode(data).decode()}"


def plain(html: str) -> str:
    """The text of a piece of HTML."""
    return unescape(TAG.sub("", html))

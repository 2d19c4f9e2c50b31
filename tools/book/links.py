"""Whether each link of a built site leads somewhere: files and anchors, without a server. (Debian's linkchecker does
this, too, and takes minutes for it.)"""

import posixpath
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from urllib.parse import unquote, urlsplit

FETCHED = ("link", "script", "img", "iframe")  # elements for which a browser fetches what they name
TO_A_BROWSER = ("icon", "stylesheet", "preconnect")  # kinds of <link> that are


# Tags with such an attribute, as cmark-gfm and MkDocs write them: ">" is escaped in a value. (Python's parser reads each of the
# million tags that colour the sources, and takes ten times as long.)
TAG = re.compile(r"<([a-z]\w*)\s([^<>]*\b(?:id|name|href|src)=[^<>]*)>")
ATTRIBUTE = re.compile(r"""(?<![\w-])(id|name|href|src|rel)=(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+))""")
SCRIPT = re.compile(r"(<script\b[^>]*>).*?(?=</script>)|<!--.*?-->", re.DOTALL)


class _Document:
    """The links and anchors of a page."""

    def __init__(self, html: str) -> None:
        self.links: dict[str, bool] = {}  # and whether a browser fetches what is there
        self.anchors: set[str] = set()
        for tag, attributes in TAG.findall(SCRIPT.sub(r"\1", html)):
            values = {name: unescape("".join(value)) for name, *value in ATTRIBUTE.findall(attributes)}
            self.anchors.update(value for name in ("id", "name") if (value := values.get(name)))
            fetched = tag in FETCHED and (tag != "link" or values.get("rel") in TO_A_BROWSER)
            for link in (values[name] for name in ("href", "src") if name in values):
                self.links[link] = fetched or self.links.get(link, False)


@dataclass(frozen=True)
class Scripted:
    """Pages whose anchors are read by a script of theirs."""

    addresses: Collection[str]
    are_there: bool  # or will be


def broken(site: Path, scripted: Scripted) -> Iterator[tuple[str, str, str]]:
    """Page, link and what is wrong with it."""
    paths = {path.relative_to(site).as_posix(): path for path in site.glob("**/*.html")}
    documents = {name: _Document(path.read_text(encoding="utf-8")) for name, path in paths.items()}
    for page, document in sorted(documents.items()):
        if posixpath.basename(page) == "404.html":  # is shown at any address, and so its links begin at the site's root
            continue
        for link, fetched in document.links.items():
            if wrong := _wrong(site, documents, scripted, page, link, fetched):
                yield page, link, wrong


def _wrong(site: Path, documents: Mapping[str, _Document], scripted: Scripted, page: str, link: str, fetched: bool) -> str:
    """What is wrong with a link; '' if it is right."""
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        return "is fetched from the web" if fetched and parts.scheme != "data" else ""
    target = posixpath.normpath(posixpath.join(posixpath.dirname(page), unquote(parts.path))) if parts.path else page
    if target in scripted.addresses and not scripted.are_there:
        return ""
    if target.startswith("../") or not (site / target).is_file():
        return "leads to no file of the book"
    anchor = unquote(parts.fragment)
    if anchor and target in documents and target not in scripted.addresses and anchor not in documents[target].anchors:
        return "leads to no anchor of that page"
    return ""

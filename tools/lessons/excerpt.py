"""Finds a named definition in C++ or CUDA source, so that a lesson can show it as it is: from the beginning of a line to the
end of a line, as clang-format lays out the sources (./lab lint)."""

import re
import textwrap
from collections.abc import Iterator

# Comments, literals and preprocessor lines: what may hold braces and names that are no code. A ' after a digit or a
# letter is a digit separator (1'000), so it opens no character.
NO_CODE = re.compile(
    r"""
    //[^\n]*
  | /\*.*?\*/
  | R"(?P<end>[^(\s]*)\(.*?\)(?P=end)"
  | "(?:\\.|[^"\\\n])*"
  | (?<![0-9A-Za-z_])'(?:\\.|[^'\\\n])+'
  | ^[ \t]*\#(?:\\\n|[^\n])*
    """,
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)
# Lines between definitions. What a namespace holds is in no definition.
BETWEEN = re.compile(
    r"\s*(?:\}[^;{}\n]*;?|(?:inline )?namespace\b[^=\n]*\{|extern +\{|(?:public|private|protected):)?[ \t]*(?:\n|\Z)"
)
LINE_END = re.compile(r"[;}][ \t]*$", re.MULTILINE)
# A name, and what follows it where it is declared; some words in front of parentheses and braces are no names.
NO_NAME = r"__\w+__|alignas|decltype|requires|noexcept|explicit|sizeof|operator|template|enum|const|final|override"
DECLARED = re.compile(rf"\b(?!(?:{NO_NAME})\b)([A-Za-z_][\w:]*+)(?:\s+final\b)?\s*(?:\[[^\]]*\]\s*)*([({{]|:(?!:)|=(?!=))")


def definition(source: str, name: str) -> str | None:
    """The text of the function, type or variable with this name, without indentation; None where there is none."""
    for begin, end, defined in _definitions(_blanked(source)):
        if defined == name or defined.endswith(f"::{name}"):
            return textwrap.dedent(source[begin:end])
    return None


def outermost(source: str) -> Iterator[tuple[int, int, str]]:
    """(begin, end, name) of each definition that is in no type or function."""
    inside = 0
    for begin, end, name in _definitions(_blanked(source)):
        if begin >= inside:
            yield begin, end, name
            inside = end


def lines_between(source: str, first: str, last: str) -> str | None:
    """The lines from the first one that contains one text to the next that contains the other."""
    lines = source.splitlines()
    begin = next((i for i, line in enumerate(lines) if first in line), None)
    if begin is None:
        return None
    end = next((i for i in range(begin, len(lines)) if last in lines[i]), None)
    return None if end is None else textwrap.dedent("\n".join(lines[begin : end + 1]))


def _blanked(source: str) -> str:
    """The source with blanks in place of what is no code."""
    return NO_CODE.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), source)


def _definitions(code: str) -> Iterator[tuple[int, int, str]]:
    """(begin, end, name) of what is defined, in types too."""
    begin = 0
    while begin < len(code):
        if between := BETWEEN.match(code, begin):
            begin = between.end()
            continue
        end = _end(code, begin)
        head = re.split(r"(?<=[{;])", re.sub(r"\[\[.*?\]\]", " ", code[begin:end], flags=re.DOTALL), maxsplit=1)[0]
        while (shorter := re.sub(r"<[^<>]*>", "", head)) != head:  # template arguments: std::function<void(int)>
            head = shorter
        declared = DECLARED.search(head)
        if declared and not (declared[2] == "(" and code[end - 1] == ";"):
            yield begin, end, declared[1]
        entered = declared and declared[2] in "{:" and re.search(r"(?<!enum )\b(?:struct|class|union)\b", head)
        begin = code.find("\n", code.find("{", begin) if entered else end) + 1 or len(code)  # of a type: what it holds


def _end(code: str, begin: int) -> int:
    """The end of the first line that ends a declaration with all its braces."""
    for line_end in LINE_END.finditer(code, begin):
        text = code[begin : line_end.start() + 1]
        if text.count("{") == text.count("}"):
            return line_end.start() + 1
    return len(code)

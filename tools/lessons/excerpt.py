"""Finds a named definition in C++ or CUDA source, so that a lesson can show it as it is."""

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
  | (?<![0-9A-Za-z_])(?:u8|[uUL])?'(?:\\.|[^'\\\n])+'
  | ^[ \t]*\#(?:\\\n|[^\n])*
    """,
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)
TYPE = re.compile(r"\b(?:struct|class|union|enum)\s+(?:class\s+)?(?:\w+\s*\([^()]*\)\s*|\[\[.*?\]\]\s*)*([\w:]+)")
TEMPLATE = re.compile(r"^[ \t]*template <.*?>$", re.DOTALL | re.MULTILINE)  # on lines of its own, by clang-format
# Names followed by parentheses that are no function's parameters.
NOT_A_FUNCTION = re.compile(r"__\w+__|alignas|decltype|noexcept|requires|explicit|sizeof|operator")
CALLED = re.compile(r"([A-Za-z_][\w:]*)\s*\(")


def definition(source: str, name: str) -> str | None:
    """The text of the function, type or variable with this name, without indentation; None where there is none."""
    code = _blanked(source)
    for begin, end, defined in _definitions(code, 0, len(code)):
        if defined == name or defined.endswith(f"::{name}"):
            line_begin = source.rfind("\n", 0, begin) + 1
            indent = source[line_begin:begin]
            return textwrap.dedent((indent if not indent.strip() else "") + source[begin:end])
    return None


def outermost(source: str) -> Iterator[tuple[int, int, str]]:
    """(begin, end, name) of each definition that is in no type or function."""
    code = _blanked(source)
    inside = 0
    for begin, end, name in _definitions(code, 0, len(code)):
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


def _definitions(code: str, begin: int, stop: int) -> Iterator[tuple[int, int, str]]:
    """(begin, end, name) of what is defined between begin and stop, namespaces and classes entered."""
    start = begin  # of the declaration at hand
    position = begin
    while match := re.compile(r"[;{}()]").search(code, position, stop):
        position = match.end()
        mark = match[0]
        if mark == "(":
            position = _closing(code, match.start())
        elif mark == "{":
            close = _closing(code, match.start())
            head = code[start : match.start()]
            if re.search(r"\bnamespace\b", head) or head.strip() == "extern":
                yield from _definitions(code, position, close - 1)
                start = close
            elif _goes_on(code, close, head):
                pass  # the braces were part of a head: a member initialiser, a default argument
            else:
                kind, name = _name(head)
                if not name and "(" not in head and (words := re.findall(r"\w+", head)):
                    kind, name = "variable", words[-1]  # int x{1};
                end = close
                if kind != "function":  # up to its semicolon
                    end = code.find(";", close, stop) + 1 or close
                yield _skip_blank(code, start), end, name
                if kind == "type":
                    yield from _definitions(code, position, close - 1)
                start = end
            position = max(start, close)
        elif mark == ";":
            kind, name = _name(code[start : match.start()])
            if kind == "variable":
                yield _skip_blank(code, start), position, name
            start = position
        else:
            start = position


def _name(head: str) -> tuple[str, str]:
    """What the text before a '{' or ';' declares: ('function' | 'type' | 'variable', name)."""
    head = re.sub(r"\[\[.*?\]\]", " ", TEMPLATE.sub("", head), flags=re.DOTALL)
    head = _without(r"<[^<>]*>", head)  # template arguments: std::function<void(int)>
    outside = _without(r"\([^()]*\)", head)
    if alias := re.match(r"\s*using\s+(\w+)\s*=", head):
        return "variable", alias[1]
    if "=" in outside and "operator" not in outside:
        names = re.findall(r"\w+", re.sub(r"\[[^\]]*\]", " ", outside.partition("=")[0]))
        return "variable", names[-1] if names else ""
    functions = [match[1] for match in CALLED.finditer(head) if not NOT_A_FUNCTION.fullmatch(match[1])]
    if (of_type := TYPE.search(head)) and not (functions and functions[0] != of_type[1] and "(" in head):
        return "type", of_type[1]
    return "function", functions[0] if functions else ""


def _goes_on(code: str, close: int, head: str) -> bool:
    """True when a closed pair of braces belongs to a constructor's initialisers: Point() : x{1}, y{2} { … }."""
    after = code[close:].lstrip()[:1]
    return after in (",", "{") and re.search(r"\)\s*(?:noexcept\s*)?:[^:]", head) is not None


def _without(pattern: str, text: str) -> str:
    """Without what matches, one in another too."""
    while (shorter := re.sub(pattern, " ", text)) != text:
        text = shorter
    return text


def _closing(code: str, opening: int) -> int:
    """The position after the bracket that closes the one at opening."""
    depth = 0
    for position in range(opening, len(code)):
        if code[position] in "({":
            depth += 1
        elif code[position] in ")}":
            depth -= 1
            if depth == 0:
                return position + 1
    return len(code)


def _skip_blank(code: str, start: int) -> int:
    """Where a declaration begins: after blanks, comments (blank by now) and access specifiers."""
    match = re.compile(r"\s*(?:(?:public|private|protected)\s*:\s*)*").match(code, start)
    assert match
    return match.end()

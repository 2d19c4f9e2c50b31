"""Sentences that sources put together: 'thread (1,0,0) of block (0,0,0) writes 4 bytes' is `"thread " + index(t) + " of block "
+ index(b)` and `"writes " + bytes_of(n)`. Where a source joins a literal with something else, a template has a place:
'thread {index} of block {index2}', 'writes {bytes}'. So a source says what there is to be translated, and a sentence that is
shown is recognised by its templates, and what is in their places by others.
"""

import ast
import functools
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

Tokens: TypeAlias = "list[str | tuple[str, Tokens]]"  # what is in brackets is one, with the bracket

TOKEN = re.compile(
    r"//[^\n]*|/\*.*?\*/|^[ \t]*\#(?:\\\n|[^\n])*"
    r"""|R"\(.*?\)"|"(?:[^"\\\n]|\\.)*"|\d[\w.']*|'(?:[^'\\]|\\.)+'|\w+|::|->|[-+*/=!<>]=|&&|\|\||<<|\S""",
    re.DOTALL | re.MULTILINE,
)
NO_CODE = re.compile(r"//|/\*|\s*#")
ENDS_EXPRESSION = {",", ";", "=", "+=", "return", "<<", "?", ":", "&&", "||", "==", "!=", "else"}
SEARCHING = ("compile", "ends_with", "endswith", "find", "match", "starts_with", "startswith", "strcmp")  # for a text
FORMAT = re.compile(r"(%[-+#0]*\d*(?:\.[\d*]+)?[hljzt]*[a-zA-Z])|EXERCISE")  # of printf(); and the judge's
NO_SENTENCE = re.compile(
    r"[\"\n\\$]|\?:|not supported|(?:emulator|nvcc_cpu|ThreadSanitizer):|^needs | bytes (?:before|past the end of)$"
    r"|^s?\{text\} (?:is|are|was|were)$"
)
WORD = re.compile(r"(?<![\w.<*&/>-])[A-Za-z][a-z]+(?![\w(\[<*&]|::|\.\w|->)")
PLACE = re.compile(r"\{((?:text|index|bytes|number)\d*)\}")
PATTERNS = {
    "text": ".*?",
    "index": r"\([\d,]+\)",
    "bytes": r"[\d,]+ bytes?",
    "number": r"-?(?:0x)?(?:[\d,.]*[\da-f](?:e[-+]\d+)?|[\da-f]{8}|nan|inf)",
}
MADE_BY = {"index": "index", "bytes_of": "bytes", "to_string": "number"}  # what these functions put in a place
TEXT = "{text}"
NAMES = re.compile(r"""(?:[\w./'-]+, ){2,}[\w./'-]+""")  # of chapters, stages, commands
LISTED = "\u3001"
ELEMENT = re.compile(r"(\w+ .*\w)(\[\d+\])")  # of what has no name but words: 'end of a list[0]'
ERROR = re.compile(r"cudaError\w+ \([^()]+\)")  # as CUDA describes it
MARKS = {":": "\uff1a", ";": "\uff1b", ",": "\uff0c"}
OF_COMPILERS = re.compile(r"(\| )?error|.*\.\w+:\d+")  # 'error: add.cu:40: ': these colons stay as a compiler prints them
WIDE = "[\u3000-\u9fff\uff00-\uffef]"
BETWEEN_WIDE = re.compile(rf"(?<={WIDE}) +(?={WIDE})|(?<=[\u3000-\u303f\uff00-\uffef]) +| +(?=[\u3000-\u303f\uff00-\uffef])")


# ---------------------------------------------------------------------------------------------------- what a source says


def templates(source: str, suffix: str) -> list[str]:
    """Each once, in the order of the source."""
    found = _of_python(ast.parse(source)) if suffix == ".py" else _of_cpp(_in_brackets(iter(TOKEN.findall(source))))
    return [text for text in dict.fromkeys(map(_template, found)) if _is_sentence(text)]


def messages(source: str, suffix: str) -> list[str]:
    """Of a tool's source what lab says of itself: help, progress, errors and what it prints; of a program's, all that it says.
    Of single words it is not known whose they are."""
    found = [] if suffix == ".py" else _in_lines(_of_cpp(_in_brackets(iter(TOKEN.findall(source)))))
    for node in ast.walk(ast.parse(source)) if suffix == ".py" else ():
        if isinstance(node, ast.Call):
            name = ast.unparse(node.func).rpartition(".")[2]
            said = [*node.args[:1]] if name in ("Failure", "note", "show", "error", "said") else []
            for keyword in node.keywords:
                said += [keyword.value] if keyword.arg in ("help", "summary", "description", "epilog") else []
                said += keyword.value.values if keyword.arg == "examples" and isinstance(keyword.value, ast.Dict) else []
            found += [text for each in said for text in _of_python(each)]
            found += _in_lines(_of_python(node.args[0])) if name == "print" and node.args else []
    texts = (" ".join(_template(text.removeprefix("lab: ")).split()) for text in found if "\n\n" not in text)
    return [text for text in dict.fromkeys(texts) if len(text) > 8 and WORD.search(PLACE.sub("", text))]


def _in_lines(texts: Iterator[str]) -> list[str]:
    return [line for text in texts for line in text.split("\n")]


def _is_sentence(text: str) -> bool:
    return " " in text and WORD.search(PLACE.sub("", text)) is not None and not NO_SENTENCE.search(text)


def _of_python(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Expr(value=ast.Constant()) | ast.Call(func=ast.Name(id="Failure" | "phrase")):
            return
        case ast.Call(func=ast.Attribute(attr=name)) if name in SEARCHING:
            return
        case ast.Constant(value=str(text)):
            yield text
            return
        case ast.JoinedStr(values=values):
            yield "".join(str(value.value) if isinstance(value, ast.Constant) else TEXT for value in values)
            for value in values:
                if isinstance(value, ast.FormattedValue):
                    yield from _of_python(value)
            return
    for child in ast.iter_child_nodes(node):
        yield from _of_python(child)


def _in_brackets(tokens: Iterator[str]) -> Tokens:
    """Up to the bracket that closes."""
    found: Tokens = []
    for token in tokens:
        if token in ")]}":
            break
        if not NO_CODE.match(token):
            found.append((token, _in_brackets(tokens)) if token in "([{" else token)
    return found


def _of_cpp(tokens: Tokens) -> Iterator[str]:
    operands: list[Tokens] = [[]]
    for token in [*tokens, ";"]:
        if token[0] == "{" or (isinstance(token, str) and token in ENDS_EXPRESSION):
            yield "".join(_operand(operand) for operand in operands if operand)
            operands = [[]]
        elif token == "+":
            operands.append([])
        else:
            operands[-1].append(token)
    for before, token in zip(["", *tokens], tokens, strict=False):
        if isinstance(token, tuple) and before not in SEARCHING and not (before == "string" and _is_literal(token[1])):
            yield from _of_cpp(token[1])


def _is_literal(tokens: Tokens) -> bool:
    return bool(tokens) and all(token[0] == '"' for token in tokens)


def _operand(tokens: Tokens) -> str:
    """A literal, or std::string(literal); of anything else a place."""
    if tokens[:3] == ["std", "::", "string"] and len(tokens) == 4 and tokens[3][0] == "(":
        tokens = list(tokens[3][1])
    if _is_literal(tokens):
        return "".join(ast.literal_eval(str(token)) for token in tokens)
    made_by = tokens[-2] if len(tokens) > 1 and tokens[-1][0] == "(" else ""
    return f"{{{MADE_BY.get(str(made_by), 'text')}}}"


def _template(text: str) -> str:
    """Places that touch are one. A literal that begins or ends with a blank, or begins with a comma, has something there."""
    text = FORMAT.sub(lambda match: "{number}" if match[1] and match[1][-1] != "s" else TEXT, text)
    text = re.sub(r"(?:\{\w+\}){2,}", TEXT, text)
    if text.startswith((" ", ", ", "; ", ": ", ". ")) and not text.lstrip()[:1].isupper():
        text = TEXT + text
    if text.endswith((" ", "0x")):
        text += TEXT
    seen: Counter[str] = Counter()

    def numbered(match: re.Match[str]) -> str:
        seen[match[1]] += 1
        return f"{{{match[1]}{seen[match[1]] if seen[match[1]] > 1 else ''}}}"

    return PLACE.sub(numbered, text).strip()


# ------------------------------------------------------------------------------------------------------- what is shown


@dataclass(frozen=True)
class Shown:
    text: str
    english: int  # words that stay English, twice; a single one in a place may be a name, and counts once
    before: int = 0  # words in places with which templates begin: of two ways to read a text, the one with fewer is meant

    def __lt__(self, other: "Shown") -> bool:
        return (self.english, self.before) < (other.english, other.before)

    def and_then(self, mark: str, other: "Shown") -> "Shown":
        both = BETWEEN_WIDE.sub("", self.text + mark + other.text)
        return Shown(both, self.english + other.english, self.before + other.before)


class Template:
    def __init__(self, text: str, own: str) -> None:
        """own: its translation."""
        self.own = own
        self.literals, names = PLACE.split(text)[::2], PLACE.findall(text)
        of_names = (f"(?P<{name}>{PATTERNS[name.rstrip('0123456789')]})" for name in names)
        self.pattern = re.compile("".join(re.escape(literal) + next(of_names, "") for literal in self.literals))
        self.words = len(re.findall("[A-Za-z]{2,}", "".join(self.literals)))
        # Names of functions, and of arrays: 'keys (64 bytes)'.
        self.named = {name for name in names if re.search(rf"\{{{name}\}} ?\((?![a-z])", text)}
        self.begins = "" if self.literals[0] else names[0]
        # Places behind a word, without a blank: 'the default stream{text}'.
        self.behind_words = [name for literal, name in zip(self.literals, names, strict=False) if literal[-1:].isalpha()]


class Sentences:
    """In a language."""

    def __init__(self, known: Mapping[str, str]) -> None:
        """known: translations of templates, and of words that stand in their places."""
        templates = (Template(*each) for each in known.items())
        self._templates = sorted(templates, key=lambda each: -len("".join(each.literals)))  # if two are as good, the longer one
        self._words = {word for each in self._templates for literal in each.literals for word in WORD.findall(literal)}

    def shown(self, text: str) -> Shown:
        """As it is where nobody has translated it."""
        templates = [each for each in self._templates if all(literal in text for literal in each.literals)]
        return _Reading(templates, self._words).best(text)


class _Reading:
    """Of a text that these templates may be in."""

    def __init__(self, templates: Sequence[Template], words: set[str]) -> None:
        self._templates = templates
        self._words = words
        self.best = functools.cache(self._find_best)
        self._whole = functools.cache(self._find_whole)

    def _find_best(self, text: str) -> Shown:
        """As one sentence, or as two: 'thread 3' 'writes 4 bytes', 'n = 3' 'sum is 4'."""
        best = self._whole(text)
        # The first one is as good as a later one, or better. '10 launches' are not divided.
        for match in reversed([*re.finditer(r"(?<=[^ ]) (?!(?<=\d )\w+(?:,|$))", text)]):
            if not best.english and not best.before:
                break
            before, behind = text[: match.start()], text[match.end() :]
            first, rest = self._whole(before), self.best(behind)
            if first.text != before and rest.text != behind:
                best = min(first.and_then(" ", rest), best)
            if mark := MARKS.get(before[-1]):
                mark = ": " if mark == MARKS[":"] and OF_COMPILERS.fullmatch(before[:-1]) else mark
                first = self.best(before[:-1])
                if first.text != before[:-1] or rest.text != behind:
                    best = min(first.and_then(mark, rest), best)
        return best

    def _find_whole(self, text: str) -> Shown:
        """By one template."""
        best = Shown(text, 2 * len(WORD.findall(text)))
        for template in self._templates if best.english else ():
            match = template.pattern.fullmatch(text)
            if not match or any(value.count("(") != value.count(")") for value in match.groups()):
                continue
            values = match.groupdict()
            places = {name: self._in_place(value, name in template.named) for name, value in values.items()}
            english = sum(place.english for place in places.values())
            if english > 1 and template.words < 2:  # '{text} of {text2}' might be found in anything
                continue
            own = template.own
            first = values.get(template.begins, "") if template.begins.startswith("text") else ""
            before = self._words_before(first) * (10 if template.words < 2 else 1)
            before += sum(10 * len(values[name].split()) for name in template.behind_words)  # it may be the next sentence
            for name, place in places.items():
                own, before = own.replace(f"{{{name}}}", place.text), before + place.before
            best = min(best, Shown(BETWEEN_WIDE.sub("", own), english, before))
        return best

    def _in_place(self, text: str, is_name: bool) -> Shown:
        """What has no blank is a name, unless sentences have such a word."""
        if (is_name and " " not in text) or ERROR.fullmatch(text):
            return Shown(text, 0)
        if NAMES.fullmatch(text) and all(self.best(name).text == name for name in text.split(", ")):
            return Shown(text.replace(", ", LISTED), 0)
        if element := ELEMENT.fullmatch(text):
            place = self.best(element[1])
            return Shown(place.text + element[2], place.english, place.before)
        best = self.best(text)
        if " " in text or best.text != text:
            return best
        return Shown(text, 1 if self._words.intersection(WORD.findall(text)) else 0)

    def _words_before(self, text: str) -> int:
        whole = self._whole(text)
        return len(text.split()) if whole.text == text or whole.english or whole.before else 1

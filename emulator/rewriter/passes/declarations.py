"""Reads the declarations that begin with a specifier of CUDA's, and rewrites those of variables at once.

Kernels and other functions are read here, and rewritten by functions.py.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..expressions import function_body
from ..vocabulary import KEYWORDS, SPECIFIERS, SUFFIXES, WITH_PARENS
from .device_variables import mark_device_variable
from .shared_variables import rewrite_shared_variables

if TYPE_CHECKING:
    from ..parsed_file import ParsedFile
    from ..token_stream import TokenStream


@dataclass(slots=True)
class Declaration:
    """What stands behind a specifier such as __global__. Numbers are indices of tokens."""

    kind: str = ""  # function, lambda, variable, or "" if it is none of them
    specifiers: set[str] = field(default_factory=set)
    name: tuple[int, int] | None = None  # (first, end)
    body: int | None = None  # the { of a function that is defined here
    end: int = 0  # where to read on
    bounds: int | None = None  # __launch_bounds__
    cluster: int | None = None  # __cluster_dims__
    parameters: int | None = None  # the (
    # The declarations of the namespace-scope __shared__ variables that it may name, by these names.
    shared: dict[str, str] = field(default_factory=dict)

    @property
    def brace(self) -> int:
        """The { of what is defined here: for those that have one."""
        assert self.body is not None
        return self.body

    @property
    def word(self) -> int:
        """The last token of the name: for those that have one."""
        assert self.name is not None
        return self.name[1] - 1

    def device_only(self) -> bool:
        return "__global__" in self.specifiers or {"__device__", "__host__"} & self.specifiers == {"__device__"}


def read_declarations(file: ParsedFile, stream: TokenStream) -> list[Declaration]:
    """Returns the Declarations of the functions and lambdas that have a body."""
    functions, i, variable = [], 0, None
    while i < len(stream):
        specifiers = file.specifiers(stream, i)
        if not specifiers or variable == stream.statement_start(i):  # what follows in its initializer is none
            i += 1
        elif _names_shared(file, stream, i):
            i = rewrite_shared_variables(file, stream, i)
        else:
            found = DeclarationReader(file, stream, i).read()
            file.declarations.append((stream, i, found))
            if found.name:
                name = stream.texts[found.word]
                file.symbols.functions.setdefault(name, set()).add(frozenset(found.specifiers))
            if found.kind == "variable":
                variable = stream.statement_start(i)
                mark_device_variable(file, stream, i, found)
            elif found.body is not None:
                functions.append(found)
            elif not found.kind and "__global__" in found.specifiers and stream.macro is None:
                file.error(stream, i, "this declaration of a kernel cannot be understood")
            i = max(i + 1, found.end)
    return functions


def _names_shared(file: ParsedFile, stream: TokenStream, i: int) -> bool:
    """__shared__ stands at i, or behind other specifiers: `__device__ static __shared__ int a;`."""
    while specifiers := file.specifiers(stream, i) or {stream.texts[i]} & {"static", "extern", "inline"}:
        if "__shared__" in specifiers:
            return True
        i += 1
    return False


class DeclarationReader:
    """Reads on from the specifier at i until it is clear what is declared."""

    def __init__(self, file: ParsedFile, stream: TokenStream, i: int) -> None:
        self.file, self.stream, self.texts = file, stream, stream.texts
        self.begin, self.i = stream.statement_start(i), i
        self.found = Declaration()
        for j in range(self.begin, i):
            self._note_bounds(j)

    def _note_bounds(self, i: int) -> None:
        if self.texts[i] == "__launch_bounds__":
            self.found.bounds = i
        elif self.texts[i] == "__cluster_dims__":
            self.found.cluster = i

    def read(self) -> Declaration:
        stream, found = self.stream, self.found
        while self.i < len(stream):
            if not (self._read_specifier() or self._read_type_or_name() or self._read_parenthesis()):
                break
        else:
            if stream.macro and self._names_variable():
                found.kind = "variable"  # #define COUNTER(name) __device__ int name
        found.end = self.i
        if found.kind in ("function", "lambda"):
            after = stream.skip(self.i) if self.texts[self.i] == "(" else self.i
            found.body = function_body(stream, after)
            found.end = after if found.body is None else found.body
            found.shared = self._shared_variables() if stream.macro is None else {}
        return found

    def _shared_variables(self) -> dict[str, str]:
        known, body = self.file.symbols.shared, self.found.body
        if not known or body is None:
            return {}
        used = dict.fromkeys(self.texts[body : self.stream.partner.get(body, body)])
        return {name: known[name] for name in used if name in known}

    # Each of these reads on if it can, and returns whether there is more to read.

    def _read_specifier(self) -> bool:
        i, texts = self.i, self.texts
        if specifiers := self.file.specifiers(self.stream, i):
            self.found.specifiers |= specifiers
            if texts[i] not in SPECIFIERS and texts[i + 1] == "(":
                self.found.name = (i, i + 1)
            self.i += 1
        elif texts[i] in WITH_PARENS and texts[i + 1] == "(":
            self._note_bounds(i)
            self.i = self.stream.skip(i + 1)
        elif texts[i] == "[" and texts[i + 1] == "[":
            self.i = self.stream.skip(i)
        else:
            return False
        return True

    def _read_type_or_name(self) -> bool:
        i, texts, found = self.i, self.texts, self.found
        if texts[i] == "operator":
            found.name = (i, i + 1)
            i = self.stream.skip(i + 1) if texts[i + 1] == "(" else i + 1
            while i < len(self.stream) and texts[i] not in ("(", ";"):
                i += 1
        elif texts[i] in ("struct", "class", "union", "enum"):
            i += 2 if texts[i + 2] == "{" else 1
            i = self.stream.skip(i) if texts[i] == "{" else i
        elif self.stream.is_word(i):
            found.name = (found.name[0] if texts[i - 1] == "##" and found.name else i, i + 1)
            i += 1
        elif texts[i] == "<" and found.name and (end := self.stream.angle_end(i)) is not None:
            i = end + 1
        elif texts[i] in ("::", "*", "&", "&&", "~", "...", "##"):
            i += 1
        else:
            return False
        self.i = i
        return True

    def _read_parenthesis(self) -> bool:
        """Usually that of the parameters, and then it is a function. Whatever else stands here ends a variable."""
        i, texts, stream, found = self.i, self.texts, self.stream, self.found
        if texts[i] != "(":
            if found.name:
                found.kind = "variable"
            elif texts[self.begin - 1] == "]" and texts[i] in ("{", "->"):
                found.kind = "lambda"
            return False
        if found.name is None:
            found.kind = "lambda" if texts[self.begin - 1] == "]" else ""
            return False
        inside = i + 1
        while stream.is_word(inside) and texts[inside + 1] == "::":
            inside += 2
        if texts[inside] in ("*", "&"):  # float (*table)(float), int (&r)[4], int (S::*member)
            found.kind = "variable"
            return False
        if i not in stream.partner:
            return False
        after = stream.skip(i)
        attribute = (
            stream.is_word(after) and texts[after] not in SUFFIXES | WITH_PARENS and texts[after + 1] not in ("{", ";", ":")
        )
        if texts[after] == "(" or attribute:  # MACRO(x) int y, MAKE_NAME(k)(int* p)
            self.i = after
            return True
        found.kind, found.parameters = "function", i
        return False

    def _names_variable(self) -> bool:
        name = self.found.name
        if name is None or name[0] - self.begin < 2:
            return False
        before, word = self.texts[name[0] - 1], self.texts[name[1] - 1]
        return (
            word not in KEYWORDS
            and not word.startswith("__")
            and not before.startswith("__")
            and before not in ("static", "inline", "constexpr", "const", "volatile", "extern")
        )

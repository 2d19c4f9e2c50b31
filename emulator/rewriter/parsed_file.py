"""One file as the passes and checks see it."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NoReturn

from .edits import Edit
from .errors import PositionError
from .lexer import tokenize
from .token_stream import TokenStream
from .vocabulary import KEYWORDS, MEMORY, SPECIFIERS, WITH_PARENS

if TYPE_CHECKING:
    from .lexer import Directive
    from .passes.declarations import Declaration
    from .passes.ptx_macros import MacroPtx


ASM = {"asm", "__asm__", "__asm"}
VALUES = {"this", "true", "false", "nullptr"}


@dataclass
class SymbolTable:
    """What the files of a translation unit have declared so far, for those that come after them."""

    aliases: dict[str, set[str]] = field(default_factory=dict)  # a macro, `HD`: the specifiers that it stands for
    half_launches: set[str] = field(default_factory=set)  # macros whose body is `<<<...>>>`
    shared: dict[str, str] = field(default_factory=dict)  # a namespace-scope __shared__ variable: its local declaration
    # A function: for each of its declarations, the specifiers of CUDA's.
    functions: dict[str, set[frozenset[str]]] = field(default_factory=dict)
    macros: set[str] = field(default_factory=set)  # names
    called_macros: set[str] = field(default_factory=set)  # those with parameters
    asm_words: set[str] = field(default_factory=lambda: set(ASM))  # asm, and macros that stand for it
    member_templates: set[str] = field(default_factory=set)  # names of functions
    variable_templates: set[str] = field(default_factory=set)  # names of __device__ and __constant__ ones
    external_variables: set[str] = field(default_factory=set)
    own_variables: bool = False  # the device's belong to their file, as without -rdc
    strict: bool = False  # without --expt-relaxed-constexpr

    def words(self) -> list[str]:
        """Names that make a file worth rewriting."""
        return [*self.aliases, *self.half_launches, *self.shared, *self.variable_templates, *(self.asm_words - ASM)]


class ParsedFile:
    """The tokens of a file, in streams (the file itself and the body of each #define), and the edits collected so far."""

    def __init__(self, text: str, symbols: SymbolTable, certain: bool = True, checked: bool = False) -> None:
        self.text, self.symbols = text, symbols
        self.certain = certain  # False for a header: it may be that it is never included
        self.checked = checked  # for the checked build
        self.tokens, self.directives = tokenize(text)
        self.main = TokenStream(self.tokens, self.directives)
        self.streams = [self.main] + [stream for stream in map(self._macro_body, self.directives) if stream]
        self.edits: list[Edit] = []
        self.later: list[MacroPtx] = []  # what waits until all files are read
        self.declarations: list[tuple[TokenStream, int, Declaration]] = []  # with the index of the first specifier
        self._device_variables: set[str] = set()
        self.managed: set[str] = set()  # those of them that the host uses as well
        self._looked_through = 0  # these names, of so many declarations
        self._handled: defaultdict[str, set[int]] = defaultdict(
            set
        )  # name of a pass -> starts of the tokens that it is done with
        self._numbers = 0

    @staticmethod
    def _macro_body(directive: Directive) -> TokenStream | None:
        if directive.name != "define" or directive.skipped or not directive.tokens:
            return None
        name, *rest = directive.tokens
        parameters: tuple[str, ...] = ()
        if rest and rest[0].text == "(" and rest[0].start == name.end:
            end = next((i for i, token in enumerate(rest) if token.text == ")"), len(rest) - 1)
            parameters = tuple(token.text for token in rest[:end] if token.kind == "word" or token.text == "...")
            rest = rest[end + 1 :]
        return TokenStream(rest, macro=name.text, parameters=parameters)

    # ---- questions of the passes

    def device_variables(self) -> set[str]:
        """The names of the variables in the device's memories that are declared so far, outside functions."""
        for stream, _, found in self.declarations[self._looked_through :]:
            if found.name and MEMORY & found.specifiers:
                name = stream.texts[found.name[0]]
                self._device_variables.add(name)
                if "__managed__" in found.specifiers:
                    self.managed.add(name)
        self._looked_through = len(self.declarations)
        return self._device_variables

    def specifiers(self, stream: TokenStream, i: int) -> set[str]:
        """CUDA's specifiers that the word at i is or, a macro, stands for."""
        word = stream.texts[i]
        return {word} if word in SPECIFIERS else self.symbols.aliases.get(word, set())

    def lacks_semicolon(self, stream: TokenStream, i: int) -> bool:
        """Does the word at i follow, in a later line, what no word may follow? Then a semicolon is missing between them."""
        texts, tokens, macros = stream.texts, stream.tokens, self.symbols.macros
        if i < 1 or "\n" not in self.text[tokens[i - 1].end : tokens[i].start] or stream.directives_between(i - 1, i):
            return False
        before, opened = texts[i - 1], stream.partner.get(i - 1, 0)
        if before == "]":
            return texts[opened + 1] != "["  # an attribute
        if before == ")":  # of a call, if it is not a macro's, `FOREACH(i) x = i;`
            called = texts[opened - 1]
            return (
                opened > 0
                and stream.is_word(opened - 1)
                and called not in KEYWORDS | WITH_PARENS | macros
                and not called.isupper()
            )
        return (
            tokens[i - 1].kind != "punct" and before not in (KEYWORDS - VALUES) | macros | SPECIFIERS and not before.isupper()
        )

    def new_number(self) -> int:
        """A number for a name that the rewriter makes up."""
        self._numbers += 1
        return self._numbers

    def is_handled(self, by: str, stream: TokenStream, i: int) -> bool:
        return stream.tokens[i].start in self._handled[by]

    def set_handled(self, by: str, stream: TokenStream, i: int) -> None:
        """A pass is done with the token. The body of a lambda in a kernel is looked at twice: alone and with the kernel."""
        self._handled[by].add(stream.tokens[i].start)

    # ---- their answers: edits and errors

    def insert(self, position: int, text: str) -> None:
        self.edits.append(Edit(position, position, [text]))

    def error(self, stream: TokenStream, i: int, message: str) -> NoReturn:
        position = stream.tokens[min(i, len(stream) - 1)].start
        raise PositionError(position, message)

    def not_supported(self, stream: TokenStream, i: int, what: str) -> None:
        self.refuse(stream, i, f"not supported: {what}")

    def refuse(self, stream: TokenStream, i: int, message: str) -> None:
        """An error now, or left to the compiler where it may turn out that the place is skipped."""
        token = stream.tokens[i]
        if self.certain and stream.macro is None and not token.conditional:
            self.error(stream, i, message)
        quoted = f'GCC error "{message.replace(chr(34), chr(39))}"'.replace('"', '\\"')
        self.insert(token.start, f'_Pragma("{quoted}") ')

    # ---- for the renderer

    def frozen(self) -> dict[str, list[tuple[int, int]]]:
        """Where no #line may stand: preprocessor lines, and arguments of what may be a macro. {kind: [(start, end)]}"""
        stream, arguments, covered = self.main, [], -1
        for i, text in enumerate(stream.texts[:-3]):
            if text == "(" and i >= covered and not self.is_handled("printf", stream, i) and _may_be_macro(stream, i - 1):
                covered = stream.partner.get(i, len(stream))
                end = self.tokens[covered].start if covered < len(stream) else len(self.text)
                arguments.append((self.tokens[i].end, end))
        return {"directive": [(d.start, d.end) for d in self.directives], "arguments": arguments}


def _may_be_macro(stream: TokenStream, i: int) -> bool:
    word = stream.texts[i]
    return stream.is_word(i) and word not in KEYWORDS and stream.texts[i - 1] not in ("::", ".", "->")

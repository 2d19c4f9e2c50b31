"""Inline PTX whose text macros put together: `asm("ld." SPACE ".u32 %0, [%1];" : ...)`, or `asm(#op ".u32 ...")` in a #define.

The rewriter finds out which texts there may be, by the definitions of the macros and by their calls. The compiler, which
expands them, chooses:

    [](auto unknown, auto&& operand_0, ...) {
        constexpr ::std::string_view ptx_text{"ld." SPACE ".u32 %0, [%1];"};
        if constexpr (ptx_text == "ld." "global" ".u32 %0, [%1];") { ... }
        else static_assert(sizeof(unknown) == 0, "not supported: ...");
    }(0, ...)

So a text is never taken for another one.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from ..preprocessor import Preprocessor, spelled, words
from ..unsupported import INLINE_PTX
from .asm_statement import instructions_of, operands_of, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..edits import Piece
    from ..parsed_file import ParsedFile
    from ..preprocessor import Arguments, Macro, Word
    from ..token_stream import TokenStream
    from .asm_statement import AsmStatement, Operand

Place = tuple["ParsedFile", "TokenStream", int]
UNKNOWN = "a text that macros put together, of which {} (write the text out)"


@dataclass
class MacroPtx:
    """The statement at `place`, once all files are read."""

    place: Place
    asm: AsmStatement
    in_device: bool


@dataclass
class Candidate:
    literals: str  # as C++ has them
    instructions: list[str]
    places: list[Place] = field(default_factory=list)  # where it certainly comes from


Made = tuple[Candidate, str, "str | None"]  # what becomes of it, or why it is refused


class MacroTexts:
    """The texts that asm statements may have."""

    def __init__(self, files: Sequence[ParsedFile]) -> None:
        self.files = files
        self.preprocessor = Preprocessor((file.text, file.directives) for file in files)

    def of(self, statement: MacroPtx) -> tuple[list[Candidate], str | None]:
        """The candidates, and a word in a text that is no macro and so makes it none."""
        file, stream, i = statement.place
        body = words(stream.tokens[statement.asm.text[0] : statement.asm.text[1]])
        found: dict[str, Candidate] = {}
        strange = None
        for place, arguments, certain in self._calls(file, stream, i, body):
            for text, alone in self._texts(body, arguments):
                other = next((word for word in text if word.kind != "string"), None)
                read = text_of(text) if other is None else None
                if read is None:
                    strange = other.text if other else strange
                    continue
                literals = " ".join(word.text for word in text)
                candidate = found.setdefault(literals, Candidate(literals, instructions_of(read)))
                if certain and alone:
                    candidate.places.append(place)
        return list(found.values()), strange

    def operands_of(self, statement: MacroPtx) -> list[Operand] | str:
        """The operands where macros put some of them together, or why there are none."""
        _, stream, _ = statement.place
        operands: list[Operand] = []
        for written, first, end in statement.asm.in_macros:
            found = list(self._texts(words(stream.tokens[first:end]), {}))
            if stream.macro is not None or len(found) != 1 or not found[0][1]:
                return "operands that a macro puts together in several ways (write them out)"
            made = found[0][0]
            read = operands_of(made, written, partial(_spelled, made))
            if isinstance(read, str):
                return read
            operands += read
        return operands

    def _texts(self, body: Sequence[Word], arguments: Arguments) -> Iterator[tuple[list[Word], bool]]:
        macros = self.preprocessor
        return macros.each_choice(lambda: macros.expand(macros.substitute(body, arguments)))

    def _calls(
        self, file: ParsedFile, stream: TokenStream, i: int, body: Sequence[Word]
    ) -> list[tuple[Place, Arguments, bool]]:
        """The arguments that the macro around a statement gets, with where it is called, and whether that is certain."""
        parameters = {*stream.parameters, "__VA_ARGS__"}
        if not any(word.text in parameters for word in body):
            return [((file, stream, i), {}, stream.macro is None)]
        assert stream.macro is not None
        calls: list[tuple[Place, Arguments, bool]] = []
        met: list[Arguments] = []
        start = stream.tokens[0].start

        def note(macro: Macro, arguments: Arguments) -> None:
            if macro.text is file.text and macro.start < start < macro.end:
                met.append(arguments)

        relevant = self._leading_to(stream.macro)
        self.preprocessor.on_call = note
        for each in self.files:
            texts = each.main.texts
            at = 0
            while at < len(each.main):
                if each.main.is_word(at) and texts[at] in self.preprocessor.definitions:
                    end = each.main.skip(at + 1) if texts[at + 1] == "(" else at + 1
                    if any(text in relevant for text in texts[at:end]):
                        for _, alone in self._texts(words(each.main.tokens[at:end]), {}):
                            calls += [((each, each.main, at), arguments, alone) for arguments in met]
                            met.clear()
                        at = end - 1
                at += 1
        self.preprocessor.on_call = None
        return calls

    def _leading_to(self, name: str) -> set[str]:
        """The macros that may call this one, and itself. What ## makes may have any name."""
        relevant, size = {name}, 0
        while size < len(relevant):
            size = len(relevant)
            for macro, definitions in self.preprocessor.definitions.items():
                if any(word.text in relevant or word.text == "##" for each in definitions for word in each.body):
                    relevant.add(macro)
        return relevant


def _spelled(given: Sequence[Word], first: int, end: int) -> Piece:
    return spelled(given[first:end])


def unknown(strange: str | None) -> str:
    """Why there is no text."""
    return UNKNOWN.format(
        f"{strange} is no macro that these files define" if strange else "no definition is found in these files"
    )


def choice(
    asm: AsmStatement, stream: TokenStream, made: Sequence[tuple[Candidate, str, str | None]], strange: str | None
) -> list[Piece]:
    """The body of the lambda. `made`: what becomes of each candidate, or why it is refused."""
    pieces: list[Piece] = ["constexpr ::std::string_view ptx_text{", stream.span(*asm.text), "}; "]
    for candidate, text, refused in made:
        what = f"{{ {text}}}" if refused is None else _refusal(refused)
        pieces.append(f"if constexpr (ptx_text == {candidate.literals}) {what} else ")
    pieces.append(_refusal(unknown(strange)))
    return pieces


def _refusal(what: str) -> str:
    message = f"not supported: {INLINE_PTX}: {what}".replace("\\", "").replace('"', "'")
    return f'static_assert(sizeof(unknown) == 0, "{message}"); '

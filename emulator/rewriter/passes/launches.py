"""A launch, `k<<<grid, block>>>(x)`, becomes `(::emulator::Launch(grid, block), k(x))`.

The <<<...>>> may come from a macro, or end a macro whose uses add the arguments.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..bodies import Bodies, device_bodies
from ..edits import Edit, Span
from ..expressions import callee_start, launch_end
from ..unsupported import DYNAMIC_PARALLELISM

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..parsed_file import ParsedFile
    from ..token_stream import TokenStream
    from .declarations import Declaration


def rewrite_launches(file: ParsedFile, stream: TokenStream, functions: Sequence[Declaration]) -> None:
    """`functions`: those of the stream, in which no kernel can be launched if they are the device's."""
    texts = stream.texts
    if stream.macro in file.symbols.half_launches and texts[0] == "<<<":
        opening, closing = stream.tokens[0], stream.tokens[-1]
        file.edits += [Edit(opening.start, opening.end, []), Edit(stream.tokens[-3].start, closing.end, [])]
        return
    device = device_bodies(stream, functions)
    for i, text in enumerate(texts[:-3]):
        if text == "<<<" and texts[i - 1] != "operator":
            last = launch_end(stream, i)
            if last is None and stream.macro and launch_end(stream, i, alone=True) == len(stream) - 1:
                _rewrite_launch_without_arguments(file, stream, i)
                continue
            if last is None:
                file.error(stream, i, "expected >>>( after the <<< of a kernel launch")
            if last - 2 == i + 1:
                file.error(stream, i, "a kernel launch needs a grid and a block between <<< and >>>")
            config = Span(stream.tokens[i].end, stream.tokens[last - 2].start)
            _rewrite_launch(file, stream, device, i, config, last + 1)
        elif text in file.symbols.half_launches and stream.tokens[i].kind == "word":
            after = stream.skip(i + 1) if texts[i + 1] == "(" else i + 1
            arguments = after if texts[after] == "(" else i + 1
            if texts[arguments] == "(":
                _rewrite_launch(file, stream, device, i, stream.span(i, max(arguments, i + 1)), arguments)


def _rewrite_launch(
    file: ParsedFile, stream: TokenStream, device: Bodies[Declaration], i: int, config: Span, arguments: int
) -> None:
    """The launch whose <<< stands at i and whose arguments begin with the ( at `arguments`."""
    end = stream.partner.get(arguments)
    if end is None:
        file.error(stream, arguments, "the arguments of this kernel launch do not end")
    begin = callee_start(stream, i)
    if begin is None:
        file.error(stream, i, "expected the name of a kernel before <<<")
    if device.around(i):
        file.not_supported(stream, begin, DYNAMIC_PARALLELISM)
    if stream.splits_conditional(begin, arguments):
        file.refuse(stream, i, "not supported: a kernel launch that begins outside an #if and goes on inside it")
    tokens = stream.tokens
    after_config = tokens[arguments - 1].end
    for other in range(arguments, end):
        if stream.partner.get(other) == arguments and stream.texts[other] == ")":  # before an #else
            file.insert(tokens[other].end, ")")
    variables = file.device_variables() - file.managed
    for j in range(arguments + 1, end):
        if stream.texts[j] in variables and stream.texts[j + 1] in (",", ")") and stream.parent[j] == arguments:
            first = j - (stream.texts[j - 1] == "&")
            if stream.texts[first - 1] in ("(", ","):
                file.insert(tokens[first].start, "::emulator::on_host(")
                file.insert(tokens[j].end, ")")
    file.edits.append(
        Edit(
            tokens[begin].start,
            tokens[end].end,
            [
                "(::emulator::Launch(",
                config,
                "), ",
                Span(tokens[begin].start, tokens[i].start),
                Span(after_config, tokens[end].end),
                ")",
            ],
        )
    )


def _rewrite_launch_without_arguments(file: ParsedFile, stream: TokenStream, i: int) -> None:
    """The end of a macro, `#define CALL(k) k<<<1, 32>>>`; the arguments follow where it is used, CALL(k)(x)."""
    begin, tokens = callee_start(stream, i), stream.tokens
    if begin is None:
        file.error(stream, i, "expected the name of a kernel before <<<")
    file.edits.append(
        Edit(
            tokens[begin].start,
            tokens[-1].end,
            ["::emulator::Launch(", Span(tokens[i].end, tokens[-3].start), "), ", Span(tokens[begin].start, tokens[i].start)],
        )
    )

"""What nvcc refuses and an ordinary C++ compiler would not notice.

Most of it is about who may use what: a kernel is launched and not called, host code cannot call a __device__ function,
device code has neither the host's functions nor its variables. The tokens of the file tell where such a mistake may be
(a Suspicion, see sides.py); only the compiler knows what the name means there. So the compiler is asked (confirm.py): the
function or variable is marked as deprecated, and the compiler's warnings are read. A program without suspicions, which is
nearly every correct one, is compiled once and as it is.

Nothing here looks into templates, whose bodies count only where they are used, or into what is not certain to be host
or device code. A mistake may pass; a correct program must not be refused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..bodies import device_bodies
from .device_code import BUILT_IN, check_built_in_variables_and_words, check_dynamic_shared_types, check_shared_on_the_host
from .kernels import check_kernel
from .lambdas import check_captures
from .names import declared_names
from .sides import SideChecks

if TYPE_CHECKING:
    from ..edits import Edit
    from ..parsed_file import ParsedFile
    from .sides import Suspicion


def find_mistakes(file: ParsedFile, alone: bool) -> tuple[list[Suspicion], list[Edit]]:
    """Looks at a ParsedFile after its passes. `alone`: no other file of the user can have declared something.

    Raises what is certain. Returns (Suspicions, marks): the edits that are made only to ask the compiler."""
    stream, texts = file.main, file.main.texts
    functions = [(i, found) for where, i, found in file.declarations if where is stream and found.kind == "function"]
    for i, found in functions:
        if "__global__" in found.specifiers:
            check_kernel(file, i, found)
    check_dynamic_shared_types(file)
    device = [(stream.statement_start(i), found) for i, found in functions if found.body is not None and found.device_only()]
    device = [each for each in device if texts[each[0]] != "template"]
    own = declared_names(stream, BUILT_IN, 0, len(stream))
    for _, found in device:
        check_built_in_variables_and_words(file, found, own)
    for i, found in functions:
        literal = found.name is not None and {"__host__", "__device__"} <= set(texts[i : found.name[0]])
        if literal and found.body is not None and texts[stream.statement_start(i)] != "template":
            check_shared_on_the_host(file, found.body)
    if not file.certain:
        return [], []
    in_device = device_bodies(stream, [found for where, _, found in file.declarations if where is stream and found.body])
    for where, i, _ in file.declarations:
        if where is stream and in_device.around(i) is None:
            check_captures(file, i)
    sides = SideChecks(file, functions, alone)
    sides.run(device)
    return sides.suspicions, sides.marks

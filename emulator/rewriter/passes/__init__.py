"""The passes: each looks for one thing in the tokens of a file and leaves edits for it.

For the whole file:
    macros              learn which macros stand for specifiers, or for the <<<...>>> of a launch
Then for each stream of tokens, the file itself first and after it the body of each #define:
    declarations        read kernels and device functions; rewrite __shared__ (shared_variables) and __device__,
                        __constant__, __managed__ variables (device_variables)
    functions           bodies of kernels become lambdas; in device code also device_variables, volatile_stores,
                        waiting_loops, printf and, in the checked build, constant_stores, own_operands, vector_values,
                        chosen_arrays, flattened_arrays and local_arrays
    architecture        the file itself only: #if __CUDA_ARCH__
    shared_variables    lambdas capture __shared__ variables
    launches            k<<<grid, block>>>(x)
    kernel_pointers     (void*)k
    discarded_calls     in the checked build, cudaMemcpy(...); as a statement
    symbols             cudaMemcpyToSymbol(mask<T>, ...)
    member_templates    a.f<T>(x)
    noinline            __noinline__
    builtin_variables   extern const dim3 blockDim;
    refusals            an error for what the emulator does not have; inline_ptx for the asm that it has (asm_statement,
                        ptx_instructions)
And when all files are read:
    inline_ptx          asm statements in whose text macros stand (ptx_macros)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .architecture import rewrite_architecture
from .builtin_variables import remove_declarations_of_builtin_variables
from .declarations import read_declarations
from .discarded_calls import rewrite_discarded_calls
from .functions import rewrite_function
from .inline_ptx import finish_ptx
from .kernel_pointers import rewrite_kernel_pointers
from .launches import rewrite_launches
from .macros import learn_macro
from .member_templates import rewrite_member_templates
from .noinline import rewrite_noinline
from .printf import rewrite_printf
from .ptx_macros import MacroTexts
from .refusals import refuse_unsupported
from .shared_variables import capture_shared_variables
from .symbols import rewrite_symbols

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..parsed_file import ParsedFile
    from .ptx_macros import Place


def run_passes(file: ParsedFile) -> None:
    """Fills file.edits and file.declarations. Edits at one place are applied in the order in which they are made."""
    for stream in file.streams[1:]:
        learn_macro(file, stream)
    for stream in file.streams:
        functions = read_declarations(file, stream)
        for function in functions:
            rewrite_function(file, stream, function)
        if stream is file.main:
            rewrite_architecture(file, functions)
        else:
            rewrite_printf(file, stream, 0, len(stream))
        capture_shared_variables(file, stream)
        rewrite_launches(file, stream, functions)
        rewrite_kernel_pointers(file, stream, functions)
        rewrite_symbols(file, stream, functions)
        if file.checked:
            rewrite_discarded_calls(file, stream)
        rewrite_member_templates(file, stream)
        rewrite_noinline(file, stream)
        remove_declarations_of_builtin_variables(file, stream)
        refuse_unsupported(file, stream, functions)


def finish_passes(files: Sequence[ParsedFile], refuse: Callable[[Place, str], None]) -> None:
    """Does what has waited until all files were read."""
    waiting = [statement for file in files for statement in file.later]
    if waiting:
        macros = MacroTexts(files)
        for statement in waiting:
            finish_ptx(statement, macros, refuse)

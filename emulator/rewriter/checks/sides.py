"""Who may use what: names of the host in device code, and names of the device in host code."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..bodies import Bodies
from ..edits import Edit
from .device_code import BUILT_IN, check_shared_on_the_host
from .host_declarations import host_declarations, type_of
from .names import call_end, declared_names, is_evaluated, is_in_expression, is_in_lambda, named_launch_end

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..parsed_file import ParsedFile
    from ..passes.declarations import Declaration
    from .host_declarations import HostDeclaration


MARK = "emulator:"
DEVICE_FUNCTION = re.compile(r"__syncthreads\w*|__syncwarp|__threadfence\w*|__(shfl|ballot|any|all|match|reduce)\w*_sync")
ATOMIC_FUNCTION = re.compile(r"atomic(Add|Sub|Min|Max|Inc|Dec|CAS|Exch|And|Or|Xor)(_block|_system)?")
# Functions of the C library and of the runtime API that kernels are often seen to call and that a GPU does not have.
C_LIBRARY = set(
    """rand srand exit fprintf sprintf snprintf puts putchar scanf fopen fclose fflush getchar getenv system
    atoi atof qsort strtol sleep usleep fesetround fesetenv""".split()
)
RUNTIME_API = set(
    """cudaDeviceSynchronize cudaDeviceReset cudaSetDevice cudaMemcpy cudaMemset cudaStreamCreate cudaStreamQuery
    cudaStreamSynchronize cudaEventQuery cudaEventElapsedTime cudaEventSynchronize cudaFreeHost""".split()
)
TYPES = {
    "cudaMemcpy": "cudaError_t(void*, const void*, decltype(sizeof 0), cudaMemcpyKind)"
}  # of those that are templates, too
HOST_LIBRARY = C_LIBRARY | RUNTIME_API


@dataclass(frozen=True)
class Suspicion:
    """text[start:end] would be a mistake if `name` means what it means at the top of the file."""

    name: str
    start: int
    end: int
    message: str


class SideChecks:
    """`functions`: (index of the first specifier, Declaration) of each function with specifiers."""

    def __init__(self, file: ParsedFile, functions: Sequence[tuple[int, Declaration]], alone: bool) -> None:
        self.file, self.stream, self.texts = file, file.main, file.main.texts
        self.declared_functions, self.alone = functions, alone
        self.suspicions: list[Suspicion] = []
        self.marks: list[Edit] = []
        self.declared_in: dict[int, set[str]] = {}  # where a function of the device begins -> see _declared
        self.macros = {stream.macro for stream in file.streams if stream.macro} | {
            d.tokens[0].text for d in file.directives if d.name == "define" and d.tokens
        }
        self.host_functions: dict[str, list[HostDeclaration]] = {}
        self.host_variables: dict[str, list[HostDeclaration]] = {}
        self.host_members: dict[str, list[HostDeclaration]] = {}  # and operators
        kinds = {"function": self.host_functions, "variable": self.host_variables, "member": self.host_members}
        for declared, kind in host_declarations(file, self.macros):
            kinds[kind].setdefault(declared.name, []).append(declared)
        for _, found in functions:  # of which one declaration has no specifier
            if self.texts[found.word - 1] == "::":
                self.host_members.pop(self.texts[found.word], None)
        self.taken = file.symbols.functions  # name of each function with specifiers -> those of its declarations
        self.hosts = {
            name for name, declarations in self.host_functions.items() if any(each.body is not None for each in declarations)
        }
        self.hosts -= self.taken.keys() | self.host_variables.keys()
        self.devices = {name for name, sides in self.taken.items() if sides == {frozenset({"__device__"})}}
        self.devices -= self.host_functions.keys()
        self.kernels = {name for name, sides in self.taken.items() if any("__global__" in each for each in sides)}
        self.not_kernels = self.devices | self.hosts
        self.host_library = HOST_LIBRARY - self.taken.keys() - self.host_functions.keys()
        self.variables = self.host_variables.keys() - self.taken.keys()
        self.own = self.host_functions.keys() | self.taken.keys() | self.macros

    def run(self, device: list[tuple[int, Declaration]]) -> None:
        """`device`: (index where it begins, Declaration) of each function that is the device's alone."""
        stream = self.stream
        device_bodies = Bodies((found.brace, stream.partner.get(found.brace, 0), begin) for begin, found in device)
        host_only = self.host_functions.keys() - self.taken.keys()
        host_bodies = sorted(
            (each.body, stream.partner.get(each.body, 0))
            for name in host_only
            for each in self.host_functions[name]
            if each.body is not None
        )
        for first, last in host_bodies:
            check_shared_on_the_host(self.file, first)
            self._check_device_calls(first, last)
        names = self.kernels | self.devices | self.hosts | self.host_variables.keys() | HOST_LIBRARY
        operators = {name.removeprefix("operator"): name for name in self.host_members if not name.isidentifier()}
        operators = {sign.removesuffix("]"): name for sign, name in operators.items() if sign not in ("=", "()")}
        hosts = Bodies((first, last, None) for first, last in host_bodies)
        declared = {found.word for _, found in self.declared_functions}
        for i, text in enumerate(self.texts[:-3]):
            name = operators.get(text, text)
            if name in self.host_members and device_bodies.around(i) is not None and is_evaluated(stream, i):
                end = next((j for j in range(i, len(stream)) if self.texts[j] in (";", "{")), i)
                self._suspect_host(i, name, end if name != text else call_end(stream, i) or end, f".{name}")
            if text not in names or not stream.is_word(i) or i in declared:
                continue
            if named_launch_end(stream, i) is not None and text in self.not_kernels:
                self._suspect(i, f'"{text}" is no kernel: only a __global__ function can be launched with <<<...>>>')
            if is_in_expression(stream, i):
                in_device = device_bodies.around(i)
                in_host = hosts.around(i) is not None and not is_in_lambda(stream, i)
                self._check_use(i, in_device, in_host)
        self._mark_suspects()

    def _check_use(self, i: int, in_device: tuple[int, int, int] | None, in_host: bool) -> None:
        """`in_device`: (body, its end, where it begins) of the function of the device that the name at i stands in, or
        None."""
        text = self.texts[i]
        called = call_end(self.stream, i) is not None
        if called and text in self.kernels:
            self._suspect(i, f"a __global__ function call must be configured: {text}<<<grid, block>>>(...)")
        elif called and text in self.devices and in_host:
            self._suspect(
                i,
                f'calling a __device__ function ("{text}") from a host function is not allowed; '
                "__host__ __device__ makes it one for both",
            )
        elif in_device is None:
            return
        elif text in self.hosts and (called or text not in self._declared(in_device)):
            self._suspect_host(i, text, call_end(self.stream, i) or i, text)
        elif called and text in self.host_library and self.stream.at_namespace_scope(in_device[2]):
            self._suspect(
                i,
                f'calling a host function ("{text}") from device code is not allowed: a GPU does not have this function '
                f"of the {'C library' if text in C_LIBRARY else 'runtime API'}",
            )
            linkage = 'extern "C" ' if text in C_LIBRARY else ""
            self._mark(
                text, self.stream.tokens[in_device[2]].start, f"{linkage}__typeof__({TYPES.get(text, f'::{text}')}) {text} "
            )
        elif (
            text in self.variables
            and text not in self._declared(in_device)
            and ((kind := self.host_variables[text][0].constant) is None or self._needs_address(i, kind, in_device))
        ):
            self._suspect(
                i,
                f'identifier "{text}" is undefined in device code: it is a variable of the host; '
                "pass it to the kernel, or put __device__ or __constant__ before it",
            )

    def _needs_address(self, i: int, kind: tuple[str, ...], in_device: tuple[int, int, int]) -> bool:
        """Whether it takes more than the value of the constant at i, whose type is `kind`: a GPU has no such variable. Not
        where nvcc may fold the expression, or leave it out."""
        texts, stream, (body, _, begin) = self.texts, self.stream, in_device
        before, behind, opened = texts[i - 1], texts[i + 1], stream.parent[i]
        if kind[0] == "[" and kind[1] != "constexpr" or opened is None:
            return behind == "[" and kind[1] == "const"
        statement = stream.statement_start(i)
        if {"?", "&&", "||", "constexpr", "static_assert", "case"} & set(texts[statement:i]) or "constexpr" in texts[body:i]:
            return False
        if {"static", "inline", "__forceinline__"} & set(texts[begin:body]) and "__global__" not in texts[begin:body]:
            return False
        if kind[0] == "[":
            while texts[opened] == "(" and not stream.is_word(opened - 1):
                opened = stream.parent[opened] or 0
            angles = (stream.angle_end(j) or 0 for j in range(statement, i) if texts[j] == "<")
            statements = texts[opened] == "{" and texts[opened - 1] in (")", ";", "{", "}", "else")
            return behind == "[" and statements and "const" not in texts[statement:i] and not any(end > i for end in angles)
        if before == "=" and texts[i - 3] == "&":
            return behind == ";" and type_of(texts[statement : i - 2]) in (kind, ("auto",))
        if before == "&":
            return texts[i - 2] in ("(", ",", "=", "return")
        return texts[opened] == "(" and before in ("(", ",") and behind in (")", ",") and self._takes_reference(opened, i, kind)

    def _takes_reference(self, opened: int, i: int, kind: tuple[str, ...]) -> bool:
        """Whether the function whose ( is at `opened` has a reference to `kind` for the argument at i."""
        texts, stream, name = self.texts, self.stream, self.texts[opened - 1]
        if texts[opened - 3 : opened - 1] == ["std", "::"] and name in ("min", "max", "clamp"):
            return not {"[", *BUILT_IN, texts[stream.statement_start(i)]}.isdisjoint(texts[opened : stream.skip(opened)])
        functions = [found for _, found in self.declared_functions if found.name and texts[found.word] == name]
        if len(functions) != 1 or functions[0].parameters is None or texts[opened - 2] in (".", "->", "::"):
            return False
        first = functions[0].parameters
        head, end = stream.head(first), stream.skip(first)
        unknown = {"constexpr", "<", "..."} & {*texts[first:end], *head[head.index(name) :]} or "constexpr" in head
        if (
            unknown
            or not self.alone
            or name in self.host_functions.keys() | self.macros
            or not stream.at_namespace_scope(first)
        ):
            return False
        commas = [first, *(j for j in range(first, end) if texts[j] == "," and stream.parent[j] == first), end - 1]
        at = sum(texts[j] == "," and stream.parent[j] == opened for j in range(opened, i))
        parameter = texts[commas[at] + 1 : commas[at + 1] - 1]
        taken = type_of(parameter)
        of_template = "template" in head and len(taken) == 1 and taken[0] in head[: head.index(">")]
        return bool({"&", "&&"} & set(parameter)) and (of_template or taken in (kind, ("auto",)))

    def _declared(self, in_device: tuple[int, int, int]) -> set[str]:
        """The names of the host that a function of the device has for variables of its own."""
        _, end, begin = in_device
        if begin not in self.declared_in:
            self.declared_in[begin] = declared_names(self.stream, self.host_variables.keys() | self.hosts, begin, end)
        return self.declared_in[begin]

    def _check_device_calls(self, first: int, last: int) -> None:
        """Calls of CUDA's device functions in host code."""
        for j in range(first, last):
            text = self.texts[j]
            if (
                text[:2] in ("__", "at")
                and text not in self.own
                and (DEVICE_FUNCTION.fullmatch(text) or ATOMIC_FUNCTION.fullmatch(text) and self.alone)
                and call_end(self.stream, j) is not None
                and is_in_expression(self.stream, j)
                and not is_in_lambda(self.stream, j)
            ):
                self.file.refuse(
                    self.stream, j, f'calling a __device__ function ("{text}") from a host function is not allowed'
                )

    def _suspect_host(self, i: int, name: str, last: int, mark: str) -> None:
        message = (
            f'calling a host function ("{name}") from device code is not allowed; '
            "__device__ or __host__ __device__ before it makes it a function of the device"
        )
        self.suspicions.append(Suspicion(mark, self.stream.tokens[i].start, self.stream.tokens[last].end, message))

    def _suspect(self, i: int, message: str) -> None:
        last = named_launch_end(self.stream, i) or call_end(self.stream, i) or i
        tokens = self.stream.tokens
        self.suspicions.append(Suspicion(self.texts[i], tokens[i].start, tokens[min(last, len(tokens) - 1)].end, message))

    def _mark_suspects(self) -> None:
        """Marks the declarations of what is suspected."""
        names = {suspicion.name for suspicion in self.suspicions}
        for each in itertools.chain(*self.host_functions.values(), *self.host_variables.values()):
            if each.name in names and each.name not in self.taken:
                self._mark(each.name, each.position)
        for each in itertools.chain(*self.host_members.values()):
            if f".{each.name}" in names:
                self._mark(f".{each.name}", each.position)
        for i, found in self.declared_functions:
            name = self.texts[found.word]
            if name in names and (name not in self.kernels or "__global__" in found.specifiers):
                self._mark(name, self.stream.tokens[i].start)

    def _mark(self, name: str, position: int, declaration: str = "") -> None:
        attribute = f'__attribute__((deprecated("{MARK}{name}"))) '
        self.marks.append(Edit(position, position, [declaration + attribute + (";" if declaration else "")]))

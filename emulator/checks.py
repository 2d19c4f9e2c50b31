"""What nvcc refuses and an ordinary C++ compiler would not notice.

Most of it is about who may use what: a kernel is launched and not called, host code cannot call a __device__ function,
device code has neither the host's functions nor its variables. The tokens of the file tell where such a mistake may be
(`suspicions`); whether the name means there what it seems to mean, only the compiler knows. Where there is a suspicion
it is asked (`confirmed`): the function or variable is marked [[deprecated]], and its warnings are read. A program
without suspicions, which is nearly every right one, is compiled once and as it is.

Nothing here looks into templates, whose bodies count only where they are used, or into what is not certain to be host
or device code. A mistake may pass; a right program must not be refused.
"""

import os
import re
import subprocess
from dataclasses import dataclass

from rewriter import ARITHMETIC, ASSIGNMENTS, KEYWORDS, WITH_PARENS, Edit, Place, RewriteError, as_text, from_text

MARK = "emulator:"
TYPES = (ARITHMETIC | {"void", "auto", "char8_t", "char16_t", "char32_t", "wchar_t", "inline", "extern", "volatile",
                       "thread_local", "struct", "class", "enum", "union", "__inline__", "__restrict__", "typename"})
BEFORE_EXPRESSION = {"return", "else", "do", "case", "and", "or", "not", "throw", "co_return", "new"}
UNEVALUATED = {"sizeof", "decltype", "alignof", "noexcept", "typeid", "requires", "__typeof__", "typeof", "static_assert"}
BUILT_IN = {"threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize"}
DEVICE_FUNCTION = re.compile(r"__syncthreads\w*|__syncwarp|__threadfence\w*|__(shfl|ballot|any|all|match|reduce)\w*_sync")
ATOMIC_FUNCTION = re.compile(r"atomic(Add|Sub|Min|Max|Inc|Dec|CAS|Exch|And|Or|Xor)(_block|_system)?")
STREAMS = {"cout", "cerr", "clog", "cin", "endl"}
# Functions of the C library that kernels are often seen to call and that a GPU does not have.
C_LIBRARY = set("""rand srand exit fprintf sprintf snprintf puts putchar scanf fopen fclose fflush getchar getenv system
    atoi atof qsort strtol sleep usleep""".split())
HOST_ONLY_WORDS = {
    "throw": "device code does not support exception handling",
    "try": "device code does not support exception handling",
    "typeid": "the operator 'typeid' is not allowed in device code",
    "dynamic_cast": "the operator 'dynamic_cast' is not allowed in device code",
    "thread_local": "cannot use thread_local specifier for variable declarations in device code",
}


class Mistakes(Exception):
    """What the compiler has confirmed, a line each."""


@dataclass(frozen=True)
class Suspicion:
    """text[start:end] would be a mistake if `name` means what it means at the top of the file."""

    name: str
    start: int
    end: int
    message: str


@dataclass
class Declared:
    """A function or variable at namespace scope that has no specifier of CUDA's."""

    name: str
    position: int  # where an attribute can be put
    body: int | None = None
    constant_array: bool = False


class Checks:
    """Looks at one file after its Passes were made. Raises what is certain."""

    def __init__(self, passes, alone):
        self.passes, self.stream, self.texts = passes, passes.main, passes.main.texts
        self.alone = alone  # no other file of the user can have declared something
        self.suspicions, self.marks = [], []  # marks: edits that are made only to ask the compiler
        declared = [(i, found) for stream, i, found in passes.declarations if stream is self.stream]
        self.functions = [(i, found) for i, found in declared if found.kind == "function"]
        self.macros = {stream.macro for stream in passes.streams} | {d.tokens[0].text for d in passes.directives
                                                                     if d.name == "define" and d.tokens}

    def run(self):
        for i, found in self.functions:
            if "__global__" in found.specifiers:
                self._kernel(i, found)
        self._shared_types()
        device = [(self.stream.statement_start(i), found) for i, found in self.functions
                  if found.body is not None and found.device_only()]
        device = [each for each in device if self.texts[each[0]] != "template"]
        for _, found in device:
            self._device_words(found)
        for i, found in self.functions:
            literal = {"__host__", "__device__"} <= set(self.texts[i:found.name[0]])
            if literal and found.body is not None and self.texts[self.stream.statement_start(i)] != "template":
                self._shared_on_the_host(found.body)
        if self.passes.certain:
            self._sides(device)

    def _refuse(self, i, message):
        self.passes.refuse(self.stream, i, message)

    # ---- kernels

    def _kernel(self, i, found):
        """What a kernel's declaration may not be."""
        texts, stream = self.texts, self.stream
        begin, name = stream.statement_start(i), found.name[0]
        if any(token.conditional for token in stream.tokens[begin:found.parameters]):
            return  # these may be alternatives of which the preprocessor takes one
        head, template = self._without_attributes(begin, name), texts[begin] == "template"
        if texts[name] == "operator":
            self._refuse(name, "an operator function cannot be a __global__ function")
        other = next((word for word in head if word in ("__host__", "__device__")), None)
        if other and "__global__" in head:
            self._refuse(i, f"illegal combination: a __global__ function cannot be {other} as well")
        if self._in_class(begin) and ("friend" not in head or found.body is not None):
            self._refuse(i, "a __global__ function cannot be a member of a class or defined in a friend declaration")
        if not template:
            self._returns_void(i, found, head)
        self._parameters(found, template)

    def _without_attributes(self, first, end):
        words, i = [], first
        while i < end:
            if self.texts[i] in WITH_PARENS - {"decltype"} and self.texts[i + 1] == "(":
                i = self.stream.skip(i + 1)
            elif self.texts[i] == "[":
                i = self.stream.skip(i)
            else:
                words.append(self.texts[i])
                i += 1
        return words

    def _in_class(self, i):
        around = self.stream.parent[i]
        if around is None or self.texts[around] != "{":
            return False
        head = self.texts[self.stream.statement_start(around):around]
        return bool({"struct", "class", "union"} & set(head)) and "(" not in head and "=" not in head

    def _returns_void(self, i, found, head):
        """Only what is certain: an alias is left to the compiler."""
        if {"<", "decltype"} & set(head):
            return
        after = self.stream.skip(found.parameters)
        if "auto" in head and self.texts[after] == "{":
            self._refuse(i, "a __global__ function must not have a deduced return type; write void")
        if "auto" in head:
            head = self.texts[after + 1:after + 2] if self.texts[after] == "->" else []
        if head[-1:] in (["*"], ["&"]) or set(head) & ARITHMETIC - {"static", "const", "constexpr"}:
            self._refuse(i, "a __global__ function must have a void return type; results go through a pointer")

    def _parameters(self, found, template):
        i, end = found.parameters + 1, self.stream.partner[found.parameters]
        in_default = False
        while i < end:
            text = self.texts[i]
            in_default = text == "=" or in_default and text != ","
            if text == "<" and (close := self.stream.angle_end(i)) is not None:
                i = close
            elif text == "&&" and not in_default and not template:
                self._refuse(i, "a __global__ function cannot have a parameter with rvalue reference type")
            elif text == "..." and self.texts[i - 1] in ("(", ",") and i + 1 == end:
                self._refuse(i, "a __global__ function cannot have ellipsis")
            i = self.stream.skip(i)

    # ---- in device code

    def _device_words(self, found):
        """Words that cannot stand in device code, and built-in variables that are written to."""
        texts, body = self.texts, range(found.body + 1, self.stream.partner.get(found.body, 0))
        own = {text for text in BUILT_IN if self._declares(text, 0, len(self.stream))}
        for j in body:
            text = texts[j]
            if text in HOST_ONLY_WORDS and texts[j:j + 3] != ["throw", "(", ")"]:
                self._refuse(j, HOST_ONLY_WORDS[text])
            elif text == "std" and texts[j + 1] == "::" and texts[j + 2] in STREAMS:
                self._refuse(j, f"std::{texts[j + 2]} is the host's and cannot be used in device code; printf can")
            elif text in BUILT_IN - own and texts[j - 1] not in (".", "->", "::"):
                member = j + 2 if texts[j + 1] == "." else j
                if texts[member + 1] in ASSIGNMENTS or self._increment(member + 1) or self._increment(
                        j - 2, texts[j - 3]):
                    self._refuse(j, f"{text} is built in and cannot be changed")

    def _increment(self, i, before=None):
        """++ or --, which are two tokens each; before a variable (`before` is what stands there) or after it."""
        texts, tokens = self.texts, self.stream.tokens
        if i < 0 or texts[i:i + 2] not in (["+", "+"], ["-", "-"]) or tokens[i].end != tokens[i + 1].start:
            return False
        return before in (";", "{", "}", "(", ",") if before is not None else texts[i + 2] in (";", ")", ",", "]")

    def _shared_on_the_host(self, body):
        for j in range(body, self.stream.partner.get(body, 0)):
            if self.texts[j] == "__shared__" and "extern" not in (self.texts[j - 1], self.texts[j + 1]):
                if not self._in_lambda(j):
                    self._refuse(j, "a __shared__ variable is not allowed inside a host function; only kernels and "
                                 "__device__ functions have shared memory")

    def _shared_types(self):
        """`extern __shared__` of two types under one name; only types that are certain to differ."""
        seen = {}
        for i, text in enumerate(self.texts[:-3]):
            if text != "__shared__":
                continue
            begin = self.stream.statement_start(i)
            end = begin
            while self.texts[end] not in ("[", ";", "=", "") and end < len(self.stream):
                end += 1
            words = self._without_attributes(begin, end - 1)
            kind = frozenset(words) - {"extern", "__shared__", "volatile", "const", "static"}
            if "extern" not in words or self.texts[end:end + 2] != ["[", "]"] or not kind <= ARITHMETIC:
                continue
            if kind & {"unsigned", "signed", "short", "long"}:
                kind -= {"int"}
            kind = frozenset({"int"}) if kind == {"signed"} else kind
            place = (self._namespaces(begin), self.texts[end - 1])
            if seen.setdefault(place, kind) != kind and not any(t.endswith("_t") for t in kind | seen[place]):
                self._refuse(end - 1, f'declaration is incompatible with previous "{place[1]}"; dynamic shared memory '
                             "of another type needs another name")

    def _namespaces(self, i):
        names, around = [], self.stream.parent[i]
        while around is not None:
            head = self.texts[self.stream.statement_start(around):around]
            if "namespace" in head or self._in_class(around + 1):
                names.append(" ".join(head))
            around = self.stream.parent[around]
        return tuple(names)

    # ---- who may use what

    def _sides(self, device):
        stream, functions, variables = self.stream, {}, {}
        for declared, kind in self._host_declarations():
            (functions if kind == "function" else variables).setdefault(declared.name, []).append(declared)
        taken = self.passes.context.functions
        hosts = {name for name, all_of_it in functions.items() if any(each.body is not None for each in all_of_it)}
        hosts -= taken.keys() | variables.keys()
        devices = {name for name, sides in taken.items() if sides == {frozenset({"__device__"})}} - functions.keys()
        kernels = {name for name, sides in taken.items() if any("__global__" in each for each in sides)}
        device_bodies = [(begin, found.body, stream.partner.get(found.body, 0)) for begin, found in device]
        host_bodies = [(each.body, stream.partner.get(each.body, 0)) for name in functions.keys() - taken.keys()
                       for each in functions[name] if each.body is not None]
        for first, last in host_bodies:
            self._shared_on_the_host(first)
            self._device_calls(first, last, functions.keys() | taken.keys() | self.macros)
        names = kernels | devices | hosts | variables.keys() | C_LIBRARY
        declared = {found.name[1] - 1 for _, found in self.functions}
        for i, text in enumerate(self.texts[:-3]):
            if text not in names or not stream.is_word(i) or i in declared:
                continue
            if self._launch_end(i) is not None and text in devices | hosts:
                self._suspect(i, f'"{text}" is no kernel: only a __global__ function can be launched with <<<...>>>')
            if not self._in_expression(i):
                continue
            in_device = next(((begin, last) for begin, first, last in device_bodies if first < i < last), None)
            in_host = any(first < i < last for first, last in host_bodies) and not self._in_lambda(i)
            called = self._call_end(i) is not None
            if called and text in kernels:
                self._suspect(i, f"a __global__ function call must be configured: {text}<<<grid, block>>>(...)")
            elif called and text in devices and in_host:
                self._suspect(i, f'calling a __device__ function ("{text}") from a host function is not allowed; '
                              "__host__ __device__ makes it one for both")
            elif in_device is None:
                continue
            elif called and text in hosts:
                self._suspect(i, f'calling a host function ("{text}") from device code is not allowed; '
                              "__device__ or __host__ __device__ before it makes it a function of the device")
            elif called and text in C_LIBRARY - taken.keys() - functions.keys() \
                    and self.passes.at_namespace_scope(stream, in_device[0]):
                self._suspect(i, f'calling a host function ("{text}") from device code is not allowed: '
                              "a GPU does not have this function of the C library")
                self._mark(text, stream.tokens[in_device[0]].start, f'extern "C" decltype(::{text}) {text} ')
            elif text in variables.keys() - taken.keys() and not self._declares(text, *in_device) and (
                    not variables[text][0].constant_array or self.texts[i + 1] == "["):
                self._suspect(i, f'identifier "{text}" is undefined in device code: it is a variable of the host; '
                              "pass it to the kernel, or put __device__ or __constant__ before it")
        names = {suspicion.name for suspicion in self.suspicions}
        for each in sum((*functions.values(), *variables.values()), []):
            if each.name in names and each.name not in taken:
                self._mark(each.name, each.position)
        for i, found in self.functions:
            name = self.texts[found.name[1] - 1]
            if name in names and (name not in kernels or "__global__" in found.specifiers):
                self._mark(name, self.stream.tokens[i].start)

    def _device_calls(self, first, last, own):
        """Calls of CUDA's device functions in host code."""
        for j in range(first, last):
            text = self.texts[j]
            if (DEVICE_FUNCTION.fullmatch(text) or ATOMIC_FUNCTION.fullmatch(text) and self.alone) and text not in own \
                    and self._call_end(j) is not None and self._in_expression(j) and not self._in_lambda(j):
                self._refuse(j, f'calling a __device__ function ("{text}") from a host function is not allowed')

    def _declares(self, name, first, end):
        """Is there `int name` or `int* name` among these tokens?"""
        for j in range(first + 1, end):
            if self.texts[j] == name:
                before = j - 2 if self.texts[j - 1] in ("*", "&") else j - 1
                if self.stream.is_word(before) and self.texts[before] not in BEFORE_EXPRESSION:
                    return True
        return False

    def _suspect(self, i, message):
        last = self._launch_end(i) or self._call_end(i) or i
        tokens = self.stream.tokens
        self.suspicions.append(Suspicion(self.texts[i], tokens[i].start, tokens[min(last, len(tokens) - 1)].end, message))

    def _mark(self, name, position, declaration=""):
        attribute = f'__attribute__((deprecated("{MARK}{name}"))) '
        self.marks.append(Edit(position, position, [declaration + attribute + (";" if declaration else "")]))

    def _in_expression(self, i):
        """May the name at i be used here? Not if it is declared, a member, qualified, or not evaluated."""
        texts, before = self.texts, self.texts[i - 1] if i else ";"
        if before in (".", "->", "::", "~", "#", "##", ":") or self.stream.is_word(i - 1) and before not in BEFORE_EXPRESSION:
            return False
        around = self.stream.parent[i]
        while around is not None:
            if texts[around - 1] in UNEVALUATED or texts[around - 2:around] == ["sizeof", "..."]:
                return False
            around = self.stream.parent[around]
        return "sizeof" not in (before, texts[i - 2])

    def _behind(self, i):
        """The index behind the name at i and its template arguments."""
        end = self.stream.angle_end(i + 1) if self.texts[i + 1] == "<" else None
        return i + 1 if end is None else end + 1

    def _call_end(self, i):
        """The ) that ends the call of the name at i, or None if it is not called."""
        opened = self._behind(i)
        return self.stream.partner.get(opened) if self.texts[opened] == "(" else None

    def _launch_end(self, i):
        """The ) that ends the launch of the name at i, or None if it is not launched."""
        opened = self._behind(i)
        last = self.passes.launch_end(self.stream, opened) if self.texts[opened] == "<<<" else None
        return None if last is None else self.stream.partner.get(last + 1)

    def _in_lambda(self, i):
        around = self.stream.parent[i]
        while around is not None:
            if self.texts[around] == "{":
                j = around - 1
                while j > 0 and self.texts[j] not in (";", "{", "}", "]"):
                    j = self.stream.partner.get(j, j) - 1 if self.texts[j] == ")" else j - 1
                if self.texts[j] == "]":
                    return True
            around = self.stream.parent[around]
        return False

    # ---- the declarations at namespace scope that are the host's

    def _host_declarations(self):
        stream, texts, i = self.stream, self.texts, 0
        while i < len(stream):
            begin = i
            while i < len(stream) and texts[i] not in (";", "{", "}"):
                i = stream.skip(i) if texts[i] in ("(", "[") else i + 1
            if i >= len(stream):
                return
            if texts[i] == "{" and self.passes.is_namespace(stream, i):
                i += 1
                continue
            if texts[i] != "}":
                yield from self._read(begin, i)
            i = stream.skip(i) if texts[i] == "{" else i + 1

    def _read(self, begin, end):
        """(Declared, kind) of the tokens [begin, end) and what follows them, a ; or a {."""
        texts, stream = self.texts, self.stream
        while texts[begin] == "[" and texts[begin + 1] == "[":
            begin = stream.skip(begin)
        while texts[begin] == "extern" and stream.tokens[begin + 1].kind == "string":
            begin += 2
        head = texts[begin:end]
        if not head or not stream.is_word(begin) or any(self.passes.specifiers(stream, j) for j in range(begin, end)) \
                or {"template", "using", "typedef", "friend", "static_assert", "constexpr", "consteval", "operator",
                    "namespace", "asm", "__asm__", "concept"} & set(head):
            return
        stop = begin
        while stop < end and texts[stop] not in ("(", "[", "=", ",", "&", "&&"):
            stop = (stream.angle_end(stop) or end) + 1 if texts[stop] == "<" else stop + 1
        name = stop - 1
        if stop > end or texts[stop] in ("&", "&&") or name <= begin or not stream.is_word(name) or texts[name] in KEYWORDS or texts[name - 1] == "::" \
                or not self._is_type(begin, name):
            return
        position, before = stream.tokens[begin].start, texts[begin:name]
        if texts[stop] == "(":
            body = end if texts[end] == "{" and "=" not in texts[stop:end] else None
            yield Declared(texts[name], position, body), "function"
        elif not {"struct", "class", "enum", "union"} & set(before):
            behind_star = before[len(before) - before[::-1].index("*"):] if "*" in before else before
            constant = "const" in behind_star
            if not constant or texts[stop] == "[" and "*" not in before:
                yield Declared(texts[name], position, constant_array=constant), "variable"

    def _is_type(self, first, end):
        """Are the tokens a type and no more? An unknown word beside a type might be a macro that says __device__."""
        unknown, known, i = 0, 0, first
        while i < end:
            text = self.texts[i]
            if text == "<":
                i = self.stream.angle_end(i) or end
            elif text == "::":
                unknown -= i > first and self.stream.is_word(i - 1)
            elif self.stream.is_word(i) and text not in TYPES:
                if text in KEYWORDS or text in self.macros or text.isupper() and len(text) > 1 or text.startswith("__"):
                    return False
                unknown += 1
            elif self.stream.is_word(i):
                known += text not in ("static", "inline", "extern", "const", "volatile", "thread_local", "struct",
                                      "class", "enum", "union", "__inline__", "typename", "constexpr")
            elif text != "*":
                return False
            i += 1
        return unknown + (known > 0) == 1


def confirmed(source, command):
    """Asks the compiler: returns a RewriteError for each suspicion that is right. `command` compiles a file in which
    what is suspected is marked, and writes nothing."""
    done = subprocess.run(command, capture_output=True, encoding="latin-1", check=False,
                          env=os.environ | {"LC_ALL": "C"})
    warnings = re.findall(rf"^(.*?):(\d+):(\d+): (?:warning|error): .*: {MARK}(\S+)", done.stderr, re.MULTILINE)
    seen = {(name, int(line), int(column)) for path, line, column, name in warnings if path == as_text(source.path)}
    place, mistakes = Place(source.text), []
    for suspicion in source.suspicions:
        line, column = place(suspicion.start)
        before = source.text[suspicion.start - column + 1:suspicion.start]
        last_line, last_column = place(suspicion.end)
        # Compilers point to some part of the call, and g++ counts columns as they are shown.
        first = line, column - sum("\x80" <= letter < "\xc0" for letter in before)
        last = last_line, last_column + len(before.expandtabs(8)) - len(before)
        if any(name == suspicion.name and first <= (at, there) <= last for name, at, there in seen):
            mistakes.append(RewriteError(source.path, line, column, from_text(suspicion.message)))
    return mistakes

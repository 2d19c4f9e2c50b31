#!/usr/bin/env python3
"""Turns CUDA C++ into C++ for an ordinary compiler: the source-to-source step of the emulator.

It works on the tokens of a file before preprocessing, expands no macro, and changes only what C++ cannot express:

    k<<<grid, block>>>(x)           (::emulator::Launch(grid, block), k(x))
    __global__ void k(...) {...}    ... { EMULATOR_KERNEL_BEGIN(1024) ... EMULATOR_KERNEL_END }
    __shared__ float a[16];         struct site; auto& a = ::emulator::shared<site, float[16]>("a");
    __device__ int counter;         EMULATOR_DEVICE_VARIABLE int counter;
    float a[16];                    in device code of the checked build only:
                                    ::emulator::LocalArray<float[16]> local_1; auto& a = *local_1.named("a", false);
    __noinline__                    __attribute__((noinline))
    (void*)k                        (void*)::emulator::remembered(k)
    #include "kernels.cuh"          the same, of a rewritten copy of kernels.cuh

All other text stays byte for byte. `#line` directives after each change make a compiler report every error at the
line and column of the user's file.

How it goes: text -> tokens (`tokenize`) -> streams of tokens with matched brackets (`Stream`: the file itself and the
body of each #define) -> passes that collect edits (`Passes`) -> output (`Renderer`). `Project` follows the includes.

    python3 emulator/rewriter.py FILE.cu [-I DIR]... [-o OUT]      shows what becomes of a file
"""

import argparse
import bisect
import os
import re
import sys
from dataclasses import dataclass, field


class RewriteError(Exception):
    """Something in the user's file that cannot be rewritten. Lines and columns count from 1."""

    def __init__(self, path, line, column, message):
        super().__init__(f"{path}:{line}:{column}: error: {message}")
        self.path, self.line, self.column, self.message = path, line, column, message


# --------------------------------------------------------------------------------------------------------- unsupported

DYNAMIC_PARALLELISM = "a kernel launch inside device code (dynamic parallelism)"

# What the emulator does not have. Where the preprocessor may skip the place, the error is left to the compiler.
UNSUPPORTED_HEADERS = [
    (r"thrust/.*", "Thrust"),
    (r"cub/.*", "CUB"),
    (r"cuda/.*", "libcu++, the CUDA C++ standard library"),
    (r"cublas\w*\.h", "cuBLAS"),
    (r"curand\w*\.h", "cuRAND"),
    (r"cufft\w*\.h", "cuFFT"),
    (r"cusparse\w*\.h", "cuSPARSE"),
    (r"cusolver\w*\.h", "cuSOLVER"),
    (r"cudnn\w*\.h", "cuDNN"),
    (r"nccl\.h", "NCCL"),
    (r"nvrtc\.h", "runtime compilation (NVRTC)"),
    (r"mma\.h|crt/mma\.h", "tensor cores (wmma)"),
    (r"cutlass/.*|cute/.*", "CUTLASS"),
    (r"cooperative_groups(\.h|/.*)", "cooperative groups"),
    (r"cuda_(fp16|bf16)\.hp*", "half and bfloat16 numbers"),
    (r"cuda_fp[468]\.hp*", "numbers of 4, 6 and 8 bits"),
    (r"cuda_awbarrier\w*\.h", "asynchronous barriers"),
    (r"cudaProfiler\.h|cupti\w*\.h|nvperf_\w+\.h|nvToolsExt\w*\.h|nvtx3/.*", "profiling"),
    (r"npp\w*\.h|nvjpeg\w*\.h|nvml\.h|nvgraph\.h|nvblas\.h|cufile\.h|cudalibxt\.h|library_types\.h",
     "CUDA's other libraries"),
    (r"(texture|surface)_\w+\.h|channel_descriptor\.h", "textures"),
    (r"(cudaGL|cudaEGL|cudaVDPAU|cuda_(gl|egl|vdpau)_interop)\w*\.h", "graphics interoperability"),
    (r"cuda_device_runtime_api\.h", DYNAMIC_PARALLELISM),
    (r"nv/target|crt/.*|cudaTypedefs\.h|nvJitLink\.h|nvvm\.h", "the inner headers of CUDA"),
]

# (a word, the tokens of which one must follow it or None, what it is)
UNSUPPORTED_WORDS = [
    (r"texture", "<", "texture references"),
    (r"surface", "<", "surface references"),
    (r"cudaTextureObject_t|cudaCreateTextureObject|cudaBindTexture\w*", None, "textures"),
    (r"cudaSurfaceObject_t|cudaCreateSurfaceObject", None, "surfaces"),
    (r"tex(1D|2D|3D|Cubemap)\w*", "(<", "textures"),
    (r"surf(1D|2D|3D|Cubemap)\w*(read|write)", "(<", "surfaces"),
    (r"wmma", None, "tensor cores (wmma)"),
    (r"__cluster_dims__", "(", "thread block clusters"),
    (r"this_cluster|cluster_group", None, "thread block clusters"),
    (r"this_multi_grid|multi_grid_group|cudaLaunchCooperativeKernelMultiDevice", None, "grids over several devices"),
    (r"cudaGraph(?!ics)\w*|cudaStreamBeginCapture\w*|cudaStreamEndCapture", None, "CUDA graphs"),
    (r"cudaGraphics\w*", None, "graphics interoperability"),
    (r"cuda(Malloc(3D)?Array|MallocMipmappedArray|CreateChannelDesc|ChannelFormatDesc)", None, "CUDA arrays (textures)"),
    (r"cudaMemPool\w*|cudaDevice(GetDefault|Get|Set)MemPool|cudaMallocFromPoolAsync", None, "memory pools"),
    (r"cudaIpc\w+", None, "memory and events of other processes (IPC)"),
    (r"cuda(Import|Destroy)?External(Memory|Semaphore)\w*", None, "external memory and semaphores"),
    (r"CU(device|context|module|function|deviceptr|result|library|mem[A-Z]\w*|tensorMap)", None, "the CUDA driver API"),
    (r"cu(Init|DriverGetVersion|GetError(Name|String)|GetProcAddress|PointerGet\w+|(Ctx|Module|Library)[A-Z]\w*|Launch\w*"
     r"|Device(Get|Primary|Compute|Total|CanAccess)\w*|Mem(Alloc|Free|Get|Host|cpy|set|Create|Map|Unmap|Address|Set)\w*"
     r"|(Stream|Event)(Create|Destroy|Record|Synchronize|Query|Wait)\w*|(Func[GS]|ParamS)et\w*|Occupancy\w+|TensorMap\w+)",
     "(", "the CUDA driver API"),
]
ARCHITECTURE = "900"  # of the device that the emulator stands for: compute capability 9.0
INLINE_PTX = "inline PTX assembly (asm) in device code"

# Of inline PTX there are the statements that read one of these registers, and those that do this one thing.
PTX_REGISTERS = {
    **{f"{register}.{axis}": f"{variable}.{axis}" for axis in "xyz" for register, variable in (
        ("tid", "::threadIdx"), ("ntid", "::blockDim"), ("ctaid", "::blockIdx"), ("nctaid", "::gridDim"))},
    **{name: f"::emulator::ptx::{name}()" for name in (
        "laneid", "warpid", "nwarpid", "smid", "nsmid", "lanemask_eq", "lanemask_lt", "lanemask_le", "lanemask_gt",
        "lanemask_ge", "globaltimer", "globaltimer_lo", "clock", "clock64")},
}
PTX_STATEMENTS = {
    "bar.sync 0": "::__syncthreads()", "barrier.sync 0": "::__syncthreads()", "trap": "::__trap()",
    "membar.cta": "::__threadfence_block()", "membar.gl": "::__threadfence()", "membar.sys": "::__threadfence_system()",
}


# --------------------------------------------------------------------------------------------------------------- tokens


@dataclass(slots=True)
class Token:
    kind: str  # word, number, string, char, punct
    text: str
    start: int
    end: int
    conditional: bool  # inside #if ... #endif, so the preprocessor may skip it


@dataclass(slots=True)
class Directive:
    name: str  # if, ifdef, include, define, ...; "" for a lone #
    start: int  # of the #
    end: int  # of the line, before its newline
    index: int  # how many tokens of the file itself stand before it
    tokens: list  # what follows the name
    conditional: bool
    skipped: bool = False  # inside `#if 0`


TOKEN = re.compile(
    r"""(?P<newline>\r?\n)
      | (?P<space>(?:[ \t\r\f\v]|\\\r?\n)+)
      | (?P<comment>//(?:\\\r?\n|[^\n])* | /\*.*?(?:\*/|\Z))
      | (?P<raw>(?:u8|[uUL])?R"(?P<mark>[^ ()\\\s]{0,16})\(.*?\)(?P=mark)")
      | (?P<string>(?:u8|[uUL])?"(?:\\.|[^"\\\n])*")
      | (?P<char>(?:u8|[uUL])?'(?:\\.|[^'\\\n])+')
      | (?P<number>\.?[0-9](?:[eEpP][+-]|'[0-9A-Za-z_]|[0-9A-Za-z_.])*)
      | (?P<word>[A-Za-z_$\x80-\U0010ffff][0-9A-Za-z_$\x80-\U0010ffff]*)
      | (?P<punct>::|->\*?|\#\#|\.\.\.|<=>|<+=?|[-+*/%^&|!=]=|&&|\|\||>=|.)""",
    re.VERBOSE | re.DOTALL,
)


def tokenize(text):
    """Splits a file into its own tokens and its preprocessor directives; comments and `#if 0` parts are left out."""
    tokens, directives = [], []
    target = tokens  # where tokens go: to the file itself, or to the directive being read
    at_line_start = True
    conditions = []  # for each open #if: does it count as a condition (an include guard does not)
    skipping = 0  # depth of #if inside `#if 0`, counting that one

    def finish(directive, end):
        """Called at the end of a directive's line; keeps `conditions` and `skipping`."""
        nonlocal skipping
        directive.end = end
        directive.conditional, directive.skipped = any(conditions), skipping > 0
        first = directive.tokens[0].text if directive.tokens else ""
        if directive.name in ("if", "ifdef", "ifndef"):
            if skipping or (directive.name == "if" and first == "0" and len(directive.tokens) == 1):
                skipping += 1
            conditions.append(not (directive.name == "ifndef" and is_guard(directive)))
        elif directive.name == "endif":
            skipping = max(0, skipping - 1)
            del conditions[-1:]
        elif directive.name in ("else", "elif", "elifdef", "elifndef"):
            skipping = 0 if skipping == 1 else skipping
            conditions[-1:] = [True] if conditions else []

    def is_guard(directive):
        """`#ifndef NAME` followed by `#define NAME`, before any code of the file."""
        name = re.escape(directive.tokens[0].text) if directive.tokens else "$"
        following = re.compile(r"\s*(?://[^\n]*\s*|/\*.*?\*/\s*)*#\s*define\s+" + name + r"\b", re.DOTALL)
        return not tokens and following.match(text, directive.end) is not None

    position, length, directive = 0, len(text), None
    while position < length:
        match = TOKEN.match(text, position)
        kind, start, position = match.lastgroup, position, match.end()
        if kind == "newline":
            if directive is not None:
                finish(directive, start)
                directive, target = None, tokens
            at_line_start = True
            continue
        if kind in ("space", "comment"):
            continue
        value = match.group()
        if value == "#" and at_line_start:
            directive = Directive("", start, length, len(tokens), [], False)
            directives.append(directive)
            target = directive.tokens
        elif directive is not None and not directive.name and not target and kind == "word":
            directive.name = value
        elif directive is not None or not skipping:
            conditional = any(conditions)
            before = target[-1] if target else None
            if value == "<" and before and before.text == "<<" and text[before.end:start].isspace() \
                    and [token.text for token in target[-2:-1]] != ["operator"]:
                before.text, before.end = "<<<", position  # some formatters write k << <1, 1 >> >(x)
            else:
                target.append(Token("string" if kind == "raw" else kind, value, start, position, conditional))
        at_line_start = False
    if directive is not None:
        finish(directive, length)
    return tokens, [d for d in directives if d.name]


KEYWORDS = set(
    """alignas alignof and asm auto bool break case catch char char8_t char16_t char32_t class const consteval constexpr
    constinit const_cast continue co_await co_return co_yield decltype default delete do double dynamic_cast else enum
    explicit extern false float for friend goto if inline int long mutable namespace new noexcept not nullptr operator
    or private protected public register reinterpret_cast requires return short signed sizeof static static_assert
    static_cast struct switch template this thread_local throw true try typedef typeid typename union unsigned using
    virtual void volatile wchar_t while __attribute__ __declspec __align__ __builtin_align__ __launch_bounds__
    __restrict__""".split()
)
NOT_CALLABLE = KEYWORDS - {"this", "true", "false"}
BEFORE_CAST = {"return", "co_return", "case", "else", "throw"}
MEMORY = {"__shared__", "__device__", "__constant__", "__managed__"}
SPECIFIERS = MEMORY | {"__global__", "__host__"}
WITH_PARENS = {"__launch_bounds__", "__attribute__", "alignas", "__align__", "__builtin_align__", "__declspec", "decltype",
               "noexcept", "explicit", "__cluster_dims__", "__maxnreg__", "__block_size__", "throw", "typeof", "__typeof__"}
ARITHMETIC = {"static", "const", "constexpr", "unsigned", "signed", "char", "short", "int", "long", "float", "double", "bool",
              "size_t", "int8_t", "uint8_t", "int16_t", "uint16_t", "int32_t", "uint32_t", "int64_t", "uint64_t"}
ASSIGNMENTS = {"=", "+=", "-=", "*=", "/=", "%=", "^=", "&=", "|="}
STATEMENT_ENDS = {";", "{", "}", ":"}  # or, of {, what it begins with
NOT_IN_LOCAL_TYPE = (KEYWORDS - ARITHMETIC - {"typename", "struct", "class", "union", "enum", "volatile", "wchar_t"}
                     | MEMORY | {"static", "const", "constexpr"})
STATEMENT_STARTS = {";", "{", "}", "(", ")", "=", "?", ":", "else", "do"}
SUFFIXES = {"const", "volatile", "noexcept", "override", "final", "requires", "try", "throw", "mutable"}
OPENING, CLOSING = {"(": ")", "[": "]", "{": "}"}, {")": "(", "]": "[", "}": "{"}


class Stream:
    """Tokens that belong together, with their brackets matched: a file without its directives, or a macro's body."""

    def __init__(self, tokens, directives=(), macro=None, parameters=()):
        self.tokens = tokens
        self.macro = macro  # the macro's name, or None for the file itself
        self.parameters = parameters
        self.directives = directives
        self.texts = [token.text for token in tokens] + [""] * 3  # so that one may look ahead
        self.partner = {}  # index of each bracket -> index of its other end
        self.parent = [None] * len(tokens)  # index of the innermost bracket around each token
        self.local_shared = []  # (name, index) of the __shared__ variables that functions declare
        self.kernel_ends = set()  # the closing braces of kernels
        self.lockstep_sites, self.spinning = set(), set()  # assignments and loops that were seen to
        self.prints = set()  # the ( of each printf() that was
        self._match_brackets(directives)

    def __len__(self):
        return len(self.tokens)

    def _match_brackets(self, directives):
        """Where #if and #else both open a bracket that is closed once, both are matched with that closing one."""
        stack, branches, waiting = [], [], list(directives)
        waiting.reverse()
        for i, text in enumerate(self.texts[:-3]):
            while waiting and waiting[-1].index <= i:
                stack = self._branch(waiting.pop().name, stack, branches)
            if text in OPENING:
                self.parent[i] = stack[-1][0] if stack else None
                stack.append([i])
                continue
            if text in CLOSING:
                while stack and self.texts[stack[-1][0]] != CLOSING[text] and any(
                        self.texts[opened[0]] == CLOSING[text] for opened in stack):
                    stack.pop()
                if stack and self.texts[stack[-1][0]] == CLOSING[text]:
                    opened = stack.pop()
                    self.partner[i] = opened[0]
                    self.partner.update((each, i) for each in opened)
            self.parent[i] = stack[-1][0] if stack else None

    @staticmethod
    def _branch(name, stack, branches):
        if name in ("if", "ifdef", "ifndef"):
            branches.append((list(stack), []))
        elif name in ("else", "elif", "elifdef", "elifndef") and branches:
            branches[-1][1].append(stack)
            return list(branches[-1][0])
        elif name == "endif" and branches:
            ends = branches.pop()[1] + [stack]
            if len({len(end) for end in ends}) == 1:
                return [sorted(set(sum(opened, []))) for opened in zip(*ends)]
        return stack

    def cuts(self, first, last):
        """Does an #if, #else or #endif between the tokens have its counterpart elsewhere?"""
        depth = 0
        for directive in self.directives:
            if first < directive.index <= last:
                depth += directive.name in ("if", "ifdef", "ifndef")
                if depth == 0 and directive.name in ("else", "elif", "elifdef", "elifndef", "endif"):
                    return True
                depth -= directive.name == "endif"
        return depth != 0

    def is_word(self, i):
        return 0 <= i < len(self.tokens) and self.tokens[i].kind == "word"

    def skip(self, i):
        """The index after the token at i, or after its closing bracket if it opens one."""
        return self.partner.get(i, i) + 1 if self.texts[i] in OPENING else i + 1

    def angle_end(self, i):
        """The index of the > that closes the template arguments opened by the < at i, or None."""
        depth = 0
        while i < len(self):
            text = self.texts[i]
            if text == "<":
                depth += 1
            elif text == ">":
                depth -= 1
                if depth == 0:
                    return i
            elif text in (";", ")", "]", "}", "<<<"):
                return None
            i = self.skip(i)
        return None

    def angle_start(self, i):
        """The index of the < that opens the template arguments closed by the > at i, or None."""
        depth = 0
        while i >= 0:
            text = self.texts[i]
            if text == ">":
                depth += 1
            elif text == "<":
                depth -= 1
                if depth == 0:
                    return i
            elif text in CLOSING:
                i = self.partner.get(i, -1)
            elif text in (";", "{", "(", "["):
                return None
            i -= 1
        return None

    def statement_start(self, i):
        """The index of the first token of the declaration that the token at i belongs to."""
        while i > 0:
            before = self.texts[i - 1]
            if before in (";", "{", "}", "(", "[", ":", ",") or before in ("else", "do"):
                break
            if before == ">" and (opened := self.angle_start(i - 1)) is not None:
                i = opened
            elif before in (")", "]"):
                opened = self.partner.get(i - 1, -1)
                attribute = self.texts[opened - 1] in WITH_PARENS if before == ")" else self.texts[opened + 1] == "["
                if opened < 0 or not attribute:
                    break
                i = opened
            else:
                i -= 1
        return i

    def flat(self, first, last):
        """The tokens [first, last) as text on one line."""
        return " ".join(self.texts[first:last])


# ---------------------------------------------------------------------------------------------------------------- edits


@dataclass(slots=True)
class Span:
    """A piece of the original text inside an edit."""

    start: int
    end: int


@dataclass(slots=True)
class Edit:
    """text[start:end] gives way to the pieces: made-up text (str) and pieces of the original (Span), nested edits in
    which are applied too."""

    start: int
    end: int
    pieces: list
    inner: list = field(default_factory=list)


class Place:
    """Line and column, both from 1, of positions in a text."""

    def __init__(self, text):
        self.text = text
        self.line_starts = [0] + [match.end() for match in re.finditer("\n", text)]

    def __call__(self, position):
        line = bisect.bisect_right(self.line_starts, position)
        return line, position - self.line_starts[line - 1] + 1


class Renderer:
    """Applies edits to a text and keeps the compiler's idea of line and column right."""

    def __init__(self, text, path, edits, frozen):
        self.text, self.place = text, Place(text)
        self.file = as_text(path).replace("\\", "\\\\").replace('"', '\\"')
        self.edits = self._nest(edits)
        self.frozen = frozen  # see Passes.frozen
        self.out = []
        self.line, self.column = 1, 1  # where the compiler believes the end of the output to be
        self.told = False  # the compiler of a line
        self.branch_ends = [end for start, end in frozen["directive"] if BRANCH_ENDS.match(text, start)]
        self.copied = []  # (position in the output, position in the text, length): for tests
        self.size = 0

    def _nest(self, edits):
        roots, stack = [], []
        for edit in sorted(edits, key=lambda edit: (edit.start, edit.end > edit.start, -edit.end)):
            while stack and stack[-1].end <= edit.start:
                stack.pop()
            if stack and edit.end > stack[-1].end:
                raise PositionError(edit.start, "this cannot be understood here")
            (stack[-1].inner if stack else roots).append(edit)
            if edit.end > edit.start:
                stack.append(edit)
        return roots

    def render(self):
        self._write(f'#line 1 "{self.file}"\n')
        self.line = 1
        self._apply(0, len(self.text), self.edits)
        return "".join(self.out)

    def _apply(self, start, end, edits):
        """Writes text[start:end] with these edits."""
        for edit in edits:
            self._original(start, edit.start)
            applied = 0
            for piece in edit.pieces:
                if isinstance(piece, Span):
                    inner = [each for each in edit.inner if piece.start <= each.start and each.end <= piece.end]
                    applied += len(inner)
                    self._apply(piece.start, piece.end, inner)
                else:
                    self._write(piece)
            if applied != len(edit.inner):
                raise PositionError(edit.inner[0].start, "this cannot be understood here")
            start = edit.end
        self._original(start, end)

    def _original(self, start, end):
        while start < end:
            frozen = self._frozen(start)
            if frozen:
                stop = min(end, frozen[1] + 1)
            else:
                self._synchronise(start, end)
                next_branch = bisect.bisect_left(self.branch_ends, start)
                stop = min([end, *(each + 1 for each in self.branch_ends[next_branch:next_branch + 1])])
            self.copied.append((self.size, start, stop - start))
            self._write(self.text[start:stop])
            if self.told and stop - 1 in self.branch_ends:
                self.line = 0  # in a branch that it skips, the compiler counts our lines and heeds no #line
            start = stop

    def _synchronise(self, start, end):
        """Tells the compiler where text[start:end] stands, if it would think otherwise."""
        line, column = self.place(start)
        if line == self.line and (column == self.column or re.match(r"[ \t\r]*\n", self.text[start:end])):
            return
        before = self.text[start - column + 1:start]
        self.told = True
        self._write(f'\n#line {line} "{self.file}"\n' + re.sub(r"[^\t]", " ", before))
        self.line, self.column = line, column

    def _write(self, piece):
        self.out.append(piece)
        self.size += len(piece)
        newlines = piece.count("\n")
        self.line += newlines
        self.column = len(piece) - piece.rindex("\n") if newlines else self.column + len(piece)

    def _frozen(self, position):
        """(kind, end) of the stretch around the position where no #line may stand, or None."""
        for kind, stretches in self.frozen.items():
            i = bisect.bisect_right(stretches, (position, len(self.text))) - 1
            if i >= 0 and position <= stretches[i][1]:
                return kind, stretches[i][1]
        return None


BRANCH_ENDS = re.compile(r"#[ \t]*(?:else|elif\w*|endif)\b")


class PositionError(Exception):
    """A RewriteError whose file, line and column the caller adds."""

    def __init__(self, position, message):
        super().__init__(message)
        self.position, self.message = position, message


# --------------------------------------------------------------------------------------------------------------- passes


@dataclass
class Context:
    """What one file leaves behind for the files that come after it in a translation unit."""

    aliases: dict = field(default_factory=dict)  # macro that stands for specifiers, `HD` -> {"__host__", "__device__"}
    half_launches: set = field(default_factory=set)  # macros whose body is `<<<...>>>`
    shared: dict = field(default_factory=dict)  # name of a namespace-scope __shared__ variable -> its local declaration
    functions: dict = field(default_factory=dict)  # name of a function -> {its specifiers of CUDA's, of each declaration}
    macros: set = field(default_factory=set)  # names

    def words(self):
        return [*self.aliases, *self.half_launches, *self.shared]


@dataclass(slots=True)
class Declaration:
    """What stands behind a specifier such as __global__. Numbers are indices of tokens."""

    kind: str  # function, lambda, variable, or "" if it is none of them
    specifiers: set
    name: tuple | None  # (first, end)
    body: int | None  # the { of a function that is defined here
    end: int  # where to read on
    bounds: int | None  # __launch_bounds__
    parameters: int | None
    shared: dict = field(default_factory=dict)  # the namespace-scope __shared__ variables that it may use

    def device_only(self):
        return "__global__" in self.specifiers or {"__device__", "__host__"} & self.specifiers == {"__device__"}


class Passes:
    """Collects the edits of one file."""

    def __init__(self, text, context, certain=True, checked=False):
        self.text, self.context = text, context
        self.certain = certain  # False for a header: it may be that it is never included
        self.checked = checked
        self.tokens, self.directives = tokenize(text)
        self.edits = []
        self.declarations = []  # (stream, index of its first specifier, Declaration)
        self.sites = 0
        self.main = Stream(self.tokens, self.directives)
        self.streams = [self.main] + [s for s in map(self._macro_body, self.directives) if s]

    def _macro_body(self, directive):
        if directive.name != "define" or directive.skipped or not directive.tokens:
            return None
        name, *rest = directive.tokens
        parameters = ()
        if rest and rest[0].text == "(" and rest[0].start == name.end:
            end = next((i for i, token in enumerate(rest) if token.text == ")"), len(rest) - 1)
            parameters = tuple(token.text for token in rest[:end] if token.kind == "word" or token.text == "...")
            rest = rest[end + 1:]
        return Stream(rest, macro=name.text, parameters=parameters)

    def run(self):
        for stream in self.streams[1:]:
            self._learn_macro(stream)
        for stream in self.streams:
            functions = self._declarations(stream)
            for function in functions:
                self._function(stream, function)
            if stream is self.main:
                self._architecture(functions)
            else:
                self._prints(stream, 0, len(stream))
            self._capture_shared(stream)
            self._launches(stream, functions)
            self._casts(stream, functions)
            self._noinline(stream)
            self._unsupported(stream, functions)
        return self.edits

    def _architecture(self, functions):
        """In what only a device runs, `#if __CUDA_ARCH__ ...` chooses what a device of the emulator's kind would get.

        Elsewhere the macro is not defined: code for host and device is compiled once, and takes the host's way."""
        bodies = [(f.body, self.main.partner.get(f.body, 0)) for f in functions if f.device_only()]
        around_devices = self._conditions_of_device_code()
        for directive in self.directives:
            texts = [token.text for token in directive.tokens]
            if directive.name not in ("if", "elif", "ifdef", "ifndef") or "__CUDA_ARCH__" not in texts \
                    or not any(first < directive.index <= last for first, last in bodies) \
                    and directive.start not in around_devices:
                continue
            if directive.name in ("ifdef", "ifndef"):
                condition = f"#if {int(directive.name == 'ifdef')}"
                self.edits.append(Edit(directive.start, directive.tokens[0].end, [condition]))
                continue
            for i, token in enumerate(directive.tokens):
                if token.text != "__CUDA_ARCH__":
                    continue
                parenthesis = texts[i - 1:i] == ["("] and texts[i + 1:i + 2] == [")"]
                first, last = (i - 1, i + 1) if parenthesis else (i, i)
                if first and texts[first - 1] == "defined":
                    self.edits.append(Edit(directive.tokens[first - 1].start, directive.tokens[last].end, [" 1 "]))
                else:
                    self.edits.append(Edit(token.start, token.end, [ARCHITECTURE]))

    def _conditions_of_device_code(self):
        """Where the directives stand that have nothing but functions of the device between them, up to their #endif."""
        stream, device, found, opened = self.main, set(), set(), []
        for where, i, declaration in self.declarations:
            if where is stream and declaration.device_only() and declaration.kind == "function":
                end = declaration.end if declaration.body is None else stream.partner.get(declaration.body, declaration.end)
                device.update(range(stream.statement_start(i), end + 1))
        for directive in self.directives:
            if directive.name in ("if", "ifdef", "ifndef"):
                opened.append([directive])
            elif opened:
                opened[-1].append(directive)
            if directive.name == "endif" and opened:
                group = opened.pop()
                inside = range(group[0].index, directive.index)
                if len(inside) > 0 and device.issuperset(inside):
                    found.update(each.start for each in group)
        return found

    def frozen(self):
        """(start, end) of where no #line may stand: preprocessor lines, and arguments of what may be a macro."""
        stream, arguments, covered = self.main, [], -1
        for i, text in enumerate(stream.texts[:-3]):
            if text == "(" and i >= covered and i not in stream.prints and self._may_be_macro(stream, i - 1):
                covered = stream.partner.get(i, len(stream))
                end = self.tokens[covered].start if covered < len(stream) else len(self.text)
                arguments.append((self.tokens[i].end, end))
        return {"directive": [(d.start, d.end) for d in self.directives], "arguments": arguments}

    @staticmethod
    def _may_be_macro(stream, i):
        word = stream.texts[i]
        return stream.is_word(i) and word not in KEYWORDS and stream.texts[i - 1] not in ("::", ".", "->")

    # ---- helpers

    def _error(self, stream, i, message):
        position = stream.tokens[min(i, len(stream) - 1)].start
        raise PositionError(position, message)

    def _not_supported(self, stream, i, what):
        self.refuse(stream, i, f"not supported: {what}")

    def refuse(self, stream, i, message):
        """An error now, or left to the compiler where it may turn out that the place is skipped."""
        token = stream.tokens[i]
        if self.certain and stream.macro is None and not token.conditional:
            self._error(stream, i, message)
        quoted = f'GCC error "{message.replace(chr(34), chr(39))}"'.replace('"', '\\"')
        self._insert(token.start, f'_Pragma("{quoted}") ')

    def _insert(self, position, text):
        self.edits.append(Edit(position, position, [text]))

    def _span(self, stream, first, end):
        return Span(stream.tokens[first].start, stream.tokens[end - 1].end)

    def specifiers(self, stream, i):
        word = stream.texts[i]
        return {word} if word in SPECIFIERS else self.context.aliases.get(word, set())

    def _learn_macro(self, stream):
        """Macros that stand for specifiers, or for the <<<...>>> of a launch."""
        texts = stream.texts[:-3]
        self.context.macros.add(stream.macro)
        found = SPECIFIERS & set(texts) | set().union(*(self.context.aliases.get(text, ()) for text in texts))
        if texts[:1] == ["<<<"] and self.launch_end(stream, 0, alone=True) == len(stream) - 1:
            self.context.half_launches.add(stream.macro)
        elif "__shared__" in found and set(texts) - {"__shared__", "static", *self.context.aliases}:
            pass  # a whole declaration
        elif found and stream.macro not in SPECIFIERS and not {";", "{", "="} & set(texts):
            self.context.aliases[stream.macro] = self.context.aliases.get(stream.macro, set()) | found

    # ---- declarations: kernels, device functions, device variables, shared variables

    def _declarations(self, stream):
        functions, i = [], 0
        while i < len(stream):
            specifiers = self.specifiers(stream, i)
            if not specifiers:
                i += 1
            elif "__shared__" in specifiers:
                i = self._shared(stream, i)
            else:
                found = self._read_declaration(stream, i)
                self.declarations.append((stream, i, found))
                if found.name:
                    name = stream.texts[found.name[1] - 1]
                    self.context.functions.setdefault(name, set()).add(frozenset(found.specifiers))
                if found.kind == "variable":
                    self._device_variable(stream, i, found)
                elif found.body is not None:
                    functions.append(found)
                elif not found.kind and "__global__" in found.specifiers and stream.macro is None:
                    self._error(stream, i, "this declaration of a kernel cannot be understood")
                i = max(i + 1, found.end)
        return functions

    def _read_declaration(self, stream, i):
        """Reads on from the specifier at i until it is clear what is declared."""
        texts, begin = stream.texts, stream.statement_start(i)
        found = Declaration("", set(), None, None, i, None, None)
        for j in range(begin, i):
            if texts[j] == "__launch_bounds__":
                found.bounds = j
        while i < len(stream):
            text = texts[i]
            specifiers = self.specifiers(stream, i)
            if specifiers:
                found.specifiers |= specifiers
                if text not in SPECIFIERS and texts[i + 1] == "(":
                    found.name = (i, i + 1)
                i += 1
            elif text in WITH_PARENS and texts[i + 1] == "(":
                found.bounds = i if text == "__launch_bounds__" else found.bounds
                i = stream.skip(i + 1)
            elif text == "operator":
                found.name = (i, i + 1)
                i = stream.skip(i + 1) if texts[i + 1] == "(" else i + 1
                while i < len(stream) and texts[i] not in ("(", ";"):
                    i += 1
            elif text in ("struct", "class", "union", "enum"):
                i += 2 if texts[i + 2] == "{" else 1
                i = stream.skip(i) if texts[i] == "{" else i
            elif text == "[" and texts[i + 1] == "[":
                i = stream.skip(i)
            elif stream.is_word(i):
                pasted = texts[i - 1] == "##" and found.name
                found.name = (found.name[0] if pasted else i, i + 1)
                i += 1
            elif text == "<" and found.name and (end := stream.angle_end(i)) is not None:
                i = end + 1
            elif text in ("::", "*", "&", "&&", "~", "...", "##"):
                i += 1
            elif text == "(" and found.name is None:
                found.kind = "lambda" if texts[begin - 1] == "]" else ""
                break
            elif text == "(":
                inside = i + 1
                while stream.is_word(inside) and texts[inside + 1] == "::":
                    inside += 2
                if texts[inside] in ("*", "&"):  # float (*table)(float), int (&r)[4], int (S::*member)
                    found.kind = "variable"
                    break
                if i not in stream.partner:
                    break
                after = stream.skip(i)
                attribute = stream.is_word(after) and texts[after] not in SUFFIXES | WITH_PARENS \
                    and texts[after + 1] not in ("{", ";", ":")
                if texts[after] == "(" or attribute:  # MACRO(x) int y, MAKE_NAME(k)(int* p)
                    i = after
                    continue
                found.kind, found.parameters = "function", i
                break
            else:
                if found.name:
                    found.kind = "variable"
                elif texts[begin - 1] == "]" and text in ("{", "->"):
                    found.kind = "lambda"
                break
        else:
            if stream.macro and found.name and found.name[0] - begin >= 2 and self._names_variable(stream, found.name):
                found.kind = "variable"  # #define COUNTER(name) __device__ int name
        found.end = i
        if found.kind in ("function", "lambda"):
            after = stream.skip(i) if texts[i] == "(" else i
            found.body = self._body(stream, after)
            found.end = after if found.body is None else found.body
            found.shared = dict(self.context.shared) if stream.macro is None else {}
        return found

    @staticmethod
    def _names_variable(stream, name):
        before, word = stream.texts[name[0] - 1], stream.texts[name[1] - 1]
        return word not in KEYWORDS and not word.startswith("__") and not before.startswith("__") \
            and before not in ("static", "inline", "constexpr", "const", "volatile", "extern")

    @staticmethod
    def _body(stream, i):
        """The { of a function whose parameters end before i, or None where it is only declared."""
        texts, in_initializers = stream.texts, False
        while i < len(stream):
            text = texts[i]
            if text == "{" and not (in_initializers and texts[i - 1] not in (")", "}")):
                return i
            if text in (";", "=", ")", "}", "]") or text == "," and not in_initializers:
                return None
            in_initializers = in_initializers or text == ":"
            end = stream.angle_end(i) if text == "<" else None
            i = stream.skip(i) if end is None else end + 1
        return None

    def _device_variable(self, stream, i, found):
        """Of `__device__ __constant__`, the specifier that says more is kept."""
        begin = stream.statement_start(i)
        place = self._variable_macro(stream, begin, found)
        for specifier in ("__managed__", "__constant__", "__device__"):
            name = place or f"EMULATOR_{specifier.strip('_').upper()}_VARIABLE"
            for j in range(i, found.end):
                token = stream.tokens[j]
                if token.text == specifier != name:
                    self.edits.append(Edit(token.start, token.end, [name]))
                elif specifier in self.context.aliases.get(token.text, ()) and name != "__device__":
                    self._insert(token.end, f" {name}")
                elif token.text != specifier:
                    continue
                return self._inline_variable(stream, begin, found) if place is None else None
        return None

    def _inline_variable(self, stream, begin, found):
        """Weak does for a section what inline means; what no other file can name need not be either."""
        unnamed = any(stream.texts[j - 1:j + 1] == ["namespace", "{"] and stream.partner.get(j, 0) > begin
                      for j in range(1, begin))
        own = unnamed or "static" in stream.texts[begin:found.end]
        for token in stream.tokens[begin:found.end]:
            if token.text == "inline":
                macro = "__attribute__((unused))" if own else "EMULATOR_INLINE_VARIABLE"
                self.edits.append(Edit(token.start, token.end, [macro]))

    def _variable_macro(self, stream, begin, found):
        """For a constant its own section, "__device__" for what has to stay an ordinary variable, else None.

        Compilers refuse read-only and other data in one section, and g++ inline variables and templates in any. A
        constant of a class type, or a pointer, may hold an address, and then it is not read-only: those stay ordinary.
        So do templates, and inline variables and constants that are constant and inline, or not at namespace scope."""
        words = stream.texts[begin:found.end]
        after_star = words[len(words) - words[::-1].index("*"):] if "*" in words else words
        constant, inline = "constexpr" in words or "const" in after_star, "inline" in words
        if "template" in words:
            return "__device__"
        if not constant and not inline:
            return None
        if constant and inline or not self.at_namespace_scope(stream, begin):
            return "__device__"
        if inline:
            return None
        kinds = ARITHMETIC | SPECIFIERS | self.context.aliases.keys()
        plain = found.name and set(stream.texts[begin:found.name[0]]) <= kinds
        return "EMULATOR_CONST_VARIABLE" if plain else "__device__"

    def _function(self, stream, function):
        """A kernel's body becomes a lambda; namespace-scope __shared__ variables become local to the body."""
        body_end = stream.partner.get(function.body)
        kernel = "__global__" in function.specifiers
        if body_end is None:
            if kernel:
                self._error(stream, function.body, "the end of this kernel's body is not here")
            return
        first, last = stream.tokens[function.body].end, stream.tokens[body_end].start
        if kernel:
            references = self._references(stream, function, body_end)
            begin = "EMULATOR_KERNEL_BEGIN" + ("_WITH_REFERENCES" if references else "")
            self._insert(first, f" {begin}({', '.join([self._max_threads(stream, function), *references])}) ")
            self._function_name(stream, function, body_end)
        parameters = range(function.parameters or 0, stream.skip(function.parameters) if function.parameters else 0)
        hidden = {stream.texts[j] for j in parameters}
        used = set(stream.texts[function.body:body_end]) - hidden
        for name, declaration in function.shared.items():
            if name in used and not any(function.body < i < body_end and name == n for n, i in stream.local_shared):
                self._insert(first, f" {declaration} ")
                stream.local_shared.append((name, function.body + 1))
        if kernel or "__device__" in function.specifiers:
            self._lockstep(stream, function, body_end)
            self._spinning(stream, function, body_end)
            self._prints(stream, function.body, body_end)
            if self.checked and stream is self.main:
                self._local_arrays(stream, function, body_end)
        if kernel and body_end not in stream.kernel_ends:  # one } may end the alternatives of #if and #else
            stream.kernel_ends.add(body_end)
            self._insert(last, " EMULATOR_KERNEL_END ")

    def _lockstep(self, stream, function, body_end):
        """Where a device function stores into volatile memory, the lanes of a warp wait for each other.

        Which of the stores are volatile is left to the compiler: where the word occurs, `p[i] = x` and `*p += x` become
        `::emulator::lockstep<site>(p[i]) = x`."""
        if "volatile" not in stream.texts[function.parameters or function.body:body_end]:
            return
        for i in range(function.body + 1, body_end):
            if stream.texts[i] not in ASSIGNMENTS or i in stream.lockstep_sites:
                continue
            begin = self._assigned(stream, i)
            if begin is not None and begin > function.body:
                stream.lockstep_sites.add(i)
                first, last = stream.tokens[begin], stream.tokens[i - 1]
                self._insert(first.start, f"::emulator::lockstep<{first.start}>(")
                self._insert(last.end, ")")

    def _prints(self, stream, first, last):
        """`printf(` of device code becomes `(::emulator::print)(place, `: the program may have a macro print()."""
        if "printf" in self.context.macros:
            return
        texts, tokens = stream.texts, stream.tokens
        for i in range(first, last):
            if texts[i] != "printf" or texts[i + 1] != "(" or texts[i + 2] == ")" or i + 1 in stream.prints:
                continue
            begin = i
            if texts[i - 1] == "::":
                begin = i - 2 if texts[i - 2] == "std" else i - 1
            before = texts[begin - 1] if begin > 0 else ";"
            if before in (".", "->", "::") or begin > 0 and stream.is_word(begin - 1) \
                    and before not in BEFORE_CAST | {"do"}:
                continue
            stream.prints.add(i + 1)
            self.edits.append(Edit(tokens[begin].start, tokens[i].end, ["(::emulator::print)"]))
            self._insert(tokens[i + 1].end, f"{tokens[i].start}, ")

    def _assigned(self, stream, i):
        """The index where what is assigned to before i begins, if it is `x`, `p[i]` or `*p` and no declaration."""
        texts = stream.texts
        if texts[i - 1] not in ("]", ")") and not stream.is_word(i - 1):
            return None
        begin = self._callee(stream, i)
        if begin is None or {".", "->"} & set(texts[begin:i]) and texts[i - 1] != "]" \
                or stream.is_word(begin) and texts[begin + 1] == "(":  # a bit-field; T (*p)[4]
            return None
        around = stream.parent[i]
        if "enum" in texts[stream.statement_start(around):around]:
            return None
        while texts[begin - 1] == "*" and texts[begin - 2] in STATEMENT_STARTS | {"*"}:
            begin -= 1
        if texts[i - 1] == ")" and texts[begin] != "*":
            return None  # a call
        return begin if texts[begin - 1] in STATEMENT_STARTS else None

    def _spinning(self, stream, function, body_end):
        """A loop that does nothing but ask, `while (*flag == 0);`, lets other threads go on."""
        texts = stream.texts
        of_do = set()  # the while of do x = *flag; while (x == 0);
        for i in range(function.body + 1, body_end):
            if texts[i] == "do" and texts[i + 1] not in ("{", ";"):
                of_do.add(self._statement_end(stream, i + 1))
            if texts[i] not in ("while", "for") or texts[i + 1] != "(" or i in stream.spinning or i in of_do:
                continue
            after, before = stream.skip(i + 1), stream.partner.get(i - 1, 0)
            if texts[i - 1] == "}" and texts[before - 1] == "do":
                nothing = i - 1 if before + 2 == i else None
            elif texts[i - 2:i] == ["do", ";"]:
                nothing = i - 1
            else:
                nothing = after if texts[after] == ";" else after + 1 if texts[after:after + 2] == ["{", "}"] else None
            if nothing is None:
                continue
            self._insert(stream.tokens[nothing].start, " (::emulator::relax)()" + ("; " if texts[nothing] == "}" else ""))
            stream.spinning.add(i)

    def _statement_end(self, stream, i):
        """The index behind the statement that begins at i."""
        texts = stream.texts
        if texts[i] == "{":
            return stream.skip(i)
        if texts[i] == "do":
            i = self._statement_end(stream, i + 1)
        elif texts[i] in ("if", "for", "while", "switch"):
            is_if = texts[i] == "if"
            end = self._statement_end(stream, stream.skip(i + 2 if texts[i + 1] == "constexpr" else i + 1))
            return self._statement_end(stream, end + 1) if is_if and texts[end] == "else" else end
        while i < len(stream) and texts[i] not in (";", "}"):
            i = stream.skip(i)
        return i + 1

    # ---- local arrays, in the checked build

    def _local_arrays(self, stream, function, body_end):
        """`T a[4], b = 1;` in a device function: each array gets room around it and is told of."""
        texts = stream.texts
        head = texts[stream.statement_start(function.name[0]) if function.name else function.body:function.body]
        if {"constexpr", "consteval"} & set(head) or "goto" in texts[function.body:body_end]:
            return
        i = function.body + 1
        while i < body_end:
            if texts[i - 1] in STATEMENT_ENDS and self._is_block(stream, stream.parent[i], function.body) \
                    and (found := self._local_declaration(stream, i)) is not None:
                base, declarators, end = found
                self._replace_local_arrays(stream, i, base, declarators, end)
                i = end
            i += 1

    def _is_block(self, stream, opened, body):
        """Is the bracket the { of statements? Not that of a class or an initialiser; and not a switch's, whose labels
        may be jumped to past what is declared."""
        if opened is None or opened == body:
            return opened == body
        before = stream.texts[opened - 1]
        if before == ")":
            return stream.texts[stream.partner.get(opened - 1, 0) - 1] != "switch"
        return before in STATEMENT_ENDS or before in ("else", "do", "mutable")

    def _local_declaration(self, stream, begin):
        """(end of the type, [(first, end of the name, end of the array's extents or None, end)], the ;) of a declaration
        of arrays, among others perhaps; None if it is another statement."""
        texts, i = stream.texts, begin
        while stream.is_word(i) or texts[i] == "::" or texts[i] == "<":
            if texts[i] in NOT_IN_LOCAL_TYPE:
                return None
            if texts[i] == "<":
                close = stream.angle_end(i)
                if close is None or i == begin:
                    return None
                i = close + 1
            elif i > begin and stream.is_word(i) and texts[i - 1] != "::" and texts[i + 1] in ("[", ",", ";", "=", "{", "("):
                break  # the name
            else:
                i += 1
        base, declarators = i, []
        if base == begin:
            return None
        while True:
            first = i
            while texts[i] == "*":
                i += 1
            name = i + 1
            if not stream.is_word(i) or texts[i] in KEYWORDS:
                return None
            i = extents = name
            while texts[i] == "[" and i in stream.partner and stream.partner[i] > i + 1:
                i = extents = stream.skip(i)
            while i < len(stream) and texts[i] not in (",", ";"):
                if texts[i] in CLOSING:
                    return None
                close = stream.angle_end(i) if texts[i] == "<" else None
                i = stream.skip(i) if close is None else close + 1
            is_array = extents > name and texts[extents] in ("=", "{", ",", ";") \
                and (texts[extents] != "=" or texts[extents + 1] == "{" or stream.tokens[extents + 1].kind == "string")
            declarators.append((first, name, extents if is_array else None, i))
            if texts[i] != ",":
                break
            i += 1
        split = any(begin < d.index <= i for d in self.directives)  # by lines of the preprocessor's
        return (base, declarators, i) if texts[i] == ";" and not split and any(d[2] for d in declarators) else None

    def _replace_local_arrays(self, stream, begin, base, declarators, end):
        texts, pieces = stream.texts, []
        base_pieces, base_text = [self._span(stream, begin, base)], stream.flat(begin, base)
        for number, (first, name, extents, stop) in enumerate(declarators):
            type_pieces = base_pieces if number == 0 else [base_text]
            stars = [self._span(stream, first, name - 1)] if first < name - 1 else []
            if extents is None:
                pieces += [*type_pieces, " ", self._span(stream, first, stop), "; "]
                continue
            self.sites += 1
            variable, array = texts[name - 1], f"emulator_local_{self.sites}"
            value = extents + (texts[extents] == "=")
            values = ["{{}, ", self._span(stream, value, stop), ", {}}"] if extents < stop else []
            pieces += ["::emulator::LocalArray<", *type_pieces, " ", *stars, self._span(stream, name, extents),
                       f"> {array}", *values, "; auto& ", self._span(stream, name - 1, name),
                       f' = *{array}.named("{variable}", {str(extents < stop).lower()}); ']
        self.edits.append(Edit(stream.tokens[begin].start, stream.tokens[end].end, pieces))

    @staticmethod
    def _references(stream, function, body_end):
        """`&name` of each parameter that is a reference, and used: the lambda must not copy what it stands for."""
        if function.parameters is None:
            return []
        texts, names, name, reference = stream.texts, [], None, False
        i, end = function.parameters + 1, stream.partner[function.parameters]
        used = set(texts[function.body:body_end])
        while i <= end:
            text = texts[i]
            if text in (",", "=") or i == end:
                if reference and name in used:
                    names.append(f"&{name}")
                while i < end and texts[i] != ",":
                    i = stream.skip(i)
                name, reference = None, False
            elif text == "<" and (close := stream.angle_end(i)) is not None:
                i = close
            elif text == "(" and texts[i + 1] in ("&", "&&"):  # int (&table)[4]
                name, reference = texts[i + 2], True
                i = stream.skip(i) - 1
            elif text == "[":
                i = stream.skip(i) - 1
            elif text in ("&", "&&"):
                reference = True
            elif text == "..." and reference:
                name = texts[i + 1] + "..."
                used |= {name} if texts[i + 1] in used else set()
                i += 1
            elif stream.is_word(i):
                name = text
            i += 1
        return names

    def _max_threads(self, stream, function):
        """The first argument of __launch_bounds__(threads, blocks), which may contain commas itself."""
        if function.bounds is None or function.bounds + 1 not in stream.partner:
            return "1024"
        first, last = function.bounds + 2, stream.partner[function.bounds + 1]
        commas, i = [], first
        while i < last:
            if stream.texts[i] == ",":
                commas.append(i)
            i = stream.skip(i)
        ends = [c for c in commas if stream.texts[first:c].count("<") == stream.texts[first:c].count(">")]
        return f"({stream.flat(first, (ends or commas or [last])[0])})"

    def _function_name(self, stream, function, body_end):
        """In the lambda that a kernel's body becomes, __func__ would be `operator()`."""
        for i in range(function.body, body_end):
            if stream.texts[i] in ("__func__", "__FUNCTION__") and function.name:
                token = stream.tokens[i]
                self.edits.append(Edit(token.start, token.end, [self._quoted(stream, *function.name)]))

    @staticmethod
    def _quoted(stream, first, end):
        """A name as a string literal; in a macro's body it may be made of parameters, `name##_kernel`."""
        parts = [text for text in stream.texts[first:end] if text != "##"]
        return " ".join(f"#{part}" if part in stream.parameters else f'"{part}"' for part in parts)

    # ---- shared variables

    def _shared(self, stream, i):
        """`__shared__ T a[4], b;`, where __shared__ stands at i. Returns the index after the declaration."""
        texts, begin = stream.texts, stream.statement_start(i)
        external, base, attributes, definition = False, [], [], None
        j = begin
        while j < len(stream):  # the type: up to the first declarator
            text = texts[j]
            if self.specifiers(stream, j) or text in ("static", "inline", "extern"):
                external = external or text == "extern"
                j += 1
            elif text in ("alignas", "__align__", "__builtin_align__", "__attribute__") and texts[j + 1] == "(":
                attributes.append(stream.flat(j, stream.skip(j + 1)))
                j = stream.skip(j + 1)
            elif text == "[" and texts[j + 1] == "[":
                j = stream.skip(j)
            elif text == "{" and definition is None and {"struct", "class", "union", "enum"} & {texts[b] for b in base}:
                definition = (base, j)
                base, j = [], stream.skip(j)
            elif text == "<" and base and (end := stream.angle_end(j)) is not None:
                base += range(j, end + 1)
                j = end + 1
            elif text == "::" or stream.is_word(j) and not self._is_declared_name(stream, j):
                end = stream.skip(j + 1) if self._type_takes_parens(stream, j) else j + 1
                base += range(j, end)
                j = end
            else:
                break
        if (not base and definition is None) or j >= len(stream):
            if stream.macro is None:
                self._error(stream, i, "this __shared__ declaration cannot be understood")
            return i + 1  # a macro that stands for specifiers
        if stream.macro is None and stream.parent[i] is not None and texts[stream.parent[i]] != "{":
            self._error(stream, i, "__shared__ is not possible here")
        declarators, first = [], j
        while True:  # name, and what stands before and behind it
            name, end = self._read_declarator(stream, first)
            declarators.append((first, name, end))
            if texts[end] != ",":
                break
            first = end + 1
        self._replace_shared(stream, begin, base, definition, attributes, external, declarators)
        return declarators[-1][2] + 1

    @staticmethod
    def _is_declared_name(stream, j):
        """Is the word at j the variable's name rather than a part of its type?"""
        if {"struct", "class", "union", "enum"} & set(stream.texts[max(0, j - 1):j + 1]):
            return False
        while stream.texts[j + 1] == "##":
            j += 2
        j += 1
        while stream.texts[j] == "__attribute__" and stream.texts[j + 1] == "(":
            j = stream.skip(j + 1)
        return stream.texts[j] in ("[", ";", ",", "=", "{", "") \
            or stream.texts[j] == "(" and not Passes._type_takes_parens(stream, j - 1) \
            and stream.texts[j + 1] not in ("*", "&")

    @staticmethod
    def _type_takes_parens(stream, j):
        """decltype(x) y, TYPE(4) y; but not T (*y)[4] and not T y(4)"""
        if stream.texts[j + 1] != "(" or stream.texts[j + 2] in ("*", "&"):
            return False
        after = stream.skip(j + 1)
        return stream.is_word(after) or stream.texts[after] in ("*", "&", "::")

    def _read_declarator(self, stream, first):
        """Returns ((first, end) of the name, end of the declarator)."""
        texts, i = stream.texts, first
        while texts[i] in ("*", "&", "(", "const", "volatile", "__restrict__", "__restrict"):
            i += 1
        if not stream.is_word(i):
            self._error(stream, i, "this __shared__ declaration cannot be understood")
        end = i + 1
        while texts[end] == "##" and end + 1 < len(stream):
            end += 2
        j = first
        while j < len(stream) and texts[j] not in (",", ";"):
            if texts[j] in ("=", "{") or texts[j] == "(" and j == end:
                self._error(stream, j, "initializer not allowed for __shared__ variable")
            if texts[j] in (")", "]", "}"):
                self._error(stream, j, "this __shared__ declaration cannot be understood")
            j = stream.skip(j)
        return (i, end), j

    def _replace_shared(self, stream, begin, base, definition, attributes, external, declarators):
        texts = stream.texts
        pieces, base_text = [], " ".join(texts[b] for b in base)
        base_pieces = self._runs(stream, base)
        if definition:
            head, opened = definition
            keyword = next(k for k, b in enumerate(head) if texts[b] in ("struct", "class", "union", "enum"))
            name = [b for b in head[keyword + 1:] if stream.is_word(b)]
            self.sites += not name
            type_name = texts[name[0]] if name else f"emulator_type_{self.sites}"
            pieces += self._runs(stream, head[keyword:]) + ([] if name else [f" {type_name} "])
            pieces += [self._span(stream, opened, stream.skip(opened)), "; "]
            cv = [texts[b] for b in head[:keyword]]
            base_text = " ".join(cv + [base_text, type_name]).strip()
            base_pieces = [base_text]
        outside = self.at_namespace_scope(stream, begin)
        for number, (first, name, end) in enumerate(declarators):
            before, behind = (first, name[0]), (name[1], end)
            aligned = list(attributes)
            while texts[behind[1] - 1] == ")" and (opened := stream.partner.get(behind[1] - 1, 0)) > name[1] \
                    and texts[opened - 1] == "__attribute__":
                aligned.append(stream.flat(opened - 1, behind[1]))
                behind = (behind[0], opened - 1)
            declared = "".join(part for part in texts[name[0]:name[1]])
            type_pieces = (base_pieces if number == 0 else [base_text]) + [" "]
            type_pieces += [self._span(stream, *part) for part in (before, behind) if part[0] < part[1]]
            type_text = " ".join([base_text, stream.flat(*before), stream.flat(*behind)])
            if external:
                site, start, stop = "", "::emulator::dynamic_shared<", f">({self._quoted(stream, *name)})"
            else:
                self.sites += 1
                paste = "##" if texts[name[0]] in stream.parameters else ""
                site_name = f"emulator_site_{self.sites}_{paste}{declared}"
                attribute = " ".join(aligned)
                site = f"struct {attribute} {site_name} {{}}; " if aligned else f"struct {site_name}; "
                alignment = f", alignof({site_name})" if aligned else ""
                start, stop = f"::emulator::shared<{site_name}, ", f"{alignment}>({self._quoted(stream, *name)})"
            if outside:
                self.context.shared[declared] = f"auto& {declared} = {start}{type_text}{stop};"
                pieces.append(site)
            else:
                stream.local_shared.append((declared, name[0]))
                pieces += [f"{site}auto& ", self._span(stream, *name), f" = {start}", *type_pieces, stop]
                pieces.append("; " if number + 1 < len(declarators) else "")
        end = declarators[-1][2]
        if texts[end] == ";":
            pieces.append(Span(stream.tokens[end].start, stream.tokens[end].end))
            end += 1
        self.edits.append(Edit(stream.tokens[begin].start, stream.tokens[end - 1].end, pieces))

    def _runs(self, stream, indices):
        """Spans of the tokens with these indices, neighbours together."""
        runs = []
        for i in indices:
            if runs and runs[-1][1] == i:
                runs[-1][1] = i + 1
            else:
                runs.append([i, i + 1])
        return [piece for run in runs for piece in (self._span(stream, *run), " ")]

    def at_namespace_scope(self, stream, i):
        if stream.macro is not None:
            return False
        around = stream.parent[i]
        while around is not None:
            if not self.is_namespace(stream, around):
                return False
            around = stream.parent[around]
        return True

    @staticmethod
    def is_namespace(stream, i):
        """Is the bracket at i the { of a namespace or of an extern "C"?"""
        head = stream.texts[stream.statement_start(i):i]
        return stream.texts[i] == "{" and ("namespace" in head or head[-2:-1] == ["extern"])

    def _capture_shared(self, stream):
        """What was a static variable, which lambdas do not capture, is a reference now: they have to, by reference."""
        for name, declared in stream.local_shared:
            scope = stream.parent[declared]
            end = len(stream) if scope is None else stream.partner.get(scope, len(stream))
            for i in range(declared, end):
                if stream.texts[i] == "[" and (close := self._lambda_captures(stream, i)) is not None:
                    captures = stream.texts[i + 1:close]
                    body = self._body(stream, close + 1)
                    used = body is not None and name in stream.texts[body:stream.skip(body)]
                    if used and name not in captures and captures[:1] != ["&"] or captures[:2] == ["&", "&"]:
                        self._insert(stream.tokens[close].start, f", &{name}" if captures else f"&{name}")

    @staticmethod
    def _lambda_captures(stream, i):
        """The ] of a lambda's captures, if that is what the [ at i opens."""
        texts, close = stream.texts, stream.partner.get(i)
        if close is None or texts[i - 1] in ("]", ")", "[") or texts[i + 1] == "[" \
                or stream.is_word(i - 1) and texts[i - 1] not in KEYWORDS:
            return None
        follows = ("(", "{", "<", "mutable", "->", "constexpr", "__device__", "__host__")
        return close if texts[close + 1] in follows else None

    # ---- launches

    def _launches(self, stream, functions):
        texts = stream.texts
        if stream.macro in self.context.half_launches and texts[0] == "<<<":
            first, last = stream.tokens[0], stream.tokens[-1]
            self.edits += [Edit(first.start, first.end, []), Edit(stream.tokens[-3].start, last.end, [])]
            return
        for i, text in enumerate(texts[:-3]):
            if text == "<<<" and texts[i - 1] != "operator":
                last = self.launch_end(stream, i)
                if last is None and stream.macro and self.launch_end(stream, i, alone=True) == len(stream) - 1:
                    self._launch_without_arguments(stream, i)
                    continue
                if last is None:
                    self._error(stream, i, "expected >>>( after the <<< of a kernel launch")
                if last - 2 == i + 1:
                    self._error(stream, i, "a kernel launch needs a grid and a block between <<< and >>>")
                config = Span(stream.tokens[i].end, stream.tokens[last - 2].start)
                self._launch(stream, functions, i, config, last + 1)
            elif text in self.context.half_launches and stream.tokens[i].kind == "word":
                after = stream.skip(i + 1) if texts[i + 1] == "(" else i + 1
                arguments = after if texts[after] == "(" else i + 1
                if texts[arguments] == "(":
                    self._launch(stream, functions, i, self._span(stream, i, max(arguments, i + 1)), arguments)

    def _launch(self, stream, functions, i, config, arguments):
        """The launch whose <<< stands at i and whose arguments begin with the ( at `arguments`."""
        end = stream.partner.get(arguments)
        if end is None:
            self._error(stream, arguments, "the arguments of this kernel launch do not end")
        begin = self._callee(stream, i)
        if begin is None:
            self._error(stream, i, "expected the name of a kernel before <<<")
        if any(f.device_only() and f.body < i < stream.partner.get(f.body, 0) for f in functions):
            self._not_supported(stream, begin, DYNAMIC_PARALLELISM)
        if stream.cuts(begin, arguments):
            self.refuse(stream, i, "not supported: a kernel launch that begins outside an #if and goes on inside it")
        tokens = stream.tokens
        after_config = tokens[arguments - 1].end
        for other in range(arguments, end):
            if stream.partner.get(other) == arguments and stream.texts[other] == ")":  # before an #else
                self._insert(tokens[other].end, ")")
        self.edits.append(Edit(tokens[begin].start, tokens[end].end, [
            "(::emulator::Launch(", config, "), ", Span(tokens[begin].start, tokens[i].start),
            Span(after_config, tokens[end].end), ")"]))

    def _launch_without_arguments(self, stream, i):
        """The end of a macro, `#define CALL(k) k<<<1, 32>>>`; the arguments follow where it is used, CALL(k)(x)."""
        begin, tokens = self._callee(stream, i), stream.tokens
        if begin is None:
            self._error(stream, i, "expected the name of a kernel before <<<")
        self.edits.append(Edit(tokens[begin].start, tokens[-1].end, [
            "::emulator::Launch(", Span(tokens[i].end, tokens[-3].start), "), ",
            Span(tokens[begin].start, tokens[i].start)]))

    @classmethod
    def launch_end(cls, stream, i, alone=False):
        """The index of the last > of the >>> (or >> >) that ends the launch opened by the <<< at i."""
        end = cls._closing_run(stream, i, alone, lambda before, after: before.end == after.start)
        return end if end is not None else cls._closing_run(stream, i, alone, lambda before, after: True)

    @staticmethod
    def _closing_run(stream, i, alone, together):
        """Three template closers may stand together too, `<<<g, f<A<B<int>>>(1)>>>`: a >>> with three possible template
        brackets open before it is taken only if no other follows."""
        texts, tokens = stream.texts, stream.tokens
        depth, fallback, i = 0, None, i + 1
        while i < len(stream) and texts[i] not in (";", ")", "]", "}", "<<<"):
            if texts[i] == "<" and stream.is_word(i - 1):
                depth += 1
            elif texts[i] == ">":
                run = i
                while texts[run + 1] == ">" and together(tokens[run], tokens[run + 1]):
                    run += 1
                length = run + 1 - i
                if length >= 3 and texts[run + 1] == ("" if alone else "("):
                    if depth - (length - 3) < 3:
                        return run
                    fallback = run
                depth = max(0, depth - length)
                i = run
            i = stream.skip(i)
        return fallback

    def _callee(self, stream, i):
        """The index where the expression that ends before i begins: `k`, `ns::k<T, 256>`, `(*f)`, `table[i].k`, ..."""
        texts = stream.texts
        while True:
            begin = i - 1
            while texts[begin] in (")", "]"):
                opened = stream.partner.get(begin)
                if opened is None:
                    return None
                operand = self._ends_operand(stream, opened - 1)
                begin = opened - 1 if operand else opened
                if not operand:
                    break
            if texts[begin] == ">":
                opened = stream.angle_start(begin)
                begin = -1 if opened is None else opened - 1
            if texts[begin] != "(" and (not stream.is_word(begin) or texts[begin] in NOT_CALLABLE - {"decltype"}):
                return None
            while texts[begin - 1] == "##" and begin >= 2:
                begin -= 2
            if texts[begin - 1] == "template" and texts[begin - 2] in (".", "->", "::"):
                begin -= 1
            before = texts[begin - 1] if begin else ""
            if before in (".", "->"):
                i = begin - 1
            elif before == "::":
                named = stream.is_word(begin - 2) and texts[begin - 2] not in NOT_CALLABLE
                decltype = texts[begin - 2] == ")" and texts[stream.partner.get(begin - 2, 0) - 1] == "decltype"
                template = texts[begin - 2] == ">" and stream.angle_start(begin - 2) is not None
                if not (named or decltype or template):
                    return begin - 1
                i = begin - 1
            else:
                return begin

    @staticmethod
    def _ends_operand(stream, i):
        """May a call's ( or an index's [ follow the token at i? Not if it is `if (x)` or `return`."""
        text = stream.texts[i] if i >= 0 else ""
        if text == ")":
            opened = stream.partner.get(i, 0)
            return stream.texts[opened - 1] not in ("if", "while", "for", "switch", "constexpr", "catch")
        if text == ">":
            opened = stream.angle_start(i)
            return opened is not None and stream.is_word(opened - 1)
        return text == "]" or stream.is_word(i) and text not in NOT_CALLABLE - {"decltype"}

    # ---- casts to void*, behind which the runtime could not tell what a kernel's parameters are

    def _casts(self, stream, functions):
        device = [range(f.body, stream.partner.get(f.body, 0)) for f in functions if f.device_only()]
        for i, text in enumerate(stream.texts[:-3]):
            operand = None
            if text == "(" and self._is_void_pointer(stream, i + 1, stream.partner.get(i)) \
                    and (not stream.is_word(i - 1) or stream.texts[i - 1] in BEFORE_CAST) \
                    and stream.texts[i - 1] not in (")", "]", ">"):
                operand = self._cast_operand(stream, stream.partner[i] + 1)
            elif text == "reinterpret_cast" and stream.texts[i + 1] == "<":
                closed = stream.angle_end(i + 1)
                if self._is_void_pointer(stream, i + 2, closed) and stream.texts[closed + 1] == "(":
                    operand = closed + 2, stream.partner.get(closed + 1)
            if operand and operand[1] and not any(i in body for body in device):
                first, end = operand
                self._insert(stream.tokens[first].start, "::emulator::remembered(")
                self._insert(stream.tokens[end - 1].end, ")")

    @staticmethod
    def _is_void_pointer(stream, first, end):
        return end is not None and sorted(stream.texts[first:end]) in (["*", "void"], ["*", "const", "void"])

    @staticmethod
    def _cast_operand(stream, first):
        """(first, end) of `k`, `&ns::k<T, 256>`, `table[i].k`, `static_cast<T>(k)`; None where it may be something else."""
        i = first + (stream.texts[first] == "&")
        i += stream.texts[i] == "::"
        if not stream.is_word(i) or stream.texts[i] in KEYWORDS - {"static_cast"} | {"override", "final"}:
            return None
        i += 1
        while i < len(stream):
            text = stream.texts[i]
            if text in ("(", "[") and i in stream.partner:
                i = stream.skip(i)
            elif text in ("::", ".", "->", "##"):
                i += 1 + stream.is_word(i + 1)
            elif text == "<" and (end := stream.angle_end(i)) is not None \
                    and stream.texts[end + 1] in (",", ")", "]", "}", ";", "(", ""):
                i = end + 1
            else:
                break
        return first, i

    # ---- __noinline__, which a macro cannot be: the C++ library says __attribute__((__noinline__))

    def _noinline(self, stream):
        for i, token in enumerate(stream.tokens):
            if token.text == "__noinline__" and stream.texts[i - 1] not in ("(", ",", "::"):
                self.edits.append(Edit(token.start, token.end, ["__attribute__((noinline))"]))

    # ---- what the emulator does not have

    def _unsupported(self, stream, functions):
        # A name that a type stands before is a function of the user's own.
        own = {text for i, text in enumerate(stream.texts[1:-3], 1)
               if stream.texts[i + 1] == "(" and not text.startswith("__") and stream.is_word(i - 1)
               and stream.texts[i - 1] not in ("return", "else", "do", "case", "throw")}
        device = [(f.body, stream.partner.get(f.body, 0)) for f in functions if f.device_only()]
        for i, token in enumerate(stream.tokens):
            if token.kind != "word":
                continue
            following = stream.texts[i + 1]
            if token.text in ("asm", "__asm__", "__asm"):
                if self._simple_ptx(stream, i):
                    continue
                strings = " ".join(t.text for t in stream.tokens[i:stream.skip(i + 2)] if t.kind == "string")
                if any(first < i < last for first, last in device) or PTX.search(strings):
                    self._not_supported(stream, i, INLINE_PTX)
            elif UNSUPPORTED_WORD.fullmatch(token.text) and token.text not in own:
                if stream.texts[i - 1] in ("struct", "class", "namespace", ".", "->"):
                    continue
                for pattern, follower, what in UNSUPPORTED_WORDS:
                    if re.fullmatch(pattern, token.text) and (follower is None or following and following in follower) \
                            and (following != "<" or stream.angle_end(i + 1) is not None):
                        self._not_supported(stream, i, what)
                        break


    def _simple_ptx(self, stream, i):
        """`asm("mov.u32 %0, %%laneid;" : "=r"(x))` and its like become C++. Returns whether it is one of them."""
        opened = i + 1
        while stream.texts[opened] in ("volatile", "__volatile__"):
            opened += 1
        closed = stream.partner.get(opened)
        match = SIMPLE_PTX.fullmatch(stream.flat(opened, closed + 1)) if closed else None
        statement = re.sub(r"(?:\\[nt]|;|\s)+", " ", match["statement"]).strip() if match else ""
        read = re.fullmatch(r"mov\.[usb](?:32|64) %0 ?, ?%%?([\w.]+)", statement)
        if match and match["output"] and read and read[1] in PTX_REGISTERS:
            variable = opened + 4  # the ( after `( "..." : "=r"`
            pieces = [self._span(stream, variable, stream.skip(variable)), f" = {PTX_REGISTERS[read[1]]}"]
        elif match and not match["output"] and statement in PTX_STATEMENTS:
            pieces = [PTX_STATEMENTS[statement]]
        elif match and not match["output"] and not statement:
            return True  # tells the compiler only that memory may have changed, and any compiler takes it
        else:
            return False
        self.edits.append(Edit(stream.tokens[i].start, stream.tokens[closed].end, pieces))
        return True


SIMPLE_PTX = re.compile(r'\( "(?P<statement>[^"]*)"(?P<output> : "=[rl]" \( [^"]* \))?(?:[ :]*| [ :]+ "memory") \)')
PTX = re.compile(r"\.(?:[usbf](?:8|16|32|64)|pred|sync|global|shared)\b|%(?:laneid|smid|warpid|globaltimer|lanemask)")
UNSUPPORTED_WORD = re.compile("|".join(f"(?:{pattern})" for pattern, _, _ in UNSUPPORTED_WORDS))


# ------------------------------------------------------------------------------------------------- files and includes


# Texts are read as Latin-1, so that each byte is one letter, whatever the encoding. Names of files are not.


def as_text(path):
    """The name of a file as it stands in a text."""
    return os.fsencode(path).decode("latin-1")


def from_text(name):
    """What a text calls a file, or a name in a message, as Python and the terminal have it."""
    return os.fsdecode(name.encode("latin-1", "replace"))


INCLUDE = re.compile(r'^[ \t]*#[ \t]*include(?:_next)?[ \t]*([<"])([^>"\n]+)[>"]', re.MULTILINE)
WORTH_READING = re.compile(
    r"<<\s*<|__(?:global|device|shared|constant|managed|noinline)__|__sync(?:threads|warp)|_sync\b|\batomic[A-Z]|"
    r"cuda(?:Launch|Func|Occupancy)|\b(?:__)?asm|\bdefine\b(?s:.*)\bprintf\s*\(|" + UNSUPPORTED_WORD.pattern)


@dataclass
class Options:
    include_folders: list = field(default_factory=list)  # -I
    quote_folders: list = field(default_factory=list)  # -iquote
    copies: str | None = None  # the folder for rewritten copies of headers; without it headers are left alone
    checked: bool = False  # for the checked build


@dataclass
class Source:
    """A file of the user, and what becomes of it."""

    path: str  # as the compiler is to name it
    text: str
    edits: list
    frozen: dict
    includes: list  # (start, end of the name with its quotes, resolved path, quoted?)
    suspicions: list = field(default_factory=list)  # see checks.py
    marks: list = field(default_factory=list)
    copy: str | None = None  # where the rewritten text goes
    changed: bool = False


class Project:
    """A .cu file and the headers of the user that it includes."""

    def __init__(self, options):
        self.options = options
        self.context = Context()
        self.sources = {}  # real path -> Source
        here = os.path.dirname(os.path.abspath(__file__))
        self.own_headers = os.path.join(here, "include")

    def add(self, path, text=None):
        """Reads a file and, before it, what it includes. Returns its Source."""
        key = os.path.realpath(path)
        if key in self.sources:
            return self.sources[key]
        if text is None:
            with open(path, encoding="latin-1", newline="") as file:
                text = file.read()
        text = text.removeprefix("\xef\xbb\xbf")  # the byte order mark of UTF-8, read as Latin-1
        source = self.sources[key] = Source(path, text, [], {}, [])
        try:
            self._analyse(source)
        except PositionError as error:
            raise self._located(source, error) from None
        return source

    @staticmethod
    def _located(source, error):
        return RewriteError(source.path, *Place(source.text)(error.position), from_text(error.message))

    def _analyse(self, source):
        text = source.text
        includes = [match for match in INCLUDE.finditer(text)]
        for match in includes:
            found = self.resolve(source.path, match) if self.options.copies is not None else None
            if found is not None:
                self.add(found)
                source.includes.append((match.start(1), match.end(), found, match[1] == '"'))
        unsupported = [m for m in includes if self._unsupported_header(m[2]) and
                       not any(start == m.start(1) for start, *_ in source.includes)]
        words = self.context.words()
        if not (unsupported or WORTH_READING.search(text) or any(word in text for word in words)):
            return
        certain = source is next(iter(self.sources.values()))
        passes = Passes(text, self.context, certain, self.options.checked)
        directives = {d.start: d for d in passes.directives if d.name == "include" and not d.skipped}
        by_start = {m.end(): m for m in unsupported}
        for directive in directives.values():
            match = next((m for end, m in by_start.items() if directive.start < end <= directive.end), None)
            if match:
                message = f"not supported: <{match[2]}> ({self._unsupported_header(match[2])})"
                if certain and not directive.conditional:
                    raise PositionError(match.start(1), message)
                passes.edits.append(Edit(directive.start, directive.end, [f'#pragma GCC error "{message}"']))
        source.includes = [each for each in source.includes
                           if any(d.start < each[0] < d.end for d in directives.values())]
        source.edits, source.frozen = passes.run(), passes.frozen()
        from checks import Checks  # which is made of what is above

        checks = Checks(passes, alone=not source.includes)
        checks.run()
        source.suspicions, source.marks = checks.suspicions, checks.marks

    def _unsupported_header(self, name):
        if os.path.exists(os.path.join(self.own_headers, name)):
            return None
        return next((what for pattern, what in UNSUPPORTED_HEADERS if re.fullmatch(pattern, name)), None)

    def resolve(self, includer, include):
        """The file that a match of INCLUDE means, if it is one of the user's."""
        quoted, name = include[1] == '"', from_text(include[2])
        folders = ([os.path.dirname(includer)] + self.options.quote_folders) if quoted else []
        for folder in folders + self.options.include_folders:
            path = os.path.join(folder, name)
            if os.path.isfile(path):
                own = os.path.realpath(path).startswith(os.path.realpath(self.own_headers) + os.sep)
                return None if own else path
        return None

    def finish(self):
        """Decides which headers need a copy: those with edits, and those that include one that needs a copy."""
        for source in self.sources.values():
            source.changed = bool(source.edits)
        again = True
        while again:
            again = False
            for source in self.sources.values():
                if not source.changed and any(self._target(each).changed for each in source.includes):
                    source.changed = again = True
        if self.options.copies is not None:
            for number, source in enumerate(self.sources.values()):
                name = f"{number}_{os.path.basename(source.path)[-60:]}"
                source.copy = os.path.join(os.path.abspath(self.options.copies), name) if source.changed else None

    def _target(self, include):
        return self.sources[os.path.realpath(include[2])]

    def render(self, source, is_copy=True, marked=False):
        """Returns the Renderer of a file and its new text; `marked`: with marks on what is suspected (checks.py)."""
        edits = source.edits + (source.marks if marked else [])
        for include in source.includes:
            start, end, path, quoted = include
            target = self._target(include)
            new = target.copy if target.changed else os.path.abspath(path) if is_copy and quoted else None
            if new:
                edits.append(Edit(start, end, [f"<{as_text(new)}>" if '"' in new else f'"{as_text(new)}"']))
        frozen = source.frozen or {"directive": [(start, end) for start, end, *_ in source.includes]}
        try:
            renderer = Renderer(source.text, source.path, edits, frozen)
            return renderer, renderer.render() if edits else source.text
        except PositionError as error:
            raise self._located(source, error) from None


def rewrite(text, path, options=None):
    """Returns the C++ of the CUDA C++ in `text`, a file that is called `path`. Copies of headers are not written."""
    project = Project(options or Options())
    source = project.add(path, text)
    project.finish()
    return project.render(source, is_copy=False)[1]


def included(paths, options):
    """The real paths of the user's files that files include, and of what those include."""
    project, found, unread = Project(options), set(), list(paths)
    while unread:
        path = unread.pop()
        with open(path, encoding="latin-1", newline="") as file:
            names = [project.resolve(path, match) for match in INCLUDE.finditer(file.read())]
        for name in filter(None, names):
            if (real := os.path.realpath(name)) not in found:
                found.add(real)
                unread.append(name)
    return found


def rewrite_file(path, output, options, confirm=None):
    """Rewrites a file and the headers it needs. Returns {written file: the original}, {} if nothing is to be done. A pipe
    is always rewritten, since it can be read only once.

    `confirm(source, text)` is called if mistakes are suspected, with a text in which what is suspected is marked."""
    project = Project(options)
    main = project.add(path)
    project.finish()
    main.changed = main.changed or not os.path.isfile(path)
    texts = {output: (main.path, project.render(main, is_copy=False)[1])}
    for source in project.sources.values():
        if source.changed and source is not main:
            texts[source.copy] = (source.path, project.render(source)[1])
    for name, (_, text) in texts.items() if main.changed else ():
        os.makedirs(os.path.dirname(os.path.abspath(name)), exist_ok=True)
        with open(name, "w", encoding="latin-1", newline="") as file:
            file.write(text)
    if main.suspicions and confirm:
        confirm(main, project.render(main, is_copy=False, marked=True)[1])
    return {name: original for name, (original, _) in texts.items()} if main.changed else {}


def main():
    parser = argparse.ArgumentParser(description="Shows the C++ that the emulator makes of a CUDA file.")
    parser.add_argument("file")
    parser.add_argument("-I", dest="folders", action="append", default=[], metavar="DIR", help="look for headers here")
    parser.add_argument("-o", dest="output", help="write here, and copies of headers to OUTPUT.headers/")
    arguments = parser.parse_args()
    if arguments.output and os.path.realpath(arguments.output) == os.path.realpath(arguments.file):
        parser.error("the output would overwrite the file")
    options = Options(arguments.folders, copies=arguments.output and arguments.output + ".headers")
    try:
        if arguments.output:
            if not rewrite_file(arguments.file, arguments.output, options):
                print(f"{arguments.file}: nothing to rewrite")
        else:
            with open(arguments.file, encoding="latin-1", newline="") as file:
                sys.stdout.buffer.write(rewrite(file.read(), arguments.file, options).encode("latin-1"))
                sys.stdout.flush()
    except (RewriteError, OSError) as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()

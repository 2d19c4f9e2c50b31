"""Answers that must fail whatever the exercise is, made from the solution's own signatures. Some of them try the exercise's
checker, the others the judge, which is the same for all exercises of a kind."""

import re
from collections.abc import Iterator

# A function that the checker calls: void add(const float* a, const float* b, float* c, int n) {
DEFINED = re.compile(r"^(?!static|__device__|namespace|struct|//)[\w:&*<> ]+?\b(\w+)\(([^()]*)\)\s*\{", re.MULTILINE)
KERNEL = re.compile(r"__global__\s+void\s+(\w+)\(([^()]*)\)\s*\{")
LAUNCH = re.compile(r"\w+<<<[^;]*;")


def answers(solution: str, signatures: str) -> Iterator[tuple[str, str, str]]:
    """A name, the text, and a word of the message that it deserves; '' for any. `signatures`: the text of check.cpp."""
    if KERNEL.search(solution):
        yield "an empty kernel", _with_bodies(solution, KERNEL, ""), ""
        yield "nothing is launched", LAUNCH.sub(";", solution), ""
    else:
        yield "an empty function", with_first_statement(solution, signatures, "return {};"), ""
    if copied := _copied(solution):
        yield "an output copied from the input", copied, ""


def answers_for_judge(solution: str, signatures: str) -> Iterator[tuple[str, str, str]]:
    """The same, of answers that do not come to their end."""
    for name, statement, says in (
        ("a hang on the host", "for (volatile int i = 0;; i = i + 1) {}", "did not end"),
        ("a crash", "*static_cast<volatile int*>(nullptr) = 0;", ""),
        ("a printed 'passed' and exit(0)", 'std::puts("All tests passed"); std::exit(0);', "before the checker was through"),
    ):
        yield name, with_first_statement(solution, signatures, statement), says
    if KERNEL.search(solution):
        yield "a hang in the kernel", _with_bodies(solution, KERNEL, " for (volatile int i = 0;; i = i + 1) {} "), ""


def called(solution: str, signatures: str) -> str:
    """The first function that the checker declares and the solution defines."""
    return next((match[1] for match in _called(solution, signatures)), "")


def _called(solution: str, signatures: str) -> Iterator[re.Match[str]]:
    for match in DEFINED.finditer(solution):
        if re.search(rf"^[\w:*& <>]+\b{match[1]}\([^)]*\);", signatures, re.MULTILINE):
            yield match


def with_first_statement(solution: str, signatures: str, statement: str) -> str:
    """The solution, in which the function that the checker calls begins with a statement."""
    match = next(_called(solution, signatures))
    includes = "#include <cstdio>\n#include <cstdlib>\n"
    return includes + solution[: match.end()] + " " + statement + solution[match.end() :]


# Right, and its kernels keep to all limits, since they are the solution's. But what is given goes to the host, and the result
# comes from there, as if it had been computed there.
DECOY = """
#include <vector>

namespace decoy {

__global__ void do_nothing() {}

inline bool is_on_device(const void* pointer) {
    cudaPointerAttributes attributes{};
    return cudaPointerGetAttributes(&attributes, pointer) == cudaSuccess && attributes.type == cudaMemoryTypeDevice;
}

inline std::vector<char> to_host(const void* pointer) {
    const char* const begin = static_cast<const char*>(pointer);
    std::size_t bytes = 0;  // up to the end of the array
    for (std::size_t step = 1 << 20; step > 0; step /= 2)
        while (is_on_device(begin + bytes + step - 1)) bytes += step;
    std::vector<char> values(bytes);
    cudaMemcpy(values.data(), pointer, bytes, cudaMemcpyDeviceToHost);
    return values;
}

inline void to_host_and_back(void* pointer) {
    if (!is_on_device(pointer)) return;
    const std::vector<char> values = to_host(pointer);
    cudaMemcpy(pointer, values.data(), values.size(), cudaMemcpyHostToDevice);
}

}  // namespace decoy
"""


def on_the_host(solution: str, signatures: str) -> str:
    """The decoy; '' where the result is asked for in host memory, so that it has to come there."""
    match = next((match for match in _called(solution, signatures) if "*" in match[2]), None)
    if match is None or "require_from_kernels(" in signatures:
        return ""
    name = match[1]
    start = match[0].index(f"{name}(") + match.start()
    renamed = f"{solution[:start]}{name}_on_device{solution[start + len(name) :]}"
    given: list[str] = []
    asked_for: list[str] = []
    names: list[str] = []
    for parameter in match[2].split(","):
        names.append(re.findall(r"\w+", parameter)[-1])
        if "*" in parameter:
            (given if "const" in parameter else asked_for).append(names[-1])
    statements = [f"if (decoy::is_on_device({pointer})) decoy::to_host({pointer});" for pointer in given]
    statements.append("decoy::do_nothing<<<1, 1>>>();")
    result = "" if match[0].startswith("void ") else "const auto result = "
    statements.append(f"{result}{name}_on_device({', '.join(names)});")
    statements += [f"decoy::to_host_and_back({pointer});" for pointer in asked_for]
    statements += ["return result;"] if result else []
    head = solution[match.start() : match.end()]
    return renamed + DECOY + f"\n{head}\n    " + "\n    ".join(statements) + "\n}\n"


def _with_bodies(text: str, pattern: re.Pattern[str], body: str) -> str:
    """The text with another body of each function that the pattern finds."""
    out, at = "", 0
    for match in pattern.finditer(text):
        if match.start() < at:
            continue
        end = _end_of_block(text, match.end())
        out += text[at : match.end()] + body + "}"
        at = end
    return out + text[at:]


def _end_of_block(text: str, at: int) -> int:
    """Behind the brace that closes the block whose first character stands at `at`."""
    depth = 1
    while depth and at < len(text):
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        at += 1
    return at


def _copied(solution: str) -> str:
    """Each kernel that has an input and an output of one type copies the one to the other, element by element."""
    match = KERNEL.search(solution)
    if not match:
        return ""
    inputs = re.findall(r"const ([\w ]+?)\* ?(?:__restrict__ )?(\w+)", match[2])
    outputs = re.findall(r"(?:^|, )(?!const)([\w:]+(?: [\w:]+)*)\* ?(?:__restrict__ )?(\w+)", match[2])
    for out_type, output in outputs:
        for in_type, given in inputs:
            body = f" {output}[blockIdx.x * blockDim.x + threadIdx.x] = {given}[blockIdx.x * blockDim.x + threadIdx.x]; "
            if in_type.split("::")[-1] == out_type.split("::")[-1] or "float" not in (in_type, out_type):
                return solution[: match.end()] + body + "}" + solution[_end_of_block(solution, match.end()) :]
    return ""

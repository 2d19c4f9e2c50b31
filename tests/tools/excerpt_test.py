"""Finding definitions in sources that make it hard. Those that lessons show are compared with their sources by ./lab docs --check."""

import unittest

import support  # noqa: F401  (makes tools/ importable)
from lessons import excerpt

SOURCE = r"""
// scan_warp is explained here: scan_warp() { }
#include "scan.h"
#define BRACE {  \
    {
/* scan_warp(int) { */
namespace scan {
namespace {

constexpr int tile = 256;  // values per block
constexpr unsigned big = 1'000'000, other = 2;
using Launch = void(const float* a, std::size_t n);

__device__ int scan_warp(int sum, int lane);  // declared first

struct alignas(16) Pair : Base {
    int first{1}, second = 2;

    Pair() : first{3}, second{4} { reset("}"); }
    explicit Pair(int x) noexcept : first(x) {}

    /// The sum.
    __device__ int sum() const {
        return first + second;
    }
};

enum class Colour : char { red, green };

int caller(int x) {
    scan_warp(x, 1);
    if (x) { scan_warp(x, 2); }
    return decltype(x){3};
}

// Why it is here.
template <typename T, int N = (3 > 2)>
    requires(sizeof(T) == 4)
[[nodiscard]] __device__ T scan_warp(
    T sum,
    int lane = int{0}) {
    const char* text = "} not the end {";  // nor here }
    const char mark = '}', quote = '\'';
    const auto raw = R"x(} " )x";
    for (int d = 1; d < 1'024; d *= 2) { sum += '{'; }
    return sum;
}

template <int block>
__global__ void __launch_bounds__(block, 2) scan_tiles(const float* in, float* out) {
    scan_warp(1, 2);
}

std::function<void(int)> make_function() { return {}; }

struct Pair make_pair() { return {}; }

}  // namespace

inline constexpr Stage<Launch> stages[] = {
    {"2_a", "one", a},
    {"3_b", "two", b},
};

extern "C" {
void exported(void) { k<<<1, 2>>>(); }
}

void Class::member() const { f(); }

Timer::Timer() : begin{1}, end{2} { start(); }

}  // namespace scan
"""


class Definition(unittest.TestCase):
    def test_from_its_first_line_to_its_last(self) -> None:
        for name, first, last in (
            ("scan_warp", "template <typename T, int N = (3 > 2)>", "    return sum;\n}"),  # not its declaration, nor a call
            ("Pair", "struct alignas(16) Pair", "    }\n};"),
            ("stages", "inline constexpr Stage<Launch> stages[]", "\n};"),
            ("caller", "int caller(int x) {", "{3};\n}"),
        ):
            with self.subTest(name):
                begin = SOURCE.index(first)
                end = SOURCE.index(last, begin) + len(last)
                self.assertEqual(excerpt.definition(SOURCE, name), SOURCE[begin:end])

    def test_in_one_line(self) -> None:
        for name, line in (
            ("Colour", "enum class Colour : char { red, green };"),
            ("tile", "constexpr int tile = 256;"),
            ("Launch", "using Launch = void(const float* a, std::size_t n);"),
            ("make_function", "std::function<void(int)> make_function() { return {}; }"),
            ("make_pair", "struct Pair make_pair() { return {}; }"),
            ("exported", "void exported(void) { k<<<1, 2>>>(); }"),
            ("member", "void Class::member() const { f(); }"),
            ("Class::member", "void Class::member() const { f(); }"),
            ("Timer::Timer", "Timer::Timer() : begin{1}, end{2} { start(); }"),
        ):
            self.assertEqual(excerpt.definition(SOURCE, name), line)

    def test_what_is_not_defined_is_not_found(self) -> None:
        for name in ("absent", "reset", "k", "a", "warp", "scan", "BRACE"):
            self.assertIsNone(excerpt.definition(SOURCE, name), name)


class LinesBetween(unittest.TestCase):
    def test_a_missing_text(self) -> None:
        self.assertIsNone(excerpt.lines_between(SOURCE, "absent", "x"))
        self.assertIsNone(excerpt.lines_between(SOURCE, "int caller", "absent"))

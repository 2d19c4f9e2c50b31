"""Tests of emulator/rewriter/checks/: what nvcc 13.0 refuses must be refused here, at the place of the mistake, and what it
accepts must not. programs/not_mistakes.cu has more of the latter.

    python3 emulator/tests/mistakes_test.py
"""

import os
import re
import shutil
import subprocess
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor

HERE = os.path.dirname(os.path.abspath(__file__))
EMULATOR = os.path.dirname(HERE)
NVCC = os.path.join(EMULATOR, "nvcc_cpu")
COMPILERS = [name for name in ("g++", "clang++") if shutil.which(name)]

# @ stands before the place that the message has to name. Each text is a file of its own.
MISTAKES = {
    "must have a void return type": [
        "@__global__ int k() { return 1; }",
        "@__global__ unsigned long k();",
        "@__global__ void* k() { return nullptr; }",
        "static @__global__ auto k() -> int { return 1; }",
        "[[maybe_unused]] @__global__ __launch_bounds__(32) float k(int x) { return x; }",
        "namespace a { inline bool @__global__ k(int x) { return x; } }",
    ],
    "must not have a deduced return type": ["@__global__ auto k() {}"],
    "cannot be a member of a class": [
        "struct S { @__global__ void k() {} };",
        "class S { public: static @__global__ void k(); };",
        "struct S { template <class T> @__global__ void k(T) {} };",
        "struct S { friend @__global__ void k(S) {} };",
    ],
    "operator function": ["struct S {}; __global__ void @operator+(S, S) {}"],
    "illegal combination": ["@__host__ __global__ void k() {}", "@__global__ __device__ void k() {}"],
    "rvalue reference": ["__global__ void k(int n, const float@&& x) {}"],
    "ellipsis": ["__global__ void k(int n, @...) {}"],
    "must be configured: k<<<grid, block>>>(...)": [
        "__global__ void k(int) {}\nint main() {\n    @k(0);\n}",
        "template <class T> __global__ void k(T) {}\nvoid f() { int x = 3; @k<int>(x); }",
        "__global__ void k(int) {}\n__global__ void j(int x) {\n\tif (x > 0) @k(x - 1);\n}",
        "__global__ void k(int*) {}\n#define TWICE(x) x; x\nint main() { TWICE(@k(nullptr)); }",
        "__global__ void k(const char*) {}\nint main() { k<<<1, 1>>>(\"\xc3\xa4\xc3\xb6\"); @k(\"\xc3\xa4\xc3\xb6\"); }",
        "void k(double) {}\n__global__ void k(int) {}\nint main() { k(0.5); @k(5); }",
    ],
    '"f" is no kernel': [
        "void f() {}\nint main() { @f<<<1, 1>>>(); }",
        "__device__ void f(int) {}\nint main() { @f<<<dim3(1), 1>>>(7); }",
        "namespace n { void f() {} }\nint main() { n::@f<<<1, 1>>>(); }",
    ],
    'calling a __device__ function ("f") from a host function': [
        "__device__ int f() { return 1; }\nint main() { return @f(); }",
        "#include <cstdio>\n__device__ float f(float x) { return x; }\nint main() { std::printf(\"%g\\n\", @f(2)); }",
        "template <class T> __device__ T f(T x) { return x; }\nstatic unsigned g() { return 1 + @f<int>(1); }",
        "__device__ int f(int);\nstruct P { int x; };\nP* g(P* p) { p->x = @f(1); return p; }\n"
        "__device__ int f(int x) { return x; }",
    ],
    'calling a __device__ function ("__syncthreads") from a host function': [
        "int main() { @__syncthreads(); }"],
    'calling a __device__ function ("atomicAdd") from a host function': [
        "__global__ void k() {}\nint main() { int x = 0; return @atomicAdd(&x, 1); }"],
    'calling a host function ("f") from device code': [
        "int f() { return 1; }\n__global__ void k(int* p) { *p = @f(); }",
        "[[nodiscard]] static float f(float x) { return x; }\n__device__ float g(float x) { return 2 * @f(x); }",
        "namespace { int* f(int* p) { return p; } }\n__global__ void k(int* p) { auto g = [=] { @f(p); }; g(); }",
    ],
    'calling a host function ("g") from device code': [
        "template <class T> T g(T x) { return x; }\n__global__ void k(int* p) { *p = @g(3); }",
        "int g(int x) { return x; }\n__global__ void k(int* p) { int (*f)(int) = @g; *p = f(1); }",
        "struct S { int n; int g() const { return n; } };\n__global__ void k(S s, int* p) { *p = s.@g(); }",
        "struct B { const int& g(); int n; };\nstruct S : B {};\nstruct D { __device__ int g() { return 1; } };\n"
        "__global__ void k(S* s, D d, int* p) { *p = d.g() + s->@g(); }",
        "template <class T> class S { public: static T g(T x) { return x; } };\n__global__ void k(int* p) { *p = S<int>::@g(3); }",
        "struct S { virtual int g() { return 1; } __device__ int h() { return @g(); } };",
    ],
    'calling a host function ("S") from device code': [
        "struct S { int n; S(int x) : n(x) {} __device__ S() : n(0) {} };\n__global__ void k(int* p) { S a; @S b(3); *p = a.n + b.n; }",
        "class S { int n{3}; public: explicit S(float); };\n__device__ void f() { auto s = @S(3); }",
    ],
    'calling a host function ("operator+") from device code': [
        "struct V { float x; };\nV operator+(V a, V b) { return {a.x + b.x}; }\n__global__ void k(V* v) { v[0] = v[1] @+ v[2]; }",
    ],
    'calling a host function ("operator[]") from device code': [
        "struct V { float* p; float& operator[](int i) { return p[i]; } };\n__global__ void k(V v) { v@[threadIdx.x] = 1; }",
    ],
    'calling a host function ("std::max") from device code': [
        "#include <algorithm>\n__global__ void k(int* p) { *p = @std::max(p[0], p[1]); }",
        "#include <algorithm>\n__global__ void k(int* p) { __shared__ int s[::@std::max<int>(2, 3)]; s[0] = 1; *p = s[0]; }",
    ],
    'calling a host function ("std::sort") from device code': [
        "#include <algorithm>\n__device__ void f(int* p) { @std::sort(p, p + 8); }",
    ],
    "std::vector is the host's": [
        "#include <vector>\n__global__ void k(int* p, int n) { @std::vector<int> v(n); *p = v[0]; }",
        "#include <utility>\n#include <vector>\n__device__ void f() { for (;;) { const @std::vector<std::pair<int, int>> v; } }",
    ],
    "std::string is the host's": ["#include <string>\n__global__ void k(char* p) { @std::string s = p; *p = s[0]; }"],
    'calling a host function ("rand") from device code': [
        "#include <cstdlib>\n__global__ void k(int* p) { *p = @rand() % 7; }"],
    'calling a host function ("fesetround") from device code': [
        "#include <cfenv>\nint host() { return fesetround(FE_UPWARD); }\n__global__ void k() { @fesetround(FE_UPWARD); }"],
    'calling a host function ("cudaDeviceSynchronize") from device code': [
        "__global__ void k(int* p) { *p = 1; @cudaDeviceSynchronize(); }\nint main() { cudaDeviceSynchronize(); }"],
    'calling a host function ("cudaMemcpy") from device code': [
        "__global__ void k(int* p) { @cudaMemcpy(p, p + 1, sizeof(int), cudaMemcpyDeviceToDevice); }"],
    'calling a host function ("cudaEventElapsedTime") from device code': [
        "__device__ void f(float* p, cudaEvent_t e) { @cudaEventElapsedTime(p, e, e); }"],
    'calling a host function ("cudaMemset") from device code': [
        "__device__ void f(int* p) { @cudaMemset(p, 0, sizeof(int)); }\n__global__ void k(int* p) { f(p); }"],
    'calling a host function ("exit") from device code': [
        "#include <cstdlib>\nvoid end() { exit(0); }\nnamespace n { __device__ void k() { @exit(1); } }"],
    'identifier "table" is undefined in device code': [
        "int table[4];\n__global__ void k(int* p) { *p = @table[1]; }",
        "const float table[] = {1, 2};\n__device__ float f(int i) { return @table[i]; }",
        "static double table = 3;\n__global__ void k(double* p) {\n    *p =\n        @table;\n}",
        "#include <vector>\nstd::vector<int> table;\n__global__ void k(int* p) { *p = @table[1]; }",
        "namespace { unsigned long long table{}; }\n__global__ void k(int table, int* p) { *p = table; }\n"
        "__global__ void j(int* p) { *p = (int)@table; }",
        "constexpr int table[] = {1, 2};\n__global__ void k(int* p, int i) { for (; i > 0; --i) p[0] += 2 * (@table[i] + 1); }",
    ],
    # A constant has a value in device code, and no address.
    'identifier "limit" is undefined in device code': [
        "constexpr int limit = 5;\n__device__ int least(const int& a, const int& b) { return a < b ? a : b; }\n"
        "__global__ void k(int* p) { *p = least(*p, @limit); }",
        "const float limit = 5;\ntemplate <class T> __device__ T least(T a, const T& b) { return a < b ? a : b; }\n"
        "__global__ void k(float* p) { *p = least(*p, @limit) * limit; }",
        "namespace { constexpr unsigned long limit = 5; }\n__global__ void k(long* p) { const auto& most = @limit; *p = most; }",
        "static constexpr int limit = 5;\n__global__ void k(const int** p) { *p = &@limit; }",
        "#include <algorithm>  // --expt-relaxed-constexpr\nconstexpr int limit = 5;\n__global__ void k(int* p) { int x = p[1]; x = std::max(x, @limit); *p = x; }",
        "struct S { int x; };\nconstexpr S limit{5};\n__device__ int f(int, const S& s) { return s.x; }\n"
        "__device__ int g() { const int x = f(1, @limit); return limit.x + x; }",
    ],
    "is built in and cannot be changed": [
        "__global__ void k() { @threadIdx.x = 1; }",
        "__device__ void f() { if (true) @blockDim.y += 2; }",
        "__global__ void k() { @threadIdx.z++; }",
        "__global__ void k() { ++@blockIdx.x; }",
        "__global__ void k(uint3 i) { @threadIdx = i; }",
    ],
    "std::cout is the host's": ["#include <iostream>\n__global__ void k() { @std::cout << 1; }"],
    "does not support exception handling": [
        "__global__ void k(int x) { if (x) @throw x; }",
        "__device__ void f() { @try { } catch (...) { } }",
    ],
    "'typeid' is not allowed": ["#include <typeinfo>\n__device__ bool f(int x) { return @typeid(x) == typeid(int); }"],
    "'dynamic_cast' is not allowed": [
        "struct A { virtual void f(); };\nstruct B : A {};\n__device__ B* f(A* a) { return @dynamic_cast<B*>(a); }"],
    "cannot use thread_local": ["__global__ void k() { @thread_local int x; x = 1; }"],
    "not allowed inside a host function": [
        "int main() { @__shared__ int s[4]; s[0] = 1; }",
        "__host__ __device__ int f() { @__shared__ int s; return s; }",
    ],
    "cannot capture variables by reference": [
        "int main() { int x = 1; auto f = @[&] __device__() { return x; }; (void)f; }",
        "int main() { int x = 1; auto f = @[=, &x] __host__ __device__(int i) { return x + i; }; (void)f; }",
        "#define HD __host__ __device__\nstruct S { int go(int x) { auto f = @[x, &y = x] HD(int i) { return i; }; return x; } };",
        "template <class T> void g(T* p) { auto f = [&] { return @[&] __device__(int i) { p[i] = 1; }; }; f(); }",
    ],
    'incompatible with previous "s"': [
        "__global__ void k() { extern __shared__ int s[]; s[0] = 1; }\n"
        "__global__ void j() { extern __shared__ float @s[]; s[0] = 1; }"],
    "(conflicting declaration|redeclaration of) .*all_instances_share_s": [
        "template <class T> __global__ void k(T* p) { extern @__shared__ T s[]; s[0] = *p; }\n"
        "int main() { k<<<1, 1>>>((int*)0); k<<<1, 1>>>((float*)0); }",
        "__global__ void k() { extern __shared__ float4 s[]; s[0].x = 1; }\n"
        "__global__ void j() { extern @__shared__ volatile float4 s[]; s[0].x = 1; }",
    ],
    "variable length array": ["__global__ void k(int n) { int @s[n]; s[0] = 1; }"],
    "no matching function for call to": ["__global__ void k() {}\nint main() { k<<<@1, 1, 0, 0, 0>>>(); }"],
}

# What looks like one of them: nvcc accepts each of these.
FINE = [
    "template <class T> __global__ T k() {}\nint main() { k<void><<<1, 1>>>(); }",
    "#ifdef ON_DEVICE\n__global__\n#else\n__host__ __device__\n#endif\nvoid k() {}\n",
    "#ifdef __CUDACC__\n#define KERNEL __global__\n#else\n#define KERNEL\n#endif\nKERNEL void k() {}\n"
    "int main() {\n#ifdef __CUDACC__\n    k<<<1, 1>>>();\n#else\n    k();\n#endif\n}",
    "__global__ void k() {}\nint main() { k<<<1>>>(); }",
    "__global__ void k(int x) {}\nint main() { auto k = [](int) {}; k(1); }",
    "__host__ __device__ int f(int x) { return x; }\n__device__ int f(float x) { return 1; }\nint main() { return f(1); }",
    "__global__ void f(int*) {}\n__host__ __device__ int f(int x) { return x; }\nint main() { return f(3); }",
    "int f(float) { return 1; }\n__device__ int f(int x) { return x; }\n__global__ void k(int* p) { *p = f(1); }",
    "__device__ int f(int x) { return x; }\nstruct S { int f(int x) { return x; } int g() { return f(1); } };\n"
    "int main() { S s; int f = s.g(); return s.f(f) + sizeof(decltype(::f(1))); }",
    "int n = 3;\nstruct S { int n; };\n__device__ int f(S s) { return s.n + sizeof(n); }",
    "int n;\n__global__ void k(int* p) { int n = 2; for (int i = 0; i < n; ++i) p[i] = n; }",
    "#define HOST_TOO __host__ __device__\nHOST_TOO int f() { return 1; }\n"
    "__global__ void k(int* p) { *p = f(); }\nint main() { return f(); }",
    "static int atomicAdd(int* p, double x) { return *p += (int)x; }\nint main() { int x = 0; return atomicAdd(&x, 2.0); }",
    "__global__ void k() { extern __shared__ unsigned s[]; s[0] = 1; }\n"
    "__global__ void j() { extern __shared__ unsigned int s[]; s[0] = 1; }",
    "template <class T> __global__ void k() { extern __shared__ char s[]; ((T*)s)[0] = 1; extern __shared__ T t[]; *t = 0; }\n"
    "namespace n { struct V { char x; }; __global__ void j() { extern __shared__ V s[]; s[0].x = 1; } }\n"
    "int main() { k<int><<<1, 1, 4>>>(); k<int><<<1, 1, 4>>>(); }",
    "constexpr int limit = 5, table[] = {1, 2}; const int more = 6;\ntemplate <int n> __device__ int same() { return n; }\n"
    "__host__ __device__ constexpr int next(const int& x) { return x + 1; }\n__device__ int f(const int& x) { return x; }\n"
    "__device__ int g(const long& x) { return x; }\nstatic __device__ int unused() { return f(limit); }\n"
    "__global__ void k(int* p) { *p = same<table[1]>() + same<1 + table[0]>() + next(limit) + next(table[1]) + f(+limit); }\n"
    "__global__ void j(int* p) { const int a = table[1]; const int b{table[0]}; const long& r = limit; *p = a + b + r + g(limit); }\n"
    "__global__ void l(int* p) { int a[next(limit)] = {}; enum { e = next(limit) }; static_assert(table[1] == 2); *p = a[0] + e; }\n"
    "__global__ void m(int* p) { if constexpr (limit < 0) *p = f(limit); *p = limit < 0 ? f(limit) : max(*p, limit) & more; }\n"
    "__global__ void n(int* p, int limit) { const int& r = limit; *p = f(limit) + r + f(more + 1); }",
    "__device__ int rand(int x) { return x; }\n__global__ void k(int* p) { *p = rand(3); }",
    "struct V {\n    float x;\n    V() {}\n    __host__ __device__ explicit V(float a) : x(a) {}\n    float size() const { return x; }\n"
    "    V operator-() const { return V(-x); }\n    __host__ __device__ V operator+(V o) const { return V(x + o.x); }\n"
    "    static V zero() { return V(0); }\n    void grow();\n};\n__device__ void V::grow() { x += 1; }\n"
    "struct D { int n; __device__ int size() const { return n; } V operator*(V v) { return v; } };\n"
    "template <class T> struct Box { T v; Box(T a) : v(a) {} T get() const { return v; } __device__ T value() { return v; } };\n"
    "template <class T> T g(T x) { return x; }\nint sum(int x) { return x; }\n"
    "__global__ void k(int* p, V v, D d, Box<int> b) {\n    int sum = d.size() - 1, *q = &sum;\n    v.grow();\n    V w = v + V(1);\n"
    "    *p = sum * *q + w.x + b.value() + sizeof(g(2)) + sizeof(decltype(w.size()));\n}\n"
    "int main() { V v = -V::zero(); Box<int> b(sum(1)); k<<<1, 1>>>(nullptr, v, D{}, b); return b.get(); }",
    "#include <vector>\n__global__ void k(int* p) { std::vector<int>* v = nullptr; *p = v == nullptr; }\n"
    "int main() { std::vector<int> v(3); k<<<1, 1>>>(nullptr); return v[0]; }",
    "#include <algorithm>\n#include <cuda/std/utility>\n__global__ void k(int* p) { using T = decltype(std::max(1, 2)); *p = T(1); }\n"
    "template <class T> __host__ __device__ T larger(T a, T b) { return std::max(a, b); }\nint main() { return std::min(1, 2); }",
    "void f(uint3 threadIdx) { threadIdx.x = 1; }\n__device__ void g(dim3& blockDim) { blockDim.x = 1; }",
    "__host__ __device__ void f() {\n#ifdef __CUDA_ARCH__\n    __shared__ int s;\n    s = 1;\n#endif\n}",
    "int f(int n) { int a[n]; a[0] = n; return a[0]; }\n__global__ void k() {}",
    "__global__ void k(int* p) { int x = 1; auto f = [&] __device__(int i) { return x + i; }; *p = f(1); }\n"
    "template <class T> struct S { __device__ T f(T x) { auto g = [&x] __device__(T y) { return x + y; }; return g(x); } };",
    "int main() {\n    int x = 1, a[2] = {};\n    auto f = [=] __device__(int i) { auto g = [&](int j) { return i + j; }; return g(x); };\n"
    "    auto h = [p = &a[0], y = (x, &x)] __device__() {}; auto k = [&](int i) { return x + i; };\n    (void)f, (void)h; return k(-1);\n}",
]


class Mistakes(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)

    def compile(self, case):
        number, compiler, text = case
        path = os.path.join(self.folder, f"{number}_{compiler}.cu")
        with open(path, "w", encoding="latin-1") as file:
            file.write(text)
        result = subprocess.run([NVCC, "-ccbin", compiler, "-std=c++20", "-O0", "-c", os.path.basename(path), "-o", path + ".o",
                                 *re.findall("// (--expt-relaxed-constexpr)", text)],
                                capture_output=True, text=True, cwd=self.folder, timeout=900, check=False)
        return result.returncode, result.stderr

    def all_of(self, texts):
        """With g++, and every third with clang++ too."""
        cases = [(number, compiler, text) for number, text in enumerate(texts)
                 for compiler in (COMPILERS if number % 3 == 0 else COMPILERS[:1])]
        with ThreadPoolExecutor(2) as pool:
            return list(zip(cases, pool.map(self.compile, cases), strict=True))

    def test_mistakes(self):
        cases = [(message, text) for message, texts in MISTAKES.items() for text in texts]
        results = self.all_of([text.replace("@", "") for _, text in cases])
        for (number, compiler, _), (status, errors) in results:
            message, text = cases[number]
            with self.subTest(text=text, compiler=compiler):
                before = text[:text.index("@")]
                place = f"{before.count(chr(10)) + 1}:{len(before) - before.rfind(chr(10))}"
                first = next((line for line in errors.splitlines() if "error" in line), "")
                if message.startswith(("variable length", "no matching", "(conflicting")):  # the compiler's own words and columns
                    self.assertRegex(first, rf":{place.split(':')[0]}:\d+: error: ({message}|no matching constructor)")
                else:
                    self.assertEqual(errors.count("\n"), 1, errors)
                    self.assertIn(f".cu:{place}: error: ", first)
                    self.assertIn(message, first)
                self.assertEqual(status, 1)

    def test_what_is_none(self):
        for (_, compiler, text), (status, errors) in self.all_of(FINE):
            with self.subTest(text=text, compiler=compiler):
                self.assertEqual(status, 0, errors)

    def test_options_do_not_hide_them(self):
        path = os.path.join(self.folder, "a.cu")
        with open(path, "w", encoding="utf-8") as file:
            file.write("__device__ int f() { return 1; }\nint main() { return f(); }\n")
        for options in (["-w"], ["-Werror", "all-warnings"], ["-Xcompiler", "-Wno-deprecated-declarations"], ["-MMD"]):
            with self.subTest(options=options):
                result = subprocess.run([NVCC, *options, "-c", "a.cu"], capture_output=True, text=True, cwd=self.folder,
                                        check=False, env=os.environ | {"LC_ALL": "C"})
                self.assertEqual((result.returncode, sorted(os.listdir(self.folder))), (1, ["a.cu"]))
                self.assertRegex(result.stderr, r"^a\.cu:2:21: error: calling a __device__ function .*\n$")


if __name__ == "__main__":
    unittest.main()

"""Tests of emulator/rewriter/ and emulator/compile, against a small mock of the emulator's headers.

    python3 -m unittest discover -s emulator/tests -p '*_test.py'
"""

import itertools
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap
import unittest

EMULATOR = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, EMULATOR)
import rewriter  # noqa: E402
from rewriter.passes import ptx_forms  # noqa: E402

COMPILERS = [name for name in ("g++", "clang++") if shutil.which(name)]

# One block of one thread: enough to see that kernels run, with which launch, and what is shared.
MOCK = r"""
#pragma once
#include <cstdio>
#include <type_traits>
struct dim3 {
    unsigned x, y, z;
    constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
};
#define __global__
#define __device__
#define __host__
#define __launch_bounds__(...)
#define __align__(n) alignas(n)
#define __forceinline__ inline
#define EMULATOR_DEVICE_VARIABLE __attribute__((section("cuda_device")))
#define EMULATOR_CONSTANT_VARIABLE __attribute__((section("cuda_constant")))
#define EMULATOR_MANAGED_VARIABLE __attribute__((section("cuda_managed")))
#define EMULATOR_CONST_VARIABLE __attribute__((section("cuda_const")))
#define EMULATOR_INLINE_VARIABLE __attribute__((weak))
#define EMULATOR_KERNEL_BEGIN(max_threads) ::emulator::run_kernel(__PRETTY_FUNCTION__, max_threads, [=]() mutable {
#define EMULATOR_KERNEL_BEGIN_WITH_REFERENCES(max_threads, ...) \
    ::emulator::run_kernel(__PRETTY_FUNCTION__, max_threads, [=, __VA_ARGS__]() mutable {
#define EMULATOR_KERNEL_END });
namespace emulator {
struct Launch {
    inline static int pending = 0;
    inline static dim3 grid, block;
    inline static unsigned long bytes;
    Launch(dim3 g, dim3 b, unsigned long shared = 0, void* = nullptr) { grid = g, block = b, bytes = shared, ++pending; }
};
template <class F> void run_kernel(const char*, unsigned max_threads, F f) {
    if (Launch::pending-- < 1) std::puts("not launched");
    if (Launch::block.x * Launch::block.y * Launch::block.z > max_threads) std::puts("too many threads");
    else f();
}
template <class Site, class T, int alignment = 1> T& shared(const char*) {
    alignas(T) alignas(alignment > 16 ? alignment : 16) static unsigned char memory[sizeof(T)];
    return *reinterpret_cast<T*>(memory);
}
inline int volatile_stores, relaxed;
template <unsigned place, class T> std::remove_volatile_t<T>& lockstep(T& x) {
    volatile_stores += std::is_volatile_v<T>;
    return const_cast<std::remove_volatile_t<T>&>(x);
}
inline void relax() { ++relaxed; }
inline bool shows_places;
template <class... T> int print(unsigned place, const char* format, T... values) {
    if (shows_places) std::printf("#%u:", place);
    if constexpr (sizeof...(T) == 0) return std::fputs(format, stdout);
    else return std::printf(format, values...);
}
alignas(64) inline unsigned char dynamic_memory[4096];
template <class T> T& dynamic_shared(const char*) {
    return *reinterpret_cast<T*>(dynamic_memory);
}
}
"""


def rewrite(text, path="test.cu"):
    return rewriter.rewrite(textwrap.dedent(text), path)


class Folder(unittest.TestCase):
    """A test with a folder of its own that holds the mock header."""

    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        self.write("mock.h", MOCK)

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "w", encoding="latin-1", newline="") as file:
            file.write(text)
        return self.path(name)

    def read(self, name):
        with open(self.path(name), encoding="latin-1", newline="") as file:
            return file.read()

    def compile(self, compiler, text, *options):
        source = self.write("out.cpp", text)
        return subprocess.run([compiler, "-std=c++20", "-Wall", "-Wextra", "-Wno-unused", "-include", self.path("mock.h"),
                               source, *options], capture_output=True, text=True, cwd=self.folder, check=False)

    def run_program(self, text, expected, compiler=None):
        out = rewrite(text)
        compiled = self.compile(compiler or COMPILERS[0], out, "-o", self.path("program"))
        self.assertEqual((compiled.returncode, compiled.stderr), (0, ""))
        result = subprocess.run([self.path("program")], capture_output=True, text=True, check=True)
        self.assertEqual(result.stdout.split(), expected.split())


class Launches(Folder):
    KERNELS = r"""
    template <class... T> void show(const char* name, T... values) {
        auto& b = emulator::Launch::block;
        std::printf("%s:%u,%u:%lu", name, emulator::Launch::grid.x, b.x * b.y * b.z, emulator::Launch::bytes);
        ((std::printf(":%d", int(values))), ...);
        std::puts("");
    }
    __global__ void k(int x) { show("k", x); }
    __global__ void none() { show("none"); }
    namespace a::b { template <class T, int N = 1> __global__ void k(T x) { show("a::b::k", x, N, sizeof(T)); } }
    template <class T> __global__ void boxed(T x) { show("Box", x); }
    template <class T> struct Box { static constexpr void (*k)(T) = boxed<T>; using type = T; };
    struct Holder { void (*fn)(int); Holder* self() { return this; } };
    template <class T> constexpr int two(T) { return 2; }
    template <class T> struct Value { static constexpr int v = 3; };
    template <class T> constexpr int value = 4;
    """

    def check(self, body, expected):
        self.run_program(textwrap.dedent(self.KERNELS) + "int main() {\n" + textwrap.dedent(body) + "\n}\n", expected)

    def test_forms_of_the_callee(self):
        self.check(r"""
            Holder h{k}, *p = &h; void (*table[2])(int) = {k, k}; int i = 1;
            auto get = [](int) { return k; };
            k<<<1, 2>>>(3);
            ::k<<<1, 2>>>(4);
            a::b::k<int, (4 > 3)><<<1, 2>>>(5);
            ::a::b::k<short, 256 / (2 >> 1)><<<dim3(2, 3), dim3(4, 4)>>>(6);
            a::b::k<decltype(Box<Box<int>::type>::type())><<<1, 1>>>(7);
            Box<decltype(1)>::k<<<1, 1>>>(77);
            h.fn<<<1, 1>>>(8); p->self()->fn<<<1, 1>>>(9);
            (k)<<<1, 1>>>(10); (*table[0])<<<1, 1>>>(11); table[i]<<<1, 1>>>(12); get(3)<<<1, 1>>>(13);
            a::b::k <<<1, 1>>> (14);
            a::b::k // comment <<<
                <<< 1 /* >>> */, // ,
                    1
                >>>
                ( 15 );
            decltype(k)& r = k; r<<<1, 1>>>(16);
            static_cast<void (*)(int)>(k)<<<1, 1>>>(17); static_cast<void (*)(short)>(&a::b::k<short, 2>)<<<1, 1>>>(18);
            """, """
            k:1,2:0:3 k:1,2:0:4 a::b::k:1,2:0:5:1:4 a::b::k:2,16:0:6:256:2 a::b::k:1,1:0:7:1:4 Box:1,1:0:77
            k:1,1:0:8 k:1,1:0:9 k:1,1:0:10 k:1,1:0:11 k:1,1:0:12 k:1,1:0:13 a::b::k:1,1:0:14:1:4 a::b::k:1,1:0:15:1:4
            k:1,1:0:16 k:1,1:0:17 a::b::k:1,1:0:18:2:2""")

    def test_forms_of_the_configuration(self):
        self.check(r"""
            auto f = [](int a, int b) { return a + b; };
            k<<<f(1, 2), dim3{2, 2}, sizeof(int) * 4, nullptr>>>(1);
            k<<<1 << 2, 64 >> 3, (2 > 1) ? 8 : 9>>>(2);
            k<<<two<Value<Value<int>>>(Value<Value<int>>{}), 1>>>(3);
            k<<<1, value<int>>>>(4);
            k<<<1, Value<Value<int>>::v>>>(5);
            k<<<value<int>, value<int>, value<int> + value<int>>>>(9), (void)two<Value<Value<int>>>(Value<Value<int>>{});
            k<<<[] { return ">>>("[0] == '>' ? 2 : 0; }(), '\'' == '"' ? 1 : 5>>>(6);
            k<<<1, 1>>>([] { none<<<7, 1>>>(); return 7; }());
            k<<<R"(>>>(;)"[0] > 0, 1'000>>>(8);
            """, """k:3,4:16:1 k:4,8:8:2 k:2,1:0:3 k:1,4:0:4 k:1,3:0:5 k:4,4:8:9 k:2,5:0:6
            none:7,1:0 k:7,1:0:7 k:1,1000:0:8""")

    def test_launches_that_a_formatter_took_apart(self):
        self.check(r"""
            #define SPACED << <2, 2 >> >
            k << <1, 2 >> > (1);
            a::b::k<int, two(1)> << < dim3(3), (1 << 2) >> >(5), k<<<4>>1, 4>>2 >> >(6);
            k << <value<short>, Value<Value<int> >::v >> > (two(7));
            k SPACED (8);
            """, "k:1,2:0:1 a::b::k:3,4:0:5:2:4 k:2,1:0:6 k:4,3:0:2 k:2,2:0:8")
        text = "template <class T> struct A { friend std::ostream& operator<< <T>(std::ostream&, A); };\n"
        self.assertEqual(rewrite(text), text)

    def test_where_a_launch_may_stand(self):
        self.check(r"""
            bool yes = true;
            if (yes) k<<<1, 1>>>(1); else k<<<1, 1>>>(2);
            if (!yes) k<<<1, 1>>>(3); else k<<<1, 1>>>(4);
            if (yes) (k)<<<1, 1>>>(5);
            if (yes) ::k<<<1, 1>>>(6); else ::k<<<1, 1>>>(7);
            yes ? k<<<1, 1>>>(8) : none<<<1, 1>>>();
            for (int i = 0; i < 2; ++i) k<<<1, 1>>>(i);
            do k<<<1, 1>>>(9); while (!yes);
            auto f = [&] { return k<<<1, 1>>>(10); }; f();
            switch (1) { case 1: k<<<1, 1>>>(11); }
            k<<<1, 1>>>(12); k<<<1, 1>>>(13);
            label: k<<<1, 1>>>(14);
            """,
            " ".join(f"k:1,1:0:{i}" for i in (1, 4, 5, 6, 8, 0, 1, 9, 10, 11, 12, 13, 14)))

    def test_macros(self):
        self.check(r"""
            #define LAUNCH(kernel, n, ...) kernel<<<n, n>>>(__VA_ARGS__)
            #define CHECK(x) do { x; } while (0)
            #define LONG(n)            \
                do {                   \
                    k<<<n,             \
                        1>>>(n);       \
                    k<<<1, 1>>>(n + 1); \
                } while (0)
            #define NAMED(kind) a::b::kind##k<<<1, 1>>>(5)
            #define WITH(g, b) <<< g, b >>>
            #define ONE <<<1, 1>>>
            #define CALL(kernel, n) kernel<<<n, n>>>
            #define CALLED a::b::k<int, 5><<<1, 1>>>
            LAUNCH(k, 2, 1); LAUNCH(none, 3);
            CALL(k, 3)(8); CALL(none, 1)(), CALLED(9);
            CHECK((k<<<1, 1>>>(2))); CHECK((k<<<1, 2>>>(3)));
            LONG(3);
            NAMED();
            k WITH(4, 5)(6); a::b::k<int> ONE (7);
            """, """k:2,2:0:1 none:3,3:0 k:3,3:0:8 none:1,1:0 a::b::k:1,1:0:9:5:4 k:1,1:0:2 k:1,2:0:3 k:3,1:0:3 k:1,1:0:4
            a::b::k:1,1:0:5:1:4 k:4,5:0:6 a::b::k:1,1:0:7:1:4""")

    def test_templates(self):
        self.run_program(self.KERNELS + r"""
            template <void (*f)(int)> void by_value() { f<<<1, 1>>>(1); }
            template <class U> __global__ void inside(U x) { show("inner", x); }
            template <class T> struct S { template <class U> static constexpr void (*inner)(U) = inside<U>; };
            template <class T> void dependent() {
                S<T>::template inner<int><<<1, 1>>>(2);
                a::b::k<T><<<1, sizeof(T)>>>(T{});
                T t{}; t.template go<int>();
            }
            struct G { operator short() { return 1; } template <class T> void go() { a::b::k<T><<<1, 1>>>(4); } };
            template <class... T> void pack(T... x) { (k<<<1, 1>>>(x), ...); }
            int main() { by_value<k>(); dependent<G>(); pack(5, 6); }
            """,
            "k:1,1:0:1 inner:1,1:0:2 a::b::k:1,1:0:1:1:1 a::b::k:1,1:0:4:1:4 k:1,1:0:5 k:1,1:0:6")

    def test_what_only_looks_like_a_launch(self):
        for text in (
            "// k<<<1, 1>>>(x);\n/* k<<<1, 1>>>(x) */ int x;\n",
            'const char* a = "k<<<1, 1>>>(x)"; const char* b = R"x(k<<<1, 1>>>(x) )" )x";\n',
            "#if 0\nk<<<1, 1>>>(x); don't\n#endif\n",
            "#error k<<<1, 1>>>(x) isn't possible\n",
            "int a = 1 << 2 >> 1; bool b = 1 < 2 > 0; A<B<C<int>>> c;\n",
            "template <class T> std::ostream& operator<<<T>(std::ostream&, T);\n",
            "int x = '<' + '\\'' + '\"'; // <<<\n",
            "// a comment that goes on \\\n k<<<1, 1>>>(x)\nint y;\n",
            "<<<<<<< ours\n=======\n>>>>>>> theirs\n",
            "\\\n",
            "",
        ):
            self.assertEqual(rewrite(text), text)


class Kernels(Folder):
    def test_forms_of_definitions(self):
        self.run_program(r"""
            #define MAKE(name, T) __global__ void name(T* p) { *p = T(7); std::printf("%s\n", __func__); }
            #define PASTED(name) \
                static __global__ void pasted_##name() { \
                    std::printf("%s\n", __func__); \
                }
            #define KERNEL __global__ void
            #define GLOBAL __global__
            #define BEGIN_WITH(name) __global__ void name
            MAKE(made, float)
            PASTED(one)
            KERNEL by_alias(int x) { std::printf("%s%d\n", __FUNCTION__, x); }
            GLOBAL static void by_alias_2() { std::puts(__func__); }
            BEGIN_WITH(by_name)(int x) { std::printf("n%d\n", x); }
            __global__ void declared(int x = 3, void (*f)(int) = nullptr, const float (*m)[4] = nullptr, int a[] = nullptr);
            __global__ void declared(int x, void (*)(int), const float (*)[4], int[]) { if (x == 4) return; std::printf("%d\n", x); }
            extern "C" __global__ void c_linkage() noexcept { std::puts(__func__); }
            static inline __global__ void __launch_bounds__(2) bounded() { std::puts("bounded"); }
            template <class T, int N> struct Traits { enum { threads = N }; };
            template <class T> __launch_bounds__(Traits<T, 2>::threads, (1 < 2)) __global__ void before() { std::puts("before"); }
            template <class... T> __global__ void pack(T... x) { (std::printf("%d,", int(x)), ...); std::puts(""); }
            template <class T> __global__ auto trailing(T x) -> void { std::puts(__func__); }
            template <class T> __global__ void special(T) { std::puts("general"); }
            template <> __global__ void special<int>(int) { std::puts("special"); }
            template __global__ void special<char>(char);
            [[maybe_unused]] __global__ void attributed([[maybe_unused]] int x) { }
            namespace { extern "C" { __global__ void empty() {} } }
            void __global__ after_void() { { } struct S { int x; }; for (;;) { break; } std::puts("after"); }
            int main() {
                float f = 0; made<<<1, 1>>>(&f); std::printf("%g\n", f);
                pasted_one<<<1, 1>>>(); by_alias<<<1, 1>>>(5); by_alias_2<<<1, 1>>>(); by_name<<<1, 1>>>(6);
                declared<<<1, 1>>>(); declared<<<1, 1>>>(4); c_linkage<<<1, 1>>>();
                bounded<<<1, 2>>>(); bounded<<<1, 3>>>();
                before<int><<<1, 2>>>(); before<int><<<1, 3>>>();
                pack<<<1, 1>>>(1, 2.5, 'a'); trailing<<<1, 1>>>(1); special<<<1, 1>>>(1); special<<<1, 1>>>('a');
                attributed<<<1, 1>>>(1); empty<<<1, 1025>>>(); after_void<<<1, 1>>>();
            }
            """, """made 7 pasted_one by_alias5 by_alias_2 n6 3 c_linkage bounded too many threads before too many
            threads 1,2,97, trailing special general too many threads after""")

    def test_reference_parameters(self):
        self.run_program(r"""
            template <class A, class B> struct Pair { A a; B b; };
            __global__ void add(int& sum, const int &x, int copy = 1 & 3) { sum += x; copy = 0; }
            template <class... T> __global__ void pack(int (&to)[2], Pair<int&, int> p, T&&... x) {
                to[1] = (x + ...);
                p.a = 9, p.b = 9;
            }
            template <class T> __global__ void by_value(T x, Pair<int, int&> p) { ++x.a; ++p.a; ++p.b; }
            int main() {
                int sum = 1, x = 3, to[2] = {}, r = 0;
                Pair<int, int> pair{1, 2};
                add<<<1, 1>>>(sum, x);
                pack<<<1, 1>>>(to, {r, 5}, x, 6u);
                by_value<<<1, 1>>>(pair, {x, sum});
                std::printf("%d %d %d %d %d", sum, x, to[1], pair.a, r);
            }
            """, "5 3 9 1 9")

    def test_preprocessor_around_the_head(self):
        self.run_program(r"""
            #define WIDE
            #ifdef WIDE
            __global__ void k(long x) {
            #else
            __global__ void k(int x) {
            #endif
                std::printf("%zu\n", sizeof(x));
            }
            __global__ void
            #if __cplusplus > 300000L
            __launch_bounds__(32)
            #endif
            j() { std::puts("j"); }
            int main() { k<<<1, 1>>>(1); j<<<1, 1>>>(); }
            """, "8 j")

    def test_preprocessor_within_a_launch(self):
        for wide, expected in ((0, "1 2 4"), (1, "1 2 3")):
            self.run_program(f"#define WIDE {wide}\n" + r"""
                __global__ void k(int x) { std::printf("%d ", x); }
                int main() {
                    k<<<1
                #if WIDE
                        , 1, 0
                #else
                        , 1
                #endif
                        >>>(1);
                    k<<<1, 1>>>(
                #if WIDE
                        2);
                    k<<<1, 1>>>(3);
                #else
                        2);
                    k<<<1, 1>>>(4);
                #endif
                }
                """, expected)
        with self.assertRaisesRegex(rewriter.RewriteError, "not supported: a kernel launch that begins outside an #if"):
            rewrite("int main() { k<<<1,\n#if WIDE\n2>>>(1);\n#else\n3>>>(1);\n#endif\n}\n")

    def test_architecture(self):
        self.run_program(r"""
            __device__ int f() {
            #ifdef __CUDA_ARCH__
                return 1;
            #else
                return 2;
            #endif
            }
            __host__ __device__ int both() {
            #if defined(__CUDA_ARCH__)
                return 3;
            #else
                return 4;
            #endif
            }
            #if defined __CUDA_ARCH__ && __CUDA_ARCH__ < 600
            __device__ int f();
            #error
            #endif
            __global__ void k() {
            #ifndef __CUDA_ARCH__
                std::puts("host");
            #elif defined(__CUDA_ARCH__) && (__CUDA_ARCH__) >= 800 && !defined __CUDA_ARCH__
                std::puts("never");
            #elif ( __CUDA_ARCH__ >= 900 )
                std::printf("%d %d %d\n", f(), both(), __LINE__);
            #endif
            }
            int main() { k<<<1, 1>>>(); }
            """, "1 4 26")

    def test_architecture_of_functions(self):
        self.run_program(r"""
            #if __CUDA_ARCH__ >= 700
            template <class T> __device__ T f(T x) { return x + 1; }
            static __device__ int g(int);
            #elif !defined(__CUDA_ARCH__)
            __device__ int f(int x) { return x - 1; }
            #endif
            #ifndef __CUDA_ARCH__
            __device__ int g(int);
            #else
            __device__ int g(int x) { return f(x) * 2; }
            #endif
            #ifdef __CUDA_ARCH__
            int h() { return 7; }
            __device__ int i() { return 7; }
            #else
            int h() { return 8; }
            __device__ int i() { return 8; }
            #endif
            __global__ void k() {
            #if __CUDA_ARCH__ >= 700
                std::printf("%d %d\n", g(3), i());
            #endif
            }
            int main() { k<<<1, 1>>>(); std::printf("%d\n", h()); }
            """, "8 8 8")

    def test_volatile_stores(self):
        self.run_program(r"""
            struct Pair { int a[2]; unsigned bit : 1; };
            using row = float;
            template <class T> __device__ T add(volatile T* p, int i) {
                enum { one = 1, two };
                const int small[] = {one, two}, *begin = small;
                p[i] = p[i] + one;              // 1
                T sum = p[i];
                if (i == 0) *p += begin[1];     // 2
                else p[i] = sum = 3;
                for (i = 0; i < 2; i++) sum -= 1;
                return sum;
            }
            __global__ void k() {
                __shared__ volatile int v[2], w;
                int plain[2] = {1, 2}, *q = plain;
                row(*rows)[2] = nullptr;
                w = v[0] = v[1] = 5;            // 3, 4, 5
                add(v, 0);
                ((volatile int*)plain)[1] *= 4; // 6
                *q = v[0];
                **&q += plain[1];
                Pair pair{}, *pointer = &pair;
                pair.bit = 1, pointer->bit = 0, pointer->a[1] = w;
                auto f = [x = 1](int y = 2) { return x + y; };
                std::printf("%d %d %d %d %d %d ", v[0], w, plain[0], plain[1], pair.a[1], f() + (rows != nullptr));
            }
            __global__ void without(int* p) { p[0] = 1; }
            int main() {
                k<<<1, 1>>>();
                int x;
                without<<<1, 1>>>(&x);
                volatile int* p = &x;
                *p = 1;
                std::printf("%d", emulator::volatile_stores);
            }
            """, "8 5 16 8 5 3 6")

    def test_volatile_counters(self):
        self.run_program(r"""
            __device__ volatile int counter;
            __device__ int count() { ++counter; return counter++; }  // 1, 2
            __device__ void count(volatile int* p, int* list) {
                (*p)++, p[1]--;                                      // 3, 4
                ++*p; if (p[1]) --p[1]; ++(*p);                      // 5, 6, 7
                list[(*p)++] = *p - --p[1];                          // 8, 9
                int own = 1 + +1, *q = list + own++ - 2;
                if (own > 2) *q++ = 0, --q;
                for (int i = 0; i < 2; i++) own -= 1;
            }
            __global__ void k() {
                volatile int v[2] = {0, 5};
                int list[9] = {};
                count(v, list);
                const int before = count();
                std::printf("%d %d %d %d %d ", v[0], v[1], list[3], before, counter);
            }
            int main() {
                k<<<1, 1>>>();
                std::printf("%d", emulator::volatile_stores);
            }
            """, "4 2 1 1 2 9")

    def test_printf_in_device_code_says_where_it_stands(self):
        text = r"""
            #define SHOW(...) printf(__VA_ARGS__)
            struct Log { int printf(const char*) const { return 7; } };
            namespace other { int printf(const char*) { return 8; } }
            __device__ int f(Log log) { std::printf("f "); return log.printf("no") + other::printf("no"); }
            __global__ void k() {
                if (int n = f({}); n > 0) printf("%d ", n); else ::printf("no");
                SHOW("%s", "macro ");
                auto lambda = [] { return printf("lambda "); };
                (void)lambda();
            }
            int main() { emulator::shows_places = true; printf("host "); k<<<1, 1>>>(); }
            """
        places = [textwrap.dedent(text).index(word) for word in (
            'printf("f ")', 'printf("%d "', "printf(__VA", 'printf("lambda')]
        self.run_program(text, "host #{}:f #{}:15 #{}:macro #{}:lambda".format(*places))

    def test_a_printf_of_the_users_own_is_his(self):
        self.run_program("#define printf(...) std::puts(\"mine\")\n__global__ void k() { printf(\"%d\", 1); }\n"
                         "int main() { k<<<1, 1>>>(); }\n", "mine")

    def test_loops_that_only_wait(self):
        self.run_program(r"""
            __device__ bool ask(int& n) { return --n > 0; }
            __global__ void k() {
                int n = 2;
                while (ask(n));
                n = 3; while (ask(n)) {}
                n = 4; for (; ask(n);) ;
                n = 5; do ; while (ask(n));
                n = 6; do {} while (ask(n));
                n = 2; do { n -= 0; } while (ask(n));
                n = 2; do n -= 0; while (ask(n));
                n = 4; do if (n > 9) n = 1; else while (n == 9) n = 1; while (ask(n));
                n = 9; do do for (int i = 0; i < 1; i++) n -= 0; while (n % 3 && ask(n)); while (ask(n));
                n = 2; while (ask(n)) n -= 0;
                n = 0; for (int i = 0; i < 9; i++) { n += i; }
                std::printf("%d %d ", n, emulator::relaxed);
            }
            int main() { k<<<1, 1>>>(); int n = 3; while (--n); std::printf("%d", emulator::relaxed); }
            """, "36 17 17")

    def test_the_condition_of_a_loop_is_in_branches_of_an_if(self):
        conditions = "\n#ifdef NONE\nwhile (n == 0);\n#elif 0\nwhile (n == 1);\n#else\nwhile (--n);\n#endif\n"
        self.run_program(f"""
            __global__ void k() {{
                int n = 5; do n -= 0; {conditions}
                n = 5; do {{ n -= 0; }} {conditions}
                n = 5; {conditions}
                n = 5; do {{ n -= 0;
            #ifdef NONE
                }} while (n == 0);
            #else
                }} while (--n);
            #endif
                std::printf("%d %d", n, emulator::relaxed);
            }}
            int main() {{ k<<<1, 1>>>(); }}
            """, "0 4")

    def test_device_code_stays(self):
        for text in (
            "__device__ int f(int x) { return x; }\n",
            "struct A { __host__ __device__ A() : a{1}, b(2) {} int a, b; __device__ bool operator()(int) const { return 1; } };\n",
            "auto f = [=] __device__ (int i) { return i; };\n",
            "template <class T> __device__ __forceinline__ T max(T a, T b);\n",
            "#define HD __host__ __device__ inline\nHD int f() { return 1; }\n",
            "__device__ S::operator bool() const { return true; }\n__device__ ~S() = default;\n",
        ):
            self.assertEqual(rewrite(text), text)


class Shared(Folder):
    def test_declarations(self):
        self.run_program(r"""
            template <class T, int N> struct Box { struct Storage { T x[N]; }; };
            #define TILE 4
            #define SHARED(T, name, n) __shared__ T name[n]
            #define NO_SEMICOLON(T, name) __shared__ T name
            #define SPECIFIER static __shared__
            template <class T> __global__ void k(int n) {
                __shared__ float tile[16][TILE + 1], sums[8];
                volatile __shared__ unsigned long long wide;
                static __shared__ __align__(32) char aligned[3];
                __shared__ alignas(float) char aligned_as[5];
                char __shared__ trailing[7] __attribute__((aligned(64)));
                __shared__ typename Box<T, 4>::Storage storage;
                __shared__ Box<T, (4 > 3)> box, *pointer;
                __shared__ union { int i; float f; } anonymous;
                __shared__ struct Pair { int a, b[2]; } pairs[2];
                __shared__ T (*to_array)[4];
                __shared__ void (*functions[2])(int);
                __shared__ const int* cp, c;
                SHARED(int, first, 2); SHARED(int, second, 2);
                NO_SEMICOLON(double, d);
                SPECIFIER short s;
                { __shared__ int same; same = 1; { __shared__ int same; same = 2; } std::printf("%d\n", same); }
                first[0] = 1; second[0] = 2; anonymous.i = 3; pairs[1].b[1] = 4; wide = 5;
                std::printf("%zu %zu %zu %zu %zu %zu %zu %zu %zu %zu\n", sizeof tile, sizeof sums, sizeof wide, sizeof aligned,
                    sizeof storage, sizeof pairs, sizeof to_array, sizeof functions, sizeof d, sizeof s);
                std::printf("%d %d %d %d %d\n", first[0], second[0], anonymous.i, pairs[1].b[1], int(wide));
                std::printf("%d %d\n", int((size_t)aligned % 32), int((size_t)trailing % 64));
                auto by_value = [=] { sums[0] = 9; return tile[0][0]; };
                auto nothing = [](int i) { return sums[i]; };
                by_value(); std::printf("%d\n", int(nothing(0)));
            }
            int main() { k<short><<<1, 1>>>(3); }
            """, "1 320 32 8 3 8 24 8 16 8 2 1 2 3 4 5 0 0 9")

    def test_dynamic_and_namespace_scope(self):
        self.run_program(r"""
            extern __shared__ float dynamic[];
            namespace n {
            __shared__ int common[4]; extern __shared__ __align__(16) unsigned char bytes[];
            __device__ __shared__ int behind[2]; __device__ static __shared__ int behind_two;
            __device__ int read() { return common[1]; }
            __global__ void write() { common[1] = 5; bytes[0] = 7; behind[1] = 8; behind_two = 9; }
            __global__ void print() { std::printf("%d\n", read()); __device__ __shared__ int inside; inside = behind[1] + behind_two; std::printf("%d\n", inside); }
            }
            template <class T> __device__ T* typed() { extern __shared__ int raw[]; return (T*)raw; }
            __global__ void k() {
                extern __shared__ int mine[];
                extern __shared__ int two[][2];
                dynamic[0] = 1.5f;
                std::printf("%g %d %d\n", dynamic[0], mine == (int*)dynamic, two[0] == typed<int>());
            }
            __global__ void hides(float* dynamic) { dynamic[0] = 3; }
            __global__ void again() { extern __shared__ float dynamic[]; dynamic[0] = 1; }
            int main() { n::write<<<1, 1>>>(); n::print<<<1, 1>>>(); k<<<1, 1>>>(); float f; hides<<<1, 1>>>(&f); std::printf("%g\n", f); again<<<1, 1>>>(); }
            """, "5 17 1.5 1 1 3")

    def test_errors(self):
        for text, place, message in (
            ("__global__ void k() {\n  __shared__ int x = 3; }", (2, 20), "initializer not allowed for __shared__ variable"),
            ("__global__ void k() { __shared__ S x(3); }", (1, 37), "initializer not allowed"),
            ("__global__ void k() { __shared__ int x{3}; }", (1, 39), "initializer not allowed"),
            ("void f(__shared__ int x);", (1, 8), "not possible here"),
        ):
            with self.assertRaises(rewriter.RewriteError, msg=text) as caught:
                rewrite(text)
            self.assertIn(message, caught.exception.message)
            self.assertEqual((caught.exception.line, caught.exception.column), place, text)


class LocalArrays(unittest.TestCase):
    """What becomes of a thread's own arrays in the checked build."""

    @staticmethod
    def rewritten(body, head="__global__ void k()"):
        text = rewriter.rewrite(f"{head} {{\n{body}\n}}\n", "test.cu", rewriter.Options(checked=True))
        return re.sub(r" +", " ", re.sub(r'\n#line \d+ ".*"\n[ \t]*', "", text.split("\n", 1)[1]))

    def watched(self, body, *head):
        return re.findall(r"named\(\"(\w+)\", (\w+)\)", self.rewritten(body, *head))

    def test_forms(self):
        self.assertIn('::emulator::LocalArray<int [4]> emulator_local_1; auto& a = *emulator_local_1.named("a", false);',
                      self.rewritten("int a[4];"))
        self.assertIn("LocalArray<float [2][3]> emulator_local_1{{}, {{1, 2}, {3}}, {}}; auto& a",
                      self.rewritten("float a[2][3] = {{1, 2}, {3}};"))
        self.assertIn("unsigned long x = 1; ::emulator::LocalArray<unsigned long *[2]>",
                      self.rewritten("unsigned long x = 1, *a[2];"))
        for declaration, names in {
            "std::pair<int, int> a[4], b[2] = {}, c;": [("a", "false"), ("b", "true")],
            "typename T::type a[N];": [("a", "false")],
            "volatile int a[2];": [("a", "false")],
            "struct S s[2];": [("s", "false")],
            'char s[4] = "abc";': [("s", "true")],
            "if (x) { int a[2]; } else { int b[2]; }": [("a", "false"), ("b", "false")],
            "auto f = [](int i) mutable { int a[2]; };": [("a", "false")],
            "for (int i = 0; i < 4; ++i) { int a[2]; }": [("a", "false")],
            "case_of: int a[2];": [("a", "false")],
        }.items():
            with self.subTest(declaration):
                self.assertEqual(self.watched(declaration), names)

    def test_what_is_left_alone(self):
        for text in ("a[4] = 1;", "int x = a[4];", "return a[4];", "delete a[4];", "f(a[4]);", "a[1] < b[2];", "++a[i];",
                     "x.a[4] = 2;", "p->a[4];", "static int a[4];", "const int a[2] = {1, 2};", "constexpr int a[2] = {};",
                     "int a[] = {1, 2};", "extern int a[4];", "using A = int[4];", "typedef int A[4];", "int (*p)[4];",
                     "struct S { int a[4]; };", "class S : B { int a[4]; };", "int* p = new int[4];", "A a = {b[1], c[2]};",
                     "switch (x) { case 1: int a[4]; }", "int a[4]; goto end; end:;", "__shared__ int a[4];",
                     "for (int a[4], i = 0; i < 4; ++i);", "int a[4],\n#ifdef X\nb;\n#else\nc;\n#endif", "int x = 3;",
                     "alignas(16) float a[4];", "int a[4] = other;", "S::a[4] = 1;"):
            with self.subTest(text):
                self.assertEqual(self.watched(text), [])
        self.assertEqual(self.watched("int a[4];", "void host()"), [])
        self.assertEqual(self.watched("int a[4];", "__device__ constexpr int f()"), [])
        self.assertEqual(self.watched("int a[4];", "__host__ __device__ int f()"), [("a", "false")])
        self.assertNotIn("LocalArray", rewrite("__global__ void k() { int a[4]; }"))


class VectorValues(unittest.TestCase):
    """What becomes of vectors that device code makes, in the checked build."""

    def test_forms(self):
        for text, expected in {
            "a[i] = float4{x, y, z, w};": "a[i] = ::emulator::whole(float4{x, y, z, w});",
            "*p = (uchar2){f(1), {}};": "*p = ::emulator::whole((uchar2){f(1), {}});",
            "*p = ::double2{};": "*p = ::emulator::whole(::double2{});",
            "*p = c ? q : longlong2{};": "*p = c ? q : ::emulator::whole(longlong2{});",
            "*p = c?q:longlong2{};": "*p = c?q: ::emulator::whole(longlong2{});",
            "return int4{1, 2, 3, 4};": "return ::emulator::whole(int4{1, 2, 3, 4});",
            "f(1, short4{});": "f(1, ::emulator::whole(short4{}));",
            "auto f = [] { return float2{}; };": "auto f = [] { return ::emulator::whole(float2{}); };",
            "a[i] = make_float4(1, 2, 3, f(4));": "a[i] = ::emulator::whole(make_float4(1, 2, 3, f(4)));",
            "*p = ::make_uchar2(1, 2);": "*p = ::emulator::whole(::make_uchar2(1, 2));",
        }.items():
            with self.subTest(text):
                self.assertIn(expected, LocalArrays.rewritten(text))

    def test_what_is_left_alone(self):
        for text in ("float4 v{1, 2, 3, 4};", "a[i] = {1, 2, 3, 4};", "a[i] = n::make_float4(1, 2, 3, 4);", "*p = n::float4{};",
                     "*p = make_float3(1, 2, 3);", "auto f = make_float4;",
                     "*p = float3{};", "*p = uint8{};", "*p = ufloat4{};", "*p = v;", "auto f = []() -> float4 { return v; };",
                     "auto f = [](float4) { return v; };", "struct float4 { int x; };", "struct A : float4 { int x; };",
                     "struct A : B, float4 { int x; };", "auto* q = new float4{1, 2, 3, 4};"):
            with self.subTest(text):
                self.assertNotIn("whole", LocalArrays.rewritten(text))
        self.assertNotIn("whole", LocalArrays.rewritten("a[i] = float4{};", "void host()"))
        self.assertNotIn("whole", rewrite("__global__ void k(float4* a) { *a = float4{}; }"))


class ChosenArrays(unittest.TestCase):
    """What becomes of an element of one of two arrays, in the checked build."""

    def test_forms(self):
        for text, expected in {
            "x = (first ? a : b)[i];": "x = (::emulator::itself(first ? a : b))[i];",
            "(f(1, 2) ? a : b)[i % 2] = 3;": "(::emulator::itself(f(1, 2) ? a : b))[i % 2] = 3;",
            "auto f = [&] { return &(c ? a : d ? a : b)[i++]; };": "&(::emulator::itself(c ? a : d ? a : b))[i++];",
        }.items():
            with self.subTest(text):
                self.assertIn(expected, LocalArrays.rewritten(text))

    def test_what_is_left_alone(self):
        for text in ("x = (a + i)[j];", "x = c ? a[i] : b[i];", "f(c ? a : b, i)[j];", "x = (a[c ? 1 : 2])[i];", "(c ? f : g)(i);"):
            with self.subTest(text):
                self.assertNotIn("itself", LocalArrays.rewritten(text))
        self.assertNotIn("itself", rewrite("__global__ void k() { x = (first ? a : b)[i]; }"))


class FlattenedArrays(unittest.TestCase):
    """What becomes of a matrix in shared memory that is used as one array, in the checked build."""

    def test_forms(self):
        for text, expected in {
            "__shared__ int t[8][32]; t[0][i] = f(1);": "(::emulator::flattened(t))[i]",
            "__shared__ int t[8][32]; x = 2 * t[0][i + 1] + *&t[0][j];":
                "x = 2 * (::emulator::flattened(t))[i + 1] + *&(::emulator::flattened(t))[j];",
            "__shared__ float4 t[2][3][4]; t[0][i][j] = v;": "(::emulator::flattened(t))[i][j]",
        }.items():
            with self.subTest(text):
                self.assertIn(expected, LocalArrays.rewritten(text))

    def test_what_is_left_alone(self):
        for text in ("__shared__ int t[8][32]; t[1][i] = 1;", "__shared__ int t[8][32]; t[i][0] = t[0 + 0][i];",
                     "__shared__ int t[8][32]; s.t[0][i] = s->t[0][i];", "__shared__ int t[8]; t[0] = 1;",
                     "int t[8][32]; t[0][i] = 1;"):
            with self.subTest(text):
                self.assertNotIn("flattened", LocalArrays.rewritten(text))
        self.assertNotIn("flattened", rewrite("__global__ void k() { __shared__ int t[8][32]; t[0][i] = 1; }"))


class ConstantStores(unittest.TestCase):
    """What becomes of stores of constants, in the checked build."""

    def test_forms(self):
        for text, expected in {
            "*p = true;": "(::emulator::constant_follows(true), *p)= true;",
            "p[i] = -(1.5f + 2);": "(::emulator::constant_follows(true), p[i])= -(1.5f + 2);",
            "p[i] = N;": "(::emulator::constant_follows(__builtin_constant_p(N)), p[i])= N;",
            "p->flag = 1;": "(::emulator::constant_follows(true), p->flag)= 1;",
            "p[i] = p[j] = 0;": "(::emulator::constant_follows(true), p[i])= (::emulator::constant_follows(true), p[j])= 0;",
        }.items():
            with self.subTest(text):
                self.assertIn(expected, LocalArrays.rewritten(text))
        self.assertIn("constant_follows(true), s)", LocalArrays.rewritten("__shared__ int s; s = 1;"))

    def test_what_is_left_alone(self):
        for text in ("x = 1;", "int x = 0;", "int* x = nullptr;", "x.y = 1;", "p[i] = p[j];", "p[i] = *q;", "p[i] = x.y;",
                     "p[i++] = 1;", "p[f(x)] = 1;", "p[i] += 1;", "p[i] = {};", "p[i] = c ? 1 : 2;"):
            with self.subTest(text):
                self.assertNotIn("constant_follows", LocalArrays.rewritten(text))
        self.assertNotIn("constant_follows", LocalArrays.rewritten("p[i] = 1;", "void host()"))
        self.assertNotIn("constant_follows", rewrite("__global__ void k(int* p) { *p = 1; }"))


class Variables(Folder):
    def test_variables(self):
        D, C, M = "EMULATOR_DEVICE_VARIABLE", "EMULATOR_CONSTANT_VARIABLE", "EMULATOR_MANAGED_VARIABLE"
        K = "EMULATOR_CONST_VARIABLE"
        for text, expected in (
            ("__device__ int x;", f"{D} int x;"),
            ("__constant__ float c[256];", f"{C} float c[256];"),
            ("__managed__ int m = 3;", f"{M} int m = 3;"),
            ("__device__ __managed__ int m;", f"__device__ {M} int m;"),
            ("static __device__ Foo<A, (2 > 1)> t[4] = {1, 2};", f"static {D} Foo<A, (2 > 1)> t[4] = {{1, 2}};"),
            ("extern __device__ int x;", f"extern {D} int x;"),
            ("int __device__ x, y;", f"int {D} x, y;"),
            ("__device__ int x{3};", f"{D} int x{{3}};"),
            ("__device__ float (*op)(float, float) = add;", f"{D} float (*op)(float, float) = add;"),
            ("__device__ struct { int a; } s;", f"{D} struct {{ int a; }} s;"),
            ("struct S { static __device__ int x; };", f"struct S {{ static {D} int x; }};"),
            ("__device__ int S::x = 4;", f"{D} int S::x = 4;"),
            ("template <class T> __device__ T v = T(1);", "template <class T> __device__ T v = T(1);"),
            ("__device__ const int* p;", f"{D} const int* p;"),
            ("__device__ const int x = 3;", f"{K} const int x = 3;"),
            ("__constant__ const int x = 3;", f"{K} const int x = 3;"),
            ("static constexpr __device__ float k[2] = {1, 2};", f"static constexpr {K} float k[2] = {{1, 2}};"),
            ("namespace n { __constant__ const int x = 3; }", f"namespace n {{ {K} const int x = 3; }}"),
            ("__constant__ const Pair p = {1, 2};", "__device__ const Pair p = {1, 2};"),
            ("__device__ const char* const p = s;", "__device__ const char* const p = s;"),
            ("template <class T> __device__ const int x = 3;", "template <class T> __device__ const int x = 3;"),
            ("struct S { static constexpr __device__ int x = 3; };", "struct S { static constexpr __device__ int x = 3; };"),
            ("void f() { static __device__ const int x = 3; }", "void f() { static __device__ const int x = 3; }"),
            ("inline __device__ int x = 3;", f"EMULATOR_INLINE_VARIABLE {D} int x = 3;"),
            ("__device__ inline int x = 3;", f"{D} EMULATOR_INLINE_VARIABLE int x = 3;"),
            ("static inline __device__ int x;", f"static __attribute__((unused)) {D} int x;"),
            ("namespace { inline __device__ int x; }", f"namespace {{ __attribute__((unused)) {D} int x; }}"),
            ("inline __device__ const int x = 3;", "inline __device__ const int x = 3;"),
            ("struct S { inline static __device__ int x; };", "struct S { inline static __device__ int x; };"),
            ("#define DEV __device__\nDEV int x;\nDEV int f();", f"#define DEV __device__\nDEV {D} int x;\nDEV int f();"),
            ("#define CONST static __constant__ const\nCONST int x = 1;", f"#define CONST static const\nCONST {C} int x = 1;"),
            ("#define MANAGED __managed__\nMANAGED __device__ int x;", f"#define MANAGED \nMANAGED {M} __device__ int x;"),
            ("#define TABLE(n) __constant__ int n\nTABLE(x);", f"#define TABLE(n) {C} int n\nTABLE(x);"),
            ("#define COUNTER(n) __device__ int n##_c = 0", f"#define COUNTER(n) {D} int n##_c = 0"),
            ("__device__ ALIGN(16) float x;", f"{D} ALIGN(16) float x;"),
            ("__constant__ alignas(16) int w[4];", f"alignas ( 16 ) {C} int w[4];"),
            ("alignas(16) __device__ int x;", f"alignas(16) {D} int x;"),
            ("#define DEV __device__\nDEV alignas(T) alignas(8) T x;",
             f"#define DEV __device__\nalignas ( T ) alignas ( 8 ) DEV {D}  T x;"),
            ("void f() { static __device__ int n; }", f"void f() {{ static {D} int n; }}"),
            ("__device__ int f(int), x;", "__device__ int f(int), x;"),
        ):
            self.assertEqual(without_lines(rewrite(text)), expected)

    def test_they_compile_together(self):
        for compiler in COMPILERS:
            self.run_program(r"""
                __device__ int a; __device__ const int b = 2; static __device__ int c[2] = {3, 4}; extern __device__ int e;
                __device__ int e = 5; template <class T> __device__ T v = T(6);
                inline __device__ int i = 7; __device__ inline float j[3] = {70};
                namespace { inline __device__ int own = 72; } static inline __device__ int own_too = 73; inline __constant__ const int ic = 71;
                __constant__ float k[4]; __constant__ const float kc[2] = {8, 9}; __managed__ int m = 10;
                struct S { static __device__ int s; static constexpr __device__ int t = 12; }; __device__ int S::s = 11;
                __device__ const char* const text = "13"; static __device__ constexpr double ce = 14;
                template <class T> __device__ const T vc = T(15);
                __device__ int f() { static __device__ const int local = 16; return local; }
                __constant__ alignas(16) int aligned[3]; __managed__ alignas(double) alignas(64) static char aligned_too;
                __device__ alignas(32) const float three[3] = {}; template <class T> __device__ alignas(16) T four;
                template <class T> bool is_aligned(T& x, unsigned long n) { return reinterpret_cast<unsigned long>(&x) % n == 0; }
                int main() {
                    if (!is_aligned(aligned, 16) || !is_aligned(aligned_too, 64) || !is_aligned(three, 32) || !is_aligned(four<char>, 16))
                        std::printf("not aligned ");
                    std::printf("%d %d %d %d %d %d %g %d ", a, b, c[1], e, v<int>, i, j[0], ic);
                    std::printf("%d %d ", own, own_too);
                    std::printf("%g %d %d %d %s %g %d %d\n", kc[1], m, S::s, S::t, text, ce, vc<int>, f());
                }
                """, "0 2 4 5 6 7 70 71 72 73 9 10 11 12 13 14 15 16", compiler)


class Specifiers(unittest.TestCase):
    def test_noinline(self):
        """A word of CUDA, and of the C++ library's attributes."""
        new = "__attribute__((noinline))"
        for text, expected in (
            ("__device__ __noinline__ int f();", f"__device__ {new} int f();"),
            ("__noinline__ void f();", f"{new} void f();"),
            ("#define NI static __noinline__", f"#define NI static {new}"),
            ("#define NI __noinline__", f"#define NI {new}"),
            ("__attribute__((__noinline__)) int f();", "__attribute__((__noinline__)) int f();"),
            ("__attribute__((cold, __noinline__)) int f();", "__attribute__((cold, __noinline__)) int f();"),
            ("[[gnu::__noinline__]] int f();", "[[gnu::__noinline__]] int f();"),
        ):
            self.assertEqual(without_lines(rewrite(text)), expected)


class Casts(unittest.TestCase):
    def test_to_void_pointers(self):
        """What may be a kernel, here between [[ and ]], is remembered; nothing else is touched."""
        for marked in (
            "cudaLaunchKernel((void*)[[k]], 1, 1);", "f((const void *)[[&k]], (void const*)[[k<T, 256>]]);",
            "p = (void*)[[ns::k<A<B<int>>>]];", "auto f() { return (void*)[[::k]]; }",
            "void* t[] = {(void*)[[table[i].k]], (void*)[[p->get(1)(2)]]};",
            "f(reinterpret_cast<void*>([[k]]), reinterpret_cast<const void*>([[&k<float>]]));",
            "f((void*)[[static_cast<void (*)(int)>(k)]]);", "a = (void*)[[x]] == (void*)[[y]];",
            "a = (void*)[[p]] < (void*)[[q]] && r > s;", "f((void*)[[a((void*)[[b]])]]);",
            "#define LAUNCH(k) cudaLaunchKernel((void*)[[k]], 1, 1)\n", "#define NAMED(k) f((void*)[[k##_kernel]])\n",
            "int f(void*);", "int g(void*) const;", "void (*h)(void*) = nullptr;", "std::function<int(void*)> c;",
            "struct S { void f(void*) noexcept; void g(void *) override; };", "f((void*)0, (void*)nullptr, (void**)&x);",
            "f((void*)this, (void*)(a), (int*)b, (void*)\"s\");", "n = sizeof(void*) * m;", "using F = int(void*);",
            "f(static_cast<void*>(p), reinterpret_cast<int*>(p));", "__device__ void d(void** p) { *p = (void*)q; }",
        ):
            text = "// cudaLaunchKernel\n" + marked
            out = without_lines(rewrite(re.sub(r"\[\[|\]\]", "", text)))
            expected = text.replace("[[", "::emulator::remembered(").replace("]]", ")")
            self.assertEqual(re.sub(r"\s", "", out), re.sub(r"\s", "", expected))


def choices_of(opcode):
    """Each choice of each place of a form, beside the first ones of the other places."""
    places = [[text] if text else one_of.split(",") if one_of else ["", *one_or_none.split(",")]
              for one_of, one_or_none, text in ptx_forms.PART.findall(opcode)]
    return sorted({"".join(place[min(n, len(place) - 1)] if place is chosen else place[0] for place in places)
                   for chosen in places for n in range(len(chosen))})


class Unsupported(unittest.TestCase):
    def test_certain(self):
        for text, what in (
            ("__global__ void k() { asm volatile(\"mov.u32 %0, %envreg0;\" : \"=r\"(x)); }", "inline PTX"),
            ("__device__ void k() { asm(\"bar.arrive 1;\"); }", "inline PTX"),
            ("__device__ void k() { asm(\"mov.u32 %0, %%laneid, %1;\" : \"=r\"(x), \"=r\"(y)); }", "inline PTX"),
            ("__device__ void k() { asm(\"sad.s32 %0, %1, %2;\" : \"=r\"(x) : \"r\"(y), \"r\"(z)); }", "inline PTX"),
            ("texture<float, 2> t;", "texture"),
            ("cudaTextureObject_t t;", "texture"),
            ("__global__ void k() { float x = tex2D<float>(t, 1, 2); }", "texture"),
            ("cudaGraphAddExternalSemaphoresSignalNode(&n, g, d, 0, &p);", "external semaphores in CUDA graphs"),
            ("#include <thrust/sort.h>", "Thrust"),
            ("  # include <cub/cub.cuh>", "CUB"),
            ("#include <cublas_v2.h>", "cuBLAS"),
            ("#ifndef X\n#define X\n#include <curand.h>\n#endif", "cuRAND"),
            ("__global__ void k();\n__global__ void j() { k<<<1, 1>>>(); }", "dynamic parallelism"),
            ("struct A { int a; __device__ A() : a{1} { k<<<1, 1>>>(); } };", "dynamic parallelism"),
            ("__device__ void j() { if (1) { k<int><<<1, 1>>>(); } }", "dynamic parallelism"),
        ):
            with self.assertRaises(rewriter.RewriteError, msg=text) as caught:
                rewrite(text)
            self.assertRegex(str(caught.exception), rf"^test.cu:\d+:\d+: error: not supported: .*{what}")

    def test_refused_ptx_is_named(self):
        """What comes close to an instruction that the emulator has, too."""
        row_col = "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32"
        for instruction, operands in (
            ("sad.s32 %0, %1, %2", '"=r"(x) : "r"(y), "r"(z)'),
            ("add.s32 %0, %1", '"=r"(x) : "r"(y)'),
            ("add.s32 %0, %1, %tid.x", '"=r"(x) : "r"(y)'),  # nor does nvcc take it there
            ("add.s32 %1, %0, %0", '"=r"(x) : "r"(y)'),
            ("add.s32 %0, t, %1", '"=r"(x) : "r"(y)'),
            ("add.u32 %0, %1, %1; addc.u32 %0, %1, %1", '"=r"(x) : "r"(y)'),  # no carry
            ("@p trap", ""),
            ("bra AGAIN", ""),
            (".shared .b32 t", ""),
            ("ld.param.u32 %0, [%1]", '"=r"(x) : "r"(y)'),
            ("ld.global.v4.f64 {%0, %0, %0, %0}, [%1]", '"=d"(x) : "l"(y)'),
            ("ld.global.v2.f32 {%0, %0, %0}, [%1]", '"=f"(x) : "l"(y)'),
            ("atom.global.add.s64 %0, [%1], 1", '"=l"(x) : "l"(y)'),
            ("red.acquire.gpu.global.add.u32 [%0], 1", ': "l"(y)'),
            ("mbarrier.init.shared::cluster.b64 [%0], 1", ': "r"(y)'),
            ("bar.arrive 1", ""),
            ("bar.sync.aligned 1, 64", ""),
            (f"{row_col} {{%0, %1, %2, %3}}, {{%4, %5}}, {{%6}}, {{%7, %8, %9}}", '"=r"(x) : "r"(y)'),
            (f"{row_col} {{%0, %1, %2, %3}}, {{%4, %5}}, {{%6}}, {{%7, %8, %9, %10}}", '"=r"(x) : "r"(y)'),
            ("mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 {%0}, {%0}, {%0}, {%0}", '"+r"(x)'),
            ("mma.sync.aligned.m16n8k16.row.col.satfinite.f32.bf16.bf16.f32 {%0}, {%0}, {%0}, {%0}", '"+r"(x)'),
            ("mma.sync.aligned.m8n8k16.row.col.s32.s8.s4.s32 {%0, %0}, {%0}, {%0}, {%0, %0}", '"+r"(x)'),
            ("wgmma.mma_async.sync.aligned.m64n8k32.f32.e4m3.e4m3 {%0, %0, %0, %0}, %1, %1, 1, 1, 1", '"+f"(x) : "l"(y)'),
            ("wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0, %0, %0, %0}, %1, %1, 1, 1, 1", '"+f"(x) : "l"(y)'),
            ("wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0, %0}, %1, %1, 1, 1, 1, 0, 0", '"+f"(x) : "l"(y)'),
            ("wgmma.mma_async.sync.aligned.m64n12k16.f32.bf16.bf16 {%0}, %1, %1, 1, 1, 1, 0, 0", '"+f"(x) : "l"(y)'),
            ("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0}, [%1]", '"=r"(x) : "r"(y)'),
            ("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1]", ': "r"(x), "r"(y)'),
            ("cp.async.cg.shared.global [%0], [%1], 8", ': "r"(x), "l"(y)'),
            ("cp.async.ca.shared.global [%0], [%1], 2", ': "r"(x), "l"(y)'),
            ("ldmatrix.sync.aligned.m8n8.x2.trans.shared.trans.b16 {%0, %0}, [%1]", '"=r"(x) : "r"(y)'),
            ("cp.async.wait_group", ""),
            ("cp.async.commit_group; pmevent 5", ""),
        ):
            with self.assertRaises(rewriter.RewriteError, msg=instruction) as caught:
                rewrite(f'__device__ void f() {{ asm("{instruction};" : {operands}); }}')
            message = str(caught.exception)
            self.assertIn(f"error: not supported: inline PTX assembly (asm) in device code: {instruction.split('; ')[-1]}",
                          message)
            self.assertNotIn("\n", message)

    def test_each_form_of_ptx_has_its_function(self):
        """Each choice of each form is taken, and what it becomes compiles. The types of registers do not matter here."""
        kinds = {"d": "%0", "s": "%1", "r": "%%clock64", "p": "!p", "o": "%0|p", "m": "[%1 + 16]", "0": "0", "u": "_", "V": "{%0, %0}",
                 "W": "{%1, %1}", "f": "0.5"}
        statements = []
        for form in itertools.chain(*ptx_forms.FORMS.values()):
            for opcode in choices_of(form.opcode):
                vector = re.search(r"\.v([24])", opcode)
                many = [f"{{{', '.join([register] * int(vector[1]))}}}" if vector else register for register in ("%0", "%1")]
                dimensions = int((re.search(r"\.([1-5])d\.", opcode) or [0, 1])[1])
                tensor = f"[%1, {{{', '.join(['%1'] * dimensions)}}}]"
                operands = ", ".join((kinds | {"D": many[0], "S": many[1], "t": tensor})[kind] for kind in form.operands.split())
                carry = "add.cc.u32 %0, %1, 1; " * bool(re.match(r"(?:add|sub|mad)c\.", opcode))
                statements.append(f'asm volatile("{{ .reg .pred p; {carry}{opcode} {operands}; }}" : "=l"(x) : "l"(y));')
        self.assertGreater(len(statements), 600)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "x.cpp")
            with open(path, "w", encoding="utf-8") as file:
                file.write(rewrite("#include <cuda_runtime.h>\n__device__ unsigned long long x, y;\n__device__ void f() {\n" +
                                   "\n".join(statements) + "\n}\n"))
            include = os.path.join(EMULATOR, "include")
            compiled = subprocess.run([COMPILERS[0], "-std=c++20", "-fsyntax-only", "-D__CUDACC__", "-I", include, path],
                                      capture_output=True, text=True, check=False)
        self.assertEqual(compiled.stderr, "")

    def test_registers_of_a_statement(self):
        """They are variables of the lambda: each scope has its own, and a name with a number stands for several."""
        out = without_lines(rewrite(
            '__device__ void f() { asm("{ .reg .b32 t, r<2>; mov.b32 t, %1; { .reg .b32 t; mov.b32 t, 5; } @!p2 mov.b32 r1, t; }"'
            ' : "=r"(x) : "r"(y)); }'.replace("@!p2 ", "")))
        body = re.search(r"always_inline\)\) \{ (.*?); \}\(", out)
        self.assertIsNotNone(body, out)
        self.assertEqual(re.sub(r"\[\[maybe_unused\]\] |::emulator::ptx::", "", body[1]).split("; "),
                         [*(f"Register operand_{n}" for n in (2, 3, 4, 5)), "operand_2 = mov(operand_1)", "operand_5 = mov(5)",
                          "operand_4 = mov(operand_2)"])

    def test_ptx_with_an_if(self):
        """The preprocessor chooses among what the branches become; without an #else, what stands around them is a choice."""
        start, end = "__device__ void f() {\nasm(\"mov.b32 %0, 1;\"\n", '"mov.b32 %0, %1;" : "=r"(x) : "r"(y));\n}\n'
        one, two, add = (f"operand_0 = ::emulator::ptx::{call};" for call in ("mov(1)", "mov(operand_1)", "add<::emulator::ptx::u32>"))
        add = add.replace(";", "(operand_0, 7);")
        for directives, expected in (
            ('#if A\n"add.u32 %0, %0, 7;"\n#else\n#endif\n', ["#if A", one, add, two, "#else", one, two, "#endif"]),
            ('#ifdef A\n#elif B == 2\n"add.u32 %0, %0, 7;"\n#endif\n',
             ["#ifdef A", one, two, "#elif B == 2", one, add, two, "#else", one, two, "#endif"]),
        ):
            out = without_lines(rewrite(start + directives + end))
            self.assertEqual(re.findall(r"^ *(#.*?) *$|(operand_\d = .*?;)", out, re.MULTILINE),
                             [(each, "") if each.startswith("#") else ("", each) for each in expected])
        for refused in ('#if A\n#endif\n#if B\n#endif\n', '#if A\n#if B\n#endif\n#endif\n', '#if A\n"sad;"\n#endif\n'):
            with self.assertRaises(rewriter.RewriteError, msg=refused):
                rewrite(start + refused + end)
        with self.assertRaises(rewriter.RewriteError):
            rewrite(start + end.replace(': "=r"', '\n#if A\n: "=r"(z),\n#else\n: "=r"(x),\n#endif\n"=r"'))

    def test_ptx_that_macros_put_together(self):
        """Each text that there may be is a choice for the compiler, with what becomes of it."""
        function = "__device__ void f() { %s; }\n"
        made = '#define MADE(name, op) __device__ void name() { asm(op " %%0, %%1;" : "=r"(x) : "r"(y)); }\n%s'
        for text, texts in (
            ('#define OP "abs.s32"\n' + function % 'asm(OP " %0, %1;" : "=r"(x) : "r"(y))', ['"abs.s32" " %0, %1;"']),
            ('#if A\n#define OP "abs"\n#else\n#define OP "neg"\n#endif\n' + function % 'asm(OP ".s32" " %0, %1;" : "=r"(x) : "r"(y))',
             ['"abs" ".s32" " %0, %1;"', '"neg" ".s32" " %0, %1;"']),
            (made % 'MADE(g, "abs.s32")\nMADE(h, "neg.s64")\n', ['"abs.s32" " %0, %1;"', '"neg.s64" " %0, %1;"']),
            (made.replace("asm(op", "asm(#op") % "#define ALL(X) X(g, abs.s32) X(h, neg.s64)\nALL(MADE)\n",
             ['"abs.s32" " %0, %1;"', '"neg.s64" " %0, %1;"']),
            (made % '#define CALL(n) MADE(n##_, n##_OP)\n#define g_OP "abs.s32"\nCALL(g)\n', ['"abs.s32" " %0, %1;"']),
            ('#define TEXT(x) #x\n#define STRING(x) TEXT(x)\n#define N 1 + \\\n  2\n' +
             function % 'asm("mov.b32 %0, " STRING(N) ";" : "=r"(x))', []),
            ('#define TEXT(x) #x\n#define STRING(x) TEXT(x)\n#define N 12\n' +
             function % 'asm("mov.b32 %0, " STRING(N) ";" : "=r"(x))', ['"mov.b32 %0, " "12" ";"']),
            ('#define PTX(text) asm volatile(text)\n' + function % 'PTX("bar.sync " "0;")', ['"bar.sync " "0;"']),
            # Of asm that the host has nothing is known.
            ('#define CPUID "cpuid"\nint main() { asm volatile(CPUID : : "a"(0) : "ebx", "ecx", "edx"); }\n', None),
        ):
            if texts == []:
                with self.assertRaisesRegex(rewriter.RewriteError, r"in device code: mov.b32 %0, 1 \+ 2$"):
                    rewrite(text)
                continue
            out = without_lines(rewrite(text))
            self.assertEqual(re.findall(r"if constexpr \(ptx_text == (.*?)\) \{", out), texts or [])
            self.assertEqual("static_assert(sizeof(unknown) == 0" in out, texts is not None)
        for text, place, message in (
            (made % 'MADE(g, "abs.s32")\nMADE(h, "foo.s32")\n', "3:1", "foo.s32 %0, %1"),
            (function % 'asm(OP " %0, %1;" : "=r"(x) : "r"(y))', "1:23", "OP is no macro that these files define"),
            ('#ifdef A\n#define R "r"(y)\n#else\n#define R "r"(z)\n#endif\n' + function % 'asm("abs.s32 %0, %1;" : "=r"(x) : R)',
             "6:23", "operands that a macro puts together in several ways"),
            ('#define R "r"\n' + function % 'asm("abs.s32 %0, %1;" : "=r"(x) : R)', "2:23", "operands that a macro puts together"),
        ):
            with self.assertRaises(rewriter.RewriteError, msg=text) as caught:
                rewrite(text)
            self.assertIn(f"test.cu:{place}: error: not supported: inline PTX", str(caught.exception))
            self.assertIn(message, str(caught.exception))

    def test_operands_that_macros_put_together(self):
        """They become what they would be if they were written out."""
        macros = '#define R(x) "r"(x)\n#define OUT(y, i) "=r"((y)[i])\n#define TWO(m, y) m(y, 0), m(y, 1)\n#define Y TWO(OUT, y)\n'
        statement = '__device__ void f() { asm("add.u32 %%0, %%2, %%3; sub.u32 %%1, %%2, %%3;" : %s : %s); }'
        put_together = without_lines(rewrite(macros + statement % ("Y", 'R(a + 1), "r"(b)')))[len(macros):]
        written_out = without_lines(rewrite(statement % ('"=r"((y)[0]), "=r"((y)[1])', '"r"(a + 1), "r"(b)')))
        self.assertEqual(re.sub(r"\s", "", put_together), re.sub(r"\s", "", written_out))
        self.assertIn("variable<'r'>", put_together)

    def test_asm_that_nv_target_may_leave_out(self):
        """The compiler refuses it, if it comes across it."""
        out = rewrite('__device__ void f() { NV_DISPATCH_TARGET(NV_PROVIDES_SM_100, (asm("tcgen05.foo %0;" : : "r"(x)); g();), '
                      'NV_ANY_TARGET, (asm("trap;");)) }')
        self.assertIn('(static_assert(false, "not supported: inline PTX assembly (asm) in device code: tcgen05.foo %0"); g();)', out)
        self.assertIn("(::__trap();)", out)

    def test_declarations_of_builtin_variables(self):
        """As cuRAND's headers have them. Variables of others stay, and so do the program's own of these names."""
        for gone in "extern const dim3 blockDim;", "extern uint3 const threadIdx;", "extern const int warpSize;":
            self.assertEqual(without_lines(rewrite(f"{gone}\n__device__ int f();\n")).split(), "; __device__ int f();".split())
        for kept in "extern const dim3 blocks;", "extern dim3 blockDim[2];", "struct Grid { dim3 blockDim; };":
            self.assertIn(kept, without_lines(rewrite(f"{kept}\n__device__ int f();\n")))

    def test_other_words_for_asm(self):
        for define, use in (("PTX asm volatile", 'PTX("abs.s32 %0, %1;" : "=r"(x) : ARG(y))'),
                            ("PTX(...) asm(__VA_ARGS__)", 'PTX("abs.s32 %0, %1;" : "=r"(x) : "l"(y))')):
            out = without_lines(rewrite(f'#define {define}\n#define ARG "l"\n__device__ void f() {{ {use}; }}\n'))
            self.assertIn("operand_0 = ::emulator::ptx::abs<::emulator::ptx::s32>(operand_1); }", out)
            self.assertIn("value<(ARG)[0]>(y)" if "ARG(" in use else "value<'l'>(y)", re.sub(r"\(\s+", "(", out))

    def test_ptx_instructions(self):
        """They are calls in a lambda that gets each operand once, in order; in parentheses, for macros."""
        start, end = "__device__ void f() { ", "; }"
        for asm, instructions, wrapped in (
            (r'asm("mma.sync.aligned.m8n8k16.row.col.satfinite.s32.s8.u8.s32 {%0, %1}, %2, {%3}, {%0, %1};\n" : "+r"(c[i++]), '
             r'"+r"(d) : "r"(a), "r"(b))',
             "::emulator::ptx::mma({8, 8, 16, ::emulator::Element::s8, ::emulator::Element::u8, ::emulator::Element::s32, "
             "::emulator::MatrixProduct::Mode::saturate}, {operand_0, operand_1}, {operand_2}, {operand_3}, "
             "{operand_0, operand_1});",
             ["variable<'r'>(c[i++])", "variable<'r'>(d)", "value<'r'>(a)", "value<'r'>(b)"]),
            (r'asm volatile("{ ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [ %1 + 0x10 ]; // rows\n\t'.replace("{ ", "", 1)
             + r'" "cp.async.wait_group %2;" : "=r"(x) : "l"(f(a, b)), "n"(sizeof(T)) : "memory")',
             "::emulator::ptx::ldmatrix<1, true>({operand_0}, operand_1 + 0x10); "
             "::emulator::ptx::cp_async_wait_group(operand_2);",
             ["variable<'r'>(x)", "value<'l'>(f(a, b))", "value<'n'>(sizeof(T))"]),
        ):
            parameters = ", ".join(f"[[maybe_unused]] auto&& operand_{n}" for n in range(len(wrapped)))
            operands = ", ".join("::emulator::ptx::" + operand for operand in wrapped)
            expected = f"([]({parameters}) __attribute__((always_inline)) {{ {instructions} }}({operands}))"
            out = without_lines(rewrite(start + asm + end))
            self.assertEqual(re.sub(r"\s", "", out), re.sub(r"\s", "", start + expected + end))

    def test_simple_ptx(self):
        """What only reads a special register, or is another word for a function of CUDA's."""
        for asm, expected in (
            (r'asm("mov.u32 %0, %%laneid;" : "=r"(x))', "(x) = ::emulator::ptx::laneid()"),
            (r'asm volatile("mov.u32 %0, %smid;" : "=r"(a[i]) :: "memory")', "(a[i]) = ::emulator::ptx::smid()"),
            (r'__asm__ __volatile__("mov.u64\t%0 , %%clock64; \n\t" : "=l"(t) : )', "(t) = ::emulator::ptx::clock64()"),
            (r'asm("mov.u32 %0, %ntid.y;" : "=r"(n))', "(n) = ::blockDim.y"),
            (r'asm volatile("bar.sync 0;" ::: "memory")', "::__syncthreads()"),
            (r'asm("membar.gl;")', "::__threadfence()"),
            (r'asm volatile("" ::: "memory")', 'asm volatile("" ::: "memory")'),
        ):
            for start, end in (("__device__ void f() { ", "; }"), ("#define READ ", "")):
                out = without_lines(rewrite(start + asm + end))
                self.assertEqual(out.replace(" ;", ";").replace("( ", "("), start + expected + end)

    def test_left_to_the_compiler_where_it_may_be_skipped(self):
        for text in ("#ifdef NEVER\n#include <thrust/sort.h>\ncudaUserObject_t g;\n#endif\nint main() {}\n",
                     "#define GRAPH cudaUserObject_t g;\nint main() {}\n",
                     "__global__ void k() {\n#ifdef NEVER\nasm(\"cp.async;\");\n#endif\n}\nint main() {}\n"):
            out = rewrite(text)
            self.assertIn("GCC error", out)
            for compiler in COMPILERS:
                with tempfile.TemporaryDirectory() as folder:
                    with open(os.path.join(folder, "x.cpp"), "w", encoding="utf-8") as file:
                        file.write(MOCK.replace("#pragma once", "") + out)
                    command = [compiler, "-std=c++20", "-fsyntax-only", os.path.join(folder, "x.cpp")]
                    self.assertEqual(subprocess.run(command, check=False).returncode, 0)
                    active = subprocess.run(command + ["-DNEVER"], capture_output=True, text=True,
                                            check=False)
                    if "GRAPH" not in text:
                        self.assertRegex(active.stderr, r"test.cu:\d+:\d+: error: not supported")

    def test_comments_and_strings_are_fine(self):
        text = '// texture<float> asm("")\n#if 0\n#include <cub/cub.cuh>\n#endif\nconst char* s = "cudaUserObject_t";\n/*\n#include <mma.h>\n*/\n'
        self.assertEqual(rewrite(text), text)
        self.assertEqual(rewrite('void f() { asm volatile("" ::: "memory"); }'), 'void f() { asm volatile("" ::: "memory"); }')

    def test_errors_show_the_place(self):
        for text, place in (("void f() {\n  k<<<1, 1>>>;\n}", (2, 4)), ("void f() { <<<1, 1>>>(); }", (1, 12)),
                            ("k<<<>>>(1)", (1, 2)), ("k<<<1, 1>>>(1", (1, 12)), ("#define A k<<<1,\n", (1, 12))):
            with self.assertRaises(rewriter.RewriteError, msg=text) as caught:
                rewrite(text)
            self.assertEqual((caught.exception.line, caught.exception.column), place, text)


class Lambdas(Folder):
    def test_shared_variables_in_captures(self):
        self.run_program(r"""
            __global__ void k() {
                __shared__ int s, t;
                int x = 5, y = 6;
                auto reference = [&x] { s = x; };
                auto several = [x, &y] { t = s + x + y; };
                auto none = [] { s += t; };
                auto all = [&, x] { t += s + x; };
                auto copies = [=] { s += t + y; };
                reference(), several(), none(), all(), copies();
                std::printf("%d %d", s, t);
            }
            int main() { k<<<1, 1>>>(); }
            """, "69 42")

    def test_far_right_in_a_line_only_the_line_is_kept(self):
        out = rewrite(("int a; " * 2000 + "__global__ void k() {} int b; " * 50).strip() + "\n" + "error;")
        self.assertLess(len(out), 3 * 2000 * 7)
        self.assertEqual(out.splitlines()[-2:][1].strip(), "error;")
        errors = self.compile(COMPILERS[0], out, "-fsyntax-only").stderr
        self.assertRegex(errors, r"test\.cu:2:\d+: error: .*error")


def without_lines(text):
    """The output without its #line directives and what fills the columns after them."""
    text = re.sub(r'^#line 1 ".*"\n', "", text)
    return re.sub(r'\n#line \d+ ".*"\n[ \t]*', " ", text).replace("  ", " ").strip()


class Positions(Folder):
    """Compilers name the user's file, line and column."""

    def errors(self, compiler, text):
        out = self.compile(compiler, rewriter.rewrite(text, "user.cu"), "-fsyntax-only")
        found = re.findall(r"^(\S+?):(\d+):(\d+): error", out.stderr, re.MULTILINE)
        return {(name, int(line), int(column)) for name, line, column in found}, out.stderr

    def test_errors(self):
        for text in (
            "__global__ void k(int* p) {}\nint main() { k<<<1, @>>>(nullptr); }\n",
            "__global__ void k(int* p) {}\nint main() { k<<<@, 1>>>(nullptr); }\n",
            "__global__ void k(int* p) {}\nint main() { k<<<1,\n\t1>>>(nullptr,\n\t\t@); }\n",
            "__global__ void k(int* p) {}\nint main() { k<<<1, 1>>>(nullptr); @; }\n",
            "__global__ void k(int* p) {}\nint main() {\n  k<<<1, 1>>>(nullptr);\n  @;\n}\n",
            "__global__ void k(int* p) { @; }\n",
            "__global__ void k(int* p) { int x = 0;\n\t@;\n}\n",
            "__global__ void k(int* p) {} int x = @;\n",
            "__global__ void k(int* p) { __shared__ @ y; }\n",
            "__global__ void k(int* p) { __shared__ int a[4], b[@]; }\n",
            "__global__ void k(int* p) { __shared__ int a[4], b[2]; @; }\n",
            "__device__ int x; int y = @;\n",
            "__device__ int x = @;\n",
            "__global__ void k(int* p) {}\nint main() { @<<<1, 1>>>(nullptr); }\n",
            "#define CHECK(x) x\n__global__ void k() {}\nint main() { CHECK((k<<<1, 1>>>())); @; }\n",
            "#define LAUNCH(k, \\\n  n) k<<<1, \\\n n>>>()\n__global__ void k() {}\nint main() { LAUNCH(k, 1); @; }\n",
            "extern __shared__\n  float s[]; int y = @;\n",
            "#define SH(n) static \\\n __shared__ \\\n float n[4]\nint y = @;\n",
            "#define A(...) __VA_ARGS__\n__global__ void k() {}\nvoid f() { A(k<<<1,\n\n 1>>>();\n k<<<1, 1>>>();\n @); }\n",
        ):
            before = text[:text.index("@")]
            expected = ("user.cu", before.count("\n") + 1, len(before) - before.rfind("\n"))
            for compiler in COMPILERS:
                found, messages = self.errors(compiler, text.replace("@", "unknown"))
                self.assertIn(expected, found, f"{compiler}\n{text}\n{messages}")

    def test_line_macro(self):
        self.run_program("__global__ void k(int x) { std::printf(\"%d %d\\n\", x, __LINE__); }\n"
                         "int main() {\n k<<<1,\n  1>>>(\n  __LINE__);\n std::printf(\"%d\\n\", __LINE__); }\n", "5 1 6")


    def test_lines_behind_a_branch_that_is_skipped(self):
        text = """
            __global__ void k() {
            #ifdef NEVER
                __shared__ int a, b;
            #elif 1
                __shared__ int a, b, c;
                c = __LINE__;
            #else
                __shared__ int a;
            #endif
                a = b = __LINE__;
                std::printf("%d %d %d\\n", a, c, __LINE__);
            }
            int main() { k<<<1, 1>>>(); }"""
        self.run_program(text, "11 7 12")


class Includes(Folder):
    KERNEL = "#pragma once\n#include \"sub/b.cuh\"\n__global__ void a(int x) { std::printf(\"%d\\n\", twice(x)); }\n"

    def setUp(self):
        super().setUp()
        self.write("sub/b.cuh", "#ifndef B\n#define B\n#include \"../plain.h\"\n__device__ int table[2];\n"
                                "__device__ int twice(int x) { return plain(2 * x); }\n#endif\n")
        self.write("plain.h", "#pragma once\ninline int plain(int x) { return x; }\n")
        self.write("folder/a.cuh", self.KERNEL.replace("sub/b.cuh", "../sub/b.cuh"))
        self.main = self.write("main.cu", '#include "sub/b.cuh"\n  #  include <a.cuh>\n#include "plain.h"\n'
                                          "int main() { a<<<1, 1>>>(21); }\n")
        shutil.copy(os.path.join(EMULATOR, "compile"), self.path("compile"))
        for package in ("launcher", "rewriter"):
            shutil.copytree(os.path.join(EMULATOR, package), self.path(package),
                            ignore=shutil.ignore_patterns("__pycache__"))
        self.write("include/cuda_runtime.h", MOCK)

    def launch(self, *arguments):
        return subprocess.run([self.path("compile"), *arguments], capture_output=True, text=True, cwd=self.folder,
                              check=False)

    def test_headers_are_copied_and_it_runs(self):
        for compiler in COMPILERS:
            os.makedirs(self.path("out"), exist_ok=True)
            result = self.launch(compiler, "-std=c++20", "-I", "folder", "-MD", "-MT", "out/main.o", "-MF", "out/main.d",
                                 "-o", "out/main.o", "-c", "main.cu")
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            subprocess.run([compiler, self.path("out/main.o"), "-o", self.path("program")], check=True)
            self.assertEqual(subprocess.check_output([self.path("program")], text=True), "42\n")
            dependencies = self.read("out/main.d").replace("\\\n", " ").split()
            self.assertEqual(dependencies[0], "out/main.o:")
            for name in ("main.cu", "sub/b.cuh", "folder/a.cuh", "plain.h"):
                self.assertTrue(any(os.path.realpath(self.path(d)) == os.path.realpath(self.path(name))
                                    for d in dependencies), f"{name}: {dependencies}")
            self.assertFalse([d for d in dependencies if d.startswith("out/main.o.")])
            first = self.read("out/main.o.cpp")
            self.launch(compiler, "-std=c++20", "-Ifolder", "-o", "out/main.o", "-c", "main.cu")
            self.assertEqual(self.read("out/main.o.cpp"), first)

    def test_objects_depend_on_every_file_of_the_rewriter(self):
        result = self.launch(COMPILERS[0], "-std=c++20", "-I", "folder", "-MMD", "-o", "main.o", "-c", "main.cu")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        dependencies = set(self.read("main.d").replace("\\\n", " ").split())
        files = {os.path.join(folder, name) for package in ("launcher", "rewriter")
                 for folder, _, names in os.walk(self.path(package)) for name in names if name.endswith(".py")}
        self.assertGreater(len(files), 20)
        self.assertEqual(files - dependencies, set())

    def test_what_becomes_of_a_file_is_shown(self):
        """From any folder, and as a module too; and to files with -o."""
        for command in ([self.path("rewriter")], ["-m", "rewriter"]):
            shown = subprocess.run([sys.executable, *command, self.main, "-I", self.path("folder")], capture_output=True,
                                   text=True, cwd=self.folder, check=False)
            self.assertEqual((shown.returncode, shown.stderr), (0, ""))
            self.assertIn("(::emulator::Launch( 1, 1), a (21))", without_lines(shown.stdout))
        shown = subprocess.run([sys.executable, self.path("rewriter"), "main.cu", "-I", "folder", "-o", "out.cpp"],
                               capture_output=True, text=True, cwd=self.folder, check=False)
        self.assertEqual((shown.returncode, shown.stdout, shown.stderr), (0, "", ""))
        self.assertIn('#include "' + os.path.realpath(self.path("out.cpp.headers")), self.read("out.cpp"))

    def test_paths_with_blanks_and_letters_of_all_kinds(self):
        folder = self.path("a 'quoted' Übung, 日本")
        os.makedirs(folder)
        with open(os.path.join(folder, "größe 日.cuh"), "w", encoding="utf-8") as file:
            file.write("#pragma once\n__global__ void k() { std::puts(__FILE__); }\n")
        main = os.path.join(folder, "main.cu")
        for compiler in COMPILERS:
            with open(main, "w", encoding="utf-8") as file:
                file.write('#include "größe 日.cuh"\nint main() { k<<<1, 1>>>(); }\n')
            result = self.launch(compiler, "-std=c++20", "-o", os.path.join(folder, "main.o"), "-c", main)
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            subprocess.run([compiler, os.path.join(folder, "main.o"), "-o", self.path("program")], check=True)
            shown = subprocess.check_output([self.path("program")], encoding="utf-8")
            self.assertEqual(shown, os.path.join(folder, "größe 日.cuh") + "\n")
            with open(main, "a", encoding="utf-8") as file:
                file.write("oops;\n")
            result = self.launch(compiler, "-std=c++20", "-o", os.path.join(folder, "main.o"), "-c", main)
            self.assertIn(f"{main}:3:1: error:", result.stderr)

    def test_error_in_a_header(self):
        self.write("folder/a.cuh", self.read("folder/a.cuh").replace("twice(x)", "unknown"))
        for compiler in COMPILERS:
            result = self.launch(compiler, "-std=c++20", "-Ifolder", "-o", "main.o", "-c", "main.cu")
            self.assertNotEqual(result.returncode, 0)
            column = self.read("folder/a.cuh").splitlines()[2].index("unknown") + 1
            self.assertRegex(result.stderr, rf"(?m)^folder/a.cuh:3:{column}: error")

    def test_error_of_the_rewriter(self):
        self.write("main.cu", "int main() {\n  k<<<1>>>;\n}\n")
        result = self.launch("g++", "-o", "main.o", "-c", "main.cu")
        self.assertEqual(result.returncode, 1)
        self.assertTrue(result.stderr.startswith("main.cu:2:4: error: "), result.stderr)
        self.assertEqual([name for name in os.listdir(self.folder) if name.startswith("main.o")], [])

    def test_other_commands_run_as_they_are(self):
        self.write("x.cpp", "int main() { return 0; }\n")
        self.assertEqual(self.launch("g++", "-c", "x.cpp", "-o", "x.o").returncode, 0)
        self.assertEqual(self.launch("echo", "-o", "main.cu").stdout, "-o main.cu\n")
        self.assertEqual(self.launch("false").returncode, 1)

    def test_a_file_without_cuda(self):
        self.write("main.cu", "#include \"plain.h\"\nint main() { return plain(0); }\n")
        result = self.launch(COMPILERS[0], "-std=c++20", "-MD", "-o", "main.o", "-c", "main.cu")
        self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_byte_order_marks(self):
        self.write("k.cuh", "\xef\xbb\xbf#pragma once\r\n__global__ void k() {}\r\n")
        self.write("a.cu", '\xef\xbb\xbf#include "k.cuh"\r\nint main() { k<<<1, 1>>>(); }\r\n')
        result = self.launch(COMPILERS[0], "-std=c++20", "-o", "a.o", "-c", "a.cu")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.write("bad.cu", "\xef\xbb\xbf__global__ void k() { oops; }\r\n")
        self.assertIn("bad.cu:1:23: error:", self.launch(COMPILERS[0], "-o", "bad.o", "-c", "bad.cu").stderr)

    def test_names_that_are_not_latin(self):
        """A header with a kernel, and a folder that the copy of another header names."""
        for folder in ("ü日", 'with "quotes"'):
            self.write(f"{folder}/größe.cuh", "#pragma once\n__global__ void k() { oops; }\n")
            self.write(f"{folder}/plain.h", "#pragma once\n")
            text = '#include "größe.cuh"\n#include "plain.h"\n__global__ void l();\n'.encode().decode("latin-1")
            self.write(f"{folder}/both.cuh", text)
            self.write(f"{folder}/日.cu", '#include "both.cuh"\nint main() { k<<<1, 1>>>(); }\n')
            result = self.launch(COMPILERS[0], "-std=c++20", "-o", "a.o", "-c", f"{folder}/日.cu")
            errors = [line for line in result.stderr.splitlines() if "error" in line]
            self.assertEqual(len(errors), 1, result.stderr)
            self.assertTrue(errors[0].startswith(f"{folder}/größe.cuh:2:23: error:"), errors)
            self.assertEqual(len(os.listdir(self.path("a.o.headers"))), 2)
        self.write("a.cu", "#include <thrust/größe.h>\n".encode().decode("latin-1"))
        self.assertIn("not supported: <thrust/größe.h> (Thrust", self.launch("g++", "-c", "a.cu", "-o", "a.o").stderr)

    def test_no_source_is_overwritten(self):
        before = self.read("main.cu")
        os.link(self.path("main.cu"), self.path("link"))
        for command in ([sys.executable, os.path.join(EMULATOR, "rewriter"), "main.cu", "-o", "./main.cu"],
                        [self.path("compile"), "g++", "-c", "main.cu", "-o", "link"]):
            result = subprocess.run(command, capture_output=True, text=True, cwd=self.folder, check=False)
            self.assertNotEqual(result.returncode, 0)
            self.assertRegex(result.stderr, "would overwrite|is the same as output file")
            self.assertEqual(self.read("main.cu"), before)

    def test_cycles_end(self):
        self.write("x.cuh", "#pragma once\n#include \"y.cuh\"\ninline int x() { return 1; }\n")
        self.write("y.cuh", "#pragma once\n#include \"x.cuh\"\n__device__ int y;\n")
        self.write("main.cu", "#include \"x.cuh\"\n#include \"y.cuh\"\nint main() { return x() + y - 1; }\n")
        result = self.launch(COMPILERS[0], "-std=c++20", "-o", "main.o", "-c", "main.cu")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual(len(os.listdir(self.path("main.o.headers"))), 2)

    def test_macros_of_a_header(self):
        self.write("m.cuh", "#define KERNEL __global__ void\n#define ARGS(g, b) <<<g, b>>>\nextern __shared__ int dynamic[];\n")
        self.write("main.cu", "#include \"m.cuh\"\nKERNEL k() { dynamic[0] = 1; std::puts(\"k\"); }\nint main() { k ARGS(1, 1)(); }\n")
        result = self.launch(COMPILERS[0], "-std=c++20", "-o", "main.o", "-c", "main.cu")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        subprocess.run([COMPILERS[0], self.path("main.o"), "-o", self.path("program")], check=True)
        self.assertEqual(subprocess.check_output([self.path("program")], text=True), "k\n")


SNIPPETS = [
    "__device__ int f() {\n#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ > 1\n  return 1;\n#elif __CUDA_ARCH__\n#endif\n}\n",
    "__global__ void k(int* p) { __shared__ float t[4][5], u; t[0][0] = p[0]; }\n",
    "#define RUN(k, ...) k<<<1, \\\n  2>>>(__VA_ARGS__)\n", "#define KERNEL __global__ void\nKERNEL z() { }\n",
    "#if 0\nx<<<\n#else\n__device__ int x = 3;\n#endif\n", "#ifdef A\n__global__ void f() {\n#else\nvoid f() {\n#endif\n}\n",
    "extern __shared__ int s[];\n__device__ void g() { s[0] = 1; auto f = [=] { return s[0]; }; }\n",
    "void h() { if (x) a::k<A<B<int>>><<<dim3(1), 2>>>(p, [] { j<<<1, 1>>>(); }); else CHECK((k<<<1,\n1>>>(q))); }\n",
    "template <class T> __global__ void __launch_bounds__(T::a, 3) t(T x) { printf(\"%s\", __func__); }\n",
    "__constant__ float c[3] = {1, 2, 3}; static __device__ const char* name; // <<<\n",
    "__global__ void l() { __shared__ union { int a; } v, w[2]; struct S { __device__ void f() {} }; }\n",
]
VOCABULARY = """__CUDA_ARCH__ defined __global__ __device__ __host__ __shared__ __constant__ __launch_bounds__ extern static const struct union template
typename void int float k x ns T operator return if else namespace asm texture __func__ decltype HD ARGS ( ) ( ) [ ] { } { } < > <<< >>>
<< >> :: . -> , , ; ; ; = * & ## # ... 1 0x2 1'0 "s" 'c' R"(<<<)" // /* */ \\ \n \n \t #define #if #else #endif #include #ifdef
#line <<<1,1>>>(x) __global__ void k() {} __shared__ int""".split(" ")


class Fuzz(unittest.TestCase):
    CASES = 3000

    def make(self, rng):
        kind = rng.random()
        if kind < 0.4:
            words = [word for part in VOCABULARY for word in part.split("\n") if word]
            return "".join((eval_newline(rng.choice(words)) + rng.choice(["", " ", " ", "\n"]))
                           for _ in range(rng.randrange(60)))
        text = "".join(rng.choice(SNIPPETS) for _ in range(rng.randrange(1, 5)))
        for _ in range(rng.randrange(4)):
            a, b = sorted(rng.randrange(len(text) + 1) for _ in range(2))
            b = min(b, a + 8)
            text = rng.choice([text[:a] + text[b:], text[:a] + text[a:b] * 2 + text[b:],
                               text[:a] + rng.choice("<>(){}[];,#\\\"'\n") + text[a:]])
        return text

    def test_fuzz(self):
        seed = int(os.environ.get("FUZZ_SEED", random.SystemRandom().randrange(1 << 32)))
        print(f"fuzz seed {seed}", file=sys.stderr)
        rng = random.Random(seed)
        rewritten = 0
        for _ in range(int(os.environ.get("FUZZ_CASES", self.CASES))):
            text = self.make(rng)
            try:
                project = rewriter.Project(rewriter.Options())
                source = project.add("fuzz.cu", text)
                project.finish()
                renderer, out = project.render(source)
            except rewriter.RewriteError as error:
                self.assertLessEqual(error.line, text.count("\n") + 1)
                continue
            except Exception:
                print(repr(text), file=sys.stderr)
                raise
            if source.changed:
                rewritten += 1
                check_rendering(self, text, source, renderer, out)
            else:
                self.assertEqual(out, text)
        self.assertGreater(rewritten, 100)

    def test_what_once_was_a_traceback(self):
        for text in ("#define S __shared__ int x ##\n",
                     "typename ; -> return.\nif__shared__ texture1'0 0x2 xunion\n__host__\n<<< 1'0 */defined T {) 0x2 int { ]*/ "
                     "1'0 if -> x texture __global__\n{} \\\t }\n,; \t x\n}<\n"):
            project = rewriter.Project(rewriter.Options())
            try:
                source = project.add("fuzz.cu", text)
                project.finish()
            except rewriter.RewriteError:
                continue
            check_rendering(self, text, source, *project.render(source))

    def test_rendered_twice(self):
        """With marks on what is suspected, a file is rendered a second time."""
        project = rewriter.Project(rewriter.Options())
        source = project.add("test.cu", "int main() { k<<<1, 1>>>([] __device__ { printf(\"%d\", f()); }); }\n")
        project.finish()
        first = project.render(source)[1]
        self.assertIn("print)", first)
        self.assertEqual(project.render(source)[1], first)

    def test_snippets(self):
        for text in SNIPPETS:
            project = rewriter.Project(rewriter.Options())
            source = project.add("fuzz.cu", text)
            project.finish()
            check_rendering(self, text, source, *project.render(source))


def eval_newline(word):
    return {"\\n": "\n", "\\t": "\t", "\\\\": "\\\n"}.get(word, word)


def check_rendering(test, text, source, renderer, out):
    """All of the text outside edits is in the output, unchanged, where the compiler finds it at its line and column."""
    covered = bytearray(len(text))
    presumed = presumed_places(out)
    place = rewriter.LineTable(text).location
    output_place = rewriter.LineTable(out).location
    for at, start, length in renderer.copied:
        test.assertEqual(out[at:at + length], text[start:start + length], repr(text))
        test.assertEqual(sum(covered[start:start + length]), 0, repr(text))
        covered[start:start + length] = b"\1" * length
        if not any(first <= start <= last for kind in source.frozen.values() for first, last in kind) \
                and text[start:start + length].strip():
            first = start + len(text[start:start + length]) - len(text[start:start + length].lstrip())
            line, column = output_place(at + first - start)
            test.assertEqual((presumed[line], column), place(first), repr(text))
            before = text[first - column + 1:first], out[at + first - start - column + 1:at + first - start]
            test.assertEqual(*(re.sub(r"[^\t]", " ", part) for part in before), repr(text))
    for edit in source.edits:
        covered[edit.start:edit.end] = b"\1" * (edit.end - edit.start)
    test.assertEqual(covered.count(0), 0, repr(text))


def presumed_places(out):
    """For each line of the output, the number that #line gives it."""
    numbers, number = [0], 1
    for line in out.split("\n"):
        match = re.match(r'#line (\d+) "fuzz.cu"', line)
        numbers.append(number)
        number = int(match[1]) if match else number + 1
    return numbers


if __name__ == "__main__":
    unittest.main()

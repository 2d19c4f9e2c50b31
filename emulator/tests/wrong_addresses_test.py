"""What reports say of an index that leads out of an array: how far off it is, and what that hints at. And that no size
makes a call of the runtime API fall over."""

from __future__ import annotations

import os
import subprocess
import tempfile
import unittest
from pathlib import Path

NVCC = Path(__file__).resolve().parents[1] / "nvcc_cpu"
SOURCE = r"""
#include <cstdlib>
#include <cstring>

__global__ void store(float* x, long long i) { x[i] = 1; }
__global__ void in_int(double* x, int row, int columns) { x[row * columns] = 1; }
__global__ void below_zero(float* x, unsigned i) { x[i - 1] = 1; }
__global__ void one_of_two(const float* x, const float* weights, float* y) { *y = *x * (weights ? *weights : 1); }
__global__ void through(float** list, int i) { *list[i] = 1; }
__global__ void shared(int i) { __shared__ float own[4]; float* p = own; p[i] = 1; }

__global__ void dynamic(int i) {
    extern __shared__ float part[];
    float* second = part + 4;
    second[i] = 1;
}

__global__ void own_array(const float* x, float* y, int n) {
    float own[4];
    for (int i = 0; i < n; ++i) own[i] = x[i] - 1;  // goes far behind it
    y[n] = own[n % 4];
}

int main(int, char** words) {
    const auto is = [&](const char* word) { return std::strcmp(words[1], word) == 0; };
    float *d_x, **list;
    cudaMalloc(&d_x, 4000);
    cudaMalloc(&list, 8 * sizeof(float*));
    cudaMemset(list, 0, 8 * sizeof(float*));
    if (is("before")) store<<<1, 1>>>(d_x, -25);
    if (is("long_before")) store<<<1, 1>>>(d_x, -30000);
    if (is("behind")) store<<<1, 1>>>(d_x, 1000);
    if (is("far_behind")) store<<<1, 1>>>(d_x, 100000000);
    if (is("overflow")) in_int<<<1, 1>>>(reinterpret_cast<double*>(d_x), 100000, 30000);
    if (is("no_overflow")) store<<<1, 1>>>(d_x, 2147483648);
    if (is("below_zero")) below_zero<<<1, 1>>>(d_x, 0);
    if (is("null")) one_of_two<<<1, 1>>>(d_x, nullptr, nullptr);
    if (is("null_and_index")) store<<<1, 1>>>(nullptr, 5000000);
    if (is("null_in_memory")) through<<<1, 1>>>(list, 2);
    if (is("shared_before")) shared<<<1, 1>>>(-1);
    if (is("shared_behind")) shared<<<1, 1>>>(4);
    if (is("dynamic_before")) dynamic<<<1, 1, 32>>>(-5);
    if (is("dynamic_behind")) dynamic<<<1, 1, 32>>>(4);
    if (is("dynamic_far")) dynamic<<<1, 1, 32>>>(1000000);
    if (is("dynamic_forgotten")) dynamic<<<1, 1>>>(0);
    cudaDeviceSynchronize();
    if (is("host")) {
        float* managed;
        cudaMallocManaged(&managed, 4000);
        volatile float* behind = managed + 30000;
        behind[0] = 1;
    }
    if (is("nowhere")) cudaMalloc(reinterpret_cast<void**>(48), 4);  // in no page
    if (is("refused")) store<<<1, 1025>>>(d_x, 0);
    if (is("own_array")) {
        cudaMemset(d_x, 0, 4000);
        own_array<<<1, 1>>>(d_x, d_x + 500, 32);
        std::exit(cudaDeviceSynchronize() == cudaErrorIllegalAddress ? 0 : 1);
    }
    if (is("freed")) cudaFree(d_x), cudaMemcpy(list, d_x, 4, cudaMemcpyDeviceToDevice);
}
"""
# Each call with each size, on all kinds of memory, of which there are 64 bytes. One end of each copy is CUDA's, so that all
# large copies are refused.
SIZES = r"""
#include <cstdio>
#include <cstdlib>

__device__ char variable[64];
__constant__ char table[64];
static char fixed[64];
static void* made;

int main() {
    char stack[64] = {}, *heap = static_cast<char*>(std::malloc(64)), *mapped, *managed, *device, *freed;
    char* registered = static_cast<char*>(std::calloc(64, 1));
    cudaHostAlloc(&mapped, 64, cudaHostAllocMapped);
    cudaMallocManaged(&managed, 64);
    cudaMalloc(&device, 64);
    cudaMalloc(&freed, 64);
    cudaFree(freed);
    cudaHostRegister(registered, 64, cudaHostRegisterDefault);
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    const auto box = [](char* p, std::size_t n) { return make_cudaPitchedPtr(p, n, n, 1); };
    unsigned long calls = 0;
    const auto call = [&](auto... answers) { calls += sizeof...(answers); };
    for (const std::size_t n : {std::size_t{0}, std::size_t{1}, std::size_t{1} << 20, std::size_t{1} << 40, ~std::size_t{0}}) {
        for (char* one : {stack, heap, fixed, registered, mapped, managed, device, freed, device + 100, device + n}) {
            for (char* other : {mapped, managed, device})
                for (const auto& [to, from] : {std::pair(one, other), std::pair(other, one)}) {
                    for (int k = 0; k < 5; ++k) {
                        const auto kind = static_cast<cudaMemcpyKind>(k);
                        cudaMemcpy3DParms p{};
                        p.srcPtr = box(from, n), p.dstPtr = box(to, n), p.extent = make_cudaExtent(n, 1, 1), p.kind = kind;
                        call(cudaMemcpy(to, from, n, kind), cudaMemcpyAsync(to, from, n, kind, stream),
                             cudaMemcpy2D(to, n, from, n, n, 1, kind), cudaMemcpy2D(to, 64, from, 64, 64, n, kind),
                             cudaMemcpy2DAsync(to, 64, from, 64, 64, n, kind, stream), cudaMemcpy3D(&p),
                             cudaMemcpy3DAsync(&p, stream));
                    }
                    void* tos[] = {to};
                    const void* froms[] = {from};
                    std::size_t sizes[] = {n};
                    cudaMemcpyAttributes how{};
                    how.srcAccessOrder = cudaMemcpySrcAccessOrderDuringApiCall;
                    call(cudaMemcpyPeer(to, 0, from, 0, n), cudaMemcpyPeerAsync(to, 0, from, 0, n, stream),
                         cudaMemcpyBatchAsync(tos, froms, sizes, 1, how, stream));
                }
            call(cudaMemset(one, 0, n), cudaMemsetAsync(one, 0, n, stream), cudaMemset2D(one, 64, 0, 64, n),
                 cudaMemset2DAsync(one, 64, 0, 64, n, stream), cudaMemset3D(box(one, n), 0, make_cudaExtent(n, 1, 1)),
                 cudaMemcpyToSymbol(variable, one, n), cudaMemcpyToSymbol(table, one, 1, n),
                 cudaMemcpyToSymbolAsync(table, one, n, 0, cudaMemcpyDefault, stream),
                 cudaMemcpyFromSymbol(one, variable, n), cudaMemcpyFromSymbol(one, variable, 1, n),
                 cudaMemcpyFromSymbolAsync(one, table, n, 0, cudaMemcpyDefault, stream),
                 cudaMemPrefetchAsync(one, n, {cudaMemLocationTypeDevice, 0}, 0, stream),
                 cudaMemAdvise(one, n, cudaMemAdviseSetReadMostly, {cudaMemLocationTypeDevice, 0}),
                 cudaStreamAttachMemAsync(stream, one, n));
            if (one != registered && cudaHostRegister(one, n, cudaHostRegisterDefault) == cudaSuccess) cudaHostUnregister(one);
        }
        std::size_t pitch;
        cudaPitchedPtr pitched{};
        for (int i = 0; i < 7; ++i) {
            made = nullptr;
            const cudaError_t error = i == 0   ? cudaMalloc(&made, n)
                                      : i == 1 ? cudaMallocHost(&made, n)
                                      : i == 2 ? cudaMallocManaged(&made, n)
                                      : i == 3 ? cudaMallocPitch(&made, &pitch, n, 2)
                                      : i == 4 ? cudaMalloc3D(&pitched, make_cudaExtent(n, n, n))
                                      : i == 5 ? cudaMallocAsync(&made, n, stream)
                                               : cudaMallocPitch(&made, &pitch, 64, n);
            call(error, error == cudaSuccess && i == 1 ? cudaFreeHost(made) : cudaFree(i == 4 ? pitched.ptr : made));
        }
    }
    cudaDeviceSynchronize();
    std::printf("%lu calls\n", calls);
}
"""
NEGATIVE = "The index is negative: often it is i - 1 where i is 0, or i - n where i is less than n."
PERHAPS_NEGATIVE = "Often the index is negative, or it was meant for another array."
OVERFLOW = "The index is negative and has probably overflowed int"
NEAR_INT_MAX = "The index is near 2147483648 or more, and has probably overflowed int"
WRAPPED = "The index is a little less than 4294967296: often it is i - 1 where i is 0 and unsigned."
NO_THIRD = "The launch has no third argument, the number of bytes"
TOO_LARGE = "with <= where < was meant"
HINTS = NEGATIVE, PERHAPS_NEGATIVE, OVERFLOW, NEAR_INT_MAX, WRAPPED, TOO_LARGE, NO_THIRD
# The case, the hint, and what else is said.
CHECKED = [
    ("before", NEGATIVE, "4 bytes, 100 bytes before d_x (4000 bytes, made at wrong.cu:"),
    ("long_before", PERHAPS_NEGATIVE, "4 bytes, 120000 bytes before d_x (4000 bytes, "),
    ("behind", TOO_LARGE, "4 bytes, 0 bytes past the end of d_x (4000 bytes, "),
    ("far_behind", TOO_LARGE, "No allocation is there. That is "),
    ("overflow", OVERFLOW, "bytes before the nearest one, d_x (4000 bytes, made at wrong.cu:"),
    ("overflow", OVERFLOW, "as an index of elements of 8 bytes that would be -1294967296."),
    ("no_overflow", NEAR_INT_MAX, "past the end of the nearest one, list (64 bytes, "),
    ("below_zero", WRAPPED, "past the end of the nearest one, list (64 bytes, "),
    ("null", None, "Nothing is there. These parameters of the kernel are null: weights, y."),
    ("null_and_index", None, "Nothing is there. The kernel's parameter x is null."),
    ("null_in_memory", None, "Nothing is there.\n"),
    ("shared_before", NEGATIVE, "own[-1] in shared memory, declared as own[4]"),
    ("shared_behind", TOO_LARGE, "own[4] in shared memory, declared as own[4]"),
    ("dynamic_before", NEGATIVE,
     "part[-1], 4 bytes, 4 bytes before the 32 bytes of dynamic shared memory that the launch asks for"),
    ("dynamic_behind", TOO_LARGE,
     "part[8], 4 bytes, 0 bytes past the end of the 32 bytes of dynamic shared memory that the launch asks for"),
    ("dynamic_far", TOO_LARGE, "part[1000004], 4 bytes, 3999984 bytes past the end of the 32 bytes of dynamic shared memory"),
    ("nowhere", None, "emulator: the emulator's own code faulted at memory.cpp:"),
    ("nowhere", None, ", address 0x30, in the call at wrong.cu:53. If the pointers that the call gets are right, that is a "
                      "mistake of the emulator's: please report it, with the program.\n"),
    ("dynamic_forgotten", NO_THIRD, "past the end of the 0 bytes of dynamic shared memory that the launch asks for"),
]
PLAIN = [
    ("long_before", PERHAPS_NEGATIVE, "120000 bytes before an allocation of 4000 bytes"),
    ("far_behind", None, "which is in no allocation: "),
    ("overflow", OVERFLOW, " bytes before the nearest one, which has "),
    ("no_overflow", NEAR_INT_MAX, "bytes past the end of the nearest one, which has "),
    ("below_zero", WRAPPED, "bytes past the end of the nearest one, which has "),
    ("null", None, "which is in no allocation: a pointer is null\n"),
    ("null_and_index", None, "wrote to address 0x1312d00 at wrong.cu:"),
    ("host", None, "emulator: host code touched no memory at wrong.cu:51: address 0x"),
    ("host", None, ", 116000 bytes past the end of an allocation of 4000 bytes"),
    ("nowhere", None, "in the call at wrong.cu:53. If the pointers that the call gets are right, that is a mistake of the "),
    ("dynamic_forgotten", None, "stores in dynamic shared memory, and the launch asks for none: the third argument is missing"),
    ("refused", None, " at wrong.cu:54 is refused: blockDim.x is 1025, and the limit is 1024.\n"),
    ("own_array", None, "a thread of block (0,0,0) has overwritten its stack: often an array of its own is too small"),
    ("freed", None, "emulator: cudaMemcpy at wrong.cu:60: The source begins 0 bytes into a freed allocation of 4000 bytes "
                    "(freed at wrong.cu:60).\n"),
]


class WrongAddresses(unittest.TestCase):
    folder: tempfile.TemporaryDirectory[str]

    @classmethod
    def setUpClass(cls) -> None:
        cls.folder = tempfile.TemporaryDirectory()
        for name, text in (("", SOURCE), ("_sizes", SIZES)):
            source = Path(cls.folder.name, f"wrong{name}.cu")
            source.write_text(text)
            for form, option in (("plain", "-O2"), ("checked", "--check")):
                subprocess.run([NVCC, option, "-std=c++20", "-o", source.with_name(form + name), source], check=True)

    @classmethod
    def tearDownClass(cls) -> None:
        cls.folder.cleanup()

    def check(self, form: str, cases: list[tuple[str, str | None, str]]) -> None:
        for case, hint, also in cases:
            with self.subTest(form=form, case=case):
                done = subprocess.run([Path(self.folder.name, form), case], cwd=self.folder.name, capture_output=True,
                                      text=True, check=False, timeout=100)
                self.assertIn(also, done.stderr)
                self.assertEqual([each for each in HINTS if each in done.stderr], [hint] if hint else [], done.stderr)

    def test_checked(self) -> None:
        self.check("checked", CHECKED)

    def test_plain(self) -> None:
        self.check("plain", PLAIN)

    def test_sizes(self) -> None:
        for form, status in (("plain", 0), ("checked", 5)):
            for order in ("", "3"):  # the seed with which work stays in its stream
                with self.subTest(form=form, order=order):
                    environment = os.environ | ({"EMULATOR_SHUFFLE": order} if order else {})
                    done = subprocess.run([Path(self.folder.name, form + "_sizes")], env=environment, capture_output=True,
                                          text=True, check=False, timeout=100)
                    self.assertEqual((done.returncode, done.stdout), (status, "12170 calls\n"), done.stderr[-2000:])


if __name__ == "__main__":
    unittest.main()

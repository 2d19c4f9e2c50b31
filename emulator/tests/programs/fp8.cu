// Numbers of 8 bits: each conversion is compared with the nearest of all 256, found by trying them.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_fp8.h>
#include <vector>

// What the bits mean, by the definition of the formats.
static double meaning(unsigned code, bool e4m3) {
    const int bits = e4m3 ? 3 : 2, bias = e4m3 ? 7 : 15, exponent = (code & 0x7f) >> bits, fraction = code & ((1 << bits) - 1);
    if (e4m3 ? (code & 0x7f) == 0x7f : exponent == 31 && fraction != 0) return NAN;
    const double sign = code & 0x80 ? -1 : 1;
    if (!e4m3 && exponent == 31) return sign * INFINITY;
    const double part = fraction / double(1 << bits);
    return sign * (exponent == 0 ? part * std::pow(2.0, 1 - bias) : (1 + part) * std::pow(2.0, exponent - bias));
}

// The codes of finite positive numbers ascend. Above the last one follows what would be the next.
static unsigned nearest(double x, bool e4m3, bool saturate) {
    if (x != x) return 0x7f;
    const unsigned last = e4m3 ? 0x7e : 0x7b, sign = std::signbit(x) ? 0x80 : 0;
    const double size = std::fabs(x), beyond = e4m3 ? 480 : 65536;
    unsigned best = 0;
    double distance = size;
    for (unsigned code = 1; code <= last + 1; ++code) {
        const double d = std::fabs(size - (code <= last ? meaning(code, e4m3) : beyond));
        if (d < distance || (d == distance && code % 2 == 0)) best = code, distance = d;
    }
    if (size >= beyond) best = last + 1;
    return sign | (best > last && saturate ? last : best);
}

__global__ void convert(const float* x, int n, unsigned char* codes, __nv_fp8_e4m3* e4m3, __nv_fp8_e5m2* e5m2) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    for (int k = 0; k < 4; ++k)
        codes[4 * i + k] = __nv_cvt_float_to_fp8(x[i], k % 2 ? __NV_SATFINITE : __NV_NOSAT, k / 2 ? __NV_E5M2 : __NV_E4M3);
    e4m3[i] = __nv_fp8_e4m3(x[i]);
    e5m2[i] = __nv_fp8_e5m2(x[i]);
}

__global__ void widen(float* results) {
    const unsigned char code = threadIdx.x;
    __nv_fp8_e4m3 a;
    __nv_fp8_e5m2 b;
    a.__x = b.__x = code;
    results[4 * code] = float(a);
    results[4 * code + 1] = float(b);
    results[4 * code + 2] = __half2float(__half(__nv_cvt_fp8_to_halfraw(code, __NV_E4M3)));
    results[4 * code + 3] = __half2float(__half(b));
}

static int failures = 0;
static void expect(unsigned got, unsigned expected, const char* what, double x) {
    if (got != expected && ++failures < 10) std::printf("%s of %.17g: expected %02x, got %02x\n", what, x, expected, got);
}

int main() {
    const char* given = std::getenv("SEED");
    const unsigned seed = given ? std::atoi(given) : 20;
    std::srand(seed);
    std::printf("seed %u\n", seed);

    float* wide;
    cudaMallocManaged(&wide, 4 * 256 * sizeof(float));
    widen<<<1, 256>>>(wide);
    cudaDeviceSynchronize();
    for (int i = 0; i < 4 * 256; ++i) {
        const float expected = meaning(i / 4, i % 2 == 0);
        const bool same = expected != expected ? wide[i] != wide[i]
                                               : wide[i] == expected && std::signbit(wide[i]) == std::signbit(expected);
        if (!same && ++failures < 10) std::printf("%02x as %s: got %g\n", i / 4, i % 2 ? "e5m2" : "e4m3", wide[i]);
    }

    // Each number, what is half-way to the next, the neighbours of both, and random ones.
    std::vector<float> x = {NAN, -NAN, INFINITY, -INFINITY, 0.0f, -0.0f, 1e-30f, -1e-45f, 3e38f};
    for (unsigned code = 0; code < 256; ++code)
        for (bool e4m3 : {false, true}) {
            const double a = meaning(code, e4m3), b = meaning(code ^ 1, e4m3), c = meaning(code + 1, e4m3);
            for (double y : {a, (a + b) / 2, (a + c) / 2, a * 1.5}) {
                const float f = y;
                x.insert(x.end(), {f, std::nextafterf(f, INFINITY), std::nextafterf(f, -INFINITY)});
            }
        }
    while (x.size() < 30011) {
        const float f = std::ldexp(1 + std::rand() / (RAND_MAX + 1.0), std::rand() % 44 - 24);
        x.push_back(std::rand() % 2 ? f : -f);
    }
    const int n = x.size();
    float* in;
    unsigned char* codes;
    __nv_fp8_e4m3* e4m3;
    __nv_fp8_e5m2* e5m2;
    cudaMallocManaged(&in, n * sizeof(float));
    cudaMallocManaged(&codes, 4 * n);
    cudaMallocManaged(&e4m3, n);
    cudaMallocManaged(&e5m2, n);
    std::memcpy(in, x.data(), n * sizeof(float));
    std::memset(codes, 0xa5, 4 * n);
    convert<<<(n + 255) / 256, 256>>>(in, n, codes, e4m3, e5m2);
    if (cudaDeviceSynchronize() != cudaSuccess) return std::puts("FAILED"), 1;
    for (int i = 0; i < n; ++i) {
        for (int k = 0; k < 4; ++k) expect(codes[4 * i + k], nearest(x[i], k < 2, k % 2), k < 2 ? "e4m3" : "e5m2", x[i]);
        expect(e4m3[i].__x, nearest(x[i], true, true), "__nv_fp8_e4m3", x[i]);
        expect(e5m2[i].__x, nearest(x[i], false, true), "__nv_fp8_e5m2", x[i]);
    }

    // All halves, and doubles that a float would have rounded to a tie.
    for (unsigned i = 0; i < 65536; ++i) {
        __half_raw raw;
        raw.x = i;
        const float f = __half2float(__half(raw));
        if (f == f) expect(__nv_fp8_e4m3(__half(raw)).__x, nearest(f, true, true), "half", f);
    }
    expect(__nv_fp8_e4m3(1.0625).__x, 0x38, "tie", 1.0625);
    expect(__nv_fp8_e4m3(1.0625 + 1e-12).__x, 0x39, "above a tie", 1.0625 + 1e-12);
    expect(__nv_fp8_e5m2(-1.125 - 1e-12).__x, 0xbd, "below a tie", -1.125 - 1e-12);
    const float4 back = float4(__nv_fp8x4_e4m3(make_float4(1, -2, 0.5f, 1000)));
    if (back.x != 1 || back.y != -2 || back.z != 0.5f || back.w != 448) ++failures, std::puts("four numbers");
    if (int(__nv_fp8_e5m2(7)) != 7 || bool(__nv_fp8_e4m3(-0.0f))) ++failures, std::puts("whole numbers");
    std::puts(failures == 0 ? "PASSED" : "FAILED");
    return failures != 0;
}

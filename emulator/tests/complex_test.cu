// Complex numbers of cuComplex.h, on a GPU and on the emulator alike.

#include <cuComplex.h>

#include <cmath>
#include <complex>

#include "device.h"
#include "testing.h"

namespace {

constexpr int operations = 8;

__global__ void compute(const cuDoubleComplex* in, int n, cuDoubleComplex* out, cuFloatComplex* float_out) {
    const int i = static_cast<int>(threadIdx.x);
    const cuDoubleComplex a = in[i], b = in[(i + 1) % n], c = in[(i + 2) % n];
    const cuDoubleComplex results[operations] = {cuCadd(a, b),    cuCsub(a, b),
                                                 cuCmul(a, b),    cuCdiv(a, b),
                                                 cuConj(a),       make_cuDoubleComplex(cuCabs(a), 0),
                                                 cuCfma(a, b, c), make_cuDoubleComplex(cuCimag(a), cuCreal(a))};
    const cuComplex x = cuComplexDoubleToFloat(a), y = cuComplexDoubleToFloat(b), z = cuComplexDoubleToFloat(c);
    const cuComplex float_results[operations] = {cuCaddf(x, y),    cuCsubf(x, y),
                                                 cuCmulf(x, y),    cuCdivf(x, y),
                                                 cuConjf(x),       make_cuComplex(cuCabsf(x), 0),
                                                 cuCfmaf(x, y, z), make_cuFloatComplex(cuCimagf(x), cuCrealf(x))};
    for (int k = 0; k < operations; ++k) {
        out[operations * i + k] = results[k];
        float_out[operations * i + k] = float_results[k];
    }
}

// Largest error of one operation on numbers of size 1 to 4: a few roundings of values that are no larger than 32.
template <class Results>
double worst(const Results& results, const std::vector<std::complex<double>>& expected) {
    double error = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const std::complex<double> actual(results[i].x, results[i].y);
        const double difference = std::abs(actual - expected[i]);
        error = difference >= 0 ? std::max(error, difference) : std::numeric_limits<double>::infinity();  // not for NaN
    }
    return error;
}

}  // namespace

TEST_CASE("complex numbers", "[emulator]") {
    constexpr int n = 61;
    const auto random = random_values<int>(2 * n);
    std::vector<std::complex<double>> in, expected;
    std::vector<double2> pairs;
    for (std::size_t i = 0; i < 2 * n; i += 2) {
        // Floats hold them exactly, and none is near zero.
        const double real = 1 + (random[i] & 0x3fff) / 16384.0, imaginary = (random[i + 1] & 0x3fff) / 16384.0;
        in.emplace_back(random[i] < 0 ? -real : real, random[i + 1] < 0 ? -imaginary : imaginary);
        pairs.push_back(make_double2(in.back().real(), in.back().imag()));
    }
    for (std::size_t i = 0; i < n; ++i) {
        const auto a = in[i], b = in[(i + 1) % n], c = in[(i + 2) % n];
        expected.insert(expected.end(), {a + b, a - b, a * b, a / b, std::conj(a), std::abs(a), a * b + c,
                                         std::complex<double>(a.imag(), a.real())});
    }
    const auto d_in = DeviceBuffer<double2>::from_host(pairs);
    DeviceBuffer<double2> out(n * operations);
    DeviceBuffer<float2> float_out(n * operations);
    CUDA_CHECK(cudaMemset(out.data(), 0xff, n * operations * sizeof(double2)));
    CUDA_CHECK(cudaMemset(float_out.data(), 0xff, n * operations * sizeof(float2)));
    compute<<<1, n>>>(d_in.data(), n, out.data(), float_out.data());
    CUDA_CHECK_LAUNCH();
    REQUIRE(worst(out.to_host(), expected) < 32 * 4 * std::numeric_limits<double>::epsilon());
    REQUIRE(worst(float_out.to_host(), expected) < 32 * 4 * std::numeric_limits<float>::epsilon());
}

TEST_CASE("complex quotients and absolute values of extreme size", "[emulator]") {
    const auto near = [](double actual, double expected) { return std::fabs(actual / expected - 1) < 1e-5; };
    const float huge = 1e38f, tiny = 1e-37f;
    const cuFloatComplex one = cuCdivf(make_cuFloatComplex(huge, huge), make_cuFloatComplex(huge, huge));
    REQUIRE(near(one.x, 1));
    REQUIRE(std::fabs(one.y) < 1e-5f);
    REQUIRE(near(cuCabsf(make_cuFloatComplex(tiny, tiny)), std::sqrt(2.0) * tiny));
    REQUIRE(near(cuCabsf(make_cuFloatComplex(huge, -huge)), std::sqrt(2.0) * huge));
    REQUIRE(cuCabs(make_cuDoubleComplex(0, 0)) == 0);
    REQUIRE(std::isinf(cuCabsf(make_cuFloatComplex(-HUGE_VALF, 1))));
}

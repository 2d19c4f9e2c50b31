#include "checker.h"

#include <cmath>
#include <cstring>
#include <string>

using namespace exercise;

cudaError_t layer_norm(const float* in, const float* gain, const float* shift, float* out, int rows, int columns);

namespace {

constexpr float epsilon = 1e-5f;

std::size_t free_memory() {
    std::size_t free = 0, all = 0;
    CUDA_CHECK(cudaMemGetInfo(&free, &all));
    return free;
}

// Calls the answer; what it throws is a mistake of its own.
cudaError_t ask(const float* in, const float* gain, const float* shift, float* out, int rows, int columns) {
    const std::size_t before = free_memory();
    answer_follows();
    cudaError_t error = cudaSuccess;
    try {
        error = layer_norm(in, gain, shift, out, rows, columns);
    } catch (const std::exception& thrown) {
        require(false, std::string("layer_norm() threw an exception, and should return an error: ") + thrown.what());
    }
    cudaGetLastError();  // one that was returned may be there still
    answer_is_done();
    require(!on_emulator() || free_memory() == before,
            "device memory was not given back: cudaFree() is missing on this way");
    return error;
}

// Multiples of 1/8 that lie within 2 of a number of each row's own, so that sums of a row are exact as floats.
std::vector<float> about_one_number_each(int rows, int columns) {
    constexpr float middles[] = {1000, -1000, 0, 100};
    std::vector<float> values;
    for (const int eighths : random_values<int>(static_cast<std::size_t>(rows) * columns, -16, 16)) {
        const std::size_t row = values.size() / columns, j = values.size() % columns;
        const float distance = j == 0 ? 2.0f : j == 1 ? -2.0f : static_cast<float>(eighths) / 8;
        values.push_back(middles[row % 4] + distance);
    }
    return values;
}

// With a variance about as large as epsilon.
std::vector<float> close_together(int rows, int columns) {
    std::vector<float> values;
    for (const int part : random_values<int>(static_cast<std::size_t>(rows) * columns, -16, 16))
        values.push_back(static_cast<float>(part) / 4096);
    return values;
}

std::vector<float> all_equal(int rows, int columns) {
    const std::vector<float> of_row = similar_values<float>(rows);
    std::vector<float> values;
    for (const float value : of_row) values.insert(values.end(), columns, value);
    return values;
}

void succeed(const std::vector<float>& values, int rows, int columns) {
    const HostInput<float> in(values);
    const HostInput<float> gain(similar_values<float>(columns));
    const HostInput<float> shift(similar_values<float>(columns));
    std::vector<float> out(values.size());
    std::memset(out.data(), 0xff, out.size() * sizeof(float));

    const cudaError_t error = ask(in.data(), gain.data(), shift.data(), out.data(), rows, columns);
    require(error == cudaSuccess, std::string("nothing failed, and layer_norm() returned ") + cudaGetErrorName(error));

    std::string wrong;
    for (int row = 0; row < rows && wrong.empty(); ++row) {
        const float* own = &values[static_cast<std::size_t>(row) * columns];
        double mean = 0, variance = 0;
        for (int j = 0; j < columns; ++j) mean += double{own[j]} / columns;
        for (int j = 0; j < columns; ++j) variance += (own[j] - mean) * (own[j] - mean) / columns;
        for (int j = 0; j < columns && wrong.empty(); ++j) {
            const float got = out[static_cast<std::size_t>(row) * columns + j];
            const double normal = (own[j] - mean) / std::sqrt(variance + epsilon);
            const double expected = normal * gain.values[j] + shift.values[j];
            // A float near 1,000 is rounded by 3e-5. That is for the mean, and for a hundred times as much.
            if (std::abs(got - expected) <= 3e-3 * std::abs(gain.values[j])) continue;
            unsigned bits;
            std::memcpy(&bits, &got, sizeof bits);
            wrong = "out[" + std::to_string(row) + "][" + std::to_string(j) + "] is " + shown(got) + ", expected " +
                    shown(expected) + "; of " + std::to_string(rows) + " x " + std::to_string(columns) + " numbers. " +
                    (bits == ~0u ? "Perhaps nothing was written there"
                                 : "This row has the mean " + shown(mean) + " and the variance " + shown(variance));
        }
    }
    require(wrong.empty(), wrong);
    const std::size_t bytes = values.size() * sizeof(float);
    if (bytes > 0) require_from_kernels("out", out.data(), bytes, bytes);
}

// what: the step that cannot work.
void fail(const float* in, const float* gain, const float* shift, int rows, const std::string& what,
          cudaError_t right) {
    const std::vector<float> before = distinct_values<float>(300);
    std::vector<float> out = before;
    const cudaError_t error = ask(in, gain, shift, out.data(), rows, 100);
    require(error == right, what + ", and layer_norm() returned " +
                                (error == cudaSuccess ? "" : "the error of something else: ") +
                                cudaGetErrorName(error));
    require(out == before, what + ", and out was changed all the same");
}

}  // namespace

void check() {
    for_sizes(
        {0, 1, 2, 31, 32, 33, 257, 1033}, [](int n) { succeed(about_one_number_each(5, n), 5, n); }, "5 rows of n");
    for_sizes(
        {0, 1, 3, 4, 33, 257}, [](int n) { succeed(about_one_number_each(n, 7), n, 7); }, "n rows of 7");
    for_sizes(
        {1, 33, 100}, [](int n) { succeed(all_equal(3, n), 3, n); }, "all numbers of a row equal");
    for_sizes(
        {33, 100}, [](int n) { succeed(close_together(3, n), 3, n); }, "a variance as small as epsilon");
    const std::vector<float> some = distinct_values<float>(300);
    const float* given = some.data();
    for_case("a launch that needs too many registers", [&] {
        if (!on_emulator()) return succeed(some, 3, 100);  // where that cannot be brought about
        refuse_launches(true);
        fail(given, given, given, 3, "the launch failed", cudaErrorLaunchOutOfResources);
        refuse_launches(false);
    });
    for_case("2^30 rows of 100",
             [&] { fail(given, given, given, 1 << 30, "cudaMalloc() failed", cudaErrorMemoryAllocation); });
    for (const std::string null : {"in", "gain", "shift"})
        for_case(null + " is null", [&] {
            fail(null == "in" ? nullptr : given, null == "gain" ? nullptr : given, null == "shift" ? nullptr : given, 3,
                 "a copy to the device failed", cudaErrorInvalidValue);
        });
    for_case("an error was left there before", [&] {
        void* nothing = nullptr;
        cudaMalloc(&nothing, std::size_t{1} << 60);  // fails, and nobody asks
        succeed(some, 3, 100);
    });
}

void counted() {
    succeed(about_one_number_each(256, 256), 256, 256);
}

#include "checker.h"

using namespace exercise;

void histogram(const std::uint8_t* data, int n, unsigned* counts);

namespace {

void count_and_compare(int n, int start, bool skewed = false) {
    std::vector<std::uint8_t> bytes = random_bytes(n);
    if (skewed)
        for (std::uint8_t& byte : bytes)
            if (byte < 250) byte = 200;
    // Nobody has written the bytes before the start: who reads them is found out.
    DeviceBuffer<std::uint8_t> data(start + n);
    if (n > 0) CUDA_CHECK(cudaMemcpy(data.data() + start, bytes.data(), n, cudaMemcpyHostToDevice));
    given_on_device(data.data() + start, n);
    const std::string name = "with data that begin " + std::to_string(start) + " bytes past a multiple of 16, counts";
    Output<unsigned> counts(name.c_str(), 256);

    histogram(data.data() + start, n, counts.data());
    finish();

    const std::size_t copied = call().copied_on_device;
    require(copied <= bytes.size() / 2, "the bytes are to be loaded from where they lie, and " +
                                            std::to_string(copied) + " bytes were copied on the device first");
    std::vector<unsigned> expected(256);
    for (const std::uint8_t byte : bytes) ++expected[byte];
    counts.require_same(expected);

    std::vector<std::uint8_t> now(n);
    if (n > 0) CUDA_CHECK(cudaMemcpy(now.data(), data.data() + start, n, cudaMemcpyDeviceToHost));
    require_unchanged("data", now, bytes);
    no_longer_on_device(data.data() + start);
}

}  // namespace

void check() {
    for (const int start : {0, 1, 6, 8, 15})
        for_each_size([start](int n) { count_and_compare(n, start); }, {3, 15, 16, 17, 47, 48});
    // More vectors than a grid has threads, and for eight blocks more of one value than 16 bits count.
    for_case("n = 600001, nearly all of one value", [] { count_and_compare(600'001, 5, true); });
}

void counted() {
    // A vector a thread: lanes that a branch has parted would load the next ones in several requests.
    count_and_compare((1 << 15) + 5, 3);
}

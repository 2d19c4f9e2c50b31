#include "checker.h"

#include <numeric>

using namespace exercise;

void fill_device(const cudaDeviceProp& device, int* numbers);

namespace {

// Those properties that an answer may look at, each of them unlike the others.
cudaDeviceProp device_with(int multiprocessors, int threads) {
    cudaDeviceProp device{};
    device.multiProcessorCount = multiprocessors;
    device.maxThreadsPerMultiProcessor = threads;
    device.maxThreadsPerBlock = 1024;
    device.maxBlocksPerMultiProcessor = 24;
    device.warpSize = 32;
    device.regsPerMultiprocessor = 65'536;
    device.maxThreadsDim[0] = device.maxThreadsDim[1] = 1024;
    device.maxThreadsDim[2] = 64;
    device.maxGridSize[0] = 2'147'483'647;
    device.maxGridSize[1] = device.maxGridSize[2] = 65'535;
    return device;
}

void fill_and_compare(int multiprocessors, int threads) {
    std::vector<int> all(static_cast<std::size_t>(multiprocessors) * threads);
    std::iota(all.begin(), all.end(), 0);
    Output<int> numbers("numbers", all.size());
    fill_device(device_with(multiprocessors, threads), numbers.data());
    finish();
    numbers.require_same(all);
}

}  // namespace

void check() {
    const int devices[][2] = {{132, 2048}, {1, 1536},  {2, 2048},  {5, 2048},
                              {7, 1536},   {46, 1024}, {24, 1536}, {3, 3072}};
    for (const auto& [multiprocessors, threads] : devices)
        for_case("a device of " + std::to_string(multiprocessors) + " multiprocessors with " + std::to_string(threads) +
                     " threads each",
                 [m = multiprocessors, t = threads] { fill_and_compare(m, t); });
}

void counted() {
    fill_and_compare(5, 2048);
}

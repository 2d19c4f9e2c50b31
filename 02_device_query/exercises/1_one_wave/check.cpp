#include "checker.h"

#include <algorithm>
#include <numeric>

using namespace exercise;

int blocks_per_multiprocessor(const cudaDeviceProp& device, int threads, int registers, std::size_t shared_bytes);
void launch_wave(const cudaDeviceProp& device, int threads, int registers, std::size_t shared_bytes, int* numbers);

namespace {

struct Block {
    int threads, registers;
    std::size_t shared_bytes;
};

int random_number(int low, int high) {
    return random_values<int>(1, low, high)[0];
}

int one_of(const std::vector<int>& values) {
    return values[random_number(0, static_cast<int>(values.size()) - 1)];
}

// A device with those properties that a right answer may look at, each of them unlike the others.
cudaDeviceProp device_with(int threads, int blocks, int registers, std::size_t shared_bytes) {
    cudaDeviceProp device{};
    device.warpSize = 32;
    device.multiProcessorCount = random_number(3, 9);
    device.maxThreadsPerBlock = 1024;
    device.maxThreadsPerMultiProcessor = threads;
    device.maxBlocksPerMultiProcessor = blocks;
    device.regsPerMultiprocessor = registers;
    device.regsPerBlock = registers / 4 * 3;
    device.sharedMemPerMultiprocessor = shared_bytes;
    device.sharedMemPerBlock = 48 << 10;
    device.sharedMemPerBlockOptin = shared_bytes - 1024;
    device.reservedSharedMemPerBlock = 1024;
    return device;
}

cudaDeviceProp random_device() {
    return device_with(one_of({1024, 1536, 2048, 3072}), one_of({8, 16, 24, 32}), one_of({32, 64, 96, 128}) << 10,
                       static_cast<std::size_t>(one_of({64, 96, 100, 164, 228})) << 10);
}

// Counts block by block, warp by warp.
int resident(const cudaDeviceProp& device, const Block& block) {
    int threads = 0, registers = 0, blocks = 0;
    std::size_t shared_bytes = 0;
    for (;; ++blocks) {
        for (int first = 0; first < block.threads; first += 32) {
            threads += 32;
            registers += 32 * block.registers;
        }
        shared_bytes += block.shared_bytes;
        if (blocks == device.maxBlocksPerMultiProcessor || threads > device.maxThreadsPerMultiProcessor ||
            registers > device.regsPerMultiprocessor || shared_bytes > device.sharedMemPerMultiprocessor)
            return blocks;
    }
}

std::string text_of(const cudaDeviceProp& device, const Block& block) {
    const auto number = [](std::size_t value) { return std::to_string(value); };
    return "a multiprocessor with " + number(device.maxThreadsPerMultiProcessor) + " threads, " +
           number(device.maxBlocksPerMultiProcessor) + " blocks, " + number(device.regsPerMultiprocessor) +
           " registers, " + number(device.sharedMemPerMultiprocessor) + " bytes of shared memory; a block of " +
           number(block.threads) + " threads with " + number(block.registers) + " registers each and " +
           number(block.shared_bytes) + " bytes";
}

void ask_and_compare(const cudaDeviceProp& device, const Block& block) {
    const int expected = resident(device, block);
    const int got = blocks_per_multiprocessor(device, block.threads, block.registers, block.shared_bytes);
    require(got == expected, std::to_string(got) + (got == 1 ? " block" : " blocks") + ", expected " +
                                 std::to_string(expected) + ": " + text_of(device, block));

    std::vector<int> all(static_cast<std::size_t>(expected) * device.multiProcessorCount);
    std::iota(all.begin(), all.end(), 0);
    Output<int> numbers("numbers", all.size());
    launch_wave(device, block.threads, block.registers, block.shared_bytes, numbers.data());
    finish();
    numbers.require_same(all);
}

void ask_at_random() {
    for (;;) {
        const cudaDeviceProp device = random_device();
        const int all = static_cast<int>(device.sharedMemPerMultiprocessor);
        const bool shared = random_number(0, 3) > 0;
        const Block block{random_number(1, 1024), random_number(1, 255),
                          static_cast<std::size_t>(shared ? random_number(1, all / random_number(1, 12)) : 0)};
        const bool can_run = (block.threads + 31) / 32 * 32 * block.registers <= device.regsPerBlock &&
                             block.shared_bytes <= device.sharedMemPerBlockOptin;
        if (can_run && resident(device, block) > 0) return ask_and_compare(device, block);
    }
}

}  // namespace

void check() {
    const cudaDeviceProp h100 = device_with(2048, 32, 65'536, 228 << 10);
    for_case("room for threads", [&] { ask_and_compare(h100, {256, 16, 0}); });
    for_case("room for blocks", [&] { ask_and_compare(h100, {32, 16, 0}); });
    for_case("registers", [&] { ask_and_compare(h100, {1024, 40, 0}); });
    for_case("shared memory", [&] { ask_and_compare(h100, {128, 32, 50'000}); });
    for_case("exactly all registers", [&] { ask_and_compare(h100, {256, 64, 0}); });
    for_case("exactly all shared memory", [&] { ask_and_compare(h100, {64, 32, 57 << 10}); });
    for_case("a warp that is not full", [&] { ask_and_compare(h100, {65, 16, 0}); });
    for_case("registers of a warp that is not full", [&] { ask_and_compare(h100, {33, 128, 0}); });
    const cudaDeviceProp small = device_with(2048, 32, 65'536, 16 << 10);
    for_case("no shared memory", [&] { ask_and_compare(small, {32, 16, 0}); });
    for (int i = 0; i < 200; ++i) for_case("a device made up at random", ask_at_random);
}

void counted() {
    cudaDeviceProp device = device_with(2048, 32, 65'536, 228 << 10);
    device.multiProcessorCount = 5;
    ask_and_compare(device, {200, 32, 10'000});
}

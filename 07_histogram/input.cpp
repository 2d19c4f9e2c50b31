#include "input.h"
#include "common/memory.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <random>
#include <utility>

#include "harness/program.h"
#include "histogram.h"

namespace histogram {
namespace {

// How often each character occurs among 256 characters of English text, rounded.
constexpr std::pair<char, int> frequencies[] = {
    {' ', 46}, {'e', 26}, {'t', 19}, {'a', 17}, {'o', 16}, {'i', 14}, {'n', 14}, {'s', 13}, {'h', 13},
    {'r', 12}, {'d', 9},  {'l', 8},  {'u', 6},  {'c', 6},  {'m', 5},  {'w', 5},  {'f', 4},  {'g', 4},
    {'y', 4},  {'p', 4},  {'b', 3},  {'.', 2},  {',', 2},  {'v', 2},  {'k', 1},  {'\n', 1}};

std::vector<std::uint8_t> random_bytes(std::size_t n, std::uint64_t seed) {
    // All 256 values are equally likely. 255.0f * rand() / RAND_MAX instead would almost never give 255.
    std::mt19937_64 generator(seed);
    std::vector<std::uint8_t> bytes(n);
    for (std::size_t i = 0; i < n; i += sizeof(std::uint64_t)) {
        const std::uint64_t eight = generator();
        std::memcpy(&bytes[i], &eight, std::min(sizeof eight, n - i));
    }
    return bytes;
}

}  // namespace

std::vector<std::uint8_t> make_bytes(std::string_view kind, std::size_t n, std::uint64_t seed) {
    require_memory(static_cast<double>(n), 2.0 * static_cast<double>(n));
    if (kind == "one") return std::vector<std::uint8_t>(n, 'e');

    std::vector<std::uint8_t> bytes = random_bytes(n, seed);
    if (kind == "skewed") {
        std::vector<std::uint8_t> characters;
        for (const auto& [character, times] : frequencies) characters.insert(characters.end(), times, character);
        for (std::uint8_t& byte : bytes) byte = characters.at(byte);
    } else if (kind == "sorted") {
        std::vector<Count> counts(bins);
        cpu(bytes, counts);
        auto end = bytes.begin();
        for (unsigned v = 0; v < bins; ++v) end = std::fill_n(end, counts[v], static_cast<std::uint8_t>(v));
    }
    return bytes;
}

std::string title_of(std::string_view kind) {
    return kind == "one"      ? "one repeated value"
           : kind == "skewed" ? "letters as in English text"
                              : std::string(kind) + " bytes";
}

std::vector<std::uint8_t> read_file(const std::string& path) {
    const auto refuse = [&] { throw usage_error("--file " + path + ": " + std::strerror(errno)); };
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), std::fclose);
    if (!file) refuse();

    constexpr std::size_t step = std::size_t{64} << 20;
    std::vector<std::uint8_t> bytes;
    std::error_code no_size;
    const auto size = static_cast<double>(std::filesystem::file_size(path, no_size));
    if (!no_size) {
        require_memory(size, size);
        bytes.reserve(static_cast<std::size_t>(size) + step);
    }
    for (std::size_t read = step; read == step;) {
        const std::size_t begin = bytes.size();
        if (bytes.capacity() < begin + step)  // a pipe, which may never end: the vector grows to twice its size
            require_memory(static_cast<double>(begin), 3.0 * static_cast<double>(begin));
        bytes.resize(begin + step);
        read = std::fread(&bytes[begin], 1, step, file.get());
        bytes.resize(begin + read);
    }
    if (std::ferror(file.get())) refuse();
    require_memory(static_cast<double>(bytes.size()), static_cast<double>(bytes.size()));
    return bytes;
}

}  // namespace histogram

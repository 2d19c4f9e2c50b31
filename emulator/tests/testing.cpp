#include "testing.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <limits>
#include <random>
#include <sstream>
#include <stdexcept>
#include <type_traits>

std::uint64_t test_seed() {
    static const std::uint64_t seed = [] {
        const char* given = std::getenv("SEED");
        if (given == nullptr) return std::uint64_t{std::random_device{}()};
        std::uint64_t value = 0;
        const auto [end, error] = std::from_chars(given, given + std::strlen(given), value);
        if (error != std::errc() || *end != '\0')
            throw std::invalid_argument(std::string("SEED is no number: ") + given);
        return value;
    }();
    return seed;
}

template <class T>
std::vector<T> random_values(std::size_t n) {
    static std::mt19937_64 generator(test_seed());
    UNSCOPED_INFO("random data: repeat with SEED=" << test_seed());
    std::vector<T> values(n);
    for (T& value : values) {
        if constexpr (std::is_floating_point_v<T>) {
            const int exponent = std::uniform_int_distribution(-20, 20)(generator);
            value = std::ldexp(std::uniform_real_distribution<T>(-1, 1)(generator), exponent);
        } else {
            value = static_cast<T>(generator());
        }
    }
    return values;
}

template <class T>
std::string describe_first_difference(std::span<const T> actual, std::span<const T> expected) {
    const auto found =
        std::mismatch(actual.begin(), actual.end(), expected.begin(), expected.end());  // NaN is never equal
    if (found.first == actual.end() && found.second == expected.end()) return "";
    std::ostringstream text;
    text.precision(std::numeric_limits<double>::max_digits10);
    text << "index " << found.first - actual.begin() << ": expected ";
    found.second == expected.end() ? text << "nothing" : text << +*found.second;
    text << ", got ";
    found.first == actual.end() ? text << "nothing" : text << +*found.first;
    return text.str();
}

// Here, where the optimizer sees it, for these types: much of the tests' time goes into making and comparing data.
#define FOR_TYPE(T)                                        \
    template std::vector<T> random_values<T>(std::size_t); \
    template std::string describe_first_difference(std::span<const T>, std::span<const T>);
FOR_TYPE(char)
FOR_TYPE(short)
FOR_TYPE(int)
FOR_TYPE(long)
FOR_TYPE(long long)
FOR_TYPE(unsigned char)
FOR_TYPE(unsigned short)
FOR_TYPE(unsigned)
FOR_TYPE(unsigned long)
FOR_TYPE(unsigned long long)
FOR_TYPE(float)
FOR_TYPE(double)
#undef FOR_TYPE

TemporaryFile::TemporaryFile(std::string_view bytes) {
    const int file = mkstemp(path_.data());
    if (file < 0) throw std::runtime_error("no temporary file");
    close(file);
    if (!(std::ofstream(path_) << bytes).flush()) throw std::runtime_error("the temporary file cannot be written");
}

TemporaryFile::~TemporaryFile() {
    std::remove(path_.c_str());
}

std::string TemporaryFile::text() const {
    std::ostringstream text;
    text << std::ifstream(path_).rdbuf();
    return text.str();
}

Outcome run(const std::string& command) {
    const TemporaryFile out, err;
    const std::string redirected = "exec > " + out.path() + " 2> " + err.path() + "; exec " + command;
    const int status = std::system(redirected.c_str());
    Outcome outcome;
    if (WIFEXITED(status)) outcome.exit_code = WEXITSTATUS(status);
    if (WIFSIGNALED(status)) outcome.signal = WTERMSIG(status);
    outcome.out = out.text();
    outcome.err = err.text();
    return outcome;
}

std::string program_in(const std::string& folder, const std::string& name) {
    std::string word;
    for (const char c : folder + "/" + name) {
        if (std::isspace(static_cast<unsigned char>(c)) || std::ispunct(static_cast<unsigned char>(c))) word += '\\';
        word += c;
    }
    return word;
}

#include "testing.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>
#include <type_traits>

std::uint64_t test_seed() {
    static const std::uint64_t seed = [] {
        const char* given = std::getenv("SEED");
        return given != nullptr ? std::strtoull(given, nullptr, 10) : std::random_device{}();
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
    const auto i = first_difference(actual, expected);
    return i ? describe_difference(*i, actual, expected) : "";
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

namespace {

std::string text_of(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

std::string read_and_remove(const std::string& path) {
    const std::string text = text_of(path);
    std::remove(path.c_str());
    return text;
}

}  // namespace

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
    return text_of(path_);
}

std::string packed_json(const std::string& text) {
    return nlohmann::ordered_json::parse(text).dump();
}

Outcome run(const std::string& command) {
    char directory[] = "/tmp/tests.XXXXXX";
    if (mkdtemp(directory) == nullptr) throw std::runtime_error("no temporary directory");
    const std::string out = std::string(directory) + "/out", err = std::string(directory) + "/err";

    std::fflush(nullptr);
    const pid_t child = fork();
    if (child == 0) {
        if (std::freopen(out.c_str(), "w", stdout) == nullptr || std::freopen(err.c_str(), "w", stderr) == nullptr)
            _exit(126);
        execl("/bin/sh", "sh", "-c", ("exec " + command).c_str(), nullptr);
        _exit(127);
    }
    int status = 0;
    waitpid(child, &status, 0);

    Outcome outcome;
    if (WIFEXITED(status)) outcome.exit_code = WEXITSTATUS(status);
    if (WIFSIGNALED(status)) outcome.signal = WTERMSIG(status);
    outcome.out = read_and_remove(out);
    outcome.err = read_and_remove(err);
    rmdir(directory);
    return outcome;
}

std::string program(const std::string& chapter, const std::string& name) {
    std::string word;
    for (const char c : std::string(BUILD_FOLDER) + "/" + chapter + "/" + name) {
        if (std::isspace(static_cast<unsigned char>(c)) || std::ispunct(static_cast<unsigned char>(c))) word += '\\';
        word += c;
    }
    return word;
}

std::string golden(const std::string& name) {
    return GOLDEN_FOLDER "/" + name;
}

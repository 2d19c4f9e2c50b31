#include "testing.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

std::uint64_t test_seed() {
    static const std::uint64_t seed = [] {
        const char* given = std::getenv("SEED");
        return given != nullptr ? std::strtoull(given, nullptr, 10) : std::random_device{}();
    }();
    return seed;
}

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
    return std::string(BUILD_FOLDER) + "/" + chapter + "/" + name;
}

std::string golden(const std::string& name) {
    return GOLDEN_FOLDER "/" + name;
}

#include "harness/output.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

#include "harness/program.h"

namespace {

std::string cannot_write(const std::string& path) {
    return "cannot write " + (path.empty() ? "\"\"" : path) + ": " + std::strerror(errno);
}

}  // namespace

void flush_output() {
    const auto fail = [] { throw output_error(std::string("standard output: ") + std::strerror(errno)); };
    if (fcntl(STDOUT_FILENO, F_GETFD) < 0 || std::fflush(stdout) != 0) fail();
    if (!std::ferror(stdout)) return;
    // An earlier write failed, and its errno is lost. Writing one more byte usually fails for the same reason.
    if (write(STDOUT_FILENO, "\n", 1) < 0) fail();
    throw output_error("standard output: not all of it could be written");
}

void require_writable(const std::string& option, const std::string& path) {
    const int created = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (created >= 0) {
        close(created);
        unlink(path.c_str());
        return;
    }
    if (errno == EEXIST) {
        std::error_code error;
        if (std::filesystem::is_directory(path, error))
            errno = EISDIR;
        else if (faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) == 0 || errno == ENOENT)
            return;  // ENOENT: a link to a file that does not exist yet
    }
    throw usage_error(option + ": " + cannot_write(path));
}

void write_file(const std::string& path, std::string_view text) {
    flush_output();  // the file may be /dev/stdout
    const auto require = [&](bool done) {
        if (!done) throw output_error(cannot_write(path));
    };
    std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "w"), std::fclose);
    require(file != nullptr);
    require(std::fwrite(text.data(), 1, text.size(), file.get()) == text.size());
    require(std::fclose(file.release()) == 0);
}

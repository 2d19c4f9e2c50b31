#pragma once

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "harness/output.h"
#include "harness/program.h"
#include "harness/text.h"

// How 3_errors runs its cases; it teaches no CUDA. An illegal access makes CUDA unusable for the whole process, and a
// wild pointer on the host kills it. So each version runs in a process of its own: this program, started again.

/// A mistake, in two versions.
struct Case {
    const char* name;
    const char* mistake;

    void (*unchecked)();  ///< as beginners write it
    bool dies;            ///< how `unchecked` ends: killed, or with exit code 0 as if all were well
    const char* truth;    ///< an explanation of what `unchecked` printed

    void (*checked)();
    const char* message;  ///< `checked` must print this text and end with an exit code other than 0
};

/// How a child process ended, and all that it printed (stdout and stderr together).
struct ChildResult {
    std::string output;
    int status = 0;  ///< as waitpid gives it

    bool succeeded() const { return WIFEXITED(status) && WEXITSTATUS(status) == 0; }

    /// "exit code 3" or "killed by SIGSEGV (Segmentation fault)"
    std::string ending() const {
        if (WIFEXITED(status)) return "exit code " + std::to_string(WEXITSTATUS(status));
        const char* name = sigabbrev_np(WTERMSIG(status));
        return "killed by SIG" + std::string(name ? name : "???") + " (" + strsignal(WTERMSIG(status)) + ")";
    }
};

/// Starts this program again as `3_errors --case NAME HOW` and waits for it. Linux only.
inline ChildResult run_child(const char* name, const char* how) {
    const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
    int ends[2];
    if (pipe(ends) != 0) throw wrong_result("cannot make a pipe to a child process");
    flush_output();
    const pid_t child = fork();
    if (child < 0) throw wrong_result("cannot start a child process");
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        dup2(ends[1], STDERR_FILENO);
        close(ends[0]);
        close(ends[1]);
        execl(self.c_str(), self.c_str(), "--case", name, how, static_cast<char*>(nullptr));
        _exit(127);
    }
    close(ends[1]);

    ChildResult result;
    char buffer[4096];
    for (ssize_t n; (n = read(ends[0], buffer, sizeof(buffer))) > 0;) result.output.append(buffer, n);
    close(ends[0]);
    waitpid(child, &result.status, 0);
    return result;
}

/// Runs one version in a child process and prints the child's lines, each behind a |.
inline ChildResult attempt(const char* name, const char* how, const char* title) {
    std::printf("  %s\n", title);
    const ChildResult result = run_child(name, how);
    const std::string& text = result.output;
    for (std::size_t start = 0; start < text.size();) {
        const std::size_t end = std::min(text.find('\n', start), text.size());
        std::string line = wrapped("  | " + text.substr(start, end - start), 4);
        for (std::size_t at = 0; (at = line.find('\n', at)) != line.npos; ++at) line.replace(at + 1, 4, "  | ");
        std::printf("%s\n", line.c_str());
        start = end + 1;
    }
    std::printf("  = %s\n", result.ending().c_str());
    return result;
}

/// Runs both versions. Returns true if both end as the lesson says.
inline bool demonstrate(const Case& c) {
    std::printf("\n%s: %s\n", c.name, c.mistake);
    const ChildResult careless = attempt(c.name, "--unchecked", "as beginners write it");
    std::printf("%s\n", wrapped(std::string("    ") + c.truth, 4).c_str());
    const ChildResult careful = attempt(c.name, "--checked", "with every call checked");
    return careless.succeeded() != c.dies && !careful.succeeded() &&
           careful.output.find(c.message) != std::string::npos;
}

/// Runs all cases. Throws wrong_result if one did not end as the lesson says.
inline void demonstrate(std::span<const Case> cases) {
    std::printf("%s\n", device_line().c_str());
    const rlimit no_core_files{0, 0};
    setrlimit(RLIMIT_CORE, &no_core_files);  // The children inherit this.

    std::string surprises;
    for (const Case& c : cases)
        if (!demonstrate(c)) surprises += std::string(" ") + c.name;
    if (!surprises.empty()) throw wrong_result("not as the lesson says:" + surprises);
}

inline const Case& find_case(std::span<const Case> cases, std::string_view name) {
    std::string names;
    for (const Case& c : cases) {
        if (name == c.name) return c;
        names += std::string(" ") + c.name;
    }
    throw usage_error("there is no case '" + std::string(name) + "'; there are:" + names);
}

/// Does what the command line of 3_errors asks for. Throws usage_error, wrong_result and cuda_error, for run_program.
inline void run_cases(std::span<const Case> cases, std::span<char*> arguments) {
    const std::size_t count = arguments.size();
    const std::string_view option = count > 1 ? arguments[1] : "";
    const std::string_view how = count > 3 ? arguments[3] : "";

    if (count <= 1) return demonstrate(cases);
    if (option == "--help" && count == 2) {
        std::printf(
            "Usage: 3_errors [--case NAME [--unchecked | --checked]] | --list | --help\n"
            "  (nothing)    every mistake: first as beginners write it, then checked\n"
            "  --case NAME  this one only; with --unchecked or --checked it is made in this\n"
            "               very process and nothing is explained: for a debugger or\n"
            "               compute-sanitizer\n"
            "  --list       the cases\n"
            "Exit code: 0 all ended as the lesson says, 1 one did not, 2 bad arguments,\n"
            "3 a CUDA error\n");
        return;
    }
    if (option == "--list" && count == 2) {
        for (const Case& c : cases) std::printf("%-18s %s\n", c.name, c.mistake);
        return;
    }
    if (option == "--case" && count == 2) throw usage_error("--case needs a name; --list shows the names");
    if (option == "--case") {
        const Case& c = find_case(cases, arguments[2]);
        if (count == 3) return demonstrate(std::span(&c, 1));
        if (how == "--unchecked" && count == 4) return c.unchecked();
        if (how == "--checked" && count == 4) return c.checked();
    }

    std::string all;
    for (const char* argument : arguments.subspan(1)) all += std::string(" ") + argument;
    throw usage_error("cannot understand" + all + "; --help shows what can be asked");
}

#include <algorithm>
#include <csignal>
#include <span>

#include "01_basics/error_cases.h"
#include "testing.h"

namespace {

Outcome run_basics(const std::string& name, const std::string& arguments = "") {
    return run(program("01_basics", name) + " " + arguments);
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

std::string first_line(const std::string& text) {
    return text.substr(0, text.find('\n'));
}

// A device with a long name has a second line, which is indented.
std::string after_device(const std::string& text) {
    std::size_t next = text.find('\n') + 1;
    if (text.compare(next, 8, "        ") == 0) next = text.find('\n', next) + 1;
    return text.substr(next);
}

// AddressSanitizer answers a wild pointer itself: a report and exit code 1 in place of the signal.
bool died_of_a_wild_pointer(const Outcome& outcome) {
    return outcome.signal == SIGSEGV || (outcome.exit_code == 1 && contains(outcome.err, "AddressSanitizer: SEGV"));
}

}  // namespace

TEST_CASE("1_add prints the sum", "[01_basics]") {
    const Outcome outcome = run_basics("1_add");
    CAPTURE(outcome.out, outcome.err, outcome.signal);
    REQUIRE(outcome.exit_code == 0);
    REQUIRE(first_line(outcome.out).rfind("Device: ", 0) == 0);
    REQUIRE(after_device(outcome.out) == "2 + 7 = 9\n");
    REQUIRE(outcome.err.empty());
}

TEST_CASE("2_matrix_add_one prints the matrix before and after", "[01_basics]") {
    const Outcome outcome = run_basics("2_matrix_add_one");
    CAPTURE(outcome.out, outcome.err, outcome.signal);
    REQUIRE(outcome.exit_code == 0);
    REQUIRE(first_line(outcome.out).rfind("Device: ", 0) == 0);
    REQUIRE(after_device(outcome.out) ==
            "Before:\n 1 1 1 1 1\n 1 1 1 1 1\n 1 1 1 1 1\n 1 1 1 1 1\n 1 1 1 1 1\n"
            "After:\n 2 2 2 2 2\n 2 2 2 2 2\n 2 2 2 2 2\n 2 2 2 2 2\n 2 2 2 2 2\n");
    REQUIRE(outcome.err.empty());
}

TEST_CASE("3_errors: unchecked mistakes show a wrong result and success", "[01_basics]") {
    const auto [name, shown] = GENERATE(table<std::string, std::string>({
        {"block-too-large", "1279 * 1279 = 0\n"},
        {"unchecked", "9 * 9 * 2 = 81\n"},
        {"out-of-bounds", "steps between the squares: 0 0 0 0\n"},
        {"wrong-direction", "squares: 0 0 0 0 0\n"},
    }));
    const Outcome outcome = run_basics("3_errors", "--case " + name + " --unchecked");
    CAPTURE(name, outcome.err, outcome.signal);
    REQUIRE(outcome.exit_code == 0);
    REQUIRE(outcome.out == shown);
}

TEST_CASE("3_errors: following a device pointer on the host kills the process", "[01_basics]") {
    const Outcome outcome = run_basics("3_errors", "--case host-reads-device --unchecked");
    CAPTURE(outcome.exit_code, outcome.err, outcome.signal);
    REQUIRE(died_of_a_wild_pointer(outcome));
    REQUIRE(outcome.out.empty());
}

TEST_CASE("3_errors: checked mistakes end with the call, its place and the error's name", "[01_basics]") {
    const auto [name, exit_code, said] = GENERATE(table<std::string, int, std::string>({
        {"block-too-large", 3, "kernel launch: cudaErrorInvalid"},  // …Value; …Configuration before CUDA 13
        {"unchecked", 3, "kernel launch: cudaErrorInvalid"},
        {"host-reads-device", 1, "squares points to device memory"},
        {"out-of-bounds", 3, "cudaDeviceSynchronize(): cudaErrorIllegalAddress"},
        {"wrong-direction", 3, "cudaMemcpyHostToDevice): cudaErrorInvalidValue"},
    }));
    const Outcome outcome = run_basics("3_errors", "--case " + name + " --checked");
    CAPTURE(name, outcome.out, outcome.err, outcome.signal);
    REQUIRE(outcome.exit_code == exit_code);
    REQUIRE(contains(outcome.err, "error: "));
    REQUIRE(contains(outcome.err, said));
    if (exit_code == 3) REQUIRE(contains(outcome.err, "3_errors.cu:"));
}

TEST_CASE("3_errors: an illegal address spoils every later call", "[01_basics]") {
    const Outcome outcome = run_basics("3_errors", "--case out-of-bounds --checked");
    REQUIRE(outcome.out == "after this, a harmless cudaMalloc says cudaErrorIllegalAddress\n");
}

TEST_CASE("3_errors shows all cases and succeeds", "[01_basics]") {
    const Outcome outcome = run_basics("3_errors");
    CAPTURE(outcome.out, outcome.err, outcome.signal);
    REQUIRE(outcome.exit_code == 0);
    REQUIRE(outcome.err.empty());
    REQUIRE(first_line(outcome.out).rfind("Device: ", 0) == 0);
    std::size_t at = 0;
    for (const char* name : {"block-too-large", "unchecked", "host-reads-device", "out-of-bounds", "wrong-direction"}) {
        CAPTURE(name);
        at = outcome.out.find("\n" + std::string(name) + ": ", at);
        REQUIRE(at != std::string::npos);
    }
    REQUIRE((contains(outcome.out, "= killed by SIGSEGV (Segmentation fault)") ||
             contains(outcome.out, "AddressSanitizer: SEGV")));
}

TEST_CASE("3_errors --case shows one case", "[01_basics]") {
    const Outcome outcome = run_basics("3_errors", "--case wrong-direction");
    CAPTURE(outcome.out, outcome.err, outcome.signal);
    REQUIRE(outcome.exit_code == 0);
    REQUIRE(contains(outcome.out, "\nwrong-direction: "));
    REQUIRE_FALSE(contains(outcome.out, "out-of-bounds"));
    REQUIRE(contains(outcome.out, "  | squares: 0 0 0 0 0\n  = exit code 0\n"));
    REQUIRE(contains(outcome.out, "  = exit code 3\n"));
}

TEST_CASE("3_errors: a case that does not end as the lesson says is a failure", "[01_basics]") {
    // The children are this test program, which fails when it is asked for --case.
    const Case unexpected{.name = "unexpected",
                          .mistake = "none",
                          .unchecked = nullptr,
                          .dies = false,
                          .truth = "",
                          .checked = nullptr,
                          .message = ""};
    REQUIRE_THROWS_WITH(demonstrate(std::span(&unexpected, 1)), "not as the lesson says: unexpected");
}

TEST_CASE("3_errors explains itself", "[01_basics]") {
    const Outcome help = run_basics("3_errors", "--help");
    REQUIRE(help.exit_code == 0);
    REQUIRE(help.out.rfind("Usage: 3_errors", 0) == 0);

    const Outcome list = run_basics("3_errors", "--list");
    REQUIRE(list.exit_code == 0);
    REQUIRE(std::count(list.out.begin(), list.out.end(), '\n') == 5);
}

TEST_CASE("3_errors answers bad arguments with one line", "[01_basics]") {
    const std::string arguments =
        GENERATE(as<std::string>{}, "--cases", "--case", "--case nonsense", "--case unchecked --wrong",
                 "--case unchecked --checked more", "--list 1", "--help --list", "''", "--case ''");
    const Outcome outcome = run_basics("3_errors", arguments);
    CAPTURE(arguments, outcome.err, outcome.signal);
    REQUIRE(outcome.exit_code == 2);
    REQUIRE(outcome.out.empty());
    REQUIRE(outcome.err.rfind("error: ", 0) == 0);
    REQUIRE(outcome.err.find('\n') == outcome.err.size() - 1);
}

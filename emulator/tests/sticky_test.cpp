// After an illegal access nothing that needs the context works, on a GPU and on the emulator alike.

#include <sstream>

#include "device.h"
#include "testing.h"

namespace {

// The lines between one word on a line of its own and the next, without what was called.
std::string errors_after(const std::string& out, const std::string& word) {
    std::istringstream lines(out);
    std::string errors;
    bool inside = false;
    for (std::string line; std::getline(lines, line);) {
        const std::size_t colon = line.rfind(": ");
        if (colon == line.npos)
            inside = line == word;
        else if (inside)
            errors += line.substr(colon + 2) + "\n";
    }
    return errors;
}

std::string repeat(const std::string& line, int times) {
    std::string text;
    for (int i = 0; i < times; ++i) text += line;
    return text;
}

}  // namespace

TEST_CASE("an illegal access spoils the context, but not the questions about the device", "[emulator]") {
    const Outcome result = run("env ASAN_OPTIONS=handle_segv=0 " + program_in(BUILD_FOLDER, "sticky"));
    CAPTURE(result.out, result.err);
    REQUIRE(result.exit_code == 0);
    const std::string success = "cudaSuccess\n", failure = "cudaErrorIllegalAddress\n";
    const std::string first = result.out.substr(0, result.out.find("work\n"));
    REQUIRE(errors_after("first\n" + first, "first") == success + success + repeat(failure, 3) + success);
    REQUIRE(errors_after(result.out, "work") == repeat(failure, 19));
    REQUIRE(errors_after(result.out, "queries") == repeat(success, 10));
    REQUIRE(errors_after(result.out, "launch") == failure + success);
}

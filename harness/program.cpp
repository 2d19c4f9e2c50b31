#include "harness/program.h"

#include <algorithm>
#include <cstdio>
#include <new>
#include <string_view>

#include "common/check.h"
#include "common/memory.h"
#include "harness/output.h"
#include "harness/text.h"

namespace {

enum ExitCode { success = 0, wrong = 1, usage = 2, cuda_failed = 3 };

int fail(ExitCode code, const std::string& message) {
    std::fflush(stdout);
    std::fprintf(stderr, "error: %s\n", visible(message).c_str());
    return code;
}

// Shortens a message, since arguments in it can be of any length: long words are cut, and if there are many words the
// middle is left out.
std::string of_moderate_length(const std::string& message) {
    constexpr std::size_t longest_word = 120, shown = 60, longest = 700, beginning = 400, end = 200;
    std::string result;
    for (std::size_t at = 0, next; at < message.size(); at = next) {
        next = std::min(message.find(' ', at), message.size() - 1) + 1;
        const std::string word = message.substr(at, next - at);
        result += width_of(word) > longest_word ? shortened(word, shown) + (word.ends_with(' ') ? " " : "") : word;
    }
    if (width_of(result) <= longest) return result;
    return shortened(result, beginning) + result.substr(std::min(result.find(' ', result.size() - end), result.size()));
}

}  // namespace

int run_program(const std::function<void()>& body, const std::string& who) {
    try {
        flush_output();
        body();
        flush_output();
        return success;
    } catch (const wrong_result& error) {
        return fail(wrong, who + error.what());
    } catch (const output_error& error) {
        return fail(wrong, who + error.what());
    } catch (const usage_error& error) {
        return fail(usage, who + of_moderate_length(error.what()));
    } catch (const cuda_error& error) {
        return fail(cuda_failed, who + error.what());
    } catch (const std::bad_alloc&) {
        return fail(usage, who + "the host has too little memory for this size: choose a smaller one");
    } catch (const std::exception& error) {
        return fail(wrong, who + "a mistake in the program: " + error.what());
    }
}

std::string device_line() {
    int device = 0;
    CUDA_CHECK(cudaGetDevice(&device));
    cudaDeviceProp p{};
    CUDA_CHECK(cudaGetDeviceProperties(&p, device));
    std::string text = std::string("Device: ") + p.name;
    if (on_emulator())
        text += " — no GPU: its times say nothing about a GPU";
    else
        text += " (compute capability " + std::to_string(p.major) + "." + std::to_string(p.minor) + ", " +
                std::to_string(p.multiProcessorCount) + " multiprocessors, " + gigabytes(p.totalGlobalMem) + ")";
    return wrapped(text, 8);
}

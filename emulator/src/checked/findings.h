#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "../reports/source_places.h"

// What the checked build has found: told on stderr, once for each place, and counted. The program's exit status is 5
// then, unless it is another failure's. EMULATOR_CHECK_JSON names a file to which each finding is appended as a line.
namespace emulator {

enum class Kind {
    out_of_bounds,
    use_after_free,
    double_free,
    invalid_free,
    invalid_copy,
    misaligned,
    host_touches_device,
    device_touches_host,
    device_touches_peer,
    uninitialised,
    race,
    copy_in_flight,
    unordered,
    divergent_barrier,
    warp_mask,
    deadlock,
    stack_overflow,
    division_by_zero,
    assertion,
    trap,
    refused_launch,
    failed_call,
    shift,
};

inline constexpr int exit_with_findings = 5;

/// Somebody did something somewhere: "thread (3,0,0) of block (0,0,0)" "wrote cache[5]" at an instruction.
struct Participant {
    std::string who, what;
    std::uintptr_t code = 0;     // within the instruction's line: a return address less 1
    std::uintptr_t address = 0;  // of memory that others may see, where it is known
    std::size_t bytes = 0;
    std::string file{};  // instead of the code, where it is known
    unsigned line = 0;
};

struct Finding {
    Kind kind;
    std::string kernel;  // empty: host code
    std::vector<Participant> participants;
    std::string detail;               // a sentence
    std::string cause;                // the usual one, a sentence
    std::string note{};               // on what judgement it rests, or empty
    std::string cause_in_one_line{};  // instead, if all have done it in the same line
};

/// True for the first finding of this kind at these places.
bool is_new(Kind kind, std::uintptr_t code, std::uintptr_t other_code = 0);

void report(Finding finding);

/// Whether something was reported at that line.
bool is_told(std::uintptr_t code);

/// How often report() was called so far.
unsigned reports();

/// Something that may be wrong, or is just worth to be known: told, and no finding. `more`: sentences.
void note(const Participant& participant, const std::string& more);

/// That line of the file, without the blanks around it.
std::string text_of(const SourcePlace& place);

/// "4 bytes" and so on
std::string bytes_of(std::size_t n);

/// "1 block", "2 blocks"
std::string counted(std::uint64_t n, const std::string& what, const std::string& plural = "s");

/// As JSON writes a string.
std::string json_string(const std::string& text);

/// For the summary at the end.
void count_launch();
void count_refused_launch();
void tell_summary_at_exit();

}  // namespace emulator

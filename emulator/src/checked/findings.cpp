#include "findings.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <fstream>
#include <mutex>
#include <optional>
#include <set>
#include <tuple>

#include "../reports/error_state.h"
#include "../settings.h"
#include "checker.h"
#include "counters/counters.h"
#include "host/api_calls.h"
#include "trace/trace.h"

namespace emulator {
namespace {

const char* name(Kind kind) {
    static const char* const names[] = {"out-of-bounds",
                                        "use-after-free",
                                        "double-free",
                                        "invalid-free",
                                        "invalid-copy",
                                        "misaligned",
                                        "host-touches-device",
                                        "device-touches-host",
                                        "device-touches-peer",
                                        "uninitialised",
                                        "race",
                                        "copy-in-flight",
                                        "unordered",
                                        "divergent-barrier",
                                        "warp-mask",
                                        "deadlock",
                                        "stack-overflow",
                                        "division-by-zero",
                                        "assertion",
                                        "trap",
                                        "refused-launch",
                                        "failed-call",
                                        "shift"};
    return names[static_cast<unsigned>(kind)];
}

struct State {
    std::mutex mutex;
    std::set<std::tuple<Kind, std::uintptr_t, std::uintptr_t>> codes;
    std::set<std::string> places;
    unsigned findings = 0, launches = 0, refused = 0, notes = 0;
    std::atomic<unsigned> reports = 0;
};

State& state() {
    static State& state = *new State;  // for destructors that launch
    return state;
}

struct Located {
    const Participant& participant;
    SourcePlace place;
    std::string name;  // of the place, and where its function is called if that was inlined
    std::string text;
};

// Which order of the threads it was found in, if that is none of the usual ones.
std::string order_of(const Finding& finding) {
    if (active_checker == nullptr || finding.kernel.empty() || !active_checker->has_interleaved()) return "";
    const std::optional<std::uint64_t> seed = value_of<settings::interleave>().number;
    return "at atomic operations the threads took turns, in the order of " +
           (seed ? "EMULATOR_INTERLEAVE=" + std::to_string(*seed)
                 : "the default seed; EMULATOR_INTERLEAVE=1 or another number tries others");
}

const std::string& cause_of(const Finding& finding, const std::vector<Located>& all) {
    const auto is_elsewhere = [&](const Located& l) {
        return l.place.path != all.front().place.path || l.place.line != all.front().place.line;
    };
    const bool in_one_line =
        !all.empty() && !all.front().place.path.empty() && std::none_of(all.begin(), all.end(), is_elsewhere);
    return in_one_line && !finding.cause_in_one_line.empty() ? finding.cause_in_one_line : finding.cause;
}

void append_json(const Finding& finding, const std::vector<Located>& all, const std::string& report) {
    const char* path = value_of<settings::check_json>();
    if (path == nullptr) return;
    std::string json = "{\"kind\": " + json_string(name(finding.kind)) +
                       ", \"kernel\": " + json_string(finding.kernel) + ", \"detail\": " + json_string(finding.detail) +
                       ", \"cause\": " + json_string(cause_of(finding, all)) +
                       ", \"note\": " + json_string(finding.note) + ", \"deeds\": [";
    for (const Located& l : all)
        json += std::string(&l == all.data() ? "" : ", ") + "{\"who\": " + json_string(l.participant.who) +
                ", \"what\": " + json_string(l.participant.what) + ", \"file\": " + json_string(l.place.path) +
                ", \"line\": " + std::to_string(l.place.line) + ", \"text\": " + json_string(l.text) + "}";
    json += "], \"report\": " + json_string(report) + "}\n";
    if (FILE* file = std::fopen(path, "a")) {
        std::fwrite(json.data(), 1, json.size(), file);
        std::fclose(file);
    } else {
        std::fprintf(stderr, "emulator: EMULATOR_CHECK_JSON: cannot write to %s\n", path);
    }
}

// That nothing was found is said only where all that was tried has run.
std::string summary() {
    const unsigned n = state().findings, refused = state().refused, notes = state().notes;
    std::string text = "nothing found";
    if (n > 0)
        text = counted(n, "finding", "s");
    else if (sticky_error() != cudaSuccess)
        text = "a kernel failed, and else nothing was found";
    else if (refused > 0)
        text +=
            " in what ran, and " + counted(refused, "launch", "es") + (refused == 1 ? " was" : " were") + " refused";
    return notes == 0 ? text : text + ", " + counted(notes, "note", "s");
}

void tell_summary(int status, void*) {
    std::fflush(stdout);
    if (!counting || watching) tell_end_of_calls();
    const unsigned n = state().findings;
    if (n == 0 && status == 0 && sticky_error() == cudaSuccess && !counting) tell_what_is_left();
    if (counting) Counters::instance().tell();
    const bool told = !watching || Trace::instance().write(Counters::instance().traced_sites());
    if (!told && status == 0 && n == 0) _Exit(EXIT_FAILURE);
    if (counting && n == 0) return;
    std::fprintf(stderr, "emulator: checked %s: %s\n", counted(state().launches, "launch", "es").c_str(),
                 summary().c_str());
    std::fflush(nullptr);
    if (n > 0 && status == 0) _Exit(exit_with_findings);
}

}  // namespace

std::string text_of(const SourcePlace& place) {
    std::ifstream file(place.path);
    std::string text;
    for (unsigned i = 0; i < place.line; ++i)
        if (!std::getline(file, text)) return {};
    const std::size_t first = text.find_first_not_of(" \t"), last = text.find_last_not_of(" \t\r");
    return first == text.npos ? std::string() : text.substr(first, last - first + 1);
}

std::string bytes_of(std::size_t n) {
    return std::to_string(n) + (n == 1 ? " byte" : " bytes");
}

std::string json_string(const std::string& text) {
    std::string json = "\"";
    for (const char c : text) {
        char escaped[8];
        std::snprintf(escaped, sizeof escaped, "\\u%04x", static_cast<unsigned>(static_cast<unsigned char>(c)));
        if (c == '"' || c == '\\')
            json += {'\\', c};
        else if (static_cast<unsigned char>(c) < 0x20)
            json += escaped;
        else
            json += c;
    }
    return json + '"';
}

bool is_new(Kind kind, std::uintptr_t code, std::uintptr_t other_code) {
    const std::lock_guard lock(state().mutex);
    return state().codes.emplace(kind, code, other_code).second;
}

void report(Finding finding) {
    ++state().reports;
    if (const std::string order = order_of(finding); !order.empty())
        finding.note += (finding.note.empty() ? "" : "; ") + order;
    std::vector<Located> all;
    std::string key = name(finding.kind);
    std::vector<std::string> places;  // a race is the same with its two accesses in the other order
    for (const Participant& each : finding.participants) {
        const SourcePlace place = each.file.empty() ? source_place(each.code) : SourcePlace{each.file, each.line};
        all.push_back(
            {each, place, each.file.empty() ? source_line_and_call(each.code) : place.name(), text_of(place)});
        places.push_back(" " + place.path + ":" + std::to_string(place.line));
    }
    if (finding.kind == Kind::race) std::sort(places.begin(), places.end());
    for (const std::string& place : places) key += place;
    const std::lock_guard lock(state().mutex);
    if (!state().places.insert(key).second) return;
    ++state().findings;

    std::fflush(stdout);
    std::string text = "emulator: " + std::string(name(finding.kind)) +
                       (finding.kernel.empty() ? " in host code" : " in kernel " + finding.kernel) + "\n";
    for (const Located& l : all) {
        text +=
            "  " + l.participant.who + " " + l.participant.what + (l.place.path.empty() ? "" : " at " + l.name) + "\n";
        if (!l.text.empty()) text += "      " + l.text + "\n";
    }
    if (!finding.detail.empty()) text += "  " + finding.detail + "\n";
    if (const std::string& cause = cause_of(finding, all); !cause.empty()) text += "  " + cause + "\n";
    if (!finding.note.empty()) text += "  note: " + finding.note + "\n";
    std::fputs(text.c_str(), stderr);
    append_json(finding, all, text);
    if (watching) Counters::instance().mark(finding, Trace::instance().finding(name(finding.kind), text));
}

bool is_told(std::uintptr_t code) {
    const SourcePlace place = source_place(code);
    const std::string line = " " + place.path + ":" + std::to_string(place.line);
    const std::lock_guard lock(state().mutex);
    return !place.path.empty() && std::any_of(state().places.begin(), state().places.end(), [&](const std::string& p) {
        return p.ends_with(line) || p.find(line + " ") != p.npos;
    });
}

unsigned reports() {
    return state().reports;
}

void note(const Participant& participant, const std::string& more) {
    const SourcePlace place = source_place(participant.code);
    const std::string text = text_of(place);
    const std::lock_guard lock(state().mutex);
    if (!state().places.insert("note " + participant.what + " " + place.path + ":" + std::to_string(place.line)).second)
        return;
    ++state().notes;
    std::fflush(stdout);
    std::fprintf(stderr, "emulator: note: %s %s%s%s\n", participant.who.c_str(), participant.what.c_str(),
                 place.path.empty() ? "" : " at ", place.name().c_str());
    if (!text.empty()) std::fprintf(stderr, "      %s\n", text.c_str());
    if (!more.empty()) std::fprintf(stderr, "  %s\n", more.c_str());
}

std::string counted(std::uint64_t n, const std::string& what, const std::string& plural) {
    return std::to_string(n) + " " + what + (n == 1 ? "" : plural);
}

void count_launch() {
    const std::lock_guard lock(state().mutex);
    ++state().launches;
}

void count_refused_launch() {
    const std::lock_guard lock(state().mutex);
    ++state().refused;
}

void tell_summary_at_exit() {
    static std::once_flag once;
    std::call_once(once, [] { on_exit(tell_summary, nullptr); });
}

}  // namespace emulator

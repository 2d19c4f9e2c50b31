#include "findings.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <mutex>
#include <set>
#include <tuple>

#include "counters.h"

namespace emulator {
namespace {

const char* name(Kind kind) {
    static const char* const names[] = {"out-of-bounds", "use-after-free", "double-free",         "invalid-free",
                                        "invalid-copy",  "misaligned",     "host-touches-device", "device-touches-host",
                                        "uninitialised", "race",           "divergent-barrier",   "warp-mask",
                                        "deadlock",      "stack-overflow"};
    return names[static_cast<unsigned>(kind)];
}

struct State {
    std::mutex mutex;
    std::set<std::tuple<Kind, std::uintptr_t, std::uintptr_t>> codes;
    std::set<std::string> places;
    unsigned findings = 0, launches = 0;
};

State& state() {
    static State& state = *new State;  // for destructors that launch
    return state;
}

struct Located {
    const Deed& deed;
    SourcePlace place;
    std::string text;
};

void append_json(const Finding& finding, const std::vector<Located>& deeds, const std::string& report) {
    const char* path = std::getenv("EMULATOR_CHECK_JSON");
    if (path == nullptr) return;
    std::string json = "{\"kind\": " + json_string(name(finding.kind)) +
                       ", \"kernel\": " + json_string(finding.kernel) + ", \"detail\": " + json_string(finding.detail) +
                       ", \"cause\": " + json_string(finding.cause) + ", \"deeds\": [";
    for (const Located& d : deeds)
        json += std::string(&d == deeds.data() ? "" : ", ") + "{\"who\": " + json_string(d.deed.who) +
                ", \"what\": " + json_string(d.deed.what) + ", \"file\": " + json_string(d.place.path) +
                ", \"line\": " + std::to_string(d.place.line) + ", \"text\": " + json_string(d.text) + "}";
    json += "], \"report\": " + json_string(report) + "}\n";
    if (FILE* file = std::fopen(path, "a")) {
        std::fwrite(json.data(), 1, json.size(), file);
        std::fclose(file);
    } else {
        std::fprintf(stderr, "emulator: EMULATOR_CHECK_JSON: cannot write to %s\n", path);
    }
}

void tell_summary(int status, void*) {
    const unsigned n = state().findings, launches = state().launches;
    std::fflush(stdout);
    if (counting) Counters::instance().tell();
    if (counting && n == 0) return;
    std::fprintf(stderr, "emulator: checked %u launch%s: %s", launches, launches == 1 ? "" : "es",
                 n == 0 ? "nothing found\n" : "");
    if (n > 0) std::fprintf(stderr, "%u finding%s\n", n, n == 1 ? "" : "s");
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

void report(const Finding& finding) {
    std::vector<Located> deeds;
    std::string key = name(finding.kind);
    std::vector<std::string> places;  // a race is the same with its two deeds in the other order
    for (const Deed& deed : finding.deeds) {
        const SourcePlace place = deed.file.empty() ? source_place(deed.code) : SourcePlace{deed.file, deed.line};
        deeds.push_back({deed, place, text_of(place)});
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
    for (const Located& d : deeds) {
        text += "  " + d.deed.who + " " + d.deed.what + (d.place.path.empty() ? "" : " at " + d.place.name()) + "\n";
        if (!d.text.empty()) text += "      " + d.text + "\n";
    }
    if (!finding.detail.empty()) text += "  " + finding.detail + "\n";
    if (!finding.cause.empty()) text += "  " + finding.cause + "\n";
    std::fputs(text.c_str(), stderr);
    append_json(finding, deeds, text);
}

void count_launch() {
    const std::lock_guard lock(state().mutex);
    ++state().launches;
}

void tell_summary_at_exit() {
    static std::once_flag once;
    std::call_once(once, [] { on_exit(tell_summary, nullptr); });
}

}  // namespace emulator

#include "source_places.h"

#include <dlfcn.h>
#include <execinfo.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <string_view>

#include "debug_information.h"

namespace emulator {
namespace {

bool contains(std::string_view path, std::string_view part) {
    return path.find(part) != path.npos;
}

bool is_emulators_header(const SourcePlace& place) {
    return contains(place.path, "/emulator/include/") || contains(place.path, "/include/emulator/") ||
           contains(place.path, "/cuda_emulator/include/");  // where it is installed
}

// The compiler's or the system's.
bool is_libraries(const SourcePlace& place) {
    return place.path.starts_with("/usr/include/") || place.path.starts_with("/usr/lib/") ||
           contains(place.path, "/include/c++/");
}

// The emulator's folder may have another name.
bool is_engines(const SourcePlace& place) {
    static constexpr std::string_view here = __FILE__;
    return place.path.starts_with(here.substr(0, here.rfind("reports/")));
}

bool is_in_source_file(const SourcePlace& place) {
    static constexpr std::string_view endings[] = {".cu", ".cpp", ".cc", ".cxx", ".c++", ".C", ".c"};
    return std::any_of(std::begin(endings), std::end(endings),
                       [&](std::string_view ending) { return place.path.ends_with(ending); });
}

bool is_programs(const SourcePlace& place) {
    return place.line != 0 && !is_emulators_header(place) && !is_libraries(place) && !is_engines(place);
}

// A library's line is better than none, unless it is the engine that uses the library.
SourcePlace innermost_of_program(const std::vector<SourcePlace>& lines) {
    auto found = std::find_if(lines.begin(), lines.end(), is_programs);
    if (found == lines.end() && std::none_of(lines.begin(), lines.end(), is_engines))
        found = std::find_if_not(lines.begin(), lines.end(), is_emulators_header);
    return found == lines.end() ? SourcePlace{} : *found;
}

// Places that were asked for once: finding one takes its time, and some are asked for again and again.
struct Known {
    std::mutex mutex;
    std::map<std::uintptr_t, SourcePlace> places;
};

Known& known() {
    static Known& known = *new Known;
    return known;
}

}  // namespace

std::vector<SourcePlace> source_places(const std::vector<std::uintptr_t>& codes) {
    std::vector<SourcePlace> places;
    for (const std::uintptr_t code : codes) places.push_back(source_place(code));
    return places;
}

SourcePlace source_place(std::uintptr_t code) {
    const std::lock_guard lock(known().mutex);
    const auto [place, is_new] = known().places.try_emplace(code);
    if (is_new) place->second = innermost_of_program(inlined_lines(code));
    return place->second;
}

std::string source_line(std::uintptr_t code) {
    return source_place(code).name();
}

std::string source_line_and_call(std::uintptr_t code) {
    const SourcePlace place = source_place(code);
    const std::vector<SourcePlace> lines = inlined_lines(code);
    const auto is_it = [&](const SourcePlace& each) { return each.path == place.path && each.line == place.line; };
    const auto call = std::find_if(std::find_if(lines.begin(), lines.end(), is_it), lines.end(),
                                   [&](const SourcePlace& each) { return is_programs(each) && !is_it(each); });
    return place.name() + (call == lines.end() ? "" : " (called at " + call->name() + ")");
}

__attribute__((no_sanitize("address"))) std::uintptr_t programs_own(std::uintptr_t code, std::uintptr_t stack_end,
                                                                    std::uintptr_t return_address) {
    const auto is_in_program = [](std::uintptr_t address) { return is_programs(source_place(address)); };
    if (is_in_program(code)) return code;
    if (return_address != 0 && is_in_program(return_address - 1)) return return_address - 1;
    constexpr std::size_t looked_at = 64;  // words: the emulator's functions that kernels call need few
    Dl_info module;
    const auto* words = reinterpret_cast<const std::uintptr_t*>((stack_end + 7) / 8 * 8);
    for (std::size_t i = 0; i < looked_at; ++i)
        if (dladdr(reinterpret_cast<void*>(words[i]), &module) != 0 && is_in_program(words[i] - 1)) return words[i] - 1;
    return code;
}

Frames callers() {
    void* found[std::tuple_size_v<Frames>] = {};
    const int n = backtrace(found, static_cast<int>(std::size(found)));
    Frames frames{};
    for (int i = 0; i < n; ++i) frames[static_cast<std::size_t>(i)] = reinterpret_cast<std::uintptr_t>(found[i]);
    return frames;
}

std::uintptr_t programs_call(std::span<const std::uintptr_t> return_addresses) {
    std::uintptr_t innermost = 0;
    for (const std::uintptr_t address : return_addresses) {
        if (address == 0) break;
        const std::uintptr_t code = address - 1;
        for (const SourcePlace& place : inlined_lines(code)) {
            if (!is_programs(place)) continue;
            if (innermost == 0) innermost = code;
            if (!is_in_source_file(place)) continue;
            const std::lock_guard lock(known().mutex);
            known().places[code] = place;
            return code;
        }
    }
    return innermost;
}

std::string programs_call_and_its_call(std::span<const std::uintptr_t> return_addresses) {
    const SourcePlace asked = source_place(programs_call(return_addresses));
    std::string text = asked.name();
    bool found = false;
    for (const std::uintptr_t address : return_addresses) {
        if (address == 0) break;
        for (const SourcePlace& place : inlined_lines(address - 1)) {
            if (!is_programs(place) || !is_in_source_file(place)) continue;
            const bool is_it = place.path == asked.path && place.line == asked.line;
            if (found && !is_it) return text + ", called at " + place.name();
            found = found || is_it;
        }
    }
    return text;
}

std::string engines_line(std::span<const std::uintptr_t> return_addresses) {
    for (const std::uintptr_t address : return_addresses)
        for (const SourcePlace& place : inlined_lines(address - 1)) {
            if (is_programs(place)) return {};
            if (is_engines(place)) return place.name();
        }
    return {};
}

std::string SourcePlace::name() const {
    if (path.empty()) return {};
    const std::size_t slash = path.rfind('/');
    return (slash == path.npos ? path : path.substr(slash + 1)) + ":" + std::to_string(line);
}

}  // namespace emulator

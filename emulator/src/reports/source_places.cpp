#include "source_places.h"

#include <dlfcn.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <utility>

namespace emulator {

bool is_wrapper(std::string_view path) {
    return path.find("device_buffer.h") != path.npos;
}

namespace {

bool is_our_header(std::string_view path) {
    return path.find("/emulator/include/") != path.npos || path.find("/include/emulator/") != path.npos;
}

// Of instructions of one module, given by their distances from its start.
void find_places(const std::string& file, const std::vector<std::uintptr_t>& offsets,
                 const std::vector<SourcePlace*>& found) {
    std::string command = "addr2line -a -i -e '" + file + "'";
    for (const std::uintptr_t offset : offsets) {
        char text[32];
        std::snprintf(text, sizeof text, " %#zx", std::size_t{offset});
        command += text;
    }
    FILE* pipe = popen((command + " 2>/dev/null").c_str(), "r");
    if (pipe == nullptr) return;
    char line[1024] = "";
    auto place = found.begin();
    bool begun = false;
    // Innermost first, and the emulator's own inlined headers are not what the reader wrote.
    while (std::fgets(line, sizeof line, pipe) != nullptr) {
        line[std::strcspn(line, "\n")] = '\0';
        if (std::strncmp(line, "0x", 2) == 0) {  // the next one's address
            if (std::exchange(begun, true)) ++place;
            continue;
        }
        if (!(*place)->path.empty() && !is_wrapper((*place)->path)) continue;
        if (char* note = std::strstr(line, " (discriminator")) *note = '\0';
        char* colon = std::strrchr(line, ':');
        if (line[0] == '?' || colon == nullptr || is_our_header(line)) continue;
        (*place)->path.assign(line, colon);
        (*place)->line = static_cast<unsigned>(std::atoi(colon + 1));
    }
    pclose(pipe);
}

}  // namespace

std::vector<SourcePlace> source_places(const std::vector<std::uintptr_t>& codes) {
    constexpr std::size_t at_once = 1000;  // which the shell takes as one command
    std::vector<SourcePlace> places(codes.size());
    std::map<std::string, std::pair<std::vector<std::uintptr_t>, std::vector<SourcePlace*>>> modules;
    const auto find_all_in = [&](const std::string& file) {
        auto& [offsets, found] = modules[file];
        find_places(file, offsets, found);
        offsets.clear();
        found.clear();
    };
    for (std::size_t i = 0; i < codes.size(); ++i) {
        Dl_info module;
        if (dladdr(reinterpret_cast<void*>(codes[i]), &module) == 0) continue;
        // A program that was found through PATH is known by its bare name only.
        std::string file = module.dli_fname;
        if (file.find('/') == file.npos) {
            char self[4096];
            const ssize_t length = readlink("/proc/self/exe", self, sizeof self);
            if (length > 0) file.assign(self, static_cast<std::size_t>(length));
        }
        auto& [offsets, found] = modules[file];
        offsets.push_back(codes[i] - reinterpret_cast<std::uintptr_t>(module.dli_fbase));
        found.push_back(&places[i]);
        if (offsets.size() == at_once) find_all_in(file);
    }
    for (const auto& [file, wanted] : modules)
        if (!wanted.first.empty()) find_places(file, wanted.first, wanted.second);
    return places;
}

SourcePlace source_place(std::uintptr_t code) {
    // Asking takes a process.
    static std::mutex mutex;
    static auto& known = *new std::map<std::uintptr_t, SourcePlace>;
    const std::lock_guard lock(mutex);
    const auto [place, is_new] = known.try_emplace(code);
    if (is_new) place->second = source_places({code}).front();
    return place->second;
}

__attribute__((no_sanitize("address"))) std::uintptr_t programs_own(std::uintptr_t code, std::uintptr_t stack_end) {
    const auto is_programs = [](std::uintptr_t address) {
        const std::string path = source_place(address).path;
        return !path.empty() && path.find("emulator/src/") == path.npos;
    };
    Dl_info module, other;
    if (is_programs(code) || dladdr(reinterpret_cast<void*>(code), &module) == 0) return code;
    constexpr std::size_t looked_at = 64;  // words: the emulator's functions that kernels call need few
    const auto* words = reinterpret_cast<const std::uintptr_t*>((stack_end + 7) / 8 * 8);
    for (std::size_t i = 0; i < looked_at; ++i)
        if (dladdr(reinterpret_cast<void*>(words[i]), &other) != 0 && other.dli_fbase == module.dli_fbase &&
            is_programs(words[i] - 1))
            return words[i] - 1;
    return code;
}

std::string SourcePlace::name() const {
    if (path.empty()) return {};
    const std::size_t slash = path.rfind('/');
    return (slash == path.npos ? path : path.substr(slash + 1)) + ":" + std::to_string(line);
}

std::string source_line(std::uintptr_t code) {
    return source_place(code).name();
}

}  // namespace emulator

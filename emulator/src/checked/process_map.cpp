#include "process_map.h"

#include <link.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <vector>

#include "../memory/memory.h"

namespace emulator {
namespace {

struct Module {
    std::uintptr_t base = 0, begin = 0, end = 0;
};

// The program and its libraries.
std::vector<Module> modules() {
    std::vector<Module> all;
    dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* result) {
            Module module{info->dlpi_addr, ~std::uintptr_t{0}, 0};
            for (unsigned i = 0; i < info->dlpi_phnum; ++i) {
                const auto& part = info->dlpi_phdr[i];
                if (part.p_type != PT_LOAD) continue;
                module.begin = std::min<std::uintptr_t>(module.begin, info->dlpi_addr + part.p_vaddr);
                module.end = std::max<std::uintptr_t>(module.end, info->dlpi_addr + part.p_vaddr + part.p_memsz);
            }
            static_cast<std::vector<Module>*>(result)->push_back(module);
            return 0;
        },
        &all);
    return all;
}

std::vector<Symbol> read_symbols() {
    std::vector<Symbol> symbols;
    FILE* pipe = popen("nm -S -C --defined-only /proc/$PPID/exe 2>/dev/null", "r");
    if (pipe == nullptr) return symbols;
    const std::uintptr_t base = modules().front().base;
    char line[1024];
    while (std::fgets(line, sizeof line, pipe) != nullptr) {
        unsigned long long at = 0, bytes = 0;
        char type = 0, name[900] = "";
        if (std::sscanf(line, "%llx %llx %c %899[^\n]", &at, &bytes, &type, name) != 4) continue;
        if (std::strchr("bBdDrRvVuw", type) == nullptr) continue;
        const std::uintptr_t begin = base + at;
        if (is_variable(reinterpret_cast<const void*>(begin))) symbols.push_back({begin, bytes, name});
    }
    pclose(pipe);
    std::sort(symbols.begin(), symbols.end(), [](const Symbol& a, const Symbol& b) { return a.begin < b.begin; });
    return symbols;
}

const std::vector<Symbol>& symbols() {
    static const auto& all = *new std::vector<Symbol>(read_symbols());
    return all;
}

struct Mapping {
    std::uintptr_t begin, end;
    bool writable;
};

std::vector<Mapping> read_mappings() {
    std::vector<Mapping> mappings;
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);) {
        unsigned long begin = 0, end = 0;
        char rights[5] = "";
        if (std::sscanf(line.c_str(), "%lx-%lx %4s", &begin, &end, rights) == 3)
            mappings.push_back({begin, end, rights[1] == 'w'});
    }
    return mappings;
}

}  // namespace

std::uintptr_t whole_code_address(std::uint32_t low) {
    for (const Module& m : modules()) {
        const std::uintptr_t address = m.begin + static_cast<std::uint32_t>(low - static_cast<std::uint32_t>(m.begin));
        if (address < m.end) return address;
    }
    return low;
}

const Symbol* symbol_at_or_before(std::uintptr_t address) {
    const auto after = std::upper_bound(symbols().begin(), symbols().end(), address,
                                        [](std::uintptr_t a, const Symbol& s) { return a < s.begin; });
    return after == symbols().begin() ? nullptr : &*std::prev(after);
}

bool is_host_memory(std::uintptr_t address, bool* writable) {
    static auto& mappings = *new std::vector<Mapping>;
    for (int attempt = 0; attempt < 2; ++attempt) {
        for (const Mapping& m : mappings)
            if (m.begin <= address && address < m.end) return *writable = m.writable, true;
        mappings = read_mappings();
    }
    return false;
}

}  // namespace emulator

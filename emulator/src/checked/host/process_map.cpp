#include "process_map.h"

#include <link.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "../../memory/memory.h"
#include "../launch.h"

namespace emulator {
namespace {

struct Module {
    std::uintptr_t begin = 0, end = 0;
};

std::vector<Module> read_modules() {
    std::vector<Module> all;
    dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* result) {
            Module module{~std::uintptr_t{0}, 0};
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

// The program and its libraries. To list them takes long, and a kernel may race millions of times.
const std::vector<Module>& modules() {
    static auto& all = *new std::vector<Module>;
    static unsigned long long known = ~0ull;
    if (const unsigned long long now = loads_and_unloads(); now != known) {
        all = read_modules();
        known = now;
    }
    return all;
}

const std::vector<NamedVariable>& device_variables() {
    static auto& all = *new std::vector<NamedVariable>;
    static std::size_t known = ~std::size_t{0};
    if (const std::size_t added = variables_added(); added != known) {
        all = variables(is_variable);
        known = added;
    }
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

const NamedVariable* variable_at_or_before(std::uintptr_t address) {
    const auto& all = device_variables();
    const auto after = std::upper_bound(all.begin(), all.end(), address,
                                        [](std::uintptr_t a, const NamedVariable& v) { return a < v.begin; });
    return after == all.begin() ? nullptr : &*std::prev(after);
}

const NamedVariable* variable_near(std::uintptr_t address) {
    const auto& all = device_variables();
    const NamedVariable* before = variable_at_or_before(address);
    const NamedVariable* after = before == nullptr ? all.data() : before + 1;
    if (before != nullptr && address - before->begin < before->bytes + stray_bytes / 2) return before;
    if (after != all.data() + all.size() && after->begin - address <= stray_bytes / 2) return after;
    return before != nullptr && address - before->begin < before->bytes + stray_bytes ? before : nullptr;
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

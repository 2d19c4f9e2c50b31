#include "debug_information.h"

#include <cxxabi.h>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

namespace emulator {

unsigned long long loads_and_unloads() {
    unsigned long long count = 0;
    dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* result) {
            *static_cast<unsigned long long*>(result) = info->dlpi_adds + info->dlpi_subs;
            return 1;  // each module says it, so the first one will do
        },
        &count);
    return count;
}

namespace {

/// libdw's view of this process.
class Process {
  public:
    Process() : dwfl_(dwfl_begin(&callbacks_)) { look(); }

    /// The module that the instruction lies in, also if it was loaded a moment ago; null if it lies in none. What was
    /// found in modules before may be gone after that: see changes().
    Dwfl_Module* module_at(Dwarf_Addr code) {
        if (dwfl_ == nullptr) return nullptr;
        Dwfl_Module* module = dwfl_addrmodule(dwfl_, code);
        if (module != nullptr || loads_and_unloads() == changes_) return module;
        dwfl_report_begin(dwfl_);
        look();
        return dwfl_addrmodule(dwfl_, code);
    }

    /// Another number whenever libdw was asked anew which modules there are.
    unsigned long long changes() const { return changes_; }

    /// Calls visit(module) for the program and each of its libraries.
    template <class Visit>
    void for_each_module(Visit visit) {
        const auto call = [](Dwfl_Module* module, void**, const char*, Dwarf_Addr, void* visit) -> int {
            (*static_cast<Visit*>(visit))(module);
            return DWARF_CB_OK;
        };
        if (dwfl_ != nullptr) dwfl_getmodules(dwfl_, call, &visit, 0);
    }

  private:
    void look() {
        if (dwfl_ == nullptr) return;
        changes_ = loads_and_unloads();
        dwfl_linux_proc_report(dwfl_, getpid());
        dwfl_report_end(dwfl_, nullptr, nullptr);
    }

    // What the program itself does not bring is not looked for, least of all on a server.
    static int no_other_file(Dwfl_Module*, void**, const char*, Dwarf_Addr, const char*, const char*, GElf_Word,
                             char**) {
        return -1;
    }

    static constexpr Dwfl_Callbacks callbacks_ = {dwfl_linux_proc_find_elf, no_other_file, nullptr, nullptr};
    Dwfl* const dwfl_;
    unsigned long long changes_ = 0;
};

// libdw wants one caller at a time.
std::mutex& mutex() {
    static auto& mutex = *new std::mutex;
    return mutex;
}

Process& process() {
    static auto& process = *new Process;
    return process;
}

// The unit of the program that the instruction was compiled in. Tables of addresses make that quick; clang++ writes
// none, and then the unit before it, which has one, is taken for its own.
Dwarf_Die* unit_at(Dwfl_Module* module, Dwarf_Addr code, Dwarf_Addr& bias) {
    const auto is_here = [&](Dwarf_Die* unit) { return dwarf_haspc(unit, code - bias) == 1; };
    Dwarf_Die* unit = dwfl_module_addrdie(module, code, &bias);
    if (unit != nullptr && is_here(unit)) return unit;
    unit = nullptr;
    while ((unit = dwfl_module_nextcu(module, unit, &bias)) != nullptr)
        if (is_here(unit)) return unit;
    return nullptr;
}

unsigned number(Dwarf_Die* die, unsigned name) {
    Dwarf_Attribute attribute;
    Dwarf_Word value = 0;
    if (dwarf_attr(die, name, &attribute) == nullptr || dwarf_formudata(&attribute, &value) != 0) return 0;
    return static_cast<unsigned>(value);
}

// A call that was inlined: the code that stands for it, and where it is in the source.
struct InlinedCall {
    Dwarf_Addr begin, end;
    unsigned depth;  // in the tree of what the unit declares; a call inside of another lies deeper
    const char* file;
    unsigned line;
};

void add_calls(std::vector<InlinedCall>& calls, Dwarf_Files* files, Dwarf_Die* parent, unsigned depth) {
    Dwarf_Die die;
    if (dwarf_child(parent, &die) != 0) return;
    do {
        if (dwarf_tag(&die) == DW_TAG_inlined_subroutine) {
            const char* file = dwarf_filesrc(files, number(&die, DW_AT_call_file), nullptr, nullptr);
            const unsigned line = number(&die, DW_AT_call_line);
            Dwarf_Addr base = 0, begin = 0, end = 0;
            for (std::ptrdiff_t at = 0; (at = dwarf_ranges(&die, at, &base, &begin, &end)) > 0;)
                if (file != nullptr) calls.push_back({begin, end, depth, file, line});
        }
        add_calls(calls, files, &die, depth + 1);
    } while (dwarf_siblingof(&die, &die) == 0);
}

// Those of a unit of the program. libdw's own search does not find the functions of classes that are local to others,
// as a kernel's body is.
const std::vector<InlinedCall>& inlined_calls(Dwarf_Die* unit) {
    static auto& known = *new std::map<const void*, std::vector<InlinedCall>>;
    static unsigned long long of = process().changes();
    if (std::exchange(of, process().changes()) != process().changes()) known.clear();
    const auto [calls, is_new] = known.try_emplace(unit->addr);
    Dwarf_Files* files = nullptr;
    if (is_new && dwarf_getsrcfiles(unit, &files, nullptr) == 0) add_calls(calls->second, files, unit, 0);
    return calls->second;
}

std::string demangled(const char* name) {
    if (!std::string_view(name).starts_with("_Z")) return name;  // `c` would be the type char
    const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(name, nullptr, nullptr, nullptr), std::free);
    return text == nullptr ? name : text.get();
}

bool names_a_variable(const GElf_Sym& symbol) {
    return GELF_ST_TYPE(symbol.st_info) == STT_OBJECT && symbol.st_shndx != SHN_UNDEF && symbol.st_size != 0;
}

}  // namespace

std::vector<NamedVariable> variables(bool (*is_wanted)(const void* address)) {
    const std::lock_guard lock(mutex());
    std::vector<NamedVariable> found;
    process().for_each_module([&](Dwfl_Module* module) {
        for (int i = 0, n = dwfl_module_getsymtab(module); i < n; ++i) {
            GElf_Sym symbol;
            GElf_Addr begin = 0;
            const char* name = dwfl_module_getsym_info(module, i, &symbol, &begin, nullptr, nullptr, nullptr);
            if (name != nullptr && names_a_variable(symbol) && is_wanted(reinterpret_cast<const void*>(begin)))
                found.push_back({begin, symbol.st_size, demangled(name)});
        }
    });
    std::sort(found.begin(), found.end(),
              [](const NamedVariable& a, const NamedVariable& b) { return a.begin < b.begin; });
    return found;
}

std::vector<SourcePlace> inlined_lines(std::uintptr_t code) {
    const std::lock_guard lock(mutex());
    std::vector<SourcePlace> lines;
    Dwfl_Module* module = process().module_at(code);
    Dwarf_Addr bias = 0;
    Dwarf_Die* unit = module == nullptr ? nullptr : unit_at(module, code, bias);
    if (unit == nullptr) return lines;
    if (Dwarf_Line* line = dwarf_getsrc_die(unit, code - bias)) {
        int number = 0;
        const char* file = dwarf_linesrc(line, nullptr, nullptr);
        if (file != nullptr && dwarf_lineno(line, &number) == 0) lines.push_back({file, static_cast<unsigned>(number)});
    }
    std::vector<InlinedCall> around;
    for (const InlinedCall& call : inlined_calls(unit))
        if (call.begin <= code - bias && code - bias < call.end) around.push_back(call);
    std::sort(around.begin(), around.end(),
              [](const InlinedCall& a, const InlinedCall& b) { return a.depth > b.depth; });
    for (const InlinedCall& call : around) lines.push_back({call.file, call.line});
    return lines;
}

}  // namespace emulator

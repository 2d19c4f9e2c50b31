#include "debug_information.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <unistd.h>

#include <cstdlib>
#include <memory>
#include <mutex>

namespace emulator {
namespace {

struct Free {
    void operator()(Dwarf_Die* dies) const { std::free(dies); }
};
using Scopes = std::unique_ptr<Dwarf_Die, Free>;  // an array, allocated by libdw

/// libdw's view of this process.
class Process {
  public:
    Process() : dwfl_(dwfl_begin(&callbacks_)) { look(); }

    /// The module that the instruction lies in, also if it was loaded a moment ago; null if it lies in none.
    Dwfl_Module* module_at(Dwarf_Addr code) {
        if (dwfl_ == nullptr) return nullptr;
        if (Dwfl_Module* module = dwfl_addrmodule(dwfl_, code)) return module;
        dwfl_report_begin(dwfl_);
        look();
        return dwfl_addrmodule(dwfl_, code);
    }

  private:
    void look() {
        if (dwfl_ == nullptr) return;
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
};

// The unit of the program that the instruction was compiled in. Tables of addresses, which make that quick, are not
// written by clang++.
Dwarf_Die* unit_at(Dwfl_Module* module, Dwarf_Addr code, Dwarf_Addr& bias) {
    if (Dwarf_Die* unit = dwfl_module_addrdie(module, code, &bias)) return unit;
    Dwarf_Die* unit = nullptr;
    while ((unit = dwfl_module_nextcu(module, unit, &bias)) != nullptr)
        if (dwarf_haspc(unit, code - bias) == 1) return unit;
    return nullptr;
}

unsigned number(Dwarf_Die* die, unsigned name) {
    Dwarf_Attribute attribute;
    Dwarf_Word value = 0;
    if (dwarf_attr(die, name, &attribute) == nullptr || dwarf_formudata(&attribute, &value) != 0) return 0;
    return static_cast<unsigned>(value);
}

// Where the functions were called whose code, inlined, the instruction lies in.
void add_calls(std::vector<SourcePlace>& lines, Dwarf_Die* unit, Dwarf_Addr address) {
    Dwarf_Files* files = nullptr;
    if (dwarf_getsrcfiles(unit, &files, nullptr) != 0) return;
    // The first list leaves the code for the declarations where a function was inlined; the second one does not.
    Dwarf_Die* found = nullptr;
    if (dwarf_getscopes(unit, address, &found) <= 0) return;
    const Scopes scopes(found);
    const int count = dwarf_getscopes_die(scopes.get(), &found);
    if (count <= 0) return;
    const Scopes around(found);
    for (Dwarf_Die* scope = around.get(); scope != around.get() + count; ++scope) {
        if (dwarf_tag(scope) != DW_TAG_inlined_subroutine) continue;
        const char* file = dwarf_filesrc(files, number(scope, DW_AT_call_file), nullptr, nullptr);
        if (file != nullptr) lines.push_back({file, number(scope, DW_AT_call_line)});
    }
}

}  // namespace

std::vector<SourcePlace> inlined_lines(std::uintptr_t code) {
    static std::mutex mutex;  // libdw wants one caller at a time
    static Process& process = *new Process;
    const std::lock_guard lock(mutex);
    std::vector<SourcePlace> lines;
    Dwfl_Module* module = process.module_at(code);
    Dwarf_Addr bias = 0;
    Dwarf_Die* unit = module == nullptr ? nullptr : unit_at(module, code, bias);
    if (unit == nullptr) return lines;
    if (Dwarf_Line* line = dwarf_getsrc_die(unit, code - bias)) {
        int number = 0;
        const char* file = dwarf_linesrc(line, nullptr, nullptr);
        if (file != nullptr && dwarf_lineno(line, &number) == 0) lines.push_back({file, static_cast<unsigned>(number)});
    }
    add_calls(lines, unit, code - bias);
    return lines;
}

}  // namespace emulator

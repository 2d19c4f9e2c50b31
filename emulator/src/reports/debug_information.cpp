#include "debug_information.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <unistd.h>

#include <mutex>

namespace emulator {
namespace {

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

// The inlined functions that have the instruction, the innermost one last. libdw's own dwarf_getscopes() does not find
// them in a function that stands in another function's class, as a kernel's body does.
void find_inlined(Dwarf_Die* scope, Dwarf_Addr address, std::vector<Dwarf_Die>& inlined) {
    Dwarf_Die child;
    if (dwarf_child(scope, &child) != 0) return;
    do {
        if (dwarf_tag(&child) == DW_TAG_inlined_subroutine && dwarf_haspc(&child, address) == 1)
            inlined.push_back(child);
        find_inlined(&child, address, inlined);
    } while (dwarf_siblingof(&child, &child) == 0);
}

// Where the functions were called whose code, inlined, the instruction lies in.
void add_calls(std::vector<SourcePlace>& lines, Dwarf_Die* unit, Dwarf_Addr address) {
    Dwarf_Files* files = nullptr;
    if (dwarf_getsrcfiles(unit, &files, nullptr) != 0) return;
    std::vector<Dwarf_Die> inlined;
    find_inlined(unit, address, inlined);
    for (auto function = inlined.rbegin(); function != inlined.rend(); ++function) {
        const char* file = dwarf_filesrc(files, number(&*function, DW_AT_call_file), nullptr, nullptr);
        if (file != nullptr) lines.push_back({file, number(&*function, DW_AT_call_line)});
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

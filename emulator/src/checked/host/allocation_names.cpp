#include "allocation_names.h"

#include <regex.h>

#include <algorithm>
#include <iterator>
#include <span>
#include <vector>

#include "../../memory/devices.h"
#include "../../memory/memory.h"
#include "../../reports/debug_information.h"
#include "../../reports/source_places.h"
#include "../findings.h"
#include "allocations.h"
#include "emulator/device.h"

namespace emulator {

std::uintptr_t asked_at(const ShadowMemory::Frames& frames) {
    return programs_call(frames);
}

namespace {

// A POSIX regular expression, since std::regex takes seconds to compile. What is found is a group of it; what stands
// after it must not contain `unless`.
struct Form {
    Form(const char* pattern, std::size_t group, const char* unless = ".^") : group(group) {
        regcomp(&found, pattern, REG_EXTENDED);
        regcomp(&unwanted, unless, REG_EXTENDED | REG_NOSUB);
    }

    std::vector<std::string> in(const std::string& line) const {
        std::vector<std::string> all;
        regmatch_t groups[4];
        for (const char* at = line.c_str(); regexec(&found, at, 4, groups, at == line.c_str() ? 0 : REG_NOTBOL) == 0;
             at += groups[0].rm_eo) {
            const std::string all_of_it(at + groups[0].rm_so, at + groups[0].rm_eo);
            if (regexec(&unwanted, at + groups[0].rm_eo, 0, nullptr, 0) != 0 &&
                all_of_it.find("return ") == all_of_it.npos)
                all.emplace_back(at + groups[group].rm_so, at + groups[group].rm_eo);
        }
        return all;
    }

    regex_t found, unwanted;
    std::size_t group;
};

// The variable that a line, and those that it goes on in, gives new memory to; empty if that is not clear. The text is
// read here and not by the rewriter: the line may be in a .cpp file, which is compiled as it is.
std::string variable_in(const SourcePlace& place) {
    std::string line = text_of(place);
    for (SourcePlace next = place; line.find(';') == line.npos && next.line < place.line + 3;) {
        ++next.line;
        line += " " + text_of(next);
    }
    // cudaMalloc((void**)&name, ...; name = ...; Buffer<float> name(...
    static const Form forms[] = {
        {R"(cuda(Malloc|HostAlloc)\w*\s*\(\s*(\([^()]*\)\s*|\w+_cast\s*<[^>]*>\s*\(\s*)?&\s*([^,()]*[^,()[:space:]])\s*[,)])",
         3},
        {R"(([][[:alnum:]_.]+)\s*=[^=])", 1},
        {R"((^|[;{]\s*|\bstatic\s+)[[:alnum:]_:]+(<.*>)?\s+(\w+)\s*[({])", 3, R"([)}]\s*,)"},
    };
    for (const Form& form : forms) {
        const std::vector<std::string> names = form.in(line);
        if (!names.empty()) return names.size() == 1 ? names.front() : "";
    }
    return {};
}

// Whether a function that allocates was called from elsewhere, too: then who called it tells more than its line.
bool is_one_of_several(const ShadowMemory& shadow, const SourcePlace& made) {
    const auto owners = std::span(region::owners, region::bytes / region::granule);
    return std::ranges::any_of(owners, [&](const ShadowMemory* other) {
        if (other == nullptr || other->allocated_by == shadow.allocated_by) return false;
        const SourcePlace place = source_place(asked_at(other->allocated_by));
        return place.path == made.path && place.line == made.line;
    });
}

}  // namespace

std::string allocation_name(const ShadowMemory& shadow) {
    return variable_name_at(shadow.allocated_by);
}

std::string variable_name_at(const ShadowMemory::Frames& callers) {
    return variable_in(source_place(asked_at(callers)));
}

std::string cause_of_early_free(const ShadowMemory& shadow, const std::string& otherwise) {
    for (const std::uintptr_t address : shadow.freed_by)
        for (const SourcePlace& place : inlined_lines(address - 1))
            if (text_of(place).find("<<<") != std::string::npos)
                return "The launch at " + place.name() +
                       " has freed it: an object is passed to the kernel by value, and the destructor of the copy "
                       "frees "
                       "what the object still owns. Pass a pointer, or a view that owns nothing.";
    return otherwise;
}

std::string describe_allocation(std::uintptr_t address) {
    const ShadowMemory* shadow = shadow_of(reinterpret_cast<const void*>(address));
    if (shadow == nullptr) return describe_address(address);
    const std::uintptr_t begin = shadow->begin(), end = begin + shadow->bytes();
    const std::string where = address < begin ? bytes_of(begin - address) + " before "
                              : address < end ? bytes_of(address - begin) + " into "
                                              : bytes_of(address - end) + " past the end of ";
    return where + allocation_text(*shadow);
}

std::string allocation_text(const ShadowMemory& shadow) {
    const SourcePlace made = source_place(asked_at(shadow.allocated_by));
    const std::string name = variable_in(made), bytes = bytes_of(shadow.bytes());
    std::string known = name.empty() ? "" : ", " + bytes;
    if (!made.path.empty())
        known += ", made at " +
                 (is_one_of_several(shadow, made) ? programs_call_and_its_call(shadow.allocated_by) : made.name());
    if (shadow.device && device_count() > 1) known += " for " + device_name(*shadow.device);
    if (shadow.freed) {
        const SourcePlace freed = source_place(asked_at(shadow.freed_by));
        known += ", freed" + (freed.path.empty() ? "" : " at " + freed.name());
    }
    return (name.empty() ? "an allocation of " + bytes : name) + (known.empty() ? "" : " (" + known.substr(2) + ")");
}

}  // namespace emulator

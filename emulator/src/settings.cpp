#include "settings.h"

#include <charconv>
#include <string_view>

#include "checked/counters/floors.h"
#include "memory/devices.h"
#include "reports/error_state.h"

namespace emulator {
namespace {

// The whole text as a number.
template <class T>
bool parse_number(std::string_view text, T& value) {
    const char* end = text.data() + text.size();
    const auto [stopped, error] = std::from_chars(text.data(), end, value);
    return error == std::errc() && stopped == end;
}

}  // namespace

bool Switch::parse(const char* text, Value& value) {
    const std::string_view word = text;
    value = word == "1";
    return value || word.empty() || word == "0";
}

bool Seed::parse(const char* text, Value& value) {
    value.is_set = true;
    return *text == 0 || parse_number(text, value.number.emplace());
}

bool Seconds::parse(const char* text, Value& value) {
    return *text == 0 || (parse_number(text, value) && value >= 0);
}

bool File::parse(const char* text, Value& value) {
    value = text;
    return true;
}

bool GoOn::parse(const char* text, Value& value) {
    value = std::string_view(text) == values;
    return value || *text == 0;
}

bool Devices::parse(const char* text, Value& value) {
    return *text == 0 || (parse_number(text, value) && value >= 0 && value <= most_devices);
}

bool CountTable::parse(const char* text, Value& value) {
    const std::string_view word = text;
    value = word == "lines" ? Counted::lines : word == "1" ? Counted::kernels : Counted::nothing;
    return value != Counted::nothing || word.empty() || word == "0";
}

bool KnownGpu::parse(const char* text, Value& value) {
    const std::string_view word = text;
    for (std::size_t gpu = 0; gpu < known_gpus.size(); ++gpu)
        if (known_gpus[gpu].name == word) value = gpu;
    return word.empty() || known_gpus[value].name == word;
}

void tell_of_nonsense(const Setting& setting, const char* text, const char* values) {
    explain("%s=%s is ignored: its value is %s", setting.name, text, values);
}

}  // namespace emulator

#include "common/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string_view>

#include "common/output.h"
#include "common/program.h"
#include "common/text.h"

namespace {

constexpr std::size_t name_width = 24;

}  // namespace

std::string help_entry(std::string_view name, std::string_view text) {
    return wrapped("  " + left(name, name_width) + std::string(text), 2 + name_width) + "\n";
}

/// An option in --help, and whether what it names is to be written.
struct CommandLine::Entry {
    std::string name, value, help;
    std::string excludes{};
    const std::string* file = nullptr;
};

struct CommandLine::App : CLI::App {
    using CLI::App::App;

    std::string usage, footer;
    std::vector<Entry> entries;
};

CommandLine::CommandLine(const std::string& name, const std::string& about) : app_(std::make_unique<App>()) {
    app_->usage = wrapped(about) + "\nUsage: " + name + " [OPTIONS]\n";
}

CommandLine::~CommandLine() = default;

void CommandLine::flag(const std::string& name, bool& value, const std::string& help) {
    app_->add_flag(name, value);
    app_->entries.push_back({name, "", help});
}

void CommandLine::option(const std::string& name, std::string& value, const std::string& help) {
    app_->add_option(name, value);
    app_->entries.push_back({name, " TEXT", help});
}

void CommandLine::option(const std::string& name, std::optional<std::string>& value, const std::string& help) {
    app_->add_option(name, value);
    app_->entries.push_back({name, " TEXT", help});
}

void CommandLine::output_file(const std::string& name, std::string& path, const std::string& help) {
    app_->add_option(name, path);
    app_->entries.push_back({.name = name, .value = " FILE", .help = help, .file = &path});
}

void CommandLine::list(const std::string& name, std::vector<std::string>& values, const std::string& help,
                       const std::vector<std::string>& allowed) {
    CLI::Option* option = app_->add_option(name, values)->delimiter(',');
    if (!allowed.empty()) option->check(CLI::IsMember(allowed));
    app_->entries.push_back({name, " TEXT,…", help});
}

void CommandLine::excludes(const std::string& name, const std::vector<std::string>& others) {
    const auto add = [&](const std::string& one, const std::string& other) {
        for (Entry& entry : app_->entries)
            if (entry.name == one) entry.excludes += (entry.excludes.empty() ? "; not with " : ", ") + other;
    };
    for (const std::string& other : others) {
        app_->get_option(name)->excludes(app_->get_option(other));
        add(name, other);
        add(other, name);
    }
}

void CommandLine::footer(const std::string& text) {
    app_->footer = text;
}

std::string CommandLine::help() const {
    std::string text = app_->usage + "\nOptions:\n" + help_entry("-h, --help", "Print this help and exit");
    for (const Entry& entry : app_->entries) text += help_entry(entry.name + entry.value, entry.help + entry.excludes);
    return text + (app_->footer.empty() ? "" : "\n" + wrapped(app_->footer) + "\n");
}

void CommandLine::parse(int argc, char** argv) {
    try {
        app_->parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
        std::fputs(help().c_str(), stdout);
        flush_output();
        std::exit(0);
    } catch (const CLI::ParseError& error) {
        throw usage_error(std::string(error.what()) + " (--help lists the options)");
    }
    for (const Entry& entry : app_->entries)
        if (entry.file != nullptr && app_->count(entry.name) > 0) require_writable(entry.name, *entry.file);
}

namespace {

constexpr auto largest = static_cast<std::size_t>(std::numeric_limits<std::int64_t>::max());

bool is_digits(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// Digits as a number; nothing for anything else, and beyond `largest`.
std::optional<std::size_t> number_of(std::string_view digits) {
    if (!is_digits(digits)) return std::nullopt;
    std::size_t value = 0;
    for (const char c : digits)
        if (__builtin_mul_overflow(value, 10, &value) || __builtin_add_overflow(value, c - '0', &value) ||
            value > largest)
            return std::nullopt;
    return value;
}

/// factor · base^exponent, and nothing beyond `largest`.
std::optional<std::size_t> product(std::size_t factor, std::size_t base, std::size_t exponent) {
    if (base <= 1) exponent = std::min<std::size_t>(exponent, 1);  // the same, and no long way
    for (std::size_t i = 0; i < exponent && factor > 0; ++i)
        if (__builtin_mul_overflow(factor, base, &factor) || factor > largest) return std::nullopt;
    return factor;
}

/// "12", "2^20", "1e6" or "2.5e6" as a number. Nothing for what is none, is not whole, or is beyond `largest`.
std::optional<std::size_t> whole_number(std::string_view text) {
    if (const std::size_t caret = text.find('^'); caret != text.npos) {
        const auto base = number_of(text.substr(0, caret)), exponent = number_of(text.substr(caret + 1));
        return base && exponent ? product(1, *base, *exponent) : std::nullopt;
    }
    const std::size_t e = text.find_first_of("eE");
    if (e == text.npos) return number_of(text);

    std::string digits(text.substr(0, e));  // of 2.5e6: 25, and 6 - 1 zeros
    std::size_t decimals = 0;
    if (const std::size_t point = digits.find('.'); point != digits.npos) {
        if (point == 0 || point + 1 == digits.size()) return std::nullopt;
        while (digits.ends_with('0')) digits.pop_back();
        decimals = digits.size() - point - 1;
        digits.erase(point, 1);
    }
    std::string_view power = text.substr(e + 1);
    if (power.starts_with('+')) power.remove_prefix(1);
    const auto factor = number_of(digits), zeros = number_of(power);
    return factor && zeros && *zeros >= decimals ? product(*factor, 10, *zeros - decimals) : std::nullopt;
}

}  // namespace

// CLI11's own conversion would take "1e3" for 1 and wrap "-5" around.
std::size_t parse_count(const std::string& option, const std::string& text) {
    const std::optional<std::size_t> value = whole_number(text);
    if (!value || *value == 0)
        throw usage_error(option + " " + text + ": must be a whole number from 1 on, such as 1000, 1e6 or 2^20");
    return *value;
}

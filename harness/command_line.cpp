#include "harness/command_line.h"

#include <getopt.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <sstream>
#include <string_view>
#include <system_error>

#include "harness/output.h"
#include "harness/program.h"
#include "harness/text.h"

namespace {

constexpr std::size_t option_width = 24;

std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
    return text;
}

}  // namespace

std::string help_entry(std::string_view name, std::string_view text) {
    return wrapped("  " + left(name, option_width) + std::string(text), 2 + option_width) + "\n";
}

CommandLine::CommandLine(const std::string& name, const std::string& about)
    : usage_(wrapped(about) + "\nUsage: " + name + " [OPTIONS]\n") {}

void CommandLine::flag(const std::string& name, bool& value, const std::string& help) {
    options_.push_back({name, "", help, [&value](const std::string&) { value = true; }});
}

void CommandLine::option(const std::string& name, std::string& value, const std::string& help) {
    options_.push_back({name, " TEXT", help, [&value](const std::string& given) { value = given; }});
}

void CommandLine::option(const std::string& name, std::optional<std::string>& value, const std::string& help) {
    options_.push_back({name, " TEXT", help, [&value](const std::string& given) { value = given; }});
}

void CommandLine::output_file(const std::string& name, std::string& path, const std::string& help) {
    options_.push_back({name, " FILE", help, [&path](const std::string& given) { path = given; }, true});
}

void CommandLine::list(const std::string& name, std::vector<std::string>& values, const std::string& help,
                       const std::vector<std::string>& allowed) {
    const auto take = [&values, name, allowed](const std::string& given) {
        values.clear();
        std::istringstream words(given);
        for (std::string word; std::getline(words, word, ',');) {
            if (!allowed.empty() && std::find(allowed.begin(), allowed.end(), word) == allowed.end())
                throw usage_error(name + ": '" + word + "' is none of " + joined(allowed));
            values.push_back(word);
        }
    };
    options_.push_back({name, " TEXT,…", help, take, false, true});
}

CommandLine::Option& CommandLine::find(const std::string& name) {
    return *std::find_if(options_.begin(), options_.end(), [&](const Option& o) { return o.name == name; });
}

void CommandLine::excludes(const std::string& name, const std::vector<std::string>& others) {
    for (const std::string& other : others) {
        find(name).excluded.push_back(other);
        find(other).excluded.push_back(name);
    }
}

void CommandLine::footer(const std::string& text) {
    footer_ = text;
}

std::string CommandLine::help() const {
    std::string text = usage_ + "\nOptions:\n" + help_entry("-h, --help", "Print this help and exit");
    for (const Option& option : options_)
        text += help_entry(option.name + option.value,
                           option.help + (option.excluded.empty() ? "" : "; not with " + joined(option.excluded)));
    return text + (footer_.empty() ? "" : "\n" + wrapped(footer_) + "\n");
}

void CommandLine::read(int argc, char** argv) {
    std::vector<::option> known{{"help", no_argument, nullptr, 'h'}};
    for (Option& o : options_) {
        o.given.reset();
        known.push_back({o.name.c_str() + 2, o.value.empty() ? no_argument : required_argument, nullptr, 0});
    }
    known.push_back({});

    opterr = 0;  // getopt_long() prints no messages of its own
    optind = 0;  // it starts with the first argument again
    int index = 0;
    for (int found = 0; (found = getopt_long(argc, argv, ":h", known.data(), &index)) != -1;) {
        if (found == 'h') {
            std::fputs(help().c_str(), stdout);
            flush_output();
            std::exit(0);
        }
        if (found == ':') throw usage_error(std::string(argv[optind - 1]) + ": a value is missing");
        if (found == '?') {
            const bool is_letter = optopt != 0;
            throw usage_error("unknown option " +
                              (is_letter ? std::string{'-', static_cast<char>(optopt)} : argv[optind - 1]));
        }
        Option& option = options_[index - 1];
        if (option.given && !option.is_list) throw usage_error(option.name + " is given twice");
        option.given = (option.given ? *option.given + "," : "") + (optarg != nullptr ? optarg : "");
    }
    if (optind < argc) throw usage_error(std::string("'") + argv[optind] + "' belongs to no option");
}

void CommandLine::parse(int argc, char** argv) {
    try {
        read(argc, argv);
        for (const Option& option : options_)
            for (const std::string& other : option.excluded)
                if (option.given && find(other).given) throw usage_error(option.name + " does not go with " + other);
        for (const Option& option : options_)
            if (option.given) option.take(*option.given);
    } catch (const usage_error& error) {
        throw usage_error(std::string(error.what()) + " (--help lists the options)");
    }
    for (const Option& option : options_)
        if (option.is_file && option.given) require_writable(option.name, *option.given);
}

namespace {

/// The number that the whole text is; no value for any other text.
template <class T>
std::optional<T> number_of(std::string_view text) {
    T value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc{} && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

/// "12", "1e6", "2.5e6" or "2^20" as a number, which holds each whole number below 2^63.
std::optional<long double> value_of(std::string_view text) {
    static_assert(std::numeric_limits<long double>::digits >= 63);
    const std::size_t caret = text.find('^');
    if (caret == text.npos) return number_of<long double>(text);
    const auto base = number_of<std::uint64_t>(text.substr(0, caret));
    const auto exponent = number_of<std::uint64_t>(text.substr(caret + 1));
    if (!base || !exponent) return std::nullopt;
    return std::pow(static_cast<long double>(*base), static_cast<long double>(*exponent));
}

}  // namespace

// Not std::stoull(), which takes "1e3" for 1 and lets "-5" wrap around.
std::size_t parse_count(const std::string& option, const std::string& text) {
    constexpr long double behind_largest = 0x1p63L;
    const std::optional<long double> value = value_of(text);
    if (value && *value >= behind_largest) throw usage_error(option + " " + text + ": must be less than 2^63");
    if (!value || !(*value >= 1) || *value != std::trunc(*value))
        throw usage_error(option + " " + text + ": must be a whole number from 1 on, such as 1000, 1e6 or 2^20");
    return static_cast<std::size_t>(*value);
}

#include "harness/command_line.h"

#include <getopt.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <sstream>
#include <string_view>

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

constexpr auto largest = static_cast<std::size_t>(std::numeric_limits<std::int64_t>::max());

bool is_digits(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// The number with these digits. No value for any other text, or above `largest`.
std::optional<std::size_t> number_of(std::string_view digits) {
    if (!is_digits(digits)) return std::nullopt;
    std::size_t value = 0;
    for (const char c : digits)
        if (__builtin_mul_overflow(value, 10, &value) || __builtin_add_overflow(value, c - '0', &value) ||
            value > largest)
            return std::nullopt;
    return value;
}

/// factor · base^exponent. No value above `largest`.
std::optional<std::size_t> product(std::size_t factor, std::size_t base, std::size_t exponent) {
    if (base <= 1) exponent = std::min<std::size_t>(exponent, 1);  // the same result, without a long loop
    for (std::size_t i = 0; i < exponent && factor > 0; ++i)
        if (__builtin_mul_overflow(factor, base, &factor) || factor > largest) return std::nullopt;
    return factor;
}

/// "12", "2^20", "1e6" or "2.5e6" as a number. No value for any other text, a fraction, or a number above `largest`.
std::optional<std::size_t> whole_number(std::string_view text) {
    if (const std::size_t caret = text.find('^'); caret != text.npos) {
        const auto base = number_of(text.substr(0, caret)), exponent = number_of(text.substr(caret + 1));
        return base && exponent ? product(1, *base, *exponent) : std::nullopt;
    }
    const std::size_t e = text.find_first_of("eE");
    if (e == text.npos) return number_of(text);

    std::string digits(text.substr(0, e));  // 2.5e6 becomes the factor 25 and 6 - 1 zeros
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

// Not std::stoull(), which takes "1e3" for 1 and lets "-5" wrap around.
std::size_t parse_count(const std::string& option, const std::string& text) {
    const std::optional<std::size_t> value = whole_number(text);
    if (!value || *value == 0)
        throw usage_error(option + " " + text + ": must be a whole number from 1 on, such as 1000, 1e6 or 2^20");
    return *value;
}

#include "common/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "common/program.h"

struct CommandLine::App : CLI::App {
    using CLI::App::App;
};

CommandLine::CommandLine(const std::string& name, const std::string& about)
    : app_(std::make_unique<App>(about, name)) {}

CommandLine::~CommandLine() = default;

void CommandLine::flag(const std::string& name, bool& value, const std::string& help) {
    app_->add_flag(name, value, help);
}

void CommandLine::option(const std::string& name, std::string& value, const std::string& help) {
    app_->add_option(name, value, help);
}

void CommandLine::option(const std::string& name, std::optional<std::string>& value, const std::string& help) {
    app_->add_option(name, value, help);
}

void CommandLine::list(const std::string& name, std::vector<std::string>& values, const std::string& help,
                       const std::vector<std::string>& allowed) {
    CLI::Option* option = app_->add_option(name, values, help)->delimiter(',');
    if (!allowed.empty()) option->check(CLI::IsMember(allowed));
}

void CommandLine::excludes(const std::string& name, const std::vector<std::string>& others) {
    for (const std::string& other : others) app_->get_option(name)->excludes(app_->get_option(other));
}

void CommandLine::footer(const std::string& text) {
    app_->footer(text);
}

void CommandLine::parse(int argc, char** argv) {
    try {
        app_->parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
        std::fputs(app_->help().c_str(), stdout);
        std::exit(0);
    } catch (const CLI::ParseError& error) {
        throw usage_error(std::string(error.what()) + " (--help lists the options)");
    }
}

// CLI11's own conversion would take "1e3" for 1 and wrap "-5" around.
std::size_t parse_count(const std::string& option, const std::string& text) {
    const auto digits = [](const std::string& s) {
        return !s.empty() && s.size() <= 19 &&
               std::all_of(s.begin(), s.end(), [](char c) { return c >= '0' && c <= '9'; });
    };
    const std::size_t caret = text.find('^');
    const std::string base = text.substr(0, caret), exponent = caret == text.npos ? "1" : text.substr(caret + 1);
    const double value =
        digits(base) && digits(exponent) ? std::pow(std::stod(base), std::stod(exponent)) : std::nan("");
    if (!(value >= 1 && value < 9.2e18))
        throw usage_error(option + " " + text + ": must be a whole number from 1 on, such as 1000 or 2^20");
    if (caret == text.npos) return std::stoull(base);
    return static_cast<std::size_t>(value);
}

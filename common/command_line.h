#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// A program's options and their --help. The C library's getopt_long() reads them.
class CommandLine {
  public:
    CommandLine(const std::string& name, const std::string& about);

    /// What parse() writes to: `value` must live until then, and keeps what it has where the option is not given.
    void flag(const std::string& name, bool& value, const std::string& help);
    void option(const std::string& name, std::string& value, const std::string& help);
    void option(const std::string& name, std::optional<std::string>& value, const std::string& help);

    /// A file that the program will write. parse() finds out whether that can be done, and changes nothing in it.
    void output_file(const std::string& name, std::string& path, const std::string& help);

    /// Several values, separated by commas or each with the option's name. `allowed`: what they may be; empty:
    /// anything.
    void list(const std::string& name, std::vector<std::string>& values, const std::string& help,
              const std::vector<std::string>& allowed = {});

    /// `name` makes no sense together with the others. All of them were added before.
    void excludes(const std::string& name, const std::vector<std::string>& others);

    /// Stands below the options in --help.
    void footer(const std::string& text);

    /// --help prints and exits. Throws usage_error for what it does not understand and for a file that cannot be
    /// written, output_error for a --help that cannot.
    void parse(int argc, char** argv);

    /// What --help prints.
    std::string help() const;

  private:
    struct Option {
        std::string name, value, help;                 ///< as --help shows them
        std::function<void(const std::string&)> take;  ///< what is given for it
        bool is_file = false, is_list = false;
        std::vector<std::string> excluded{};
        std::optional<std::string> given{};  ///< by the command line; for a flag ""
    };

    Option& find(const std::string& name);
    void read(int argc, char** argv);

    std::string usage_, footer_;
    std::vector<Option> options_;
};

/// A line of --help, or several: a name, and what it stands for, at the same column for all.
std::string help_entry(std::string_view name, std::string_view text);

/// "1000003", "1e6", "2.5e6" or "2^28" as a number; `option` is what it was given for. Throws usage_error for anything
/// else than a whole number from 1 on, and from 2^63 on.
std::size_t parse_count(const std::string& option, const std::string& text);

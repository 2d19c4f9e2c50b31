#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

/// A table of measured numbers. The chapter's lesson shows it, too.
class Table {
  public:
    /// Prints the title and the names of the columns. chapter: the name of its folder. rows: what the rows are named
    /// by. curve: the lesson also draws the rows, whose names are numbers, as a curve.
    Table(std::string chapter, std::string title, std::string rows, std::vector<std::string> columns,
          bool curve = false);

    /// Prints a row: its name and a number for each column.
    void add(const std::string& name, const std::vector<double>& numbers);

    /// A text curve of all rows: a bar for each number.
    void draw() const;

    /// Writes the table for ./lab bench, unless the path is empty. Throws output_error if the file cannot be written.
    void write(const std::string& path) const;

    /// What write() writes. Throws cuda_error.
    nlohmann::ordered_json to_json() const;

  private:
    struct Row {
        std::string name;
        std::vector<double> numbers;
    };

    std::string chapter_, title_, rows_are_;
    std::vector<std::string> columns_;
    bool curve_;
    std::vector<Row> rows_;
};

#pragma once

#include <functional>
#include <string>

#include "common/capability.h"
#include "common/errors.h"

/// Runs a program's body and turns any exception into one line on stderr and an exit code:
///   0  all went well, and everything printed has been written
///   1  wrong_result, output_error (harness/output.h), or an unexpected exception
///   2  usage_error, or not enough memory
///   3  cuda_error
/// The line spells out control characters and shortens long arguments. It begins with `who`, for several programs that
/// write to one stderr.
int run_program(const std::function<void()>& body, const std::string& who = "");

/// The first line of every run: the current device's name and what kind of device it is, wrapped. Throws cuda_error.
std::string device_line();

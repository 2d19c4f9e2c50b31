#pragma once

#include <functional>
#include <optional>
#include <string>

#include "common/errors.h"

/// Runs a program's body and turns any exception into one line on stderr and an exit code:
///   0  all went well, and everything printed has been written
///   1  wrong_result, output_error (common/output.h), or an unexpected exception
///   2  usage_error, or not enough memory
///   3  cuda_error
/// The line spells out control characters and shortens long arguments. It begins with `who`, for several programs that
/// write to one stderr.
int run_program(const std::function<void()>& body, const std::string& who = "");

/// The first line of every run: the current device's name and what kind of device it is, wrapped. Throws cuda_error.
std::string device_line();

/// True when the kernels run on the CPU emulator: times then say nothing about a GPU.
bool on_emulator();

/// fp32 cores in one multiprocessor, from a table, since the runtime does not tell. No value for newer chips.
std::optional<int> cores_per_multiprocessor(int major, int minor);

enum class Precision { fp32, fp64, tf32, bf16 };

/// Peak: operations per second if every core of the current device, or for tf32 and bf16 every tensor core, starts in
/// every cycle as many multiply-adds as it can, which count as two each. No value on the emulator, for newer chips, or
/// if the device does not tell its clock rate. Throws cuda_error.
std::optional<double> peak_flops(Precision precision = Precision::fp32);

#pragma once

#include <functional>
#include <optional>
#include <stdexcept>
#include <string>

/// A stage computed something wrong. The message names the stage, the first wrong index, expected and actual.
struct wrong_result : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// The user asked for something that cannot be done. The message says what and what would be possible.
struct usage_error : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Runs a program's body and turns what it throws into one line on stderr and an exit code: 0 all went well;
/// 1 wrong_result, output_error (common/output.h), or an exception that nobody expected; 2 usage_error, or memory that
/// could not be had; 3 cuda_error. The end of `body` is not enough: what it printed must have been written. In the
/// message control characters are spelled out, and long arguments are cut. who: stands before it, where several
/// programs write to one stderr.
int run_program(const std::function<void()>& body, const std::string& who = "");

/// What every run says first: the current device's name and what kind it is, wrapped. Throws cuda_error.
std::string device_line();

/// True when the kernels run on the CPU emulator: times then say nothing about a GPU.
bool on_emulator();

/// How many multiprocessors the current device has: a grid that fills it is a multiple. Throws cuda_error.
unsigned multiprocessors();

/// fp32 cores in one multiprocessor. The runtime cannot be asked; nothing for a chip newer than this table.
std::optional<int> cores_per_multiprocessor(int major, int minor);

enum class Precision { fp32, fp64 };

/// Operations per second if every core of the current device starts a multiply-add, which counts as two, in every
/// cycle. Nothing on the emulator and where the device does not tell. Throws cuda_error.
std::optional<double> peak_flops(Precision precision = Precision::fp32);

/// Throws usage_error when the device or the host has too little memory. Bytes, as doubles: a size that the user gives
/// may be too large even to multiply.
void require_memory(double device_bytes, double host_bytes);

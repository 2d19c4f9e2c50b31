// printf() in kernels.

#include <printf.h>

#include <array>
#include <cstdarg>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "emulator/check.h"
#include "emulator/print.h"
#include "worker.h"

namespace emulator {
namespace {

/// What the format asks for, as the C library names the types: a * is an int.
std::vector<int> arguments_of(const char* format) {
    std::vector<int> types(parse_printf_format(format, 0, nullptr));
    parse_printf_format(format, types.size(), types.data());
    return types;
}

/// Tells the checked build of the texts that are about to be read. CUDA's printf() has at most 32 arguments.
void check_texts(const char* format, std::va_list arguments, const void* code) {
    std::array<const char*, 32> texts{};
    std::size_t number = 0;
    {
        const Uninterrupted here;
        for (const int type : arguments_of(format)) {
            const int whole = type & ~PA_FLAG_MASK;
            const bool is_long = (type & (PA_FLAG_LONG | PA_FLAG_LONG_LONG)) != 0;
            if (whole == PA_STRING && number < texts.size())
                texts[number++] = va_arg(arguments, const char*);
            else if (whole == PA_DOUBLE && (type & PA_FLAG_LONG_DOUBLE) != 0)
                static_cast<void>(va_arg(arguments, long double));
            else if (whole == PA_DOUBLE)
                static_cast<void>(va_arg(arguments, double));
            else if ((whole == PA_INT || whole == PA_CHAR) && !is_long && (type & PA_FLAG_PTR) == 0)
                static_cast<void>(va_arg(arguments, int));
            else
                static_cast<void>(va_arg(arguments, void*));
        }
    }
    for (const char* text : texts)
        if (text != nullptr) check_text(text, code);
}

}  // namespace

int Worker::print(unsigned place, const char* format, std::va_list arguments) {
    std::va_list again;
    va_copy(again, arguments);
    const int bytes = std::vsnprintf(nullptr, 0, format, again);
    va_end(again);
    if (bytes < 0) return bytes;
    std::string text(static_cast<std::size_t>(bytes), '\0');
    std::vsnprintf(text.data(), text.size() + 1, format, arguments);
    here_->prints.add(thread_number(threadIdx), place, std::move(text));
    return static_cast<int>(arguments_of(format).size());
}

int print(unsigned place, const char* format, ...) {
    Worker* worker = existing_worker;
    std::va_list arguments;
    va_start(arguments, format);
    int result;
    if (worker != nullptr && worker->in_kernel()) {
        if (checked && format != nullptr) {
            std::va_list again;
            va_copy(again, arguments);
            check_texts(format, again, __builtin_return_address(0));
            va_end(again);
        }
        const Uninterrupted here;
        result = format == nullptr ? -1 : worker->print(place, format, arguments);
    } else {
        result = std::vprintf(format, arguments);
    }
    va_end(arguments);
    return result;
}

}  // namespace emulator

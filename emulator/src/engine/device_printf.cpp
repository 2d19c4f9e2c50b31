// printf() in kernels.

#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <string>
#include <utility>

#include "emulator/print.h"
#include "worker.h"

namespace emulator {
namespace {

/// How many arguments the format asks for: a * is one, %% is none.
int arguments_of(const char* format) {
    int count = 0;
    while ((format = std::strchr(format, '%')) != nullptr) {
        ++format;
        for (; *format != '\0' && std::strchr("-+ #0123456789.*hljztL", *format) != nullptr; ++format)
            if (*format == '*') ++count;
        if (*format == '\0') break;
        if (*format++ != '%') ++count;
    }
    return count;
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
    return arguments_of(format);
}

int print(unsigned place, const char* format, ...) {
    Worker* worker = existing_worker;
    std::va_list arguments;
    va_start(arguments, format);
    int result;
    if (worker != nullptr && worker->in_kernel()) {
        const Uninterrupted here;
        result = format == nullptr ? -1 : worker->print(place, format, arguments);
    } else {
        result = std::vprintf(format, arguments);
    }
    va_end(arguments);
    return result;
}

}  // namespace emulator

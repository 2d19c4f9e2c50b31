// printf() in kernels.

#include <cstdarg>
#include <cstdio>
#include <string>
#include <utility>

#include "emulator/print.h"
#include "worker.h"

namespace emulator {

int Worker::print(unsigned place, const char* format, std::va_list arguments) {
    std::va_list again;
    va_copy(again, arguments);
    const int bytes = std::vsnprintf(nullptr, 0, format, again);
    va_end(again);
    if (bytes < 0) return bytes;
    std::string text(static_cast<std::size_t>(bytes), '\0');
    std::vsnprintf(text.data(), text.size() + 1, format, arguments);
    here_->prints.add(thread_number(threadIdx), place, std::move(text));
    return bytes;
}

int print(unsigned place, const char* format, ...) {
    Worker* worker = existing_worker;
    std::va_list arguments;
    va_start(arguments, format);
    int bytes;
    if (worker != nullptr && worker->in_kernel()) {
        const Uninterrupted here;
        bytes = worker->print(place, format, arguments);
    } else {
        bytes = std::vprintf(format, arguments);
    }
    va_end(arguments);
    return bytes;
}

}  // namespace emulator

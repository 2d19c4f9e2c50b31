// The C library's functions behind those of hooks.cpp. Where the linker is told to --wrap them it does not need this
// file:
// __real_memcpy is the library's memcpy then. Where gcc links (emulator/driver/library_folder.py) memcpy is
// __wrap_memcpy by name, and the library's is looked for as the program begins.

#include <dlfcn.h>

#include <cstddef>

namespace {

template <class Function>
Function* librarys(const char* name) {
    return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" {

void* __real_memcpy(void* to, const void* from, std::size_t n) {
    static const auto function = librarys<decltype(__real_memcpy)>("memcpy");
    return function(to, from, n);
}
void* __real_memmove(void* to, const void* from, std::size_t n) {
    static const auto function = librarys<decltype(__real_memmove)>("memmove");
    return function(to, from, n);
}
void* __real_memset(void* to, int value, std::size_t n) {
    static const auto function = librarys<decltype(__real_memset)>("memset");
    return function(to, value, n);
}

// A kernel, which may be interrupted anywhere, is no place to look.
[[gnu::constructor]] static void look_for_all() {
    char byte = 0, copy = 0;
    __real_memset(&byte, 0, 1);
    __real_memcpy(&copy, &byte, 1);
    __real_memmove(&copy, &byte, 1);
}
}

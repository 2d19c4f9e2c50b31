// The linker (--wrap, tools/exercises/host.py) puts this function around ThreadSanitizer's own, through which an answer
// loads an atomic variable of 8 bytes.

#include "team.h"

extern "C" {

long __real___tsan_atomic64_load(const volatile long*, int);
long __wrap___tsan_atomic64_load(const volatile long* place, int order) {
    const long value = __real___tsan_atomic64_load(place, order);
    exercise::hold_up();
    return value;
}
}

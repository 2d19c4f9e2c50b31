// The linker (--wrap, tools/exercises/host.py) puts these functions around ThreadSanitizer's own, through which an
// answer loads an atomic variable, and around the attempt to lock a mutex.

#include <pthread.h>

#include <cerrno>

#include "team.h"

extern "C" {

#define LOAD(bits, type)                                                            \
    type __real___tsan_atomic##bits##_load(const volatile type*, int);              \
    type __wrap___tsan_atomic##bits##_load(const volatile type* place, int order) { \
        const type value = __real___tsan_atomic##bits##_load(place, order);         \
        exercise::hold_up();                                                        \
        return value;                                                               \
    }
LOAD(8, char)
LOAD(32, int)
LOAD(64, long)

// try_lock() may fail although nobody has the lock, says the C++ standard.
int __real_pthread_mutex_trylock(pthread_mutex_t*);
int __wrap_pthread_mutex_trylock(pthread_mutex_t* mutex) {
    return exercise::refuse() ? EBUSY : __real_pthread_mutex_trylock(mutex);
}
}

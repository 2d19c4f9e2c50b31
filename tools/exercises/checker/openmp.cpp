// ThreadSanitizer knows the order that locks, joins and atomic variables make, as it sees them. libgomp makes its
// threads wait with its own instructions, which were compiled without it, so that it would take all that a team does
// after a barrier for a race. The linker (--wrap, tools/exercises/host.py) puts these functions around libgomp's: each
// says what is ordered by what, and counts what makes one thread wait for another. They do not cover OpenMP's tasks.

#include <sanitizer/tsan_interface.h>

#include <atomic>
#include <cstdint>

#include "team.h"

namespace {

std::atomic<std::int64_t> waits;
char atomic_section, unnamed_section;

// A private variable that nobody has set lies on the thread's stack, where zeros happen to be: now there are NaNs.
[[gnu::noinline]] void leave_no_zeros() {
    volatile unsigned char below[2048];
    for (volatile unsigned char& byte : below) byte = 0xff;
}

struct Team {
    void (*work)(void*);
    void* data;
    char start, end;

    explicit Team(void (*work)(void*), void* data) : work(work), data(data) { __tsan_release(&start); }
    ~Team() { __tsan_acquire(&end); }

    static void member(void* team) {
        Team& self = *static_cast<Team*>(team);
        __tsan_acquire(&self.start);
        leave_no_zeros();
        self.work(self.data);
        __tsan_release(&self.end);
    }
};

void entered(void* lock) {
    ++waits;
    __tsan_acquire(lock);
}

void left(void* lock) {
    __tsan_release(lock);
}

// All of a team have come before one goes on. Barriers of different teams have the same name here: a race between two
// teams that run at the same time would not be found.
template <class Barrier>
void wait_at(Barrier barrier) {
    static char place;
    __tsan_release(&place);
    barrier();
    __tsan_acquire(&place);
}

}  // namespace

std::int64_t exercise::locked() {
    return waits;
}

extern "C" {

void __real_GOMP_parallel(void (*)(void*), void*, unsigned, unsigned);
void __wrap_GOMP_parallel(void (*work)(void*), void* data, unsigned threads, unsigned flags) {
    Team team(work, data);
    __real_GOMP_parallel(Team::member, &team, threads, flags);
}

void __real_GOMP_parallel_sections(void (*)(void*), void*, unsigned, unsigned, unsigned);
void __wrap_GOMP_parallel_sections(void (*work)(void*), void* data, unsigned threads, unsigned count, unsigned flags) {
    Team team(work, data);
    __real_GOMP_parallel_sections(Team::member, &team, threads, count, flags);
}

#define BARRIER(name)           \
    void __real_##name();       \
    void __wrap_##name() {      \
        wait_at(__real_##name); \
    }
BARRIER(GOMP_barrier)
BARRIER(GOMP_loop_end)
BARRIER(GOMP_sections_end)

#define SECTION(name, lock)        \
    void __real_##name##_start();  \
    void __real_##name##_end();    \
    void __wrap_##name##_start() { \
        __real_##name##_start();   \
        entered(lock);             \
    }                              \
    void __wrap_##name##_end() {   \
        left(lock);                \
        __real_##name##_end();     \
    }
SECTION(GOMP_critical, &unnamed_section)
SECTION(GOMP_atomic, &atomic_section)

#define LOCK(lock, unlock)              \
    void __real_##lock(void*);          \
    void __real_##unlock(void*);        \
    void __wrap_##lock(void* place) {   \
        __real_##lock(place);           \
        entered(place);                 \
    }                                   \
    void __wrap_##unlock(void* place) { \
        left(place);                    \
        __real_##unlock(place);         \
    }
LOCK(GOMP_critical_name_start, GOMP_critical_name_end)
LOCK(omp_set_lock, omp_unset_lock)

// A std::mutex, too. What it orders, ThreadSanitizer sees by itself.
int __real_pthread_mutex_lock(void*);
int __wrap_pthread_mutex_lock(void* mutex) {
    ++waits;
    return __real_pthread_mutex_lock(mutex);
}

// A lock of its own asks a flag, by one of these.
#define ASK(type, name, parameters, arguments) \
    type __real_##name parameters;             \
    type __wrap_##name parameters {            \
        ++waits;                               \
        return __real_##name arguments;        \
    }
#define COMPARE(type, name, flag, old)                                                   \
    ASK(type, name, (volatile flag * at, old before, flag value, int order, int failed), \
        (at, before, value, order, failed))
#define FLAG(bits, flag)                                                                                       \
    ASK(flag, __tsan_atomic##bits##_exchange, (volatile flag * at, flag value, int order), (at, value, order)) \
    COMPARE(int, __tsan_atomic##bits##_compare_exchange_strong, flag, flag*)                                   \
    COMPARE(int, __tsan_atomic##bits##_compare_exchange_weak, flag, flag*)                                     \
    COMPARE(flag, __tsan_atomic##bits##_compare_exchange_val, flag, flag)
FLAG(8, char)
FLAG(32, int)

long __real___tsan_atomic64_load(const volatile long*, int);
long __wrap___tsan_atomic64_load(const volatile long* place, int order) {
    ++waits;
    const long value = __real___tsan_atomic64_load(place, order);
    exercise::hold_up();
    return value;
}
}

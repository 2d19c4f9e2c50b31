// The simplest way: one thread on the host adds one term after another. In float the sum stops growing when a term is
// less than half of the distance to the next float.

#include "pi.h"
#include "term.h"

namespace pi {

template <class T>
T serial(Terms terms, unsigned) {
    const T step = T{1} / static_cast<T>(terms.n);
    T sum = 0;
    for (std::int64_t i = terms.first; i < terms.last; ++i) sum += term(i, step);
    return sum * step;
}

template float serial(Terms, unsigned);
template double serial(Terms, unsigned);

double serial_roundings(Terms terms, unsigned) {
    return roundings_of_a_term + static_cast<double>(terms.last - terms.first) + 1;
}

template <class T>
constexpr Stage<T> stage{{"one thread on the host, one term after another", serial<T>}, serial_roundings};
STAGES(stage<double>, stage<float>);

}  // namespace pi

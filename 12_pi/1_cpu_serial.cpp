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

}  // namespace pi

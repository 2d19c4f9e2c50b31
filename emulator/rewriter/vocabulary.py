"""Sets of words and punctuators of C++ and CUDA that several passes ask for."""

KEYWORDS = set(
    """alignas alignof and asm auto bool break case catch char char8_t char16_t char32_t class const consteval constexpr
    constinit const_cast continue co_await co_return co_yield decltype default delete do double dynamic_cast else enum
    explicit extern false float for friend goto if inline int long mutable namespace new noexcept not nullptr operator
    or private protected public register reinterpret_cast requires return short signed sizeof static static_assert
    static_cast struct switch template this thread_local throw true try typedef typeid typename union unsigned using
    virtual void volatile wchar_t while __attribute__ __declspec __align__ __builtin_align__ __launch_bounds__
    __restrict__""".split()
)
NOT_CALLABLE = KEYWORDS - {"this", "true", "false"}  # no ( of a call and no [ of an index follows
BEFORE_CAST = {"return", "co_return", "case", "else", "throw"}  # words before a ( that begins an expression
MEMORY = {"__shared__", "__device__", "__constant__", "__managed__"}
SPECIFIERS = MEMORY | {"__global__", "__host__"}
# Words whose ( opens neither parameters nor arguments of a call.
WITH_PARENS = set(
    """__launch_bounds__ __attribute__ alignas __align__ __builtin_align__ __declspec decltype noexcept explicit
    __cluster_dims__ __maxnreg__ __block_size__ throw typeof __typeof__""".split()
)
ARITHMETIC = set(
    """static const constexpr unsigned signed char short int long float double bool size_t int8_t uint8_t int16_t
    uint16_t int32_t uint32_t int64_t uint64_t""".split()
)
ASSIGNMENTS = {"=", "+=", "-=", "*=", "/=", "%=", "^=", "&=", "|="}
# What may stand between the parameters of a function and its body.
SUFFIXES = {"const", "volatile", "noexcept", "override", "final", "requires", "try", "throw", "mutable"}
OPENING, CLOSING = {"(": ")", "[": "]", "{": "}"}, {")": "(", "]": "[", "}": "{"}

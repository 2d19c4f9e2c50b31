#pragma once

#include <cstdint>

// The instructions mma of the tensor cores, each as a type that says what it multiplies.

enum class Type { f16, bf16, tf32, f32, f64, s4, u4, s8, u8, b1, s32 };

struct Shape {
    unsigned m, n, k;
};

// clang-format off
struct Mma_m16n8k8_f32_f16 {
    static constexpr Shape shape{16, 8, 8};
    static constexpr Type a = Type::f16, b = Type::f16, sum = Type::f32;
    static constexpr const char* name = "m16n8k8.row.col.f32.f16.f16.f32";
    using Factor = std::uint32_t;
    using Sum = float;
    static __device__ void multiply(Sum* d, const Factor* a, const Factor* b, const Sum* c) {
        asm("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %8, %9, %10};"
            : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
            : "r"(a[0]), "r"(a[1]), "r"(b[0]), "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(c[3]));
    }
};

struct Mma_m16n8k8_f16_f16 {
    static constexpr Shape shape{16, 8, 8};
    static constexpr Type a = Type::f16, b = Type::f16, sum = Type::f16;
    static constexpr const char* name = "m16n8k8.row.col.f16.f16.f16.f16";
    using Factor = std::uint32_t;
    using Sum = std::uint32_t;
    static __device__ void multiply(Sum* d, const Factor* a, const Factor* b, const Sum* c) {
        asm("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3}, {%4}, {%5, %6};"
            : "=r"(d[0]), "=r"(d[1])
            : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(c[0]), "r"(c[1]));
    }
};

struct Mma_m16n8k16_f32_f16 {
    static constexpr Shape shape{16, 8, 16};
    static constexpr Type a = Type::f16, b = Type::f16, sum = Type::f32;
    static constexpr const char* name = "m16n8k16.row.col.f32.f16.f16.f32";
    using Factor = std::uint32_t;
    using Sum = float;
    static __device__ void multiply(Sum* d, const Factor* a, const Factor* b, const Sum* c) {
        asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};"
            : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
            : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(c[3]));
    }
};

struct Mma_m16n8k16_f16_f16 {
    static constexpr Shape shape{16, 8, 16};
    static constexpr Type a = Type::f16, b = Type::f16, sum = Type::f16;
    static constexpr const char* name = "m16n8k16.row.col.f16.f16.f16.f16";
    using Factor = std::uint32_t;
    using Sum = std::uint32_t;
    static __device__ void multiply(Sum* d, const Factor* a, const Factor* b, const Sum* c) {
        asm("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3, %4, %5}, {%6, %7}, {%8, %9};"
            : "=r"(d[0]), "=r"(d[1])
            : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(c[0]), "r"(c[1]));
    }
};

struct Mma_m16n8k8_f32_bf16 {
    static constexpr Shape shape{16, 8, 8};
    static constexpr Type a = Type::bf16, b = Type::bf16, sum = Type::f32;
    static constexpr const char* name = "m16n8k8.row.col.f32.bf16.bf16.f32";
    using Factor = std::uint32_t;
    using Sum = float;
    static __device__ void multiply(Sum* d, const Factor* a, const Factor* b, const Sum* c) {
        asm("mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %8, %9, %10};"
            : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
            : "r"(a[0]), "r"(a[1]), "r"(b[0]), "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(c[3]));
    }
};

struct Mma_m16n8k16_f32_bf16 {
    static constexpr Shape shape{16, 8, 16};
    static constexpr Type a = Type::bf16, b = Type::bf16, sum = Type::f32;
    static constexpr const char* name = "m16n8k16.row.col.f32.bf16.bf16.f32";
    using Factor = std::uint32_t;
    using Sum = float;
    static __device__ void multiply(Sum* d, const Factor* a, const Factor* b, const Sum* c) {
        asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};"
            : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
            : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(c[3]));
    }
};

struct Mma_m16n8k4_f32_tf32 {
    static constexpr Shape shape{16, 8, 4};
    static constexpr Type a = Type::tf32, b = Type::tf32, sum = Type::f32;
    static constexpr const char* name = "m16n8k4.row.col.f32.tf32.tf32.f32";
    using Factor = std::uint32_t;
    using Sum = float;
    static __device__ void multiply(Sum* d, const Factor* a, const Factor* b, const Sum* c) {
        asm("mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %8, %9, %10};"
            : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
            : "r"(a[0]), "r"(a[1]), "r"(b[0]), "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(c[3]));
    }
};

struct Mma_m16n8k8_f32_tf32 {
    static constexpr Shape shape{16, 8, 8};
    static constexpr Type a = Type::tf32, b = Type::tf32, sum = Type::f32;
    static constexpr const char* name = "m16n8k8.row.col.f32.tf32.tf32.f32";
    using Factor = std::uint32_t;
    using Sum = float;
    static __device__ void multiply(Sum* d, const Factor* a, const Factor* b, const Sum* c) {
        asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};"
            : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
            : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(c[3]));
    }
};

struct Mma_m8n8k4_f64_f64 {
    static constexpr Shape shape{8, 8, 4};
    static constexpr Type a = Type::f64, b = Type::f64, sum = Type::f64;
    static constexpr const char* name = "m8n8k4.row.col.f64.f64.f64.f64";
    using Factor = double;
    using Sum = double;
    static __device__ void multiply(Sum* d, const Factor* a, const Factor* b, const Sum* c) {
        asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%4, %5};"
            : "=d"(d[0]), "=d"(d[1])
            : "d"(a[0]), "d"(b[0]), "d"(c[0]), "d"(c[1]));
    }
};

struct Mma_m16n8k4_f64_f64 {
    static constexpr Shape shape{16, 8, 4};
    static constexpr Type a = Type::f64, b = Type::f64, sum = Type::f64;
    static constexpr const char* name = "m16n8k4.row.col.f64.f64.f64.f64";
    using Factor = double;
    using Sum = double;
    static __device__ void multiply(Sum* d, const Factor* a, const Factor* b, const Sum* c) {
        asm("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %8, %9, %10};"
            : "=d"(d[0]), "=d"(d[1]), "=d"(d[2]), "=d"(d[3])
            : "d"(a[0]), "d"(a[1]), "d"(b[0]), "d"(c[0]), "d"(c[1]), "d"(c[2]), "d"(c[3]));
    }
};

struct Mma_m16n8k8_f64_f64 {
    static constexpr Shape shape{16, 8, 8};
    static constexpr Type a = Type::f64, b = Type::f64, sum = Type::f64;
    static constexpr const char* name = "m16n8k8.row.col.f64.f64.f64.f64";
    using Factor = double;
    using Sum = double;
    static __device__ void multiply(Sum* d, const Factor* a, const Factor* b, const Sum* c) {
        asm("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};"
            : "=d"(d[0]), "=d"(d[1]), "=d"(d[2]), "=d"(d[3])
            : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(b[0]), "d"(b[1]), "d"(c[0]), "d"(c[1]), "d"(c[2]), "d"(c[3]));
    }
};

struct Mma_m16n8k16_f64_f64 {
    static constexpr Shape shape{16, 8, 16};
    static constexpr Type a = Type::f64, b = Type::f64, sum = Type::f64;
    static constexpr const char* name = "m16n8k16.row.col.f64.f64.f64.f64";
    using Factor = double;
    using Sum = double;
    static __device__ void multiply(Sum* d, const Factor* a, const Factor* b, const Sum* c) {
        asm("mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5, %6, %7, %8, %9, %10, %11}, {%12, %13, %14, %15}, {%16, %17, %18, %19};"
            : "=d"(d[0]), "=d"(d[1]), "=d"(d[2]), "=d"(d[3])
            : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(a[4]), "d"(a[5]), "d"(a[6]), "d"(a[7]), "d"(b[0]), "d"(b[1]), "d"(b[2]), "d"(b[3]), "d"(c[0]), "d"(c[1]), "d"(c[2]), "d"(c[3]));
    }
};

struct Mma_m8n8k16_s32_s8 {
    static constexpr Shape shape{8, 8, 16};
    static constexpr Type a = Type::s8, b = Type::s8, sum = Type::s32;
    static constexpr const char* name = "m8n8k16.row.col.s32.s8.s8.s32";
    using Factor = std::uint32_t;
    using Sum = std::uint32_t;
    static __device__ void multiply(Sum* d, const Factor* a, const Factor* b, const Sum* c) {
        asm("mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%0, %1}, {%2}, {%3}, {%4, %5};"
            : "=r"(d[0]), "=r"(d[1])
            : "r"(a[0]), "r"(b[0]), "r"(c[0]), "r"(c[1]));
    }
};

struct Mma_m16n8k16_s32_u8_s8 {
    static constexpr Shape shape{16, 8, 16};
    static constexpr Type a = Type::u8, b = Type::s8, sum = Type::s32;
    static constexpr const char* name = "m16n8k16.row.col.s32.u8.s8.s32";
    using Factor = std::uint32_t;
    using Sum = std::uint32_t;
    static __device__ void multiply(Sum* d, const Factor* a, const Factor* b, const Sum* c) {
        asm("mma.sync.aligned.m16n8k16.row.col.s32.u8.s8.s32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %8, %9, %10};"
            : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
            : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]));
    }
};

struct Mma_m16n8k32_s32_s8_u8 {
    static constexpr Shape shape{16, 8, 32};
    static constexpr Type a = Type::s8, b = Type::u8, sum = Type::s32;
    static constexpr const char* name = "m16n8k32.row.col.s32.s8.u8.s32";
    using Factor = std::uint32_t;
    using Sum = std::uint32_t;
    static __device__ void multiply(Sum* d, const Factor* a, const Factor* b, const Sum* c) {
        asm("mma.sync.aligned.m16n8k32.row.col.s32.s8.u8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};"
            : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
            : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]));
    }
};

struct Mma_m16n8k32_s32_u8 {
    static constexpr Shape shape{16, 8, 32};
    static constexpr Type a = Type::u8, b = Type::u8, sum = Type::s32;
    static constexpr const char* name = "m16n8k32.row.col.s32.u8.u8.s32";
    using Factor = std::uint32_t;
    using Sum = std::uint32_t;
    static __device__ void multiply(Sum* d, const Factor* a, const Factor* b, const Sum* c) {
        asm("mma.sync.aligned.m16n8k32.row.col.s32.u8.u8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};"
            : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
            : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]));
    }
};

struct Mma_m16n8k16_s32_s8_saturated {
    static constexpr Shape shape{16, 8, 16};
    static constexpr Type a = Type::s8, b = Type::s8, sum = Type::s32;
    static constexpr const char* name = "m16n8k16.row.col.satfinite.s32.s8.s8.s32";
    using Factor = std::uint32_t;
    using Sum = std::uint32_t;
    static __device__ void multiply(Sum* d, const Factor* a, const Factor* b, const Sum* c) {
        asm("mma.sync.aligned.m16n8k16.row.col.satfinite.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %8, %9, %10};"
            : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
            : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]));
    }
};

struct Mma_m16n8k32_s32_s8_saturated {
    static constexpr Shape shape{16, 8, 32};
    static constexpr Type a = Type::s8, b = Type::s8, sum = Type::s32;
    static constexpr const char* name = "m16n8k32.row.col.satfinite.s32.s8.s8.s32";
    using Factor = std::uint32_t;
    using Sum = std::uint32_t;
    static __device__ void multiply(Sum* d, const Factor* a, const Factor* b, const Sum* c) {
        asm("mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};"
            : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
            : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]));
    }
};

struct Mma_m8n8k32_s32_s4_u4 {
    static constexpr Shape shape{8, 8, 32};
    static constexpr Type a = Type::s4, b = Type::u4, sum = Type::s32;
    static constexpr const char* name = "m8n8k32.row.col.s32.s4.u4.s32";
    using Factor = std::uint32_t;
    using Sum = std::uint32_t;
    static __device__ void multiply(Sum* d, const Factor* a, const Factor* b, const Sum* c) {
        asm("mma.sync.aligned.m8n8k32.row.col.s32.s4.u4.s32 {%0, %1}, {%2}, {%3}, {%4, %5};"
            : "=r"(d[0]), "=r"(d[1])
            : "r"(a[0]), "r"(b[0]), "r"(c[0]), "r"(c[1]));
    }
};

struct Mma_m16n8k32_s32_u4 {
    static constexpr Shape shape{16, 8, 32};
    static constexpr Type a = Type::u4, b = Type::u4, sum = Type::s32;
    static constexpr const char* name = "m16n8k32.row.col.s32.u4.u4.s32";
    using Factor = std::uint32_t;
    using Sum = std::uint32_t;
    static __device__ void multiply(Sum* d, const Factor* a, const Factor* b, const Sum* c) {
        asm("mma.sync.aligned.m16n8k32.row.col.s32.u4.u4.s32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %8, %9, %10};"
            : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
            : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]));
    }
};

struct Mma_m16n8k64_s32_s4_saturated {
    static constexpr Shape shape{16, 8, 64};
    static constexpr Type a = Type::s4, b = Type::s4, sum = Type::s32;
    static constexpr const char* name = "m16n8k64.row.col.satfinite.s32.s4.s4.s32";
    using Factor = std::uint32_t;
    using Sum = std::uint32_t;
    static __device__ void multiply(Sum* d, const Factor* a, const Factor* b, const Sum* c) {
        asm("mma.sync.aligned.m16n8k64.row.col.satfinite.s32.s4.s4.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};"
            : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
            : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]));
    }
};

struct Mma_m8n8k128_s32_b1_and {
    static constexpr Shape shape{8, 8, 128};
    static constexpr Type a = Type::b1, b = Type::b1, sum = Type::s32;
    static constexpr const char* name = "m8n8k128.row.col.s32.b1.b1.s32.and.popc";
    using Factor = std::uint32_t;
    using Sum = std::uint32_t;
    static __device__ void multiply(Sum* d, const Factor* a, const Factor* b, const Sum* c) {
        asm("mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.and.popc {%0, %1}, {%2}, {%3}, {%4, %5};"
            : "=r"(d[0]), "=r"(d[1])
            : "r"(a[0]), "r"(b[0]), "r"(c[0]), "r"(c[1]));
    }
};

struct Mma_m8n8k128_s32_b1_xor {
    static constexpr Shape shape{8, 8, 128};
    static constexpr Type a = Type::b1, b = Type::b1, sum = Type::s32;
    static constexpr const char* name = "m8n8k128.row.col.s32.b1.b1.s32.xor.popc";
    using Factor = std::uint32_t;
    using Sum = std::uint32_t;
    static __device__ void multiply(Sum* d, const Factor* a, const Factor* b, const Sum* c) {
        asm("mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.xor.popc {%0, %1}, {%2}, {%3}, {%4, %5};"
            : "=r"(d[0]), "=r"(d[1])
            : "r"(a[0]), "r"(b[0]), "r"(c[0]), "r"(c[1]));
    }
};

struct Mma_m16n8k128_s32_b1_and {
    static constexpr Shape shape{16, 8, 128};
    static constexpr Type a = Type::b1, b = Type::b1, sum = Type::s32;
    static constexpr const char* name = "m16n8k128.row.col.s32.b1.b1.s32.and.popc";
    using Factor = std::uint32_t;
    using Sum = std::uint32_t;
    static __device__ void multiply(Sum* d, const Factor* a, const Factor* b, const Sum* c) {
        asm("mma.sync.aligned.m16n8k128.row.col.s32.b1.b1.s32.and.popc {%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %8, %9, %10};"
            : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
            : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]));
    }
};

struct Mma_m16n8k128_s32_b1_xor {
    static constexpr Shape shape{16, 8, 128};
    static constexpr Type a = Type::b1, b = Type::b1, sum = Type::s32;
    static constexpr const char* name = "m16n8k128.row.col.s32.b1.b1.s32.xor.popc";
    using Factor = std::uint32_t;
    using Sum = std::uint32_t;
    static __device__ void multiply(Sum* d, const Factor* a, const Factor* b, const Sum* c) {
        asm("mma.sync.aligned.m16n8k128.row.col.s32.b1.b1.s32.xor.popc {%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %8, %9, %10};"
            : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
            : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]));
    }
};

struct Mma_m16n8k256_s32_b1_and {
    static constexpr Shape shape{16, 8, 256};
    static constexpr Type a = Type::b1, b = Type::b1, sum = Type::s32;
    static constexpr const char* name = "m16n8k256.row.col.s32.b1.b1.s32.and.popc";
    using Factor = std::uint32_t;
    using Sum = std::uint32_t;
    static __device__ void multiply(Sum* d, const Factor* a, const Factor* b, const Sum* c) {
        asm("mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};"
            : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
            : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]));
    }
};

struct Mma_m16n8k256_s32_b1_xor {
    static constexpr Shape shape{16, 8, 256};
    static constexpr Type a = Type::b1, b = Type::b1, sum = Type::s32;
    static constexpr const char* name = "m16n8k256.row.col.s32.b1.b1.s32.xor.popc";
    using Factor = std::uint32_t;
    using Sum = std::uint32_t;
    static __device__ void multiply(Sum* d, const Factor* a, const Factor* b, const Sum* c) {
        asm("mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.xor.popc {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};"
            : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
            : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]));
    }
};
// clang-format on

/// Calls f(instruction) for each of them.
template <class F>
void for_each_instruction(F f) {
    f(Mma_m16n8k8_f32_f16{});
    f(Mma_m16n8k8_f16_f16{});
    f(Mma_m16n8k16_f32_f16{});
    f(Mma_m16n8k16_f16_f16{});
    f(Mma_m16n8k8_f32_bf16{});
    f(Mma_m16n8k16_f32_bf16{});
    f(Mma_m16n8k4_f32_tf32{});
    f(Mma_m16n8k8_f32_tf32{});
    f(Mma_m8n8k4_f64_f64{});
    f(Mma_m16n8k4_f64_f64{});
    f(Mma_m16n8k8_f64_f64{});
    f(Mma_m16n8k16_f64_f64{});
    f(Mma_m8n8k16_s32_s8{});
    f(Mma_m16n8k16_s32_u8_s8{});
    f(Mma_m16n8k32_s32_s8_u8{});
    f(Mma_m16n8k32_s32_u8{});
    f(Mma_m16n8k16_s32_s8_saturated{});
    f(Mma_m16n8k32_s32_s8_saturated{});
    f(Mma_m8n8k32_s32_s4_u4{});
    f(Mma_m16n8k32_s32_u4{});
    f(Mma_m16n8k64_s32_s4_saturated{});
    f(Mma_m8n8k128_s32_b1_and{});
    f(Mma_m8n8k128_s32_b1_xor{});
    f(Mma_m16n8k128_s32_b1_and{});
    f(Mma_m16n8k128_s32_b1_xor{});
    f(Mma_m16n8k256_s32_b1_and{});
    f(Mma_m16n8k256_s32_b1_xor{});
}

#pragma once

#include <cstdint>
#include <type_traits>

// The instructions mma of the tensor cores, each as a type that says what it multiplies.

enum class Type { f16, bf16, tf32, f32, f64, s4, u4, s8, u8, b1, s32 };

struct Shape {
    unsigned m, n, k;
};

/// A register that holds such elements, several of them where they are smaller.
template <Type type>
using Register =
    std::conditional_t<type == Type::f32, float, std::conditional_t<type == Type::f64, double, std::uint32_t>>;

// A row of the table: what is computed, what its name has behind the layouts and at its end, and the statement, whose
// text the emulator reads as it is written.
#define MMA(id, M, N, K, SUM, A, B, behind_layouts, at_end, ...)                                                 \
    struct Mma_##id {                                                                                            \
        static constexpr Shape shape{M, N, K};                                                                   \
        static constexpr Type a = Type::A, b = Type::B, sum = Type::SUM;                                         \
        static constexpr const char* name =                                                                      \
            "m" #M "n" #N "k" #K ".row.col" behind_layouts "." #SUM "." #A "." #B "." #SUM at_end;               \
        using Factor = Register<a>;                                                                              \
        using Sum = Register<sum>;                                                                               \
        static __device__ void multiply(Sum* d, const Factor* a, const Factor* b, const Sum* c) { __VA_ARGS__; } \
    };

// clang-format off
MMA(m16n8k8_f32_f16, 16, 8, 8, f32, f16, f16, "", "",
    asm("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %8, %9, %10};"
        : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(b[0]), "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(c[3])))
MMA(m16n8k8_f16_f16, 16, 8, 8, f16, f16, f16, "", "",
    asm("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3}, {%4}, {%5, %6};"
        : "=r"(d[0]), "=r"(d[1])
        : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(c[0]), "r"(c[1])))
MMA(m16n8k16_f32_f16, 16, 8, 16, f32, f16, f16, "", "",
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};"
        : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(c[3])))
MMA(m16n8k16_f16_f16, 16, 8, 16, f16, f16, f16, "", "",
    asm("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3, %4, %5}, {%6, %7}, {%8, %9};"
        : "=r"(d[0]), "=r"(d[1])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(c[0]), "r"(c[1])))
MMA(m16n8k8_f32_bf16, 16, 8, 8, f32, bf16, bf16, "", "",
    asm("mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %8, %9, %10};"
        : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(b[0]), "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(c[3])))
MMA(m16n8k16_f32_bf16, 16, 8, 16, f32, bf16, bf16, "", "",
    asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};"
        : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(c[3])))
MMA(m16n8k4_f32_tf32, 16, 8, 4, f32, tf32, tf32, "", "",
    asm("mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %8, %9, %10};"
        : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(b[0]), "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(c[3])))
MMA(m16n8k8_f32_tf32, 16, 8, 8, f32, tf32, tf32, "", "",
    asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};"
        : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(c[3])))
MMA(m8n8k4_f64_f64, 8, 8, 4, f64, f64, f64, "", "",
    asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%4, %5};"
        : "=d"(d[0]), "=d"(d[1])
        : "d"(a[0]), "d"(b[0]), "d"(c[0]), "d"(c[1])))
MMA(m16n8k4_f64_f64, 16, 8, 4, f64, f64, f64, "", "",
    asm("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %8, %9, %10};"
        : "=d"(d[0]), "=d"(d[1]), "=d"(d[2]), "=d"(d[3])
        : "d"(a[0]), "d"(a[1]), "d"(b[0]), "d"(c[0]), "d"(c[1]), "d"(c[2]), "d"(c[3])))
MMA(m16n8k8_f64_f64, 16, 8, 8, f64, f64, f64, "", "",
    asm("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};"
        : "=d"(d[0]), "=d"(d[1]), "=d"(d[2]), "=d"(d[3])
        : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(b[0]), "d"(b[1]), "d"(c[0]), "d"(c[1]), "d"(c[2]), "d"(c[3])))
MMA(m16n8k16_f64_f64, 16, 8, 16, f64, f64, f64, "", "",
    asm("mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5, %6, %7, %8, %9, %10, %11}, {%12, %13, %14, %15}, {%16, %17, %18, %19};"
        : "=d"(d[0]), "=d"(d[1]), "=d"(d[2]), "=d"(d[3])
        : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(a[4]), "d"(a[5]), "d"(a[6]), "d"(a[7]), "d"(b[0]), "d"(b[1]), "d"(b[2]), "d"(b[3]), "d"(c[0]), "d"(c[1]), "d"(c[2]), "d"(c[3])))
MMA(m8n8k16_s32_s8, 8, 8, 16, s32, s8, s8, "", "",
    asm("mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%0, %1}, {%2}, {%3}, {%4, %5};"
        : "=r"(d[0]), "=r"(d[1])
        : "r"(a[0]), "r"(b[0]), "r"(c[0]), "r"(c[1])))
MMA(m16n8k16_s32_u8_s8, 16, 8, 16, s32, u8, s8, "", "",
    asm("mma.sync.aligned.m16n8k16.row.col.s32.u8.s8.s32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %8, %9, %10};"
        : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3])))
MMA(m16n8k32_s32_s8_u8, 16, 8, 32, s32, s8, u8, "", "",
    asm("mma.sync.aligned.m16n8k32.row.col.s32.s8.u8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};"
        : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3])))
MMA(m16n8k32_s32_u8, 16, 8, 32, s32, u8, u8, "", "",
    asm("mma.sync.aligned.m16n8k32.row.col.s32.u8.u8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};"
        : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3])))
MMA(m16n8k16_s32_s8_saturated, 16, 8, 16, s32, s8, s8, ".satfinite", "",
    asm("mma.sync.aligned.m16n8k16.row.col.satfinite.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %8, %9, %10};"
        : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3])))
MMA(m16n8k32_s32_s8_saturated, 16, 8, 32, s32, s8, s8, ".satfinite", "",
    asm("mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};"
        : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3])))
MMA(m8n8k32_s32_s4_u4, 8, 8, 32, s32, s4, u4, "", "",
    asm("mma.sync.aligned.m8n8k32.row.col.s32.s4.u4.s32 {%0, %1}, {%2}, {%3}, {%4, %5};"
        : "=r"(d[0]), "=r"(d[1])
        : "r"(a[0]), "r"(b[0]), "r"(c[0]), "r"(c[1])))
MMA(m16n8k32_s32_u4, 16, 8, 32, s32, u4, u4, "", "",
    asm("mma.sync.aligned.m16n8k32.row.col.s32.u4.u4.s32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %8, %9, %10};"
        : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3])))
MMA(m16n8k64_s32_s4_saturated, 16, 8, 64, s32, s4, s4, ".satfinite", "",
    asm("mma.sync.aligned.m16n8k64.row.col.satfinite.s32.s4.s4.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};"
        : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3])))
MMA(m8n8k128_s32_b1_and, 8, 8, 128, s32, b1, b1, "", ".and.popc",
    asm("mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.and.popc {%0, %1}, {%2}, {%3}, {%4, %5};"
        : "=r"(d[0]), "=r"(d[1])
        : "r"(a[0]), "r"(b[0]), "r"(c[0]), "r"(c[1])))
MMA(m8n8k128_s32_b1_xor, 8, 8, 128, s32, b1, b1, "", ".xor.popc",
    asm("mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.xor.popc {%0, %1}, {%2}, {%3}, {%4, %5};"
        : "=r"(d[0]), "=r"(d[1])
        : "r"(a[0]), "r"(b[0]), "r"(c[0]), "r"(c[1])))
MMA(m16n8k128_s32_b1_and, 16, 8, 128, s32, b1, b1, "", ".and.popc",
    asm("mma.sync.aligned.m16n8k128.row.col.s32.b1.b1.s32.and.popc {%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %8, %9, %10};"
        : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3])))
MMA(m16n8k128_s32_b1_xor, 16, 8, 128, s32, b1, b1, "", ".xor.popc",
    asm("mma.sync.aligned.m16n8k128.row.col.s32.b1.b1.s32.xor.popc {%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %8, %9, %10};"
        : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3])))
MMA(m16n8k256_s32_b1_and, 16, 8, 256, s32, b1, b1, "", ".and.popc",
    asm("mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};"
        : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3])))
MMA(m16n8k256_s32_b1_xor, 16, 8, 256, s32, b1, b1, "", ".xor.popc",
    asm("mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.xor.popc {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};"
        : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3])))
// clang-format on
#undef MMA

/// Calls f(instruction) for each of them.
template <class F>
void for_each_instruction(F f) {
    const auto each = [&](auto... instructions) { (f(instructions), ...); };
    each(Mma_m16n8k8_f32_f16{}, Mma_m16n8k8_f16_f16{}, Mma_m16n8k16_f32_f16{}, Mma_m16n8k16_f16_f16{},
         Mma_m16n8k8_f32_bf16{}, Mma_m16n8k16_f32_bf16{}, Mma_m16n8k4_f32_tf32{}, Mma_m16n8k8_f32_tf32{},
         Mma_m8n8k4_f64_f64{}, Mma_m16n8k4_f64_f64{}, Mma_m16n8k8_f64_f64{}, Mma_m16n8k16_f64_f64{},
         Mma_m8n8k16_s32_s8{}, Mma_m16n8k16_s32_u8_s8{}, Mma_m16n8k32_s32_s8_u8{}, Mma_m16n8k32_s32_u8{},
         Mma_m16n8k16_s32_s8_saturated{}, Mma_m16n8k32_s32_s8_saturated{}, Mma_m8n8k32_s32_s4_u4{},
         Mma_m16n8k32_s32_u4{}, Mma_m16n8k64_s32_s4_saturated{}, Mma_m8n8k128_s32_b1_and{}, Mma_m8n8k128_s32_b1_xor{},
         Mma_m16n8k128_s32_b1_and{}, Mma_m16n8k128_s32_b1_xor{}, Mma_m16n8k256_s32_b1_and{},
         Mma_m16n8k256_s32_b1_xor{});
}

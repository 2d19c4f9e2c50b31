#pragma once

#include "binary.h"
#include "common/stage.h"
#include "device_matrix.h"
#include "matrix_multiply.h"
#include "packed_matrices.h"
#include "rounded_matrices.h"

// The stages of this chapter, for its program and its tests.
namespace matrix_multiply {

/// A stage, and how the rows of its matrices lie.
struct Stage : ::Stage<Launch, OnHost> {
    Rows layout = Rows::dense;
    unsigned threads = 0;  ///< if not 0, row_per_block_with() launches it in blocks of this size, for --threads
};

inline constexpr Stage stages[] = {
    {{"1_cpu", "one thread on the host, in double", cpu}},
    {{"1_cpu/threads", "all threads of the host, each with rows of its own", cpu_threads}},
    {{"2_row_per_block", "a block for each row of c", row_per_block}},
    {{"2_row_per_block/32", "32 threads a block, not 256", row_per_block_32}},
    {{"2_row_per_block/long_indices", "indices of 64 bits, not of 32", row_per_block_long_indices}},
    {{"3_pitched", "rows that begin at multiples of 512 bytes", pitched}, Rows::pitched},
    {{"4_row_in_shared", "the row of a in shared memory", row_in_shared}, Rows::pitched},
    {{"5_tiled", "tiles of 32 x 32 of both in shared memory", tiled}, Rows::pitched},
    {{"5_tiled/16", "tiles of 16 x 16", tiled_16}, Rows::pitched},
    {{"5_tiled/8", "tiles of 8 x 8", tiled_8}, Rows::pitched},
    {{"6_register_tile", "8 x 8 elements a thread, in registers", register_tile}, Rows::pitched},
    {{"7_vectorized", "16 bytes a load", vectorized}, Rows::pitched},
    {{"8_warp_tile", "a warp's elements in a square rather than a strip", warp_tile}, Rows::pitched},
    {{"9_pipelined", "asynchronous copies: a slice comes while another is used", pipelined}, Rows::pitched},
    {{"10_three_blocks", "half a tile: three blocks share a multiprocessor", three_blocks}, Rows::pitched},
    {{"11_long_slices", "twice as long slices, half as many barriers", long_slices, more_than_48_kib}, Rows::pitched},
    {{"12_loads_ahead", "the next operands are loaded before these are used", loads_ahead, more_than_48_kib},
     Rows::pitched},
    {{"13_lane_pairs", "two lanes share a quad of b: fewer turns of the banks", lane_pairs, more_than_48_kib},
     Rows::pitched},
    {{"14_fitted", "smaller tiles where they fill the device, and products to and fro", fitted, more_than_48_kib},
     Rows::pitched},
    {{"14_fitted/64x128", "tiles of 64 x 128, whatever the size", fitted_64x128, more_than_48_kib}, Rows::pitched},
    {{"14_fitted/64x64", "tiles of 64 x 64, whatever the size", fitted_64x64}, Rows::pitched},
    {{"14_fitted/32x64", "tiles of 32 x 64, whatever the size", fitted_32x64}, Rows::pitched},
    {{"15_bulk_copies", "the copy engine loads, and no thread does", bulk_copies, copy_engine}, Rows::pitched},
    {{"16_dependent_launch", "stage 14, launched before the launch ahead has ended", dependent_launch,
      programmatic_launch},
     Rows::pitched},
#ifdef WITH_LIBRARY
    {{"library", "cublasSgemm, fp32 throughout", library}},
#endif
};

using PackStage = ::Stage<PackLaunch, void()>;

inline constexpr PackStage pack_stages[] = {
    {"pack", "floats to bits: 32 lanes vote on a word of a, a lane makes one of b", pack},
};

/// Bytes that packing must move: it reads floats and writes their bits.
constexpr double bytes_of_packing(Shape shape) {
    return (sizeof(float) + 1.0 / 8) * static_cast<double>(shape.k) * static_cast<double>(shape.m + shape.n);
}

using BinaryStage = ::Stage<BinaryLaunch, BinaryOnHost>;

inline constexpr BinaryStage binary_stages[] = {
    {"b1_cpu", "one thread on the host, 64 signs to a word", binary_cpu},
    {"b1_cpu/threads", "all threads of the host, each with rows of its own", binary_cpu_threads},
    {"b2_table_popcount", "exclusive or, and a table that counts the ones of a byte", table_popcount},
    {"b2_table_popcount/constant", "the same with the table in constant memory", constant_popcount},
    {"b3_row_in_shared", "a block keeps its row of a in shared memory", binary_row_in_shared},
    {"b4_tiled", "tiles of 16 x 16 words in shared memory, and the table too", binary_tiled},
    {"b4_tiled/padded", "the same with a 17th column that nobody uses", binary_tiled_padded},
    {"b5_tiled_conflict_free", "x and y swapped: a warp goes along the rows", binary_conflict_free},
    {"b6_popc", "the hardware counts, and each thread has 8 x 4 elements in registers", popc},
    {"b7_carry_save", "three instructions add two words before they are counted", carry_save},
    {"b8_tensor_cores", "one instruction for 32,768 products of bits", tensor_cores, tensor_cores_for_bits},
};

/// Bytes that any binary product must move: it reads bits and writes ints.
constexpr double bytes_of_binary(Shape shape) {
    return static_cast<double>(shape.k) * static_cast<double>(shape.m + shape.n) / 8 +
           sizeof(int) * static_cast<double>(shape.m) * static_cast<double>(shape.n);
}

template <class T>
using RoundStage = ::Stage<RoundLaunch<T>, void()>;

template <class T>
inline constexpr RoundStage<T> round_stages[] = {
    {"round", "to the nearest, and b is transposed", round<T>, tensor_cores_for_tf32},
};

/// Bytes that rounding must move: it reads floats and writes Ts.
template <class T>
constexpr double bytes_of_rounding(Shape shape) {
    return (sizeof(float) + sizeof(T)) * static_cast<double>(shape.k) * static_cast<double>(shape.m + shape.n);
}

template <class T>
using TensorStage = ::Stage<RoundedLaunch<T>, OnHost>;

/// T: float for TF32, or Bf16.
template <class T>
inline constexpr TensorStage<T> tensor_stages[] = {
    {"t0_cpu", "all threads of the host, in double", rounded_cpu},
    {"t1_wmma", "tensor cores from C++: a warp holds 16 x 16 sums together", wmma<T>, tensor_cores_for_tf32},
    {"t2_mma", "slices in shared memory, ldmatrix, and copies of two slices in flight", mma<T>, tensor_cores_for_tf32},
    {"t3_wgmma", "warpgroups multiply, one thread brings slices by bulk copies", wgmma<T>, warpgroup_mma},
#ifdef WITH_LIBRARY
    {"library_tensor", "cublasGemmEx, with b transposed as the stages have it", rounded_library<T>,
     tensor_cores_for_tf32},
    {"library_tensor/b_as_is", "the same with b as it is", rounded_library_as_is<T>, tensor_cores_for_tf32},
#endif
};

}  // namespace matrix_multiply

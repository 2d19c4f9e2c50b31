// A program's macros of one letter (-DN=1024, #define T float), or of a word that these headers use and nvcc's do not
// (#define real float, #define block 16), mean nothing inside the emulator's headers: they are put aside here and come
// back in letters_end.h. Each of the headers that programs include is between the two.

#pragma push_macro("A")
#pragma push_macro("B")
#pragma push_macro("C")
#pragma push_macro("D")
#pragma push_macro("E")
#pragma push_macro("F")
#pragma push_macro("G")
#pragma push_macro("H")
#pragma push_macro("I")
#pragma push_macro("J")
#pragma push_macro("K")
#pragma push_macro("L")
#pragma push_macro("M")
#pragma push_macro("N")
#pragma push_macro("O")
#pragma push_macro("P")
#pragma push_macro("Q")
#pragma push_macro("R")
#pragma push_macro("S")
#pragma push_macro("T")
#pragma push_macro("U")
#pragma push_macro("V")
#pragma push_macro("W")
#pragma push_macro("X")
#pragma push_macro("Y")
#pragma push_macro("Z")
#pragma push_macro("block")
#pragma push_macro("bytes")
#pragma push_macro("imaginary")
#pragma push_macro("lanes")
#pragma push_macro("part")
#pragma push_macro("real")
#pragma push_macro("sum")
#pragma push_macro("total")
#pragma push_macro("word")

#undef A
#undef B
#undef C
#undef D
#undef E
#undef F
#undef G
#undef H
#undef I
#undef J
#undef K
#undef L
#undef M
#undef N
#undef O
#undef P
#undef Q
#undef R
#undef S
#undef T
#undef U
#undef V
#undef W
#undef X
#undef Y
#undef Z
#undef block
#undef bytes
#undef imaginary
#undef lanes
#undef part
#undef real
#undef sum
#undef total
#undef word

#if defined(__clang__) && defined(__CUDA__)  // clangd: what these headers declare may be called on both sides
#pragma clang force_cuda_host_device begin
#endif

"""Compiles one .cu file: rewrites it to C++ and runs an ordinary compiler on that. Used by `compile` and `nvcc_cpu`.

main            `compile COMPILER ARGUMENTS...`, the compiler launcher of a build
command         reading the command line of a compiler
compilation     rewriting, the options that the compiler needs for the rewritten file, running it
dependencies    naming the user's files, and the rewriter's own, in the dependency file
"""

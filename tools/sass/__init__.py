"""The machine code of kernels beside their source: ./lab sass."""

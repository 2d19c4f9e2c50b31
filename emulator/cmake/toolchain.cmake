# cmake -DCMAKE_TOOLCHAIN_FILE=…/lib/cmake/cuda_emulator/toolchain.cmake: a project whose language is CUDA is built for the
# CPU as it is. CUDAFLAGS=--check is the checked build.
set(CMAKE_CUDA_COMPILER ${CMAKE_CURRENT_LIST_DIR}/../../cuda_emulator/bin/nvcc_cpu)
set(CUDAToolkit_ROOT ${CMAKE_CURRENT_LIST_DIR}/../../cuda_emulator)

# Which CUDA toolkit there is, and whether it suits these chapters and the GPU.

set(oldest_cuda 12)             # with C++20 in kernels
set(oldest_architecture 60)     # Pascal: atomicAdd of doubles
set(oldest_architecture_13 75)  # Turing: CUDA 13 compiles for nothing older

# Where it usually is; the newest first.
file(GLOB toolkits /usr/local/cuda-*)
list(SORT toolkits COMPARE NATURAL ORDER DESCENDING)
find_program(NVCC NAMES ${CMAKE_CUDA_COMPILER} $ENV{CUDACXX} nvcc HINTS ENV CUDA_HOME ENV CUDA_PATH
    PATHS /usr/local/cuda ${toolkits} /opt/cuda PATH_SUFFIXES bin)

# Sets `result` to the architectures to compile for, as far as they are known: CMAKE_CUDA_ARCHITECTURES, or those of the GPUs
# that this process may use.
function(wanted_architectures result)
    set(architectures ${CMAKE_CUDA_ARCHITECTURES})
    if(NOT architectures AND NOT (DEFINED ENV{CUDA_VISIBLE_DEVICES} AND "$ENV{CUDA_VISIBLE_DEVICES}" MATCHES "^(-1)?$"))
        execute_process(COMMAND nvidia-smi --query-gpu=compute_cap --format=csv,noheader OUTPUT_VARIABLE said ERROR_QUIET)
        string(REGEX MATCHALL "[0-9]+\\.[0-9]" capabilities "${said}")
        string(REPLACE "." "" architectures "${capabilities}")
    endif()
    set(${result} ${architectures} PARENT_SCOPE)
endfunction()

# Sets `result` to the architectures that CMake is told: those of the GPUs here. Without one, the oldest of each generation
# that nvcc knows and that suits these chapters.
function(architectures_to_compile_for result)
    wanted_architectures(chosen)
    if(chosen AND NOT CMAKE_CUDA_ARCHITECTURES)
        set(chosen native)
    elseif(NOT chosen)
        execute_process(COMMAND ${NVCC} --list-gpu-arch OUTPUT_VARIABLE said)
        string(REGEX MATCHALL "[0-9]+" known "${said}")
        foreach(number IN LISTS known)
            math(EXPR generation "${number} / 10")
            if(number GREATER_EQUAL oldest_architecture AND NOT generation IN_LIST generations)
                list(APPEND generations ${generation})
                list(APPEND chosen ${number})
            endif()
        endforeach()
    endif()
    set(${result} ${chosen} PARENT_SCOPE)
endfunction()

# Sets `result` to what speaks against CUDA here, or to nothing.
function(obstacle_to_cuda result)
    set(${result} "" PARENT_SCOPE)
    if(NOT NVCC)
        set(${result} "there is no nvcc" PARENT_SCOPE)
        return()
    endif()
    if(NVCC MATCHES "[$`]")
        set(${result} "nvcc starts its parts by a shell, which would misread the ${CMAKE_MATCH_0} in ${NVCC}" PARENT_SCOPE)
        return()
    endif()
    execute_process(COMMAND ${NVCC} --version OUTPUT_VARIABLE said ERROR_QUIET)
    if(NOT said MATCHES "release ([0-9]+\\.[0-9]+)")
        set(${result} "${NVCC} does not tell its version" PARENT_SCOPE)
        return()
    endif()
    set(version ${CMAKE_MATCH_1})
    if(version VERSION_LESS oldest_cuda)
        set(${result} "${NVCC} is CUDA ${version}, and these chapters need CUDA ${oldest_cuda} or newer" PARENT_SCOPE)
        return()
    endif()
    wanted_architectures(architectures)
    if(NOT architectures AND NOT BACKEND)
        set(${result} "no GPU answers; -DBACKEND=cuda compiles for GPUs all the same" PARENT_SCOPE)
    endif()
    list(FILTER architectures INCLUDE REGEX "^[0-9]")
    foreach(architecture IN LISTS architectures)
        string(REGEX MATCH "^[0-9]+" number ${architecture})
        if(number LESS oldest_architecture)
            set(${result} "sm_${number} is too old: these chapters need sm_${oldest_architecture} or newer" PARENT_SCOPE)
        elseif(version VERSION_GREATER_EQUAL 13 AND number LESS oldest_architecture_13)
            set(${result} "CUDA ${version} does not compile for sm_${number}, and CUDA 12 does" PARENT_SCOPE)
        endif()
    endforeach()
endfunction()

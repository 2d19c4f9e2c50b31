# find_package(cuda_emulator): defines use_emulator() and the libraries cuda_emulator::emulator and
# cuda_emulator::emulator_checked, which a wheel does not have.
include(CMakeFindDependencyMacro)
find_dependency(Python3 3.11 COMPONENTS Interpreter)
find_dependency(Threads)

get_filename_component(EMULATOR_ROOT "${CMAKE_CURRENT_LIST_DIR}/../../cuda_emulator" ABSOLUTE)
foreach(library emulator emulator_checked)
    if(TARGET cuda_emulator::${library})
        continue()
    endif()
    add_library(cuda_emulator::${library} INTERFACE IMPORTED)
    set(folder ${EMULATOR_ROOT}/lib64)
    if(library STREQUAL "emulator_checked")
        set(folder ${folder}/checked)
        set_target_properties(cuda_emulator::${library} PROPERTIES INTERFACE_COMPILE_DEFINITIONS EMULATOR_CHECKED)
    endif()
    # libcudart there is a linker script that names the library and what it needs.
    set_target_properties(cuda_emulator::${library} PROPERTIES
        INTERFACE_INCLUDE_DIRECTORIES ${EMULATOR_ROOT}/include
        INTERFACE_COMPILE_FEATURES cxx_std_17
        INTERFACE_LINK_DIRECTORIES ${folder}
        INTERFACE_LINK_LIBRARIES "cudart_static;Threads::Threads;${CMAKE_DL_LIBS}")
    set(options -Wno-psabi $<$<NOT:$<CONFIG:Debug>>:-fsanitize=return>)
    if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
        list(APPEND options -fstack-clash-protection)
    else()
        list(APPEND options -ffp-contract=off)
    endif()
    set_target_properties(cuda_emulator::${library} PROPERTIES INTERFACE_COMPILE_OPTIONS "${options}")
endforeach()
include(${CMAKE_CURRENT_LIST_DIR}/use_emulator.cmake)

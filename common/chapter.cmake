# Every chapter's CMakeLists.txt includes this file, for a chapter alone and for the whole project. It sets the backend,
# the warnings and the libraries, and defines add_chapter(). Options:
#   BACKEND              cuda: nvcc and a GPU;  cpu: the emulator. Default: cuda where there are a GPU and an nvcc that suits.
#   WARNINGS_AS_ERRORS   a warning ends the build. Default: the environment variable CI.
include_guard(GLOBAL)

include(${CMAKE_CURRENT_LIST_DIR}/toolkit.cmake)
set(BACKEND "" CACHE STRING "cuda or cpu; empty: cuda where there are a GPU and an nvcc that suits")
if(NOT BACKEND MATCHES "^(cuda|cpu|)$")
    message(FATAL_ERROR "BACKEND is \"${BACKEND}\", but must be cuda or cpu")
endif()
if(NOT BACKEND STREQUAL "cpu")
    obstacle_to_cuda(obstacle)
    if(obstacle AND BACKEND STREQUAL "cuda")
        message(FATAL_ERROR "BACKEND is cuda, but ${obstacle}")
    elseif(obstacle)
        message(STATUS "The kernels run on the emulator: ${obstacle}.")
        set(BACKEND cpu)
    else()
        set(BACKEND cuda)
    endif()
endif()

if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE RelWithDebInfo)
endif()
add_compile_options(-std=c++20)  # a plain flag, since CMake 3.25 does not know that nvcc 13 has C++20
# Two ways to keep build folders small: debug information is compressed, and static libraries are thin archives, which
# refer to their object files instead of copying them.
add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-gz>)
add_link_options(-gz)
# The linker that takes a third of the time, where there is one
include(CheckLinkerFlag)
check_linker_flag(CXX -fuse-ld=gold linker_is_gold)
if(linker_is_gold)
    add_link_options($<$<LINK_LANGUAGE:CXX>:-fuse-ld=gold>)
endif()
set(CMAKE_CXX_ARCHIVE_CREATE "<CMAKE_AR> qcT <TARGET> <LINK_FLAGS> <OBJECTS>")
set(CMAKE_CXX_ARCHIVE_APPEND "<CMAKE_AR> qT <TARGET> <LINK_FLAGS> <OBJECTS>")
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

set(repository ${CMAKE_CURRENT_LIST_DIR}/..)
cmake_path(NORMAL_PATH repository)

# A learner's program runs in spite of warnings. Continuous integration refuses them.
option(WARNINGS_AS_ERRORS "A warning ends the build" $ENV{CI})
add_library(warnings INTERFACE)
target_compile_options(warnings INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra>")
if(WARNINGS_AS_ERRORS)
    target_compile_options(warnings INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Werror>)
endif()

find_package(nlohmann_json REQUIRED)

if(BACKEND STREQUAL "cuda")
    if("${repository}${CMAKE_SOURCE_DIR}${CMAKE_BINARY_DIR}" MATCHES "[$`]")
        message(FATAL_ERROR "nvcc hands paths to a shell, which would misread the ${CMAKE_MATCH_0} in this one: rename the folder")
    endif()
    if(NVCC AND NOT CMAKE_CUDA_COMPILER)
        set(CMAKE_CUDA_COMPILER ${NVCC})
    endif()
    architectures_to_compile_for(CMAKE_CUDA_ARCHITECTURES)
    enable_language(CUDA)
    find_package(CUDAToolkit REQUIRED)
    # Code for host and device also goes through the host compiler, which does not know nvcc's #pragma unroll.
    target_compile_options(warnings INTERFACE
        "$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall,-Wextra,-Wno-unknown-pragmas>")
    if(CMAKE_CUDA_COMPILER_VERSION VERSION_LESS 13)  # g++ on CUB
        target_compile_options(warnings INTERFACE $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wno-maybe-uninitialized>)
    endif()
    if(WARNINGS_AS_ERRORS)
        target_compile_options(warnings INTERFACE
            "$<$<COMPILE_LANGUAGE:CUDA>:-Werror=all-warnings;-Xcompiler=-Werror>")
    endif()
    target_link_libraries(warnings INTERFACE CUDA::cudart_static)
elseif(EXISTS ${repository}/emulator)
    add_subdirectory(${repository}/emulator ${CMAKE_BINARY_DIR}/emulator)
else()
    find_package(cuda_emulator QUIET)
    if(NOT cuda_emulator_FOUND)
        message(FATAL_ERROR "The emulator is missing: copy the course's folder emulator/ to ${repository}, or install it, as "
            "its README.md says, and name the place with -DCMAKE_PREFIX_PATH=DIR. -DBACKEND=cuda needs nvcc instead.")
    endif()
endif()

# Settings of every library and program with CUDA sources. On the CPU backend CMake treats .cu files as C++, and the
# emulator's launcher runs in front of the compiler.
function(prepare_target target)
    set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
    target_include_directories(${target} PUBLIC ${repository})
    target_link_libraries(${target} PUBLIC warnings)
    if(BACKEND STREQUAL "cpu")
        use_emulator(${target})
    endif()
endfunction()

# The instructions that only Hopper has are in code for sm_90a, beside the code for the GPU at hand: where a stage's file says
# that it needs them.
function(for_the_gpu_that_they_need)
    if(BACKEND STREQUAL "cuda" AND CMAKE_CUDA_COMPILER_VERSION VERSION_GREATER_EQUAL 12)
        foreach(source IN LISTS ARGN)
            file(STRINGS ${source} needed REGEX "warpgroup_mma[)}]")
            if(needed)
                set_source_files_properties(${source} PROPERTIES COMPILE_OPTIONS "-gencode=arch=compute_90a,code=sm_90a")
            endif()
        endforeach()
    endif()
endfunction()

function(add_cuda_library target)
    add_library(${target} STATIC ${ARGN})
    prepare_target(${target})
endfunction()

function(add_cuda_program target)
    add_executable(${target} ${ARGN})
    prepare_target(${target})
endfunction()

add_cuda_library(common
    ${repository}/common/command_line.cpp
    ${repository}/common/json.cpp
    ${repository}/common/options.cpp
    ${repository}/common/output.cpp
    ${repository}/common/program.cpp
    ${repository}/common/recorded.cpp
    ${repository}/common/report.cpp
    ${repository}/common/result_table.cpp
    ${repository}/common/stage.cpp
    ${repository}/common/table.cpp
    ${repository}/common/text.cpp
    ${repository}/common/timer.cpp)
target_link_libraries(common PUBLIC nlohmann_json::nlohmann_json)
# What it does takes no time, and its libraries are large: compiled as one, they are read once.
set_target_properties(common PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 0)
target_compile_options(common PRIVATE $<$<CONFIG:RelWithDebInfo>:-g1;-O0>)
if(BACKEND STREQUAL "cuda")
    target_compile_definitions(common PRIVATE CUDA_COMPILER="nvcc ${CMAKE_CUDA_COMPILER_VERSION}")
else()
    target_compile_definitions(common PRIVATE RECORDED_FOLDER="${CMAKE_BINARY_DIR}/recorded")
endif()

# Pictures, for the chapters that draw some. Only these need libpng: without it they do not build, and say why. Without
# GLFW and OpenGL pictures can be saved but not shown.
find_package(PNG QUIET)
find_package(glfw3 QUIET)
find_package(OpenGL QUIET)
add_cuda_library(bitmap ${repository}/common/pictures/bitmap.cpp ${repository}/common/pictures/window.cpp)
target_link_libraries(bitmap PUBLIC common)
if(TARGET PNG::PNG)
    target_link_libraries(bitmap PUBLIC PNG::PNG)
else()
    add_custom_target(libpng COMMENT "libpng is missing: libpng-dev (Debian, Ubuntu), libpng-devel (Fedora), libpng (Arch)"
        COMMAND ${CMAKE_COMMAND} -E false)
    add_dependencies(bitmap libpng)
endif()
if(TARGET glfw AND TARGET OpenGL::GL)
    target_link_libraries(bitmap PRIVATE glfw OpenGL::GL)
    target_compile_definitions(bitmap PRIVATE WITH_WINDOW)
endif()

# Prepares the chapter's part of results/, which its programs show where there is no GPU, if results/ is there.
function(add_recorded chapter)
    if(NOT EXISTS ${repository}/tools/recorded.py)
        return()
    endif()
    find_package(Python3 REQUIRED COMPONENTS Interpreter)
    set(output ${CMAKE_BINARY_DIR}/recorded/${chapter}.tsv)
    file(GLOB results CONFIGURE_DEPENDS ${repository}/results/*.json ${repository}/results/counts/${chapter}.json)
    add_custom_command(OUTPUT ${output} DEPENDS ${repository}/tools/recorded.py ${results}
        COMMAND ${Python3_EXECUTABLE} ${repository}/tools/recorded.py ${chapter} ${output} VERBATIM)
    add_custom_target(${chapter}_recorded DEPENDS ${output})
    foreach(program ${ARGN})
        add_dependencies(${program} ${chapter}_recorded)
    endforeach()
endfunction()

# add_with_own_stages(<program>)
# Where the reader has stages of a library that the program links: the program once more, with these, as my/<program>. Nothing
# builds it but its target, <program>_my: a stage that does not compile is in nobody's way.
function(add_with_own_stages program)
    get_target_property(libraries ${program} LINK_LIBRARIES)
    list(REMOVE_ITEM libraries programs_test)  # of a chapter's tests, those that are about programs
    set(own)
    foreach(library IN LISTS libraries)
        set(sources)
        if(TARGET ${library})
            get_property(sources TARGET ${library} PROPERTY OWN_STAGES)
        endif()
        if(sources)
            list(APPEND own ${library}_my)
            get_target_property(linked ${library} LINK_LIBRARIES)
            get_target_property(folder ${library} SOURCE_DIR)
            if(NOT TARGET ${library}_my)
                add_library(${library}_my OBJECT EXCLUDE_FROM_ALL ${sources})
                prepare_target(${library}_my)
                for_the_gpu_that_they_need(${sources})
                target_link_libraries(${library}_my PRIVATE ${linked})
                target_include_directories(${library}_my PRIVATE ${folder})
                target_compile_options(${library}_my PRIVATE $<TARGET_PROPERTY:${library},COMPILE_OPTIONS>)
            endif()
        endif()
    endforeach()
    if(own)
        add_executable(${program}_my EXCLUDE_FROM_ALL $<TARGET_OBJECTS:${program}>)
        prepare_target(${program}_my)
        set_target_properties(${program}_my PROPERTIES OUTPUT_NAME ${program} LINKER_LANGUAGE CXX
            RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/my)
        target_link_libraries(${program}_my PRIVATE ${libraries} ${own})
    endif()
endfunction()

# add_chapter(PROGRAMS <program>... [RUN <command line>...] [BENCH <command line>...] [CHECK <command line>...]
#             [COUNT <command line>...] [WATCH <command line>...] [LEFT_OUT <sentence>...])
# Call it after the chapter's programs were added. It writes down for ./lab which command lines to run (without RUN: the
# programs), to measure, to check, to count and to watch, and what to say about programs that are left out. It also adds
# a target with the name of the chapter's folder, which builds everything.
function(add_chapter)
    cmake_parse_arguments(PARSE_ARGV 0 chapter "" "" "PROGRAMS;RUN;BENCH;CHECK;COUNT;WATCH;LEFT_OUT")
    cmake_path(GET CMAKE_CURRENT_SOURCE_DIR FILENAME name)
    add_custom_target(${name} DEPENDS ${chapter_PROGRAMS})
    add_custom_target(${name}_my)
    foreach(program IN LISTS chapter_PROGRAMS)
        add_with_own_stages(${program})
        if(TARGET ${program}_my)
            add_dependencies(${name}_my ${program}_my)
        endif()
    endforeach()
    if(BACKEND STREQUAL "cpu")
        add_recorded(${name} ${chapter_PROGRAMS})
    endif()
    if(chapter_RUN)
        set(chapter_PROGRAMS ${chapter_RUN})
    endif()
    list(APPEND chapter_LEFT_OUT ${vendor_left_out})
    foreach(list PROGRAMS BENCH CHECK COUNT WATCH LEFT_OUT)
        string(TOLOWER ${list} file)
        list(JOIN chapter_${list} "\n" lines)
        file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/${file}.txt "${lines}\n")
    endforeach()
endfunction()

# add_stages(<library> [STAGES <pattern>...] [OTHERS <file>...] [VENDOR <library.cu> <CUDA library target>...])
# Makes a library of the chapter's stages, without main.cpp, so that tests can link it too: of the files 1_….cpp, 2_….cu
# and so on, or those that the patterns name, and of others that they need. VENDOR: the stage that calls NVIDIA's library,
# in CUDA builds only, and where the toolkit has that library. All of it is linked, since nobody asks for a stage by name.
# The reader's own ones are my/05_dot_product/mine.cu, and t_mine.cu for the ladder t1, t2, …
function(add_stages target)
    cmake_parse_arguments(PARSE_ARGV 1 stages "" "" "STAGES;OTHERS;VENDOR")
    if(NOT stages_STAGES)
        set(stages_STAGES [0-9]*)
    endif()
    list(TRANSFORM stages_STAGES REPLACE ".+" "${CMAKE_CURRENT_SOURCE_DIR}/\\0_*.c*")
    file(GLOB sources CONFIGURE_DEPENDS ${stages_STAGES})
    list(SORT sources COMPARE NATURAL)
    add_library(${target} OBJECT ${sources} ${stages_OTHERS})
    prepare_target(${target})
    for_the_gpu_that_they_need(${sources})
    target_link_libraries(${target} PUBLIC common)
    cmake_path(GET CMAKE_CURRENT_SOURCE_DIR FILENAME chapter)
    list(TRANSFORM stages_STAGES REPLACE ".*/(.?)\\[0-9\\].*" "\\1_*.c*")
    list(TRANSFORM stages_STAGES REPLACE "^_" "[a-z][a-z0-9]")
    list(TRANSFORM stages_STAGES PREPEND ${repository}/my/${chapter}/)
    file(GLOB own CONFIGURE_DEPENDS ${stages_STAGES})
    set_target_properties(${target} PROPERTIES OWN_STAGES "${own}")
    if(stages_VENDOR AND BACKEND STREQUAL "cuda")
        list(POP_FRONT stages_VENDOR vendor_source)
        foreach(vendor IN LISTS stages_VENDOR)
            if(NOT TARGET ${vendor})
                string(REPLACE "CUDA::" "" vendor ${vendor})
                set(vendor_left_out "the stage library is left out: the CUDA toolkit has no lib${vendor}" PARENT_SCOPE)
                return()
            endif()
        endforeach()
        target_sources(${target} PRIVATE ${vendor_source})
        target_link_libraries(${target} PRIVATE ${stages_VENDOR})
    endif()
endfunction()

# use_emulator(<target> [CHECKED]): makes the target a program or library whose .cu files run on the CPU. CHECKED, where
# the emulator is installed: each access to memory is watched.
# EMULATOR_ROOT is the folder that has `compile`.
set(emulator_launcher "${Python3_EXECUTABLE};${EMULATOR_ROOT}/compile" CACHE INTERNAL "rewrites .cu files")

function(use_emulator target)
    cmake_parse_arguments(PARSE_ARGV 1 arg "CHECKED" "" "")
    get_target_property(sources ${target} SOURCES)
    list(FILTER sources INCLUDE REGEX "\\.cu$")
    if(sources)
        set_source_files_properties(${sources} PROPERTIES LANGUAGE CXX)
        set_target_properties(${target} PROPERTIES CXX_COMPILER_LAUNCHER "${emulator_launcher}")
    endif()
    target_link_libraries(${target} PUBLIC cuda_emulator::emulator$<$<BOOL:${arg_CHECKED}>:_checked>)
endfunction()

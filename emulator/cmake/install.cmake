# What `cmake --install` gives: bin/nvcc_cpu, and lib/cuda_emulator, which has the form of a CUDA toolkit: bin, include,
# lib64. A CMake project finds the package with find_package(cuda_emulator), or takes cmake/toolchain.cmake and stays as it
# is. Debian's package is made of the same files. A wheel leaves out the checked library, which nvcc_cpu makes when it is
# first asked for.
set(libraries emulator)
if(NOT EMULATOR_IN_WHEEL)
    add_emulator(emulator_checked ON)
    list(APPEND libraries emulator_checked)
endif()

set(root lib/cuda_emulator)
install(PROGRAMS nvcc_cpu compile DESTINATION ${root})
install(DIRECTORY driver include launcher rewriter src watch DESTINATION ${root}
    PATTERN __pycache__ EXCLUDE)
install(FILES VERSION DESTINATION ${root})
install(CODE "
    set(prefix \$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX})
    file(MAKE_DIRECTORY \${prefix}/bin \${prefix}/${root}/bin)
    file(CREATE_LINK ../${root}/nvcc_cpu \${prefix}/bin/nvcc_cpu SYMBOLIC)
    foreach(name nvcc nvcc_cpu)
        file(CREATE_LINK ../nvcc_cpu \${prefix}/${root}/bin/\${name} SYMBOLIC)
    endforeach()")

# The libraries, each beside what the linker takes for CUDA's.
foreach(library IN LISTS libraries)
    set(folder ${root}/lib64)
    if(library STREQUAL "emulator_checked")
        set(folder ${folder}/checked)
    endif()
    set_target_properties(${library} PROPERTIES
        ARCHIVE_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/${folder} OUTPUT_NAME emulator)
    install(TARGETS ${library} ARCHIVE DESTINATION ${folder})
    install(CODE "execute_process(WORKING_DIRECTORY \"${CMAKE_CURRENT_SOURCE_DIR}\" COMMAND_ERROR_IS_FATAL ANY
        COMMAND \"${Python3_EXECUTABLE}\" -B -m driver.library_folder
            \$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${folder} ${library} \${CMAKE_INSTALL_PREFIX}/${folder})")
endforeach()

include(CMakePackageConfigHelpers)
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/cuda_emulatorConfigVersion.cmake
    COMPATIBILITY SameMajorVersion)
install(FILES cmake/cuda_emulatorConfig.cmake cmake/use_emulator.cmake cmake/toolchain.cmake
    ${CMAKE_CURRENT_BINARY_DIR}/cuda_emulatorConfigVersion.cmake DESTINATION lib/cmake/cuda_emulator)
install(FILES README.md CHANGELOG.md DESTINATION share/doc/cuda-emulator)
install(DIRECTORY docs pictures DESTINATION share/doc/cuda-emulator)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME cuda-emulator)
set(CPACK_PACKAGE_CONTACT "The contributors to this project")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "runs CUDA kernels on the CPU")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES OFF)  # the reports name the library's lines, too
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "g++ (>= 4:12) | clang (>= 1:14), python3 (>= 3.11), libdw-dev, zlib1g-dev")
if(NOT emulator_on_x86_64)
    string(APPEND CPACK_DEBIAN_PACKAGE_DEPENDS ", libboost-context-dev")
endif()
include(CPack)

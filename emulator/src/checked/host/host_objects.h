#pragma once

#include <cstddef>
#include <cstdint>

// Objects with virtual functions that the host has constructed: their table of functions is the host's, which a GPU
// cannot reach. They are known by the addresses of their pointers to the table, wherever these were copied.
namespace emulator {

/// A constructor or destructor has set the pointer.
void note_constructed(std::uintptr_t pointer, bool by_host);

/// Bytes were copied by the host: objects are there what they were where they came from.
void note_objects_copied(std::uintptr_t to, std::uintptr_t from, std::size_t bytes);

/// Other memory is there now.
void note_no_objects(std::uintptr_t begin, std::size_t bytes);

bool is_of_host_object(std::uintptr_t pointer);

}  // namespace emulator

#pragma once

// A table of linked lists in device memory: what stages 2 and 3 share.

#include "common/device_buffer.h"
#include "hash_table.h"

namespace hash_table {

struct Entry {
    Key key;
    Value value;
    Entry* next;
};

/// A bucket is a list. Entry i of the pool holds pair i, so that no thread has to look for a free entry. The heads of
/// two lists lie as many pointers apart as `apart` says.
class Chains : public Table {
  public:
    Chains(std::size_t buckets, std::size_t capacity, unsigned apart = 1);

    void find(const Key* keys, std::size_t n, Value* values) const override;

    /// The pointers in the table are device addresses. The distance of each from the pool's begin is valid on the host
    /// too, so it is added to the address of the pool's copy.
    Contents copy_table_to_host() const override;

  protected:
    void clear();

    const unsigned apart_;
    DeviceBuffer<Entry*> heads_;
    DeviceBuffer<Entry> pool_;
};

}  // namespace hash_table

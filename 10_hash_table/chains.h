#pragma once

// Lists of entries in device memory, linked by pointers, as in the notes: what stages 2 and 3 share.

#include "common/device_buffer.h"
#include "hash_table.h"

namespace hash_table {

struct Entry {
    Key key;
    Value value;
    Entry* next;
};

/// A bucket is a list; entry i of the pool holds pair i, so that no thread has to ask where the next free entry is.
class Chains : public Table {
  public:
    Chains(std::size_t buckets, std::size_t capacity);

    void find(const Key* keys, std::size_t n, Value* values) const override;

    /// The pointers in the table are the device's. What stays true on the host is how far they are from the pool's
    /// begin, so each of them is moved to the copy of the pool.
    Contents copy_table_to_host() const override;

  protected:
    void clear();

    DeviceBuffer<Entry*> heads_;
    DeviceBuffer<Entry> pool_;
};

}  // namespace hash_table

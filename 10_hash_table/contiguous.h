#pragma once

// A table in which each bucket is a piece of one array: what stage 5 and the library share.

#include "common/device_buffer.h"
#include "hash_table.h"

namespace hash_table {

class Contiguous : public Table {
  public:
    Contiguous(std::size_t buckets, std::size_t capacity);

    void find(const Key* keys, std::size_t n, Value* values) const override;
    Contents copy_table_to_host() const override;

  protected:
    DeviceBuffer<Key> keys_;
    DeviceBuffer<Value> values_;
    DeviceBuffer<unsigned> begin_;  // where each bucket begins, and where the last one ends
};

}  // namespace hash_table

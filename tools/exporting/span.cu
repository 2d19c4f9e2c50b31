/// A pointer and a length: what std::span is in C++20.
template <class T>
class Span {
  public:
    Span(T* data, std::size_t size) : data_(data), size_(size) {}
    template <class Container>
    Span(Container&& values) : data_(std::data(values)), size_(std::size(values)) {}

    T* data() const { return data_; }
    std::size_t size() const { return size_; }
    std::size_t size_bytes() const { return size_ * sizeof(T); }
    T* begin() const { return data_; }
    T* end() const { return data_ + size_; }
    T& operator[](std::size_t i) const { return data_[i]; }

  private:
    T* data_;
    std::size_t size_;
};

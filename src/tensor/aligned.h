// Vectors that begin at a cache line, which is also the widest vector register.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace capella::tensor {

constexpr std::size_t kAlignment = 64;

template <class T>
struct AlignedAllocator {
  using value_type = T;
  AlignedAllocator() = default;
  template <class U>
  AlignedAllocator(const AlignedAllocator<U>&) {}
  T* allocate(std::size_t count) {
    return static_cast<T*>(::operator new (count * sizeof(T), std::align_val_t{kAlignment}));
  }
  void deallocate(T* data, std::size_t) { ::operator delete (data, std::align_val_t{kAlignment}); }
  bool operator==(const AlignedAllocator&) const { return true; }
};

template <class T>
using AlignedVector = std::vector<T, AlignedAllocator<T>>;

/// `size` or the next multiple of `unit`.
constexpr std::size_t round_up(std::size_t size, std::size_t unit) {
  return (size + unit - 1) / unit * unit;
}

/// Makes room for `size` values; what is there stays. Never shrinks, so that workspaces settle.
template <class T>
T* reserve(AlignedVector<T>& values, std::size_t size) {
  if (values.size() < size) values.resize(size);
  return values.data();
}

}  // namespace capella::tensor

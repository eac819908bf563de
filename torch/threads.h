// How many threads torch and its BLAS use. Debian's OpenBLAS has threads of its own beside those of torch, so
// both are told; where threads work on batches of their own, products have one each.
#pragma once

#include <cstddef>
#include <functional>

namespace capella::plugin {

/// Sets both numbers while it lives, and the former number for BLAS afterwards. That of BLAS is one for the
/// whole program: where several live at once (networks that are trained beside each other), the first sets it
/// and the last sets it back, so that it does not change under anybody's products, nor their last bits.
class Threads {
 public:
  Threads(std::size_t threads, std::size_t for_products);
  ~Threads();
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;
};

/// `threads`, or 1 if products of so many operations are too small to share: threads that wait for each other
/// at every one of them cost more than they bring, and very much more on a machine that is busy.
std::size_t threads_for_products(std::size_t threads, double operations);

/// One per core.
std::size_t core_count();

/// Calls job(0) ... job(count - 1), each once, on `threads` threads that take the next one as they are free.
/// No gradients are kept.
void for_each(std::size_t count, std::size_t threads, const std::function<void(std::size_t)>& job);

}  // namespace capella::plugin

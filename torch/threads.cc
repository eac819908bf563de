#include "torch/threads.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>

#include <ATen/Parallel.h>
#include <dlfcn.h>
#include <torch/torch.h>

namespace capella::plugin {
namespace {

// OpenBLAS may or may not be what torch multiplies with.
template <class Function>
Function* blas_function(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_DEFAULT, name));
}

int set_blas_threads(int threads) {
  static const auto get = blas_function<int()>("openblas_get_num_threads");
  static const auto set = blas_function<void(int)>("openblas_set_num_threads");
  if (get == nullptr || set == nullptr) return 0;
  const int before = get();
  if (before != threads) set(threads);
  return before;
}

std::mutex mutex;
std::size_t users = 0;  // objects of Threads that live
int former = 0;         // what BLAS had before the first of them; 0: not known

}  // namespace

Threads::Threads(std::size_t threads, std::size_t for_products) {
  at::set_num_threads(static_cast<int>(threads));
  const std::lock_guard lock(mutex);
  if (users++ == 0) former = set_blas_threads(static_cast<int>(for_products));
}

Threads::~Threads() {
  const std::lock_guard lock(mutex);
  if (--users == 0 && former > 0) set_blas_threads(former);
}

std::size_t threads_for_products(std::size_t threads, double operations) {
  constexpr double kWorthSharing = 5e7;
  return operations < kWorthSharing ? 1 : threads;
}

std::size_t core_count() {
  return std::max(1u, std::thread::hardware_concurrency());
}

void for_each(std::size_t count, std::size_t threads, const std::function<void(std::size_t)>& job) {
  std::atomic<std::size_t> next = 0;
  const auto workers = static_cast<std::int64_t>(std::min(threads, count));
  at::parallel_for(0, workers, 1, [&](std::int64_t begin, std::int64_t end) {
    const torch::NoGradGuard no_gradients;
    for (; begin < end; ++begin) {
      for (std::size_t i = next++; i < count; i = next++) {
        try {
          job(i);
        } catch (...) {
          next = count;  // nobody begins another
          throw;
        }
      }
    }
  });
}

}  // namespace capella::plugin

// The one thread pool. Work is cut into numbered pieces; results go to places that belong to the piece, so
// that the number of threads never changes an answer.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace capella {

class ThreadPool {
 public:
  /// `threads` counts the calling thread; 0 means one per core. A pool has at most as many as the system
  /// gives.
  explicit ThreadPool(std::size_t threads = 0);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  std::size_t threads() const { return workers_.size() + 1; }

  /// Runs work(0) ... work(count - 1) on all threads and returns when all are done. The first exception, by
  /// piece number, is thrown here; pieces not yet begun are then left out. Not reentrant.
  void parallel_for(std::size_t count, const std::function<void(std::size_t)>& work);

 private:
  struct Job;
  void worker();
  static void take_pieces(Job& job);

  std::vector<std::thread> workers_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable done_;
  Job* job_ = nullptr;
  std::size_t generation_ = 0;
  std::size_t busy_ = 0;
  bool stop_ = false;
};

}  // namespace capella

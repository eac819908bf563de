#include "base/thread_pool.h"

#include <algorithm>
#include <atomic>
#include <system_error>

namespace capella {
namespace {

constexpr std::size_t kMostThreads = 1024;

}  // namespace

struct ThreadPool::Job {
  const std::function<void(std::size_t)>& work;
  std::size_t count;
  std::atomic<std::size_t> next{0};
  std::mutex mutex;
  std::size_t failed_piece = SIZE_MAX;
  std::exception_ptr failure;
};

ThreadPool::ThreadPool(std::size_t threads) {
  if (threads == 0) threads = std::max(1u, std::thread::hardware_concurrency());
  threads = std::min(threads, kMostThreads);
  try {
    for (std::size_t i = 1; i < threads; ++i) workers_.emplace_back([this] { worker(); });
  } catch (const std::system_error&) {
    // The system gives no more; those that run do all the work.
  }
}

ThreadPool::~ThreadPool() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  wake_.notify_all();
  for (std::thread& thread : workers_) thread.join();
}

void ThreadPool::parallel_for(std::size_t count, const std::function<void(std::size_t)>& work) {
  Job job{work, count, {}, {}, SIZE_MAX, {}};
  if (workers_.empty() || count < 2) {
    take_pieces(job);
  } else {
    {
      const std::lock_guard lock(mutex_);
      job_ = &job;
      ++generation_;
      busy_ = workers_.size();
    }
    wake_.notify_all();
    take_pieces(job);
    std::unique_lock lock(mutex_);
    done_.wait(lock, [this] { return busy_ == 0; });
    job_ = nullptr;
  }
  if (job.failure) std::rethrow_exception(job.failure);
}

void ThreadPool::worker() {
  std::size_t seen = 0;
  for (;;) {
    Job* job = nullptr;
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [&] { return stop_ || generation_ != seen; });
      if (stop_) return;
      seen = generation_;
      job = job_;
    }
    take_pieces(*job);
    const std::lock_guard lock(mutex_);
    if (--busy_ == 0) done_.notify_one();
  }
}

void ThreadPool::take_pieces(Job& job) {
  for (std::size_t piece = job.next++; piece < job.count; piece = job.next++) {
    try {
      job.work(piece);
    } catch (...) {
      const std::lock_guard lock(job.mutex);
      if (piece < job.failed_piece) {
        job.failed_piece = piece;
        job.failure = std::current_exception();
      }
      job.next = job.count;
    }
  }
}

}  // namespace capella

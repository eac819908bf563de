#include "callbacks.h"

#include <chrono>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>

#include <nanobind/stl/string.h>

#include "words.h"

namespace capella::python {
namespace {

// Kept until the last copy is gone, wherever that is.
std::shared_ptr<nb::object> hold(nb::object function) {
  const auto drop = [](nb::object* held) {
    const nb::gil_scoped_acquire locked;
    delete held;
  };
  return {new nb::object(std::move(function)), drop};
}

// Python tells of signals only in its main thread, so that it is asked only in the thread that called;
// threads that work for it then end with the same exception, since some loops go on until each of their
// threads has ended.
class Listener {
 public:
  explicit Listener(std::shared_ptr<nb::object> function) : function_(std::move(function)) {}

  void step(std::string_view stage, std::size_t done, std::size_t total) {
    const std::lock_guard lock(mutex_);
    try {
      if (!caught_ && std::this_thread::get_id() == caller_ && Clock::now() >= next_) ask_python();
      if (!caught_ && function_ && (done == total || Clock::now() >= next_told_)) tell(stage, done, total);
    } catch (...) {
      caught_ = std::current_exception();
    }
    if (caught_) std::rethrow_exception(caught_);
  }

 private:
  using Clock = std::chrono::steady_clock;
  // Whoever asks may have to wait for the GIL.
  static constexpr std::chrono::milliseconds kPause{50};

  void ask_python() {
    const nb::gil_scoped_acquire locked;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    next_ = Clock::now() + kPause;
  }

  void tell(std::string_view stage, std::size_t done, std::size_t total) {
    const nb::gil_scoped_acquire locked;
    (*function_)(nb::str(stage.data(), stage.size()), done, total);
    next_told_ = Clock::now() + kPause;
  }

  const std::shared_ptr<nb::object> function_;  // empty: none
  std::mutex mutex_;
  const std::thread::id caller_ = std::this_thread::get_id();
  Clock::time_point next_, next_told_;
  std::exception_ptr caught_;
};

Progress listen(std::shared_ptr<nb::object> function) {
  return [listener = std::make_shared<Listener>(std::move(function))](std::string_view stage,
                                                                      std::size_t done, std::size_t total) {
    listener->step(stage, done, total);
  };
}

}  // namespace

std::function<void(const std::string&)> teller(nb::object function) {
  return [held = hold(std::move(function))](const std::string& what) {
    const nb::gil_scoped_acquire locked;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    if (!held->is_none()) (*held)(in_python_words(what));
  };
}

Progress until_interrupted() {
  return listen(nullptr);
}

Progress reporter(nb::object function) {
  return listen(function.is_none() ? nullptr : hold(std::move(function)));
}

}  // namespace capella::python

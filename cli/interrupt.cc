#include "cli/interrupt.h"

#include <csignal>

#include <fmt/format.h>
#include <unistd.h>

namespace capella::cli {
namespace {

// Written before the handler is installed; the handler only reads them.
std::string kept_path, text_if_kept, text_if_lost;

// Only what is allowed in a handler of signals.
void say_and_end(int signal) {
  const bool kept = !kept_path.empty() && ::access(kept_path.c_str(), F_OK) == 0;
  const std::string& text = kept ? text_if_kept : text_if_lost;
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

}  // namespace

InterruptNotice::InterruptNotice(const std::string& kept)
    : InterruptNotice(kept, "run the same command again to resume from " + kept) {}

InterruptNotice InterruptNotice::of_training(const std::string& output, bool restarts) {
  const std::string checkpoint = output + ".checkpoint";
  if (restarts) return {checkpoint, "run the command without --restart to resume from " + checkpoint};
  return {checkpoint,
          fmt::format("run the same command again to resume from {}, or add --restart to start over",
                      checkpoint)};
}

InterruptNotice::InterruptNotice(const std::string& kept, const std::string& advice) {
  const char* const line = ::isatty(STDERR_FILENO) != 0 ? "\n" : "";  // below the progress bar
  kept_path = kept;
  text_if_kept = fmt::format("{}capella: interrupted; {}\n", line, advice);
  text_if_lost = fmt::format("{}capella: interrupted; nothing was written{}\n", line,
                             kept.empty() ? ": this work cannot be resumed" : "");
  before_ = std::signal(SIGINT, say_and_end);
  if (before_ == SIG_IGN) std::signal(SIGINT, SIG_IGN);  // as under nohup
}

InterruptNotice::~InterruptNotice() {
  std::signal(SIGINT, before_);
}

}  // namespace capella::cli

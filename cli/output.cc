#include "cli/output.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "capella/error.h"

#include "base/file.h"
#include "cli/progress_bar.h"

namespace capella::cli {
namespace {

constexpr std::size_t kUsualWidth = 80;

bool goes_to_file(const CommonOptions& options) {
  return !options.output.empty() && options.output != "-";
}

// The columns of the terminal that standard output is; 0 if it is none. COLUMNS goes before what the terminal
// says.
std::size_t terminal_width() {
  if (::isatty(STDOUT_FILENO) == 0) return 0;
  const char* const columns = std::getenv("COLUMNS");
  const std::size_t wanted = columns == nullptr ? 0 : std::strtoul(columns, nullptr, 10);
  if (wanted > 0) return wanted;
  winsize size{};
  return ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : kUsualWidth;
}

}  // namespace

report::Format result_format(const CommonOptions& options) {
  return report::format_by_name(options.format, goes_to_file(options) ? 0 : terminal_width());
}

report::Format summary_format(const CommonOptions& options) {
  return result_format(on_screen(options));
}

std::size_t help_width() {
  const std::size_t width = terminal_width();
  return width > 0 ? width : kUsualWidth;
}

void emit(const CommonOptions& options, std::string_view result) {
  if (goes_to_file(options)) {
    write_file_atomically(options.output, result);
    return;
  }
  const bool written =
      std::fwrite(result.data(), 1, result.size(), stdout) == result.size() && std::fflush(stdout) == 0;
  if (!written && errno == EPIPE) throw ReaderGone();
  if (!written) throw FileError(fmt::format("standard output: cannot be written: {}", std::strerror(errno)));
}

void emit(const CommonOptions& options, report::Format format, std::string report) {
  emit(options, report::fit(std::move(report), format));
}

CommonOptions on_screen(CommonOptions options) {
  options.output.clear();
  return options;
}

void emit_beside_file(const CommonOptions& options, report::Format format, std::string report) {
  if (options.output != "-") emit(on_screen(options), format, std::move(report));
}

void check_outputs(std::span<const std::string> outputs, std::span<const std::string> inputs) {
  namespace fs = std::filesystem;
  std::error_code unknown;
  std::vector<std::string> taken(inputs.begin(), inputs.end());
  for (const std::string& output : outputs) {
    if (output.empty() || output == "-" || output.starts_with("/dev/")) continue;
    for (const std::string& other : taken) {
      const std::string path = other.substr(fs::exists(other, unknown) ? 0 : other.find('=') + 1);
      const bool same = fs::weakly_canonical(output, unknown) == fs::weakly_canonical(path, unknown);
      if (same) throw UsageError(fmt::format("{}: is read or written already; name another file", output));
    }
    const fs::path folder = fs::absolute(output, unknown).parent_path();
    if (::access(folder.c_str(), W_OK) != 0) {
      throw FileError(fmt::format("{}: cannot be written: {}", output, std::strerror(errno)));
    }
    taken.push_back(output);
  }
}

std::string folder_name(std::string path) {
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  return path;
}

void check_folder(std::string_view option, const std::string& folder) {
  namespace fs = std::filesystem;
  if (folder.empty()) throw UsageError(fmt::format("{}: is empty, expected the name of a folder", option));
  std::error_code problem;
  fs::path there = fs::absolute(folder, problem);
  fs::file_status status = fs::status(there, problem);
  while (status.type() == fs::file_type::not_found && there.has_relative_path()) {
    there = there.parent_path();
    status = fs::status(there, problem);
  }
  if (!fs::status_known(status))
    throw FileError(fmt::format("{} {}: cannot be written: {}", option, folder, problem.message()));
  if (!fs::is_directory(status))
    throw UsageError(fmt::format("{} {}: {} is there and no folder; name another", option, folder,
                                 there == fs::absolute(folder, problem) ? "it" : there.string()));
  if (::access(there.c_str(), W_OK | X_OK) != 0)
    throw FileError(fmt::format("{} {}: cannot be written: {}", option, folder, std::strerror(errno)));
}

void say(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
}

void notice(const CommonOptions& options, std::string_view text) {
  if (!options.quiet) say(fmt::format("capella: note: {}\n", text));
}

void warn(const CommonOptions& options, std::string_view text) {
  if (!options.quiet) say(fmt::format("capella: warning: {}\n", text));
}

Progress progress_bar(const CommonOptions& options) {
  if (options.quiet || ::isatty(STDERR_FILENO) == 0) return {};
  return [bar = std::make_shared<ProgressBar>()](std::string_view stage, std::size_t done,
                                                 std::size_t total) { bar->show(stage, done, total); };
}

}  // namespace capella::cli

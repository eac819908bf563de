#include "method/training_loop.h"

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <system_error>

#include <fmt/format.h>

#include "capella/error.h"

#include "base/hash.h"
#include "base/random.h"

namespace capella::method {

std::uint64_t epoch_seed(std::uint64_t seed, std::size_t epoch) {
  return hash_combine(seed, epoch);
}

std::vector<std::uint32_t> epoch_order(std::size_t count, std::uint64_t seed) {
  std::vector<std::uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0u);
  Random random(seed);
  shuffle(order, random);
  return order;
}

std::vector<std::uint32_t> epoch_rows(std::size_t count, std::size_t rows, std::uint64_t seed,
                                      std::size_t epoch) {
  std::vector<std::uint32_t> chosen;
  if (count == 0) return chosen;
  std::size_t pass = (epoch - 1) * rows / count, from = (epoch - 1) * rows % count;
  while (chosen.size() < rows) {
    const std::vector<std::uint32_t> order = epoch_order(count, epoch_seed(seed, ++pass));
    const std::size_t until = std::min(count, from + rows - chosen.size());
    chosen.insert(chosen.end(), order.begin() + static_cast<std::ptrdiff_t>(from),
                  order.begin() + static_cast<std::ptrdiff_t>(until));
    from = 0;
  }
  return chosen;
}

bool has_checkpoint(const std::string& path) {
  std::error_code unknown;  // whoever reads it then says what is wrong
  return !path.empty() && std::filesystem::exists(path, unknown);
}

void expect_fit(const std::string& path, const CheckpointFit& fit) {
  if (!fit.difference.empty()) {
    throw FileError(
        fmt::format("{}: the checkpoint is of {}; give the same options as before, or begin anew "
                    "with --restart",
                    path, fit.difference));
  }
  if (fit.epochs > fit.most_epochs) {
    throw FileError(
        fmt::format("{}: the checkpoint is of {} epochs, but {} at most are asked for; ask for {} or more, "
                    "or begin anew with --restart",
                    path, fit.epochs, fit.most_epochs, fit.epochs));
  }
}

void restore_arrays(const std::string& path, const std::function<void()>& set) {
  try {
    set();
  } catch (const DataError& error) {
    throw FileError(fmt::format("{}: {}; begin anew with --restart", path, error.what()));
  }
}

std::function<void(std::size_t done, std::size_t total)> steps_of(const Progress& progress,
                                                                  std::string stage) {
  return [&progress, stage = std::move(stage)](std::size_t done, std::size_t total) {
    if (progress) progress(stage, done, total);
  };
}

}  // namespace capella::method

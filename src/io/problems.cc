#include "io/problems.h"

#include <algorithm>

#include <fmt/format.h>

#include "capella/error.h"

#include "base/names.h"

namespace capella::io {

void Problems::add(std::size_t position, std::string_view id, std::string why) {
  ++count_;
  if (skip_bad_ || problems_.size() < kListed)
    problems_.push_back({position, std::string(id), std::move(why)});
}

std::vector<Problems::Place> Problems::places(const LineLocator& locate, std::size_t rows) const {
  std::vector<Place> all;
  if (!locate) {
    for (const Problem& problem : problems_) all.push_back({problem.position, ""});
    return all;
  }
  const auto before = [](std::size_t row) { return row == 0 ? row : row - 1; };
  const auto after = [rows](std::size_t row) { return row + 1 < rows ? row + 1 : row; };
  std::vector<std::size_t> asked;
  for (const Problem& problem : problems_)
    asked.insert(asked.end(), {before(problem.position), problem.position, after(problem.position)});
  std::sort(asked.begin(), asked.end());
  const std::vector<std::size_t> lines = locate(asked);
  const auto line_of = [&](std::size_t row) {
    return lines[static_cast<std::size_t>(std::lower_bound(asked.begin(), asked.end(), row) - asked.begin())];
  };
  for (const Problem& problem : problems_) {
    all.push_back({line_of(problem.position), ""});
    const auto shares = [&](std::size_t row) {
      return row != problem.position && line_of(row) == all.back().line;
    };
    if (rows > 1 && (shares(before(problem.position)) || shares(after(problem.position))))
      all.back().row = fmt::format("row {}{}{}: ", problem.position + 1, list_.empty() ? "" : " of ", list_);
  }
  return all;
}

std::vector<Skipped> Problems::settle(const std::string& source, const LineLocator& locate,
                                      std::size_t rows) const {
  if (empty()) return {};
  const std::vector<Place> all_places = places(locate, rows);
  std::vector<Skipped> skipped;
  std::string message;
  for (std::size_t i = 0; i < problems_.size(); ++i) {
    const auto& [position, id, why] = problems_[i];
    const std::string where = place(source, all_places[i].line);
    const std::string& row = all_places[i].row;
    if (skip_bad_) {
      skipped.push_back(id.empty() ? Skipped{where, row + why}
                                   : Skipped{id, fmt::format("{}: {}", where, why)});
      continue;
    }
    message += id.empty() ? fmt::format("{}: {}{}\n", where, row, why)
                          : fmt::format("{}: id {}: {}\n", where, excerpt(id), why);
  }
  if (skip_bad_) return skipped;
  if (count_ > problems_.size())
    message += fmt::format("and {} more malformed rows\n", count_ - problems_.size());
  throw DataError(message.append(advice_));
}

}  // namespace capella::io

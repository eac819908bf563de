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

std::vector<Skipped> Problems::settle(const std::string& source, const LineLocator& locate) const {
  if (empty()) return {};
  std::vector<std::size_t> lines(problems_.size());
  std::transform(problems_.begin(), problems_.end(), lines.begin(),
                 [](const Problem& p) { return p.position; });
  if (locate) lines = locate(lines);

  std::vector<Skipped> skipped;
  std::string message;
  for (std::size_t i = 0; i < problems_.size(); ++i) {
    const auto& [position, id, why] = problems_[i];
    const std::string where = place(source, lines[i]);
    if (skip_bad_) {
      skipped.push_back(id.empty() ? Skipped{where, why} : Skipped{id, fmt::format("{}: {}", where, why)});
      continue;
    }
    message += id.empty() ? fmt::format("{}: {}\n", where, why)
                          : fmt::format("{}: id {}: {}\n", where, excerpt(id), why);
  }
  if (skip_bad_) return skipped;
  if (count_ > problems_.size())
    message += fmt::format("and {} more malformed rows\n", count_ - problems_.size());
  throw DataError(message.append(advice_));
}

}  // namespace capella::io

#include "io/problems.h"

#include <algorithm>

#include <fmt/format.h>

#include "capella/error.h"

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
  throw DataError(message + "correct the file, or leave such rows out with --skip-bad");
}

std::string list_names(const std::vector<std::string_view>& names) {
  std::string list;
  const std::size_t shown = std::min(names.size(), Problems::kListed);
  for (std::size_t i = 0; i < shown; ++i) list += (i == 0 ? "" : ", ") + excerpt(names[i]);
  if (names.size() > shown) list += fmt::format(" and {} more", names.size() - shown);
  return list;
}

std::string excerpt(std::string_view text) {
  constexpr std::size_t kLongest = 60;
  std::size_t size = std::min(text.size(), kLongest);
  while (size > 0 && size < text.size() && (text[size] & 0xC0) == 0x80) --size;
  std::string shown(text.substr(0, size));
  std::replace_if(
      shown.begin(), shown.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; },
      ' ');
  return size < text.size() ? shown + "..." : shown;
}

}  // namespace capella::io

#include "metric/meteor_explanation.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace capella::metric {
namespace {

std::string phrase(std::span<const std::string> words, std::size_t start, std::size_t length) {
  return fmt::format("{}", fmt::join(words.subspan(start, length), " "));
}

std::string count(double number, std::string_view one) {
  return fmt::format("{} {}{}", number, one, number == 1.0 ? "" : "s");
}

// Words of one sentence that no match covers.
std::vector<std::string> unmatched(const MeteorComparison& comparison, bool in_caption) {
  std::vector<std::string> words = in_caption ? comparison.caption : comparison.reference;
  for (const MeteorMatch& match : comparison.matches) {
    const std::size_t start = in_caption ? match.caption_start : match.reference_start;
    const std::size_t length = in_caption ? match.caption_length : match.reference_length;
    std::fill_n(words.begin() + static_cast<std::ptrdiff_t>(start), length, "");
  }
  std::erase(words, "");
  return words;
}

// Shares of nothing are no numbers.
std::string decimals(double number) {
  return std::isnan(number) ? "-" : fmt::format("{:.4f}", number);
}

Explanation::Table reference_table(std::span<const MeteorComparison> comparisons) {
  Explanation::Table table{
      "against each reference", {"reference", "METEOR", "precision", "recall", "F", "chunks", "penalty"}, {}};
  for (const MeteorComparison& comparison : comparisons) {
    const MeteorValue value = meteor_value(comparison.statistics);
    std::vector<std::string>& row = table.rows.emplace_back();
    row.push_back(fmt::format("{}", fmt::join(comparison.reference, " ")));
    for (const double part : {value.score, value.precision, value.recall, value.f_mean})
      row.push_back(decimals(part));
    row.push_back(fmt::to_string(comparison.statistics[kChunks]));
    row.push_back(decimals(value.penalty));
  }
  return table;
}

Explanation::Table match_table(const MeteorComparison& best) {
  Explanation::Table table{
      "what matched in the best reference", {"chunk", "caption", "reference", "how"}, {}};
  std::size_t chunk = 0;
  for (std::size_t i = 0; i < best.matches.size(); ++i) {
    const MeteorMatch& match = best.matches[i];
    if (i == 0 || !continues_chunk(best.matches[i - 1], match)) ++chunk;
    table.rows.push_back({fmt::to_string(chunk),
                          phrase(best.caption, match.caption_start, match.caption_length),
                          phrase(best.reference, match.reference_start, match.reference_length),
                          std::string(kMeteorModuleNames[static_cast<std::size_t>(match.module)])});
  }
  return table;
}

Explanation::Alignment alignment(const MeteorComparison& best) {
  const MeteorValue value = meteor_value(best.statistics);
  Explanation::Alignment picture;
  picture.title = fmt::format("METEOR {:.4f}", value.score);
  picture.upper_name = "caption";
  picture.lower_name = "reference";
  picture.upper = best.caption;
  picture.lower = best.reference;
  picture.kinds.assign(std::begin(kMeteorModuleNames), std::end(kMeteorModuleNames));
  for (const MeteorMatch& match : best.matches) {
    picture.links.push_back({match.caption_start, match.caption_length, match.reference_start,
                             match.reference_length, static_cast<std::size_t>(match.module)});
  }
  return picture;
}

std::vector<std::string> sentences(const MeteorComparison& best) {
  const MeteorValue value = meteor_value(best.statistics);
  std::vector<std::string> lines{
      fmt::format("best reference: {}", fmt::join(best.reference, " ")),
      fmt::format("{} of {} of the caption and {} of {} of the reference match, in {}",
                  best.statistics[kCaptionMatched], count(best.statistics[kCaptionWords], "word"),
                  best.statistics[kReferenceMatched], count(best.statistics[kReferenceWords], "word"),
                  count(best.statistics[kChunks], "chunk"))};
  if (best.matches.empty()) return lines;
  lines.push_back(fmt::format("F {:.4f} of precision {:.4f} and recall {:.4f}, times 1 - penalty {:.4f}",
                              value.f_mean, value.precision, value.recall, value.penalty));
  if (const auto extra = unmatched(best, true); !extra.empty())
    lines.push_back(fmt::format("only in the caption: {}", fmt::join(extra, " ")));
  if (const auto missed = unmatched(best, false); !missed.empty())
    lines.push_back(fmt::format("only in the reference: {}", fmt::join(missed, " ")));
  return lines;
}

}  // namespace

Explanation explain_meteor(std::span<const MeteorComparison> comparisons) {
  const MeteorComparison& best = *std::ranges::max_element(
      comparisons, {}, [](const MeteorComparison& c) { return meteor_value(c.statistics).score; });
  return {"meteor", sentences(best), {reference_table(comparisons), match_table(best)}, {alignment(best)}};
}

}  // namespace capella::metric

// Agreement with people as others have printed it, to stand beside what we measure: DENEB's Tables 1 and 2
// and a few further sources. The numbers are as printed, per cent.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace capella::report {

struct PublishedValue {
  /// What the number is, named as in our own results: "kendall_b", "kendall_c"; of pairs a category ("HC",
  /// "HI", "HM", "MM") or "mean"; of FOIL "1-ref", "4-ref"; "ms" of "speed".
  std::string_view what;
  double value;  ///< not a number where the source prints a dash
};

struct PublishedRow {
  std::string_view metric;   ///< our score's name if we have it: "BLEU-4", "CIDEr-D"; else as printed
  std::string_view printed;  ///< as the source calls it, e.g. "CIDEr", "PAC-S ViT-L/14"
  std::string_view source;   ///< e.g. "DENEB, Table 1"
  std::string_view note;     ///< what to know before comparing; mostly empty
  std::vector<PublishedValue> values;

  /// The number of this name, or nothing where the source has none or prints a dash.
  std::optional<double> value(std::string_view what) const;
};

/// All rows about a benchmark, named as the user types it ("flickr8k-expert", "foil", ...), or about "speed"
/// (milliseconds per caption); source by source, each in its own order. Empty for an unknown name.
std::span<const PublishedRow> published_rows(std::string_view benchmark);

/// Those of one of our scores.
std::vector<const PublishedRow*> published_rows(std::string_view benchmark, std::string_view metric);

}  // namespace capella::report

// The chains of texts. Parsing is what takes time, so a text that comes again in a run is not parsed again.
#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <string_view>
#include <vector>

#include <tsl/robin_map.h>

#include "metric/hwcm_chains.h"
#include "scene/fact_cache.h"
#include "syntax/caption_parser.h"

namespace capella::metric {

struct HwcmText {
  HwcmText(std::span<const syntax::Tree> trees, ChainJoin join)
      : lemmas(trees, ChainOf::lemmas, join), labels(trees, ChainOf::labels, join) {}

  Chains lemmas;
  Chains labels;
};

class HwcmTexts {
 public:
  using Text = std::shared_ptr<const HwcmText>;

  /// A run that goes on for days forgets from time to time. An entry takes about 700 bytes.
  static constexpr std::size_t kMostKept = 100'000;

  /// The parser must outlive this.
  HwcmTexts(const syntax::CaptionParser& parser, ChainJoin join, std::size_t most_kept = kMostKept)
      : parser_(parser), join_(join), most_kept_(most_kept) {}

  const syntax::CaptionParser& parser() const { return parser_; }

  /// Many threads may call it at once; the answer never depends on what was asked before.
  std::vector<Text> find(std::span<const std::string_view> texts) const;

 private:
  const syntax::CaptionParser& parser_;
  ChainJoin join_;
  std::size_t most_kept_;
  mutable std::mutex mutex_;
  mutable tsl::robin_map<scene::TextKey, Text, scene::TextKeyHash> memory_;
};

}  // namespace capella::metric

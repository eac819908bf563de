// What happens to caption text before words are counted.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/thread_pool.h"
#include "text/string_column.h"

namespace capella::text {

enum class Tokenizer : std::uint8_t {
  ptb,       ///< as pycocoevalcap: all captions of a file are one stream, so one may see into the next
  ptb_iso,   ///< the same rules, each caption alone
  bleu13a,   ///< sacreBLEU's default
  none,      ///< the text as it stands
  karpathy,  ///< the tokens of Karpathy's data sets
};

/// The tokenizer called "ptb", "ptb-iso", "13a", "none" or "karpathy"; throws UsageError for another name.
Tokenizer tokenizer_by_name(std::string_view name);
std::string_view tokenizer_name(Tokenizer tokenizer);

/// Tokenises captions; string i of the answer holds caption i's tokens joined by single spaces. Pass all
/// captions of one file at once: for `ptb` they are one text. The answer does not depend on the pool's
/// threads.
StringColumn tokenize(Tokenizer tokenizer, std::span<const std::string_view> captions, ThreadPool& pool);

}  // namespace capella::text

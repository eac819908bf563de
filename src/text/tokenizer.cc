#include "text/tokenizer.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "capella/error.h"

#include "base/names.h"
#include "text/ptb/pipeline.h"
#include "text/tokenizer_13a.h"
#include "text/tokenizer_karpathy.h"

namespace capella::text {
namespace {

// In the order of the enumeration.
constexpr std::array<std::string_view, 5> kNames = {"ptb", "ptb-iso", "13a", "none", "karpathy"};

// By a rule that looks at each caption alone and appends its tokens.
StringColumn tokenize_each(void (*rule)(std::string_view, std::string&),
                           std::span<const std::string_view> captions, ThreadPool& pool) {
  constexpr std::size_t kPiece = 1024;
  std::vector<StringColumn> pieces((captions.size() + kPiece - 1) / kPiece);
  pool.parallel_for(pieces.size(), [&](std::size_t index) {
    const std::size_t first = index * kPiece;
    for (const std::string_view caption :
         captions.subspan(first, std::min(kPiece, captions.size() - first))) {
      rule(caption, pieces[index].bytes());
      pieces[index].finish_string();
    }
  });
  StringColumn tokens;
  for (const StringColumn& piece : pieces) tokens.append(piece);
  return tokens;
}

StringColumn copy(std::span<const std::string_view> captions) {
  StringColumn tokens;
  for (const std::string_view caption : captions) tokens.push_back(caption);
  return tokens;
}

}  // namespace

Tokenizer tokenizer_by_name(std::string_view name) {
  const auto found = std::find(kNames.begin(), kNames.end(), name);
  if (found == kNames.end()) throw UsageError(unknown_name_message("tokenizer", name, kNames));
  return static_cast<Tokenizer>(found - kNames.begin());
}

std::string_view tokenizer_name(Tokenizer tokenizer) {
  return kNames[static_cast<std::size_t>(tokenizer)];
}

StringColumn tokenize(Tokenizer tokenizer, std::span<const std::string_view> captions, ThreadPool& pool) {
  switch (tokenizer) {
    case Tokenizer::ptb:
      return ptb::tokenize(captions, ptb::Scope::stream, ptb::Punctuation::drop, pool);
    case Tokenizer::ptb_iso:
      return ptb::tokenize(captions, ptb::Scope::caption, ptb::Punctuation::drop, pool);
    case Tokenizer::bleu13a:
      return tokenize_each(tokenize_13a, captions, pool);
    case Tokenizer::karpathy:
      return tokenize_each(tokenize_karpathy, captions, pool);
    default:
      return copy(captions);
  }
}

}  // namespace capella::text

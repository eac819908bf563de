// The tokenizers by name, for callers who want the tokens themselves.
#include "capella/pipeline.h"

#include "text/tokenizer.h"

namespace capella {

std::vector<std::string> tokenize(std::span<const std::string_view> captions, const std::string& tokenizer,
                                  std::size_t threads) {
  ThreadPool pool(threads);
  const text::StringColumn tokens = text::tokenize(text::tokenizer_by_name(tokenizer), captions, pool);
  std::vector<std::string> out;
  for (std::size_t i = 0; i < tokens.size(); ++i) out.emplace_back(tokens[i]);
  return out;
}

}  // namespace capella

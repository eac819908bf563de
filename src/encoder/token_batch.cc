#include "encoder/token_batch.h"

#include <fmt/format.h>

#include "capella/error.h"

namespace capella::encoder {

void check_tokens(const TokenBatch& batch, std::size_t vocabulary, std::size_t most) {
  std::size_t begin = 0;
  for (const std::size_t end : batch.ends) {
    if (end <= begin || end > batch.ids.size()) throw UsageError("a sequence of tokens is empty");
    if (end - begin > most)
      throw UsageError(fmt::format("a sequence has {} tokens, the model takes {}", end - begin, most));
    begin = end;
  }
  if (begin != batch.ids.size() || (!batch.second.empty() && batch.second.size() != batch.ids.size()))
    throw UsageError("a batch has tokens that are of no sequence");
  for (const std::int32_t id : batch.ids) {
    if (id < 0 || static_cast<std::size_t>(id) >= vocabulary)
      throw UsageError(fmt::format(
          "a token has the number {}, the model knows {}; does its tokenizer belong to it?", id, vocabulary));
  }
}

}  // namespace capella::encoder

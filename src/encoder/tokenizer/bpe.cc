#include "encoder/tokenizer/bpe.h"

#include <functional>
#include <limits>
#include <queue>

#include <fmt/format.h>

#include "capella/error.h"

#include "base/names.h"
#include "encoder/tokenizer/byte_alphabet.h"

namespace capella::encoder {
namespace {

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

TokenId need(const PieceList& pieces, std::string_view text) {
  if (const auto id = pieces.find(text)) return *id;
  throw DataError(fmt::format("the vocabulary has no piece '{}'", excerpt(text)));
}

}  // namespace

Bpe::Bpe(const PieceList& pieces, const std::vector<Merge>& merges, std::string_view word_end) {
  for (unsigned byte = 0; byte < 256; ++byte) {
    std::string written = in_byte_alphabet(std::string(1, static_cast<char>(byte)));
    inner_[byte] = need(pieces, written);
    last_[byte] = need(pieces, written.append(word_end));
  }
  std::uint32_t rank = 0;
  for (const Merge& merge : merges) {
    const TokenId whole = need(pieces, std::string(merge.left).append(merge.right));
    joined_.emplace(key(need(pieces, merge.left), need(pieces, merge.right)), Joined{rank++, whole});
  }
}

const Bpe::Joined* Bpe::joined(TokenId left, TokenId right) const {
  const auto found = joined_.find(key(left, right));
  return found == joined_.end() ? nullptr : &found->second;
}

void Bpe::append(std::string_view word, std::vector<TokenId>& out) const {
  if (word.empty() || cache_.append(word, out)) return;
  std::vector<TokenId> tokens = cut(word);
  out.insert(out.end(), tokens.begin(), tokens.end());
  cache_.keep(word, std::move(tokens));
}

// The symbols of a word, each with its neighbours, and the pairs that may be joined.
class Bpe::Chain {
 public:
  Chain(const Bpe& bpe, std::string_view word) : bpe_(bpe) {
    const auto size = static_cast<std::uint32_t>(word.size());
    for (std::uint32_t i = 0; i < size; ++i) {
      const auto byte = static_cast<unsigned char>(word[i]);
      const bool at_end = i + 1 == size;
      symbols_.push_back(
          {at_end ? bpe.last_[byte] : bpe.inner_[byte], i == 0 ? kNone : i - 1, at_end ? kNone : i + 1});
    }
    for (std::uint32_t i = 0; i < size; ++i) offer(i);
  }

  void join_all() {
    while (!pairs_.empty()) {
      const Pair pair = pairs_.top();
      pairs_.pop();
      if (is_there(pair)) join(pair);
    }
  }

  std::vector<TokenId> tokens() const {
    std::vector<TokenId> tokens;
    for (std::uint32_t i = 0; i != kNone; i = symbols_[i].behind) tokens.push_back(symbols_[i].id);
    return tokens;
  }

 private:
  struct Symbol {
    TokenId id;  // kGone once it is part of the one before it
    std::uint32_t before;
    std::uint32_t behind;
  };
  struct Pair {
    Joined whole;
    std::uint32_t at;
    TokenId left;
    TokenId right;
    bool operator>(const Pair& other) const {
      return whole.rank != other.whole.rank ? whole.rank > other.whole.rank : at > other.at;
    }
  };
  static constexpr TokenId kGone = -1;

  // The pair of the symbol and the one behind it.
  void offer(std::uint32_t at) {
    if (at == kNone || symbols_[at].behind == kNone) return;
    const TokenId left = symbols_[at].id;
    const TokenId right = symbols_[symbols_[at].behind].id;
    if (const Joined* whole = bpe_.joined(left, right)) pairs_.push({*whole, at, left, right});
  }

  // Whether the pair is still what it was when it was offered.
  bool is_there(const Pair& pair) const {
    const Symbol& first = symbols_[pair.at];
    return first.id == pair.left && first.behind != kNone && symbols_[first.behind].id == pair.right;
  }

  void join(const Pair& pair) {
    Symbol& first = symbols_[pair.at];
    Symbol& second = symbols_[first.behind];
    first.id = pair.whole.id;
    first.behind = second.behind;
    second.id = kGone;
    if (first.behind != kNone) symbols_[first.behind].before = pair.at;
    offer(first.before);
    offer(pair.at);
  }

  const Bpe& bpe_;
  std::vector<Symbol> symbols_;
  std::priority_queue<Pair, std::vector<Pair>, std::greater<>> pairs_;
};

std::vector<TokenId> Bpe::cut(std::string_view word) const {
  Chain chain(*this, word);
  chain.join_all();
  return chain.tokens();
}

}  // namespace capella::encoder

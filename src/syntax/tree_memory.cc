#include "syntax/tree_memory.h"

#include <cassert>
#include <cstdint>
#include <cstring>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace capella::syntax {
namespace {

void put_number(std::string& out, std::int32_t number) {
  out.append(reinterpret_cast<const char*>(&number), sizeof number);
}

std::int32_t take_number(std::string_view& bytes) {
  std::int32_t number;
  std::memcpy(&number, bytes.data(), sizeof number);
  bytes.remove_prefix(sizeof number);
  return number;
}

// All but the words, which the sentence has: of each token the head, then the texts with their lengths.
std::string encode(const Tree& tree) {
  std::string out;
  for (const Token& token : tree.tokens) {
    put_number(out, token.head);
    for (const std::string* text : {&token.lemma, &token.tag, &token.relation}) {
      put_number(out, static_cast<std::int32_t>(text->size()));
      out += *text;
    }
  }
  out.shrink_to_fit();
  return out;
}

Tree decode(std::string_view bytes, const Sentence& sentence) {
  Tree tree;
  tree.tokens.reserve(sentence.words.size());
  for (const std::string& word : sentence.words) {
    Token& token = tree.tokens.emplace_back();
    token.word = word;
    token.head = take_number(bytes);
    for (std::string* text : {&token.lemma, &token.tag, &token.relation}) {
      const auto size = static_cast<std::size_t>(take_number(bytes));
      *text = bytes.substr(0, size);
      bytes.remove_prefix(size);
    }
  }
  return tree;
}

}  // namespace

std::string joined_words(const Sentence& sentence) {
  return fmt::format("{}", fmt::join(sentence.words, "\n"));
}

std::vector<std::optional<Tree>> TreeMemory::find(std::span<const Sentence> sentences) const {
  std::vector<std::optional<Tree>> found;
  found.reserve(sentences.size());
  const std::lock_guard lock(mutex_);
  for (const Sentence& sentence : sentences) {
    const auto place = memory_.find(joined_words(sentence));
    found.push_back(place == memory_.end() ? std::nullopt : std::optional(decode(place->second, sentence)));
  }
  return found;
}

void TreeMemory::keep(std::span<const Sentence> sentences, std::span<const Tree> trees) {
  assert(sentences.size() == trees.size());
  const std::lock_guard lock(mutex_);
  if (memory_.size() + sentences.size() > most_kept_) memory_.clear();
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    assert(sentences[i].words.size() == trees[i].tokens.size());
    memory_.insert_or_assign(joined_words(sentences[i]), encode(trees[i]));
  }
}

std::size_t TreeMemory::kept() const {
  const std::lock_guard lock(mutex_);
  return memory_.size();
}

}  // namespace capella::syntax

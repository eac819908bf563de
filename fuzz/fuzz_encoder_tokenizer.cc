// Tokenizers of encoders: any bytes as a file give a tokenizer or an error, and any text gives tokens of the
// vocabulary between the two special ones; never a crash.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include <fuzzer/FuzzedDataProvider.h>
#include <nlohmann/json.hpp>

#include "capella/error.h"

#include "encoder/tokenizer/tokenizer_files.h"
#include "fuzz/damaged_sample.h"
#include "support/small_vocabularies.h"

namespace {

using capella::encoder::ClipCleaning;
using capella::encoder::Tokenizer;
using capella::encoder::Tokens;
using capella::fuzz::damaged;
using capella::test::MergePairs;
using capella::test::word_lines;

void check(const Tokenizer& tokenizer, std::string_view text) {
  const Tokens all = tokenizer.tokens(text, text.size() * 20 + 100);
  const Tokens some = tokenizer.tokens(text, 5);
  const bool whole = all.left_out == 0 && all.ids.size() >= 2 && all.ids.front() == tokenizer.first_token() &&
                     all.ids.back() == tokenizer.last_token();
  const bool cut = some.ids.size() <= 5 && some.ids.size() + some.left_out == all.ids.size();
  if (!whole || !cut) std::abort();
  for (const std::int32_t id : all.ids) {
    if (tokenizer.piece(id).empty()) std::abort();
  }
}

template <class Read>
void try_file(Read read, std::string_view text) {
  try {
    check(*read(), text);
  } catch (const capella::DataError&) {
  }
}

const MergePairs kMerges = {{"a", "a"}, {"aa", "a"}, {"b", "a"}};

const std::string& bytes_of(bool clip) {
  static const std::string kClip =
      capella::test::byte_vocabulary(kMerges, "</w>", {"<|startoftext|>", "<|endoftext|>"}).dump();
  static const std::string kRoberta =
      capella::test::byte_vocabulary(kMerges, "", {"<s>", "</s>", "<mask>"}).dump();
  return clip ? kClip : kRoberta;
}

// A good tokenizer.json of one of the kinds.
const std::string& whole_tokenizer(FuzzedDataProvider& input) {
  using Json = nlohmann::json;
  static const Json kByteLevel = {{"type", "ByteLevel"}};
  static const std::string kBert =
      Json{{"added_tokens", {{{"id", 3}, {"content", "[X]"}, {"lstrip", true}, {"rstrip", true}}}},
           {"normalizer", {{"type", "BertNormalizer"}, {"lowercase", false}}},
           {"pre_tokenizer", {{"type", "BertPreTokenizer"}}},
           {"model",
            {{"type", "WordPiece"},
             {"unk_token", "[UNK]"},
             {"vocab", {{"[CLS]", 0}, {"[SEP]", 1}, {"[UNK]", 2}, {"a", 4}, {"##a", 5}}}}}}
          .dump();
  static const std::string kClip =
      Json{{"pre_tokenizer", {{"type", "Sequence"}, {"pretokenizers", {kByteLevel}}}},
           {"model",
            {{"type", "BPE"},
             {"end_of_word_suffix", "</w>"},
             {"merges", {"a a", {"b", "a"}}},
             {"vocab", Json::parse(bytes_of(true))}}}}
          .dump();
  static const std::string kRoberta =
      Json{{"pre_tokenizer", kByteLevel},
           {"model",
            {{"type", "BPE"}, {"merges", {"a a", {"b", "a"}}}, {"vocab", Json::parse(bytes_of(false))}}}}
          .dump();
  const std::string* const kinds[] = {&kBert, &kClip, &kRoberta};
  return *input.PickValueInArray(kinds);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace capella::encoder;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  static const std::string kMergeLines = capella::test::merge_lines(kMerges);
  static const auto kOpenAi = read_vocabulary_and_merges(bytes_of(true), kMergeLines, {});
  static const auto kHuggingFace =
      read_vocabulary_and_merges(bytes_of(true), kMergeLines, {.clip_cleaning = ClipCleaning::hugging_face});
  static const auto kRoberta =
      read_vocabulary_and_merges(bytes_of(false), kMergeLines, {.prefix_space = true});
  static const auto kBert = read_wordpiece_vocabulary(word_lines({"a", "##a", "ab", "é"}), "");
  for (const Tokenizer* tokenizer : {kOpenAi.get(), kHuggingFace.get(), kRoberta.get(), kBert.get()})
    check(*tokenizer, bytes);
  looks_garbled(bytes);
  FuzzedDataProvider input(data, size);
  switch (size % 7) {
    case 0:
      try_file([&] { return read_tokenizer_json(bytes, {}); }, bytes);
      break;
    case 1:
      try_file([&] { return read_wordpiece_vocabulary(bytes, ""); }, bytes);
      break;
    case 2:
      try_file([&] { return read_wordpiece_vocabulary(word_lines({"a"}), bytes); }, bytes);
      break;
    case 3:
      try_file([&] { return read_vocabulary_and_merges(bytes_of(false), bytes, {}); }, bytes);
      break;
    case 4:
      try_file([&] { return read_clip_merges(bytes, {}); }, bytes);
      break;
    case 5:
      try_file(
          [&, vocabulary = damaged(bytes_of(input.ConsumeBool()), input)] {
            return read_vocabulary_and_merges(vocabulary, kMergeLines, {});
          },
          bytes);
      break;
    default:
      try_file(
          [&, content = damaged(whole_tokenizer(input), input)] { return read_tokenizer_json(content, {}); },
          bytes);
  }
  return 0;
}

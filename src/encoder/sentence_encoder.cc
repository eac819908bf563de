#include "encoder/sentence_encoder.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <numeric>

#include <fmt/format.h>

#include "capella/error.h"

#include "base/ascii.h"
#include "base/utf8.h"
#include "encoder/bert.h"
#include "encoder/list_memory.h"
#include "encoder/sentence_folder.h"
#include "encoder/state_reader.h"
#include "encoder/tokenizer/unicode.h"
#include "tensor/kernels.h"

namespace capella::encoder {
namespace {

constexpr std::size_t kTextsAtOnce = 256;    // of a piece of tokenizing
constexpr std::size_t kTokensAtOnce = 1024;  // of a batch; at least one text
constexpr std::size_t kRecentLists = 8;      // those of 256 captions take some megabytes

std::string_view stripped(std::string_view text) {
  text = python_rstrip(text);
  while (!text.empty()) {
    std::size_t position = 0;
    if (!is_python_space(decode_utf8(text, position))) break;
    text.remove_prefix(position);
  }
  return text;
}

// The folder's name, with "_" for what would not fit into a signature.
std::string folder_name(const std::string& path) {
  const std::filesystem::path given(path);
  std::string own = (given.has_filename() ? given : given.parent_path()).filename().string();
  const auto fits = [](char c) {
    const char lower = lower_ascii(c);
    return (lower >= 'a' && lower <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '-';
  };
  std::ranges::replace_if(own, std::not_fn(fits), '_');
  return own;
}

// Sequences that are encoded together: the longest first, so that those that take long do not come last.
struct Batches {
  std::vector<std::size_t> order;
  std::vector<std::size_t> ends;

  std::span<const std::size_t> operator[](std::size_t piece) const {
    const std::size_t begin = piece == 0 ? 0 : ends[piece - 1];
    return std::span(order).subspan(begin, ends[piece] - begin);
  }
};

Batches make_batches(const TokenBatch& sequences) {
  Batches batches;
  batches.order.resize(sequences.size());
  std::iota(batches.order.begin(), batches.order.end(), std::size_t{0});
  std::ranges::stable_sort(batches.order, std::greater(), [&](std::size_t k) { return sequences.length(k); });
  for (std::size_t begin = 0; begin < batches.order.size(); begin = batches.ends.back()) {
    const std::size_t longest = sequences.length(batches.order[begin]);
    const std::size_t count = std::max<std::size_t>(kTokensAtOnce / longest, 1);
    batches.ends.push_back(std::min(begin + count, batches.order.size()));
  }
  return batches;
}

TokenBatch take(const TokenBatch& sequences, std::span<const std::size_t> chosen) {
  TokenBatch batch;
  for (const std::size_t k : chosen)
    batch.add(std::span(sequences.ids).subspan(sequences.begin(k), sequences.length(k)));
  return batch;
}

}  // namespace

std::string_view name(Pooling pooling) {
  constexpr std::string_view kNames[] = {"told", "mean", "first", "pooler"};
  return kNames[static_cast<std::size_t>(pooling)];
}

struct SentenceEncoder::Parts {
  explicit Parts(const ModelFolder& folder)
      : fingerprint(folder.fingerprint()),
        description(fmt::format("{}({})", folder_name(folder.path()), fingerprint.substr(0, 8))),
        bert(folder),
        plain(open_tokenizer(folder)),
        roberta(plain->piece(plain->first_token()) == "<s>"),
        tokenizer(roberta ? open_tokenizer(folder, {.prefix_space = true}) : plain),
        options(read_sentence_options(folder)) {
    if (tokenizer->size() > bert.vocabulary())
      throw FileError(
          fmt::format("{}: the tokenizer has {} pieces, the model's table {}; fetch both again from "
                      "one place",
                      folder.path(), tokenizer->size(), bert.vocabulary()));
    most_in_sentence =
        options.most_tokens == 0 ? bert.most_tokens() : std::min(options.most_tokens, bert.most_tokens());
  }

  TokenizedTexts tokenize(std::span<const std::string_view> texts, const Tokenizer& with, std::size_t most,
                          bool lowers, const EncodeWork& work) const;
  void pool(const TokenBatch& batch, Pooling pooling, float* out) const;
  void average(const TokenBatch& batch, float* out) const;

  std::string fingerprint;
  std::string description;
  Bert bert;
  std::shared_ptr<const Tokenizer> plain;  // of sentences
  bool roberta;
  std::shared_ptr<const Tokenizer> tokenizer;  // of tokens
  SentenceOptions options;
  std::size_t most_in_sentence;
  mutable ListMemory<EncodedTexts> memory{kRecentLists};
};

SentenceEncoder::SentenceEncoder(const std::string& folder)
    : parts_(std::make_unique<const Parts>(ModelFolder(folder))) {}
SentenceEncoder::~SentenceEncoder() = default;
SentenceEncoder::SentenceEncoder(SentenceEncoder&&) noexcept = default;

const std::string& SentenceEncoder::description() const {
  return parts_->description;
}
const std::string& SentenceEncoder::fingerprint() const {
  return parts_->fingerprint;
}
std::size_t SentenceEncoder::width() const {
  return parts_->bert.width();
}
std::size_t SentenceEncoder::layers() const {
  return parts_->bert.layers();
}
bool SentenceEncoder::is_roberta() const {
  return parts_->roberta;
}
std::size_t SentenceEncoder::most_in_sentence() const {
  return parts_->most_in_sentence;
}
std::size_t SentenceEncoder::most_tokens() const {
  return parts_->bert.most_tokens();
}
Pooling SentenceEncoder::told_pooling() const {
  return parts_->options.pooling;
}
const Tokenizer& SentenceEncoder::tokenizer() const {
  return *parts_->tokenizer;
}

TokenizedTexts SentenceEncoder::Parts::tokenize(std::span<const std::string_view> texts,
                                                const Tokenizer& with, std::size_t most, bool lowers,
                                                const EncodeWork& work) const {
  Distinct unique = distinct(texts);
  std::vector<Tokens> tokens(unique.texts.size());
  for_each_piece({work.pool, {}}, "", pieces_of(tokens.size(), kTextsAtOnce), [&](std::size_t piece) {
    const std::size_t end = std::min((piece + 1) * kTextsAtOnce, tokens.size());
    for (std::size_t i = piece * kTextsAtOnce; i < end; ++i) {
      const std::string_view text = stripped(unique.texts[i]);
      tokens[i] = lowers ? with.tokens(lower_python(text), most) : with.tokens(text, most);
    }
  });
  TokenizedTexts made;
  for (const Tokens& one : tokens) made.tokens.add(one.ids);
  made.of = std::move(unique.of);
  for (std::size_t i = 0; i < made.of.size(); ++i) {
    if (tokens[made.of[i]].left_out > 0) made.cut.push_back(i);
  }
  return made;
}

void SentenceEncoder::Parts::average(const TokenBatch& batch, float* out) const {
  const std::size_t width = bert.width();
  bert.run(tensor::kernels(), batch, bert.layers(),
           [&](std::size_t layer, const float* rows, std::size_t stride) {
             if (layer != bert.layers()) return;
             std::vector<double> sum(width);
             for (std::size_t k = 0; k < batch.size(); ++k) {
               std::ranges::fill(sum, 0.0);
               for (std::size_t t = batch.begin(k); t < batch.end(k); ++t) {
                 for (std::size_t i = 0; i < width; ++i) sum[i] += static_cast<double>(rows[t * stride + i]);
               }
               const auto tokens = static_cast<double>(batch.length(k));
               for (std::size_t i = 0; i < width; ++i)
                 out[k * width + i] = static_cast<float>(sum[i] / tokens);
             }
           });
}

void SentenceEncoder::Parts::pool(const TokenBatch& batch, Pooling pooling, float* out) const {
  if (pooling == Pooling::mean)
    average(batch, out);
  else if (pooling == Pooling::first)
    bert.first_tokens(tensor::kernels(), batch, out);
  else
    bert.pool(tensor::kernels(), batch, out);
}

Features SentenceEncoder::sentences(std::span<const std::string_view> texts, Pooling pooling,
                                    const EncodeWork& work) const {
  const Parts& parts = *parts_;
  const Pooling chosen = pooling == Pooling::as_told ? told_pooling() : pooling;
  const TokenizedTexts read =
      parts.tokenize(texts, *parts.plain, parts.most_in_sentence, parts.options.lowers, work);
  const Batches batches = make_batches(read.tokens);
  std::vector<float> vectors(read.tokens.size() * width());
  for_each_piece(work, "encoding texts", batches.ends.size(), [&](std::size_t piece) {
    const auto members = batches[piece];
    std::vector<float> made(members.size() * width());
    parts.pool(take(read.tokens, members), chosen, made.data());
    for (std::size_t i = 0; i < members.size(); ++i) {
      float* place = vectors.data() + members[i] * width();
      std::copy_n(made.data() + i * width(), width(), place);
      if (parts.options.normalizes) bring_to_length_1(place, width());
    }
  });
  Features features{width(), {}, read.cut};
  features.values.reserve(read.size() * width());
  for (const std::size_t k : read.of) {
    const float* vector = vectors.data() + k * width();
    features.values.insert(features.values.end(), vector, vector + width());
  }
  return features;
}

TokenizedTexts SentenceEncoder::tokenize(std::span<const std::string_view> texts,
                                         const EncodeWork& work) const {
  return parts_->tokenize(texts, *parts_->tokenizer, most_tokens(), false, work);
}

std::size_t SentenceEncoder::width(const StateReading& reading) const {
  return width() * (reading.spread == 0 ? 1 : 3);
}

std::shared_ptr<const EncodedTexts> SentenceEncoder::encode(std::span<const std::string_view> texts,
                                                            const StateReading& reading,
                                                            const EncodeWork& work) const {
  if (reading.layer > layers() || reading.spread > reading.layer + 1)
    throw UsageError(
        fmt::format("{}: layer {} was asked for, the model has {}", description(), reading.layer, layers()));
  const ListKey key =
      list_key("tokens", fmt::format("{}|{}|{}", reading.layer, reading.spread, reading.unit), texts);
  if (auto known = parts_->memory.find(key)) return known;
  return parts_->memory.add(key, encode_anew(texts, reading, work));
}

EncodedTexts SentenceEncoder::encode_anew(std::span<const std::string_view> texts,
                                          const StateReading& reading, const EncodeWork& work) const {
  EncodedTexts encoded{tokenize(texts, work), width(reading), {}};
  const TokenBatch& sequences = encoded.texts.tokens;
  encoded.values.resize(sequences.ids.size() * encoded.width);
  const Batches batches = make_batches(sequences);
  for_each_piece(work, "encoding texts", batches.ends.size(), [&](std::size_t piece) {
    const auto members = batches[piece];
    const TokenBatch batch = take(sequences, members);
    StateReader reader(reading, batch.ids.size(), width());
    parts_->bert.run(
        tensor::kernels(), batch, reading.layer,
        [&](std::size_t layer, const float* rows, std::size_t stride) { reader.add(layer, rows, stride); });
    for (std::size_t k = 0; k < members.size(); ++k) {
      float* place = encoded.values.data() + sequences.begin(members[k]) * encoded.width;
      for (std::size_t t = batch.begin(k); t < batch.end(k); ++t, place += encoded.width)
        reader.read(t, place);
    }
  });
  return encoded;
}

}  // namespace capella::encoder

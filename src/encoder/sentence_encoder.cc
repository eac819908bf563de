#include "encoder/sentence_encoder.h"

#include <algorithm>
#include <mutex>
#include <numeric>

#include <fmt/format.h>

#include "capella/error.h"

#include "encoder/bert.h"
#include "encoder/device_model.h"
#include "encoder/length_batches.h"
#include "encoder/list_memory.h"
#include "encoder/sentence_folder.h"
#include "encoder/state_reader.h"
#include "encoder/tokenizer/unicode.h"
#include "tensor/kernels.h"

namespace capella::encoder {
namespace {

constexpr std::size_t kTextsAtOnce = 256;  // of a piece of tokenizing
constexpr std::size_t kRecentLists = 8;    // those of 256 captions take some megabytes

}  // namespace

std::string_view name(Pooling pooling) {
  constexpr std::string_view kNames[] = {"told", "mean", "first", "pooler"};
  return kNames[static_cast<std::size_t>(pooling)];
}

struct SentenceEncoder::Parts {
  Parts(const ModelFolder& folder, const EncoderEngine& engine)
      : fingerprint(folder.fingerprint()),
        description(folder.description()),
        bert(folder),
        plain(open_tokenizer(folder)),
        roberta(plain->piece(plain->first_token()) == "<s>"),
        tokenizer(roberta ? open_tokenizer(folder, {.prefix_space = true}) : plain),
        options(read_sentence_options(folder)),
        tokens_at_once(engine.tokens_at_once()) {
    if (tokenizer->size() > bert.vocabulary())
      throw FileError(
          fmt::format("{}: the tokenizer has {} pieces, the model's table {}; fetch both again from "
                      "one place",
                      folder.path(), tokenizer->size(), bert.vocabulary()));
    most_in_sentence =
        options.most_tokens == 0 ? bert.most_tokens() : std::min(options.most_tokens, bert.most_tokens());
    if (engine.device != nullptr) device = engine.device->bert(read_bert_model(folder), engine.settings);
  }

  TokenizedTexts tokenize(std::span<const std::string_view> texts, const Tokenizer& with, std::size_t most,
                          bool lowers, const EncodeWork& work) const;
  void run(const TokenBatch& batch, std::size_t first, std::size_t last, const Bert::AfterLayer& after) const;
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
  std::size_t tokens_at_once;
  std::unique_ptr<const DeviceBert> device;  // null: the program's own engine
  mutable std::mutex device_mutex;
  mutable ListMemory<EncodedTexts> memory{kRecentLists};
};

SentenceEncoder::SentenceEncoder(const std::string& folder, const EncoderEngine& engine)
    : parts_(std::make_unique<const Parts>(ModelFolder(folder), engine)) {}
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
      const std::string_view text = python_strip(unique.texts[i]);
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

// The hidden states after `first` to `last` layers, one after the other.
void SentenceEncoder::Parts::run(const TokenBatch& batch, std::size_t first, std::size_t last,
                                 const Bert::AfterLayer& after) const {
  if (device == nullptr) {
    bert.run(tensor::kernels(), batch, last, [&](std::size_t layer, const float* rows, std::size_t stride) {
      if (layer >= first) after(layer, rows, stride);
    });
    return;
  }
  std::vector<std::size_t> layers(last - first + 1);
  std::iota(layers.begin(), layers.end(), first);
  const std::size_t size = batch.ids.size() * bert.width();
  std::vector<float> states(layers.size() * size);
  {
    const std::lock_guard lock(device_mutex);
    device->hidden(batch, layers, states.data());
  }
  for (std::size_t i = 0; i < layers.size(); ++i) after(layers[i], states.data() + i * size, bert.width());
}

void SentenceEncoder::Parts::average(const TokenBatch& batch, float* out) const {
  const std::size_t width = bert.width();
  run(batch, bert.layers(), bert.layers(), [&](std::size_t, const float* rows, std::size_t stride) {
    std::vector<double> sum(width);
    for (std::size_t k = 0; k < batch.size(); ++k) {
      std::ranges::fill(sum, 0.0);
      for (std::size_t t = batch.begin(k); t < batch.end(k); ++t) {
        for (std::size_t i = 0; i < width; ++i) sum[i] += static_cast<double>(rows[t * stride + i]);
      }
      const auto tokens = static_cast<double>(batch.length(k));
      for (std::size_t i = 0; i < width; ++i) out[k * width + i] = static_cast<float>(sum[i] / tokens);
    }
  });
}

void SentenceEncoder::Parts::pool(const TokenBatch& batch, Pooling pooling, float* out) const {
  if (pooling == Pooling::mean) return average(batch, out);
  if (device == nullptr || (pooling == Pooling::pooler && !bert.has_pooler())) {
    pooling == Pooling::first ? bert.first_tokens(tensor::kernels(), batch, out)
                              : bert.pool(tensor::kernels(), batch, out);
    return;
  }
  const std::lock_guard lock(device_mutex);
  pooling == Pooling::first ? device->first_tokens(batch, out) : device->pool(batch, out);
}

Features SentenceEncoder::sentences(std::span<const std::string_view> texts, Pooling pooling,
                                    const EncodeWork& work) const {
  const Parts& parts = *parts_;
  const Pooling chosen = pooling == Pooling::as_told ? told_pooling() : pooling;
  const TokenizedTexts read =
      parts.tokenize(texts, *parts.plain, parts.most_in_sentence, parts.options.lowers, work);
  const LengthBatches batches = batches_by_length(read.tokens, parts.tokens_at_once);
  std::vector<float> vectors(read.tokens.size() * width());
  for_each_piece(work, "encoding texts", batches.size(), [&](std::size_t piece) {
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
  const LengthBatches batches = batches_by_length(sequences, parts_->tokens_at_once);
  for_each_piece(work, "encoding texts", batches.size(), [&](std::size_t piece) {
    const auto members = batches[piece];
    const TokenBatch batch = take(sequences, members);
    StateReader reader(reading, batch.ids.size(), width());
    parts_->run(
        batch, reader.first_layer(), reading.layer,
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

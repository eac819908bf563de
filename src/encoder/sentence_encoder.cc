#include "encoder/sentence_encoder.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <numeric>

#include <fmt/format.h>

#include "capella/error.h"

#include "encoder/bert.h"
#include "encoder/device_model.h"
#include "encoder/length_batches.h"
#include "encoder/list_memory.h"
#include "encoder/model_checks.h"
#include "encoder/sentence_folder.h"
#include "encoder/state_reader.h"
#include "encoder/tokenizer/unicode.h"
#include "tensor/aligned.h"
#include "tensor/kernels.h"

namespace capella::encoder {
namespace {

constexpr std::size_t kSentencesAtOnce = 256;  // of a piece of tokenizing
constexpr std::size_t kRecentLists = 8;        // those of 256 captions take some megabytes
constexpr std::uint64_t kCut = 1;              // the mark of a text with more tokens than are seen

std::string kind_of(const StateReading& reading) {
  return fmt::format("tokens|{}|{}|{}", reading.layer, reading.spread, reading.unit);
}

}  // namespace

std::string_view name(Pooling pooling) {
  constexpr std::string_view kNames[] = {"told", "mean", "first", "pooler"};
  return kNames[static_cast<std::size_t>(pooling)];
}

struct SentenceEncoder::Parts {
  Parts(const ModelFolder& folder, const EncoderEngine& engine, const EmbeddingFolder& kept)
      : fingerprint(folder.fingerprint()),
        description(folder.description()),
        names(model_names(folder)),
        precision(engine.precision),
        bert(folder, precision),
        plain(open_tokenizer(folder)),
        roberta(plain->piece(plain->first_token()) == "<s>"),
        tokenizer(roberta ? open_tokenizer(folder, {.prefix_space = true}) : plain),
        options(read_sentence_options(folder)),
        tokens_at_once(engine.tokens_at_once()),
        engine_mark(engine.mark()),
        kept_at(kept) {
    expect_vocabulary(folder, *tokenizer, bert.vocabulary());
    most_in_sentence =
        options.most_tokens == 0 ? bert.most_tokens() : std::min(options.most_tokens, bert.most_tokens());
    if (engine.device != nullptr && precision != Precision::kFloat)
      throw UsageError(fmt::format("{}: weights of 8 bits are for the CPU, not for {}", description,
                                   engine.settings.device));
    if (engine.device != nullptr) device = engine.device->bert(read_bert_model(folder), engine.settings);
  }

  TokenizedTexts tokenize(std::span<const std::string_view> texts, const Tokenizer& with, std::size_t most,
                          bool lowers, const EncodeWork& work) const;
  TokenizedTexts sentence_tokens(std::span<const std::string_view> texts, const EncodeWork& work) const {
    return tokenize(texts, *plain, most_in_sentence, options.lowers, work);
  }
  void run(const TokenBatch& batch, std::size_t first, std::size_t last, const Bert::AfterLayer& after) const;
  void pool(const TokenBatch& batch, Pooling pooling, float* out) const;
  void average(const TokenBatch& batch, float* out) const;
  EmbeddingKeeper& keeper(const std::string& kind, std::size_t numbers) const;
  void encode_sentences(std::span<const std::string_view> texts, Pooling pooling, EmbeddingKeeper& keeper,
                        std::vector<Embedding>& found, const EncodeWork& work) const;
  void encode_tokens(const TokenBatch& sequences, const StateReading& reading, EmbeddingKeeper& keeper,
                     std::vector<Embedding>& found, const EncodeWork& work) const;

  std::string fingerprint;
  std::string description;
  std::vector<std::string> names;
  Precision precision;
  Bert bert;
  std::shared_ptr<const Tokenizer> plain;  // of sentences
  bool roberta;
  std::shared_ptr<const Tokenizer> tokenizer;  // of tokens
  SentenceOptions options;
  std::size_t most_in_sentence;
  std::size_t tokens_at_once;
  std::unique_ptr<const DeviceBert> device;  // null: the program's own engine
  mutable std::mutex device_mutex;
  std::string engine_mark;
  EmbeddingFolder kept_at;
  mutable std::mutex keepers_mutex;
  mutable bool writes_no_more = false;
  mutable std::map<std::string, EmbeddingKeeper> keepers;  // by kind of vector
  mutable ListMemory<TokenizedTexts> tokenized{kRecentLists};
  mutable ListMemory<EncodedTexts> encoded{kRecentLists};
};

SentenceEncoder::SentenceEncoder(const std::string& folder, const EncoderEngine& engine,
                                 const EmbeddingFolder& kept)
    : SentenceEncoder(ModelFolder(folder), engine, kept) {}
SentenceEncoder::SentenceEncoder(const ModelFolder& folder, const EncoderEngine& engine,
                                 const EmbeddingFolder& kept)
    : parts_(std::make_unique<const Parts>(folder, engine, kept)) {}
SentenceEncoder::~SentenceEncoder() = default;
SentenceEncoder::SentenceEncoder(SentenceEncoder&&) noexcept = default;

const std::string& SentenceEncoder::description() const {
  return parts_->description;
}
const std::string& SentenceEncoder::fingerprint() const {
  return parts_->fingerprint;
}
const std::vector<std::string>& SentenceEncoder::names() const {
  return parts_->names;
}
std::size_t SentenceEncoder::width() const {
  return parts_->bert.width();
}
std::size_t SentenceEncoder::layers() const {
  return parts_->bert.layers();
}
Precision SentenceEncoder::precision() const {
  return parts_->precision;
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
  for_each_piece({work.pool, {}}, "", pieces_of(tokens.size(), kSentencesAtOnce), [&](std::size_t piece) {
    const std::size_t end = std::min((piece + 1) * kSentencesAtOnce, tokens.size());
    for (std::size_t i = piece * kSentencesAtOnce; i < end; ++i) {
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

EmbeddingKeeper& SentenceEncoder::Parts::keeper(const std::string& kind, std::size_t numbers) const {
  const std::lock_guard lock(keepers_mutex);
  const auto [found, is_new] =
      keepers.try_emplace(kind, kept_at, fingerprint + engine_mark + "|" + kind, numbers);
  if (is_new && writes_no_more) found->second.write_no_more();
  return found->second;
}

std::vector<std::string> SentenceEncoder::cache_problems() const {
  const std::lock_guard lock(parts_->keepers_mutex);
  std::vector<std::string> all;
  for (const auto& entry : parts_->keepers) {
    if (std::string problem = entry.second.problem(); !problem.empty()) all.push_back(std::move(problem));
  }
  return all;
}

void SentenceEncoder::keep_no_more() const {
  const std::lock_guard lock(parts_->keepers_mutex);
  parts_->writes_no_more = true;
  for (auto& entry : parts_->keepers) entry.second.write_no_more();
}

// Those of `texts` that were not found.
void SentenceEncoder::Parts::encode_sentences(std::span<const std::string_view> texts, Pooling pooling,
                                              EmbeddingKeeper& keeper, std::vector<Embedding>& found,
                                              const EncodeWork& work) const {
  const std::vector<std::size_t> missing = not_found(found);
  std::vector<std::string_view> chosen;
  for (const std::size_t i : missing) chosen.push_back(texts[i]);
  const TokenizedTexts read = sentence_tokens(chosen, work);
  const LengthBatches batches = batches_by_length(read.tokens, tokens_at_once);
  const std::size_t width = bert.width();
  for_each_piece(work, "encoding texts", batches.size(), [&](std::size_t piece) {
    const auto members = batches[piece];
    const auto made = std::make_shared<std::vector<float>>(members.size() * width);
    pool(take(read.tokens, members), pooling, made->data());
    std::vector<Embedding> fresh;
    for (std::size_t i = 0; i < members.size(); ++i) {
      float* vector = made->data() + i * width;
      if (options.normalizes) bring_to_length_1(vector, width);
      Embedding& place = found[missing[members[i]]];
      place.mark = std::ranges::binary_search(read.cut, members[i]) ? kCut : 0;
      place.numbers = {made, vector};
      fresh.push_back(place);
    }
    keeper.add(fresh);
  });
}

Features SentenceEncoder::sentences(std::span<const std::string_view> texts, Pooling pooling,
                                    const EncodeWork& work) const {
  const Pooling chosen = pooling == Pooling::as_told ? told_pooling() : pooling;
  EmbeddingKeeper& keeper = parts_->keeper(fmt::format("sentences|{}", name(chosen)), width());
  const Distinct unique = distinct(texts);
  std::vector<Embedding> found =
      find_all(keeper, unique.texts.size(), work, [&](std::size_t i) -> SoughtEmbedding {
        return {embedding_key("text", unique.texts[i]), width()};
      });
  parts_->encode_sentences(unique.texts, chosen, keeper, found, work);
  Features features{width(), {}, {}};
  features.values.reserve(texts.size() * width());
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const Embedding& own = found[unique.of[i]];
    features.values.insert(features.values.end(), own.numbers.get(), own.numbers.get() + width());
    if (own.mark == kCut) features.cut.push_back(i);
  }
  return features;
}

TokenizedTexts SentenceEncoder::sentence_tokens(std::span<const std::string_view> texts,
                                                const EncodeWork& work) const {
  return parts_->sentence_tokens(texts, work);
}

std::shared_ptr<const TokenizedTexts> SentenceEncoder::tokenize(std::span<const std::string_view> texts,
                                                                const EncodeWork& work) const {
  const ListKey key = list_key("texts", "", texts);
  if (auto known = parts_->tokenized.find(key)) return known;
  return parts_->tokenized.add(key, parts_->tokenize(texts, *parts_->tokenizer, most_tokens(), false, work));
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
  const std::string kind = kind_of(reading);
  const ListKey key = list_key("tokens", kind, texts);
  if (auto known = parts_->encoded.find(key)) return known;
  EncodedTexts encoded{tokenize(texts, work), width(reading), {}};
  const TokenBatch& sequences = encoded.texts->tokens;
  EmbeddingKeeper& keeper = parts_->keeper(kind, encoded.width);
  std::vector<Embedding> found =
      find_all(keeper, sequences.size(), work, [&](std::size_t k) -> SoughtEmbedding {
        const auto* ids = reinterpret_cast<const char*>(sequences.ids.data() + sequences.begin(k));
        return {embedding_key("tokens", {ids, sequences.length(k) * sizeof(sequences.ids[0])}),
                sequences.length(k) * encoded.width};
      });
  parts_->encode_tokens(sequences, reading, keeper, found, work);
  for (Embedding& one : found) encoded.vectors.push_back(std::move(one.numbers));
  return parts_->encoded.add(key, std::move(encoded));
}

// Those of `sequences` that were not found.
void SentenceEncoder::Parts::encode_tokens(const TokenBatch& sequences, const StateReading& reading,
                                           EmbeddingKeeper& keeper, std::vector<Embedding>& found,
                                           const EncodeWork& work) const {
  const std::vector<std::size_t> missing = not_found(found);
  const TokenBatch chosen = take(sequences, missing);
  const LengthBatches batches = batches_by_length(chosen, tokens_at_once);
  for_each_piece(work, "encoding texts", batches.size(), [&](std::size_t piece) {
    const auto members = batches[piece];
    const TokenBatch batch = take(chosen, members);
    StateReader reader(reading, batch.ids.size(), bert.width());
    run(batch, reader.first_layer(), reading.layer,
        [&](std::size_t layer, const float* rows, std::size_t stride) { reader.add(layer, rows, stride); });
    const auto made = std::make_shared<tensor::AlignedVector<float>>(batch.ids.size() * reader.width());
    for (std::size_t t = 0; t < batch.ids.size(); ++t) reader.read(t, made->data() + t * reader.width());
    std::vector<Embedding> fresh;
    for (std::size_t k = 0; k < members.size(); ++k) {
      Embedding& place = found[missing[members[k]]];
      place.numbers = {made, made->data() + batch.begin(k) * reader.width()};
      fresh.push_back(place);
    }
    keeper.add(fresh);
  });
}

}  // namespace capella::encoder

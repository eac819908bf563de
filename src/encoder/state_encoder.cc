// A record of the cache has the numbers of the states and, behind them, each sum as two floats, which add up
// to it but for the last bits. Sums are cut to that in any case, so that a cache changes nothing.
#include "encoder/state_encoder.h"

#include <algorithm>
#include <mutex>
#include <numeric>

#include "encoder/bert.h"
#include "encoder/device_model.h"
#include "encoder/embedding_keeper.h"
#include "encoder/sentence_encoder.h"
#include "encoder/tokenizer/tokenizer.h"
#include "tensor/kernels.h"

namespace capella::encoder {
namespace {

constexpr std::size_t kTextsAtOnce = 256;  // of a piece of tokenizing

SentenceVectors usual_vectors(const ModelFolder& folder) {
  return folder.file("modules.json") ? SentenceVectors::pooled : SentenceVectors::mix;
}

void write_sum(double sum, float* out) {
  out[0] = static_cast<float>(sum);
  out[1] = static_cast<float>(sum - static_cast<double>(out[0]));
}

double read_sum(const float* stored) {
  return static_cast<double>(stored[0]) + static_cast<double>(stored[1]);
}

// What is kept of a caption beside its numbers.
std::uint64_t mark_of(std::size_t tokens, bool cut) {
  return 2 * tokens + (cut ? 1 : 0);
}

}  // namespace

struct StateEncoder::Parts {
  Parts(const ModelFolder& folder, std::optional<SentenceVectors> wanted, const std::string& cache,
        std::uint64_t cache_bytes, const EncoderEngine& engine)
      : vectors(wanted.value_or(usual_vectors(folder))),
        fingerprint(folder.fingerprint()),
        tokenizer(open_tokenizer(folder)),
        tokens_at_once(engine.tokens_at_once() / 2) {
    if (vectors == SentenceVectors::pooled) {
      pooled.emplace(folder.path(), engine);
      width = record = pooled->width();
    } else {
      bert.emplace(folder);
      if (tokenizer->size() > bert->vocabulary())
        folder.reject(
            "the tokenizer has more pieces than the model's table; fetch both again from one place");
      layers = bert->layers() + 1;
      width = bert->width();
      record = layers * (width + 4);
      if (engine.device != nullptr) device = engine.device->bert(read_bert_model(folder), engine.settings);
    }
    const std::string model = cache.empty() ? "" : folder.content_hash() + kind_of_record() + engine.mark();
    keeper = std::make_unique<EmbeddingKeeper>(cache, model, record, cache_bytes);
  }

  // Records of captions, [captions][record], with a mark each.
  struct Records {
    std::vector<float> values;
    std::vector<std::uint64_t> marks;
  };

  std::string kind_of_record() const {
    return pooled ? std::string("|pooled|").append(name(pooled->told_pooling())) : "|states";
  }
  std::vector<Tokens> tokenize(std::span<const std::string_view> texts, const EncodeWork& work) const;
  SentenceStates run(const TokenBatch& batch) const;
  void encode_states(std::span<const std::string_view> texts, std::span<const std::size_t> missing,
                     Records& records, const EncodeWork& work) const;
  void encode_batch(const std::vector<Tokens>& tokens, std::span<const std::size_t> missing,
                    std::span<const std::size_t> chosen, Records& records) const;
  void encode_pooled(std::span<const std::string_view> texts, std::span<const std::size_t> missing,
                     Records& records, const EncodeWork& work) const;
  void keep(std::span<const std::string_view> texts, std::span<const std::size_t> places,
            const Records& records) const;

  SentenceVectors vectors;
  std::string fingerprint;
  std::unique_ptr<const Tokenizer> tokenizer;
  std::optional<Bert> bert;
  std::unique_ptr<const DeviceBert> device;  // null: the program's own engine
  mutable std::mutex device_mutex;
  std::optional<SentenceEncoder> pooled;
  std::size_t layers = 1;
  std::size_t width = 0;
  std::size_t record = 0;      // numbers
  std::size_t tokens_at_once;  // of a batch; at least one caption
  std::unique_ptr<EmbeddingKeeper> keeper;
};

StateEncoder::StateEncoder(const std::string& folder, std::optional<SentenceVectors> vectors,
                           const std::string& cache, std::uint64_t cache_bytes, const EncoderEngine& engine)
    : parts_(std::make_unique<const Parts>(ModelFolder(folder), vectors, cache, cache_bytes, engine)) {}
StateEncoder::~StateEncoder() = default;
StateEncoder::StateEncoder(StateEncoder&&) noexcept = default;

SentenceVectors StateEncoder::vectors() const {
  return parts_->vectors;
}
std::size_t StateEncoder::width() const {
  return parts_->width;
}
std::size_t StateEncoder::layers() const {
  return parts_->layers;
}
std::size_t StateEncoder::most_tokens() const {
  return parts_->pooled ? parts_->pooled->most_in_sentence() : parts_->bert->most_tokens();
}
const std::string& StateEncoder::fingerprint() const {
  return parts_->fingerprint;
}
std::string StateEncoder::cache_problem() const {
  return parts_->keeper->problem();
}

std::vector<Tokens> StateEncoder::Parts::tokenize(std::span<const std::string_view> texts,
                                                  const EncodeWork& work) const {
  std::vector<Tokens> tokens(texts.size());
  for_each_piece({work.pool, {}}, "", pieces_of(texts.size(), kTextsAtOnce), [&](std::size_t piece) {
    const std::size_t end = std::min((piece + 1) * kTextsAtOnce, texts.size());
    for (std::size_t i = piece * kTextsAtOnce; i < end; ++i)
      tokens[i] = tokenizer->tokens(texts[i], bert->most_tokens());
  });
  return tokens;
}

SentenceStates StateEncoder::Parts::run(const TokenBatch& batch) const {
  SentenceStates states;
  if (device == nullptr) {
    add_states(tensor::kernels(), *bert, batch, states);
    return states;
  }
  states.layers = layers;
  states.width = width;
  states.first.resize(batch.size() * layers * width);
  states.sums.resize(batch.size() * layers);
  states.squares.resize(batch.size() * layers);
  for (std::size_t k = 0; k < batch.size(); ++k)
    states.tokens.push_back(static_cast<std::uint32_t>(batch.length(k)));
  const std::lock_guard lock(device_mutex);
  device->first_tokens_of_all_layers(batch, states.first.data(), states.sums.data(), states.squares.data());
  return states;
}

void StateEncoder::Parts::encode_batch(const std::vector<Tokens>& tokens,
                                       std::span<const std::size_t> missing,
                                       std::span<const std::size_t> chosen, Records& records) const {
  TokenBatch batch;
  for (const std::size_t i : chosen) batch.add(tokens[i].ids);
  const SentenceStates states = run(batch);
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    const std::size_t place = missing[chosen[k]];
    float* out = records.values.data() + place * record;
    out = std::copy_n(states.first.data() + k * layers * width, layers * width, out);
    for (std::size_t l = 0; l < layers; ++l, out += 4) {
      write_sum(states.sums[k * layers + l], out);
      write_sum(states.squares[k * layers + l], out + 2);
    }
    records.marks[place] = mark_of(states.tokens[k], tokens[chosen[k]].left_out > 0);
  }
}

// The captions at the places `missing`, the longest first.
void StateEncoder::Parts::encode_states(std::span<const std::string_view> texts,
                                        std::span<const std::size_t> missing, Records& records,
                                        const EncodeWork& work) const {
  std::vector<std::string_view> chosen;
  for (const std::size_t place : missing) chosen.push_back(texts[place]);
  const std::vector<Tokens> tokens = tokenize(chosen, work);
  std::vector<std::size_t> order(tokens.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater(), [&](std::size_t i) { return tokens[i].ids.size(); });
  std::vector<std::size_t> ends;
  for (std::size_t begin = 0; begin < order.size(); begin = ends.back()) {
    const std::size_t longest = std::max<std::size_t>(tokens[order[begin]].ids.size(), 1);
    ends.push_back(std::min(begin + std::max<std::size_t>(tokens_at_once / longest, 1), order.size()));
  }
  for_each_piece(work, "encoding captions", ends.size(), [&](std::size_t piece) {
    const std::size_t begin = piece == 0 ? 0 : ends[piece - 1];
    const auto batch = std::span(order).subspan(begin, ends[piece] - begin);
    encode_batch(tokens, missing, batch, records);
    std::vector<std::size_t> places;
    for (const std::size_t i : batch) places.push_back(missing[i]);
    keep(texts, places, records);
  });
}

void StateEncoder::Parts::encode_pooled(std::span<const std::string_view> texts,
                                        std::span<const std::size_t> missing, Records& records,
                                        const EncodeWork& work) const {
  std::vector<std::string_view> chosen;
  for (const std::size_t place : missing) chosen.push_back(texts[place]);
  const Features made = pooled->sentences(chosen, Pooling::as_told, work);
  for (std::size_t i = 0; i < missing.size(); ++i) {
    std::ranges::copy(made.row(i), records.values.begin() + static_cast<std::ptrdiff_t>(missing[i] * record));
    records.marks[missing[i]] = mark_of(0, std::ranges::binary_search(made.cut, i));
  }
  keep(texts, missing, records);
}

void StateEncoder::Parts::keep(std::span<const std::string_view> texts, std::span<const std::size_t> places,
                               const Records& records) const {
  std::vector<Embedding> kept;
  for (const std::size_t place : places)
    kept.push_back({embedding_key("caption", texts[place]), records.marks[place],
                    records.values.data() + place * record});
  keeper->add(kept);
}

CaptionStates StateEncoder::states(std::span<const std::string_view> captions, const EncodeWork& work) const {
  const Parts& parts = *parts_;
  const Distinct unique = distinct(captions);
  Parts::Records records{std::vector<float>(unique.texts.size() * parts.record),
                         std::vector<std::uint64_t>(unique.texts.size())};
  std::vector<std::size_t> missing;
  for (std::size_t i = 0; i < unique.texts.size(); ++i) {
    const auto mark = parts.keeper->find(embedding_key("caption", unique.texts[i]),
                                         records.values.data() + i * parts.record);
    if (mark) records.marks[i] = *mark;
    if (!mark) missing.push_back(i);
  }
  if (parts.pooled) {
    parts.encode_pooled(unique.texts, missing, records, work);
  } else {
    parts.encode_states(unique.texts, missing, records, work);
  }
  CaptionStates result;
  SentenceStates& states = result.states;
  states.layers = parts.layers;
  states.width = parts.width;
  const std::size_t numbers = parts.layers * parts.width;
  for (std::size_t i = 0; i < captions.size(); ++i) {
    const float* stored = records.values.data() + unique.of[i] * parts.record;
    states.first.insert(states.first.end(), stored, stored + numbers);
    for (std::size_t at = numbers; at < parts.record; at += 4) {
      states.sums.push_back(read_sum(stored + at));
      states.squares.push_back(read_sum(stored + at + 2));
    }
    const std::uint64_t mark = records.marks[unique.of[i]];
    states.tokens.push_back(static_cast<std::uint32_t>(mark / 2));
    if (mark % 2 == 1) result.cut.push_back(i);
  }
  return result;
}

}  // namespace capella::encoder

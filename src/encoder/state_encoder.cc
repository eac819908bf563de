// A record of the cache has the numbers of the states and, behind them, each sum as two floats, which add up
// to it but for the last bits. Sums are cut to that in any case, so that a cache changes nothing.
#include "encoder/state_encoder.h"

#include <algorithm>
#include <mutex>
#include <numeric>

#include "encoder/bert.h"
#include "encoder/device_model.h"
#include "encoder/embedding_keeper.h"
#include "encoder/model_checks.h"
#include "encoder/sentence_encoder.h"
#include "encoder/tokenizer/tokenizer.h"
#include "tensor/kernels.h"

namespace capella::encoder {
namespace {

constexpr std::size_t kStateTextsAtOnce = 256;  // of a piece of tokenizing

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
      pooled.emplace(folder, engine, EmbeddingFolder{cache, cache_bytes});
      width = pooled->width();
    } else {
      bert.emplace(folder);
      expect_vocabulary(folder, *tokenizer, bert->vocabulary());
      layers = bert->layers() + 1;
      width = bert->width();
      record = layers * (width + 4);
      if (engine.device != nullptr) device = engine.device->bert(read_bert_model(folder), engine.settings);
      keeper.emplace(EmbeddingFolder{cache, cache_bytes}, fingerprint + engine.mark() + "|states", record);
    }
  }

  std::vector<Tokens> tokenize(std::span<const std::string_view> texts, const EncodeWork& work) const;
  SentenceStates run(const TokenBatch& batch) const;
  void encode_states(std::span<const std::string_view> texts, std::vector<Embedding>& found,
                     const EncodeWork& work) const;
  void encode_batch(const std::vector<Tokens>& tokens, std::span<const std::size_t> missing,
                    std::span<const std::size_t> chosen, std::vector<Embedding>& found) const;
  CaptionStates mixed(std::span<const std::string_view> captions, const EncodeWork& work) const;
  CaptionStates pooled_ones(std::span<const std::string_view> captions, const EncodeWork& work) const;

  SentenceVectors vectors;
  std::string fingerprint;
  std::unique_ptr<const Tokenizer> tokenizer;
  std::optional<Bert> bert;
  std::unique_ptr<const DeviceBert> device;  // null: the program's own engine
  mutable std::mutex device_mutex;
  std::optional<SentenceEncoder> pooled;  // keeps its own vectors
  std::size_t layers = 1;
  std::size_t width = 0;
  std::size_t record = 0;      // numbers that are kept of a caption
  std::size_t tokens_at_once;  // of a batch; at least one caption
  mutable std::optional<EmbeddingKeeper> keeper;
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
  if (!parts_->pooled) return parts_->keeper->problem();
  const std::vector<std::string> all = parts_->pooled->cache_problems();
  return all.empty() ? "" : all.front();
}
void StateEncoder::keep_no_more() const {
  parts_->pooled ? parts_->pooled->keep_no_more() : parts_->keeper->write_no_more();
}

std::vector<Tokens> StateEncoder::Parts::tokenize(std::span<const std::string_view> texts,
                                                  const EncodeWork& work) const {
  std::vector<Tokens> tokens(texts.size());
  for_each_piece({work.pool, {}}, "", pieces_of(texts.size(), kStateTextsAtOnce), [&](std::size_t piece) {
    const std::size_t end = std::min((piece + 1) * kStateTextsAtOnce, texts.size());
    for (std::size_t i = piece * kStateTextsAtOnce; i < end; ++i)
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
                                       std::span<const std::size_t> chosen,
                                       std::vector<Embedding>& found) const {
  TokenBatch batch;
  for (const std::size_t i : chosen) batch.add(tokens[i].ids);
  const SentenceStates states = run(batch);
  const auto made = std::make_shared<std::vector<float>>(chosen.size() * record);
  std::vector<Embedding> fresh;
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    float* out = made->data() + k * record;
    Embedding& place = found[missing[chosen[k]]];
    place.mark = mark_of(states.tokens[k], tokens[chosen[k]].left_out > 0);
    place.numbers = {made, out};
    out = std::copy_n(states.first.data() + k * layers * width, layers * width, out);
    for (std::size_t l = 0; l < layers; ++l, out += 4) {
      write_sum(states.sums[k * layers + l], out);
      write_sum(states.squares[k * layers + l], out + 2);
    }
    fresh.push_back(place);
  }
  keeper->add(fresh);
}

// The captions that were not found, the longest first.
void StateEncoder::Parts::encode_states(std::span<const std::string_view> texts,
                                        std::vector<Embedding>& found, const EncodeWork& work) const {
  const std::vector<std::size_t> missing = not_found(found);
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
    encode_batch(tokens, missing, std::span(order).subspan(begin, ends[piece] - begin), found);
  });
}

CaptionStates StateEncoder::Parts::mixed(std::span<const std::string_view> captions,
                                         const EncodeWork& work) const {
  const Distinct unique = distinct(captions);
  std::vector<Embedding> found =
      find_all(*keeper, unique.texts.size(), work, [&](std::size_t i) -> SoughtEmbedding {
        return {embedding_key("caption", unique.texts[i]), record};
      });
  encode_states(unique.texts, found, work);
  CaptionStates result;
  SentenceStates& states = result.states;
  states.layers = layers;
  states.width = width;
  states.first.reserve(captions.size() * layers * width);
  for (std::size_t i = 0; i < captions.size(); ++i) {
    const Embedding& own = found[unique.of[i]];
    const float* sums = own.numbers.get() + layers * width;
    states.first.insert(states.first.end(), own.numbers.get(), sums);
    for (std::size_t l = 0; l < layers; ++l, sums += 4) {
      states.sums.push_back(read_sum(sums));
      states.squares.push_back(read_sum(sums + 2));
    }
    states.tokens.push_back(static_cast<std::uint32_t>(own.mark / 2));
    if (own.mark % 2 == 1) result.cut.push_back(i);
  }
  return result;
}

CaptionStates StateEncoder::Parts::pooled_ones(std::span<const std::string_view> captions,
                                               const EncodeWork& work) const {
  Features made = pooled->sentences(captions, Pooling::as_told, work);
  CaptionStates result;
  result.states.layers = layers;
  result.states.width = width;
  result.states.first = std::move(made.values);
  result.states.tokens.resize(captions.size());
  result.cut = std::move(made.cut);
  return result;
}

CaptionStates StateEncoder::states(std::span<const std::string_view> captions, const EncodeWork& work) const {
  return parts_->pooled ? parts_->pooled_ones(captions, work) : parts_->mixed(captions, work);
}

}  // namespace capella::encoder

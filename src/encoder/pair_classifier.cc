#include "encoder/pair_classifier.h"

#include <algorithm>
#include <mutex>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <tsl/robin_map.h>

#include "capella/error.h"

#include "encoder/classifier.h"
#include "encoder/device_model.h"
#include "encoder/length_batches.h"
#include "encoder/model_checks.h"
#include "encoder/tokenizer/tokenizer.h"
#include "encoder/tokenizer/unicode.h"
#include "tensor/kernels.h"

namespace capella::encoder {
namespace {

constexpr std::size_t kPairsAtOnce = 256;  // of a piece of tokenizing

// Distinct texts with their tokens.
struct ReadTexts {
  Distinct texts;
  std::vector<Tokens> tokens;

  // Of the text at a place of the list, special tokens not counted.
  std::size_t length(std::size_t place) const {
    const Tokens& read = tokens[texts.of[place]];
    return read.ids.size() + read.left_out - 2;
  }
};

// How many tokens of each text are kept, special ones not counted: of the longer one all that room is left
// for, but at least half.
std::pair<std::size_t, std::size_t> kept_lengths(std::size_t first, std::size_t second, std::size_t room) {
  if (first + second <= room) return {first, second};
  const std::size_t shorter = std::min({first, second, room / 2});
  return first > second ? std::pair(room - shorter, shorter) : std::pair(shorter, room - shorter);
}

// The first so many of a text's tokens, with the special ones around them.
std::vector<std::int32_t> beginning(const Tokens& tokens, std::size_t length) {
  std::vector<std::int32_t> ids(tokens.ids.begin(),
                                tokens.ids.begin() + static_cast<std::ptrdiff_t>(length + 1));
  ids.push_back(tokens.ids.back());
  return ids;
}

// Each pair of places once, and which of them each one is.
struct DistinctPairs {
  std::vector<std::size_t> representative;  // a place of the list that has it
  std::vector<std::size_t> of;
};

DistinctPairs distinct_pairs(const std::vector<std::size_t>& first, const std::vector<std::size_t>& second) {
  DistinctPairs pairs;
  tsl::robin_map<std::uint64_t, std::size_t, IntegerHash> places;
  for (std::size_t k = 0; k < first.size(); ++k) {
    const std::uint64_t key = (static_cast<std::uint64_t>(first[k]) << 32) | second[k];
    const auto [place, is_new] = places.emplace(key, pairs.representative.size());
    if (is_new) pairs.representative.push_back(k);
    pairs.of.push_back(place->second);
  }
  return pairs;
}

}  // namespace

struct PairClassifier::Parts {
  Parts(const ModelFolder& folder, const EncoderEngine& engine)
      : description(folder.description() + engine.mark()),
        labels_file(folder.file("config.json").value_or(folder.path())),
        classifier(folder),
        tokenizer(open_tokenizer(folder)),
        tokens_at_once(engine.tokens_at_once()) {
    expect_vocabulary(folder, *tokenizer, classifier.bert().vocabulary());
    if (classifier.bert().most_tokens() < classifier.special_tokens() + 2)
      folder.reject(fmt::format("the model takes {} tokens, too few for a pair of texts",
                                classifier.bert().most_tokens()));
    if (engine.device != nullptr) device = engine.device->bert(read_bert_model(folder), engine.settings);
  }

  ReadTexts read(std::span<const std::string_view> texts, const EncodeWork& work) const;
  bool add(const ReadTexts& first, const ReadTexts& second, std::size_t place, TokenBatch& batch) const;
  void run(const TokenBatch& batch, float* out) const;

  std::string description;
  std::string labels_file;
  Classifier classifier;
  std::unique_ptr<const Tokenizer> tokenizer;
  std::size_t tokens_at_once;
  std::unique_ptr<const DeviceBert> device;  // null: the program's own engine
  mutable std::mutex device_mutex;
};

PairClassifier::PairClassifier(const std::string& folder, const EncoderEngine& engine)
    : parts_(std::make_unique<const Parts>(ModelFolder(folder), engine)) {}
PairClassifier::~PairClassifier() = default;
PairClassifier::PairClassifier(PairClassifier&&) noexcept = default;

const std::string& PairClassifier::description() const {
  return parts_->description;
}
const std::string& PairClassifier::labels_file() const {
  return parts_->labels_file;
}
const std::vector<std::string>& PairClassifier::labels() const {
  return parts_->classifier.labels();
}
std::size_t PairClassifier::most_tokens() const {
  return parts_->classifier.bert().most_tokens();
}

ReadTexts PairClassifier::Parts::read(std::span<const std::string_view> texts, const EncodeWork& work) const {
  ReadTexts made{distinct(texts), {}};
  made.tokens.resize(made.texts.texts.size());
  for_each_piece({work.pool, {}}, "", pieces_of(made.tokens.size(), kPairsAtOnce), [&](std::size_t piece) {
    const std::size_t end = std::min((piece + 1) * kPairsAtOnce, made.tokens.size());
    for (std::size_t i = piece * kPairsAtOnce; i < end; ++i)
      made.tokens[i] = tokenizer->tokens(python_strip(made.texts.texts[i]), classifier.bert().most_tokens());
  });
  return made;
}

// Adds a pair; returns whether it was cut.
bool PairClassifier::Parts::add(const ReadTexts& first, const ReadTexts& second, std::size_t place,
                                TokenBatch& batch) const {
  const std::size_t room = classifier.bert().most_tokens() - classifier.special_tokens();
  const std::size_t all = first.length(place) + second.length(place);
  const auto kept = kept_lengths(first.length(place), second.length(place), room);
  classifier.add_pair(beginning(first.tokens[first.texts.of[place]], kept.first),
                      beginning(second.tokens[second.texts.of[place]], kept.second), batch);
  return kept.first + kept.second < all;
}

void PairClassifier::Parts::run(const TokenBatch& batch, float* out) const {
  if (device == nullptr) return classifier.logits(tensor::kernels(), batch, out);
  std::vector<float> read(batch.size() * classifier.bert().width());
  {
    const std::lock_guard lock(device_mutex);
    classifier.reads_pooled() ? device->pool(batch, read.data()) : device->first_tokens(batch, read.data());
  }
  classifier.logits_of(tensor::kernels(), read.data(), batch.size(), out);
}

PairAnswers PairClassifier::answers(std::span<const std::string_view> first,
                                    std::span<const std::string_view> second, const EncodeWork& work) const {
  if (first.size() != second.size()) throw UsageError("expected as many second texts as first ones");
  const Parts& parts = *parts_;
  const ReadTexts firsts = parts.read(first, work), seconds = parts.read(second, work);
  const DistinctPairs pairs = distinct_pairs(firsts.texts.of, seconds.texts.of);
  TokenBatch sequences;
  std::vector<char> cut;
  for (const std::size_t place : pairs.representative)
    cut.push_back(parts.add(firsts, seconds, place, sequences));
  const std::size_t count = labels().size();
  std::vector<float> logits(sequences.size() * count);
  const LengthBatches batches = batches_by_length(sequences, parts.tokens_at_once);
  for_each_piece(work, "judging pairs", batches.size(), [&](std::size_t piece) {
    const auto members = batches[piece];
    std::vector<float> made(members.size() * count);
    parts.run(take(sequences, members), made.data());
    for (std::size_t i = 0; i < members.size(); ++i)
      std::copy_n(made.data() + i * count, count, logits.data() + members[i] * count);
  });
  PairAnswers answers{count, {}, {}, sequences.size()};
  for (std::size_t k = 0; k < pairs.of.size(); ++k) {
    const float* row = logits.data() + pairs.of[k] * count;
    answers.logits.insert(answers.logits.end(), row, row + count);
    if (cut[pairs.of[k]] != 0) answers.cut.push_back(k);
  }
  return answers;
}

}  // namespace capella::encoder

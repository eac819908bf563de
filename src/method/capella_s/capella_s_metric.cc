#include "method/capella_s/capella_s_metric.h"

#include <algorithm>

#include <fmt/format.h>

#include "capella/error.h"

#include "base/hash_values.h"
#include "base/names.h"
#include "base/utf8.h"
#include "method/capella_s/word_shares.h"
#include "metric/reference_cosines.h"

namespace capella::method::capella_s {
namespace {

using metric::Batch;
using metric::CosineSummary;
using metric::ReferenceCosines;
using metric::SentenceState;
using metric::Shown;

// Nothing is further from what people say than nothing; the encoder would give it some vector.
constexpr double kOfNothing = -1;

constexpr double kMuchAlike = .7, kAlike = .45;  // of words, for the picture

class Prepared final : public metric::State {
 public:
  Prepared(const metric::References& references, const metric::Resources& resources,
           stats::Calibration learnt)
      : sentences(references, resources, encoder::Pooling::as_told), curve(std::move(learnt)) {}

  const SentenceState sentences;
  const stats::Calibration curve;
};

// Words of both sentences that are near each other.
Explanation::Alignment alignment_of(const WordShares& shares, std::size_t reference) {
  Explanation::Alignment alignment{fmt::format("the caption and reference {}, the nearest", reference + 1),
                                   "caption",
                                   "reference",
                                   {},
                                   {},
                                   {"much alike", "alike"},
                                   {}};
  const auto plain = [](const std::vector<Word>& words, std::vector<std::string>& out) {
    for (const Word& word : words) {
      if (!word.special) out.push_back(word.text);
    }
  };
  plain(shares.caption, alignment.upper);
  plain(shares.reference, alignment.lower);
  for (std::size_t i = 0; i < shares.caption.size(); ++i) {
    const Word& word = shares.caption[i];
    if (word.special || word.alike < kAlike) continue;
    // Only the first and the last word are special.
    alignment.links.push_back({i - 1, 1, word.nearest - 1, 1, word.alike < kMuchAlike ? 1u : 0u});
  }
  return alignment;
}

Explanation::Table share_table(std::string title, const std::vector<Word>& words,
                               const std::vector<Word>& others) {
  Explanation::Table table{std::move(title), {"word", "share", "nearest", "cosine"}, {}};
  for (const Word& word : words) {
    const bool has_nearest = word.alike > -1;
    table.rows.push_back({word.text, fmt::format("{:+.4f}", word.share),
                          has_nearest ? others[word.nearest].text : "",
                          has_nearest ? fmt::format("{:.4f}", word.alike) : ""});
  }
  return table;
}

// Whether sentences are made of the tokens that were encoded one by one: settings of their own may cut them
// earlier or write them in small letters.
bool same_tokens(const encoder::SentenceEncoder& encoder, std::span<const std::string_view> texts,
                 const encoder::EncodedTexts& encoded) {
  const encoder::TokenizedTexts tokens = encoder.sentence_tokens(texts);
  for (std::size_t k = 0; k < texts.size(); ++k) {
    if (!std::ranges::equal(tokens.ids(k), encoded[k].ids)) return false;
  }
  return true;
}

// The cosine with each of caption 0's references, and what it gives to the score's cosine.
Explanation::Table reference_table(const Batch& batch, const std::vector<double>& cosines, double unity) {
  Explanation::Table table{"against each reference", {"reference", "cosine", "share"}, {}};
  const std::vector<double> shares = metric::max_and_centroid_shares(cosines, unity);
  const std::size_t first = batch.references.begin(batch.items[0]);
  for (std::size_t i = 0; i < cosines.size(); ++i)
    table.rows.push_back({std::string(batch.references.raw[first + i]), fmt::format("{:.4f}", cosines[i]),
                          fmt::format("{:+.4f}", shares[i])});
  return table;
}

// Which words make the cosine with the nearest reference.
void add_words(const Batch& batch, const SentenceState& sentences, std::size_t nearest,
               Explanation& explanation) {
  const std::size_t first = batch.references.begin(batch.items[0]);
  const std::string_view texts[] = {batch.captions[0], batch.references.raw[first + nearest]};
  const encoder::SentenceEncoder& encoder = sentences.encoder;
  const auto encoded = encoder.encode(texts, {encoder.layers()});
  if (sentences.pooling != encoder::Pooling::mean || !same_tokens(encoder, texts, *encoded)) {
    explanation.summary.push_back(
        "words have no shares: the sentences' vectors are no means of all their tokens (a text was cut, or "
        "the model pools otherwise)");
    return;
  }
  const WordShares shares = word_shares((*encoded)[0], (*encoded)[1], encoder);
  explanation.tables.push_back(
      share_table("what the caption's words give to the cosine with the nearest reference", shares.caption,
                  shares.reference));
  explanation.tables.push_back(
      share_table("what the words of that reference give to it", shares.reference, shares.caption));
  explanation.alignments.push_back(alignment_of(shares, nearest));
}

// For signatures.
std::uint32_t identity(const stats::Calibration& curve) {
  std::vector<double> numbers;
  for (const stats::Knot& knot : curve.knots())
    numbers.insert(numbers.end(), {knot.score, knot.rating, knot.spread});
  return static_cast<std::uint32_t>(hash_values(numbers) >> 32);
}

class CapellaS final : public metric::Metric {
 public:
  CapellaS(const ModelChoice& model, std::function<LearntCurve()> open) : open_(std::move(open)) {
    info_.name = "capella-s";
    info_.scores = {{"Capella-S-cosine", 1.0, 100.0, Shown::detail, -1.0},
                    {"Capella-S-spread", 0.0, 100.0, Shown::detail, 1.0},
                    {"Capella-S", 1.0, 100.0, Shown::always, 0.0}};
    info_.row_width = 4;
    info_.reads = text::Detail::captions;
    info_.encoder = model.folder;
    info_.data = model.data;
    info_.eight_bits = model.eight_bits;
  }

  const metric::Info& info() const override { return info_; }

  std::unique_ptr<const metric::State> prepare(const metric::References& references,
                                               const metric::Resources& resources) const override {
    LearntCurve learnt = open_();
    if (learnt.model != resources.encoder->fingerprint())
      throw FileError(fmt::format(
          "{}: is the curve of a model {}, but the model is {}; get the model's files again if they should "
          "be the "
          "same, else make its own curve with `capella nn calibrate --replace`",
          calibration_path(info_.encoder), excerpt(learnt.model), resources.encoder->description()));
    return std::make_unique<Prepared>(references, resources, std::move(learnt.curve));
  }

  // A row is {cosine, spread, rating, 1}.
  void rows(const Batch& batch, const metric::State* state, double* out) const override {
    const ReferenceCosines cosines(batch, prepared_of(state).sentences);
    for (std::size_t k = 0; k < batch.size(); ++k, out += 4) {
      const double cosine = is_blank(batch.captions[k]) ? kOfNothing : cosines.summary(k).max_and_centroid();
      const stats::Knot found = prepared_of(state).curve.at(cosine);
      out[0] = found.score;
      out[1] = found.spread;
      out[2] = found.rating;
      out[3] = 1.0;
    }
  }

  void finish(std::span<const double> row, std::span<double> scores) const override {
    for (std::size_t i = 0; i < 3; ++i) scores[i] = row[i] / row[3];
  }

  std::string choices(const metric::State* state) const override {
    const Prepared& prepared = prepared_of(state);
    return fmt::format("{}|ref:max+centroid|scale:#{:08x}", prepared.sentences.choices(),
                       identity(prepared.curve));
  }

  Explanation explain(const Batch& batch, const metric::State* state) const override;

  std::vector<std::string> warnings(const metric::State* state) const override {
    const SentenceState& sentences = prepared_of(state).sentences;
    return sentences.cut.warnings(info_.name, sentences.encoder.most_in_sentence());
  }

 private:
  static const Prepared& prepared_of(const metric::State* state) {
    return static_cast<const Prepared&>(*state);
  }

  std::function<LearntCurve()> open_;
  metric::Info info_;
};

Explanation CapellaS::explain(const Batch& batch, const metric::State* state) const {
  const Prepared& prepared = prepared_of(state);
  const ReferenceCosines compared(batch, prepared.sentences, false);
  const std::vector<double> cosines = compared.of(0);
  Explanation explanation{info_.name, {}, {}};
  if (cosines.empty()) {
    explanation.summary.push_back("there is no reference to compare with");
    return explanation;
  }
  if (is_blank(batch.captions[0])) {
    explanation.summary.push_back("the caption has no word: the lowest score");
    return explanation;
  }
  explanation.tables.push_back(reference_table(batch, cosines, compared.unity(0)));
  const CosineSummary summary = compared.summary(0);
  const stats::Knot found = prepared.curve.at(summary.max_and_centroid());
  explanation.summary.push_back(fmt::format(
      "people would rate it {:.2f} on a scale from 0 to 1, give or take {:.2f}: its cosine is "
      "{:.4f}, the sum of the references' shares and the mean of {:.4f}, with the nearest one, and {:.4f}, "
      "with their centroid",
      found.rating, found.spread, summary.max_and_centroid(), summary.max, summary.centroid));
  const auto nearest = static_cast<std::size_t>(std::ranges::max_element(cosines) - cosines.begin());
  add_words(batch, prepared.sentences, nearest, explanation);
  return explanation;
}

}  // namespace

bool is_blank(std::string_view caption) {
  return python_rstrip(caption).empty();
}

std::unique_ptr<metric::Metric> make_capella_s(const ModelChoice& model, std::function<LearntCurve()> open) {
  return std::make_unique<CapellaS>(model, std::move(open));
}

}  // namespace capella::method::capella_s

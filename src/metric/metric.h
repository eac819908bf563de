// What every metric is.
//
// A metric fills one row of numbers per caption: the sufficient statistics. finish() turns a row into scores;
// it is called on one caption's row for the caption's scores and on the sum of many rows for the corpus.
// Corpus scores, subsets, shards and intervals all come from rows, so text is read once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "capella/dataset.h"
#include "capella/explanation.h"
#include "capella/progress.h"

#include "base/thread_pool.h"
#include "resource/df_table.h"
#include "resource/meteor_data.h"
#include "resource/word_vectors.h"
#include "scene/caption_facts.h"
#include "text/text_set.h"

namespace capella::encoder {
class ClipEncoder;
class SentenceEncoder;
class StateEncoder;
}  // namespace capella::encoder

namespace capella::metric {

/// When a score is shown.
enum class Shown : std::uint8_t {
  always,
  detail,   ///< on request: a finer score beside the metric's own
  numbers,  ///< on request and not in tables: what a score is made of
};

struct ScoreInfo {
  std::string name;      ///< e.g. "BLEU-4"
  double high;           ///< the best possible value
  double display_scale;  ///< tables show value * display_scale, as papers do
  Shown shown = Shown::always;
  double low = 0.0;  ///< the worst possible value
};

/// A score of another metric that a metric is made of.
struct Foundation {
  std::string metric;      ///< e.g. "cider-d"
  std::string score = {};  ///< e.g. "CIDEr-D"; empty: the metric's main score
  /// Nothing: as this run has the metric, with what the user has set for it. Otherwise exactly these
  /// settings, whatever the user has set: numbers that were learnt fit one way of making the scores only.
  std::optional<std::map<std::string, std::string>> settings = {};
  /// What Metric::choices() of the other metric must be; nothing: whatever it is.
  std::optional<std::string> choices = {};
};

struct Info {
  std::string name;  ///< as the user types it, e.g. "bleu"
  std::vector<ScoreInfo> scores;
  std::size_t row_width;
  /// How far it wants the captions taken apart.
  text::Detail reads = text::Detail::ngrams;
  /// Whether the scores depend on how many images have an n-gram, counted in the references unless a table is
  /// given.
  bool uses_document_frequencies = false;
  /// Which table then: refs, coco-val or a file's path; empty: the one of the run.
  std::string document_frequencies = {};
  /// Whether words weigh by how many of the run's own references have them, so that parts of a data set that
  /// are scored apart do not fit together.
  bool weighs_by_references = false;
  /// The data package the metric needs, e.g. "meteor"; empty if none.
  std::string data = {};
  /// Whether it reads captions as grammar (Resources::facts).
  bool parses = false;
  /// The word vectors it wants (Resources::vectors): "captions", which come with Capella, or a file's path;
  /// empty if none.
  std::string vectors = {};
  /// The encoder of texts it wants (Resources::encoder): "minilm", a data package, or a folder; empty if
  /// none.
  std::string encoder = {};
  /// Whether that encoder's weights have 8 bits instead of 32.
  bool eight_bits = false;
  /// The encoder whose hidden states it wants (Resources::states), named likewise; empty if none.
  std::string states = {};
  /// Whether of `states` one pooled vector is wanted instead of all layers.
  bool pooled_states = false;
  /// The folder of the CLIP model it wants (Resources::clip); empty if none.
  std::string clip = {};
  /// Whether it looks at the items' pictures (Resources::images).
  bool images = false;
  /// Scores it is made of. Their metrics run before it, once, whether or not they were asked for.
  std::vector<Foundation> builds_on = {};
  /// The tokenizers under which its scores mean anything; empty: all.
  std::vector<std::string> tokenizers = {};
};

/// The score that stands for the metric where there can be only one: the last that is always shown.
std::size_t main_score(const Info& info);

/// The place of the score of that name, the main score for an empty one. Throws UsageError, with the nearest
/// name, if there is none.
std::size_t find_score(const Info& info, std::string_view name);

/// The references of all items, raw and tokenised: made once per run and shared by all systems and threads.
struct References {
  std::span<const std::string_view> raw;
  std::span<const std::size_t> ends;  ///< per item: the end of its references
  const text::TextSet& tokens;

  std::size_t items() const { return ends.size(); }
  std::size_t begin(std::size_t item) const { return item == 0 ? 0 : ends[item - 1]; }
  std::size_t end(std::size_t item) const { return ends[item]; }
};

/// Some captions to be scored; caption k belongs to item items[k]. An item may come more than once.
struct Batch {
  const References& references;
  std::span<const std::uint32_t> items;
  std::span<const std::string_view> captions;
  const text::TextSet& tokens;  ///< extends references.tokens
  /// For each of Info::builds_on the score of each caption.
  std::span<const std::vector<double>> built_on = {};

  std::size_t size() const { return items.size(); }
};

/// Consecutive items.
struct ItemRange {
  std::size_t begin = 0;
  std::size_t end = static_cast<std::size_t>(-1);  ///< may lie behind the last item
};

/// What a metric may be handed from outside; a metric never opens a file itself.
struct Resources {
  const resource::DfTable* document_frequencies = nullptr;  ///< null: count the references
  const resource::MeteorData* meteor = nullptr;             ///< there for metrics that need it
  const scene::CaptionFacts* facts = nullptr;         ///< there for metrics that need it; outlives states
  const resource::WordVectors* vectors = nullptr;     ///< likewise
  const encoder::SentenceEncoder* encoder = nullptr;  ///< likewise
  const encoder::StateEncoder* states = nullptr;      ///< likewise
  const encoder::ClipEncoder* clip = nullptr;         ///< likewise
  std::span<const std::string> images = {};           ///< the path of each item's picture; likewise
  std::span<const std::string_view> ids = {};         ///< of the items, for messages; outlives states
  ThreadPool* pool = nullptr;                         ///< for prepare() alone
  Progress progress = {};                             ///< of prepare()
  bool tokenized = false;  ///< captions are tokens already: the tokenizer is "none"
  ItemRange items = {};    ///< captions will come for these items only
};

/// What prepare() learnt from the references; immutable.
class State {
 public:
  virtual ~State() = default;
};

class Metric {
 public:
  virtual ~Metric() = default;
  virtual const Info& info() const = 0;

  /// Looks at all references once, before any caption.
  virtual std::unique_ptr<const State> prepare(const References&, const Resources&) const { return nullptr; }

  /// Fills info().row_width numbers per caption of the batch. Many threads may call it at once.
  virtual void rows(const Batch& batch, const State* state, double* out) const = 0;

  /// The scores, as many as info().scores, of one row or of a sum of rows. Never needs the state.
  virtual void finish(std::span<const double> row, std::span<double> scores) const = 0;

  /// The choices that change the number, for the signature: "n:4|sigma:6|df:refs(5000)".
  virtual std::string choices(const State* state) const = 0;

  /// Why caption 0 of the batch got its score.
  virtual Explanation explain(const Batch& batch, const State* state) const = 0;

  /// What the user should know before trusting the scores.
  virtual std::vector<std::string> warnings(const State*) const { return {}; }
};

/// A metric with one score whose corpus value is the mean over captions: its row is {value, 1}.
class MeanMetric : public Metric {
 public:
  void rows(const Batch& batch, const State* state, double* out) const final;
  void finish(std::span<const double> row, std::span<double> scores) const final {
    scores[0] = row[0] / row[1];
  }

 protected:
  virtual double value(const Batch& batch, std::size_t k, const State* state) const = 0;
};

}  // namespace capella::metric

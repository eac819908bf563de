// What every metric is.
//
// A metric fills one row of numbers per caption: the sufficient statistics. finish() turns a row into scores;
// it is called on one caption's row for the caption's scores and on the sum of many rows for the corpus.
// Corpus scores, subsets, shards and intervals all come from rows, so text is read once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "capella/dataset.h"
#include "capella/explanation.h"

#include "resource/df_table.h"
#include "resource/meteor_data.h"
#include "text/text_set.h"

namespace capella::metric {

struct ScoreInfo {
  std::string name;      ///< e.g. "BLEU-4"
  double high;           ///< the best possible value; the worst is 0
  double display_scale;  ///< tables show value * display_scale, as papers do
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
  /// The data package the metric needs, e.g. "meteor"; empty if none.
  std::string data = {};
};

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

  std::size_t size() const { return items.size(); }
};

/// What a metric may be handed from outside; a metric never opens a file itself.
struct Resources {
  const resource::DfTable* document_frequencies = nullptr;  ///< null: count the references
  const resource::MeteorData* meteor = nullptr;             ///< there for metrics that need it
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

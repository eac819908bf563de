#include "metric/mid.h"

#include <limits>
#include <vector>

#include <fmt/format.h>

#include "capella/error.h"

#include "metric/mid_model.h"

namespace capella::metric {
namespace {

constexpr std::size_t kRow = 5;

// Every reference beside the picture of its item.
MidModel fit(const References& references, const ClipState& vectors, double epsilon) {
  std::vector<std::size_t> items;  // of each reference
  for (std::size_t item = 0; item < references.items(); ++item)
    items.insert(items.end(), references.end(item) - references.begin(item), item);
  return MidModel(
      items.size(), vectors.clip().width(), [&](std::size_t r) { return vectors.reference(r); },
      [&](std::size_t r) { return vectors.picture(items[r]); }, epsilon);
}

class MidState final : public ClipState {
 public:
  MidState(const References& references, const Resources& resources, std::string prompt, double epsilon,
           std::string_view metric)
      : ClipState(references, resources, ClipItems::all_with_references, std::move(prompt), metric),
        pairs_(references.raw.size()),
        model_(fit(references, *this, epsilon)) {
    if (model_.is_singular())
      throw DataError(
          fmt::format("mid: {} references of {} items are too few, or too much alike, for vectors of {} "
                      "numbers; it needs more than {} items, or {}",
                      pairs_, references.items(), clip().width(), 2 * clip().width(),
                      epsilon == 0.0 ? "--set mid.epsilon=0.0005"
                                     : fmt::format("an epsilon (--set mid.epsilon) above {}", epsilon)));
  }

  std::size_t pairs() const { return pairs_; }
  const MidModel& model() const { return model_; }

 private:
  std::size_t pairs_;
  MidModel model_;
};

// A row: the mutual information, the distance of the caption less that of caption and picture, the distance
// of the picture, the mean distance of the references' pictures, 1. The authors' value of a corpus divides
// the sum of the differences by one less than the captions and takes that mean for the pictures' part.
class Mid final : public Metric {
 public:
  explicit Mid(const Settings& settings)
      : prompt_(clip_prompt(settings)), epsilon_(settings.number("epsilon", 0.0, 1.0)) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    info_.name = "mid";
    info_.scores = {{"MID", kInfinity, 1.0, Shown::always, -kInfinity}};
    info_.row_width = kRow;
    info_.reads = text::Detail::captions;
    info_.clip = settings.text("model");
    info_.images = true;
  }

  const Info& info() const override { return info_; }

  std::unique_ptr<const State> prepare(const References& references,
                                       const Resources& resources) const override {
    return std::make_unique<MidState>(references, resources, prompt_, epsilon_, info_.name);
  }

  void rows(const Batch& batch, const State* state, double* out) const override {
    const MidState& prepared = prepared_of(state);
    const auto captions = prepared.captions(batch, true);
    for (std::size_t k = 0; k < batch.size(); ++k, out += kRow) {
      const auto found = prepared.model().distances(captions->row(k), prepared.picture(batch, k));
      out[0] = prepared.model().information();
      out[1] = found.text - found.both;
      out[2] = found.picture;
      out[3] = prepared.model().mean_picture();
      out[4] = 1.0;
    }
  }

  void finish(std::span<const double> row, std::span<double> scores) const override {
    const double count = row[4];
    const double information = row[0] / count;
    scores[0] = information + (count > 1.0 ? row[1] / (count - 1.0) + row[3] / count : row[1] + row[2]) / 2.0;
  }

  std::string choices(const State* state) const override {
    const MidState& prepared = prepared_of(state);
    return fmt::format("{}|eps:{}|pairs:{}", prepared.choices(), epsilon_, prepared.pairs());
  }

  Explanation explain(const Batch& batch, const State* state) const override {
    const MidState& prepared = prepared_of(state);
    const auto captions = prepared.captions(batch, false);
    const auto found = prepared.model().distances(captions->row(0), prepared.picture(batch, 0));
    const auto text = [](double value) { return fmt::format("{:.4f}", value); };
    return {info_.name,
            {fmt::format("picture: {}", prepared.picture_path(batch, 0)),
             "the mutual information of references and pictures, plus half of: the caption's distance from "
             "the references, plus the picture's from the pictures, less the pair's from the pairs"},
            {{"made of",
              {"what", "value"},
              {{"mutual information", text(prepared.model().information())},
               {"caption", text(found.text)},
               {"picture", text(found.picture)},
               {"both", text(found.both)}}}}};
  }

  std::vector<std::string> warnings(const State* state) const override {
    return prepared_of(state).warnings();
  }

 private:
  static const MidState& prepared_of(const State* state) { return static_cast<const MidState&>(*state); }

  std::string prompt_;
  double epsilon_;
  Info info_;
};

}  // namespace

std::unique_ptr<Metric> make_mid(const Settings& settings) {
  return std::make_unique<Mid>(settings);
}

}  // namespace capella::metric

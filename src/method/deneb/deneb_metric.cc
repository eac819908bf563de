#include "method/deneb/deneb_metric.h"

#include <algorithm>

#include <fmt/format.h>

#include "capella/error.h"

#include "method/deneb/deneb_state.h"

namespace capella::method::deneb {
namespace {

template <class Choice, std::size_t count>
std::string_view choice_name(Choice choice, const std::string_view (&names)[count]) {
  return names[static_cast<std::size_t>(choice)];
}

// The metric that a network belongs to.
std::string_view metric_of(Architecture architecture) {
  return architecture == Architecture::polos ? "polos" : "deneb";
}

class Deneb final : public metric::Metric {
 public:
  Deneb(const metric::Settings& settings, const Model& header, std::function<Model()> open)
      : path_(settings.text("model")), open_(std::move(open)) {
    const bool polos = settings.metric() == "polos";
    info_.name = settings.metric();
    info_.scores = {{score_name(polos ? Architecture::polos : Architecture::released), 1.0, 100.0}};
    info_.row_width = 2;
    info_.reads = text::Detail::captions;
    if (path_.empty()) return;
    const Recipe& recipe = header.recipe;
    if (recipe.clip_width > 0) info_.clip = needed(settings, "clip", "the folder of the CLIP model");
    if (recipe.sentence_width > 0)
      info_.states = needed(settings, "text", "the folder of the sentence encoder");
    info_.pooled_states = recipe.sentence_layers == 1;
    info_.images = recipe.image;
  }

  const metric::Info& info() const override { return info_; }

  std::unique_ptr<const metric::State> prepare(const metric::References& references,
                                               const metric::Resources& resources) const override {
    return std::make_unique<DenebState>(info_, path_, open_(), references, resources);
  }

  // A row is {score, 1}: the corpus score is the mean over captions.
  void rows(const metric::Batch& batch, const metric::State* state, double* out) const override {
    std::vector<double> scores(batch.size());
    of(state).scorer().scores(of(state).vectors(batch, true).samples(), scores.data());
    for (const double score : scores) {
      *out++ = score;
      *out++ = 1.0;
    }
  }

  void finish(std::span<const double> row, std::span<double> scores) const override {
    scores[0] = row[0] / row[1];
  }

  std::string choices(const metric::State* state) const override {
    return model_choices(of(state).model(), of(state).fingerprint());
  }

  Explanation explain(const metric::Batch& batch, const metric::State* state) const override;

  std::vector<std::string> warnings(const metric::State* state) const override {
    return of(state).warnings();
  }

 private:
  static const DenebState& of(const metric::State* state) { return static_cast<const DenebState&>(*state); }

  static std::string needed(const metric::Settings& settings, const char* key, const char* what) {
    if (!settings.text(key).empty()) return settings.text(key);
    throw UsageError(fmt::format("{0}: {1} needs {2} that it was trained with: give --set {3}.{4}=DIR",
                                 settings.metric(), settings.text("model"), what, settings.metric(), key));
  }

  std::string path_;
  std::function<Model()> open_;
  metric::Info info_;
};

double score_of(const Scorer& scorer, const BatchVectors& vectors) {
  double score = 0;
  scorer.scores(vectors.samples(), &score);
  return score;
}

// The same sample without reference `left_out`.
BatchVectors without_reference(const Recipe& recipe, const BatchVectors& all, std::size_t left_out) {
  BatchVectors made = all;
  made.clip_references = RowList(recipe.clip_width);
  made.sentence_references = RowList(recipe.sentence_width);
  for (std::size_t r = 0; r < all.ends[0]; ++r) {
    if (r == left_out) continue;
    if (recipe.clip_width > 0)
      std::copy_n(all.clip_references.data() + r * recipe.clip_width, recipe.clip_width,
                  made.clip_references.next());
    if (recipe.sentence_width > 0)
      std::copy_n(all.sentence_references.data() + r * recipe.sentence_width, recipe.sentence_width,
                  made.sentence_references.next());
  }
  made.ends = {all.ends[0] - 1};
  return made;
}

BatchVectors with_picture(const Recipe& recipe, const BatchVectors& all, const std::vector<float>& picture) {
  BatchVectors made = all;
  made.images = RowList(recipe.clip_width);
  std::ranges::copy(picture, made.images.next());
  return made;
}

std::vector<std::string> change_row(const std::string& what, double changed, double score) {
  return {what, fmt::format("{:.4f}", changed), fmt::format("{:+.4f}", score - changed)};
}

Explanation Deneb::explain(const metric::Batch& batch, const metric::State* state) const {
  const DenebState& prepared = of(state);
  const Recipe& recipe = prepared.model().recipe;
  const BatchVectors all = prepared.vectors(batch, false);
  const double score = score_of(prepared.scorer(), all);
  Explanation explanation{info_.name, {fmt::format("the network gives {:.4f}, from 0 to 1", score)}, {}};
  Explanation::Table table{"what it changes", {"without", "score then", "it adds"}, {}};
  const std::size_t first = batch.references.begin(batch.items[0]), count = all.ends[0];
  for (std::size_t r = 0; count > 1 && r < count; ++r) {
    const double changed = score_of(prepared.scorer(), without_reference(recipe, all, r));
    table.rows.push_back(change_row(std::string(batch.references.raw[first + r]), changed, score));
  }
  if (recipe.image) {
    const double changed = score_of(prepared.scorer(), with_picture(recipe, all, prepared.mean_picture()));
    table.rows.push_back(change_row(prepared.picture_path(batch, 0), changed, score));
    explanation.summary.emplace_back("in place of the picture stands the mean of all items' pictures");
  }
  if (count == 1) explanation.summary.emplace_back("there is one reference, and none cannot be scored");
  if (recipe.architecture == Architecture::released && recipe.references == References::together)
    explanation.summary.emplace_back("the order of the references matters to this network");
  if (!table.rows.empty()) explanation.tables.push_back(std::move(table));
  const TrainingFacts& facts = prepared.model().facts;
  if (prepared.model().has_facts())
    explanation.tables.push_back(
        {"the network",
         {"about", "is"},
         {{"trained on", fmt::format("{} ({} rows)", facts.training_data, facts.training_rows)},
          {"training ended by", fmt::format("{} ({} rows)", facts.validation_data, facts.validation_rows)}}});
  return explanation;
}

}  // namespace

std::string score_name(Architecture architecture) {
  return architecture == Architecture::polos ? "Polos" : "DENEB";
}

Model stable(Model model) {
  model.recipe.mix = MixStatistics::frozen;
  model.recipe.cut_references = false;
  return model;
}

std::string model_choices(const Model& model, std::uint64_t fingerprint) {
  const Recipe& recipe = model.recipe;
  std::string choices = fmt::format("model:#{:08x}|arch:{}", fingerprint >> 32,
                                    choice_name(recipe.architecture, kArchitectureNames));
  if (recipe.tokens != TokenKind::sim_vec)
    choices += fmt::format("|tokens:{}", choice_name(recipe.tokens, kTokenKindNames));
  if (recipe.joiner != Joiner::transformer)
    choices += fmt::format("|joiner:{}", choice_name(recipe.joiner, kJoinerNames));
  choices += fmt::format("|refs:{}", choice_name(recipe.references, kReferencesNames));
  if (!recipe.image) choices += "|images:none";
  const auto named = [](const EncoderFacts& facts) {
    return facts.name.empty() ? std::string("unnamed")
                              : fmt::format("{}({})", facts.name, facts.fingerprint.substr(0, 8));
  };
  if (model.encoders.clip) choices += fmt::format("|clip:{}", named(*model.encoders.clip));
  if (model.encoders.sentence) choices += fmt::format("|text:{}", named(*model.encoders.sentence));
  if (mixes_layers(recipe)) choices += fmt::format("|mix:{}", choice_name(recipe.mix, kMixStatisticsNames));
  return choices;
}

std::vector<std::string> use_warnings(const std::string& name, const Model& model,
                                      std::span<const std::size_t> reference_counts) {
  std::vector<std::string> warnings;
  if (!model.has_facts())
    warnings.push_back(
        fmt::format("{}: the network's file does not say which encoders it was trained with, so that nobody "
                    "can tell whether "
                    "these are the right ones",
                    name));
  const std::size_t most = model.facts.most_references;
  const auto more =
      std::ranges::count_if(reference_counts, [&](std::size_t n) { return most > 0 && n > most; });
  if (more > 0)
    warnings.push_back(
        fmt::format("{}: {} item{} more references than the {} that the network has seen in training", name,
                    more, more == 1 ? " has" : "s have", most));
  return warnings;
}

std::unique_ptr<metric::Metric> make_deneb(const metric::Settings& settings, Model header,
                                           std::function<Model()> open) {
  const bool named = !settings.text("model").empty();
  if (const std::string_view owner = metric_of(header.recipe.architecture);
      named && owner != settings.metric())
    throw UsageError(fmt::format("{0}: {1} is a network for {2}; ask for {2} and give --set {2}.model={1}",
                                 settings.metric(), settings.text("model"), owner));
  if (named && !header.is_stable())
    throw UsageError(
        fmt::format("{0}: {1} keeps no statistics of its sentence encoder's layers, so that a score depends "
                    "on its neighbours; "
                    "score in batches, as its authors do, with 'capella deneb score --parity'",
                    settings.metric(), settings.text("model")));
  return std::make_unique<Deneb>(settings, header, std::move(open));
}

}  // namespace capella::method::deneb

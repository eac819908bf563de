// Why one caption got its scores.
#include <fmt/format.h>

#include "capella/error.h"
#include "capella/pipeline.h"

#include "base/suggestion.h"
#include "pipeline/prepared_run.h"

namespace capella {
namespace {

std::size_t find_item(const Dataset& dataset, std::string_view id) {
  std::vector<std::string_view> ids;
  for (std::size_t item = 0; item < dataset.size(); ++item) {
    if (dataset.id(item) == id) return item;
    ids.push_back(dataset.id(item));
  }
  throw DataError(fmt::format("no item has the id '{}'{}", id, did_you_mean(id, ids)));
}

// Why the only caption of the batch got its scores by one of the run's metrics.
Explanation explain_by(const pipeline::PreparedRun& run, std::size_t m, metric::Batch batch,
                       const pipeline::PreparedRun::Rows& rows) {
  const pipeline::PreparedMetric& prepared = run.metrics()[m];
  const metric::Info& info = prepared.metric->info();
  std::vector<double> scores(info.scores.size());
  prepared.metric->finish(rows[m], scores);
  const auto built_on = run.built_on(prepared, rows);
  batch.built_on = built_on;
  Explanation explanation = prepared.metric->explain(batch, prepared.state.get());
  std::vector<std::string> values{fmt::format("caption: {}", batch.captions[0])};
  for (std::size_t i = 0; i < scores.size(); ++i) {
    if (info.scores[i].shown == metric::Shown::always)
      values.push_back(fmt::format("{} = {:.6g}", info.scores[i].name, scores[i]));
  }
  explanation.summary.insert(explanation.summary.begin(), values.begin(), values.end());
  return explanation;
}

}  // namespace

Explanations explain(const Dataset& dataset, std::string_view id, const ScoreOptions& options) {
  if (dataset.systems().size() != 1) {
    throw UsageError(fmt::format("explain looks at one system, found {}; give one file of captions",
                                 dataset.systems().size()));
  }
  const auto item = static_cast<std::uint32_t>(find_item(dataset, id));
  ThreadPool pool(options.threads);
  const pipeline::PreparedRun run(dataset, options, pool, {item, item + 1});
  const auto captions = std::span(dataset.systems()[0].captions);

  // All captions are tokenised, since with `ptb` a caption's tokens may depend on the next one.
  const text::StringColumn tokens = run.tokens_of(captions, pool);
  text::StringColumn own_tokens;
  own_tokens.push_back(tokens.size() == 0 ? "" : tokens[item]);
  const text::TextSet texts(std::move(own_tokens), &run.references().tokens);
  const metric::Batch batch{run.references(), std::span(&item, 1), captions.subspan(item, 1), texts};

  const auto rows = run.rows(batch);
  Explanations explanations;
  for (std::size_t m = 0; m < run.asked(); ++m)
    explanations.by_metric.push_back(explain_by(run, m, batch, rows));
  explanations.warnings = run.warnings();
  run.save_cache(explanations.warnings);
  return explanations;
}

}  // namespace capella

#include "capella/reward.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>
#include <tsl/robin_map.h>

#include "capella/error.h"

#include "base/hash.h"
#include "base/names.h"
#include "pipeline/prepared_run.h"

namespace capella {

struct Reward::Impl {
  Impl(const Dataset& dataset, const RewardOptions& options);

  std::vector<double> values(const metric::References& references, std::span<const std::uint32_t> items,
                             std::span<const std::string_view> captions) const;
  const metric::Metric& metric() const { return *run->metrics()[0].metric; }

  std::unique_ptr<pipeline::PreparedRun> run;
  tsl::robin_map<std::string_view, std::uint32_t, StringHash> item_of_id;
  std::size_t score_index = 0;
  std::string signature;
  std::vector<std::string> warnings;
};

namespace {

ScoreOptions run_options(const RewardOptions& options) {
  if (options.tokenizer == "ptb") {
    throw UsageError(
        "a reward looks at each caption alone: use the tokenizer ptb-iso, 13a, none or karpathy");
  }
  ScoreOptions run;
  run.metrics = {options.metric};
  run.tokenizer = options.tokenizer;
  run.df = options.df;
  run.settings = options.settings;
  run.cache = options.cache;
  run.device = options.device;
  return run;
}

void check_lengths(std::size_t captions, std::size_t others, std::string_view what) {
  if (captions != others)
    throw DataError(fmt::format("{} captions but {} {}; expected one each", captions, others, what));
}

}  // namespace

Reward::Impl::Impl(const Dataset& dataset, const RewardOptions& options) {
  ThreadPool pool;
  run = std::make_unique<pipeline::PreparedRun>(dataset, run_options(options), pool);
  warnings = run->warnings();
  run->save_cache(warnings);
  score_index = metric::find_score(metric().info(), options.score);
  signature = metric().info().scores[score_index].name + "|" + run->signature_rest(run->metrics()[0]);
  for (std::size_t item = 0; item < dataset.size(); ++item) {
    item_of_id.emplace(run->dataset().id(item), static_cast<std::uint32_t>(item));
  }
}

std::vector<double> Reward::Impl::values(const metric::References& references,
                                         std::span<const std::uint32_t> items,
                                         std::span<const std::string_view> captions) const {
  ThreadPool pool(1);
  const text::TextSet tokens(run->tokens_of(captions, pool), &references.tokens);
  const std::size_t width = metric().info().row_width;
  const std::vector<double> rows = run->rows({references, items, captions, tokens})[0];
  std::vector<double> scores(metric().info().scores.size());
  std::vector<double> values;
  for (std::size_t k = 0; k < items.size(); ++k) {
    metric().finish(std::span(rows).subspan(k * width, width), scores);
    values.push_back(scores[score_index]);
  }
  return values;
}

Reward::Reward(const Dataset& references, const RewardOptions& options)
    : impl_(std::make_unique<Impl>(references, options)) {}
Reward::~Reward() = default;
Reward::Reward(Reward&&) noexcept = default;
Reward& Reward::operator=(Reward&&) noexcept = default;

const std::string& Reward::score_name() const {
  return impl_->metric().info().scores[impl_->score_index].name;
}
const std::string& Reward::signature() const {
  return impl_->signature;
}
const std::vector<std::string>& Reward::warnings() const {
  return impl_->warnings;
}

std::vector<double> Reward::operator()(std::span<const std::string_view> ids,
                                       std::span<const std::string_view> captions) const {
  check_lengths(captions.size(), ids.size(), "ids");
  std::vector<std::uint32_t> items;
  items.reserve(ids.size());
  for (const std::string_view id : ids) {
    const auto found = impl_->item_of_id.find(id);
    if (found == impl_->item_of_id.end()) throw DataError(fmt::format("no references for the id '{}'", id));
    items.push_back(found->second);
  }
  return impl_->values(impl_->run->references(), items, captions);
}

std::vector<double> Reward::operator()(std::span<const std::vector<std::string_view>> references,
                                       std::span<const std::string_view> captions) const {
  check_lengths(captions.size(), references.size(), "lists of references");
  std::vector<std::string_view> raw;
  std::vector<std::size_t> ends;
  for (const auto& list : references) {
    if (list.empty()) throw DataError(fmt::format("caption {} has no references", ends.size()));
    raw.insert(raw.end(), list.begin(), list.end());
    ends.push_back(raw.size());
  }
  ThreadPool pool(1);
  const text::TextSet tokens(impl_->run->tokens_of(raw, pool), &impl_->run->references().tokens);
  const metric::References own{raw, ends, tokens};
  std::vector<std::uint32_t> items(captions.size());
  std::iota(items.begin(), items.end(), 0);
  return impl_->values(own, items, captions);
}

}  // namespace capella

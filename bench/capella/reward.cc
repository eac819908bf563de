// Calls of a reward, batch after batch, once its references are prepared.
#include "capella/reward.h"

#include <fstream>

#include "capella/pipeline.h"

#include "measure.h"

namespace capella::bench {
namespace {

struct RewardBatch {
  std::vector<std::string> ids;
  std::vector<std::string> captions;
};

std::vector<RewardBatch> read_batches(const std::string& path) {
  std::ifstream file(path);
  std::vector<RewardBatch> batches;
  for (const nlohmann::json& batch : nlohmann::json::parse(file)) {
    batches.push_back({batch.at("ids"), batch.at("captions")});
  }
  return batches;
}

std::vector<double> call(const Reward& reward, const RewardBatch& batch) {
  const std::vector<std::string_view> ids(batch.ids.begin(), batch.ids.end());
  const std::vector<std::string_view> captions(batch.captions.begin(), batch.captions.end());
  return reward(ids, captions);
}

}  // namespace

nlohmann::json run_reward(const Job& job) {
  const std::vector<RewardBatch> batches = read_batches(job.captions);
  RewardOptions options;
  options.metric = job.metrics.at(0);
  options.tokenizer = job.tokenizer;
  const Reward reward(read_dataset(job.references, {}, {}), options);
  std::vector<double> all;
  for (const RewardBatch& batch : batches) {
    const std::vector<double> values = call(reward, batch);
    all.insert(all.end(), values.begin(), values.end());
  }
  nlohmann::json answer =
      measured(time_each(job.repetitions, [&](std::size_t k) { call(reward, batches[k % batches.size()]); }));
  if (job.wait) wait_to_be_looked_at();
  answer["values"][reward.score_name()] = {{"items", std::move(all)}};
  return answer;
}

}  // namespace capella::bench

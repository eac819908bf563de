// The plug-in's side of method/deneb/trainer.h.
#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

#include "capella/error.h"

#include "method/deneb/trainer.h"
#include "torch/boundary.h"
#include "torch/deneb/features.h"
#include "torch/deneb/network.h"
#include "torch/draw.h"
#include "torch/flat_adam.h"
#include "torch/threads.h"

namespace capella::plugin::deneb {
namespace {

using method::deneb::kMixMean;
using method::deneb::kMixVariance;
using method::deneb::LoadedFeatures;
using method::deneb::MixStatistics;
using method::deneb::NetworkArray;
using method::deneb::PredictOptions;
using method::deneb::Steps;

constexpr const char* kAdvice = "give a smaller --batch";
constexpr std::size_t kParityBatch = 32;  // of the authors' validation

AdamSettings adam_settings(const Recipe& recipe) {
  AdamSettings settings;
  settings.weight_decay = recipe.weight_decay;
  settings.most_gradient = recipe.most_gradient;
  return settings;
}

// Of the step after `done` ones: from 0 in equal parts, then, if so, back to 0.
double rate_after(const Recipe& recipe, std::int64_t done) {
  const auto step = static_cast<double>(done), warm_up = static_cast<double>(recipe.warm_up);
  if (step < warm_up) return recipe.rate * step / warm_up;
  if (recipe.schedule == method::deneb::Schedule::constant) return recipe.rate;
  const auto total = static_cast<double>(recipe.total_steps);
  return recipe.rate * std::max(0.0, (total - step) / std::max(1.0, total - warm_up));
}

Tensor loss_of(const Recipe& recipe, const Tensor& found, const Tensor& wanted) {
  if (recipe.loss == method::deneb::Loss::squared) return torch::mse_loss(found, wanted, at::Reduction::Sum);
  return torch::huber_loss(found, wanted, at::Reduction::Sum, recipe.huber_delta);
}

class TorchNetwork : public method::deneb::Network {
 public:
  TorchNetwork(const Recipe& recipe, torch::Device device, std::uint64_t seed, std::size_t threads)
      : recipe_(recipe),
        weights_(first_weights(recipe, seed), device),
        adam_(weights_, adam_settings(recipe)),
        threads_(threads) {
    if (!mixes_layers(recipe)) return;
    const auto options = torch::TensorOptions(device).dtype(torch::kFloat32);
    const auto layers = static_cast<std::int64_t>(recipe.sentence_layers);
    mix_mean_ = torch::zeros({layers}, options);
    mix_variance_ = torch::ones({layers}, options);
  }

  const Recipe& recipe() const override { return recipe_; }

  std::vector<NetworkArray> arrays(bool optimiser) const override {
    return kept_arrays(own_arrays(), optimiser ? &adam_ : nullptr);
  }

  void set_arrays(std::span<const NetworkArray> arrays) override {
    with_plain_errors(kAdvice, [&] {
      const auto kind = method::deneb::kArchitectureNames[static_cast<std::size_t>(recipe_.architecture)];
      take_arrays(arrays, own_arrays(), adam_, kind);
    });
  }

  std::unique_ptr<const LoadedFeatures> load(const Features& features) const override {
    return with_plain_errors("the vectors are too many for this device",
                             [&]() -> std::unique_ptr<const LoadedFeatures> {
                               return load_tables(recipe_, features, weights_.device());
                             });
  }

  void freeze_statistics(const Features& features, const Samples& samples) override {
    if (!mixes_layers(recipe_)) return;
    const torch::NoGradGuard no_gradients;
    const LayerStatistics found = statistics_of(recipe_, features, samples);
    mix_mean_.copy_(torch::tensor(found.mean, torch::kFloat64));
    mix_variance_.copy_(torch::tensor(found.variance, torch::kFloat64));
  }

  double train(const LoadedFeatures& features, const Samples& samples, std::span<const std::uint32_t> order,
               std::uint64_t seed, const Steps& steps) override {
    const auto& tables = dynamic_cast<const Tables&>(features);
    check_samples(recipe_, tables, samples, true);
    const Threads settings(used_threads(), used_threads());
    return with_plain_errors(kAdvice, [&] { return train_batches(tables, samples, order, seed, steps); });
  }

  std::vector<double> predict(const LoadedFeatures& features, const Samples& samples,
                              const PredictOptions& options, const Steps& steps) const override {
    const auto& tables = dynamic_cast<const Tables&>(features);
    check_samples(recipe_, tables, samples, false);
    const Threads settings(used_threads(), used_threads());
    return with_plain_errors(kAdvice, [&] { return predict_batches(tables, samples, options, steps); });
  }

 private:
  std::vector<NamedWeight> own_arrays() const {
    std::vector<NamedWeight> all = weights_.arrays();
    if (mix_mean_.defined()) all.insert(all.end(), {{kMixMean, mix_mean_}, {kMixVariance, mix_variance_}});
    return all;
  }

  // One, if products are too small to share.
  std::size_t used_threads() const {
    const double tokens = static_cast<double>(recipe_.batch) * 6, width = static_cast<double>(recipe_.width);
    return threads_for_products(threads_, 4 * tokens * width * static_cast<double>(recipe_.feed_forward));
  }

  double train_batches(const Tables& tables, const Samples& samples, std::span<const std::uint32_t> order,
                       std::uint64_t seed, const Steps& steps);
  Tensor train_batch(const Tables& tables, const Samples& samples, std::span<const std::uint32_t> chosen,
                     std::uint64_t key);
  std::vector<double> predict_batches(const Tables& tables, const Samples& samples,
                                      const PredictOptions& options, const Steps& steps) const;

  Recipe recipe_;
  Weights weights_;
  FlatAdam adam_;
  std::size_t threads_;
  Tensor mix_mean_;  // undefined unless layers are mixed
  Tensor mix_variance_;
};

// The loss of a batch; its gradients are added to what is there.
Tensor TorchNetwork::train_batch(const Tables& tables, const Samples& samples,
                                 std::span<const std::uint32_t> chosen, std::uint64_t key) {
  Dropout dropout(recipe_.dropout, mixed(key, 0));
  Mix mix{mix_mean_, mix_variance_, Dropout(recipe_.mix_dropout, mixed(key, 1))};
  const Tensor given =
      tables.sentences.defined() && !mixes_layers(recipe_) ? tables.sentences.squeeze(1) : Tensor();
  const Inputs inputs = inputs_of(recipe_, weights_, mix, tables, given, samples, chosen, torch::kFloat32);
  std::vector<float> wanted;
  for (const std::uint32_t k : chosen) wanted.push_back(samples.scores[k]);
  const Tensor found = scores(recipe_, weights_, inputs, dropout);
  const Tensor loss = loss_of(recipe_, found, on_device(torch::tensor(wanted), weights_.device()));
  (loss / static_cast<double>(recipe_.accumulation)).backward();
  return loss.detach();
}

double TorchNetwork::train_batches(const Tables& tables, const Samples& samples,
                                   std::span<const std::uint32_t> order, std::uint64_t seed,
                                   const Steps& steps) {
  Tensor total = torch::zeros({}, torch::TensorOptions(weights_.device()).dtype(torch::kFloat64));
  std::size_t accumulated = 0;
  for (std::size_t begin = 0; begin < order.size(); begin += recipe_.batch) {
    const auto chosen = order.subspan(begin, std::min(recipe_.batch, order.size() - begin));
    const std::uint64_t key = mixed(mixed(seed, static_cast<std::uint64_t>(adam_.steps())), accumulated);
    total += train_batch(tables, samples, chosen, key);
    const bool last = begin + chosen.size() == order.size();
    if (++accumulated == recipe_.accumulation || last) {
      adam_.step(rate_after(recipe_, adam_.steps()));
      accumulated = 0;
    }
    if (steps) steps(begin + chosen.size(), order.size());
  }
  const double sum = total.item<double>();
  if (!std::isfinite(sum))
    throw DataError("training went astray: the loss is no number after " + std::to_string(adam_.steps()) +
                    " steps; give a smaller --rate, or look for features that are not finite");
  return sum;
}

std::size_t quick_batch(const Samples& samples, torch::Device device) {
  const std::size_t tokens = device.is_cuda() ? 32768 : 1024;
  const std::size_t references = (samples.references.size() + samples.size() - 1) / samples.size();
  return std::max<std::size_t>(1, tokens / (references + 2));
}

// With statistics of batches neighbours matter: as given. Else samples with equally many references stand
// together, so that few are masked.
std::vector<std::uint32_t> prediction_order(const Recipe& recipe, const Samples& samples) {
  std::vector<std::uint32_t> order(samples.size());
  std::iota(order.begin(), order.end(), 0u);
  if (recipe.cut_references || (mixes_layers(recipe) && recipe.mix == MixStatistics::batch)) return order;
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return samples.references_of(a).size() < samples.references_of(b).size();
  });
  return order;
}

std::vector<double> TorchNetwork::predict_batches(const Tables& tables, const Samples& samples,
                                                  const PredictOptions& options, const Steps& steps) const {
  const torch::NoGradGuard no_gradients;
  std::vector<double> found(samples.size());
  if (samples.size() == 0) return found;
  const bool halves = options.precision == method::deneb::Precision::bfloat16;
  const Weights weights = halves ? weights_.copied_as(torch::kBFloat16) : weights_;
  const bool by_batch = mixes_layers(recipe_) && recipe_.mix == MixStatistics::batch;
  Mix mix{mix_mean_, mix_variance_, {}};
  const Tensor all_mixed = by_batch ? Tensor() : mixed_sentences(recipe_, weights_, mix, tables);
  const std::size_t automatic =
      by_batch || recipe_.cut_references ? kParityBatch : quick_batch(samples, weights_.device());
  const std::size_t batch = options.batch > 0 ? options.batch : automatic;
  const std::vector<std::uint32_t> order = prediction_order(recipe_, samples);
  for (std::size_t begin = 0; begin < order.size(); begin += batch) {
    const auto chosen = std::span(order).subspan(begin, std::min(batch, order.size() - begin));
    Dropout none;
    const Inputs inputs =
        inputs_of(recipe_, weights_, mix, tables, all_mixed, samples, chosen, weights.type());
    const Tensor some = scores(recipe_, weights, inputs, none).to(torch::kCPU, torch::kFloat32).contiguous();
    const auto* values = some.data_ptr<float>();
    for (std::size_t i = 0; i < chosen.size(); ++i) found[chosen[i]] = values[i];
    if (steps) steps(begin + chosen.size(), order.size());
  }
  return found;
}

class TorchMaker : public method::deneb::NetworkMaker {
 public:
  std::unique_ptr<method::deneb::Network> make(const Recipe& recipe, const std::string& device,
                                               std::uint64_t seed, std::size_t threads) const override {
    if (const std::string problem = method::deneb::recipe_problem(recipe); !problem.empty())
      throw UsageError("learned metric: " + problem);
    return with_plain_errors(kAdvice, [&]() -> std::unique_ptr<method::deneb::Network> {
      return std::make_unique<TorchNetwork>(recipe, device_named(device), seed,
                                            plugin::used_threads(threads));
    });
  }

  std::string description() const override { return torch_description(); }
};

}  // namespace
}  // namespace capella::plugin::deneb

extern "C" __attribute__((visibility("default"))) const capella::method::deneb::NetworkMaker*
capella_torch_deneb(int version) {
  static const capella::plugin::deneb::TorchMaker maker;
  return version == capella::method::deneb::kPluginVersion ? &maker : nullptr;
}

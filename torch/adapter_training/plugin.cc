// The plug-in's side of method/adapter_training/trainer.h.
//
// In every step the updates are first added to the matrices, W + s B A, and the encoder runs with the sums.
// Gradients go past these to A and B (torch/low_rank.h).
//
// A batch of a thousand images with all its inner values takes ten gigabytes. Where that is more than the
// recipe allows, captions are encoded without gradients at first; the loss gives the gradients of their
// vectors, and these go through each part of the captions, encoded once more. Nothing but rounding is
// different.
#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

#include "capella/error.h"

#include "method/adapter_training/trainer.h"
#include "torch/boundary.h"
#include "torch/contrastive.h"
#include "torch/encoder/batches.h"
#include "torch/encoder/models.h"
#include "torch/encoder/on_device.h"
#include "torch/flat_adam.h"
#include "torch/low_rank.h"
#include "torch/short_products.h"
#include "torch/threads.h"
#include "torch/weights.h"

namespace capella::plugin::adapter_training {
namespace {

using capella::encoder::BertModel;
using capella::encoder::TokenBatch;
using capella::encoder::TowerFacts;
using encoder::Bert;
using encoder::Part;
using encoder::PartOptions;
using method::adapter_training::Drawn;
using method::adapter_training::kMaps;
using method::adapter_training::kRoot;
using method::adapter_training::NetworkArray;
using method::adapter_training::Numbers;
using method::adapter_training::RatedRows;
using method::adapter_training::Reading;
using method::adapter_training::Recipe;
using torch::Tensor;

using Arrays = std::map<std::string, Tensor>;

constexpr const char* kAdvice = "give a smaller --chunk or a smaller --batch";

// Tokens of which inner values are kept, and those that are encoded together.
constexpr std::int64_t kChunkOnCpu = 4096, kChunkOnGpu = 131'072, kTogetherOnGpu = 16'384;

Bert bert_of(const Arrays& arrays, const TowerFacts& facts, torch::ScalarType type) {
  const auto find = [&](const std::string& name) {
    const auto found = arrays.find(name);
    return found == arrays.end() ? Tensor() : found->second;
  };
  return encoder::bert_from(find, facts, type);
}

Arrays base_arrays(const BertModel& base, torch::Device device) {
  const encoder::OnDevice given(base.arrays, device);
  const auto find = given.finder();
  Arrays arrays;
  for (const NetworkArray& array : base.arrays) arrays[array.name] = find(array.name);
  bert_of(arrays, base.tower, torch::kFloat32);  // throws if something is missing
  return arrays;
}

// "encoder.layer.0.attention.self.query" ...: what is updated.
std::vector<std::string> updated_maps(const Arrays& base) {
  std::vector<std::string> all;
  for (std::size_t layer = 0;; ++layer) {
    const std::string root = "encoder.layer." + std::to_string(layer) + ".";
    if (!base.contains(root + std::string(kMaps[0]) + ".weight")) return all;
    for (const std::string_view map : kMaps) all.push_back(root + std::string(map));
  }
}

std::string first_name(const std::string& map) {
  return std::string(kRoot) + map + ".lora_A.weight";
}

std::string second_name(const std::string& map) {
  return std::string(kRoot) + map + ".lora_B.weight";
}

std::vector<NamedWeight> first_weights(const Arrays& base, const Recipe& recipe, std::uint64_t seed) {
  FirstWeights first(seed);
  const auto rank = static_cast<std::int64_t>(recipe.rank);
  for (const std::string& map : updated_maps(base)) {
    const Tensor& matrix = base.at(map + ".weight");
    const double inputs = static_cast<double>(matrix.size(1));
    first.normal(first_name(map), {rank, matrix.size(1)}, 1 / std::sqrt(inputs));
    first.constant(second_name(map), {matrix.size(0), rank}, 0);
  }
  return first.arrays();
}

AdamSettings adam_settings(const Recipe& recipe) {
  return {recipe.mean_decay, recipe.square_decay, recipe.epsilon, recipe.weight_decay, recipe.most_gradient};
}

PartOptions part_options(const BertModel& base, const Recipe& recipe, torch::Device device) {
  PartOptions options;
  options.layout.device = device;
  options.layout.padded = device.is_cuda();
  options.first_position = static_cast<std::int64_t>(base.first_position);
  options.padding = base.padding;
  options.tokens_together = device.is_cuda() ? kTogetherOnGpu : kChunkOnCpu;
  if (recipe.chunk > 0)
    options.tokens_together = std::min(options.tokens_together, static_cast<std::int64_t>(recipe.chunk));
  return options;
}

// The factors of a tower's updates as its layers take them, cut out of the graph: gradients of parts of a
// batch meet there, and go on to those that are learnt once.
class CutFactors {
 public:
  CutFactors(const Weights& weights, double scale, encoder::Tower& tower) : weights_(weights) {
    const double quick = tower.activation == tensor::After::kQuickGelu ? encoder::kQuickFactor : 1;
    for (std::size_t number = 0; number < tower.layers.size(); ++number) {
      encoder::Layer& layer = tower.layers[number];
      const std::string root = "encoder.layer." + std::to_string(number) + ".";
      layer.qkv_update = cut(root, std::span(kMaps).first(3), scale);
      layer.out_update = cut(root, std::span(kMaps).subspan(3, 1), scale);
      layer.up_update = cut(root, std::span(kMaps).subspan(4, 1), scale * quick);
      layer.down_update = cut(root, std::span(kMaps).subspan(5, 1), scale / quick);
    }
  }

  /// Gradients of the leaves go on.
  void pass_on() const {
    std::vector<Tensor> gradients;
    for (const Tensor& leaf : leaves_) gradients.push_back(leaf.grad());
    torch::autograd::backward(learnt_, gradients);
  }

 private:
  // Several maps of the same inputs are one, whose rows are theirs one behind the other.
  LowRank cut(const std::string& root, std::span<const std::string_view> maps, double scale) {
    std::vector<Tensor> first, second;
    for (const std::string_view map : maps) {
      first.push_back(weights_[first_name(root + std::string(map))]);
      second.push_back(weights_[second_name(root + std::string(map))]);
    }
    return {leaf(torch::cat(first)), leaf(torch::block_diag(second)), scale};
  }

  Tensor leaf(const Tensor& learnt) {
    learnt_.push_back(learnt);
    leaves_.push_back(learnt.detach().requires_grad_());
    return leaves_.back();
  }

  const Weights& weights_;
  std::vector<Tensor> learnt_, leaves_;
};

Tensor places_on(const std::vector<std::int64_t>& places, torch::Device device) {
  return on_device(torch::tensor(places, torch::kInt64), device);
}

Tensor numbers_on(const std::vector<std::uint32_t>& numbers, torch::Device device) {
  return places_on({numbers.begin(), numbers.end()}, device);
}

// Of vectors of the length 1, [images][1 + references][width]. Candidates look for their images and not the
// other way round, too; docs/metrics/capella-s.md has figures of both.
Tensor batch_loss(const Tensor& units, double temperature, const Tensor& together) {
  const Tensor centroids = directions(units.slice(1, 1).sum(1));
  return row_loss(torch::matmul(units.select(1, 0), centroids.t()) / temperature, together);
}

// What Pearson's correlation lacks to 1; where all ratings are equal there is none, and nothing to learn.
Tensor correlation_loss(const Tensor& scores, const Tensor& ratings) {
  const Tensor x = scores - scores.mean(), y = ratings - ratings.mean();
  return 1 - (x * y).sum() / (x.norm() * y.norm()).clamp_min(1e-12);
}

// Of vectors of the length 1: all candidates, then the references of all, one after the other.
Tensor rated_loss(const Tensor& units, const RatedRows& rated) {
  const auto rows = static_cast<std::int64_t>(rated.size());
  std::vector<std::int64_t> owners;
  for (std::size_t row = 0; row < rated.size(); ++row)
    owners.insert(owners.end(), rated.references_of(row).size(), static_cast<std::int64_t>(row));
  const Tensor sums = torch::zeros({rows, units.size(1)}, units.options())
                          .index_add(0, places_on(owners, units.device()), units.slice(0, rows));
  const Tensor centroids = sums / sums.norm(2, 1, true).clamp_min(1e-6);  // 0 where references cancel out
  const Tensor scores = (units.slice(0, 0, rows) * centroids).sum(1);
  const std::vector<float> ratings(rated.ratings.begin(), rated.ratings.end());
  return correlation_loss(scores, on_device(torch::tensor(ratings), units.device()));
}

class TorchNetwork : public method::adapter_training::Network {
 public:
  TorchNetwork(const BertModel& base, const Recipe& recipe, torch::Device device, std::uint64_t seed,
               std::size_t threads)
      : recipe_(recipe),
        facts_(base.tower),
        base_(base_arrays(base, device)),
        maps_(updated_maps(base_)),
        weights_(first_weights(base_, recipe, seed), device),
        adam_(weights_, adam_settings(recipe)),
        options_(part_options(base, recipe, device)),
        threads_(threads) {}

  const Recipe& recipe() const override { return recipe_; }
  std::size_t width() const override { return static_cast<std::size_t>(words().size(1)); }

  std::vector<NetworkArray> arrays(bool optimiser) const override {
    return kept_arrays(weights_.arrays(), optimiser ? &adam_ : nullptr);
  }

  void set_arrays(std::span<const NetworkArray> arrays) override {
    with_plain_errors(kAdvice, [&] { take_arrays(arrays, weights_.arrays(), adam_, "an adapter"); });
  }

  double step(const TokenBatch& captions, const Drawn& drawn) override {
    const TokenBatch batch = taken(captions, drawn);
    check(batch);
    const Threads settings(used(), used());
    const ShortProducts rounding;
    return with_plain_errors(kAdvice, [&] { return learn(batch, drawn); });
  }

  void texts(const TokenBatch& batch, float* out) const override {
    check(batch);
    const Threads settings(used(), used());
    with_plain_errors(kAdvice, [&] {
      const torch::NoGradGuard no_gradients;
      const Tensor found = vectors(updated(torch::kFloat32), batch).to(torch::kCPU).contiguous();
      std::copy_n(found.data_ptr<float>(), found.numel(), out);
    });
  }

 private:
  const Tensor& words() const { return base_.at("embeddings.word_embeddings.weight"); }
  std::size_t each() const { return 1 + recipe_.references; }

  std::size_t used() const {
    const auto tokens = static_cast<double>(options_.tokens_together), size = static_cast<double>(width());
    return threads_for_products(threads_, 2 * tokens * size * size);
  }

  // Whether the inner values of so many tokens may be kept together.
  bool fits(std::size_t tokens) const {
    const std::int64_t own = static_cast<std::int64_t>(recipe_.chunk);
    const std::int64_t usual = options_.layout.device.is_cuda() ? kChunkOnGpu : kChunkOnCpu;
    return static_cast<std::int64_t>(tokens) <= (own > 0 ? own : usual);
  }

  TokenBatch taken(const TokenBatch& captions, const Drawn& drawn) const {
    if (drawn.images.size() < 2 || drawn.captions.size() != drawn.images.size() * each())
      throw UsageError("a step has " + std::to_string(drawn.images.size()) + " images and " +
                       std::to_string(drawn.captions.size()) + " captions, expected two images or more and " +
                       std::to_string(each()) + " captions of each");
    if (drawn.rated.size() == 1 || drawn.rated.size() == 2)
      throw UsageError("a step has one or two rated captions, expected three or more");
    TokenBatch batch;
    for (const auto* places : {&drawn.captions, &drawn.rated.candidates, &drawn.rated.references}) {
      for (const std::uint32_t k : *places) {
        if (k >= captions.size()) throw UsageError("there is no caption " + std::to_string(k));
        batch.add(std::span(captions.ids).subspan(captions.begin(k), captions.length(k)));
      }
    }
    return batch;
  }

  void check(const TokenBatch& batch) const {
    const std::int64_t places = base_.at("embeddings.position_embeddings.weight").size(0);
    encoder::expect_tokens(batch, words().size(0), places - options_.first_position);
  }

  double scale() const { return recipe_.alpha / static_cast<double>(recipe_.rank); }

  // The encoder with all updates added.
  Bert updated(torch::ScalarType type) const {
    const torch::NoGradGuard no_gradients;
    Arrays arrays = base_;
    for (const std::string& map : maps_) {
      Tensor& matrix = arrays.at(map + ".weight");
      matrix = matrix + torch::matmul(weights_[second_name(map)], weights_[first_name(map)]) * scale();
    }
    return bert_of(arrays, facts_, type);
  }

  // What an encoder computes with.
  static torch::ScalarType type_of(const Bert& bert) {
    return bert.tower.layers.front().qkv_weight.scalar_type();
  }

  PartOptions options_for(const Bert& bert) const {
    PartOptions options = options_;
    options.layout.type = type_of(bert);
    return options;
  }

  // Of a part's captions, in its order.
  Tensor part_vectors(const Bert& bert, const Part& part) const {
    const Tensor rows = bert.embed(part.ids, part.positions, {}, type_of(bert));
    if (recipe_.reading == Reading::first)
      return encoder::run_and_read(bert.tower, part.layout, rows, {}).to(torch::kFloat32);
    const Tensor last = encoder::run(bert.tower, part.layout, rows, bert.tower.layers.size(), {});
    return encoder::sequence_means(part, last.to(torch::kFloat32));
  }

  // In the order of the batch.
  Tensor vectors(const Bert& bert, const TokenBatch& batch) const {
    std::vector<Tensor> parts;
    std::vector<std::int64_t> places(batch.size());
    std::int64_t next = 0;
    encoder::for_parts(batch, {}, options_for(bert), [&](const Part& part) {
      for (const std::int64_t k : part.sequences) places[static_cast<std::size_t>(k)] = next++;
      parts.push_back(part_vectors(bert, part));
    });
    return torch::cat(parts).index_select(0, places_on(places, options_.layout.device));
  }

  Tensor loss_of(const Tensor& found, const Drawn& drawn) const {
    const Tensor images = numbers_on(drawn.images, found.device());
    const std::vector<std::int64_t> shape = {images.size(0), static_cast<std::int64_t>(each())};
    const Tensor together = also_together(images, numbers_on(drawn.captions, found.device()).view(shape));
    const Tensor units = directions(found);
    const auto others = static_cast<std::int64_t>(drawn.captions.size());
    const Tensor own = units.slice(0, 0, others).view({shape[0], shape[1], -1});
    const Tensor loss = batch_loss(own, recipe_.temperature, together);
    if (drawn.rated.size() == 0) return loss;
    return loss + recipe_.rated_weight * rated_loss(units.slice(0, others), drawn.rated);
  }

  // The loss, with its gradients to the factors. Captions are encoded a second time, part by part.
  Tensor loss_in_parts(const Bert& bert, const TokenBatch& batch, const Drawn& drawn) const {
    Tensor found;
    {
      const torch::NoGradGuard no_gradients;
      found = vectors(bert, batch);
    }
    found.requires_grad_();
    const Tensor loss = loss_of(found, drawn);
    loss.backward();
    const Tensor gradients = found.grad();
    encoder::for_parts(batch, {}, options_for(bert), [&](const Part& part) {
      const Tensor own = gradients.index_select(0, places_on(part.sequences, options_.layout.device));
      part_vectors(bert, part).backward(own);
    });
    return loss;
  }

  double learn(const TokenBatch& batch, const Drawn& drawn) {
    Bert bert = updated(recipe_.numbers == Numbers::bfloat16 ? torch::kBFloat16 : torch::kFloat32);
    const CutFactors factors(weights_, scale(), bert.tower);
    Tensor loss;
    if (fits(batch.ids.size())) {
      loss = loss_of(vectors(bert, batch), drawn);
      loss.backward();
    } else {
      loss = loss_in_parts(bert, batch, drawn);
    }
    factors.pass_on();
    adam_.step(method::adapter_training::rate_after(recipe_, static_cast<std::size_t>(adam_.steps())));
    const auto value = loss.item<double>();
    if (!std::isfinite(value))
      throw DataError("training went astray: the loss is no number after " + std::to_string(adam_.steps()) +
                      " steps; give a smaller --rate");
    return value;
  }

  Recipe recipe_;
  TowerFacts facts_;
  Arrays base_;
  std::vector<std::string> maps_;
  Weights weights_;
  FlatAdam adam_;
  PartOptions options_;
  std::size_t threads_;
};

class TorchMaker : public method::adapter_training::NetworkMaker {
 public:
  std::unique_ptr<method::adapter_training::Network> make(const BertModel& base, const Recipe& recipe,
                                                          const std::string& device, std::uint64_t seed,
                                                          std::size_t threads) const override {
    if (const std::string problem = method::adapter_training::recipe_problem(recipe); !problem.empty())
      throw UsageError("an adapter: " + problem);
    return with_plain_errors(kAdvice, [&]() -> std::unique_ptr<method::adapter_training::Network> {
      return std::make_unique<TorchNetwork>(base, recipe, device_named(device), seed, used_threads(threads));
    });
  }
};

}  // namespace
}  // namespace capella::plugin::adapter_training

extern "C" __attribute__((visibility("default"))) const capella::method::adapter_training::NetworkMaker*
capella_torch_adapter_training(int version) {
  static const capella::plugin::adapter_training::TorchMaker maker;
  return version == capella::method::adapter_training::kPluginVersion ? &maker : nullptr;
}

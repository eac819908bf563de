#include "torch/bench/slow_search.h"

#include <algorithm>
#include <cmath>
#include <queue>
#include <tuple>

namespace capella::bench {
namespace {

using method::pregen::Architecture;
using method::pregen::BeamOptions;
using method::pregen::CaptionData;
using method::pregen::GeneratedCaption;
using torch::Tensor;

using Prefix = SlowSearch::Prefix;
using Beam = std::vector<Prefix>;

// The authors' heap, with the least item in front.
void add(Beam& heap, std::size_t width, double logarithm, bool complete,
         const std::vector<std::int32_t>& words, std::int32_t next) {
  if (heap.size() == width && logarithm < std::get<0>(heap.front())) return;
  Prefix prefix{logarithm, complete, words};
  if (next >= 0) std::get<2>(prefix).push_back(next);
  heap.push_back(std::move(prefix));
  std::push_heap(heap.begin(), heap.end(), std::greater<>());
  if (heap.size() <= width) return;
  std::pop_heap(heap.begin(), heap.end(), std::greater<>());
  heap.pop_back();
}

void add_all(Beam& heap, const BeamOptions& options, const Prefix& prefix, const float* probabilities,
             std::int64_t vocabulary) {
  const auto& [logarithm, complete, words] = prefix;
  for (std::int64_t id = 0; id < vocabulary; ++id) {
    if (id == method::pregen::kUnknown) continue;
    const double longer = logarithm + std::log2(static_cast<double>(probabilities[id]));
    if (id == method::pregen::kEdge) {
      if (words.size() >= options.least_words) add(heap, options.width, longer, true, words, -1);
    } else {
      add(heap, options.width, longer, words.size() + 1 == options.most_words, words,
          static_cast<std::int32_t>(id));
    }
  }
}

}  // namespace

SlowSearch::SlowSearch(const method::pregen::Generator& generator, torch::Device device)
    : architecture_(generator.recipe().architecture), device_(device) {
  const auto arrays = generator.arrays(false);
  const auto named = [&](const std::string& name) {
    for (const auto& array : arrays) {
      if (array.name != name) continue;
      const std::vector<std::int64_t> shape(array.shape.begin(), array.shape.end());
      return torch::from_blob(const_cast<float*>(array.values.data()), shape).clone().to(device);
    }
    return Tensor();
  };
  const std::string cell = "nn/prefix/rnn/gru_cell/";
  image_weight_ = named("nn/image/W");
  image_bias_ = named("nn/image/b");
  embedding_ = named("nn/prefix/embedding/embedding_matrix");
  first_ = named("nn/prefix/rnn/init_h");
  gate_weight_ = named(cell + "gates/kernel");
  gate_bias_ = named(cell + "gates/bias");
  candidate_weight_ = named(cell + "candidate/kernel");
  candidate_bias_ = named(cell + "candidate/bias");
  out_weight_ = named("nn/out/W");
  out_bias_ = named("nn/out/b");
}

Tensor SlowSearch::step(const Tensor& input, const Tensor& state) const {
  const Tensor gates = torch::sigmoid(torch::addmm(gate_bias_, torch::cat({input, state}, 1), gate_weight_));
  const auto parts = gates.chunk(2, 1);
  const Tensor fresh =
      torch::tanh(torch::addmm(candidate_bias_, torch::cat({input, parts[0] * state}, 1), candidate_weight_));
  return parts[1] * state + (1 - parts[1]) * fresh;
}

Tensor SlowSearch::probabilities(const Tensor& images, const Tensor& words) const {
  const Tensor features = images / images.norm(2, 1, true);
  const Tensor image = torch::addmm(image_bias_, features, image_weight_);
  Tensor state = image;
  if (architecture_ == Architecture::pre) state = step(image, torch::zeros_like(image));
  if (first_.defined()) state = first_.expand_as(image);
  std::vector<Tensor> states;
  for (std::int64_t t = 0; t < words.size(1); ++t) {
    Tensor input = embedding_.index_select(0, words.select(1, t));
    if (architecture_ == Architecture::par) input = torch::cat({image, input}, 1);
    state = step(input, state);
    states.push_back(architecture_ == Architecture::merge ? torch::cat({image, state}, 1) : state);
  }
  const Tensor all = torch::stack(states, 1);
  const Tensor logits = torch::addmm(out_bias_, all.flatten(0, 1), out_weight_);
  return torch::softmax(logits, 1).view({words.size(0), words.size(1), -1});
}

// One step of the beams of the images that are open.
void SlowSearch::advance(const Tensor& features, const std::vector<std::size_t>& open,
                         std::vector<std::vector<Prefix>>& beams, const BeamOptions& options) const {
  std::vector<std::int64_t> rows, words;
  std::vector<const Prefix*> prefixes;
  std::vector<Beam> next(beams.size());
  for (const std::size_t image : open) {
    for (const Prefix& prefix : beams[image]) {
      if (std::get<1>(prefix)) {
        add(next[image], options.width, std::get<0>(prefix), true, std::get<2>(prefix), -1);
        continue;
      }
      rows.push_back(static_cast<std::int64_t>(image));
      prefixes.push_back(&prefix);
      words.push_back(method::pregen::kEdge);
      for (const std::int32_t id : std::get<2>(prefix)) words.push_back(id);
    }
  }
  const auto count = static_cast<std::int64_t>(rows.size());
  const Tensor images = features.index_select(0, torch::tensor(rows, torch::kInt64)).to(device_);
  const Tensor ids = torch::tensor(words, torch::kInt64).view({count, -1}).to(device_);
  const Tensor found = probabilities(images, ids).select(1, ids.size(1) - 1).cpu().contiguous();
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const float* own = found.data_ptr<float>() + static_cast<std::int64_t>(row) * found.size(1);
    add_all(next[static_cast<std::size_t>(rows[row])], options, *prefixes[row], own, found.size(1));
  }
  for (const std::size_t image : open) beams[image] = std::move(next[image]);
}

std::vector<GeneratedCaption> SlowSearch::run(const CaptionData& data, std::size_t images,
                                              std::size_t images_at_once, const BeamOptions& options) const {
  const torch::NoGradGuard no_gradients;
  const auto width = static_cast<std::int64_t>(data.width);
  const Tensor features =
      torch::from_blob(const_cast<float*>(data.features.data()), {static_cast<std::int64_t>(images), width});
  std::vector<Beam> beams(images, Beam{{0.0, false, {}}});
  std::vector<GeneratedCaption> captions(images);
  for (std::size_t begin = 0; begin < images; begin += images_at_once) {
    std::vector<std::size_t> open;
    for (std::size_t i = begin; i < std::min(images, begin + images_at_once); ++i) open.push_back(i);
    while (!open.empty()) {
      advance(features, open, beams, options);
      std::erase_if(open, [&](std::size_t image) {
        const Prefix& best = *std::max_element(beams[image].begin(), beams[image].end());
        if (std::get<1>(best)) captions[image] = {std::get<2>(best), std::get<0>(best)};
        return std::get<1>(best);
      });
    }
  }
  return captions;
}

}  // namespace capella::bench

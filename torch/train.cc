#include "torch/train.h"

#include <algorithm>
#include <vector>

#include "torch/draw.h"

namespace capella::plugin {

double train_epoch(const Network& network, Adam& adam, const CaptionData& data,
                   std::span<const std::uint32_t> order, std::size_t longest, std::uint64_t seed,
                   const method::pregen::Steps& steps) {
  const Recipe& recipe = network.recipe;
  const std::vector<std::uint32_t> image_of = images_of_captions(data);
  Tensor total = torch::zeros({}, torch::TensorOptions(network.device).dtype(torch::kFloat64));
  std::size_t batches = 0;
  for (std::size_t begin = 0; begin < order.size(); begin += recipe.batch, ++batches) {
    const std::size_t count = std::min(recipe.batch, order.size() - begin);
    const Batch batch = make_batch(data, order.subspan(begin, count), image_of, recipe.vocabulary, true);
    const Tensor batch_loss = loss(network, batch, longest, mixed(seed, batches));
    batch_loss.backward();
    adam.step(recipe.rate);
    total += batch_loss.detach();
    if (steps) steps(begin + count, order.size());
  }
  return batches == 0 ? 0 : total.item<double>() / static_cast<double>(batches);
}

}  // namespace capella::plugin

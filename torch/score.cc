// Captions are taken in order of their lengths, so that hardly any row of a product is padding. All states of
// a batch are computed first; then their logits, some rows at a time, of which only the target's, the
// greatest and the sum of exponentials are kept.
#include "torch/score.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <numeric>
#include <optional>
#include <vector>

#include "tensor/kernels.h"
#include "torch/inference.h"
#include "torch/threads.h"

namespace capella::plugin {
namespace {

// On the CPU there are kScoredBatches or more, for threads to share, if they do not get too small.
struct Sizes {
  std::size_t least;  // captions in a batch
  std::size_t most;
  std::int64_t rows;  // of logits at a time
};
constexpr Sizes kScoredOnCpu = {64, 512, 512};
constexpr Sizes kScoredOnDevice = {8192, 8192, 8192};
constexpr std::size_t kScoredBatches = 16;

struct Scorer {
  const Inference& inference;
  const CaptionData& data;
  const std::vector<std::uint32_t>& image_of;
  const ImageParts& images;
  Sizes sizes;
  io::TokenProbabilities& result;

  void score(std::span<const std::uint32_t> captions) const;
  Tensor shown(const Batch& batch, const ImageParts& own, const Tensor& inputs) const;
  void read_on_cpu(Tensor& logits, std::span<const std::int64_t> targets, double* probabilities,
                   std::uint32_t* ranks) const;
  void read_with_torch(Tensor& logits, std::span<const std::int64_t> targets, double* probabilities,
                       std::uint32_t* ranks) const;
};

// What the output layer reads, for each word in order of steps.
Tensor Scorer::shown(const Batch& batch, const ImageParts& own, const Tensor& inputs) const {
  const std::int64_t size = inference.size();
  const std::int64_t before = inference.shown_size() - size;  // the image's place
  Tensor out = torch::empty({inputs.size(0), inference.shown_size()}, own.projected.options());
  Tensor states = inference.first_states(own);
  std::int64_t at = 0;
  for (const std::int64_t rows : batch.rows) {
    ImageParts these{own.projected.narrow(0, 0, rows), {}};
    if (own.inputs.defined()) these.inputs = own.inputs.narrow(0, 0, rows);
    states = inference.next_states(inputs.narrow(0, at, rows), these, states.narrow(0, 0, rows));
    out.narrow(0, at, rows).narrow(1, before, size).copy_(states);
    if (before > 0) out.narrow(0, at, rows).narrow(1, 0, size).copy_(these.projected);
    at += rows;
  }
  return out;
}

void Scorer::read_on_cpu(Tensor& logits, std::span<const std::int64_t> targets, double* probabilities,
                         std::uint32_t* ranks) const {
  const auto columns = static_cast<std::size_t>(inference.columns());
  const auto* bias = inference.out_bias().data_ptr<float>();
  auto* row = logits.data_ptr<float>();
  for (std::size_t i = 0; i < targets.size(); ++i, row += columns) {
    const auto target = static_cast<std::size_t>(targets[i]);
    const tensor::LogitSummary sums = tensor::kernels().summarise_logits(row, bias, columns, target);
    probabilities[i] =
        std::exp(static_cast<double>(sums.target) - static_cast<double>(sums.highest)) / sums.exponentials;
    ranks[i] = sums.greater;
  }
}

void Scorer::read_with_torch(Tensor& logits, std::span<const std::int64_t> targets, double* probabilities,
                             std::uint32_t* ranks) const {
  const auto count = static_cast<std::int64_t>(targets.size());
  const Tensor index = torch::from_blob(const_cast<std::int64_t*>(targets.data()), {count, 1}, torch::kInt64)
                           .to(inference.device());
  logits.add_(inference.out_bias());
  const Tensor target = logits.gather(1, index);
  const Tensor greater = (logits > target).sum(1).cpu();
  const Tensor total = torch::logsumexp(logits, 1, true);
  const Tensor probability = (target - total).to(torch::kFloat64).exp().cpu();
  for (std::int64_t i = 0; i < count; ++i) {
    probabilities[i] = probability.data_ptr<double>()[i];
    ranks[i] = static_cast<std::uint32_t>(greater.data_ptr<std::int64_t>()[i]);
  }
}

void Scorer::score(std::span<const std::uint32_t> captions) const {
  const Batch batch =
      make_batch(data, captions, image_of, static_cast<std::size_t>(inference.vocabulary()), false);
  std::vector<std::int64_t> image_rows;
  for (const std::uint32_t k : captions) image_rows.push_back(image_of[k]);
  const Tensor inputs = torch::tensor(batch.inputs, torch::kInt64).to(inference.device());
  const Tensor all = shown(batch, images.select(image_rows), inputs);
  const std::int64_t tokens = all.size(0);
  std::vector<double> found(static_cast<std::size_t>(tokens));
  std::vector<std::uint32_t> ranks(static_cast<std::size_t>(tokens));
  const Tensor buffer = torch::empty({std::min(sizes.rows, tokens), inference.columns()}, all.options());
  for (std::int64_t begin = 0; begin < tokens; begin += sizes.rows) {
    const std::int64_t count = std::min(sizes.rows, tokens - begin);
    Tensor logits = buffer.narrow(0, 0, count);
    inference.multiply_out(all.narrow(0, begin, count), logits);
    const auto targets =
        std::span(batch.targets).subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(count));
    if (inference.device().is_cpu()) {
      read_on_cpu(logits, targets, found.data() + begin, ranks.data() + begin);
    } else {
      read_with_torch(logits, targets, found.data() + begin, ranks.data() + begin);
    }
  }
  std::size_t token = 0;
  for (std::size_t step = 0; step < batch.rows.size(); ++step) {
    for (std::int64_t row = 0; row < batch.rows[step]; ++row, ++token) {
      const std::size_t place = result.words[captions[static_cast<std::size_t>(row)]] + step;
      result.probabilities[place] = found[token];
      result.ranks[place] = ranks[token];
    }
  }
}

io::TokenProbabilities empty_result(const CaptionData& data) {
  io::TokenProbabilities result;
  result.captions = data.captions;
  for (std::size_t k = 0; k < data.caption_count(); ++k)
    result.words.push_back(result.words.back() + data.caption(k).size() + 1);
  result.probabilities.resize(result.words.back());
  result.ranks.resize(result.words.back());
  return result;
}

}  // namespace

io::TokenProbabilities probabilities(const Network& network, const CaptionData& data, std::size_t threads,
                                     const method::pregen::Steps& steps) {
  const torch::NoGradGuard no_gradients;
  const bool on_cpu = network.device.is_cpu();
  io::TokenProbabilities result = empty_result(data);
  if (data.caption_count() == 0) return result;
  const std::size_t sharing = threads_for_products(threads, Inference::word_operations(network.recipe));
  std::optional<Threads> settings(std::in_place, sharing, on_cpu ? 1 : sharing);
  const Inference inference(network);
  const ImageParts images = inference.images(data);
  const std::vector<std::uint32_t> image_of = images_of_captions(data);
  std::vector<std::uint32_t> order(data.caption_count());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return data.caption(a).size() > data.caption(b).size();
  });
  const Sizes& sizes = on_cpu ? kScoredOnCpu : kScoredOnDevice;
  const std::size_t workers = on_cpu ? threads : 1;
  const std::size_t at_once =
      std::clamp((order.size() + kScoredBatches - 1) / kScoredBatches, sizes.least, sizes.most);
  const Scorer scorer{inference, data, image_of, images, sizes, result};
  settings.reset();
  const Threads one_per_batch(threads, on_cpu ? 1 : threads);
  std::mutex mutex;
  std::size_t done = 0;
  for_each((order.size() + at_once - 1) / at_once, workers, [&](std::size_t batch) {
    const std::size_t begin = batch * at_once;
    const std::size_t count = std::min(at_once, order.size() - begin);
    scorer.score(std::span(order).subspan(begin, count));
    const std::lock_guard lock(mutex);
    done += count;
    if (steps) steps(done, order.size());
  });
  return result;
}

}  // namespace capella::plugin

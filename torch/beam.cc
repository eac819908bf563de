// Each item of a beam has its state, so that a step costs one step of the network; the items of all images of
// a batch are its rows, and images leave the batch when their caption is found. Of a row's words only the
// `width` best can stay.
#include "torch/beam.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <numbers>
#include <numeric>
#include <optional>

#include "capella/error.h"

#include "tensor/kernels.h"
#include "torch/inference.h"
#include "torch/threads.h"

namespace capella::plugin {
namespace {

using method::pregen::BeamOptions;
using method::pregen::GeneratedCaption;
using method::pregen::kEdge;
using method::pregen::kUnknown;

// Images in a batch, and rows: an image has as many as its beam is wide. On the CPU there are kBatches or
// more, for threads to share, if they do not get too small.
struct BatchSizes {
  std::size_t least;
  std::size_t most;
  std::size_t rows;
};
constexpr BatchSizes kOnCpu = {32, 256, 5 * 256};
constexpr BatchSizes kOnDevice = {8192, 8192, 5 * 8192};
constexpr std::size_t kBatches = 16;
constexpr std::int64_t kRowsOnCpu = 256;
constexpr std::int64_t kRowsOnDevice = 8192;

struct Item {
  double log2_probability = 0;
  bool ended = false;
  std::vector<std::int32_t> ids;
  std::int64_t row = 0;  // where its state is
};

bool better(const Item& a, const Item& b) {
  if (a.log2_probability != b.log2_probability) return a.log2_probability > b.log2_probability;
  if (a.ended != b.ended) return a.ended;
  return a.ids > b.ids;
}

struct WordLogit {
  float logit = 0;
  std::int32_t id = 0;
};

// How likely it is that a caption ends or goes on with one of its likeliest words.
struct Continuations {
  double end = 0;                                      // log2 of the probability
  std::vector<std::pair<std::int32_t, double>> words;  // the likeliest, with theirs
};

// The `width` greatest logits of real words, in any order; of equal ones those with greater ids.
std::vector<WordLogit> greatest_words(const float* row, std::int64_t vocabulary, std::size_t width) {
  constexpr std::int64_t kAtOnce = 64;
  const auto above = [](const WordLogit& a, const WordLogit& b) {
    return a.logit != b.logit ? a.logit > b.logit : a.id > b.id;
  };
  std::vector<WordLogit> kept;  // a heap with the least one in front
  for (std::int64_t begin = kUnknown + 1; begin < vocabulary; begin += kAtOnce) {
    const std::int64_t end = std::min(begin + kAtOnce, vocabulary);
    if (kept.size() == width) {
      const float least = kept.front().logit;
      int reaching = 0;
      for (std::int64_t id = begin; id < end; ++id) reaching += row[id] >= least ? 1 : 0;
      if (reaching == 0) continue;
    }
    for (std::int64_t id = begin; id < end; ++id) {
      const WordLogit word{row[id], static_cast<std::int32_t>(id)};
      if (kept.size() == width) {
        if (!above(word, kept.front())) continue;
        std::pop_heap(kept.begin(), kept.end(), above);
        kept.back() = word;
      } else {
        kept.push_back(word);
      }
      std::push_heap(kept.begin(), kept.end(), above);
    }
  }
  return kept;
}

// The captions of one batch of images, as far as they are.
class Search {
 public:
  Search(const Inference& inference, const ImageParts& images, const BeamOptions& options)
      : inference_(inference), all_images_(images), options_(options) {}

  std::vector<GeneratedCaption> run(std::size_t begin, std::size_t count);

 private:
  std::vector<Continuations> continuations(const ImageParts& images);
  void read_on_cpu(Tensor& logits, std::vector<Continuations>& out) const;
  void read_with_torch(Tensor& logits, std::vector<Continuations>& out) const;
  void advance(std::vector<Item>& beam, const std::vector<Continuations>& next) const;
  void gather(const std::vector<std::size_t>& going_on);

  const Inference& inference_;
  const ImageParts& all_images_;
  const BeamOptions& options_;
  std::vector<std::vector<Item>> beams_;  // by image of the batch, the best item first
  Tensor states_;                         // of the items that go on
  Tensor words_;                          // the last word of each
  std::vector<std::int64_t> image_rows_;  // the image of each
};

void Search::read_on_cpu(Tensor& logits, std::vector<Continuations>& out) const {
  const auto columns = static_cast<std::size_t>(inference_.columns());
  const auto* bias = inference_.out_bias().data_ptr<float>();
  auto* row = logits.data_ptr<float>();
  for (std::int64_t r = 0; r < logits.size(0); ++r, row += columns) {
    const tensor::LogitSummary sums = tensor::kernels().summarise_logits(row, bias, columns, kEdge);
    const double total = static_cast<double>(sums.highest) + std::log(sums.exponentials);
    Continuations next{(static_cast<double>(sums.target) - total) / std::numbers::ln2, {}};
    for (const WordLogit& word : greatest_words(row, inference_.vocabulary(), options_.width))
      next.words.emplace_back(word.id, (static_cast<double>(word.logit) - total) / std::numbers::ln2);
    out.push_back(std::move(next));
  }
}

void Search::read_with_torch(Tensor& logits, std::vector<Continuations>& out) const {
  logits.add_(inference_.out_bias());
  const Tensor total = torch::logsumexp(logits, 1, true).to(torch::kFloat64);
  const Tensor end = ((logits.narrow(1, kEdge, 1).to(torch::kFloat64) - total) / std::numbers::ln2).cpu();
  const Tensor words = logits.narrow(1, kUnknown + 1, inference_.vocabulary() - kUnknown - 1);
  const std::int64_t width = std::min(static_cast<std::int64_t>(options_.width), words.size(1));
  const auto [greatest, ids] = words.topk(width, 1);
  const Tensor found = ((greatest.to(torch::kFloat64) - total) / std::numbers::ln2).cpu();
  const Tensor id = ids.cpu();
  for (std::int64_t r = 0; r < logits.size(0); ++r) {
    Continuations next{end.data_ptr<double>()[r], {}};
    for (std::int64_t i = r * width; i < (r + 1) * width; ++i)
      next.words.emplace_back(static_cast<std::int32_t>(id.data_ptr<std::int64_t>()[i] + kUnknown + 1),
                              found.data_ptr<double>()[i]);
    out.push_back(std::move(next));
  }
}

// One step of all items that go on, and what may follow each.
std::vector<Continuations> Search::continuations(const ImageParts& images) {
  states_ = inference_.next_states(words_, images, states_);
  const Tensor shown =
      inference_.architecture() == Architecture::merge ? torch::cat({images.projected, states_}, 1) : states_;
  const std::int64_t rows_at_once = inference_.device().is_cpu() ? kRowsOnCpu : kRowsOnDevice;
  std::vector<Continuations> out;
  for (std::int64_t begin = 0; begin < shown.size(0); begin += rows_at_once) {
    const std::int64_t count = std::min(rows_at_once, shown.size(0) - begin);
    Tensor logits = torch::empty({count, inference_.columns()}, shown.options());
    inference_.multiply_out(shown.narrow(0, begin, count), logits);
    if (inference_.device().is_cpu()) {
      read_on_cpu(logits, out);
    } else {
      read_with_torch(logits, out);
    }
  }
  return out;
}

void Search::advance(std::vector<Item>& beam, const std::vector<Continuations>& next) const {
  std::vector<Item> candidates;
  for (const Item& item : beam) {
    if (item.ended) {
      candidates.push_back(item);
      continue;
    }
    const Continuations& follow = next[static_cast<std::size_t>(item.row)];
    if (item.ids.size() >= options_.least_words)
      candidates.push_back({item.log2_probability + follow.end, true, item.ids, item.row});
    for (const auto& [id, log2_probability] : follow.words) {
      Item longer{item.log2_probability + log2_probability, item.ids.size() + 1 == options_.most_words,
                  item.ids, item.row};
      longer.ids.push_back(id);
      candidates.push_back(std::move(longer));
    }
  }
  for (const Item& item : candidates) {
    if (std::isnan(item.log2_probability))
      throw DataError("the network's weights give no probabilities; train it again");
  }
  std::sort(candidates.begin(), candidates.end(), better);
  candidates.resize(std::min(candidates.size(), options_.width));
  beam = std::move(candidates);
}

// The rows of the next step: states, last words and images of all items that go on.
void Search::gather(const std::vector<std::size_t>& going_on) {
  std::vector<std::int64_t> from, words;
  image_rows_.clear();
  for (const std::size_t image : going_on) {
    for (Item& item : beams_[image]) {
      if (item.ended) continue;
      from.push_back(item.row);
      words.push_back(item.ids.empty() ? kEdge : item.ids.back());
      item.row = static_cast<std::int64_t>(image_rows_.size());
      image_rows_.push_back(static_cast<std::int64_t>(image));
    }
  }
  states_ = states_.index_select(0, torch::tensor(from, torch::kInt64).to(inference_.device()));
  words_ = torch::tensor(words, torch::kInt64).to(inference_.device());
}

std::vector<GeneratedCaption> Search::run(std::size_t begin, std::size_t count) {
  ImageParts own{
      all_images_.projected.narrow(0, static_cast<std::int64_t>(begin), static_cast<std::int64_t>(count)),
      {}};
  if (all_images_.inputs.defined())
    own.inputs =
        all_images_.inputs.narrow(0, static_cast<std::int64_t>(begin), static_cast<std::int64_t>(count));
  states_ = inference_.first_states(own);
  beams_.assign(count, {Item{}});
  std::vector<std::size_t> going_on(count);
  std::iota(going_on.begin(), going_on.end(), std::size_t{0});
  for (const std::size_t image : going_on) beams_[image].front().row = static_cast<std::int64_t>(image);
  while (!going_on.empty()) {
    gather(going_on);
    const std::vector<Continuations> next = continuations(inference_.step_parts(own, image_rows_));
    for (const std::size_t image : going_on) advance(beams_[image], next);
    std::erase_if(going_on, [&](std::size_t image) { return beams_[image].front().ended; });
  }
  std::vector<GeneratedCaption> captions;
  for (std::vector<Item>& beam : beams_)
    captions.push_back({std::move(beam.front().ids), beam.front().log2_probability});
  return captions;
}

std::size_t images_at_once(const BeamOptions& options, std::size_t images, bool on_cpu) {
  if (options.batch > 0) return options.batch;
  const BatchSizes& sizes = on_cpu ? kOnCpu : kOnDevice;
  const std::size_t shared = std::clamp((images + kBatches - 1) / kBatches, sizes.least, sizes.most);
  return std::max<std::size_t>(1, std::min(shared, sizes.rows / options.width));
}

void check(const BeamOptions& options) {
  if (options.width == 0) throw UsageError("a beam of 0 captions; give a positive number");
  if (options.most_words == 0) throw UsageError("captions of at most 0 words; give a positive number");
}

}  // namespace

std::vector<GeneratedCaption> generate(const Network& network, const CaptionData& data,
                                       const BeamOptions& options, std::size_t threads,
                                       const method::pregen::Steps& steps) {
  check(options);
  const torch::NoGradGuard no_gradients;
  const bool on_cpu = network.device.is_cpu();
  const std::size_t count = data.image_count();
  std::vector<GeneratedCaption> captions(count);
  if (count == 0) return captions;
  const std::size_t sharing = threads_for_products(threads, Inference::word_operations(network.recipe));
  std::optional<Threads> settings(std::in_place, sharing, on_cpu ? 1 : sharing);
  const Inference inference(network);
  const ImageParts images = inference.images(data);
  settings.reset();
  const std::size_t workers = on_cpu ? threads : 1;
  const std::size_t at_once = images_at_once(options, count, on_cpu);
  const Threads one_per_batch(threads, on_cpu ? 1 : threads);
  std::mutex mutex;
  std::size_t done = 0;
  for_each((count + at_once - 1) / at_once, workers, [&](std::size_t batch) {
    const std::size_t begin = batch * at_once;
    const std::size_t some = std::min(at_once, count - begin);
    std::vector<GeneratedCaption> found = Search(inference, images, options).run(begin, some);
    std::move(found.begin(), found.end(), captions.begin() + static_cast<std::ptrdiff_t>(begin));
    const std::lock_guard lock(mutex);
    done += some;
    if (steps) steps(done, count);
  });
  return captions;
}

}  // namespace capella::plugin

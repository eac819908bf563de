// Times the plug-in on the sizes of the authors' COCO study, next to the plain ways with the same networks.
// Answers are compared before a time is told.
//
//   bench_generator [cpu|cuda] [compare] [probabilities] [generate] [train] [init] [pre] [par] [merge]
//
// On the CPU it starts itself again with the kernels of OpenBLAS that fit this processor, as the program's
// loader chooses them.
#include "method/pregen/generator.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <torch/torch.h>
#include <unistd.h>

#include "torch/bench/slow_search.h"

extern "C" const capella::method::pregen::GeneratorMaker* capella_torch_generators(int version);

namespace capella::bench {
namespace {

using method::pregen::Architecture;
using method::pregen::BeamOptions;
using method::pregen::GeneratedCaption;
using method::pregen::Generator;
using method::pregen::NetworkArray;
using method::pregen::Recipe;

std::vector<Architecture> wanted_architectures = {Architecture::init, Architecture::pre, Architecture::par,
                                                  Architecture::merge};

std::string name_of(Architecture architecture) {
  return std::string(method::pregen::kArchitectureNames[static_cast<std::size_t>(architecture)]);
}

constexpr std::size_t kVocabulary = 8792;
constexpr std::size_t kImageWidth = 4096;
constexpr std::size_t kImages = 5000;
constexpr std::size_t kCaptions = 25010;

// The larger one, but what is not a number stays, so that it fails every check.
double larger(double a, double b) {
  return std::isnan(a) || a > b ? a : b;
}

double seconds(torch::Device device, const std::function<void()>& job) {
  if (device.is_cuda()) torch::cuda::synchronize();
  const auto begin = std::chrono::steady_clock::now();
  job();
  if (device.is_cuda()) torch::cuda::synchronize();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

Recipe coco_recipe(Architecture architecture) {
  Recipe recipe;
  recipe.architecture = architecture;
  recipe.vocabulary = kVocabulary;
  recipe.image = kImageWidth;
  recipe.size = architecture == Architecture::merge ? 128 : architecture == Architecture::par ? 256 : 512;
  recipe.beam = architecture == Architecture::par ? 5 : 3;
  recipe.batch = 128;
  return recipe;
}

const method::pregen::GeneratorMaker& maker() {
  return *capella_torch_generators(method::pregen::kPluginVersion);
}

// Weights about as large as trained ones, so that captions differ and probabilities spread.
std::unique_ptr<Generator> network(const Recipe& recipe, const std::string& device, float end_bias) {
  auto generator = maker().make(recipe, device, 1, 0);
  auto arrays = generator->arrays(false);
  std::mt19937 random(7);
  std::normal_distribution<float> normal;
  for (NetworkArray& array : arrays) {
    const float spread = array.name == "nn/image/W" ? 1.0f : array.name == "nn/out/W" ? .25f : .08f;
    for (float& x : array.values) x = spread * normal(random);
    if (array.name == "nn/out/b") array.values[0] = end_bias;
  }
  generator->set_arrays(arrays);
  return generator;
}

// Captions of 5 to 16 words, on the average 10.5, so 11.5 with the end; every image has five, some six.
method::pregen::CaptionData captions(std::size_t images, std::size_t count, std::size_t width,
                                     std::size_t vocabulary) {
  method::pregen::CaptionData data;
  std::mt19937 random(5);
  std::normal_distribution<float> normal;
  data.width = width;
  data.features.resize(images * width);
  for (float& x : data.features) x = std::max(0.0f, normal(random));
  for (std::size_t image = 0; image < images; ++image) {
    const std::size_t end = (image + 1) * count / images;
    while (data.caption_count() < end) {
      for (std::size_t w = 5 + random() % 12; w > 0; --w)
        data.ids.push_back(static_cast<std::int32_t>(1 + random() % (vocabulary - 1)));
      data.words.push_back(data.ids.size());
    }
    data.captions.push_back(end);
  }
  return data;
}

// Of products of the sizes that matter, the best of several runs.
double product_rate(torch::Device device) {
  const torch::NoGradGuard no_gradients;
  double best = 0;
  for (const std::int64_t side : {512, 2048}) {
    const torch::Tensor a = torch::randn({4096, side}, device), b = torch::randn({side, 8192}, device);
    for (int run = 0; run < 5; ++run) {
      const double time = seconds(device, [&] { torch::mm(a, b); });
      best = std::max(best, 2.0 * 4096 * 8192 * static_cast<double>(side) / time);
    }
  }
  return best;
}

// The parts of `all` for the first images.
method::pregen::CaptionData first_images(const method::pregen::CaptionData& all, std::size_t images) {
  method::pregen::CaptionData data;
  data.width = all.width;
  data.features.assign(all.features.begin(),
                       all.features.begin() + static_cast<std::ptrdiff_t>(images * all.width));
  data.captions.assign(all.captions.begin(), all.captions.begin() + static_cast<std::ptrdiff_t>(images + 1));
  data.words.assign(all.words.begin(),
                    all.words.begin() + static_cast<std::ptrdiff_t>(data.captions.back() + 1));
  data.ids.assign(all.ids.begin(), all.ids.begin() + static_cast<std::ptrdiff_t>(data.words.back()));
  return data;
}

// Probabilities of the first images' captions against torch's softmax, caption by caption.
bool same_probabilities(const Generator& generator, const method::pregen::CaptionData& all,
                        double tolerance) {
  const torch::NoGradGuard no_gradients;
  const auto data = first_images(all, 20);
  const SlowSearch plain(generator, torch::kCPU);
  const io::TokenProbabilities found = generator.probabilities(data, {});
  double worst = 0;
  std::size_t ranks = 0;
  for (std::size_t image = 0; image < data.image_count(); ++image) {
    const torch::Tensor feature =
        torch::tensor(std::vector<float>(data.feature(image).begin(), data.feature(image).end()))
            .view({1, -1});
    for (std::size_t k = data.captions[image]; k < data.captions[image + 1]; ++k) {
      std::vector<std::int64_t> words = {0};
      words.insert(words.end(), data.caption(k).begin(), data.caption(k).end());
      const torch::Tensor all_words =
          plain.probabilities(feature, torch::tensor(words, torch::kInt64).view({1, -1}))[0];
      for (std::size_t t = 0; t < words.size(); ++t) {
        const std::int64_t target = t + 1 < words.size() ? words[t + 1] : 0;
        const torch::Tensor row = all_words[static_cast<std::int64_t>(t)];
        const double expected = row[target].item<double>();
        worst = larger(worst, std::fabs(found.probabilities[found.words[k] + t] / expected - 1));
        const auto greater = (row > row[target]).sum().item<std::int64_t>();
        const std::int64_t rank = found.ranks[found.words[k] + t];
        ranks += std::llabs(greater - rank) > 2 || (greater == 0) != (rank == 0) ? 1 : 0;
      }
    }
  }
  std::printf("  answers: 20 images, largest relative difference to torch's softmax %.1e; other ranks: %zu\n",
              worst, ranks);
  return worst < tolerance && ranks == 0;
}

// Operations of the products that scoring takes as it is done: what words and images add to the gates is
// multiplied once for each of them, not once for each place.
double executed(const Recipe& recipe, const method::pregen::CaptionData& data) {
  const auto size = static_cast<double>(recipe.size);
  const double cell = 3 * size * size;
  const auto words = static_cast<double>(recipe.vocabulary);
  const auto count = static_cast<double>(data.caption_count());
  const double tokens = static_cast<double>(data.ids.size()) + count;
  const bool has_inputs =
      recipe.architecture == Architecture::pre || recipe.architecture == Architecture::par;
  const double shown = recipe.architecture == Architecture::merge ? 2 * size : size;
  const double image = static_cast<double>(recipe.image) * size + (has_inputs ? cell : 0);
  const double first = recipe.architecture == Architecture::pre ? count * cell : 0;
  return 2 * (words * cell + static_cast<double>(data.image_count()) * image + first +
              tokens * (cell + shown * words));
}

bool time_probabilities(const std::string& name, torch::Device device) {
  const auto data = captions(kImages, kCaptions, kImageWidth, kVocabulary);
  const auto tokens = static_cast<double>(data.ids.size() + data.caption_count());
  std::printf("probabilities of %zu captions, %.0f words with their ends, vocabulary %zu\n",
              data.caption_count(), tokens, kVocabulary);
  double rate = product_rate(device);
  bool same = true;
  for (const Architecture architecture : wanted_architectures) {
    const Recipe recipe = coco_recipe(architecture);
    const auto generator = network(recipe, name, 0);
    std::printf(" %s\n", name_of(architecture).c_str());
    same = same_probabilities(*generator, data, 1e-4) && same;
    const auto size = static_cast<double>(recipe.size);
    const double inputs = architecture == Architecture::par ? 3 * size : 2 * size;
    const double shown = architecture == Architecture::merge ? 2 * size : size;
    const double work = 2 * tokens * (inputs * 3 * size + shown * static_cast<double>(kVocabulary));
    double best = 1e9;
    for (int run = 0; run < 2; ++run) {
      best = std::min(best, seconds(device, [&] { generator->probabilities(data, {}); }));
      rate = std::max(rate, product_rate(device));
    }
    std::printf("  this machine's product of float matrices: %.0f GFLOP/s\n", rate / 1e9);
    const double done = executed(recipe, data);
    std::printf("  %.3f s, %.2f TFLOP by the definition: %.0f GFLOP/s, %.2f of the product's rate\n", best,
                work / 1e12, work / best / 1e9, work / best / rate);
    std::printf(
        "  %.2f TFLOP executed (words multiplied once each, images too): %.2f of the product's rate\n",
        done / 1e12, done / best / rate);
  }
  return same;
}

double mean_words(const std::vector<GeneratedCaption>& found) {
  double words = 0;
  for (const GeneratedCaption& caption : found) words += static_cast<double>(caption.ids.size());
  return words / static_cast<double>(found.size());
}

// A network whose captions have about as many words as people's.
std::unique_ptr<Generator> talking_network(const Recipe& recipe, const std::string& device,
                                           const method::pregen::CaptionData& data) {
  const auto some = first_images(data, 100);
  BeamOptions options;
  options.width = recipe.beam;
  for (float bias = 0; bias < 30; bias += .5f) {
    auto generator = network(recipe, device, bias);
    if (mean_words(generator->generate(some, options, {})) < 11) return generator;
  }
  return network(recipe, device, 30);
}

// How many captions are others. `gap` grows to the largest difference in log2, of equal captions too.
std::size_t differences(const std::vector<GeneratedCaption>& a, const std::vector<GeneratedCaption>& b,
                        double& gap) {
  std::size_t different = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    different += a[i].ids == b[i].ids ? 0 : 1;
    gap = larger(gap, std::fabs(a[i].log2_probability - b[i].log2_probability));
  }
  return different;
}

bool time_generation(const std::string& name, torch::Device device) {
  const auto data = captions(kImages, kImages, kImageWidth, kVocabulary);
  bool same = true;
  for (const Architecture architecture : wanted_architectures) {
    const Recipe recipe = coco_recipe(architecture);
    const auto generator = talking_network(recipe, name, data);
    BeamOptions options;
    options.width = recipe.beam;
    const std::size_t batched = 266, alone = 12;  // images; the first is two of the authors' batches
    const auto fast = generator->generate(data, options, {});
    std::set<std::vector<std::int32_t>> distinct;
    for (const GeneratedCaption& caption : fast) distinct.insert(caption.ids);
    const double time = seconds(device, [&] { generator->generate(data, options, {}); });
    const SlowSearch slow(*generator, device);
    std::vector<GeneratedCaption> by_batch, by_one;
    slow.run(data, 2, 1, options);
    const double batch_time =
        seconds(device, [&] { by_batch = slow.run(data, batched, 400 / options.width, options); });
    const double one_time = seconds(device, [&] { by_one = slow.run(data, alone, 1, options); });
    double gap = 0;
    const std::size_t other = differences(by_batch, fast, gap) + differences(by_one, fast, gap);
    std::printf("captions for %zu images, %s, beam %zu: %.1f words each, %zu different ones\n", kImages,
                name_of(architecture).c_str(), options.width, mean_words(fast), distinct.size());
    std::printf("  answers: %zu of %zu differ from the authors' search (by %.1e in log2 at most)\n", other,
                batched + alone, gap);
    same = same && gap < 1e-3;
    const double each = time / kImages;
    std::printf(
        "  %.2f s (%.2f ms an image); the authors' search, prefixes anew with logits at all positions, in "
        "batches: %.2f ms, %.1f times; one image at a time: %.1f ms, %.1f times\n",
        time, each * 1e3, batch_time / batched * 1e3, batch_time / batched / each, one_time / alone * 1e3,
        one_time / alone / each);
  }
  return same;
}

// A GPU's answers against those of the CPU. The best word may be another where two are as good as equal: of
// one word in kWordsPerOtherRank, no more.
constexpr std::size_t kWordsPerOtherRank = 10000;

bool compare_devices() {
  const auto data = captions(500, 2500, kImageWidth, kVocabulary);
  bool same = true;
  for (const Architecture architecture : wanted_architectures) {
    const Recipe recipe = coco_recipe(architecture);
    const auto here = talking_network(recipe, "cpu", data);
    const auto there = maker().make(recipe, "cuda", 1, 0);
    there->set_arrays(here->arrays(false));
    const auto a = here->probabilities(data, {}), b = there->probabilities(data, {});
    double worst = 0;
    std::size_t ranks = 0;
    for (std::size_t i = 0; i < a.probabilities.size(); ++i) {
      worst = larger(worst, std::fabs(b.probabilities[i] / a.probabilities[i] - 1));
      ranks += (a.ranks[i] == 0) != (b.ranks[i] == 0) ? 1 : 0;
    }
    BeamOptions options;
    options.width = recipe.beam;
    double gap = 0;
    const std::size_t other =
        differences(here->generate(data, options, {}), there->generate(data, options, {}), gap);
    std::printf(
        "cuda and cpu, %s: %zu probabilities, largest relative difference %.1e, %zu ranks no longer 0 or now "
        "0; %zu of %zu captions differ (by %.1e in log2 at most)\n",
        name_of(architecture).c_str(), a.probabilities.size(), worst, ranks, other, data.image_count(), gap);
    same = same && worst < 1e-4 && gap < 1e-3 && ranks <= a.ranks.size() / kWordsPerOtherRank;
  }
  return same;
}

void time_training(const std::string& name, torch::Device device) {
  struct Case {
    const char* what;
    std::size_t vocabulary, image, images, captions, size;
  };
  std::vector<Case> cases = {{"small", 200, 512, 1600, 8000, 64}, {"small", 200, 512, 1600, 8000, 128}};
  if (device.is_cuda()) cases.push_back({"COCO's size", kVocabulary, kImageWidth, 2000, 10000, 0});
  for (const Case& one : cases) {
    const auto data = captions(one.images, one.captions, one.image, one.vocabulary);
    std::vector<std::uint32_t> order(data.caption_count());
    std::iota(order.begin(), order.end(), 0u);
    std::shuffle(order.begin(), order.end(), std::mt19937(1));
    for (const Architecture architecture : wanted_architectures) {
      Recipe recipe = coco_recipe(architecture);
      recipe.vocabulary = one.vocabulary;
      recipe.image = one.image;
      if (one.size > 0) recipe.size = one.size;
      recipe.batch = architecture == Architecture::pre ? 32 : architecture == Architecture::par ? 64 : 128;
      const auto generator = maker().make(recipe, name, 1, 0);
      generator->train_epoch(data, order, 17, 1, {});
      double loss = 0;
      const double time = seconds(device, [&] { loss = generator->train_epoch(data, order, 17, 2, {}); });
      std::printf(
          "an epoch of %zu captions, %s, %s of size %zu, vocabulary %zu, batches of %zu: %.2f s (loss "
          "%.3f)\n",
          data.caption_count(), one.what, name_of(architecture).c_str(), recipe.size, recipe.vocabulary,
          recipe.batch, time, loss);
    }
  }
}

void start_again_with_fitting_kernels(char** arguments) {
#if defined(__x86_64__)
  const bool wide = __builtin_cpu_supports("avx512vl") != 0;
  const bool narrow = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
  if (std::getenv("OPENBLAS_CORETYPE") != nullptr || !(wide || narrow)) return;
  ::setenv("OPENBLAS_CORETYPE", wide ? "SkylakeX" : "Haswell", 1);
  ::setenv("OMP_WAIT_POLICY", "passive", 0);  // as the program's loader does
  ::execv("/proc/self/exe", arguments);
#else
  (void)arguments;
#endif
}

int run(int count, char** arguments) {
  start_again_with_fitting_kernels(arguments);
  std::set<std::string> wanted(arguments + 1, arguments + count);
  const bool on_gpu = wanted.erase("cuda") > 0;
  wanted.erase("cpu");
  std::vector<Architecture> named;
  for (const Architecture architecture : wanted_architectures) {
    if (wanted.erase(name_of(architecture)) > 0) named.push_back(architecture);
  }
  if (!named.empty()) wanted_architectures = named;
  const auto asked = [&](const char* what) { return wanted.empty() || wanted.contains(what); };
  const std::string name = on_gpu ? "cuda" : "cpu";
  const torch::Device device = on_gpu ? torch::Device(torch::kCUDA, 0) : torch::Device(torch::kCPU);
  at::globalContext().setAllowTF32CuBLAS(false);
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  std::printf("%s, on %s\n", maker().description().c_str(), name.c_str());
  bool same = true;
  if (on_gpu && asked("compare")) same = compare_devices() && same;
  if (asked("probabilities")) same = time_probabilities(name, device) && same;
  if (asked("generate")) same = time_generation(name, device) && same;
  if (asked("train")) time_training(name, device);
  std::printf(same ? "all answers agree\n" : "ANSWERS DIFFER\n");
  return same ? 0 : 1;
}

}  // namespace
}  // namespace capella::bench

int main(int count, char** arguments) {
  return capella::bench::run(count, arguments);
}

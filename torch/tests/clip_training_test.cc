// Training of a small CLIP: the loss by hand, gradients by small differences, what can be learnt, and the
// folder that the other engine reads.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <stdexcept>

#include <gtest/gtest.h>

#include "capella/error.h"

#include "encoder/clip.h"
#include "encoder/image_input.h"
#include "encoder/model_folder.h"
#include "method/clip_training/pairs.h"
#include "method/clip_training/trainer.h"
#include "method/network_file.h"
#include "support/message_of.h"
#include "support/temp_dir.h"

extern "C" const capella::method::clip_training::NetworkMaker* capella_torch_clip_training(int version);

namespace capella::test {
namespace {

using method::clip_training::Network;
using method::clip_training::Pairs;
using method::clip_training::Recipe;
using tensor::NetworkArray;

constexpr std::int32_t kStart = 0, kEnd = 9;

Recipe small_clip() {
  Recipe recipe;
  recipe.image_size = 16;
  recipe.patch = 8;
  recipe.vision = {16, 2, 2};
  recipe.text = {16, 2, 2};
  recipe.vocabulary = 10;
  recipe.most_tokens = 8;
  recipe.end = kEnd;
  recipe.joint = 12;
  recipe.batch = 64;
  recipe.warm_up = 1;
  recipe.weight_decay = 0;
  recipe.most_gradient = 0;
  return recipe;
}

std::unique_ptr<Network> make(const Recipe& recipe, std::uint64_t seed) {
  return capella_torch_clip_training(method::clip_training::kPluginVersion)->make(recipe, "cpu", seed, 1);
}

// Pairs whose bytes it keeps.
struct SmallPairs {
  std::vector<std::uint8_t> rgb;
  Pairs pairs;

  SmallPairs() = default;
  SmallPairs(const SmallPairs&) = delete;
  void finish() { pairs.rgb = rgb; }
  std::vector<std::uint32_t> order() const {
    std::vector<std::uint32_t> all(pairs.captions.size());
    std::iota(all.begin(), all.end(), 0u);
    return all;
  }
};

void fill_randomly(SmallPairs& to, std::size_t images, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  for (std::uint32_t i = 0; i < images; ++i) {
    for (int k = 0; k < 16 * 16 * 3; ++k) to.rgb.push_back(static_cast<std::uint8_t>(random() % 256));
    std::vector<std::int32_t> ids = {kStart};
    for (std::size_t w = 1 + random() % 5; w > 0; --w)
      ids.push_back(static_cast<std::int32_t>(1 + random() % 8));
    ids.push_back(kEnd);
    to.pairs.captions.add(ids);
    to.pairs.image_of.push_back(i);
  }
  to.finish();
}

const NetworkArray& named(const std::vector<NetworkArray>& arrays, const std::string& name) {
  for (const NetworkArray& array : arrays) {
    if (array.name == name) return array;
  }
  throw std::out_of_range(name);
}

std::vector<double> directions(const std::vector<float>& rows, std::size_t width) {
  std::vector<double> found(rows.begin(), rows.end());
  for (std::size_t k = 0; k < rows.size(); k += width) {
    double squares = 0;
    for (std::size_t i = k; i < k + width; ++i) squares += found[i] * found[i];
    for (std::size_t i = k; i < k + width; ++i) found[i] /= std::sqrt(squares);
  }
  return found;
}

// From the vectors alone: -log softmax of the right one, in both directions; `left_out` are other right ones.
double loss_by_hand(const Network& network, const SmallPairs& given,
                    const std::vector<std::pair<std::size_t, std::size_t>>& left_out) {
  const std::size_t count = given.pairs.captions.size(), width = network.recipe().joint;
  std::vector<float> texts(count * width), images(given.rgb.size() / (16 * 16 * 3) * width);
  network.texts(given.pairs.captions, texts.data());
  network.images(given.rgb, images.data());
  const auto t = directions(texts, width), v = directions(images, width);
  const double scale = std::exp(named(network.arrays(false), "logit_scale").values.front());
  const auto exponential = [&](std::size_t image, std::size_t text) {
    for (const auto& [a, b] : left_out) {
      if ((image == a && text == b) || (image == b && text == a)) return 0.0;
    }
    double dot = 0;
    for (std::size_t i = 0; i < width; ++i)
      dot += v[given.pairs.image_of[image] * width + i] * t[text * width + i];
    return std::exp(scale * dot);
  };
  double sum = 0;
  for (std::size_t k = 0; k < count; ++k) {
    double of_image = 0, of_text = 0;
    for (std::size_t other = 0; other < count; ++other) {
      of_image += exponential(k, other);
      of_text += exponential(other, k);
    }
    sum -= (std::log(exponential(k, k) / of_image) + std::log(exponential(k, k) / of_text)) / 2;
  }
  return sum / static_cast<double>(count);
}

TEST(ClipTraining, LossIsThatOfTheVectors) {
  SmallPairs given;
  fill_randomly(given, 7, 3);
  const auto network = make(small_clip(), 1);
  const double expected = loss_by_hand(*network, given, {});
  EXPECT_GT(expected, 1);
  EXPECT_NEAR(network->train(given.pairs, given.order(), {}), expected, 1e-5);
}

TEST(ClipTraining, DoesNotTellApartWhatBelongsTogether) {
  SmallPairs given;
  fill_randomly(given, 6, 3);
  given.pairs.image_of[4] = 1;  // two captions of one image
  encoder::TokenBatch captions;
  for (std::size_t k = 0; k < 6; ++k) {
    const std::size_t from = k == 5 ? 2 : k;  // the last caption is the third
    captions.add(std::span(given.pairs.captions.ids)
                     .subspan(given.pairs.captions.begin(from), given.pairs.captions.length(from)));
  }
  given.pairs.captions = captions;
  const auto network = make(small_clip(), 1);
  const double expected = loss_by_hand(*network, given, {{1, 4}, {2, 5}});
  EXPECT_NEAR(network->train(given.pairs, given.order(), {}), expected, 1e-5);
}

TEST(ClipTraining, GradientsAreSlopesOfTheLoss) {
  SmallPairs given;
  fill_randomly(given, 6, 3);
  Recipe recipe = small_clip();
  recipe.temperature = .5;
  const auto start = make(recipe, 1)->arrays(false);
  const auto network = make(recipe, 1);
  network->train(given.pairs, given.order(), {});
  const auto after = network->arrays(true);
  const auto loss_at = [&](const NetworkArray& array, std::size_t i, float step) {
    std::vector<NetworkArray> arrays = start;
    for (NetworkArray& other : arrays) {
      if (other.name == array.name) other.values[i] += step;
    }
    const auto moved = make(recipe, 2);
    moved->set_arrays(arrays);
    return moved->train(given.pairs, given.order(), {});
  };
  std::size_t checked = 0;
  for (const NetworkArray& array : start) {
    const NetworkArray& mean = named(after, "adam/m/" + array.name);
    const auto largest = std::max_element(mean.values.begin(), mean.values.end(),
                                          [](float a, float b) { return std::fabs(a) < std::fabs(b); });
    const auto i = static_cast<std::size_t>(largest - mean.values.begin());
    const double gradient = *largest / .1;
    if (std::fabs(gradient) < 1e-3) continue;  // keys' biases, which softmax does not see
    const auto quotient = [&](float step) {
      return (loss_at(array, i, step) - loss_at(array, i, -step)) / (2 * static_cast<double>(step));
    };
    const double slope = (4 * quotient(1.5e-3f) - quotient(3e-3f)) / 3;  // without the error of second order
    EXPECT_NEAR(gradient, slope, 1e-3 + .02 * std::fabs(slope)) << array.name;
    ++checked;
  }
  EXPECT_GT(checked, start.size() * 3 / 4);
}

TEST(ClipTraining, RateWarmsUpAndFallsLikeACosine) {
  SmallPairs given;
  fill_randomly(given, 6, 3);
  Recipe recipe = small_clip();
  recipe.warm_up = 2;
  recipe.total_steps = 6;
  recipe.rate = .01;
  recipe.epsilon = 1e-6;
  const auto network = make(recipe, 1);
  const double expected[] = {
      .005, .01, .01, .01 * (1 + std::sqrt(.5)) / 2, .005, .01 * (1 - std::sqrt(.5)) / 2, 0, 0};
  for (int step = 1; step <= 8; ++step) {
    const auto before = network->arrays(false);
    network->train(given.pairs, given.order(), {});
    const auto after = network->arrays(true);
    const std::string name = "text_projection.weight";
    const auto& m = named(after, "adam/m/" + name).values;
    const auto& v = named(after, "adam/v/" + name).values;
    for (std::size_t i = 0; i < m.size(); ++i) {
      const double root = std::sqrt(v[i] / (1 - std::pow(.98, step)));
      const double moved = expected[step - 1] * m[i] / (1 - std::pow(.9, step)) / (root + 1e-6);
      EXPECT_NEAR(named(after, name).values[i], named(before, name).values[i] - moved, 2e-6) << step;
    }
  }
}

TEST(ClipTraining, GoesOnWithTheSameBits) {
  SmallPairs given;
  fill_randomly(given, 12, 3);
  Recipe recipe = small_clip();
  recipe.batch = 5;  // 5, 5 and 2
  recipe.total_steps = 9;
  recipe.most_gradient = 1;
  recipe.weight_decay = .1;
  const auto whole = make(recipe, 1), begun = make(recipe, 1), resumed = make(recipe, 7);
  whole->train(given.pairs, given.order(), {});
  const double second = whole->train(given.pairs, given.order(), {});
  begun->train(given.pairs, given.order(), {});
  resumed->set_arrays(begun->arrays(true));
  EXPECT_EQ(resumed->train(given.pairs, given.order(), {}), second);
  const auto a = whole->arrays(true), b = resumed->arrays(true);
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_EQ(a[i].values, b[i].values) << a[i].name;
}

TEST(ClipTraining, HasAsManyNumbersAsItSays) {
  const auto count = [](const Recipe& recipe) {
    std::size_t total = 0;
    for (const NetworkArray& array : make(recipe, 1)->arrays(false)) total += array.values.size();
    return total;
  };
  EXPECT_EQ(count(small_clip()), method::clip_training::parameter_count(small_clip()));
  Recipe large;  // OpenAI's ViT-B/32
  large.image_size = 224;
  large.patch = 32;
  large.vision = {768, 12, 12};
  large.text = {512, 12, 8};
  large.vocabulary = 49408;
  large.most_tokens = 77;
  large.joint = 512;
  EXPECT_EQ(method::clip_training::parameter_count(large), 151277313u);
}

// Pictures of a bright square in one of three colours and four corners; captions say which.
void fill_with_squares(SmallPairs& to, std::size_t images, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  for (std::uint32_t i = 0; i < images; ++i) {
    const std::size_t colour = random() % 3, corner = random() % 4;
    for (std::size_t p = 0; p < 16 * 16; ++p) {
      const bool inside = p / 16 / 8 == corner / 2 && p % 16 / 8 == corner % 2;
      for (std::size_t c = 0; c < 3; ++c)
        to.rgb.push_back(static_cast<std::uint8_t>(random() % 60 + (inside && c == colour ? 150 : 0)));
    }
    to.pairs.captions.add(std::vector<std::int32_t>{kStart, static_cast<std::int32_t>(1 + colour),
                                                    static_cast<std::int32_t>(4 + corner), kEnd});
    to.pairs.image_of.push_back(i);
  }
  to.finish();
}

// The share of images whose nearest of the twelve captions is their own.
double share_found(const Network& network, const SmallPairs& given) {
  const std::size_t width = network.recipe().joint, count = given.pairs.image_of.size();
  encoder::TokenBatch all;
  for (std::int32_t k = 0; k < 12; ++k)
    all.add(std::vector<std::int32_t>{kStart, 1 + k / 4, 4 + k % 4, kEnd});
  std::vector<float> texts(12 * width), images(count * width);
  network.texts(all, texts.data());
  network.images(given.rgb, images.data());
  const auto t = directions(texts, width), v = directions(images, width);
  std::size_t right = 0;
  for (std::size_t i = 0; i < count; ++i) {
    std::size_t best = 0;
    double most = -2;
    for (std::size_t k = 0; k < 12; ++k) {
      double dot = 0;
      for (std::size_t d = 0; d < width; ++d) dot += v[i * width + d] * t[k * width + d];
      if (dot > most) most = dot, best = k;
    }
    const auto ids = std::span(given.pairs.captions.ids).subspan(given.pairs.captions.begin(i), 4);
    right += ids[1] == 1 + static_cast<std::int32_t>(best) / 4 &&
             ids[2] == 4 + static_cast<std::int32_t>(best) % 4;
  }
  return static_cast<double>(right) / static_cast<double>(count);
}

TEST(ClipTraining, LearnsWhichCaptionBelongsToAPicture) {
  SmallPairs training, fresh;
  fill_with_squares(training, 240, 5);
  fill_with_squares(fresh, 120, 6);
  Recipe recipe = small_clip();
  recipe.vision = recipe.text = {32, 2, 4};
  recipe.batch = 24;
  recipe.rate = 3e-3;
  recipe.warm_up = 20;
  recipe.total_steps = 120;
  recipe.most_gradient = 1;
  const auto network = make(recipe, 1);
  const double before = share_found(*network, fresh);
  for (int epoch = 0; epoch < 12; ++epoch) network->train(training.pairs, training.order(), {});
  EXPECT_LT(before, .4);
  EXPECT_GT(share_found(*network, fresh), .95);
}

TEST(ClipTraining, MakesAFolderThatTheOtherEngineReads) {
  SmallPairs given;
  fill_randomly(given, 5, 3);
  const Recipe recipe = small_clip();
  const auto network = make(recipe, 1);
  network->train(given.pairs, given.order(), {});
  const TempDir folder;
  folder.write("config.json", method::clip_training::config_text(recipe));
  folder.write("preprocessor_config.json", method::clip_training::preprocessor_text(recipe));
  method::write_network_file((folder.path() / "model.safetensors").string(), network->arrays(false), {});
  const encoder::ModelFolder read(folder.path().string());
  const encoder::Clip clip(read);
  ASSERT_EQ(clip.width(), recipe.joint);
  ASSERT_EQ(clip.image_size(), recipe.image_size);
  ASSERT_EQ(clip.end_token(), recipe.end);
  const encoder::ImageInput input = encoder::ImageInput::from(read, clip.image_size());
  std::vector<float> texts(5 * clip.width()), images(texts), pixels(5 * 3 * 16 * 16), expected(texts);
  network->texts(given.pairs.captions, expected.data());
  clip.texts(tensor::kernels(), given.pairs.captions, texts.data());
  for (std::size_t i = 0; i < texts.size(); ++i) EXPECT_NEAR(texts[i], expected[i], 1e-5);
  for (std::size_t k = 0; k < 5; ++k) {
    io::Image image{16, 16, {}};
    const auto begin = given.rgb.begin() + static_cast<std::ptrdiff_t>(k * 16 * 16 * 3);
    image.rgb.assign(begin, begin + 16 * 16 * 3);
    encoder::image_pixels(image, input, pixels.data() + k * 3 * 16 * 16);
  }
  network->images(given.rgb, expected.data());
  clip.images(tensor::kernels(), pixels.data(), 5, images.data());
  for (std::size_t i = 0; i < images.size(); ++i) EXPECT_NEAR(images[i], expected[i], 1e-5);
}

TEST(ClipTraining, RefusesWhatCannotBe) {
  Recipe recipe = small_clip();
  recipe.patch = 5;
  EXPECT_EQ(message_of<UsageError>([&] { make(recipe, 1); }),
            "CLIP: pictures of 16 pixels cannot be cut into patches of 5");
  recipe = small_clip();
  recipe.end = 10;
  EXPECT_EQ(message_of<UsageError>([&] { make(recipe, 1); }),
            "CLIP: the end token 10 is not one of the vocabulary's 10");
  SmallPairs given;
  fill_randomly(given, 3, 3);
  given.pairs.image_of[1] = 3;
  EXPECT_EQ(message_of<UsageError>([&] { make(small_clip(), 1)->train(given.pairs, given.order(), {}); }),
            "pair 1 has no caption or no image");
  given.pairs.image_of[1] = 1;
  given.pairs.captions.ids.back() = 3;
  EXPECT_EQ(message_of<UsageError>([&] { make(small_clip(), 1)->train(given.pairs, given.order(), {}); }),
            "caption 2 has no end token (9)");
  EXPECT_EQ(capella_torch_clip_training(method::clip_training::kPluginVersion + 1), nullptr);
}

}  // namespace
}  // namespace capella::test

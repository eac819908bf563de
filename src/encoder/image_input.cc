#include "encoder/image_input.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "capella/error.h"

#include "base/file.h"
#include "base/names.h"
#include "encoder/resize_bicubic.h"

namespace capella::encoder {
namespace {

using Json = nlohmann::json;

[[noreturn]] void reject(const std::string& file, const std::string& what) {
  throw FileError(fmt::format("{}: {}", file, what));
}

Json read_json(const std::string& file) {
  Json json = parse_model_json(read_file_as_is(file), file);
  if (!json.is_object()) reject(file, "found no JSON object, expected how pictures are prepared");
  return json;
}

// Not all of what is nested, however deep.
std::string shown(const Json& value) {
  return value.is_primitive() ? excerpt(value.dump()) : value.is_array() ? "a list" : "an object";
}

void read_channels(const Json& json, const char* key, const std::string& file, std::array<float, 3>& out) {
  const auto found = json.find(key);
  if (found == json.end() || found->is_null()) return;
  const bool fits = found->is_array() && found->size() == 3 &&
                    std::ranges::all_of(*found, [](const Json& one) { return one.is_number(); });
  if (!fits) reject(file, fmt::format("\"{}\" is {}, expected three numbers", key, shown(*found)));
  for (std::size_t c = 0; c < 3; ++c) out[c] = (*found)[c].get<float>();
}

// Beyond these, pixels are no numbers that a network could use.
void check_channels(const ImageInput& input, const std::string& file) {
  constexpr float kMost = 1000.0f;
  if (!std::ranges::all_of(input.mean, [](float value) { return std::abs(value) <= kMost; }))
    reject(file, fmt::format("the mean of a channel is not from -{0} to {0}, expected numbers such as 0.48",
                             kMost));
  if (!std::ranges::all_of(input.deviation, [](float value) { return value >= 1 / kMost && value <= kMost; }))
    reject(file,
           fmt::format("the deviation of a channel is not above 0, or not from {} to {}, expected numbers "
                       "such as 0.27",
                       1 / kMost, kMost));
}

// A side as processors write it: a number, or an object with one of these members.
void check_side(const Json& json, const char* key, std::size_t size, const std::string& file) {
  const auto found = json.find(key);
  if (found == json.end() || found->is_null()) return;
  const auto agrees = [&](const Json& side) { return side.is_number_integer() && side == size; };
  bool fits = agrees(*found);
  if (found->is_object()) {
    for (const char* member : {"shortest_edge", "height", "width"})
      fits |= found->contains(member) && agrees((*found)[member]);
  }
  if (!fits)
    reject(file, fmt::format("\"{}\" is {}, expected the {} pixels that the weights take", key, shown(*found),
                             size));
}

void check_resample(const Json& json, const std::string& file) {
  constexpr int kBicubic = 3;  // of Pillow
  const auto found = json.find("resample");
  if (found != json.end() && !found->is_null() && *found != kBicubic)
    reject(file, fmt::format("\"resample\" is {}, expected {} (bicubic)", shown(*found), kBicubic));
}

// Steps that are always taken, and how bytes become numbers up to 1.
void check_steps(const Json& json, const std::string& file) {
  for (const char* key : {"do_resize", "do_center_crop", "do_rescale", "do_normalize"}) {
    const auto found = json.find(key);
    if (found != json.end() && *found == false)
      reject(file,
             fmt::format("\"{}\" is false, expected that pictures are resized, cropped and normalised", key));
  }
  const auto factor = json.find("rescale_factor");
  if (factor == json.end() || factor->is_null()) return;
  if (!factor->is_number() || std::abs(factor->get<double>() * 255.0 - 1.0) > 1e-6)
    reject(file, fmt::format("\"rescale_factor\" is {}, expected 1/255", shown(*factor)));
}

void read_hugging_face(const std::string& file, ImageInput& input) {
  const Json json = read_json(file);
  check_steps(json, file);
  read_channels(json, "image_mean", file, input.mean);
  read_channels(json, "image_std", file, input.deviation);
  check_side(json, "size", input.size, file);
  check_side(json, "crop_size", input.size, file);
  check_resample(json, file);
}

void check_choice(const Json& json, const char* key, std::string_view expected, const std::string& file) {
  const auto found = json.find(key);
  if (found != json.end() && !found->is_null() && *found != expected)
    reject(file, fmt::format("\"{}\" is {}, expected \"{}\"", key, shown(*found), expected));
}

void read_open_clip(const std::string& file, ImageInput& input) {
  const Json json = read_json(file);
  const auto found = json.find("preprocess_cfg");
  if (found == json.end() || !found->is_object()) return;
  read_channels(*found, "mean", file, input.mean);
  read_channels(*found, "std", file, input.deviation);
  check_choice(*found, "interpolation", "bicubic", file);
  check_choice(*found, "resize_mode", "shortest", file);
}

// Where the window of `size` pixels begins on a side.
std::size_t crop_begin(std::size_t side, std::size_t size, Crop crop) {
  const std::size_t margin = side - size;
  const bool up = crop == Crop::kRoundHalfEven && margin % 4 == 3;
  return margin / 2 + (up ? 1 : 0);
}

}  // namespace

ImageInput ImageInput::from(const ModelFolder& folder, std::size_t size) {
  ImageInput input;
  input.size = size;
  std::string file = folder.path();
  if (const auto hugging_face = folder.file("preprocessor_config.json")) {
    read_hugging_face(file = *hugging_face, input);
  } else if (const auto open_clip = folder.file("open_clip_config.json")) {
    read_open_clip(file = *open_clip, input);
  }
  check_channels(input, file);
  return input;
}

io::Image resize_and_crop(const io::Image& image, const ImageInput& input) {
  const auto [shorter, longer] = std::minmax(image.width, image.height);
  const auto resized = [&, s = shorter](std::size_t side) {
    return side == s ? input.size : input.size * side / s;
  };
  const std::size_t width = resized(image.width);
  const std::size_t height = resized(image.height);
  return resize_bicubic(image, width, height,
                        {crop_begin(width, input.size, input.crop),
                         crop_begin(height, input.size, input.crop), input.size, input.size});
}

void image_pixels(const io::Image& image, const ImageInput& input, float* out) {
  const io::Image small = resize_and_crop(image, input);
  const std::size_t pixels = small.width * small.height;
  for (std::size_t c = 0; c < 3; ++c) {
    std::array<float, 256> levels;
    for (std::size_t level = 0; level < levels.size(); ++level)
      levels[level] = (static_cast<float>(level) / 255.0f - input.mean[c]) / input.deviation[c];
    for (std::size_t i = 0; i < pixels; ++i) *out++ = levels[small.rgb[3 * i + c]];
  }
}

}  // namespace capella::encoder

#include "encoder/clip_weights.h"

#include <cmath>
#include <string>

#include <fmt/format.h>

#include "encoder/clip_layout.h"

namespace capella::encoder {
namespace {

using tensor::Shape;

constexpr std::size_t kMostPatch = 1 << 12;

tensor::AlignedVector<float> read_table(const ModelFolder& folder, const std::string& name,
                                        const Shape& shape) {
  const std::vector<float> values = folder.floats(name, shape);
  return {values.begin(), values.end()};
}

ClipText read_text(const ModelFolder& folder, const ClipLayout& layout) {
  const ClipTower& tower = layout.text;
  const std::size_t width = tower.shape.width;
  ClipText text;
  text.vocabulary = layout.vocabulary;
  text.positions = size_of(folder, tower.places, 2, 0);
  text.end = layout.end;
  text.end_is_greatest = layout.end_is_greatest;
  text.layers = Transformer(folder, tower.shape, tower.layers);
  text.words = read_table(folder, layout.words, {text.vocabulary, width});
  text.places = read_table(folder, tower.places, {text.positions, width});
  text.norm = read_norm(folder, tower.last_norm, width, tower.shape.epsilon);
  text.projection = {read_projection(folder, tower, layout.joint), {}, layout.joint, width};
  return text;
}

// Patches of a square picture, one position for each and one before them.
std::size_t patches_on_a_side(const ModelFolder& folder, const std::string& places) {
  const std::size_t rows = size_of(folder, places, 2, 0);
  const auto side = static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(rows - 1))));
  if (side == 0 || side * side != rows - 1)
    folder.reject(
        fmt::format("tensor '{}' has {} rows, expected one more than a square number", places, rows));
  return side;
}

ClipVision read_vision(const ModelFolder& folder, const ClipLayout& layout) {
  const ClipTower& tower = layout.vision;
  const std::size_t width = tower.shape.width;
  ClipVision vision;
  vision.patch = size_of(folder, layout.patches, 4, 2);
  vision.side = patches_on_a_side(folder, tower.places);
  if (vision.patch > kMostPatch) folder.reject(fmt::format("a patch has {} pixels on a side", vision.patch));
  const Shape shape = {width, 3, vision.patch, vision.patch};
  const std::size_t inputs = 3 * vision.patch * vision.patch;
  vision.layers = Transformer(folder, tower.shape, tower.layers);
  vision.patches = {folder.floats(layout.patches, shape), {}, width, inputs};
  vision.first = read_table(folder, layout.first, {width});
  vision.places = read_table(folder, tower.places, {1 + vision.side * vision.side, width});
  vision.first_norm = read_norm(folder, layout.first_norm, width, tower.shape.epsilon);
  vision.last_norm = read_norm(folder, tower.last_norm, width, tower.shape.epsilon);
  vision.projection = {read_projection(folder, tower, layout.joint), {}, layout.joint, width};
  return vision;
}

}  // namespace

Clip::Parts::Parts(const ModelFolder& folder) {
  const ClipLayout layout = clip_layout(folder);
  width = layout.joint;
  text = read_text(folder, layout);
  vision = read_vision(folder, layout);
}

}  // namespace capella::encoder

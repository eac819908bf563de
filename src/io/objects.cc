// A feature file's path is taken from the folder of objects.jsonl, so that the two can be moved together.
#include "io/objects.h"

#include <cmath>
#include <filesystem>
#include <string_view>
#include <unordered_map>

#include <fmt/format.h>

#include "capella/error.h"

#include "base/file.h"
#include "base/names.h"
#include "io/line_rows.h"
#include "io/problems.h"
#include "io/source.h"
#include "io/text_lines.h"

namespace capella::io {
namespace {

constexpr std::string_view kObjectLayout =
    R"({"image_id": "7", "width": 640, "height": 480, "objects": [{"label": "man", "box": [x1, y1, x2, y2]}]})";
constexpr std::string_view kAdvice = "correct the file";

std::array<double, 4> box_of(element value) {
  simdjson::dom::array list;
  if (value.get(list))
    throw RowWrong{fmt::format("the box is {}, expected [x1, y1, x2, y2]", describe(value))};
  if (list.size() != 4)
    throw RowWrong{fmt::format("the box is a list of {}, expected [x1, y1, x2, y2]", list.size())};
  std::array<double, 4> box{};
  std::size_t i = 0;
  for (const element side : list) box[i++] = row_number(side, "the box's side", -1e9);
  if (box[2] < box[0] || box[3] < box[1])
    throw RowWrong{fmt::format(
        "the box [{}, {}, {}, {}] ends before it begins, expected [x1, y1, x2, y2] with x1 <= x2 and y1 <= "
        "y2 (not width and height)",
        box[0], box[1], box[2], box[3])};
  return box;
}

DetectedObject object_of(element value) {
  const simdjson::dom::object members = row_object(value, "an object with a label and a box");
  DetectedObject object;
  const auto label = row_find(members, "label");
  if (!label) throw RowWrong{"there is no label, expected one"};
  object.label = row_text(*label, "the label");
  if (const auto aliases = row_find(members, "aliases")) {
    simdjson::dom::array list;
    if (aliases->get(list))
      throw RowWrong{fmt::format("the aliases are {}, expected a list of words", describe(*aliases))};
    for (const element alias : list) object.aliases.push_back(row_text(alias, "an alias"));
  }
  if (const auto box = row_find(members, "box")) object.box = box_of(*box);
  if (const auto score = row_find(members, "score")) object.score = row_number(*score, "the score", 0);
  return object;
}

std::vector<DetectedObject> objects_of(simdjson::dom::object row) {
  std::vector<DetectedObject> objects;
  for (const element one : row_list(row, "objects")) {
    try {
      objects.push_back(object_of(one));
    } catch (const RowWrong& wrong) {
      throw RowWrong{fmt::format("object {}: {}", objects.size() + 1, wrong.why)};
    }
  }
  return objects;
}

ImageObjects image_of(element value, const std::filesystem::path& folder) {
  const simdjson::dom::object row = row_object(value, "an object");
  ImageObjects image;
  image.image = row_id(row, "image_id");
  if (const auto width = row_find(row, "width")) image.width = row_number(*width, "the width", 0);
  if (const auto height = row_find(row, "height")) image.height = row_number(*height, "the height", 0);
  image.objects = objects_of(row);
  if (const auto features = row_find(row, "features"))
    image.features = (folder / row_text(*features, "features")).string();
  return image;
}

// Takes rows and notes what is wrong with them; an image may come once.
class Collector {
 public:
  explicit Collector(const std::string& path)
      : folder_(path == "-" ? std::filesystem::path() : std::filesystem::path(path).parent_path()) {}

  void add(element row, std::size_t position) {
    try {
      ImageObjects image = image_of(row, folder_);
      const auto [earlier, is_new] = seen_.emplace(image.image, images_.size() + 1);
      if (!is_new)
        throw RowWrong{
            fmt::format("the image {} has come before, as number {}; expected one row for each image",
                        excerpt(image.image), earlier->second)};
      images_.push_back(std::move(image));
    } catch (const RowWrong& wrong) {
      problems_.add(
          position, "",
          wrong.lacks_member ? fmt::format("{}, expected {}", wrong.why, kObjectLayout) : wrong.why);
    }
  }

  void add_line(std::string_view line, std::size_t number) {
    if (is_blank(line)) return;
    element row;
    if (const auto error = parser_.parse(line.data(), line.size(), true).get(row))
      return problems_.add(number, "",
                           fmt::format("the line is not JSON: {}", simdjson::error_message(error)));
    add(row, number);
  }

  std::vector<ImageObjects> finish(const std::string& source, const LineLocator& locate) {
    problems_.settle(source, locate);
    return std::move(images_);
  }

 private:
  std::filesystem::path folder_;
  simdjson::dom::parser parser_;
  Problems problems_{false, kAdvice};
  std::vector<ImageObjects> images_;
  std::unordered_map<std::string, std::size_t> seen_;
};

}  // namespace

bool DetectedObject::is_called(std::string_view word) const {
  if (label == word) return true;
  for (const std::string& alias : aliases) {
    if (alias == word) return true;
  }
  return false;
}

std::vector<ImageObjects> read_objects(const std::string& path) {
  const std::string name = path == "-" ? "standard input" : path;
  const Source source = open_source(name, read_file(path), "objects");
  Collector collector(path);
  simdjson::dom::array list;
  if (source.json && !source.json->root.get(list)) {
    std::size_t ordinal = 0;
    for (const element row : list) collector.add(row, ordinal++);
    return collector.finish(name, json_locator(source.text, source.content, {}));
  }
  if (source.json) {
    collector.add(source.json->root, 1);
    return collector.finish(name, {});
  }
  for_each_line(source.content,
                [&](std::string_view line, std::size_t number) { collector.add_line(line, number); });
  return collector.finish(name, {});
}

Matrix read_object_features(const ImageObjects& image) {
  if (image.objects.empty()) return {image.features, 0, 0, {}};
  if (image.features.empty())
    throw DataError(fmt::format(
        "image {}: its row of objects names no features, expected \"features\": \"FILE.npy\" with a row of "
        "numbers for each object",
        excerpt(image.image)));
  Matrix matrix = read_matrix(image.features);
  if (matrix.rows != image.objects.size())
    throw DataError(fmt::format("{}: {} rows of features, expected {}: one for each object of image {}",
                                image.features, matrix.rows, image.objects.size(), excerpt(image.image)));
  for (const float value : matrix.values) {
    if (!std::isfinite(value))
      throw DataError(
          fmt::format("{}: a feature is not finite, expected numbers; extract the features of image {} again",
                      image.features, excerpt(image.image)));
  }
  return matrix;
}

}  // namespace capella::io

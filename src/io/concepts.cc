#include "io/concepts.h"

#include <unordered_map>

#include "io/line_rows.h"

namespace capella::io {
namespace {

constexpr std::string_view kExpectedConceptLine =
    R"(lines such as {"image_id": "7", "labels": ["Ride", "Ride", "Walk"]})";

std::vector<std::string> labels_of(simdjson::dom::object row) {
  const auto one = row_find(row, "concept");
  if (one && !row_find(row, "labels")) return {row_text(*one, "concept")};
  std::vector<std::string> labels;
  for (const element label : row_list(row, "labels")) labels.push_back(row_text(label, "a label"));
  if (labels.empty()) throw RowWrong{"labels is an empty list, expected one or more"};
  return labels;
}

}  // namespace

std::vector<ConceptRow> read_concepts(const std::string& path) {
  std::vector<ConceptRow> images;
  std::unordered_map<std::string, std::size_t> places;
  read_line_rows(path, kExpectedConceptLine, [&](simdjson::dom::object row) {
    std::string image = row_id(row, "image_id");
    const auto [found, is_new] = places.emplace(image, images.size());
    if (is_new) images.push_back({std::move(image), {}});
    std::vector<std::string>& labels = images[found->second].labels;
    for (std::string& label : labels_of(row)) labels.push_back(std::move(label));
  });
  return images;
}

}  // namespace capella::io

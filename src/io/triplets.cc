#include "io/triplets.h"

#include <string_view>

#include <nlohmann/json.hpp>

#include "base/json_text.h"
#include "io/line_rows.h"

namespace capella::io {
namespace {

constexpr std::string_view kExpectedTripletLine =
    R"(lines such as {"image_id": "7", "triplets": [["man", "ride", "bike"]]})";

TripletRow read_row(simdjson::dom::object object) {
  TripletRow row;
  row.image = row_id(object, "image_id");
  if (const auto split = row_find(object, "split")) row.split = row_text(*split, "split");
  if (const auto caption = row_find(object, "caption_id")) row.caption = row_id(*caption, "caption_id");
  const simdjson::dom::array list = row_list(object, "triplets");
  row.triplets.reserve(list.size());
  for (const element one : list) row.triplets.push_back(row_claim(one, "triplet", row.triplets.size() + 1));
  return row;
}

}  // namespace

std::vector<TripletRow> read_triplets(const std::string& path) {
  std::vector<TripletRow> rows;
  read_line_rows(path, kExpectedTripletLine,
                 [&](simdjson::dom::object row) { rows.push_back(read_row(row)); });
  return rows;
}

std::string write_triplets(const std::vector<TripletRow>& rows) {
  std::string text;
  for (const TripletRow& row : rows) {
    nlohmann::ordered_json line = {{"image_id", row.image}, {"split", row.split}};
    if (!row.caption.empty()) line["caption_id"] = row.caption;
    line["triplets"] = nlohmann::ordered_json::array();
    for (const Triplet& one : row.triplets)
      line["triplets"].push_back({one.subject, one.predicate, one.object});
    text += json_text(line);
    text += '\n';
  }
  return text;
}

}  // namespace capella::io

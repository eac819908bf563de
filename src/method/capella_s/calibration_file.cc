#include "method/capella_s/calibration_file.h"

#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "capella/error.h"

#include "base/file.h"
#include "base/is_file.h"
#include "base/json_text.h"
#include "method/json_fields.h"

namespace capella::method::capella_s {
namespace {

using nlohmann::json;

// What the curve is entered with. A file that says something else is of another version.
constexpr const char* kOver = "max+centroid";

// Cosines and ratings have their ends.
void expect_on_scale(const stats::Knot& knot, std::size_t number) {
  const auto is_between = [](double value, double low, double high) { return value >= low && value <= high; };
  if (!is_between(knot.score, -1, 1) || !is_between(knot.rating, 0, 1) || !is_between(knot.spread, 0, 1))
    throw DataError(fmt::format(
        "knot {} has the score {}, the rating {} and the spread {}, expected -1 to 1, 0 to 1 and 0 to 1",
        number, knot.score, knot.rating, knot.spread));
}

LearntCurve parsed(const json& text) {
  Fields fields(text, "the calibration");
  if (!text.contains("over") || fields.text("over") != kOver)
    throw DataError(
        fmt::format("is not a curve of cosines with over={}, as Capella-S takes them; make it anew with "
                    "`capella nn calibrate --replace`",
                    kOver));
  std::string learnt_from = fields.text("learnt_from"), model = fields.text("model");
  std::vector<stats::Knot> knots;
  const json& rows = fields.take("knots");
  if (!rows.is_array()) throw DataError("the calibration: 'knots' is not a list");
  for (const json& row : rows) {
    Fields knot(row, fmt::format("knot {}", knots.size()));
    knots.push_back({knot.number("score"), knot.number("rating"), knot.number("spread")});
    knot.end();
    expect_on_scale(knots.back(), knots.size() - 1);
  }
  fields.end();
  return {stats::Calibration(std::move(knots)), std::move(model), std::move(learnt_from)};
}

}  // namespace

std::string calibration_path(const std::string& folder) {
  return (std::filesystem::path(folder) / "calibration.json").string();
}

LearntCurve read_calibration(const std::string& folder) {
  const std::string path = calibration_path(folder);
  if (!is_file(path))
    throw FileError(
        fmt::format("{}: is not there; `capella nn calibrate` makes it from rated captions", path));
  const json text = json::parse(read_file_as_is(path), nullptr, false);
  try {
    return parsed(text);
  } catch (const DataError& problem) {
    throw FileError(fmt::format("{}: {}", path, problem.what()));
  }
}

std::string calibration_text(const LearntCurve& learnt) {
  json knots = json::array();
  for (const stats::Knot& knot : learnt.curve.knots())
    knots.push_back({{"score", knot.score}, {"rating", knot.rating}, {"spread", knot.spread}});
  const json all = {
      {"over", kOver}, {"learnt_from", learnt.learnt_from}, {"model", learnt.model}, {"knots", knots}};
  return json_text(all, 1) + "\n";
}

}  // namespace capella::method::capella_s

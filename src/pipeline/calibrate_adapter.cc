#include <algorithm>
#include <filesystem>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "capella/adapter_calibration.h"
#include "capella/error.h"

#include "base/file.h"
#include "base/thread_pool.h"
#include "encoder/model_folder.h"
#include "encoder/sentence_encoder.h"
#include "method/capella_s/calibration_file.h"
#include "method/capella_s/capella_s_metric.h"
#include "metric/encoder_texts.h"
#include "metric/reference_cosines.h"
#include "pipeline/deneb_data.h"
#include "pipeline/deneb_features.h"
#include "stats/calibration.h"
#include "stats/correlation.h"

namespace capella {
namespace pipeline {
namespace {

constexpr std::size_t kFewestInHalf = 100;  // as many as a curve takes

// Captions that have words, with what is compared: their cosines with their references, as Capella-S takes
// them, and ratings from 0 to 1.
struct RatedCosines {
  std::vector<double> scores;
  std::vector<double> ratings;
  std::vector<std::uint32_t> images;  ///< numbered as they come, those without such captions left out
  std::size_t image_count = 0;
};

RatedCosines cosines_of(const encoder::SentenceEncoder& encoder, const io::Benchmark& rows,
                        const AdapterCalibration& options) {
  ThreadPool pool(options.threads);
  const encoder::EncodeWork work{&pool, options.progress};
  const auto& captions = rows.dataset.systems()[0].captions;
  const std::vector<std::string_view> texts(captions.begin(), captions.end());
  const encoder::Features own = encoder.sentences(texts, encoder::Pooling::as_told, work);
  const encoder::Features others =
      encoder.sentences(rows.dataset.all_references(), encoder::Pooling::as_told, work);
  const std::vector<float> ratings = unit_ratings(rows);
  RatedCosines found;
  std::map<std::uint32_t, std::uint32_t> numbers;
  std::size_t begin = 0, end = 0;
  for (std::size_t row = 0; row < rows.rows(); ++row, begin = end) {
    end = begin + rows.dataset.references(row).size();
    if (method::capella_s::is_blank(texts[row])) continue;
    found.scores.push_back(metric::compare(own.row(row), others, begin, end).max_and_centroid());
    found.ratings.push_back(static_cast<double>(ratings[row]));
    const auto next = static_cast<std::uint32_t>(numbers.size());
    found.images.push_back(numbers.emplace(rows.images[row], next).first->second);
  }
  found.image_count = numbers.size();
  if (found.scores.empty()) throw DataError(fmt::format("{}: all rated captions are blank", options.ratings));
  return found;
}

// Each half of the images is predicted by a curve of the other.
std::vector<stats::Knot> predicted_by_halves(const RatedCosines& rated) {
  const auto& [scores, ratings, images, image_count] = rated;
  std::vector<stats::Knot> predicted(scores.size());
  for (const std::uint32_t half : {0u, 1u}) {
    std::vector<double> other_scores, other_ratings;
    for (std::size_t row = 0; row < scores.size(); ++row) {
      if (images[row] % 2 == half) continue;
      other_scores.push_back(scores[row]);
      other_ratings.push_back(ratings[row]);
    }
    if (other_scores.size() < kFewestInHalf)
      throw DataError(
          fmt::format("{} rated captions of {} images are too few, expected 200 or so: a half of the "
                      "images has only {}, and each is predicted by a curve of the other",
                      scores.size(), image_count, other_scores.size()));
    const stats::Calibration curve = stats::calibrate(other_scores, other_ratings);
    for (std::size_t row = 0; row < scores.size(); ++row) {
      if (images[row] % 2 == half) predicted[row] = curve.at(scores[row]);
    }
  }
  return predicted;
}

// The name of the file of ratings that an adapter has learnt from, as its folder tells; empty: none that is
// known of.
std::string learnt_ratings(const std::string& folder) {
  const std::filesystem::path path = std::filesystem::path(folder) / "adapter_config.json";
  std::error_code unknown;
  if (!std::filesystem::exists(path, unknown)) return {};
  const nlohmann::json config = encoder::read_model_object(path.string());
  const nlohmann::json::json_pointer place("/capella/rated/file");
  return config.contains(place) && config[place].is_string() ? config[place].get<std::string>() : "";
}

void expect_place(const AdapterCalibration& options) {
  std::error_code unknown;
  const bool there = std::filesystem::is_directory(options.adapter, unknown);
  if (!there && options.adapter == metric::kEncoderSetting.default_value)
    throw FileError(fmt::format(
        "{0} is a data package, expected a folder of your own, since the curve is written into it; copy the "
        "package: cp -r \"$(capella data path {0})\" my-{0}",
        options.adapter));
  if (!there && options.adapter == method::capella_s::kShipped)
    throw FileError(
        "capella-s comes with Capella and has its curve, expected a folder of your own, since the curve is "
        "written "
        "into it; copy models/capella-s");
  if (!there)
    throw FileError(
        fmt::format("{}: is no folder, expected that of an adapter or of a model", options.adapter));
  if (!options.replace &&
      std::filesystem::exists(method::capella_s::calibration_path(options.adapter), unknown))
    throw FileError(fmt::format("{}: is there already; give --replace to write another",
                                method::capella_s::calibration_path(options.adapter)));
  check_layout(options.layout, LayoutUse::ratings);
}

}  // namespace
}  // namespace pipeline

AdapterCalibrated calibrate_adapter(const AdapterCalibration& options) {
  using namespace pipeline;
  expect_place(options);
  const io::Benchmark rows =
      read_validation_rows(options.layout, options.ratings, options.without, RowsFor::curve);
  AdapterCalibrated result;
  const encoder::SentenceEncoder encoder(options.adapter);
  const RatedCosines rated = cosines_of(encoder, rows, options);
  result.agreement = stats::kendall(rated.scores, rated.ratings).tau_c;
  if (!(result.agreement > 0))
    throw DataError(fmt::format(
        "{}: ratings do not rise with the cosines of {} (tau-c {:.3f}), so there is no curve; are the "
        "ratings the wrong way round, or of other captions?",
        options.ratings, encoder.description(), result.agreement));
  const stats::Reliability found =
      stats::reliability(predicted_by_halves(rated), rated.ratings, rated.images);
  const stats::Calibration curve = stats::calibrate(rated.scores, rated.ratings);
  result.file = method::capella_s::calibration_path(options.adapter);
  const std::string learnt_from = fmt::format("{} rated captions of {} ({}), by {}", rated.scores.size(),
                                              short_name(options.ratings), rows.title, encoder.description());
  write_file_atomically(result.file,
                        method::capella_s::calibration_text({curve, encoder.fingerprint(), learnt_from}));
  result.captions = rated.scores.size();
  if (const std::size_t blank = rows.rows() - result.captions; blank > 0)
    result.warnings.push_back(
        fmt::format("{}: {} rated captions are blank and were left out", options.ratings, blank));
  if (learnt_ratings(options.adapter) == short_name(options.ratings))
    result.warnings.push_back(fmt::format(
        "{} has learnt from ratings of a file {}: if they are these, its reliability looks better than "
        "it is; take others",
        options.adapter, short_name(options.ratings)));
  result.images = rated.image_count;
  result.knots = curve.knots().size();
  for (const stats::ReliabilityBin& bin : found.bins)
    result.bins.push_back({bin.captions, bin.predicted, bin.rated, bin.spread});
  result.error = found.error;
  result.within = found.within;
  return result;
}

}  // namespace capella

#include "report/clip_report.h"

#include <cmath>

#include <fmt/format.h>

#include "report/json_value.h"
#include "report/plot_parts.h"

namespace capella::report {
namespace {

Table epoch_table(const ClipTrained& trained, bool exact) {
  const auto shown = [exact](double value, double scale, int decimals) {
    if (std::isnan(value)) return std::string("-");
    return exact ? fmt::format("{}", value) : fmt::format("{:.{}f}", scale * value, decimals);
  };
  Table table{{"epoch", "loss", exact ? "image to text" : "image to text %",
               exact ? "text to image" : "text to image %"},
              {},
              1};
  for (std::size_t k = 0; k < trained.epochs.size(); ++k) {
    const ClipEpoch& epoch = trained.epochs[k];
    table.rows.push_back({{fmt::to_string(k)},
                          {shown(epoch.loss, 1, 4)},
                          {shown(epoch.image_to_text, 100, 1)},
                          {shown(epoch.text_to_image, 100, 1)}});
  }
  return table;
}

std::string training_json(const ClipTrained& trained) {
  Json epochs = Json::array();
  for (const ClipEpoch& epoch : trained.epochs) {
    epochs.push_back({{"loss", std::isnan(epoch.loss) ? Json(nullptr) : json_number(epoch.loss)},
                      {"image_to_text", epoch.image_to_text},
                      {"text_to_image", epoch.text_to_image}});
  }
  const Json all = {{"parameters", trained.parameters},
                    {"vocabulary", trained.vocabulary},
                    {"most_tokens", trained.most_tokens},
                    {"training_images", trained.training_images},
                    {"training_captions", trained.training_captions},
                    {"validation_images", trained.validation_images},
                    {"epochs", std::move(epochs)},
                    {"resumed", trained.resumed}};
  return dump(all, 2) + "\n";
}

}  // namespace

std::string format_clip_training(const ClipTrained& trained, Format format) {
  if (format == Format::json) return training_json(trained);
  const bool for_programs = format == Format::csv || format == Format::plain;
  std::string text = format_table(epoch_table(trained, for_programs), format);
  if (format != Format::table && format != Format::markdown) return text;
  return text + fmt::format("\n{} parameters, {} pieces of words; {} with {}, validated on {}\n",
                            trained.parameters, trained.vocabulary,
                            counted(trained.training_images, "picture"),
                            counted(trained.training_captions, "caption"), trained.validation_images);
}

}  // namespace capella::report

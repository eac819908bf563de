#include "report/generator_report.h"

#include <cmath>

#include <fmt/format.h>

#include "report/json_value.h"
#include "report/number_text.h"

namespace capella::report {
namespace {

bool is_for_programs(Format format) {
  return format == Format::csv || format == Format::plain;
}

Table epoch_table(const GeneratorTrained& trained, bool exact) {
  Table table{{"epoch", "loss", "validation perplexity"}, {}, 1};
  for (std::size_t k = 0; k < trained.epochs.size(); ++k) {
    const GeneratorEpoch& epoch = trained.epochs[k];
    table.rows.push_back({{fmt::to_string(k)},
                          {shown(epoch.loss, 4, exact)},
                          {shown(epoch.perplexity, 3, exact), k == trained.best_epoch}});
  }
  return table;
}

std::string generator_json(const GeneratorTrained& trained) {
  Json epochs = Json::array();
  for (const GeneratorEpoch& epoch : trained.epochs) {
    epochs.push_back({{"loss", std::isnan(epoch.loss) ? Json(nullptr) : json_number(epoch.loss)},
                      {"validation_perplexity", json_number(epoch.perplexity)}});
  }
  const Json all = {{"architecture", trained.architecture},
                    {"parameters", trained.parameters},
                    {"vocabulary", trained.vocabulary},
                    {"training_images", trained.training_images},
                    {"training_captions", trained.training_captions},
                    {"validation_images", trained.validation_images},
                    {"epochs", std::move(epochs)},
                    {"best_epoch", trained.best_epoch},
                    {"resumed", trained.resumed}};
  return dump(all, 2) + "\n";
}

// Numbers with their names: one row, or a JSON object.
struct Entry {
  const char* name;
  Json value;
  std::string text;
};

std::string format_entries(const std::vector<Entry>& entries, Format format) {
  if (format == Format::json) {
    Json object = Json::object();
    for (const Entry& entry : entries) object[entry.name] = entry.value;
    return dump(object, 2) + "\n";
  }
  Table table{{}, {{}}, 0};
  for (const Entry& entry : entries) {
    table.columns.emplace_back(entry.name);
    table.rows[0].push_back({entry.text});
  }
  return format_table(table, format);
}

Entry count(const char* name, std::size_t value) {
  return {name, value, fmt::to_string(value)};
}

}  // namespace

std::string format_generator(const GeneratorTrained& trained, Format format) {
  if (format == Format::json) return generator_json(trained);
  std::string out = format_table(epoch_table(trained, is_for_programs(format)), format);
  if (format != Format::table && format != Format::markdown) return out;
  return out + fmt::format(
                   "\n{}: {} parameters, {} words, learnt from {} captions of {} images; the weights of "
                   "epoch {} are kept{}\n",
                   trained.architecture, trained.parameters, trained.vocabulary, trained.training_captions,
                   trained.training_images, trained.best_epoch,
                   trained.resumed ? " (resumed from a checkpoint)" : "");
}

std::string format_probabilities(const ProbabilityRun& run, Format format) {
  return format_entries(
      {count("images", run.images),
       count("captions", run.captions),
       count("words", run.words),
       count("unknown", run.unknown),
       {"perplexity", json_number(run.perplexity), shown(run.perplexity, 3, is_for_programs(format))}},
      format);
}

std::string format_generation(const GenerationRun& run, Format format) {
  return format_entries({count("images", run.images), count("words", run.words),
                         count("different", run.different), count("beam", run.beam)},
                        format);
}

}  // namespace capella::report

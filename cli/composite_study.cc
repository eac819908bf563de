// capella composite study
#include <filesystem>

#include <fmt/format.h>

#include "capella/composite.h"
#include "capella/error.h"

#include "base/file.h"
#include "cli/composite.h"
#include "cli/interrupt.h"
#include "cli/options.h"
#include "cli/output.h"
#include "report/composite_report.h"
#include "report/meta_report.h"

namespace capella::cli {
namespace {

struct StudyCommand {
  CommonOptions common;
  InputOptions input;
  StudyOptions options;
  std::string cache;
  std::string source;
  std::string machines = "other";
  std::size_t resamples = 0;  // 0: not given
};

void write_reports(const StudyResult& result, const std::string& folder) {
  std::vector<NamedContent> files = report::draw_study(result);
  files.push_back({"report.md", report::format_study(result, report::Format::markdown)});
  files.push_back({"report.json", report::format_study(result, report::Format::json)});
  write_into_folder(folder, files);
  for (std::size_t i = 0; i < result.tests.size(); ++i) {
    const std::string pictures = (std::filesystem::path(folder) / result.test_names[i]).string();
    write_into_folder(pictures, report::draw_meta(result.tests[i], true));
  }
}

void take_options(StudyCommand& command) {
  StudyOptions& options = command.options;
  options.folder = command.common.output;
  options.run.tokenizer = "ptb-iso";
  options.run.cache = command.cache;
  options.run.threads = command.common.threads;
  options.run.progress = progress_bar(command.common);
  options.training.seed = command.common.seed;
  options.captions.seed = command.common.seed;
  options.captions.other_images = command.machines == "other";
  options.captions.source = command.source.empty() ? command.input.references : command.source;
  if (command.resamples > 0) options.resamples = command.resamples;
  options.tell = [&command](const std::string& what) { notice(command.common, what); };
}

std::vector<std::string> inputs_of(const StudyCommand& command) {
  std::vector<std::string> inputs = command.input.systems;
  inputs.insert(inputs.end(),
                {command.input.references, command.options.composite, command.options.pascal50s});
  std::erase(inputs, "");
  return inputs;
}

void run(StudyCommand& command) {
  const report::Format format = summary_format(command.common);
  take_options(command);
  StudyOptions& options = command.options;
  check_outputs(prepare_study(options), inputs_of(command));
  options.captions.dataset = read_input(command.input, command.common);
  const StudyResult result =
      InterruptNotice(options.folder).during([&] { return study_composites(options); });
  for (const std::string& warning : result.warnings) warn(command.common, warning);
  emit(on_screen(command.common), format, report::format_study(result, format));
  write_reports(result, options.folder);
}

constexpr const char* kCompositeStudyFooter =
    R"(Trains every preset with several seeds and compares the networks with BLEU, ROUGE-L, SPIDEr and their own components on
human judgments. Images of the benchmarks are excluded from training. Features already in the folder are reused if they
belong to the same captions and scores. Writes report.md, report.json, figures, and the models under models/.

Example:
  capella composite study refs.json gat.json sg2caps.json --flickr8k Flickr8k/ \
      --composite composite.jsonl --pascal50s pascal_50s.json -o study)";

}  // namespace

void add_composite_study(Command& composite) {
  const auto command = std::make_shared<StudyCommand>();
  StudyOptions& options = command->options;
  Command* app = composite.add_subcommand("study", "Train all presets and evaluate them on human judgments");
  add_input(*app, command->input);
  app->add_option("--flickr8k", options.flickr8k,
                  "Folder of Flickr8k, whose expert ratings are the validation set")
      ->required();
  app->add_option("--composite", options.composite, "File of the Composite benchmark");
  app->add_option("--pascal50s", options.pascal50s, "File of PASCAL-50S");
  app->add_option("--source", command->source,
                  "Description of where the captions come from, stored in the models");
  app->add_option("--machines", command->machines,
                  "Machine captions of the same image (own), or of another one (other)")
      ->one_of({"own", "other"})
      ->show_default();
  app->add_option("--seeds", options.training.seeds, "Number of networks per preset")
      ->check(not_negative)
      ->show_default();
  app->add_flag("--standardize", options.training.standardize,
                "Standardize scores to mean 0 and standard deviation 1");
  app->add_option("--resamples", command->resamples, "Number of bootstrap resamples of images")
      ->check(resample_count);
  app->add_option("--cache", command->cache, "Folder that caches parsed captions for later runs");
  add_common(*app, command->common);
  app->get_option("--output")->description("Folder for features, models and reports")->required();
  app->footer(kCompositeStudyFooter);
  app->callback([command] { run(*command); });
}

}  // namespace capella::cli

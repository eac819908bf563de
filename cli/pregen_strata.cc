// capella pregen strata
#include "capella/pregen.h"

#include "cli/options.h"
#include "cli/output.h"
#include "cli/pregen.h"
#include "io/system_name.h"

namespace capella::cli {
namespace {

struct StrataCommand {
  CommonOptions common;
  InputOptions input;
  StrataOptions strata;
  std::string filter0 = "code";
};

// The files that the words name.
void add_paths(const std::vector<std::string>& words, std::vector<std::string>& paths) {
  for (const io::SystemFile& file : io::name_systems(words)) paths.push_back(file.path);
}

void run(StrataCommand command) {
  expect_no_format(command.common, "a data file has one layout");
  StrataOptions& options = command.strata;
  options.paper_filter0 = command.filter0 == "paper";
  options.threads = command.common.threads;
  options.progress = progress_bar(command.common);
  options.warn = [&](const std::string& warning) { warn(command.common, warning); };
  check_strata_options(options);
  std::vector<std::string> inputs = {command.input.references};
  add_paths(command.input.systems, inputs);
  add_paths(options.probabilities, inputs);
  check_outputs(std::vector{command.common.output}, inputs);
  emit(command.common, pregen_strata(read_input(command.input, command.common), options));
}

constexpr const char* kPregenStrataFooter =
    R"(For every system, images are sorted by the CIDEr of its captions and cut into S = 1 ... 5 strata of equal size, of which
0 is the worst; the best images, those left over, belong to none. Each of the 15 strata is a row: data set,
architecture, run, S, stratum, scores of the captions, then, with --probs, the 504 pre-gen metrics of the same images.
CIDEr is CIDEr-D with the document frequencies of the stratum's own references; WMD uses vectors as they are (raw). A
file named init_1 is run 1 of architecture init, flickr8k_init_1 the same on the data set flickr8k; any other NAME is
run 1 of an architecture. Probabilities are those of the references, in their order.

Examples:
  capella pregen strata refs.json init_1.json init_2.json -o data.txt
  capella pregen strata refs.json init_1.json --probs init_1.bin \
      --dataset flickr8k -o data.txt
  capella pregen strata dataset.json --split test init_1.txt \
      --probs init_1.json -o data.txt
  capella pregen strata refs.json init_1.json --scores CIDEr,BLEU-4,WMD \
      --set wmd.vectors=GoogleNews.bin)";

}  // namespace

void add_pregen_strata(Command& pregen) {
  const auto command = std::make_shared<StrataCommand>();
  StrataOptions& strata = command->strata;
  Command* app = pregen.add_subcommand("strata", "Write scores and pre-gen metrics by stratum to a file");
  add_input(*app, command->input);
  app->get_option("HYPS")->required();
  app->add_option("--probs", strata.probabilities,
                  "Token probabilities of the references, one FILE or NAME=FILE per system, named like it");
  app->add_option("--dataset", strata.data_set, "Name of the data set, unless the file names contain it");
  app->add_option("--strata", strata.most_strata, "Maximum number of strata")
      ->check(not_negative)
      ->show_default();
  app->add_option("--scores", strata.scores, "Scores of the captions, e.g. METEOR,CIDEr,SPICE,WMD")
      ->comma_separated()
      ->show_default();
  app->add_option("--tokenizer", strata.tokenizer,
                  "Tokenizer: karpathy (as in Karpathy's data sets, from raw captions or such tokens), none "
                  "(captions as "
                  "they are), ptb-iso, ptb or 13a")
      ->show_default();
  app->add_option(
         "--df", strata.df,
         "CIDEr's document frequencies: refs (each stratum's own, as in the paper), coco-val or a file")
      ->show_default();
  app->add_option("--set", strata.settings, "Metric setting, METRIC.KEY=VALUE; may be repeated")->repeated();
  app->add_option("--filter0", command->filter0, "Definition of filter0: the authors' code or their paper")
      ->one_of({"code", "paper"})
      ->show_default();
  app->add_option("--cache", strata.cache,
                  "Folder that caches parsed captions, to speed up later runs of SPICE");
  add_common(*app, command->common);
  app->get_option("--format")->description("Not used: data files have one layout");
  app->footer(kPregenStrataFooter);
  app->callback([command] { run(*command); });
}

}  // namespace capella::cli

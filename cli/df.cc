// capella df
#include <fmt/format.h>

#include "capella/error.h"

#include "cli/commands.h"
#include "cli/options.h"
#include "cli/output.h"
#include "report/table.h"

namespace capella::cli {
namespace {

struct DfCommand {
  CommonOptions common;
  std::string references;
  std::string tokenizer = "ptb-iso";
  ReadOptions read;
};

void run(const DfCommand& command) {
  if (command.common.output.empty()) throw UsageError("df: name the file to write with -o FILE");
  report::format_by_name(command.common.format);
  const Dataset dataset = read_dataset(command.references, {}, command.read);
  warn_of_skipped(dataset, command.common);
  const std::size_t ngrams =
      write_document_frequencies(dataset, command.tokenizer, command.common.output, command.common.threads);
  notice(command.common,
         fmt::format("{}: {} n-grams that occur in at least two of {} items; use it with --df {}",
                     command.common.output, ngrams, dataset.size(), command.common.output));
}

constexpr const char* kDfExamples = R"(Examples:
  capella df captions_train.json -o train.df
  capella score refs.json mine.json -m cider-d --df train.df)";

}  // namespace

void add_df(Command& program) {
  const auto command = std::make_shared<DfCommand>();
  Command* app = program.add_subcommand("df", "Compute the document frequencies of a corpus, for CIDEr");
  app->add_option("REFS", command->references, "References, in any format that `capella score` reads")
      ->required();
  app->add_option("--tokenizer", command->tokenizer,
                  "Tokenizer: ptb-iso (independent of the order of captions), ptb, 13a, none or karpathy")
      ->show_default();
  add_read_options(*app, command->read);
  add_common(*app, command->common);
  app->get_option("--output")->description("File to write")->required();
  app->get_option("--format")->description("Not used: the file has one layout");
  app->footer(kDfExamples);
  app->callback([command] { run(*command); });
}

}  // namespace capella::cli

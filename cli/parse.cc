// capella parse
#include "capella/parse.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "capella/error.h"

#include "cli/commands.h"
#include "cli/options.h"
#include "cli/output.h"
#include "report/parse_report.h"

namespace capella::cli {
namespace {

struct ParseCommand {
  CommonOptions common;
  std::vector<const Option*> for_captions;  // of no use with trees
  std::string file;
  std::string trees;
  ReadOptions read;
  std::string tokenizer = "none";
  bool no_synsets = false;
};

void check_input(const ParseCommand& command) {
  const bool from_trees = !command.trees.empty();
  if (command.file.empty() != from_trees) {
    throw UsageError("parse: give one FILE of captions, or their trees with --trees FILE");
  }
  for (const Option* option : command.for_captions) {
    if (!from_trees || option->count() == 0) continue;
    throw UsageError(
        fmt::format("parse: {} is about captions, and trees are read as they are; leave it out with --trees",
                    option->name()));
  }
}

// Lists all rows that were left out: no output has a place for them.
void warn_of_skipped(const ParsedFile& file, const CommonOptions& common) {
  if (file.skipped.empty()) return;
  std::string list;
  for (const Skipped& row : file.skipped) list += fmt::format("\n  {}: {}", row.id, row.why);
  warn(common, fmt::format("{} row{} left out, {} caption{} remain{}:{}", file.skipped.size(),
                           file.skipped.size() == 1 ? "" : "s", file.captions.size(),
                           file.captions.size() == 1 ? "" : "s", file.captions.size() == 1 ? "s" : "", list));
}

std::vector<ParsedCaption> parse_captions(const ParseCommand& command, const ParseOptions& options) {
  ParsedFile file = parse_file(command.file, command.read, options);
  warn_of_skipped(file, command.common);
  if (file.looks_like_trees) {
    notice(command.common, fmt::format("{0}: its lines look like those of trees, but were read as captions; "
                                       "did you mean --trees {0}?",
                                       command.file));
  }
  return std::move(file.captions);
}

void run(const ParseCommand& command) {
  const report::ParseFormat format = report::parse_format_by_name(command.common.format);
  check_input(command);
  const bool from_trees = !command.trees.empty();
  const std::string& input = from_trees ? command.trees : command.file;
  check_outputs(std::vector{command.common.output}, std::vector{input});
  ParseOptions options;
  options.tokenizer = command.tokenizer;
  options.tuples = format != report::ParseFormat::conll;
  options.synsets = !command.no_synsets;
  options.threads = command.common.threads;
  options.progress = progress_bar(command.common);
  check_options(options, from_trees);
  const auto captions = from_trees ? parse_trees_file(input, options) : parse_captions(command, options);
  emit(command.common, report::format_parses(captions, format));
}

constexpr const char* kParseExamples = R"(Examples:
  capella parse captions.json    # a scene graph per caption, JSONL
  echo "a red bus on a street" | capella parse -
  capella parse captions.txt --format conll    # dependency trees
  capella parse captions.txt --format svg -o scenes.svg
  capella parse --trees trees.conll.gz    # from another parser's trees)";

}  // namespace

void add_parse(Command& program) {
  const auto command = std::make_shared<ParseCommand>();
  Command* app =
      program.add_subcommand("parse", "Parse captions into objects, attributes, relations and trees");
  app->add_option("FILE", command->file,
                  "Captions, in any format that `capella score` reads; - reads standard input");
  app->add_option("--trees", command->trees,
                  "Dependency trees to use instead of captions: six columns or CoNLL-U, also gzipped");
  app->add_option("--tokenizer", command->tokenizer,
                  "Tokenizer: none, or ptb or ptb-iso to see what SPICE sees in `capella score`")
      ->show_default();
  app->add_flag("--no-synsets", command->no_synsets, "Do not merge synonyms");
  add_read_options(*app, command->read);
  for (const char* name : {"--tokenizer", "--skip-bad", "--split", "--id-column", "--caption-column"})
    command->for_captions.push_back(app->get_option(name));
  command->common.format = "graph";
  add_common(*app, command->common);
  app->get_option("--format")
      ->description(fmt::format("Output format: {}", fmt::join(report::kParseFormatNames, ", ")));
  app->footer(kParseExamples);
  app->callback([command] { run(*command); });
}

}  // namespace capella::cli

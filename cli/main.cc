// The program: parses the command line, runs one command, and turns errors into messages and exit codes.
// 0: done. 1: the data is wrong or the work failed. 2: wrong usage.
#include <csignal>
#include <cstdio>
#include <exception>

#include <fmt/format.h>

#include "capella/error.h"
#include "capella/version.h"

#include "base/names.h"
#include "cli/commands.h"
#include "cli/output.h"

namespace capella::cli {
namespace {

constexpr const char* kFooter = R"(Examples:
  capella score refs.json mine.json             the table of your paper
  capella compare refs.json a.json b.json       which is better, and is it more than chance
  capella explain refs.json mine.json --id 42   why caption 42 got its scores
  capella COMMAND --help                        every option of a command

Input files may be COCO annotations, lists or dictionaries in JSON, JSONL, CSV, TSV, Karpathy's dataset.json,
Flickr8k.token.txt or plain lines, also packed with gzip.)";

void add_commands(CLI::App& program) {
  program.require_subcommand(1);
  program.set_version_flag("--version", fmt::format("capella {}", kVersion));
  program.footer(kFooter);
  add_score(program);
  add_compare(program);
  add_merge(program);
  add_meta(program);
  add_explain(program);
  add_composite(program);
  add_pregen(program);
  add_mln(program);
  add_deneb(program);
  add_nn(program);
  add_parse(program);
  add_df(program);
  add_world(program);
  add_data(program);
  add_metrics(program);
  add_verify(program);
  add_doctor(program);
  add_completion(program);
}

// What the parser could not place: an unknown command or option, with the nearest known one.
std::string describe_extras(CLI::App& program) {
  const CLI::App* deepest = &program;
  while (!deepest->get_subcommands().empty()) deepest = deepest->get_subcommands()[0];
  const CLI::App& scope = *deepest;
  const std::vector<std::string> extras = program.remaining(true);
  const std::string& word = extras.at(0);
  std::vector<std::string> known;
  for (const CLI::App* command : scope.get_subcommands({})) known.push_back(command->get_name());
  for (const CLI::Option* option : scope.get_options()) {
    for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
  }
  const std::vector<std::string_view> views(known.begin(), known.end());
  return unknown_name_message(word.starts_with('-') ? "option"
                              : deepest == &program ? "command"
                                                    : "argument",
                              word, views);
}

int usage_error(std::string_view message) {
  say(fmt::format("capella: {}\nSee capella --help, or capella COMMAND --help.\n", message));
  return 2;
}

int run(CLI::App& program, int argc, char** argv) {
  try {
    program.parse(argc, argv);
    return 0;
  } catch (const CLI::Success& request) {  // --help, --version
    return program.exit(request);
  } catch (const CLI::ParseError& problem) {
    if (program.remaining_size(true) > 0) return usage_error(describe_extras(program));
    return usage_error(problem.what());
  } catch (const UsageError& problem) {
    return usage_error(problem.what());
  } catch (const ReaderGone&) {  // end as if nobody had caught the signal
    std::signal(SIGPIPE, SIG_DFL);
    std::raise(SIGPIPE);
  } catch (const Error& problem) {
    say(fmt::format("capella: {}\n", problem.what()));
  } catch (const std::bad_alloc&) {
    say("capella: out of memory; score in parts with --shard i/n\n");
  } catch (const std::exception& problem) {
    say(fmt::format("capella: a fault of ours, please report it: {}\n", problem.what()));
  }
  return 1;
}

}  // namespace
}  // namespace capella::cli

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);  // a file that is written beside the output is still ended in order
  CLI::App program("Capella evaluates image captions.", "capella");
  capella::cli::add_commands(program);
  return capella::cli::run(program, argc, argv);
}

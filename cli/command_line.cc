#include "cli/command_line.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "capella/error.h"

#include "base/names.h"
#include "base/suggestion.h"
#include "cli/output.h"
#include "report/wrap.h"

namespace capella::cli {
namespace {

std::vector<const CLI::Option*> arguments_of(const CLI::App& command) {
  return command.get_options([](const CLI::Option* option) { return option->get_positional(); });
}

// A command's help: what it does, how it is called, its arguments, options and commands, examples.
class HelpText : public CLI::FormatterBase {
 public:
  explicit HelpText(std::size_t width) : width_(std::clamp<std::size_t>(width, kNarrowest, kWidest)) {}

  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode) const override {
    std::string text = report::fill(app->get_description(), width_);
    text += '\n' + report::wrap_lines(usage(*app, name), width_);
    text += group("Arguments", arguments_of(*app));
    for (const std::string& heading : headings(*app)) text += commands(*app, heading);
    text += group("Options", app->get_options([](const CLI::Option* one) { return one->nonpositional(); }));
    if (!app->get_footer().empty()) text += '\n' + report::fill(app->get_footer(), width_);
    return text;
  }

 private:
  static constexpr std::size_t kNarrowest = 40;
  static constexpr std::size_t kWidest = 100;       // longer lines are hard to read
  static constexpr std::size_t kCommandNames = 17;  // columns of names, before what they are
  static constexpr std::size_t kOptionNames = 26;

  // A command that does something itself takes either arguments or the name of one of its commands.
  static std::string usage(const CLI::App& app, const std::string& name) {
    const std::vector<const CLI::Option*> arguments = arguments_of(app);
    std::string text;
    if (!arguments.empty() || headings(app).empty()) {
      text = fmt::format("Usage: {} [OPTIONS]", name);
      for (const CLI::Option* one : arguments) {
        const std::string word = one->get_name(true, false) + (takes_many(*one) ? "..." : "");
        text += one->get_required() ? ' ' + word : " [" + word + ']';
      }
      text += '\n';
    }
    if (!headings(app).empty())
      text += fmt::format("{} {} COMMAND [OPTIONS]\n", text.empty() ? "Usage:" : "      ", name);
    return text;
  }

  static bool takes_many(const CLI::Option& option) {
    return option.get_expected_max() >= CLI::detail::expected_max_vector_size;
  }

  // "  -o, --output TEXT", "  REFS".
  static std::string names(const CLI::Option& option) {
    if (option.get_positional()) return "  " + option.get_name(true, false);
    std::string text = option.get_snames().empty() ? "  " : "  -" + option.get_snames()[0];
    for (const std::string& name : option.get_lnames()) text += (text.size() > 2 ? ", --" : "--") + name;
    return option.get_type_size() == 0 ? text : text + ' ' + value_name(option.get_type_name());
  }

  static std::string value_name(const std::string& type) {
    return type == "UINT" || type == "INT" ? "N" : type == "FLOAT" ? "X" : type;
  }

  static std::string meaning(const CLI::Option& option) {
    std::string text = option.get_description();
    if (!option.get_default_str().empty()) text += fmt::format(" [default: {}]", option.get_default_str());
    if (option.get_required() && !option.get_positional()) text += " [required]";
    for (const CLI::Option* other : option.get_needs()) text += fmt::format(" [needs {}]", other->get_name());
    return text;
  }

  // Names on the left, what they are on the right; below where names are long.
  std::string entry(const std::string& names, const std::string& meaning, std::size_t column) const {
    std::string text = names;
    bool below = names.size() + 2 > column;
    for (const std::string& line : report::wrap(meaning, width_ - column, report::LongWords::keep)) {
      text += below ? '\n' + std::string(column, ' ') : std::string(column - text.size(), ' ');
      text += line;
      below = true;
    }
    return text + '\n';
  }

  std::string group(const std::string& title, const std::vector<const CLI::Option*>& options) const {
    std::string text = options.empty() ? "" : '\n' + title + ":\n";
    for (const CLI::Option* option : options) text += entry(names(*option), meaning(*option), kOptionNames);
    return text;
  }

  static std::vector<std::string> headings(const CLI::App& app) {
    std::vector<std::string> found;
    for (const CLI::App* one : app.get_subcommands([](const CLI::App*) { return true; }))
      if (std::ranges::find(found, one->get_group()) == found.end()) found.push_back(one->get_group());
    return found;
  }

  std::string commands(const CLI::App& app, const std::string& heading) const {
    std::string text = '\n' + heading + ":\n";
    for (const CLI::App* one :
         app.get_subcommands([&](const CLI::App* a) { return a->get_group() == heading; }))
      text += entry("  " + one->get_name(), one->get_description(), kCommandNames);
    return text;
  }

  std::size_t width_;
};

}  // namespace

Option* Option::required(bool yes) {
  inner_.required(yes);
  return this;
}

Option* Option::check(const Check& problem) {
  inner_.check(problem);
  return this;
}

Option* Option::one_of(const std::vector<std::string_view>& words) {
  inner_.type_name(fmt::format("{}", fmt::join(words, "|")));
  return check([words](const std::string& word) {
    return std::ranges::find(words, word) != words.end() ? "" : unknown_name_message("choice", word, words);
  });
}

Option* Option::between(std::int64_t low, std::int64_t high) {
  inner_.check(CLI::Range(low, high).description(""))->type_name(fmt::format("{}..{}", low, high));
  return this;
}

Option* Option::show_default() {
  inner_.capture_default_str();
  return this;
}

Option* Option::show_default(const std::string& text) {
  inner_.default_str(text);
  return this;
}

Option* Option::description(const std::string& text) {
  inner_.description(text);
  return this;
}

Option* Option::single() {
  inner_.expected(1);
  return this;
}

Option* Option::repeated() {
  inner_.take_all()->allow_extra_args(false);
  return this;
}

Option* Option::comma_separated() {
  inner_.delimiter(',')->allow_extra_args(false)->transform([](const std::string& word) {
    const std::vector<std::string_view> trimmed = split_list(word, ',');
    return trimmed.empty() ? std::string() : std::string(trimmed[0]);
  });
  return this;
}

Option* Option::needs(const Option* other) {
  inner_.needs(&other->inner_);
  return this;
}

std::size_t Option::count() const {
  return inner_.count();
}

std::string Option::name() const {
  return inner_.get_name();
}

Command* Command::add_subcommand(const std::string& name, const std::string& description) {
  return &commands_.emplace_back(*inner_.add_subcommand(name, description)->group(heading_));
}

void Command::heading(const std::string& text) {
  heading_ = text;
}

void Command::require_subcommand() {
  inner_.require_subcommand(0, 1);
  inner_.callback([this] {
    if (!subcommand_given()) throw CommandMissing{};
  });
}

void Command::footer(const std::string& text) {
  inner_.footer(text);
}

void Command::callback(const std::function<void()>& run) {
  inner_.callback(run);
}

void Command::commands_exclude(const Option* option) {
  for (Command& command : commands_) command.inner_.excludes(&option->inner_);
}

Option* Command::keep(CLI::Option* option) {
  return &options_.emplace_back(*option);
}

template <class Value>
Option* Command::add_option(const std::string& name, Value& value, const std::string& help) {
  return keep(inner_.add_option(name, value, help));
}

template <class Value>
Option* Command::add_option_function(const std::string& name, const std::function<void(const Value&)>& take,
                                     const std::string& help) {
  return keep(inner_.add_option_function<Value>(name, take, help));
}

template Option* Command::add_option(const std::string&, std::string&, const std::string&);
template Option* Command::add_option(const std::string&, std::size_t&, const std::string&);
template Option* Command::add_option(const std::string&, double&, const std::string&);
template Option* Command::add_option(const std::string&, std::optional<std::size_t>&, const std::string&);
template Option* Command::add_option(const std::string&, std::optional<double>&, const std::string&);
template Option* Command::add_option(const std::string&, std::vector<std::string>&, const std::string&);
template Option* Command::add_option(const std::string&, std::vector<std::size_t>&, const std::string&);
template Option* Command::add_option(const std::string&, std::vector<double>&, const std::string&);
template Option* Command::add_option_function(const std::string&,
                                              const std::function<void(const std::string&)>&,
                                              const std::string&);
template Option* Command::add_option_function(const std::string&,
                                              const std::function<void(const std::size_t&)>&,
                                              const std::string&);
template Option* Command::add_option_function(const std::string&, const std::function<void(const double&)>&,
                                              const std::string&);
template Option* Command::add_option_function(const std::string&,
                                              const std::function<void(const std::vector<std::string>&)>&,
                                              const std::string&);

Option* Command::add_flag(const std::string& name, bool& value, const std::string& help) {
  return keep(inner_.add_flag(name, value, help));
}

Option* Command::get_option(const std::string& name) {
  CLI::Option* wanted = inner_.get_option(name);
  return &*std::ranges::find(options_, wanted, [](const Option& option) { return &option.inner_; });
}

std::size_t Command::count(const std::string& option) const {
  return inner_.count(option);
}

bool Command::subcommand_given() const {
  return !inner_.get_subcommands().empty();
}

std::string Command::name() const {
  return inner_.get_name();
}

std::string Command::description() const {
  return inner_.get_description();
}

std::vector<Command::OptionWords> Command::options() const {
  std::vector<OptionWords> words;
  for (const CLI::Option* option : std::as_const(inner_).get_options())
    words.push_back({option->get_snames(), option->get_lnames(), option->get_description()});
  return words;
}

std::vector<std::string> Command::command_names() const {
  std::vector<std::string> names;
  for (const Command& command : commands_) names.push_back(command.name());
  return names;
}

const Command& Command::command(std::string_view name) const {
  return *std::ranges::find(commands_, name, &Command::name);
}

CommandLine::CommandLine(const std::string& description, const std::string& name, const std::string& version,
                         std::size_t help_width)
    : inner_(std::make_unique<CLI::App>(description, name)), program_(*inner_) {
  inner_->formatter(std::make_shared<HelpText>(help_width));
  inner_->set_version_flag("--version", version);
}

CommandLine::~CommandLine() = default;

namespace {

// What the parser could not place: an unknown command or option, with the nearest known one.
std::string describe_extras(const CLI::App& program) {
  const CLI::App* deepest = &program;
  while (!deepest->get_subcommands().empty()) deepest = deepest->get_subcommands()[0];
  const std::vector<std::string> extras = program.remaining(true);
  const std::string& word = extras.at(0);
  std::vector<std::string> known;
  for (const CLI::App* command : deepest->get_subcommands({})) known.push_back(command->get_name());
  for (const CLI::Option* option : deepest->get_options()) {
    for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
  }
  const std::vector<std::string_view> views(known.begin(), known.end());
  const std::vector<const CLI::Option*> arguments = arguments_of(*deepest);
  if (!word.starts_with('-') && !arguments.empty()) {
    std::vector<std::string> names;
    for (const CLI::Option* argument : arguments) names.push_back(argument->get_name(true, false));
    return fmt::format("found the argument '{}', expected {} alone{}", excerpt(word), fmt::join(names, " "),
                       did_you_mean(word, views));
  }
  return unknown_name_message(word.starts_with('-') ? "option" : "command", word, views);
}

}  // namespace

void CommandLine::run(int argc, char** argv) {
  try {
    inner_->parse(argc, argv);
  } catch (const CommandMissing&) {
    throw CommandMissing{inner_->help()};
  } catch (const CLI::CallForHelp&) {
    emit(CommonOptions(), inner_->help());
  } catch (const CLI::Success& request) {  // --version
    inner_->exit(request);
  } catch (const CLI::ParseError& problem) {
    throw UsageError(inner_->remaining_size(true) > 0 ? describe_extras(*inner_) : problem.what());
  }
}

}  // namespace capella::cli

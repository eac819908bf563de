#include "cli/command_line.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "capella/error.h"

#include "base/names.h"

namespace capella::cli {

Option* Option::required(bool yes) {
  inner_.required(yes);
  return this;
}

Option* Option::check(const Check& problem) {
  inner_.check(problem);
  return this;
}

Option* Option::one_of(std::initializer_list<const char*> words) {
  inner_.check(CLI::IsMember(std::vector<std::string>(words.begin(), words.end())));
  return this;
}

Option* Option::between(std::int64_t low, std::int64_t high) {
  inner_.check(CLI::Range(low, high));
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

Option* Option::repeated() {
  inner_.take_all()->allow_extra_args(false);
  return this;
}

Option* Option::comma_separated() {
  inner_.delimiter(',')->allow_extra_args(false);
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
  return &commands_.emplace_back(*inner_.add_subcommand(name, description));
}

void Command::require_subcommand() {
  inner_.require_subcommand(1);
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

const Command& Command::command(std::string_view name) const {
  return *std::ranges::find(commands_, name, &Command::name);
}

CommandLine::CommandLine(const std::string& description, const std::string& name, const std::string& version)
    : inner_(std::make_unique<CLI::App>(description, name)), program_(*inner_) {
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
  return unknown_name_message(word.starts_with('-') ? "option"
                              : deepest == &program ? "command"
                                                    : "argument",
                              word, views);
}

}  // namespace

void CommandLine::run(int argc, char** argv) {
  try {
    inner_->parse(argc, argv);
  } catch (const CLI::Success& request) {  // --help, --version
    inner_->exit(request);
  } catch (const CLI::ParseError& problem) {
    throw UsageError(inner_->remaining_size(true) > 0 ? describe_extras(*inner_) : problem.what());
  }
}

}  // namespace capella::cli

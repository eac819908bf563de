// Commands, their options and arguments. The parser behind them is CLI11, whose header takes longer to
// compile than all the rest of this folder: only command_line.cc includes it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace capella::cli {

/// What is wrong with a word that was given; empty if nothing is.
using Check = std::function<std::string(const std::string& word)>;

/// An option ("--seed", "-o,--output"), a flag, or an argument ("REFS").
class Option {
 public:
  explicit Option(CLI::Option& inner) : inner_(inner) {}

  Option* required(bool yes = true);
  Option* check(const Check& problem);
  /// Only these words.
  Option* one_of(const std::vector<std::string_view>& words);
  /// Only whole numbers from `low` to `high`.
  Option* between(std::int64_t low, std::int64_t high);
  /// Help shows the value that the variable has now, or this text, as the default.
  Option* show_default();
  Option* show_default(const std::string& text);
  Option* description(const std::string& text);
  /// Takes one word, though its variable is a list.
  Option* single();
  /// May be given several times, each with one word.
  Option* repeated();
  /// Takes one word, a list: "1,2,3".
  Option* comma_separated();
  Option* needs(const Option* other);

  /// How often the user gave it.
  std::size_t count() const;
  std::string name() const;

 private:
  friend class Command;
  CLI::Option& inner_;
};

/// The program or one of its commands. Options and commands live as long as the program.
class Command {
 public:
  explicit Command(CLI::App& inner) : inner_(inner) {}

  Command* add_subcommand(const std::string& name, const std::string& description);
  /// Help lists the commands that are added from now on under this heading.
  void heading(const std::string& text);
  /// One of its commands must be named.
  void require_subcommand();
  void footer(const std::string& text);
  void callback(const std::function<void()>& run);
  /// An option or argument that none of its commands takes.
  void commands_exclude(const Option* option);

  /// For values of the types that command_line.cc lists.
  template <class Value>
  Option* add_option(const std::string& name, Value& value, const std::string& help);
  /// ... with a function that is handed the value.
  template <class Value>
  Option* add_option_function(const std::string& name, const std::function<void(const Value&)>& take,
                              const std::string& help);
  Option* add_flag(const std::string& name, bool& value, const std::string& help);
  Option* get_option(const std::string& name);

  /// How often the user gave an option.
  std::size_t count(const std::string& option) const;
  /// Whether the user named one of its commands.
  bool subcommand_given() const;

  /// For scripts that complete words.
  struct OptionWords {
    std::vector<std::string> short_names, long_names;
    std::string description;
  };
  std::string name() const;
  std::string description() const;
  std::vector<OptionWords> options() const;
  const std::deque<Command>& commands() const { return commands_; }
  std::vector<std::string> command_names() const;
  const Command& command(std::string_view name) const;

 private:
  Option* keep(CLI::Option* option);

  CLI::App& inner_;
  std::string heading_ = "Commands";
  std::deque<Option> options_;
  std::deque<Command> commands_;
};

/// Thrown where a command needs the name of one of its own: its help, which lists them.
struct CommandMissing {
  std::string help;
};

/// The words of a command line, read by a program that commands are added to.
class CommandLine {
 public:
  CommandLine(const std::string& description, const std::string& name, const std::string& version,
              std::size_t help_width);
  ~CommandLine();

  Command& program() { return program_; }
  /// Runs the command that the words name; prints help or the version where they ask for it. Throws
  /// UsageError for words that it cannot place, CommandMissing, and whatever the command throws.
  void run(int argc, char** argv);

 private:
  std::unique_ptr<CLI::App> inner_;
  Command program_;
};

}  // namespace capella::cli

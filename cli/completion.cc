// Shell completion, made from the program's own commands and options, so that it is always complete.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "capella/composite.h"
#include "capella/error.h"
#include "capella/meta.h"

#include "base/names.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/output.h"
#include "report/parse_report.h"

namespace capella::cli {
namespace {

constexpr std::string_view kShells[] = {"bash", "zsh", "fish"};

std::vector<std::string> option_words(const Command& command) {
  std::vector<std::string> words;
  for (const Command::OptionWords& option : command.options()) {
    for (const std::string& name : option.short_names) words.push_back("-" + name);
    for (const std::string& name : option.long_names) words.push_back("--" + name);
  }
  return words;
}

// "    WORDS) words="--this --that" ;;", one line for each command and each of its own.
std::string option_cases(const Command& program, std::string& nested) {
  std::string cases;
  for (const Command& command : program.commands()) {
    cases += fmt::format("    {}) words=\"{}\" ;;\n", command.name(), fmt::join(option_words(command), " "));
    for (const Command& inner : command.commands()) {
      nested += fmt::format("    \"{} {}\") words=\"{}\" ;;\n", command.name(), inner.name(),
                            fmt::join(option_words(inner), " "));
    }
  }
  return cases;
}

std::vector<std::string> preset_names() {
  std::vector<std::string> names;
  for (const CompositePreset& preset : composite_presets()) names.push_back(preset.name);
  return names;
}

std::string bash_script(const Command& program) {
  std::string nested;
  const std::string cases = option_cases(program, nested);
  return fmt::format(
      R"(_capella() {{
  local current="${{COMP_WORDS[COMP_CWORD]}}" previous="${{COMP_WORDS[COMP_CWORD-1]}}" words=""
  case "$previous" in
    -m|--metrics)
      local before="" lists="all available"
      [[ "$current" == *,* ]] && before="${{current%,*}}," lists=""
      COMPREPLY=($(compgen -P "$before" -W "$lists {}" -- "${{current##*,}}")); return ;;
    --missing) COMPREPLY=($(compgen -W "error skip" -- "$current")); return ;;
    --ids) COMPREPLY=($(compgen -W "exact coco" -- "$current")); return ;;
    --test) COMPREPLY=($(compgen -W "bootstrap randomization" -- "$current")); return ;;
    --ci-method) COMPREPLY=($(compgen -W "percentile bca" -- "$current")); return ;;
    completion) COMPREPLY=($(compgen -W "{}" -- "$current")); return ;;
    data)
      [ "$COMP_CWORD" -eq 2 ] && [[ "$current" != -* ]] && COMPREPLY=($(compgen -W "list get path vectors" -- "$current")) && return ;;
    meta)
      [ "$COMP_CWORD" -eq 2 ] && [[ "$current" != -* ]] && COMPREPLY=($(compgen -W "{} {}" -- "$current")) && return ;;
    composite)
      [ "$COMP_CWORD" -eq 2 ] && [[ "$current" != -* ]] && COMPREPLY=($(compgen -W "{}" -- "$current")) && return ;;
    pregen)
      [ "$COMP_CWORD" -eq 2 ] && [[ "$current" != -* ]] && COMPREPLY=($(compgen -W "{}" -- "$current")) && return ;;
    mln)
      [ "$COMP_CWORD" -eq 2 ] && [[ "$current" != -* ]] && COMPREPLY=($(compgen -W "{}" -- "$current")) && return ;;
    --method) [ "${{COMP_WORDS[1]}}" = mln ] && COMPREPLY=($(compgen -W "auto exact ptp gibbs" -- "$current")) && return ;;
    --objective) COMPREPLY=($(compgen -W "pseudo exact" -- "$current")); return ;;
    --optimiser) COMPREPLY=($(compgen -W "lbfgs gradient newton" -- "$current")); return ;;
    --architecture) COMPREPLY=($(compgen -W "init pre par merge" -- "$current")); return ;;
    --filter0) COMPREPLY=($(compgen -W "code paper" -- "$current")); return ;;
    --preset) COMPREPLY=($(compgen -W "{}" -- "$current")); return ;;
    --machines) COMPREPLY=($(compgen -W "own other" -- "$current")); return ;;
    --benchmark) COMPREPLY=($(compgen -W "{}" -- "$current")); return ;;
    get|path)
      [ "${{COMP_WORDS[1]}}" = data ] && COMPREPLY=($(compgen -W "{}" -- "$current")) && return ;;
    --format)
      words="{}"
      [ "${{COMP_WORDS[1]}}" = explain ] && words="table json svg"
      [ "${{COMP_WORDS[1]}}" = parse ] && words="{}"
      [ "${{COMP_WORDS[2]}}" = prepare ] && words="json jsonl"
      COMPREPLY=($(compgen -W "$words" -- "$current")); return ;;
    --tokenizer) COMPREPLY=($(compgen -W "ptb ptb-iso 13a none karpathy" -- "$current")); return ;;
  esac
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "{}" -- "$current")); return
  fi
  case "${{COMP_WORDS[1]}}" in
{}  esac
  case "${{COMP_WORDS[1]}} ${{COMP_WORDS[2]}}" in
{}  esac
  if [[ "$current" == -* ]]; then COMPREPLY=($(compgen -W "$words" -- "$current")); else COMPREPLY=($(compgen -f -- "$current")); fi
}}
complete -o filenames -F _capella capella
)",
      fmt::join(all_metric_names(), " "), fmt::join(kShells, " "), fmt::join(benchmark_list(), " "),
      fmt::join(program.command("meta").command_names(), " "),
      fmt::join(program.command("composite").command_names(), " "),
      fmt::join(program.command("pregen").command_names(), " "),
      fmt::join(program.command("mln").command_names(), " "), fmt::join(preset_names(), " "),
      fmt::join(benchmark_list(), " "), fmt::join(package_names(), " "), fmt::join(report::kFormatNames, " "),
      fmt::join(report::kParseFormatNames, " "), fmt::join(program.command_names(), " "), cases, nested);
}

// The text in single quotes, as fish reads them.
std::string quote(const std::string& text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out + "'";
}

std::string fish_script(const Command& program) {
  std::string out;
  for (const Command& command : program.commands()) {
    out += fmt::format("complete -c capella -n __fish_use_subcommand -a {} -d {}\n", command.name(),
                       quote(command.description()));
    for (const Command::OptionWords& option : command.options()) {
      for (const std::string& name : option.long_names) {
        out += fmt::format("complete -c capella -n '__fish_seen_subcommand_from {}' -l {} -d {}\n",
                           command.name(), name, quote(option.description));
      }
    }
  }
  return out;
}

void run(const Command& program, const std::string& shell, const CommonOptions& common) {
  report::format_by_name(common.format);
  if (std::find(std::begin(kShells), std::end(kShells), shell) == std::end(kShells)) {
    throw UsageError(unknown_name_message("shell", shell, kShells));
  }
  const std::string bash =
      "autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n";
  emit(common, shell == "fish" ? fish_script(program) : (shell == "zsh" ? bash : "") + bash_script(program));
}

constexpr const char* kCompletionExamples = R"(Examples:
  source <(capella completion bash)
  capella completion fish > ~/.config/fish/completions/capella.fish)";

}  // namespace

void add_completion(Command& program) {
  const auto common = std::make_shared<CommonOptions>();
  const auto shell = std::make_shared<std::string>();
  Command* app = program.add_subcommand("completion", "Print a completion script for bash, zsh or fish");
  app->add_option("SHELL", *shell, "Shell: bash, zsh or fish")->required();
  add_common(*app, *common);
  app->get_option("--format")->description("Not used: the result is a script");
  app->footer(kCompletionExamples);
  app->callback([&program, shell, common] { run(program, *shell, *common); });
}

}  // namespace capella::cli

// The words below `capella composite`, one file each.
#pragma once

#include <initializer_list>
#include <string>

#include <CLI/CLI.hpp>

namespace capella::cli {

/// Throws UsageError that says why if one of the options was given: it would be ignored.
void refuse_options(const CLI::App& command, std::initializer_list<const char*> options,
                    const std::string& why);

void add_composite_features(CLI::App& composite);
void add_composite_train(CLI::App& composite);
void add_composite_score(CLI::App& composite);
void add_composite_study(CLI::App& composite);

}  // namespace capella::cli

// The words below `capella composite`, one file each.
#pragma once

#include <initializer_list>
#include <string>

#include "cli/command_line.h"

namespace capella::cli {

/// Throws UsageError that says why if one of the options was given: it would be ignored.
void refuse_options(const Command& command, std::initializer_list<const char*> options,
                    const std::string& why);

void add_composite_features(Command& composite);
void add_composite_train(Command& composite);
void add_composite_score(Command& composite);
void add_composite_study(Command& composite);

}  // namespace capella::cli

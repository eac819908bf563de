// Everything the program prints: results on standard output or into a file, all else on standard error.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "cli/options.h"
#include "report/table.h"

namespace capella::cli {

/// Thrown where whoever reads standard output has seen enough, as `head` has: no error.
struct ReaderGone {};

/// The format asked for, as wide as the terminal if the result goes to one. UsageError if there is no such
/// format.
report::Format result_format(const CommonOptions& options);
/// The same for what is printed even if the result goes to the file of -o.
report::Format summary_format(const CommonOptions& options);

/// How many columns help has: the terminal's, or 80 if standard output is something else.
std::size_t help_width();

/// Prints the result, or writes it to -o, whole or not at all. Throws FileError if it cannot be written.
void emit(const CommonOptions& options, std::string_view result);
/// ... a report, in a format of result_format or summary_format.
void emit(const CommonOptions& options, report::Format format, std::string report);

/// The same options with standard output in place of -o.
CommonOptions on_screen(CommonOptions options);

/// Prints a report about the file of -o, which has been written; nothing if that file was standard output.
void emit_beside_file(const CommonOptions& options, report::Format format, std::string report);

/// Throws before any work is done: UsageError if an output is an input or two outputs are one file, FileError
/// if the folder of an output cannot be written. Empty names are left out.
void check_outputs(std::span<const std::string> outputs, std::span<const std::string> inputs);

/// ... for a folder that is made when it is not there: UsageError if there is something else of that name,
/// FileError if it cannot be made or written. `option` is for messages.
void check_folder(std::string_view option, const std::string& folder);

/// A folder's name as it was given, without slashes at its end.
std::string folder_name(std::string path);

/// Writes to standard error. Failing to write it is not an error.
void say(std::string_view text);
void notice(const CommonOptions& options, std::string_view text);
void warn(const CommonOptions& options, std::string_view text);

/// A bar on standard error when that is a terminal; otherwise no function at all.
Progress progress_bar(const CommonOptions& options);

}  // namespace capella::cli

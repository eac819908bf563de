// Data packages, for users: see include/capella/data.h. Getting them is in get_data.cc, so that programs that
// never do need no libraries for it.
#include "capella/data.h"

#include <fmt/format.h>

#include "capella/error.h"

#include "resource/packages.h"
#include "resource/word_vectors_convert.h"

namespace capella {

std::vector<DataPackage> list_data() {
  std::vector<DataPackage> listed;
  for (const resource::Package& package : resource::packages()) {
    listed.push_back({std::string(package.name), std::string(package.summary), std::string(package.use),
                      std::string(package.source), resource::find_installed(package).value_or(""),
                      resource::problem_with(package, false)});
  }
  return listed;
}

std::string data_path(std::string_view name) {
  const resource::Package& package = resource::package_by_name(name);
  if (const std::string problem = resource::problem_with(package, false); !problem.empty())
    throw FileError(problem);
  return *resource::find_installed(package);
}

ConvertedVectorsSummary convert_vectors(const std::string& from, const std::string& to,
                                        const ConvertVectorsOptions& options) {
  const resource::ConvertedVectors made =
      resource::convert_word_vectors(from, to, {options.eight_bit, options.most_words, options.progress});
  ConvertedVectorsSummary summary{made.words, made.dimensions, {}};
  if (made.repeated > 0)
    summary.warnings.push_back(
        fmt::format("{}: {} words stand there more than once; the first counts", from, made.repeated));
  if (made.nameless > 0)
    summary.warnings.push_back(
        fmt::format("{}: {} vectors without a word are left out", from, made.nameless));
  return summary;
}

}  // namespace capella

// Scores two files from C++ and prints one line per system: the whole use of the library.
//
//   score_in_cpp REFS HYPS...
#include <cstdio>
#include <string>
#include <vector>

#include "capella/error.h"
#include "capella/pipeline.h"

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  try {
    const std::vector<std::string> systems(argv + 2, argv + argc);
    const capella::Dataset dataset = capella::read_dataset(argv[1], systems, {});
    capella::ScoreOptions options;
    options.metrics = {"bleu", "cider-d"};
    const capella::Result result = capella::score(dataset, options);
    for (const capella::SystemResult& system : result.systems) {
      std::printf("%s", system.name.c_str());
      for (std::size_t i = 0; i < result.columns.size(); ++i) {
        std::printf("  %s %.4f", result.columns[i].name.c_str(), system.values[i]);
      }
      std::printf("\n");
    }
  } catch (const capella::Error& problem) {
    std::fprintf(stderr, "%s\n", problem.what());
    return 1;
  }
}

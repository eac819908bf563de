// Pictures from files in memory to what CLIP reads, decoded, resized and cropped. The references name a
// folder.
#include <algorithm>
#include <filesystem>

#include "base/file.h"
#include "base/thread_pool.h"
#include "encoder/image_input.h"
#include "measure.h"

namespace capella::bench {

nlohmann::json run_pictures(const Job& job) {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator(job.references))
    paths.push_back(entry.path().string());
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> files;
  for (const std::string& path : paths) files.push_back(read_file_as_is(path));
  std::vector<io::Image> found(files.size());
  ThreadPool pool(job.threads);
  nlohmann::json answer = measured(time_each(job.repetitions, [&](std::size_t) {
    pool.parallel_for(files.size(), [&](std::size_t k) {
      found[k] = encoder::resize_and_crop(io::decode_image(files[k], paths[k]), {});
    });
  }));
  std::vector<double> sums;
  for (const io::Image& image : found) {
    double sum = 0;
    for (std::size_t i = 0; i < image.rgb.size(); ++i) sum += static_cast<double>(i % 97 + 1) * image.rgb[i];
    sums.push_back(sum);
  }
  answer["values"] = {{"sums", {{"items", sums}}}};
  return answer;
}

}  // namespace capella::bench

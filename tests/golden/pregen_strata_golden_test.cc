// Strata of 12 generators on Flickr8k against the published data file of the pre-gen study: the tokens of the
// references, which images are in a stratum, and the scores of each.
#include <cmath>
#include <map>
#include <tuple>

#include "capella/pipeline.h"

#include "golden/meteor_golden.h"
#include "io/stratum_table.h"
#include "pipeline/pregen_strata.h"
#include "stats/correlation.h"

namespace capella::test {
namespace {

constexpr const char* kArchitectures[] = {"init", "pre", "par", "merge"};

std::vector<std::string> read_lines(const std::filesystem::path& path) {
  std::vector<std::string> lines;
  for_each_line(path, [&](const std::string& line) { lines.push_back(line); });
  return lines;
}

// References of the test images, in the order of the list of images, raw.
struct References {
  std::vector<std::string> images;
  std::map<std::string, std::vector<std::string>> of;

  References(const std::filesystem::path& tokens, const std::filesystem::path& list)
      : images(read_lines(list)) {
    for (const std::string& line : read_lines(tokens))
      of[line.substr(0, line.find('#'))].push_back(line.substr(line.find('\t') + 1));
  }

  std::string json() const {
    nlohmann::json all = nlohmann::json::array();
    for (const std::string& image : images) all.push_back({{"image_id", image}, {"captions", of.at(image)}});
    return all.dump();
  }
};

using RowKey = std::tuple<std::string, std::string, std::size_t, std::size_t>;
RowKey key_of(const io::StratumRow& row) {
  return {row.architecture, row.run, row.strata, row.stratum};
}

// The post-gen scores of our rows beside the published ones, column by column.
struct Compared {
  std::vector<std::vector<double>> ours;
  std::vector<std::vector<double>> published;

  Compared(const io::StratumTable& table, const std::filesystem::path& data) {
    std::map<RowKey, std::vector<double>> known;
    for (const io::StratumRow& row : io::read_strata(data.string()).rows) {
      if (row.dataset == "flickr8k") known[key_of(row)] = row.post;
    }
    EXPECT_EQ(known.size(), 180u);
    EXPECT_EQ(table.rows.size(), 180u);
    ours.resize(4);
    published.resize(4);
    for (const io::StratumRow& row : table.rows) {
      for (std::size_t i = 0; i < row.post.size(); ++i) {
        ours[i].push_back(row.post[i]);
        published[i].push_back(known.at(key_of(row))[i]);
      }
    }
  }

  double largest_difference(std::size_t column) const {
    double largest = 0;
    for (std::size_t i = 0; i < ours[column].size(); ++i)
      largest = std::max(largest, std::abs(ours[column][i] - published[column][i]));
    return largest;
  }
  double mean_difference(std::size_t column) const {
    double sum = 0;
    for (std::size_t i = 0; i < ours[column].size(); ++i)
      sum += std::abs(ours[column][i] - published[column][i]);
    return sum / static_cast<double>(ours[column].size());
  }
};

// human_1.txt are the first captions of the test images as Karpathy's dataset.json has them.
TEST(PregenStrataGolden, KarpathyTokens) {
  CAPELLA_NEED_SHARED(folder, "data/pregen/flickr8k");
  CAPELLA_NEED_SHARED(tokens, "data/flickr8k/Flickr8k.token.txt");
  const References references(tokens, folder / "images.txt");
  const std::vector<std::string> expected = read_lines(folder / "human_1.txt");
  ASSERT_EQ(expected.size(), 1000u);
  std::vector<std::string_view> first;
  for (const std::string& image : references.images) first.push_back(references.of.at(image)[0]);
  EXPECT_EQ(tokenize(first, "karpathy"), expected);
}

TEST(PregenStrataGolden, PublishedRowsOfFlickr8k) {
  CAPELLA_NEED_SHARED(folder, "data/pregen/flickr8k");
  CAPELLA_NEED_SHARED(tokens, "data/flickr8k/Flickr8k.token.txt");
  CAPELLA_NEED_SHARED(data, "data/pregen/data.txt");
  CAPELLA_NEED_METEOR_DATA(meteor);
  const TempDir own;
  const std::string references = own.write("refs.json", References(tokens, folder / "images.txt").json());
  std::vector<std::string> systems;
  for (const char* architecture : kArchitectures) {
    for (const char* run : {"_1.txt", "_2.txt", "_3.txt"})
      systems.push_back((folder / (std::string(architecture) + run)).string());
  }
  StrataOptions options;
  options.data_set = "flickr8k";
  options.tokenizer = "karpathy";
  const io::StratumTable table =
      pipeline::make_strata(read_dataset(references, systems, ReadOptions()), options);
  const Compared compared(table, data);
  EXPECT_LE(compared.largest_difference(0), 1e-12);
  EXPECT_LE(compared.largest_difference(1), 1e-12);
  EXPECT_LE(compared.largest_difference(2), 4e-3);  // SPICE: by another parser
  EXPECT_LE(compared.mean_difference(2), 1.2e-3);
  EXPECT_GE(stats::pearson(compared.ours[2], compared.published[2]).value, .9999);
  EXPECT_GE(stats::pearson(compared.ours[3], compared.published[3]).value, .98);  // WMD: other vectors
}

}  // namespace
}  // namespace capella::test

// Images are made in blocks: the images of a block in parallel, its rows written in order. So memory stays
// small and the number of threads changes nothing.
#include "world/world.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include <fmt/format.h>

#include "capella/error.h"

#include "base/step_counter.h"
#include "base/thread_pool.h"
#include "io/npy.h"
#include "io/png.h"
#include "world/features.h"
#include "world/logic.h"
#include "world/output_folder.h"
#include "world/picture.h"
#include "world/rows.h"
#include "world/truth.h"

namespace capella::world {
namespace {

constexpr std::size_t kBlock = 256;

// Which split each image belongs to, drawn at random.
std::vector<std::uint8_t> draw_splits(const WorldOptions& options) {
  const std::array<std::size_t, 3> sizes = split_sizes(options.images, options.splits);
  std::vector<std::uint8_t> splits;
  for (std::size_t i = 0; i < sizes.size(); ++i)
    splits.insert(splits.end(), sizes[i], static_cast<std::uint8_t>(i));
  Draw draw(options.seed, Stream::splits, 0);
  draw.shuffle(splits);
  return splits;
}

RowFile json_lines(const OutputFolder& folder, const std::string& name) {
  return {folder, name, "", "\n", "\n"};
}

RowFile json_list(const OutputFolder& folder, const std::string& name) {
  return {folder, name, "[\n", ",\n", "\n]\n"};
}

// All files that grow image by image.
class Files {
 public:
  Files(const OutputFolder& folder, const WorldOptions& options)
      : tables_{{{folder, "dataset.json", "{\"images\": [\n", ",\n",
                  "\n], \"dataset\": \"capella-world\"}\n"},
                 json_list(folder, "references.json"),
                 json_lines(folder, "objects.jsonl"),
                 json_lines(folder, "graphs.jsonl"),
                 json_lines(folder, "triplets.jsonl"),
                 json_lines(folder, "gold_triplets.jsonl"),
                 json_lines(folder, "concepts.jsonl"),
                 json_lines(folder, "atom_ranks.jsonl"),
                 json_lines(folder, "foil.jsonl"),
                 {folder, "raw_ratings.csv", "worker,image_id,caption,rating,seconds\n", "\n", "\n"},
                 json_list(folder, "judgements_test.json"),
                 json_lines(folder, "logic/triplets.jsonl")}},
        other_judgements_{
            {json_list(folder, "judgements_train.json"), json_list(folder, "judgements_val.json")}},
        features_(folder, "image_features.npy", io::npy_header(options.images, kImageWidth), "", "") {
    for (const std::string_view kind : kErrorNames) {
      for (const std::string_view rate : kErrorRateNames)
        systems_.push_back(json_list(folder, fmt::format("systems/{}-{}.json", kind, rate)));
    }
  }

  void add(const ImageRows& rows) {
    for (std::size_t i = 0; i < kTables; ++i) {
      const bool elsewhere = i == static_cast<std::size_t>(Table::judgements) && rows.split < 2;
      RowFile& file = elsewhere ? other_judgements_[rows.split] : tables_[i];
      for (const std::string& row : rows.tables[i]) file.add(row);
    }
    for (std::size_t i = 0; i < systems_.size(); ++i) systems_[i].add(rows.systems[i]);
    features_.add_bytes(
        {reinterpret_cast<const char*>(rows.features.data()), rows.features.size() * sizeof(float)});
  }

  void close() {
    for (RowFile& file : tables_) file.close();
    for (RowFile& file : other_judgements_) file.close();
    for (RowFile& file : systems_) file.close();
    features_.close();
  }

  std::size_t systems() const { return systems_.size(); }

 private:
  std::array<RowFile, kTables> tables_;
  std::array<RowFile, 2> other_judgements_;
  std::vector<RowFile> systems_;
  RowFile features_;
};

// Makes one image; its picture and features are files of their own.
ImageRows make_image(const Place& place, const OutputFolder& folder) {
  const Story story = make_story(place.options.seed, place.image, place.options.references);
  ImageRows rows = make_rows(place, story);
  folder.write("images/" + picture_name(place.id()),
               io::png_bytes(draw_scene(story.scene, place.options.size)));
  Draw draw(place.options.seed, Stream::features, 2 * place.image + 1);
  folder.write(fmt::format("feat/{}.npy", place.id()),
               io::npy_bytes(object_features(story.scene, draw), rows.objects, kObjectWidth));
  return rows;
}

struct Maker {
  const WorldOptions& options;
  const OutputFolder& folder;
  std::vector<Worker> workers = make_workers(options.seed, options.images);
  Tally tally{};
  WorldSummary summary{};

  void make_images() {
    const std::vector<std::uint8_t> splits = draw_splits(options);
    Files files(folder, options);
    ThreadPool pool(options.threads);
    StepCounter steps(options.progress, "making images", options.images);
    for (std::size_t first = 0; first < options.images; first += kBlock) {
      std::vector<ImageRows> block(std::min(kBlock, options.images - first));
      pool.parallel_for(block.size(), [&](std::size_t i) {
        block[i] = make_image({options, workers, first + i, splits[first + i]}, folder);
        steps.done();
      });
      for (ImageRows& rows : block) take(rows, files);
    }
    files.close();
    summary.systems = files.systems();
  }

  void take(ImageRows& rows, Files& files) {
    files.add(rows);
    tally.add(rows.noted);
    ++summary.splits[rows.split];
    summary.objects += rows.objects;
    summary.captions += options.references;
    summary.ratings += rows.of(Table::raw_ratings).size();
  }
};

}  // namespace

std::array<std::size_t, 3> split_sizes(std::size_t images, const std::array<double, 3>& shares) {
  constexpr double kSlack = 1e-9;  // .29 x 100 is a little less than 29
  std::array<std::size_t, 3> sizes{};
  std::array<std::pair<double, std::size_t>, 3> rests;
  std::size_t left = images;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    const double owed = shares[i] * static_cast<double>(images);
    sizes[i] = std::min(left, static_cast<std::size_t>(owed + kSlack));
    left -= sizes[i];
    rests[i] = {static_cast<double>(sizes[i]) - owed, i};
  }
  std::sort(rests.begin(), rests.end());
  for (std::size_t i = 0; left > 0; i = (i + 1) % rests.size(), --left) ++sizes[rests[i].second];
  return sizes;
}

void check(const WorldOptions& options) {
  const auto demand = [](bool right, std::string_view what) {
    if (!right) throw UsageError(fmt::format("world: {}", what));
  };
  demand(options.images >= 1 && options.images <= 10'000'000, "--images must be from 1 to 10000000");
  demand(options.size >= 32 && options.size <= 128, "--size must be from 32 to 128 pixels");
  demand(options.references >= 5 && options.references <= 20, "--references must be from 5 to 20");
  demand(options.noise >= 0 && options.noise <= 4, "--noise must be from 0 to 4 points");
  double sum = 0;
  for (const double share : options.splits) {
    demand(share >= 0, "--splits must be three shares from 0 up, e.g. 0.8,0.1,0.1");
    sum += share;
  }
  demand(std::abs(sum - 1) < 1e-9, "--splits must be three shares whose sum is 1, e.g. 0.8,0.1,0.1");
  OutputFolder::check(options.folder);
}

WorldSummary write_world(const WorldOptions& options) {
  check(options);
  OutputFolder folder(options.folder);
  for (const char* name : {"images", "feat", "systems", "logic"}) folder.make_folder(name);
  Maker maker{options, folder};
  maker.make_images();
  folder.write("truth.json", truth_text(options, maker.workers, maker.tally));
  folder.write("logic/network.mln", logic_network());
  folder.write("README.md", readme_text(options, maker.summary));
  folder.finish();
  return maker.summary;
}

}  // namespace capella::world

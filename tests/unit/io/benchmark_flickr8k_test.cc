#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <zlib.h>

#include "support/small_benchmark.h"

namespace capella::io {
namespace {

using test::captions_of;
using test::references_of;
using Texts = std::vector<std::string>;

constexpr const char* kTokens =
    "a.jpg#0\tA dog runs .\n"
    "a.jpg#1\tThe  dog   is fast .\n"
    "b.jpg#0\tA cat .\n"
    "b.jpg#1\tA dog runs .\n"
    "b.jpg#2\tA cat .\n";

// A folder with captions and one file of judgements.
class Folder : public test::SmallBenchmark {
 public:
  Folder(const std::string& name, const std::string& judgements, const std::string& tokens = kTokens)
      : SmallBenchmark(name) {
    write("Flickr8k.token.txt", tokens);
    write(name == "flickr8k-cf" ? "CrowdFlowerAnnotations.txt" : "ExpertAnnotations.txt", judgements);
  }

  Benchmark read(const BenchmarkOptions& options = {}) const {
    return SmallBenchmark::read(folder(), options);
  }

  void expect_error(const Texts& parts) const { SmallBenchmark::expect_error(folder(), parts); }
};

void write_packed(const std::string& path, std::string_view content) {
  const gzFile file = gzopen(path.c_str(), "wb");
  gzwrite(file, content.data(), static_cast<unsigned>(content.size()));
  gzclose(file);
}

TEST(BenchmarkFlickr8k, ExpertHasARowPerJudge) {
  const Folder folder("flickr8k-expert", "b.jpg\ta.jpg#1\t1\t2\t4\na.jpg\tb.jpg#0\t3\t3\t3\n");
  const Benchmark benchmark = folder.read();
  EXPECT_EQ(benchmark.name, "flickr8k-expert");
  EXPECT_EQ(benchmark.title, "Flickr8k-Expert");
  EXPECT_EQ(benchmark.usual, "kendall_c");
  EXPECT_FALSE(benchmark.pairwise());
  EXPECT_EQ(benchmark.ratings, (std::vector<double>{1, 2, 4, 3, 3, 3}));
  EXPECT_EQ(captions_of(benchmark)[0], "The dog is fast .");
  EXPECT_EQ(references_of(benchmark, 0), (Texts{"A cat .", "A dog runs .", "A cat ."}));
  EXPECT_EQ(references_of(benchmark, 3), (Texts{"A dog runs .", "The dog is fast ."}));
  EXPECT_EQ(benchmark.image_names, (Texts{"b.jpg", "a.jpg"}));
  EXPECT_EQ(benchmark.images, (std::vector<std::uint32_t>{0, 0, 0, 1, 1, 1}));
  EXPECT_EQ(benchmark.dataset.id(5), "5");
}

TEST(BenchmarkFlickr8k, ExpertLeavesOutCaptionsThatAreReferences) {
  // b.jpg#1 has the text of a.jpg#0.
  const Folder folder("flickr8k-expert",
                      "a.jpg\ta.jpg#1\t4\t4\t4\na.jpg\tb.jpg#1\t4\t4\t4\na.jpg\tb.jpg#0\t1\t1\t1\n");
  const Benchmark benchmark = folder.read();
  EXPECT_EQ(benchmark.rows(), 3u);
  EXPECT_NE(benchmark.notes.at(0).find("2 of 3 pairs are left out"), std::string::npos);
}

TEST(BenchmarkFlickr8k, ExpertPutsTheRowsOfAnImageTogether) {
  const Folder folder("flickr8k-expert",
                      "b.jpg\ta.jpg#1\t1\t1\t1\na.jpg\tb.jpg#0\t2\t2\t2\nb.jpg\ta.jpg#1\t3\t3\t3\n");
  EXPECT_EQ(folder.read().ratings, (std::vector<double>{1, 1, 1, 3, 3, 3, 2, 2, 2}));
}

TEST(BenchmarkFlickr8k, CrowdFlowerTakesOwnCaptionsFromTheReferences) {
  // The first line judges b's own caption 0, whose text b has twice; the second a caption of a with a text
  // that b has too.
  const Folder folder("flickr8k-cf",
                      "b.jpg\tb.jpg#0\t1\t3\t0\nb.jpg\ta.jpg#0\t0.333333\t1\t2\na.jpg\tb.jpg#0\t0\t0\t3\n");
  const Benchmark benchmark = folder.read();
  EXPECT_EQ(benchmark.usual, "kendall_b");
  EXPECT_EQ(benchmark.ratings, (std::vector<double>{1, 0.333333, 0}));
  EXPECT_EQ(references_of(benchmark, 0), (Texts{"A dog runs ."}));
  EXPECT_EQ(references_of(benchmark, 1), (Texts{"A dog runs ."}));
  EXPECT_EQ(references_of(benchmark, 2), (Texts{"A dog runs .", "The dog is fast ."}));
}

TEST(BenchmarkFlickr8k, CrowdFlowerAsClipscorePreparedIt) {
  const Folder folder("flickr8k-cf", "b.jpg\tb.jpg#0\t1\t3\t0\nb.jpg\ta.jpg#0\t0.333333\t1\t2\n");
  const Benchmark benchmark = folder.read({.clipscore_references = true});
  EXPECT_EQ(references_of(benchmark, 0), (Texts{"A cat ."}));
  EXPECT_EQ(references_of(benchmark, 1), (Texts{"A cat ."}));
}

TEST(BenchmarkFlickr8k, CaptionsAsATable) {
  const test::SmallBenchmark small("flickr8k-expert");
  small.write("captions.txt", "image,caption\na.jpg,A dog .\na.jpg,\"A dog, running .\"\nb.jpg,A cat .\n");
  small.write("ExpertAnnotations.txt", "b.jpg\ta.jpg#1\t1\t2\t3\n");
  const Benchmark benchmark = small.read(small.folder());
  EXPECT_EQ(captions_of(benchmark)[0], "A dog, running .");
  EXPECT_EQ(references_of(benchmark, 0), (Texts{"A cat ."}));
}

TEST(BenchmarkFlickr8k, OtherSizesThanPublishedAreNoted) {
  const Folder folder("flickr8k-expert", "a.jpg\tb.jpg#0\t1\t1\t1\n");
  EXPECT_EQ(folder.read().notes.back(), "the published benchmark has 16,992 rows, the file given has 3");
}

TEST(BenchmarkFlickr8k, FilesPackedWithGzip) {
  const test::SmallBenchmark small("flickr8k-expert");
  write_packed(small.write("captions.txt.gz", ""), "image,caption\na.jpg,A dog .\nb.jpg,A cat .\n");
  write_packed(small.write("ExpertAnnotations.txt.gz", ""), "b.jpg\ta.jpg#0\t1\t2\t3\n");
  EXPECT_EQ(captions_of(small.read(small.folder()))[0], "A dog .");
}

TEST(BenchmarkFlickr8k, MissingFiles) {
  const test::SmallBenchmark small("flickr8k-expert");
  const std::string message = test::message_of<FileError>([&] { small.read(small.folder()); });
  EXPECT_TRUE(message.starts_with(small.folder() + "/ExpertAnnotations.txt: there is no such file"))
      << message;
  small.write("ExpertAnnotations.txt", "a.jpg\tb.jpg#0\t1\t1\t1\n");
  small.expect_error(small.folder(), {"@Flickr8k.token.txt: there is no such file"});
}

TEST(BenchmarkFlickr8k, MalformedLines) {
  const std::string good = "a.jpg\tb.jpg#0\t1\t1\t1\n";
  Folder("flickr8k-expert", good + "a.jpg\tb.jpg#0\t1\t1\n")
      .expect_error({"@ExpertAnnotations.txt:2: the line has 4 columns"});
  Folder("flickr8k-expert", good + "a.jpg\tb.jpg#0\t1\t5\t1\n")
      .expect_error({"@ExpertAnnotations.txt:2: '5' stands in the line, expected a rating of 1, 2, 3 or 4"});
  Folder("flickr8k-expert", good + "a.jpg\tb.jpg#0\t1\tnan\t1\n").expect_error({".txt:2: 'nan' stands"});
  Folder("flickr8k-expert", good + "a.jpg\tb.jpg#0\t1\t1.5\t1\n").expect_error({".txt:2: '1.5' stands"});
  Folder("flickr8k-expert", good + "c.jpg\tb.jpg#0\t1\t1\t1\n")
      .expect_error({".txt:2: the image c.jpg is not in", "Flickr8k.token.txt"});
  Folder("flickr8k-expert", good + "a.jpg\tb.jpg#7\t1\t1\t1\n")
      .expect_error({".txt:2: the caption b.jpg#7 is not in"});
  Folder("flickr8k-expert", "").expect_error({"@ExpertAnnotations.txt: the file is empty, expected ratings"});
}

TEST(BenchmarkFlickr8k, NothingLeft) {
  Folder("flickr8k-expert", "a.jpg\ta.jpg#0\t1\t1\t1\n").expect_error({": no row is left", "1 of 1 pairs"});
}

TEST(BenchmarkFlickr8k, MalformedVotes) {
  Folder("flickr8k-cf", "a.jpg\tb.jpg#0\t1.5\t3\t0\n").expect_error({".txt:1: '1.5' stands", "from 0 to 1"});
  Folder("flickr8k-cf", "a.jpg\tb.jpg#0\t1\t-3\t0\n").expect_error({".txt:1: '-3' stands"});
  Folder("flickr8k-cf", "a.jpg\tb.jpg#0\t0.5\t3\t0\n")
      .expect_error({".txt:1: the share is 0.5, but there are 3 yes and 0 no"});
  Folder("flickr8k-cf", "a.jpg\ta.jpg#0\t1\t3\t0\na.jpg\ta.jpg#1\t1\t3\t0\n")
      .expect_error({".txt:1: all captions of the image a.jpg are judged themselves"});
}

TEST(BenchmarkFlickr8k, MalformedCaptions) {
  const std::string good = "a.jpg\tb.jpg#0\t1\t1\t1\n";
  Folder("flickr8k-expert", good, "a.jpg#0\tA dog .\nnonsense\n")
      .expect_error(
          {"@Flickr8k.token.txt:2: the line is not of the form IMAGE#NUMBER<TAB>CAPTION: nonsense"});
  Folder("flickr8k-expert", good, "a.jpg#0\tA dog .\na.jpg#0\tA cat .\n")
      .expect_error({"@Flickr8k.token.txt:2: the caption a.jpg#0 stands there a second time"});
}

}  // namespace
}  // namespace capella::io

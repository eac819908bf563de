// Lemmas against those of the official SPICE program: every word with every tag that it had in 356,370
// captions.
#include <set>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "base/file.h"
#include "io/text_lines.h"
#include "support/shared.h"
#include "syntax/lemma.h"

namespace capella::syntax {
namespace {

struct Row {
  std::string_view word, lemma, tag;
};

Row take_apart(std::string_view line) {
  std::string_view fields[4];
  std::size_t begin = 0;
  for (std::string_view& field : fields) {
    const std::size_t end = line.find('\t', begin);
    field = line.substr(begin, end - begin);
    begin = end + 1;
  }
  return {fields[1], fields[2], fields[3]};
}

void check(const std::string& path, std::size_t least_pairs) {
  const std::string text = read_file(path);
  std::set<std::string, std::less<>> seen;
  io::for_each_line(text, [&](std::string_view line, std::size_t) {
    if (line.empty() || line.starts_with('#')) return;
    const Row row = take_apart(line);
    if (!seen.insert(std::string(row.word) + '\t' + std::string(row.tag)).second) return;
    EXPECT_EQ(lemma(row.word, row.tag), row.lemma) << row.word << " " << row.tag;
  });
  EXPECT_GE(seen.size(), least_pairs);
}

TEST(LemmaGolden, SilverTrees) {
  CAPELLA_NEED_SHARED(train, "data/treebank/silver/train.conll.gz");
  CAPELLA_NEED_SHARED(dev, "data/treebank/silver/dev.conll.gz");
  check(train.string(), 30000);
  check(dev.string(), 4000);
}

}  // namespace
}  // namespace capella::syntax

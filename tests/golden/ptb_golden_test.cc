// The caption tokenizer against lines that the reference program tokenised, each alone and all as one text.
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "base/thread_pool.h"
#include "support/shared.h"
#include "support/unescaped.h"
#include "text/ptb/pipeline.h"

namespace capella::text::ptb {
namespace {

using capella::testing::unescaped;
using Row = std::vector<std::string>;

std::vector<Row> read_rows(const std::filesystem::path& path) {
  std::vector<Row> rows;
  std::ifstream in(path, std::ios::binary);
  std::string line;
  std::getline(in, line);  // the header
  while (std::getline(in, line)) {
    Row row;
    for (std::size_t begin = 0; begin <= line.size();) {
      const std::size_t end = std::min(line.find('\t', begin), line.size());
      row.push_back(unescaped(std::string_view(line).substr(begin, end - begin)));
      begin = end + 1;
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

struct Column {
  std::size_t index;
  Scope scope;
  Punctuation punctuation;
};

TEST(PtbGolden, AllLines) {
  CAPELLA_NEED_SHARED(path, "golden/golden_ptb.tsv");
  const std::vector<Row> rows = read_rows(path);
  ASSERT_EQ(rows.size(), 14980u);
  std::vector<std::string_view> captions;
  for (const Row& row : rows) {
    ASSERT_EQ(row.size(), 7u);
    captions.push_back(row[2]);
  }
  ThreadPool pool;
  for (const Column& column :
       {Column{3, Scope::caption, Punctuation::keep}, Column{4, Scope::caption, Punctuation::drop},
        Column{5, Scope::stream, Punctuation::keep}, Column{6, Scope::stream, Punctuation::drop}}) {
    for (const std::size_t piece : {kPieceSize, std::size_t{1}, captions.size()}) {
      const StringColumn tokens = tokenize(captions, column.scope, column.punctuation, pool, piece);
      for (std::size_t i = 0; i < rows.size(); ++i)
        EXPECT_EQ(tokens[i], rows[i][column.index]) << "row " << rows[i][0];
    }
  }
}

}  // namespace
}  // namespace capella::text::ptb

#include "io/entailments.h"

#include <gtest/gtest.h>

#include "capella/error.h"

#include "support/message_of.h"
#include "support/temp_dir.h"

namespace capella::io {
namespace {

using test::message_of;
using test::TempDir;

std::vector<EntailmentRow> entailments_read_text(const std::string& text) {
  const TempDir folder;
  return read_entailments(folder.write("nli.jsonl", text));
}

void entailments_expect_problem(const std::string& text, const std::string& part) {
  const std::string message = message_of<DataError>([&] { entailments_read_text(text); });
  EXPECT_NE(message.find(part), std::string::npos) << message;
}

TEST(Entailments, ReadsRows) {
  const auto rows = entailments_read_text(
      R"({"system":"aoanet-rl","image_id":184613,"atom":["man","sit on","bike"],"p":[0.1,0.2,0.7],"hypothesis":"a man"})"
      "\n\n"
      R"({"image_id":"b","atom":["a","b","c"],"p":[0,1,0.0009]})");
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].system, "aoanet-rl");
  EXPECT_EQ(rows[0].image, "184613");
  EXPECT_EQ(rows[0].atom, (Triplet{"man", "sit on", "bike"}));
  EXPECT_EQ(rows[0].p, (EntailmentOdds{.1, .2, .7}));
  EXPECT_EQ(rows[0].hypothesis, "a man");
  EXPECT_EQ(rows[1].system, "");
  EXPECT_EQ(rows[1].image, "b");
  EXPECT_EQ(rows[1].p[2], .0009);
}

TEST(Entailments, TextComesBackAsItWas) {
  const std::string text =
      R"({"system":"s","image_id":"7","atom":["man","ride","bike"],"p":[0.25,0.25,0.5],"hypothesis":"h"})"
      "\n"
      R"({"image_id":"8","atom":["m\"n","in","é"],"p":[0.1,0.2,0.7]})"
      "\n";
  EXPECT_EQ(write_entailments(entailments_read_text(text)), text);
  EXPECT_EQ(write_entailments({}), "");
}

TEST(Entailments, NamesTheLineOfWhatIsWrong) {
  const std::string good = R"({"image_id":"b","atom":["a","b","c"],"p":[0,1,0]})"
                           "\n";
  entailments_expect_problem(good + R"({"image_id":"b","atom":["a","b","c"],"p":[0.5,0.5,0.5]})",
                             "nli.jsonl:2: p sums to 1.5");
  entailments_expect_problem(R"({"image_id":"b","atom":["a","b","c"],"p":[0,1,0.0011]})",
                             "nli.jsonl:1: p sums to 1.0011");
  entailments_expect_problem(R"({"image_id":"b","atom":["a","b","c"],"p":[-0.5,1,0.5]})", "p holds -0.5");
  entailments_expect_problem(R"({"image_id":"b","atom":["a","b","c"],"p":[0,1]})", "p is a list of 2");
  entailments_expect_problem(R"({"image_id":"b","atom":["a","b"],"p":[0,1,0]})", "atom is a list of 2");
  entailments_expect_problem(R"({"image_id":"b","atom":["a","","c"],"p":[0,1,0]})", "empty");
  entailments_expect_problem(R"({"image_id":"b","p":[0,1,0]})", "no atom");
  entailments_expect_problem(R"({"atom":["a","b","c"],"p":[0,1,0]})", "no image_id");
  entailments_expect_problem(good + "[1]\n", "nli.jsonl:2");
}

}  // namespace
}  // namespace capella::io

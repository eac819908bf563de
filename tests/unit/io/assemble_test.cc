#include "io/assemble.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "capella/error.h"

#include "io/format.h"
#include "support/message_of.h"

namespace capella::io {
namespace {

using Texts = std::vector<std::string>;

template <class Range>
Texts texts(const Range& range) {
  return Texts(range.begin(), range.end());
}

// Tables from texts; the references are "refs", the systems "sys1", "sys2", ...
Dataset join(const std::string& refs, const std::vector<std::string>& hyps, Missing missing = Missing::error,
             const ReadOptions& options = {}) {
  const CaptionTable references = read_table("refs", refs, options);
  std::vector<CaptionTable> tables;
  for (const std::string& hyp : hyps)
    tables.push_back(read_table("sys" + std::to_string(tables.size() + 1), hyp, options));
  std::vector<NamedTable> systems;
  for (const CaptionTable& table : tables) systems.push_back({"name of " + table.source, &table});
  return assemble(references, systems, {missing});
}

std::string error(const std::string& refs, const std::vector<std::string>& hyps,
                  Missing missing = Missing::error) {
  return test::message_of<DataError>([&] { join(refs, hyps, missing); });
}

TEST(Assemble, ItemsComeInOrderOfFirstAppearance) {
  const Dataset data = join("id,caption\nb,b1\na,a1\nb,b2\nc,c1\na,a2\n",
                            {R"({"a": "A", "b": "B", "c": "C"})", R"({"c": ["3"], "b": ["2"], "a": ["1"]})"});
  ASSERT_EQ(data.size(), 3u);
  EXPECT_EQ(data.id(0), "b");
  EXPECT_EQ(data.id(1), "a");
  EXPECT_EQ(texts(data.references(0)), (Texts{"b1", "b2"}));
  EXPECT_EQ(texts(data.references(1)), (Texts{"a1", "a2"}));
  EXPECT_EQ(texts(data.references(2)), (Texts{"c1"}));
  ASSERT_EQ(data.systems().size(), 2u);
  EXPECT_EQ(data.systems()[0].name, "name of sys1");
  EXPECT_EQ(texts(data.systems()[0].captions), (Texts{"B", "A", "C"}));
  EXPECT_EQ(texts(data.systems()[1].captions), (Texts{"2", "1", "3"}));
}

TEST(Assemble, IdsCompareAsStrings) {
  EXPECT_EQ(join(R"({"1": "a"})", {R"([{"image_id": 1, "caption": "b"}])"}).size(), 1u);
  EXPECT_NE(error(R"({"1": "a"})", {R"({"01": "b"})"}).find("01"), std::string::npos);
}

TEST(Assemble, NoSystems) {
  EXPECT_EQ(join(R"({"1": "a"})", {}).size(), 1u);
}

TEST(Assemble, LinesAreAlignedWithItems) {
  const Dataset data = join(R"({"b": ["x", "y"], "a": "z"})", {"one\n\n"});
  EXPECT_EQ(texts(data.systems()[0].captions), (Texts{"one", ""}));
  const Dataset lines = join("x\ny\n", {"one\ntwo\n", R"({"2": "B", "1": "A"})", R"(["p", ["q"]])"});
  EXPECT_EQ(lines.id(1), "2");
  EXPECT_EQ(texts(lines.systems()[0].captions), (Texts{"one", "two"}));
  EXPECT_EQ(texts(lines.systems()[1].captions), (Texts{"A", "B"}));
  EXPECT_EQ(texts(lines.systems()[2].captions), (Texts{"p", "q"}));
}

TEST(Assemble, AlignedCountsMustAgree) {
  for (const Missing missing : {Missing::error, Missing::skip}) {
    EXPECT_TRUE(error(R"({"a": "x", "b": "y"})", {"one\ntwo\nthree\n"}, missing)
                    .starts_with("sys1: 3 captions without ids, expected 2, one for each item of refs"));
  }
}

TEST(Assemble, TwoCaptionsForOneId) {
  const std::string message =
      error(R"({"a": "x", "b": "y"})", {"id,caption\na,1\nb,2\na,3\na,4\n"}, Missing::skip);
  EXPECT_TRUE(message.starts_with("sys1:4: 1 id with more than one caption, expected one caption per id: a;"))
      << message;
  EXPECT_NE(error(R"({"a": "x"})", {R"({"a": ["1", "2"]})"}).find("more than one caption"),
            std::string::npos);
  EXPECT_NE(error(R"({"a": "x"})", {R"({"a": "1", "a": "2"})"}).find("more than one caption"),
            std::string::npos);
  EXPECT_NE(error("x\n", {R"([["a", "b"]])"}).find("more than one caption"), std::string::npos);
}

TEST(Assemble, MissingAndUnknownIdsAreListed) {
  const std::string message =
      error(R"({"a": "x", "b": "y"})", {R"({"a": "1"})", "{\"a\": \"1\", \"b\": \"2\",\n\"q\": \"3\"}"});
  EXPECT_TRUE(message.starts_with("sys1: no caption for 1 of the 2 ids in refs: b\n")) << message;
  EXPECT_NE(message.find("\nsys2:2: 1 id not in refs: q\n"), std::string::npos) << message;
  EXPECT_NE(message.find("--missing skip"), std::string::npos);
  EXPECT_EQ(message.find("belong together"), std::string::npos);
  EXPECT_NE(error(R"({"a": "x"})", {R"({"b": "1"})"}).find("belong together"), std::string::npos);
}

constexpr const char* kOneEach = R"({"a": "1", "b": "2", "c": "3"})";
constexpr const char* kSeveralEach = R"({"a": ["x", "y"], "b": ["x", "y"], "c": ["x", "y"]})";

// The right order of the two files ends the message, with other ids on the two sides too.
TEST(Assemble, SwappedFilesAreToldInTheRightOrder) {
  for (const std::string several :
       {kSeveralEach, R"({"d": ["x", "y"], "e": ["x", "y"]})", R"([["x", "y"], ["z", "w"], ["u", "v"]])"}) {
    for (const Missing missing : {Missing::error, Missing::skip})
      EXPECT_TRUE(error(kOneEach, {several}, missing).ends_with(": sys1 refs")) << several;
  }
  EXPECT_TRUE(error(kOneEach, {kOneEach, kSeveralEach}).ends_with(": sys2 refs"));
}

TEST(Assemble, SeveralCaptionsOfAFewIdsAreNotSwappedFiles) {
  EXPECT_FALSE(error(kOneEach, {R"({"a": "1", "b": ["2", "3"], "c": "4"})"}).ends_with(": sys1 refs"));
  EXPECT_FALSE(error(R"({"a": "1", "b": "2"})", {R"({"a": ["1", "2", "3", "4"], "b": "5"})"})
                   .ends_with(": sys1 refs"));
  EXPECT_FALSE(error(kSeveralEach, {kSeveralEach}).ends_with(": sys1 refs"));
}

TEST(Assemble, IdsThatMatchAsCocosNumbersAreTold) {
  const std::string hyps = R"({"COCO_val2014_000000391895.jpg": "1", "x": "2"})";
  for (const Missing missing : {Missing::error, Missing::skip}) {
    const std::string message = error(R"({"391895": "r"})", {hyps}, missing);
    EXPECT_NE(message.find("--ids coco"), std::string::npos) << message;
    EXPECT_NE(message.find("COCO_val2014_000000391895.jpg as 391895"), std::string::npos) << message;
    EXPECT_EQ(error(R"({"391896": "r"})", {hyps}, missing).find("--ids"), std::string::npos);
  }
  EXPECT_EQ(join(R"({"391895": "r", "x": "s"})", {hyps}, Missing::error, {.coco_ids = true}).id(0), "391895");
}

TEST(Assemble, LongListsOfIdsAreCut) {
  std::string refs = "id,caption\nx,0\n";
  for (int i = 0; i < 30; ++i) refs += "id" + std::to_string(i) + ",c\n";
  const std::string message = error(refs, {R"({"x": "1"})"});
  EXPECT_NE(message.find("no caption for 30 of the 31 ids in refs: id0, id1,"), std::string::npos) << message;
  EXPECT_NE(message.find("id9 and 20 more"), std::string::npos);
}

TEST(Assemble, SkipKeepsWhatAllSystemsHave) {
  const Dataset data =
      join(R"({"a": ["a1", "a2"], "b": "b1", "c": ["c1", "c2"]})",
           {R"({"a": "1", "c": "3", "q": "4", "b": "2"})", R"({"c": "6", "b": "5"})"}, Missing::skip);
  ASSERT_EQ(data.size(), 2u);
  EXPECT_EQ(data.id(0), "b");
  EXPECT_EQ(texts(data.references(0)), (Texts{"b1"}));
  EXPECT_EQ(texts(data.references(1)), (Texts{"c1", "c2"}));
  EXPECT_EQ(texts(data.systems()[0].captions), (Texts{"2", "3"}));
  EXPECT_EQ(texts(data.systems()[1].captions), (Texts{"5", "6"}));
  ASSERT_EQ(data.skipped().size(), 2u);
  EXPECT_EQ(data.skipped()[0].id, "a");
  EXPECT_EQ(data.skipped()[0].why, "no caption in sys2");
  EXPECT_EQ(data.skipped()[1].id, "q");
  EXPECT_EQ(data.skipped()[1].why, "in sys1, but not in refs");
}

TEST(Assemble, SkipListsAMalformedRowOnce) {
  const Dataset data =
      join(R"({"a": "x", "b": "y", "c": 3, "d": "z"})",
           {R"({"a": "1", "b": 2, "c": "3", "d": "4"})", R"({"a": "5", "b": "6", "c": "7"})"}, Missing::skip,
           {.skip_bad = true});
  ASSERT_EQ(data.size(), 1u);
  EXPECT_EQ(data.id(0), "a");
  ASSERT_EQ(data.skipped().size(), 3u);
  EXPECT_EQ(data.skipped()[0].id, "c");
  EXPECT_TRUE(data.skipped()[0].why.starts_with("refs:1: the caption is the number 3"));
  EXPECT_EQ(data.skipped()[1].id, "b");
  EXPECT_TRUE(data.skipped()[1].why.starts_with("sys1:1: the caption is the number 2"));
  EXPECT_EQ(data.skipped()[2].id, "d");
  EXPECT_EQ(data.skipped()[2].why, "no caption in sys2");
}

TEST(Assemble, SkipWithNothingInCommon) {
  EXPECT_NE(error(R"({"a": "x"})", {R"({"b": "1"})"}, Missing::skip).find("nothing is left to score"),
            std::string::npos);
}

TEST(Assemble, TheTextOutlivesTheTables) {
  Dataset data;
  {
    CaptionTableBuilder refs("references");
    CaptionTableBuilder hyps("captions");
    refs.add("k", std::string(50, 'r'), 0);
    hyps.add("k", std::string(50, 'h'), 0);
    const CaptionTable a = refs.build();
    const CaptionTable b = hyps.build();
    data = assemble(a, std::vector<NamedTable>{{"s", &b}}, {});
  }
  EXPECT_EQ(data.references(0)[0], std::string(50, 'r'));
  EXPECT_EQ(data.systems()[0].captions[0], std::string(50, 'h'));
}

}  // namespace
}  // namespace capella::io

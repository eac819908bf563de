#include "resource/keyed_lists.h"

#include <limits>
#include <map>
#include <random>

#include <gtest/gtest.h>

#include "capella/error.h"

#include "support/message_of.h"
#include "support/temp_dir.h"

namespace capella::resource {
namespace {

class KeyedListsFile : public ::testing::Test {
 protected:
  SectionFile open(const std::vector<Section>& sections) const {
    const std::string path = (folder_.path() / "file").string();
    write_section_file(path, "lists", 1, sections);
    return SectionFile(path, "lists", 1, "make it again");
  }

 private:
  test::TempDir folder_;
};

template <class T>
std::vector<T> list(std::span<const T> values) {
  return {values.begin(), values.end()};
}

TEST_F(KeyedListsFile, AreFoundByKey) {
  const std::uint64_t last = std::numeric_limits<std::uint64_t>::max();
  const SectionFile file =
      open(keyed_list_sections<std::uint32_t>("x", {{last, {7}}, {5, {3, 1, 3}}, {6, {}}, {1, {9}}}));
  const KeyedLists<std::uint32_t> lists(file, "x");
  EXPECT_EQ(list(lists.find(5)), (std::vector<std::uint32_t>{3, 1, 3}));
  EXPECT_EQ(list(lists.find(last)), (std::vector<std::uint32_t>{7}));
  EXPECT_EQ(list(lists.find(1)), (std::vector<std::uint32_t>{9}));
  EXPECT_TRUE(lists.contains(6));
  EXPECT_TRUE(lists.find(6).empty());
  EXPECT_FALSE(lists.contains(7));
  EXPECT_FALSE(lists.contains(0));
  EXPECT_TRUE(lists.find(7).empty());
}

TEST_F(KeyedListsFile, MayBeEmpty) {
  const SectionFile file = open(keyed_list_sections<std::uint8_t>("x", {}));
  const KeyedLists<std::uint8_t> lists(file, "x");
  EXPECT_FALSE(lists.contains(0));
  EXPECT_FALSE(lists.contains(std::numeric_limits<std::uint64_t>::max()));
}

TEST_F(KeyedListsFile, HoldAnyNumberOfKeys) {
  std::mt19937_64 random(1);
  for (const std::size_t count : {1, 2, 3, 4, 5, 100, 1023, 1024, 5000}) {
    std::map<std::uint64_t, std::vector<std::uint64_t>> expected;
    while (expected.size() < count) expected[random()].assign(random() % 4, expected.size());
    const SectionFile file =
        open(keyed_list_sections<std::uint64_t>("x", {expected.begin(), expected.end()}));
    const KeyedLists<std::uint64_t> lists(file, "x");
    for (const auto& [key, values] : expected) {
      ASSERT_TRUE(lists.contains(key));
      ASSERT_EQ(list(lists.find(key)), values);
      ASSERT_EQ(lists.contains(key + 1), expected.contains(key + 1));
    }
  }
}

template <class T>
std::string bytes_of(const std::vector<T>& numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(T)};
}

TEST_F(KeyedListsFile, RefuseTablesThatDoNotFit) {
  using U32 = std::uint32_t;
  using U64 = std::uint64_t;
  const auto refuses = [this](const std::vector<U64>& keys, const std::vector<U32>& ends) {
    const SectionFile file = open({{"x.keys", bytes_of(keys)},
                                   {"x.ends", bytes_of(ends)},
                                   {"x.values", bytes_of(std::vector<U32>{1, 2})}});
    EXPECT_THROW(KeyedLists<U32>(file, "x").find(1), FileError) << keys.size() << " " << ends.size();
  };
  for (const std::size_t size : {0, 1, 8, 15, 17, 24})
    refuses(std::vector<U64>(size), std::vector<U32>(size));
  refuses(std::vector<U64>(16), std::vector<U32>(15));
  refuses(std::vector<U64>(16), std::vector<U32>(32));
  refuses(std::vector<U64>(16, 1), std::vector<U32>(16, 3));
  std::vector<U64> second(16, 2);
  second[1] = 1;
  std::vector<U32> falling(16, 1);
  falling[0] = 2;
  refuses(second, falling);
}

TEST_F(KeyedListsFile, DoNotSearchFullTablesForEver) {
  const SectionFile file = open({{"x.keys", bytes_of(std::vector<std::uint64_t>(16, 2))},
                                 {"x.ends", bytes_of(std::vector<std::uint32_t>(16))},
                                 {"x.values", ""}});
  EXPECT_FALSE(KeyedLists<std::uint8_t>(file, "x").contains(1));
}

}  // namespace
}  // namespace capella::resource

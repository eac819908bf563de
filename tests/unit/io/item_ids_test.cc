#include "io/item_ids.h"

#include <string_view>
#include <utility>

#include <gtest/gtest.h>

namespace capella::io {
namespace {

TEST(ItemIds, CocoIdIsTheNumber) {
  constexpr std::pair<std::string_view, std::string_view> kCases[] = {
      {"391895", "391895"},
      {"000000391895", "391895"},
      {"COCO_val2014_000000391895.jpg", "391895"},
      {"COCO_train2014_000000391895", "391895"},
      {"val2014/COCO_val2014_000000391895.JPG", "391895"},
      {"391895.png", "391895"},
      {"0", "0"},
      {"000", "0"},
      {"", ""},
      {".jpg", ".jpg"},
      {"a/", "a/"},
      {"COCO_val2014_", "COCO_val2014_"},
      {"COCO_val2014_391895.jpg", "COCO_val2014_391895.jpg"},  // not as COCO names its files
      {"dog_000000391895.jpg", "dog_000000391895.jpg"},
      {"1000268201_693b08cb0e.jpg", "1000268201_693b08cb0e.jpg"},
      {"-7", "-7"},
      {"391895.0", "391895.0"},
      {"dog.jpg", "dog.jpg"},
  };
  for (const auto& [id, number] : kCases) EXPECT_EQ(coco_id(id), number) << id;
}

}  // namespace
}  // namespace capella::io

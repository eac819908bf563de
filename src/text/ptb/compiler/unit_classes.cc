#include "text/ptb/compiler/unit_classes.h"

#include <algorithm>
#include <string_view>

namespace capella::text::ptb::compiler {
namespace {

void collect_sets(const ExpressionPtr& expression, std::vector<const UnitSet*>& sets) {
  if (expression == nullptr) return;
  if (expression->kind == Expression::Kind::set) {
    const auto same = [&](const UnitSet* other) { return *other == expression->set; };
    if (std::none_of(sets.begin(), sets.end(), same)) sets.push_back(&expression->set);
  }
  for (const ExpressionPtr& child : expression->children) collect_sets(child, sets);
}

}  // namespace

UnitClasses::UnitClasses(const std::vector<Rule>& rules) : class_of_(kUnits, 0) {
  std::vector<const UnitSet*> sets;
  for (const Rule& rule : rules) {
    collect_sets(rule.body, sets);
    collect_sets(rule.tail, sets);
  }
  for (const UnitSet* set : sets) refine(*set);
  number_by_use();
}

/// Cuts every class into what is inside and what is outside the set.
void UnitClasses::refine(const UnitSet& set) {
  std::vector<int> total(count_, 0), inside(count_, 0), replacement(count_, -1);
  for (const int one : class_of_) ++total[one];
  for (const UnitRange& range : set.ranges()) {
    for (std::uint32_t unit = range.first; unit <= range.last; ++unit) ++inside[class_of_[unit]];
  }
  for (const UnitRange& range : set.ranges()) {
    for (std::uint32_t unit = range.first; unit <= range.last; ++unit) {
      const int old = class_of_[unit];
      if (inside[old] == total[old]) continue;
      if (replacement[old] < 0) replacement[old] = count_++;
      class_of_[unit] = replacement[old];
    }
  }
}

/// Small numbers for what captions are made of: of each row of the table they need one cache line.
void UnitClasses::number_by_use() {
  std::vector<int> renamed(count_, -1);
  int next = 0;
  const auto visit = [&](std::uint32_t unit) {
    if (renamed[class_of_[unit]] < 0) renamed[class_of_[unit]] = next++;
  };
  constexpr std::string_view kCommon =
      "abcdefghijklmnopqrstuvwxyz .,'-\nABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
  for (const char c : kCommon) visit(static_cast<unsigned char>(c));
  for (std::uint32_t unit = 0; unit < kUnits; ++unit) visit(unit);
  for (int& one : class_of_) one = renamed[one];
}

std::vector<int> UnitClasses::members(const UnitSet& set) const {
  std::vector<char> seen(count_, 0);
  for (const UnitRange& range : set.ranges()) {
    for (std::uint32_t unit = range.first; unit <= range.last; ++unit) seen[class_of_[unit]] = 1;
  }
  std::vector<int> members;
  for (int one = 0; one < count_; ++one) {
    if (seen[one] != 0) members.push_back(one);
  }
  return members;
}

}  // namespace capella::text::ptb::compiler

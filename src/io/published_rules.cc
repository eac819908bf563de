#include "io/published_rules.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include <fmt/format.h>
#include <tsl/robin_map.h>

#include "capella/error.h"

#include "base/file.h"
#include "base/hash.h"
#include "base/names.h"
#include "io/source.h"
#include "io/text_lines.h"

namespace capella::io {
namespace {

constexpr std::string_view kRuleForm = "expected triplets such as man:ride:bike,man:on:bike";
constexpr std::string_view kFileForm =
    "expected the published weights: {\"IMAGE\": {\"man:ride:bike,man:on:bike\": [w0, w1], ...}, ...}";

using Rules = tsl::robin_map<std::string, std::vector<std::uint32_t>, StringHash, std::equal_to<>>;

bool is_triplet(std::string_view atom) {
  const std::size_t first = atom.find(':');
  const std::size_t second = first == std::string_view::npos ? first : atom.find(':', first + 1);
  return second != std::string_view::npos && first > 0 && second > first + 1 && second + 1 < atom.size() &&
         atom.find(':', second + 1) == std::string_view::npos;
}

// Whether all that stands between commas is a triplet.
bool is_rule(std::string_view rule) {
  for (std::size_t begin = 0; begin <= rule.size();) {
    const std::size_t end = std::min(rule.find(',', begin), rule.size());
    if (!is_triplet(rule.substr(begin, end - begin))) return false;
    begin = end + 1;
  }
  return true;
}

class Reader {
 public:
  PublishedParameters read(const std::string& rules, const std::string& parameters) {
    read_rules(open_source(rules, read_file(rules), "a rule per line"));
    read_weights(open_source(parameters, read_file(parameters), "each image's weights"));
    return std::move(result_);
  }

 private:
  void read_rules(const Source& source) {
    if (source.json || source.json_lines)
      throw DataError(fmt::format("{}: found JSON, {}, one rule per line", source.name, kRuleForm));
    for_each_line(source.content, [&](std::string_view line, std::size_t number) {
      if (is_blank(line)) return;
      if (!is_rule(line))
        throw DataError(fmt::format("{}:{}: found '{}', {}", source.name, number, excerpt(line), kRuleForm));
      listed_.emplace(line);
    });
    result_.rules = listed_.size();
  }

  void read_weights(const Source& source) {
    simdjson::dom::object images;
    if (!source.json || source.json->root.get(images))
      throw DataError(fmt::format("{}: found no JSON object, {}", source.name, kFileForm));
    std::unordered_set<std::string> ids;
    std::size_t ordinal = 0;
    for (const auto [id, value] : images) {
      result_.images.push_back({std::string(id), {}});
      const std::string problem = ids.emplace(id).second ? read_image(value, result_.images.back())
                                                         : "is there twice, expected each image once";
      if (!problem.empty()) {
        const std::size_t line = lines_of_children(source.content, {}, {&ordinal, 1}).front();
        throw DataError(fmt::format("{}:{}: image '{}': {}", source.name, line, excerpt(id), problem));
      }
      ++ordinal;
    }
  }

  // Returns what is wrong; empty: nothing.
  std::string read_image(element value, PublishedImage& image) {
    simdjson::dom::object rules;
    if (value.get(rules)) return fmt::format("found {}, {}", describe(value), kFileForm);
    for (const auto [text, weights] : rules) {
      if (!is_rule(text)) return fmt::format("found the rule '{}', {}", excerpt(text), kRuleForm);
      PublishedRule rule;
      if (!read_pair(weights, rule))
        return fmt::format("rule '{}': expected two finite weights, [w0, w1]", excerpt(text));
      rule.atoms = atoms_of(text);
      image.rules.push_back(std::move(rule));
    }
    return "";
  }

  static bool read_pair(element value, PublishedRule& rule) {
    simdjson::dom::array pair;
    if (value.get(pair) || pair.size() != 2) return false;
    return !pair.at(0).get(rule.w0) && !pair.at(1).get(rule.w1) && std::isfinite(rule.w0) &&
           std::isfinite(rule.w1);
  }

  const std::vector<std::uint32_t>& atoms_of(std::string_view text) {
    if (const auto found = rules_.find(text); found != rules_.end()) return found->second;
    if (!listed_.contains(std::string(text))) ++result_.unknown_rules;
    std::vector<std::uint32_t> atoms;
    for (const std::string_view atom : split_list(text, ',')) atoms.push_back(place_of(atom));
    return rules_.emplace(text, std::move(atoms)).first->second;
  }

  std::uint32_t place_of(std::string_view atom) {
    if (const auto found = places_.find(atom); found != places_.end()) return found->second;
    const auto place = static_cast<std::uint32_t>(result_.atoms.size());
    result_.atoms.emplace_back(atom);
    places_.emplace(atom, place);
    return place;
  }

  PublishedParameters result_;
  std::unordered_set<std::string> listed_;
  Rules rules_;
  tsl::robin_map<std::string, std::uint32_t, StringHash, std::equal_to<>> places_;
};

}  // namespace

PublishedParameters read_published_rules(const std::string& rules, const std::string& parameters) {
  return Reader().read(rules, parameters);
}

}  // namespace capella::io

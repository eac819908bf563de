#include "reference/structure_reference.h"

#include <algorithm>
#include <map>
#include <set>

namespace capella::reference {
namespace {

using Image = std::vector<ReferenceTriplet>;

struct Seen {
  std::set<std::size_t> images;
  std::set<std::vector<std::string>> ways;    // constants of the variables
  std::vector<std::string> literals;          // each as a formula of its own
  std::vector<std::set<std::string>> places;  // of each variable: "predicate/argument"
};

bool share(const ReferenceTriplet& a, const ReferenceTriplet& b) {
  return a[0] == b[0] || a[0] == b[2] || a[2] == b[0] || a[2] == b[2];
}

// Whether the literals, in this order, each share a constant with the one before, or any before.
bool in_a_row(const Image& literals, bool tree) {
  for (std::size_t k = 1; k < literals.size(); ++k) {
    bool joined = false;
    for (std::size_t before = tree ? 0 : k - 1; before < k; ++before)
      joined = joined || share(literals[before], literals[k]);
    if (!joined) return false;
  }
  return true;
}

struct Written {
  std::string text;
  std::vector<std::string> constants;
};

Written write(const Image& literals, bool ground) {
  const std::vector<std::string> names = {"x", "y", "z", "u", "w"};
  Written out;
  const auto term = [&](const std::string& constant) {
    if (ground) return constant;
    const auto found = std::find(out.constants.begin(), out.constants.end(), constant);
    const auto place = static_cast<std::size_t>(found - out.constants.begin());
    if (found == out.constants.end()) out.constants.push_back(constant);
    return names[place];
  };
  for (const ReferenceTriplet& literal : literals) {
    const std::string subject = term(literal[0]);
    const std::string object = term(literal[2]);
    out.text += (out.text.empty() ? "" : " ^ ") + literal[1] + "(" + subject + "," + object + ")";
  }
  return out;
}

void note_places(const Image& literals, const Written& written, Seen& seen) {
  seen.places.resize(written.constants.size());
  for (const ReferenceTriplet& literal : literals) {
    for (const std::size_t side : {std::size_t{0}, std::size_t{2}}) {
      const auto at = std::find(written.constants.begin(), written.constants.end(), literal[side]);
      if (at != written.constants.end())
        seen.places[static_cast<std::size_t>(at - written.constants.begin())].insert(
            literal[1] + (side == 0 ? "/0" : "/1"));
    }
  }
}

// Notes one set of literals: all its orders whose text is the least.
void note(Image literals, std::size_t image, const StructureSettings& settings,
          std::map<std::string, Seen>& formulas) {
  std::sort(literals.begin(), literals.end());
  bool chain = false;
  std::string least;
  Image order = literals;
  do {
    chain = chain || in_a_row(order, settings.tree);
    const std::string text = write(order, settings.ground).text;
    if (least.empty() || text < least) least = text;
  } while (std::next_permutation(order.begin(), order.end()));
  if (!chain) return;
  Seen& seen = formulas[least];
  seen.images.insert(image);
  order = literals;
  do {
    const Written written = write(order, settings.ground);
    if (written.text != least) continue;
    seen.ways.insert(written.constants);
    note_places(order, written, seen);
  } while (std::next_permutation(order.begin(), order.end()));
  seen.literals.clear();
  for (const ReferenceTriplet& literal : literals)
    seen.literals.push_back(write({literal}, settings.ground).text);
}

void choose(const Image& all, std::size_t from, std::size_t left, Image& chosen, std::size_t image,
            const StructureSettings& settings, std::map<std::string, Seen>& formulas) {
  if (left == 0) return note(chosen, image, settings, formulas);
  for (std::size_t k = from; k < all.size(); ++k) {
    chosen.push_back(all[k]);
    choose(all, k + 1, left - 1, chosen, image, settings, formulas);
    chosen.pop_back();
  }
}

std::vector<Image> keep_top(const std::vector<Image>& images, std::size_t top) {
  std::map<std::string, std::size_t> counts;
  std::vector<Image> sets;
  for (const Image& image : images) {
    const std::set<ReferenceTriplet> distinct(image.begin(), image.end());
    sets.emplace_back(distinct.begin(), distinct.end());
    for (const ReferenceTriplet& literal : distinct) ++counts[literal[1]];
  }
  const auto comes_before = [&](const std::string& a, const std::string& b) {
    return counts[a] != counts[b] ? counts[a] > counts[b] : a < b;
  };
  std::vector<std::string> order;
  for (const auto& [predicate, count] : counts) order.push_back(predicate);
  std::sort(order.begin(), order.end(), comes_before);
  order.resize(std::min(order.size(), top));
  for (Image& image : sets)
    std::erase_if(image, [&](const ReferenceTriplet& literal) {
      return std::find(order.begin(), order.end(), literal[1]) == order.end();
    });
  return sets;
}

double groundings(const Seen& seen, const std::vector<Image>& images) {
  double product = 1;
  for (const std::set<std::string>& places : seen.places) {
    std::map<std::string, std::set<std::string>> at_places;  // constant -> places of these where it was seen
    for (const Image& image : images) {
      for (const ReferenceTriplet& literal : image) {
        if (places.contains(literal[1] + "/0")) at_places[literal[0]].insert(literal[1] + "/0");
        if (places.contains(literal[1] + "/1")) at_places[literal[2]].insert(literal[1] + "/1");
      }
    }
    double count = 0;
    for (const auto& [constant, own] : at_places) count += own.size() == places.size() ? 1 : 0;
    product *= count;
  }
  return product;
}

}  // namespace

std::vector<StructureFormula> learn_structure(const std::vector<Image>& all,
                                              const StructureSettings& settings) {
  const std::vector<Image> images = keep_top(all, settings.top_predicates);
  std::map<std::string, Seen> formulas;
  for (std::size_t image = 0; image < images.size(); ++image) {
    for (std::size_t size = 1; size <= settings.longest; ++size) {
      Image chosen;
      choose(images[image], 0, size, chosen, image, settings, formulas);
    }
  }
  std::vector<StructureFormula> kept;
  for (const auto& [text, seen] : formulas) {
    bool keep = seen.images.size() >= settings.min_images;
    const bool single = seen.literals.size() == 1;
    for (const std::string& literal : seen.literals) {
      if (single) break;
      const auto alone = static_cast<double>(formulas.at(literal).images.size());
      keep = keep && static_cast<double>(seen.images.size()) / alone > settings.min_confidence;
    }
    if (keep || (single && !settings.ground))
      kept.push_back({text, seen.images.size(), seen.ways.size(), groundings(seen, images)});
  }
  return kept;
}

}  // namespace capella::reference

// What a caption claims, which of it is true of a scene, and how good the caption therefore is.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "world/caption.h"
#include "world/scene.h"

namespace capella::world {

struct Fact {
  enum class Kind : std::uint8_t { object, attribute, count, relation, setting };
  Kind kind;
  Class subject = Class::man;
  Predicate predicate = Predicate::on;
  Class object = Class::man;  ///< of a relation; of a worn thing's attribute: who wears it
  bool worn = false;          ///< an attribute of something worn
  std::string value;          ///< the attribute's name, the number, the setting's label

  bool operator==(const Fact&) const = default;
};

Fact object_fact(Class id);
Fact attribute_fact(Class of, std::string_view value);
Fact worn_attribute_fact(Class of, std::string_view value, Class wearer);
Fact count_fact(Class of, std::string_view number);
Fact relation_fact(Class subject, Predicate predicate, Class object);
Fact setting_fact(std::string_view label);

using Triplet = std::array<std::string, 3>;

/// Names of subject, predicate and object.
Triplet triplet(Class subject, Predicate predicate, Class object);
Triplet triplet(const Scene& scene, const Relation& relation);

std::vector<Fact> facts_of(const Plan& plan);
std::vector<Triplet> triplets_of(const Plan& plan);  ///< its relations, each once
bool is_true(const Fact& fact, const Scene& scene);

/// How much a fact matters to a judge.
double weight_of(Fact::Kind kind);

/// The weight of the true claims over the weight of all claims.
double precision(const std::vector<Fact>& facts, const Scene& scene);

/// The share of what should be told: the main event's two things and relation (1 each) and the other things
/// that nobody wears (kMinor each).
double recall(const std::vector<Fact>& facts, const Scene& scene);

/// In 0 ... 1: kPrecision x precision^2 + (1 - kPrecision) x recall. Of a caption that claims nothing: 0.
double quality(const std::vector<Fact>& facts, const Scene& scene);
double quality(const Plan& plan, const Scene& scene);

inline constexpr double kPrecision = .7;
inline constexpr double kMinor = .25;
inline constexpr double kShuffled = .3;  ///< a caption whose words are shuffled is worth so much of itself

}  // namespace capella::world

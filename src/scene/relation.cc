#include "scene/relation.h"

namespace capella::scene {
namespace {

using Kind = Relation::Kind;

struct Named {
  std::string_view name;
  Kind kind;
};
// Frequent ones first.
constexpr Named kWholeNames[] = {
    {"det", Kind::det},
    {"case", Kind::case_},
    {"amod", Kind::amod},
    {"nsubj", Kind::nsubj},
    {"compound", Kind::compound},
    {"dobj", Kind::dobj},
    {"cc", Kind::cc},
    {"advmod", Kind::advmod},
    {"nummod", Kind::nummod},
    {"compound:prt", Kind::compound_prt},
    {"mark", Kind::mark},
    {"cop", Kind::cop},
    {"auxpass", Kind::auxpass},
    {"nsubjpass", Kind::nsubjpass},
    {"iobj", Kind::iobj},
    {"mwe", Kind::mwe},
    {"csubj", Kind::csubj},
    {"csubjpass", Kind::csubjpass},
    {"det:qmod", Kind::det_qmod},
    {"xcomp", Kind::clause},
    {"ccomp", Kind::clause},
    {"parataxis", Kind::clause},
    {"appos", Kind::clause},
    {"list", Kind::clause},
};
constexpr Named kOpenNames[] = {
    {"nmod", Kind::nmod}, {"acl", Kind::acl}, {"advcl", Kind::advcl}, {"conj", Kind::conj}};

}  // namespace

Relation make_relation(std::string_view name) {
  for (const Named& open : kOpenNames) {
    if (!name.starts_with(open.name)) continue;
    if (name.size() == open.name.size()) return {open.kind, false, name};
    if (name[open.name.size()] == ':') return {open.kind, true, name};
  }
  for (const Named& whole : kWholeNames) {
    if (name == whole.name) return {whole.kind, false, name};
  }
  const bool is_object = name.size() == 4 && name.ends_with("obj");
  return {is_object ? Kind::other_obj : Kind::other, false, name};
}

}  // namespace capella::scene

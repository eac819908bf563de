// The reward: views of the caller's strings in, a numpy array out; the GIL is free in between.
#include "capella/reward.h"

#include <memory>

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings.h"
#include "strings.h"
#include "words.h"

namespace capella::python {
namespace {

using Array = nb::ndarray<nb::numpy, double, nb::ndim<1>>;

Array to_array(std::vector<double> values) {
  auto kept = std::make_unique<std::vector<double>>(std::move(values));
  const nb::capsule owner(kept.get(),
                          [](void* data) noexcept { delete static_cast<std::vector<double>*>(data); });
  std::vector<double>& data = *kept.release();
  return Array(data.data(), {data.size()}, owner);
}

std::vector<double> reward_by_ids(const Reward& reward, nb::handle ids, nb::handle captions) {
  const TextViews id_texts = TextViews::ids(ids);
  const TextViews texts = TextViews::captions(captions, &id_texts);
  const nb::gil_scoped_release unlocked;
  return reward(id_texts.views(), texts.views());
}

std::vector<double> reward_by_references(const Reward& reward, nb::handle references, nb::handle captions) {
  const TextViews texts = TextViews::captions(captions);
  const nb::list lists = list_of(references, "references");
  std::vector<TextViews> owners;
  std::vector<std::vector<std::string_view>> views;
  for (const nb::handle list : lists) {
    owners.push_back(TextViews::captions(list));
    views.push_back(owners.back().views());
  }
  const nb::gil_scoped_release unlocked;
  return reward(views, texts.views());
}

}  // namespace

void bind_reward(nb::module_& module) {
  using namespace nb::literals;
  nb::class_<Reward>(module, "Reward")
      .def(
          "__init__",
          [](Reward* self, const Dataset& references, std::string metric, std::string score,
             std::string tokenizer, std::string df, std::vector<std::string> settings, std::string cache,
             std::string device) {
            const RewardOptions options{std::move(metric), std::move(score),    std::move(tokenizer),
                                        std::move(df),     std::move(settings), std::move(cache),
                                        std::move(device)};
            const nb::gil_scoped_release unlocked;
            new (self) Reward(references, options);
          },
          "references"_a, "metric"_a, "score"_a, "tokenizer"_a, "df"_a, "settings"_a, "cache"_a = "",
          "device"_a = "cpu")
      .def(
          "by_ids",
          [](const Reward& self, nb::handle ids, nb::handle captions) {
            return to_array(reward_by_ids(self, ids, captions));
          },
          "ids"_a, "captions"_a)
      .def(
          "by_references",
          [](const Reward& self, nb::handle references, nb::handle captions) {
            return to_array(reward_by_references(self, references, captions));
          },
          "references"_a, "captions"_a)
      .def_prop_ro("score_name", &Reward::score_name)
      .def_prop_ro("signature", &Reward::signature)
      .def_prop_ro("warnings", [](const Reward& self) { return in_python_words(self.warnings()); });
}

}  // namespace capella::python

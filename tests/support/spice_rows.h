// SPICE's rows of items, straight from the metric, with any facts and data.
#pragma once

#include <memory>
#include <vector>

#include "metric/spice.h"
#include "reference/item.h"
#include "resource/meteor_data.h"
#include "scene/caption_facts.h"
#include "support/metric_texts.h"
#include "text/text_set.h"

namespace capella::test {

inline std::unique_ptr<metric::Metric> make_spice(const char* synsets) {
  metric::Settings settings("spice", metric::kSpiceSettings);
  settings.set("synsets", synsets);
  return metric::make_spice(settings);
}

struct SpiceTexts : MetricTexts {
  explicit SpiceTexts(const std::vector<reference::Item>& items) : MetricTexts(items, text::Detail::tokens) {}
};

inline std::unique_ptr<const metric::State> prepare_spice(const metric::Metric& metric,
                                                          const SpiceTexts& texts,
                                                          const resource::MeteorData& data,
                                                          const scene::CaptionFacts& facts) {
  ThreadPool pool(2);
  metric::Resources resources;
  resources.meteor = &data;
  resources.facts = &facts;
  resources.pool = &pool;
  return metric.prepare(texts.references(), resources);
}

/// The rows of all items, one after the other.
inline std::vector<double> spice_rows(const metric::Metric& metric, const std::vector<reference::Item>& items,
                                      const resource::MeteorData& data, const scene::CaptionFacts& facts) {
  const SpiceTexts texts(items);
  return texts.rows(metric, prepare_spice(metric, texts, data, facts).get());
}

}  // namespace capella::test

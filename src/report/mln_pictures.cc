#include "report/mln_pictures.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "report/number_text.h"
#include "report/plot.h"

namespace capella::report {
namespace {

constexpr const char* kUncertainty = "uncertainty: -Log-Prob, nats per claim";

BarValue flipped(double mean, const Interval& interval) {
  return {-mean, -interval.high, -interval.low};
}

}  // namespace

std::string draw_systems(const Verification& verification) {
  const bool unseen = verification.unseen_p > 0;
  BarChart chart;
  chart.frame.title = "How uncertain are the systems' captions?";
  chart.frame.subtitle = "mean over captions, 95 % intervals; shorter is better";
  chart.frame.x_label = kUncertainty;
  chart.series = {"claims about detected things"};
  if (unseen) chart.series.push_back("with claims about undetected things");
  chart.decimals = 3;
  for (const JudgedSystem& system : verification.systems) {
    BarRow row{system.system, {flipped(system.log_prob, system.interval)}};
    if (unseen) row.values.push_back(flipped(system.log_prob_unseen, system.unseen_interval));
    chart.rows.push_back(std::move(row));
  }
  return draw(chart);
}

std::string draw_ranking(const RankedSystems& ranking, const std::string& title) {
  ScatterPlot plot;
  plot.frame.title = title;
  plot.frame.subtitle =
      fmt::format("Pearson {}, Spearman {}, Kendall {}; bars: variance", fixed(ranking.pearson, 3),
                  fixed(ranking.spearman, 3), fixed(ranking.kendall, 3));
  plot.frame.x_label =
      fmt::format("average rank by {} metrics (the best has the highest)", ranking.metrics.size());
  plot.frame.y_label = kUncertainty;
  constexpr std::size_t kMostNamed = 16;  // more would not fit beside the picture
  for (std::size_t k = 0; k < ranking.systems.size(); ++k) {
    PlotSeries series;
    if (ranking.systems.size() <= kMostNamed) series.name = ranking.systems[k];
    series.points = {{ranking.average_rank[k], -ranking.log_prob[k]}};
    series.spread = {ranking.variance[k]};
    series.tips = {ranking.systems[k]};
    series.marker = static_cast<PlotMarker>(k / 8 % 8);
    plot.series.push_back(std::move(series));
  }
  return draw(plot);
}

std::string draw_concepts(const ConceptUncertainty& concepts) {
  BarChart chart;
  chart.frame.title = "How uncertain are captions about each concept?";
  chart.frame.subtitle = fmt::format("{} images with a majority label; 95 % intervals", concepts.labelled);
  chart.frame.x_label = kUncertainty;
  chart.series = {"-Log-Prob"};
  chart.decimals = 3;
  std::map<std::string, std::size_t> systems;
  for (const ConceptUncertainty::Row& row : concepts.rows) systems.emplace(row.system, systems.size());
  for (const ConceptUncertainty::Row& row : concepts.rows) {
    const std::string label = fmt::format("{} ({}{})", systems.size() > 1 ? row.system : row.concept_name,
                                          row.images, row.few ? ", few" : "");
    chart.rows.push_back({label,
                          {{row.uncertainty, row.interval.low, row.interval.high}},
                          systems.size() > 1 ? row.concept_name : std::string()});
  }
  return draw(chart);
}

std::string draw_human_ranking(const HumanRanking& ranking) {
  BarChart chart;
  chart.frame.title = "Do people rank claims as the network does?";
  chart.frame.subtitle =
      fmt::format("correlation of people's ranks with P, {} images, mean {} {}", ranking.images.size(),
                  fixed(ranking.mean, 3), between(ranking.interval, 3));
  chart.frame.x_label = "images";
  chart.series = {"images"};
  chart.decimals = 0;
  const auto bins = static_cast<double>(ranking.histogram.size());
  for (std::size_t k = 0; k < ranking.histogram.size(); ++k) {
    const double low = -1 + 2 * static_cast<double>(k) / bins;
    BarValue value;
    value.value = static_cast<double>(ranking.histogram[k]);
    chart.rows.push_back({fmt::format("{:+.1f} to {:+.1f}", low, low + 2 / bins), {value}});
  }
  return draw(chart);
}

std::string draw_error_kinds(const std::vector<ErrorKindFinding>& kinds, bool unseen) {
  ScatterPlot plot;
  plot.frame.title = "Which errors does Markov logic see?";
  plot.frame.subtitle = unseen ? "generated world; claims about undetected things counted; bars: 95 %"
                               : "generated world; claims about detected things only; bars: 95 %";
  plot.frame.x_label = "share of captions with the error";
  plot.frame.y_label = kUncertainty;
  for (const ErrorKindFinding& kind : kinds) {
    PlotSeries series;
    series.name = kind.kind;
    for (std::size_t k = 0; k < kind.rates.size(); ++k) {
      const JudgedSystem& system = kind.systems[k];
      const Interval& interval = unseen ? system.unseen_interval : system.interval;
      series.points.push_back({kind.rates[k], -(unseen ? system.log_prob_unseen : system.log_prob)});
      series.spread.push_back((interval.high - interval.low) / 2);
    }
    plot.series.push_back(std::move(series));
  }
  return draw(plot);
}

std::vector<NamedContent> draw_mln_study(const MlnStudy& study) {
  std::vector<NamedContent> pictures = {
      {"systems.svg", draw_systems(study.verification)},
      {"ranks.svg", draw_ranking(study.ranking, "Other metrics and Markov logic")}};
  if (!study.generated) return pictures;
  pictures.push_back({"errors.svg", draw_error_kinds(study.kinds, false)});
  pictures.push_back({"errors-unseen.svg", draw_error_kinds(study.kinds, true)});
  pictures.push_back({"concepts.svg", draw_concepts(study.concepts)});
  pictures.push_back({"people.svg", draw_human_ranking(study.people)});
  return pictures;
}

}  // namespace capella::report

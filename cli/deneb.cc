// capella deneb
#include "cli/deneb.h"

#include "cli/commands.h"
#include "cli/options.h"

namespace capella::cli {
namespace {

constexpr const char* kDenebFooter =
    R"(DENEB and Polos encode the image, the caption and its references with frozen encoders (CLIP, RoBERTa or another sentence
encoder) and learn from human ratings how to weight them. Their weights are not public; train your own model on rated
captions (docs/deneb.md).

Examples:
  capella deneb train train.csv valid.csv --clip clip-vit-b-32 \
      --text sup-simcse-roberta-base --images images -o deneb.safetensors
  capella deneb score refs.json system.json --model deneb.safetensors \
      --clip clip-vit-b-32 --text sup-simcse-roberta-base --images images
  capella score refs.json system.json -m cider-d,deneb --images images \
      --set deneb.model=deneb.safetensors --set deneb.clip=clip-vit-b-32 \
      --set deneb.text=sup-simcse-roberta-base)";

}  // namespace

void add_deneb_encoders(Command& command, DenebEncoders& encoders) {
  command.add_option("--clip", encoders.clip,
                     "Folder of a CLIP model in the layout of Hugging Face or OpenCLIP");
  command.add_option("--text", encoders.text,
                     "Folder of a sentence encoder (BERT or RoBERTa), or minilm, the data package");
  command
      .add_option("--cache", encoders.cache,
                  "Folder that caches embeddings of captions and images, to speed up later runs")
      ->check([](const std::string& path) { return path.empty() ? "names nothing" : std::string(); });
  command
      .add_option_function<double>(
          "--cache-gb",
          [&encoders](double size) { encoders.cache_bytes = static_cast<std::uint64_t>(size * (1 << 30)); },
          "Maximum size of the cache in gigabytes, per encoder; the oldest entries are evicted")
      ->check(gigabytes)
      ->show_default("64");
}

void add_deneb(Command& program) {
  Command* app = program.add_subcommand("deneb", "DENEB, Polos: metrics trained on human ratings");
  app->require_subcommand();
  add_deneb_train(*app);
  add_deneb_score(*app);
  app->footer(kDenebFooter);
}

}  // namespace capella::cli

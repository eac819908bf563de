// capella deneb
#include "cli/deneb.h"

#include "cli/commands.h"
#include "cli/options.h"

namespace capella::cli {
namespace {

constexpr const char* kDenebFooter =
    R"(A learned metric looks at the image, the caption and its references with frozen encoders (CLIP, RoBERTa or another
sentence encoder) and has learnt from people's ratings how to weigh what it sees: DENEB, Polos. No weights of
theirs are public; train your own from rated captions (docs/deneb.md).

Examples:
  capella deneb train train.csv valid.csv --clip clip-vit-b-32 --text sup-simcse-roberta-base --images images \
      -o deneb.safetensors
  capella deneb score refs.json system.json --model deneb.safetensors --clip clip-vit-b-32 \
      --text sup-simcse-roberta-base --images images
  capella score refs.json system.json -m cider-d,deneb --images images --set deneb.model=deneb.safetensors \
      --set deneb.clip=clip-vit-b-32 --set deneb.text=sup-simcse-roberta-base      beside other metrics)";

}  // namespace

void add_deneb_encoders(Command& command, DenebEncoders& encoders) {
  command.add_option("--clip", encoders.clip,
                     "The folder of a CLIP model, as Hugging Face or OpenCLIP write it");
  command.add_option("--text", encoders.text,
                     "The folder of a sentence encoder (BERT or RoBERTa), or minilm, a data package");
  command
      .add_option("--cache", encoders.cache,
                  "A folder that keeps vectors of captions and images, so that later runs are quick")
      ->check([](const std::string& path) { return path.empty() ? "names nothing" : std::string(); });
  command
      .add_option_function<double>(
          "--cache-gb",
          [&encoders](double size) { encoders.cache_bytes = static_cast<std::uint64_t>(size * (1 << 30)); },
          "The most gigabytes that vectors of one encoder take in the cache; the oldest go")
      ->check(gigabytes)
      ->show_default("64");
}

void add_deneb(Command& program) {
  Command* app = program.add_subcommand(
      "deneb", "Metrics that learn from people's ratings (DENEB, Polos): train, score");
  app->require_subcommand();
  add_deneb_train(*app);
  add_deneb_score(*app);
  app->footer(kDenebFooter);
}

}  // namespace capella::cli

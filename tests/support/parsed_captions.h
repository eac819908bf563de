// Captions as the shipped parser reads them.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "pipeline/run_resources.h"
#include "syntax/caption_parser.h"
#include "world/challenge/parsed_caption.h"

namespace capella::test {

/// A caption that lives as long as what was made of it.
class Parsed {
 public:
  explicit Parsed(std::string text) : text_(std::make_unique<std::string>(std::move(text))) {
    static const auto parser = pipeline::open_parser();
    const std::string_view caption = *text_;
    parsed_ = world::challenge::ParsedCaption::make(caption, parser->parse({&caption, 1})[0]);
  }

  bool is_plain() const { return parsed_.has_value(); }
  const world::challenge::ParsedCaption& operator*() const { return parsed_.value(); }

 private:
  std::unique_ptr<std::string> text_;
  std::optional<world::challenge::ParsedCaption> parsed_;
};

}  // namespace capella::test

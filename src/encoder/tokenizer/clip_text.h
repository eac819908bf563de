// Captions made ready for CLIP's vocabulary.
//
// OpenAI's code cleans with ftfy, then takes HTML apart, joins white space and lowers. What is done here are
// ftfy's steps that look at one character (NFC, quotes, ligatures, wide forms, controls) and its HTML. What
// ftfy would do beyond that is to guess which wrong encoding a text was read in; texts for which it would are
// flagged instead. Hugging Face's CLIP does none of that: NFC, white space, lower case.
#pragma once

#include <string>
#include <string_view>

namespace capella::encoder {

enum class ClipCleaning { openai, hugging_face };

std::string clean_for_clip(std::string_view text, ClipCleaning cleaning);

/// Whether the text seems to be UTF-8 that was read as Latin-1 or Windows-1252 ("cafÃ©").
bool looks_garbled(std::string_view text);

}  // namespace capella::encoder

#include "metric/list.h"

#include "metric/bertscore.h"
#include "metric/bleu.h"
#include "metric/chrf.h"
#include "metric/cider_d.h"
#include "metric/cider_plain.h"
#include "metric/cider_r.h"
#include "metric/clip_score.h"
#include "metric/hwcm.h"
#include "metric/meteor.h"
#include "metric/mid.h"
#include "metric/moverscore.h"
#include "metric/mowe.h"
#include "metric/rouge_1.h"
#include "metric/rouge_l.h"
#include "metric/sacrebleu.h"
#include "metric/sentence_cosine.h"
#include "metric/spice.h"
#include "metric/spider.h"
#include "metric/wmd.h"

namespace capella::metric {

std::span<const Entry> all_metrics() {
  static constexpr Entry kEntries[] = {
      {"bleu", "BLEU-1 to BLEU-4 as coco-caption computes them", {}, make_bleu},
      {"rouge-l", "ROUGE-L: longest common subsequence, F with beta 1.2", kRougeLSettings, make_rouge_l},
      {"cider-d", "CIDEr-D: consensus of tf-idf weighted n-grams; what papers call CIDEr", kCiderDSettings,
       make_cider_d},
      {"cider-plain", "CIDEr without clipping and length penalty", kCiderPlainSettings, make_cider_plain},
      {"cider-r", "CIDEr-R: robust to references of varied length", kCiderRSettings, make_cider_r},
      {"meteor", "METEOR 1.5: aligned words, stems, synonyms and paraphrases", kMeteorSettings, make_meteor},
      {"spice", "SPICE: objects, attributes and relations that caption and references share", kSpiceSettings,
       make_spice},
      {"spider", "SPIDEr: the mean of CIDEr-D and SPICE", {}, make_spider},
      {"wmd", "WMD: distance between the words of caption and reference, by word vectors", kWmdSettings,
       make_wmd},
      {"sacrebleu", "BLEU as sacreBLEU computes it, on raw captions", kSacreBleuSettings, make_sacrebleu},
      {"chrf", "chrF: F-score of character (and word) n-grams, on raw captions", kChrfSettings, make_chrf},
      {"rouge-1", "ROUGE-1 recall: the share of a reference's words that the caption has", {}, make_rouge_1},
      {"mowe", "MOWE: cosine of the mean word vectors of caption and reference", kMoweSettings, make_mowe},
      {"hwcm", "HWCM: chains of words in the grammar of caption and reference", kHwcmSettings, make_hwcm},
      {"sentence-cosine", "Sentence-cosine: similarity of caption and references in a sentence encoder",
       kSentenceCosineSettings, make_sentence_cosine},
      {"bertscore", "BERTScore: tokens matched by contextual embeddings", kBertScoreSettings, make_bertscore},
      {"moverscore",
       "MoverScore: distance between the tokens of caption and reference, by contextual embeddings",
       kMoverScoreSettings, make_moverscore},
      {"clip-s", "CLIP-S: similarity of caption and image in a CLIP model", kClipSettings, make_clip_s},
      {"refclip-s", "RefCLIP-S: CLIP-S combined with the most similar reference", kClipSettings,
       make_refclip_s},
      {"pac-s", "PAC-S: like CLIP-S, with weights trained on captions", kPacSettings, make_pac_s},
      {"refpac-s", "RefPAC-S: PAC-S combined with the most similar reference", kPacSettings, make_refpac_s},
      {"mid", "MID: mutual information of caption and image in a CLIP model", kMidSettings, make_mid},
  };
  return kEntries;
}

}  // namespace capella::metric

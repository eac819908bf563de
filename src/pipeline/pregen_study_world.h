// A generated world as the pre-gen study sees it: captions and features to learn from, test images with
// references, and judges.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "capella/pipeline.h"
#include "capella/pregen_study.h"

#include "io/caption_sets.h"
#include "world/judge_caption.h"

namespace capella::pipeline {

class StudyWorld {
 public:
  /// Makes the world if its folder is not there. Throws DataError or FileError that names the file if it is
  /// no world's folder.
  explicit StudyWorld(const PregenStudyOptions& options);

  GeneratorInputs inputs() const;
  std::size_t training_images() const { return training_images_; }
  std::size_t test_images() const { return test_images_; }
  std::size_t test_captions() const { return test_captions_; }

  /// Of all that generators learn from and are tested on.
  std::uint64_t fingerprint() const { return fingerprint_; }

  /// The test images' references as generators know them, words joined by blanks: [{image_id, captions}].
  const std::string& references() const { return references_; }

  /// Ratings of the systems' captions by the world's judges.
  GivenScores judge(const Dataset& dataset, const std::string& name) const;

 private:
  void read_truth();
  void read_captions();
  std::string path(const char* name) const;

  std::string folder_;
  std::size_t training_images_ = 0;
  std::size_t test_images_ = 0;
  std::size_t test_captions_ = 0;
  std::uint64_t fingerprint_ = 0;
  std::string references_;
  std::optional<world::CaptionJudges> judges_;
};

}  // namespace capella::pipeline

// What the files of trained networks have in common: arrays of floats and, in the header, texts. One of these
// says in JSON what the network is and how it came to be, and holds a number that changes with every bit of
// the arrays. A checkpoint, from which training goes on, is the same under another key, with the optimiser's
// arrays and, under "capella.checksum", a number that changes with every bit of texts and arrays.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "tensor/network_array.h"
#include "tensor/safetensors.h"

namespace capella::method {

using tensor::NetworkArray;

enum class NetworkFile { model, checkpoint };

/// The files of one sort of network.
struct NetworkFormat {
  std::string_view model;       ///< the key of the text in a model, e.g. "capella.generator"
  std::string_view checkpoint;  ///< ... and in a checkpoint
  std::string_view command;     ///< that writes them, e.g. "capella pregen train"

  std::string key(NetworkFile kind) const {
    return std::string(kind == NetworkFile::model ? model : checkpoint);
  }
};

/// A number that changes with every name, shape and bit, but not with the order; `before` goes into it, too.
std::uint64_t hash_of_arrays(std::span<const NetworkArray> arrays, std::uint64_t before);

/// Names the first array that has a number which is not finite; empty if there is none.
std::string number_problem(std::span<const NetworkArray> arrays);

/// How many numbers there are without those of the optimiser.
std::size_t learnt_numbers(std::span<const NetworkArray> arrays);

/// All tensors of the file, which must be floats of 32 bits. Throws FileError.
std::vector<NetworkArray> arrays_of(const tensor::Safetensors& file);

/// Opens the file and lets `read` take from it what it wants. Throws FileError that names the file, what is
/// wrong and what to do; `read` may throw FileError, or DataError without the file's name. A checkpoint that
/// does not have its checksum is refused, also one of an older version, which had none.
void read_network_file(const std::string& path, const NetworkFormat& format, NetworkFile kind,
                       const std::function<void(const tensor::Safetensors& file)>& read);

/// The file as bytes, or written, whole or not at all. The order of the arrays does not matter.
std::string network_file_bytes(std::span<const NetworkArray> arrays, const tensor::Metadata& texts,
                               NetworkFile kind = NetworkFile::model);
void write_network_file(const std::string& path, std::span<const NetworkArray> arrays,
                        const tensor::Metadata& texts, NetworkFile kind = NetworkFile::model);

/// 16 hexadecimal digits; and back, which throws DataError for anything else.
std::string hex_text(std::uint64_t number);
std::uint64_t read_hex_text(const std::string& text);

/// Numbers in JSON, which has no words for those that are not finite: null is NaN, "inf" and "-inf" are the
/// infinite ones. `what` is for the DataError that is thrown for anything else.
nlohmann::json number_json(double value);
double read_number_json(const nlohmann::json& value, std::string_view what);

}  // namespace capella::method

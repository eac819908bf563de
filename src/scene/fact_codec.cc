#include "scene/fact_codec.h"

#include <cstddef>
#include <cstdint>

namespace capella::scene {
namespace {

constexpr std::uint8_t kLastKind = static_cast<std::uint8_t>(Fact::Kind::relation);

// Seven bits a byte, the lowest first; the highest bit says that more follow.
void put_length(std::string& out, std::size_t length) {
  for (; length >= 0x80; length >>= 7) out += static_cast<char>(0x80 | (length & 0x7F));
  out += static_cast<char>(length);
}

void put_text(std::string& out, const std::string& text) {
  put_length(out, text.size());
  out += text;
}

// Takes bytes from the front; once something does not fit, ok() is false and all that follows is empty.
class Decoder {
 public:
  explicit Decoder(std::string_view bytes) : rest_(bytes) {}

  bool ok() const { return ok_; }
  bool done() const { return !ok_ || rest_.empty(); }

  std::uint8_t byte() {
    if (rest_.empty()) ok_ = false;
    if (!ok_) return 0;
    const auto value = static_cast<std::uint8_t>(rest_.front());
    rest_.remove_prefix(1);
    return value;
  }

  std::string text() {
    const std::size_t size = length();
    if (size > rest_.size()) ok_ = false;
    if (!ok_) return {};
    std::string text(rest_.substr(0, size));
    rest_.remove_prefix(size);
    return text;
  }

 private:
  std::size_t length() {
    std::size_t value = 0;
    for (unsigned shift = 0; shift < 63; shift += 7) {
      const std::uint8_t next = byte();
      value |= std::size_t{next & 0x7Fu} << shift;
      if (next < 0x80) return value;
    }
    ok_ = false;
    return 0;
  }

  std::string_view rest_;
  bool ok_ = true;
};

}  // namespace

std::string encode_facts(std::span<const Fact> facts) {
  std::string out;
  for (const Fact& fact : facts) {
    out += static_cast<char>(fact.kind);
    put_text(out, fact.subject);
    if (fact.kind != Fact::Kind::object) put_text(out, fact.predicate);
    if (fact.kind == Fact::Kind::relation) put_text(out, fact.object);
  }
  return out;
}

std::optional<std::vector<Fact>> decode_facts(std::string_view bytes) {
  std::vector<Fact> facts;
  Decoder decoder(bytes);
  while (!decoder.done()) {
    const std::uint8_t kind = decoder.byte();
    if (kind > kLastKind) return std::nullopt;
    Fact& fact = facts.emplace_back();
    fact.kind = static_cast<Fact::Kind>(kind);
    fact.subject = decoder.text();
    if (fact.kind != Fact::Kind::object) fact.predicate = decoder.text();
    if (fact.kind == Fact::Kind::relation) fact.object = decoder.text();
  }
  if (!decoder.ok()) return std::nullopt;
  return facts;
}

}  // namespace capella::scene

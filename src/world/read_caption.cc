#include "world/read_caption.h"

#include <algorithm>
#include <optional>
#include <string>

#include "world/caption_lexicon.h"

namespace capella::world {
namespace {

using PieceKind = Piece::Kind;

constexpr std::size_t kMostDoubtful = 5;  // mentions whose class is in doubt; all others are the first

struct ReadMention {
  std::vector<Class> classes;
  std::vector<std::string> attributes;
  std::string number;                 // empty: none is told
  std::optional<std::size_t> wearer;  // the mention that wears it, if it is told as part of that one
};

struct ReadRelation {
  std::size_t subject;
  Predicate predicate;
  std::size_t object;
};

// The noun phrase that has begun and still lacks its noun.
struct Unfinished {
  std::size_t words = 0;
  bool counted = false;  // by an article or a number
  std::string number;
  std::vector<std::string> attributes;
};

// What stands between the last thing and the next.
struct Link {
  std::optional<Piece> predicate;
  std::size_t auxiliaries = 0;
  std::size_t joiners = 0;
  bool with = false;

  bool empty() const { return !predicate && auxiliaries == 0 && joiners == 0 && !with; }
  std::size_t words() const {
    return (predicate ? predicate->words : 0) + auxiliaries + joiners + (with ? 1 : 0);
  }
};

class Reader {
 public:
  explicit Reader(const std::vector<std::string>& words) {
    reading_.words = words.size();
    for (std::span<const std::string> rest = words; !rest.empty();) {
      const Piece piece = next_piece(rest);
      take(piece);
      rest = rest.subspan(piece.words);
    }
    end_phrase();
    drop_link();
    end_clause();
  }

  CaptionReading result() {
    std::vector<std::size_t> chosen(mentions_.size(), 0);
    std::vector<std::size_t> doubtful;
    for (std::size_t i = 0; i < mentions_.size() && doubtful.size() < kMostDoubtful; ++i) {
      if (mentions_[i].classes.size() > 1) doubtful.push_back(i);
    }
    add_meanings(doubtful, chosen);
    return std::move(reading_);
  }

 private:
  void take(const Piece& piece) {
    switch (piece.kind) {
      case PieceKind::article:
      case PieceKind::number:
      case PieceKind::attribute:
        return take_modifier(piece);
      case PieceKind::noun:
        return take_noun(piece);
      case PieceKind::setting:
        return take_setting(piece);
      default:
        end_phrase();
        take_link(piece);
    }
  }

  void take_modifier(const Piece& piece) {
    const bool counts = piece.kind != PieceKind::attribute;
    const bool twice = std::ranges::find(phrase_.attributes, piece.value) != phrase_.attributes.end();
    if (counts && phrase_.words > 0) end_phrase();
    if (!counts && twice) {
      ++reading_.left_over;
      return;
    }
    phrase_.words += piece.words;
    phrase_.counted = phrase_.counted || counts;
    if (piece.kind == PieceKind::number) phrase_.number = piece.value;
    if (piece.kind == PieceKind::attribute) phrase_.attributes.push_back(piece.value);
  }

  // Modifiers without a noun are of no use.
  void end_phrase() {
    reading_.left_over += phrase_.words;
    phrase_ = {};
  }

  void drop_link() {
    reading_.left_over += link_.words();
    link_ = {};
  }

  void end_clause() {
    // "a man wearing a red hat next to a tree": wearing is what the clause tells. In "a man wearing a red hat
    // eats a cake" it is not, nor where the man "is next to a tree".
    if (!acts_ && worn_in_doubt_) mentions_[*worn_in_doubt_].wearer.reset();
    worn_in_doubt_.reset();
    tells_ = false;
    acts_ = false;
    subject_.reset();
  }

  void take_link(const Piece& piece) {
    switch (piece.kind) {
      case PieceKind::predicate:
        if (link_.predicate || link_.with) drop_link();
        link_.predicate = piece;
        break;
      case PieceKind::auxiliary:
        if (link_.predicate || link_.with) drop_link();
        ++link_.auxiliaries;
        break;
      case PieceKind::joiner:
        drop_link();
        link_.joiners = 1;
        break;
      case PieceKind::with:
        drop_link();
        link_.with = true;
        break;
      case PieceKind::there:
        link_.joiners = 0;
        drop_link();
        end_clause();
        last_.reset();
        break;
      default:
        reading_.left_over += piece.words;
    }
  }

  void take_setting(const Piece& piece) {
    if (!phrase_.attributes.empty() || !phrase_.number.empty()) end_phrase();
    phrase_ = {};
    link_ = {};  // "sitting on the street"
    const auto label = std::string(info(piece.setting).label);
    if (std::ranges::find(settings_, label) == settings_.end()) settings_.push_back(label);
  }

  void take_noun(const Piece& piece) {
    if (!phrase_.counted && !piece.plural) ++reading_.gaps;
    const std::size_t mention = mentions_.size();
    mentions_.push_back({piece.classes, phrase_.attributes, phrase_.number, {}});
    phrase_ = {};
    if (!dress(mention)) connect(mention);
    link_ = {};
  }

  bool is_kind(std::size_t mention, world::Kind kind) const {
    return info(mentions_[mention].classes.front()).kind == kind;
  }

  // "the man in a blue shirt and a hat": clothes that are told as part of who wears them.
  bool dress(std::size_t mention) {
    if (!is_kind(mention, world::Kind::clothing) || !last_) return false;
    const bool by_word = link_.with || (link_.predicate && link_.predicate->in_phrase);
    const std::optional<std::size_t> before = mentions_[*last_].wearer;
    const bool also = before && link_.joiners > 0 && !link_.predicate && !link_.with;
    const std::size_t wearer = also ? *before : *last_;
    if (!also && (!by_word || link_.joiners > 0 || !is_kind(wearer, world::Kind::person))) return false;
    const bool wearing = link_.predicate && link_.predicate->predicate == Predicate::wear;
    if (wearing && link_.auxiliaries > 0) return false;  // "is wearing"
    mentions_[mention].wearer = wearer;
    relations_.push_back({wearer, Predicate::wear, mention});
    if (also) worn_in_doubt_.reset();
    // Everybody wears a shirt, so no caption is about that.
    const bool topic = mentions_[mention].classes.front() != Class::shirt;
    if (wearing && topic && !tells_ && subject_ == wearer) worn_in_doubt_ = mention;
    last_ = mention;
    return true;
  }

  void connect(std::size_t mention) {
    last_ = mention;
    if (link_.predicate && subject_) {
      const Piece& piece = *link_.predicate;
      tells_ = true;
      acts_ = acts_ || info(piece.predicate).action || piece.finite || link_.auxiliaries > 0;
      if (piece.passive) {
        relations_.push_back({mention, piece.predicate, *subject_});
        subject_ = mention;
      } else {
        relations_.push_back({*subject_, piece.predicate, mention});
      }
      return;
    }
    if (link_.with && subject_) return;
    begin_clause(mention);
  }

  // A thing that is joined by no more than "and", or by nothing.
  void begin_clause(std::size_t mention) {
    const bool first = !subject_;
    if (!first && link_.joiners == 0) ++reading_.gaps;
    if (first || link_.joiners == 0) drop_link();
    reading_.left_over += link_.auxiliaries;
    end_clause();
    subject_ = mention;
  }

  std::vector<Fact> facts_for(const std::vector<std::size_t>& chosen) const {
    std::vector<Fact> facts;
    const auto add = [&](Fact fact) {
      if (std::ranges::find(facts, fact) == facts.end()) facts.push_back(std::move(fact));
    };
    const auto id = [&](std::size_t mention) { return mentions_[mention].classes[chosen[mention]]; };
    for (std::size_t i = 0; i < mentions_.size(); ++i) {
      const ReadMention& mention = mentions_[i];
      add(object_fact(id(i)));
      for (const std::string& value : mention.attributes)
        add(mention.wearer ? worn_attribute_fact(id(i), value, id(*mention.wearer))
                           : attribute_fact(id(i), value));
      if (!mention.number.empty()) add(count_fact(id(i), mention.number));
    }
    for (const ReadRelation& each : relations_)
      add(relation_fact(id(each.subject), each.predicate, id(each.object)));
    for (const std::string& label : settings_) add(setting_fact(label));
    return facts;
  }

  void add_meanings(std::span<const std::size_t> doubtful, std::vector<std::size_t>& chosen) {
    if (doubtful.empty()) {
      reading_.meanings.push_back(facts_for(chosen));
      return;
    }
    const std::size_t mention = doubtful.front();
    for (std::size_t i = 0; i < mentions_[mention].classes.size(); ++i) {
      chosen[mention] = i;
      add_meanings(doubtful.subspan(1), chosen);
    }
  }

  CaptionReading reading_;
  std::vector<ReadMention> mentions_;
  std::vector<ReadRelation> relations_;
  std::vector<std::string> settings_;
  Unfinished phrase_;
  Link link_;
  std::optional<std::size_t> subject_;        // of the clause
  std::optional<std::size_t> last_;           // the last mention
  std::optional<std::size_t> worn_in_doubt_;  // clothes that the clause may be about
  bool tells_ = false;                        // the clause has a relation
  bool acts_ = false;                         // ... that leaves no doubt what it is about
};

}  // namespace

CaptionReading read_caption(std::string_view caption) {
  return Reader(words_of(std::string(caption))).result();
}

std::vector<Fact> read_facts(std::string_view caption) {
  return std::move(read_caption(caption).meanings.front());
}

}  // namespace capella::world

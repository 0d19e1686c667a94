// workloads/torn_line.cpp — every way to deal surplus fields to texts that may hold a delimiter.
//
// From left to right: a column takes its field, and if it may hold a delimiter some of the surplus
// too; a value without the form of its column ends that way. Columns of a fixed form stand between
// most texts, so few ways get far, and what failed from a column on is not tried again.
#include "workloads/torn_line.hpp"

#include <algorithm>
#include <cstddef>

namespace rehearse {
namespace {

constexpr std::size_t kMostSurplus = 512;  ///< of one line; the work grows with its square
constexpr std::size_t kMostWays = 1000;    ///< that are held against the first

enum class Strictness : std::uint8_t { UsualOnly, AnyOfTheForm };

class Dealing {
 public:
  Dealing(const std::vector<std::string_view>& torn, const std::vector<Form>& forms,
          const std::vector<Column>& columns, Strictness strictness)
      : torn_(torn),
        forms_(forms),
        columns_(columns),
        strictness_(strictness),
        surplus_(torn.size() - columns.size()),
        dead_(columns.size() * (surplus_ + 1), 0) {
    way_.reserve(columns.size());
    (void)deal(0, surplus_);
  }

  [[nodiscard]] bool any() const { return !first_.empty(); }
  [[nodiscard]] bool ambiguous() const { return ambiguous_; }
  [[nodiscard]] const std::vector<std::string_view>& first() const { return first_; }

 private:
  [[nodiscard]] bool fits(std::size_t column, std::string_view value) const {
    return has_form(forms_[column], value) &&
           (strictness_ == Strictness::AnyOfTheForm || looks_usual(forms_[column], value));
  }

  /// A text seldom begins or ends with a delimiter: fields beside it are empty more often.
  [[nodiscard]] bool is_usual_end(std::size_t from, std::size_t to) const {
    return strictness_ == Strictness::AnyOfTheForm || (!torn_[from].empty() && !torn_[to].empty());
  }

  [[nodiscard]] bool may_hold_a_delimiter(std::size_t column) const {
    return is_free_text(forms_[column]) || forms_[column] == Form::Features;
  }

  /// Is there a way for this column and those behind it, with `left` of the surplus still to deal?
  bool deal(std::size_t column, std::size_t left) {
    if (column == columns_.size()) return left == 0 && arrived();
    if (dead_[column * (surplus_ + 1) + left] != 0) return false;
    const std::size_t at = column + surplus_ - left;
    bool found = false;
    for (std::size_t more = 0; more <= (may_hold_a_delimiter(column) ? left : 0); ++more) {
      const std::string_view last = torn_[at + more];
      const char* const begin = torn_[at].data();
      const std::string_view value(begin,
                                   static_cast<std::size_t>(last.data() + last.size() - begin));
      if (!fits(column, value) || (more > 0 && !is_usual_end(at, at + more))) continue;
      way_.push_back(value);
      found = deal(column + 1, left - more) || found;
      way_.pop_back();
      if (ambiguous_) return found;
    }
    if (!found) dead_[column * (surplus_ + 1) + left] = 1;
    return found;
  }

  /// A whole way: the first is kept, a further one held against it.
  bool arrived() {
    if (ways_++ == 0) {
      first_ = way_;
      return true;
    }
    if (ways_ == kMostWays) ambiguous_ = true;
    bool is_better = false;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const bool matters = columns_[i] != Column::Other && columns_[i] != Column::JobName;
      if (!matters || way_[i] == first_[i]) continue;
      const std::size_t here = submitted(way_, i), there = submitted(first_, i);
      if (here == there) ambiguous_ = true;
      is_better = here > there;
    }
    if (is_better && !ambiguous_) first_ = way_;
    return true;
  }

  /// Characters of features of which one is enough that the submit line has as they are.
  [[nodiscard]] std::size_t submitted(const std::vector<std::string_view>& way,
                                      std::size_t column) const {
    const std::string_view features = way[column];
    const auto submit_line = std::find(columns_.begin(), columns_.end(), Column::SubmitLine);
    if (forms_[column] != Form::Features || submit_line == columns_.end()) return 0;
    if (features.find('|') == std::string_view::npos) return 0;
    const std::string_view asked = way[static_cast<std::size_t>(submit_line - columns_.begin())];
    return asked.find(features) == std::string_view::npos ? 0 : features.size();
  }

  const std::vector<std::string_view>& torn_;
  const std::vector<Form>& forms_;
  const std::vector<Column>& columns_;
  Strictness strictness_;
  std::size_t surplus_;
  std::vector<std::uint8_t> dead_;  ///< by column and surplus left: no way from there
  std::vector<std::string_view> way_, first_;
  std::size_t ways_ = 0;
  bool ambiguous_ = false;
};

}  // namespace

bool are_in_place(const std::vector<std::string_view>& fields, const std::vector<Form>& forms) {
  for (std::size_t i = 0; i < forms.size(); ++i) {
    if (!has_form(forms[i], fields[i]) || !looks_usual(forms[i], fields[i])) return false;
  }
  return true;
}

Torn mend_torn(std::vector<std::string_view>& fields, const std::vector<Form>& forms,
               const std::vector<Column>& columns) {
  if (fields.size() - columns.size() > kMostSurplus) return Torn::Hopeless;
  for (const Strictness strictness : {Strictness::UsualOnly, Strictness::AnyOfTheForm}) {
    const Dealing dealing(fields, forms, columns, strictness);
    if (!dealing.any()) continue;
    if (dealing.ambiguous()) return Torn::Ambiguous;
    fields = dealing.first();
    return Torn::Mended;
  }
  return Torn::Hopeless;
}

}  // namespace rehearse

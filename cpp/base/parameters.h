// The options of a game: declared with their ranges, parsed from `size=11,swap=true`, validated.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace athenan {

// One declared option. An integer option has a range and a step (size: 4 to 16 in steps of 2), a
// real one a range; a choice lists its words; a flag is a choice of "true" and "false"; a word is
// free, and whoever uses it says which ones exist.
struct Parameter {
  std::string name;
  std::string description;
  std::string default_value;
  std::vector<std::string> choices;  // empty for a number and for a word
  double lowest = 0;
  double highest = 0;
  int step = 1;  // 0 for a real number
  bool free_word = false;

  static Parameter integer(std::string name, long long default_value, long long lowest,
                           long long highest, std::string description, int step = 1);
  static Parameter real(std::string name, double default_value, double lowest, double highest,
                        std::string description);
  static Parameter choice(std::string name, std::string default_value,
                          std::vector<std::string> choices, std::string description);
  static Parameter flag(std::string name, bool default_value, std::string description);
  // At most 40 lower-case letters, digits and underscores.
  static Parameter word(std::string name, std::string default_value, std::string description);

  // "an integer from 2 to 19", "one of true, false": for error messages and listings.
  std::string accepted() const;
  bool accepts(std::string_view value) const;
};

// The values of all the options of one game, each one given or default, each one valid.
class Parameters {
 public:
  // Reads `key=value,key=value` (or an empty text) against the declared options of `owner`, a list
  // that must outlive this object.
  // Throws ParameterError naming the option and what is accepted.
  Parameters(std::string_view owner, const std::vector<Parameter>& declared, std::string_view text);

  // The same with the values of another such text in place of its own.
  Parameters updated(std::string_view text) const;

  const std::vector<Parameter>& declared() const { return *declared_; }
  bool has(const std::string& name) const { return values_.count(name) > 0; }
  int integer(const std::string& name) const;
  std::uint64_t count(const std::string& name) const;  // a large one, not negative
  double real(const std::string& name) const;
  bool flag(const std::string& name) const;
  const std::string& choice(const std::string& name) const;  // or a word
  // All values as `key=value,key=value` in the order of declaration: the canonical form.
  std::string text() const;
  // Only those that are not the default.
  std::string short_text() const;
  bool operator==(const Parameters& other) const { return values_ == other.values_; }

 private:
  std::vector<std::string> all_names() const;
  std::string names() const;

  std::string owner_;
  const std::vector<Parameter>* declared_;  // outlives the values: part of a registry
  std::map<std::string, std::string> values_;
};

}  // namespace athenan

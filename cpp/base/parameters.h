// The options of a game: declared with their ranges, parsed from `size=11,swap=true`, validated.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace athenan {

// One declared option. An integer option has a range and a step (size: 4 to 16 in steps of 2);
// a choice lists its words; a flag is a choice of "true" and "false".
struct Parameter {
  std::string name;
  std::string description;
  std::string default_value;
  std::vector<std::string> choices;  // empty for an integer
  int lowest = 0;
  int highest = 0;
  int step = 1;

  static Parameter integer(std::string name, int default_value, int lowest, int highest,
                           std::string description, int step = 1);
  static Parameter choice(std::string name, std::string default_value,
                          std::vector<std::string> choices, std::string description);
  static Parameter flag(std::string name, bool default_value, std::string description);

  // "an integer from 2 to 19", "one of true, false": for error messages and listings.
  std::string accepted() const;
  bool accepts(std::string_view value) const;
};

// The values of all the options of one game, each one given or default, each one valid.
class Parameters {
 public:
  // Reads `key=value,key=value` (or an empty text) against the declared options of `owner`.
  // Throws ParameterError naming the option and what is accepted.
  Parameters(std::string_view owner, const std::vector<Parameter>& declared, std::string_view text);

  int integer(const std::string& name) const;
  bool flag(const std::string& name) const;
  const std::string& choice(const std::string& name) const;
  // All values as `key=value,key=value` in the order of declaration: the canonical form.
  std::string text() const;

 private:
  std::vector<std::string> order_;
  std::map<std::string, std::string> values_;
};

}  // namespace athenan

#include "base/parameters.h"

#include <algorithm>
#include <charconv>
#include <set>

#include "base/error.h"

namespace athenan {
namespace {

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const auto& word : words) out += (out.empty() ? "" : ", ") + word;
  return out;
}

bool read_integer(std::string_view text, int& out) {
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), out);
  return problem == std::errc{} && end == text.data() + text.size();
}

}  // namespace

Parameter Parameter::integer(std::string name, int default_value, int lowest, int highest,
                             std::string description, int step) {
  return {std::move(name), std::move(description), std::to_string(default_value), {}, lowest,
          highest,         step};
}

Parameter Parameter::choice(std::string name, std::string default_value,
                            std::vector<std::string> choices, std::string description) {
  return {std::move(name), std::move(description), std::move(default_value), std::move(choices)};
}

Parameter Parameter::flag(std::string name, bool default_value, std::string description) {
  return choice(std::move(name), default_value ? "true" : "false", {"true", "false"},
                std::move(description));
}

std::string Parameter::accepted() const {
  if (!choices.empty()) return "one of " + joined(choices);
  std::string out =
      "an integer from " + std::to_string(lowest) + " to " + std::to_string(highest);
  if (step != 1) out += " in steps of " + std::to_string(step);
  return out;
}

bool Parameter::accepts(std::string_view value) const {
  if (!choices.empty()) return std::find(choices.begin(), choices.end(), value) != choices.end();
  int number = 0;
  return read_integer(value, number) && std::to_string(number) == value && number >= lowest &&
         number <= highest && (number - lowest) % step == 0;
}

Parameters::Parameters(std::string_view owner, const std::vector<Parameter>& declared,
                       std::string_view text) {
  for (const auto& parameter : declared) {
    order_.push_back(parameter.name);
    values_[parameter.name] = parameter.default_value;
  }
  std::set<std::string> given;
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    const std::string_view item = text.substr(0, comma);
    text = comma == std::string_view::npos ? "" : text.substr(comma + 1);
    const std::size_t equals = item.find('=');
    const std::string name(item.substr(0, equals));
    const auto found = std::find_if(declared.begin(), declared.end(),
                                    [&](const Parameter& p) { return p.name == name; });
    if (found == declared.end())
      throw ParameterError(std::string(owner) + " has no option " + quoted(name) +
                           (order_.empty() ? "; it takes none" : "; it takes " + joined(order_)));
    if (equals == std::string_view::npos)
      throw ParameterError("option " + name + " of " + std::string(owner) +
                           " needs a value: " + name + "=<" + found->accepted() + ">");
    if (!given.insert(name).second)
      throw ParameterError("option " + name + " of " + std::string(owner) + " is given twice");
    const std::string_view value = item.substr(equals + 1);
    if (!found->accepts(value))
      throw ParameterError("option " + name + " of " + std::string(owner) + " is " +
                           quoted(value) + "; accepted is " + found->accepted());
    values_[name] = std::string(value);
  }
}

int Parameters::integer(const std::string& name) const { return std::stoi(values_.at(name)); }
bool Parameters::flag(const std::string& name) const { return values_.at(name) == "true"; }
const std::string& Parameters::choice(const std::string& name) const { return values_.at(name); }

std::string Parameters::text() const {
  std::string out;
  for (const auto& name : order_) out += (out.empty() ? "" : ",") + name + "=" + values_.at(name);
  return out;
}

}  // namespace athenan

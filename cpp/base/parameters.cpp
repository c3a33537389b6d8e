#include "base/parameters.h"

#include <algorithm>
#include <charconv>
#include <set>

#include "base/error.h"
#include "base/nearest.h"

namespace athenan {
namespace {

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const auto& word : words) out += (out.empty() ? "" : ", ") + word;
  return out;
}

template <class Number>
bool read_number(std::string_view text, Number& out) {
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), out);
  return problem == std::errc{} && end == text.data() + text.size();
}

bool is_word(std::string_view text) {
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz0123456789_";
  return !text.empty() && text.size() <= 40 &&
         text.find_first_not_of(letters) == std::string_view::npos;
}

std::string number_text(double number) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, number).ptr;
  return std::string(text, end);
}

}  // namespace

Parameter Parameter::integer(std::string name, long long default_value, long long lowest,
                             long long highest, std::string description, int step) {
  return {std::move(name),
          std::move(description),
          std::to_string(default_value),
          {},
          static_cast<double>(lowest),
          static_cast<double>(highest),
          step};
}

Parameter Parameter::real(std::string name, double default_value, double lowest, double highest,
                          std::string description) {
  return {
      std::move(name), std::move(description), number_text(default_value), {}, lowest, highest, 0};
}

Parameter Parameter::choice(std::string name, std::string default_value,
                            std::vector<std::string> choices, std::string description) {
  return {std::move(name), std::move(description), std::move(default_value), std::move(choices)};
}

Parameter Parameter::flag(std::string name, bool default_value, std::string description) {
  return choice(std::move(name), default_value ? "true" : "false", {"true", "false"},
                std::move(description));
}

Parameter Parameter::word(std::string name, std::string default_value, std::string description) {
  Parameter out = choice(std::move(name), std::move(default_value), {}, std::move(description));
  out.free_word = true;
  return out;
}

std::string Parameter::accepted() const {
  if (free_word) return "a name";
  if (!choices.empty()) return "one of " + joined(choices);
  std::string out = step == 0 ? "a number from " : "an integer from ";
  out += number_text(lowest) + " to " + number_text(highest);
  if (step > 1) out += " in steps of " + std::to_string(step);
  return out;
}

bool Parameter::accepts(std::string_view value) const {
  if (free_word) return is_word(value);
  if (!choices.empty()) return std::find(choices.begin(), choices.end(), value) != choices.end();
  if (step == 0) {
    double number = 0;
    return read_number(value, number) && number >= lowest && number <= highest;
  }
  long long number = 0;
  return read_number(value, number) && std::to_string(number) == value &&
         static_cast<double>(number) >= lowest && static_cast<double>(number) <= highest &&
         (number - static_cast<long long>(lowest)) % step == 0;
}

Parameters::Parameters(std::string_view owner, const std::vector<Parameter>& declared,
                       std::string_view text)
    : owner_(owner), declared_(&declared) {
  for (const auto& parameter : declared) values_[parameter.name] = parameter.default_value;
  *this = updated(text);
}

Parameters Parameters::updated(std::string_view text) const {
  Parameters out = *this;
  std::set<std::string> given;
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    const std::string_view item = text.substr(0, comma);
    text = comma == std::string_view::npos ? "" : text.substr(comma + 1);
    const std::size_t equals = item.find('=');
    const std::string name(item.substr(0, equals));
    const auto found = std::find_if(declared_->begin(), declared_->end(),
                                    [&](const Parameter& p) { return p.name == name; });
    if (found == declared_->end())
      throw ParameterError(owner_ + " has no option " + in_quotes(name) +
                           did_you_mean(name, all_names()) +
                           (declared_->empty() ? "; it takes none" : "; it takes " + names()));
    if (equals == std::string_view::npos)
      throw ParameterError("option " + name + " of " + owner_ + " needs a value: " + name + "=<" +
                           found->accepted() + ">");
    if (!given.insert(name).second)
      throw ParameterError("option " + name + " of " + owner_ + " is given twice");
    const std::string_view value = item.substr(equals + 1);
    if (!found->accepts(value))
      throw ParameterError("option " + name + " of " + owner_ + " is " + in_quotes(value) +
                           "; accepted is " + found->accepted());
    out.values_[name] = std::string(value);
  }
  return out;
}

std::vector<std::string> Parameters::all_names() const {
  std::vector<std::string> all;
  for (const Parameter& parameter : *declared_) all.push_back(parameter.name);
  return all;
}

std::string Parameters::names() const { return joined(all_names()); }

int Parameters::integer(const std::string& name) const { return std::stoi(values_.at(name)); }
std::uint64_t Parameters::count(const std::string& name) const {
  return std::stoull(values_.at(name));
}
double Parameters::real(const std::string& name) const {
  double number = 0;
  read_number(values_.at(name), number);  // std::stod throws for the smallest numbers
  return number;
}
bool Parameters::flag(const std::string& name) const { return values_.at(name) == "true"; }
const std::string& Parameters::choice(const std::string& name) const { return values_.at(name); }

std::string Parameters::text() const {
  std::string out;
  for (const Parameter& p : *declared_)
    out += (out.empty() ? "" : ",") + p.name + "=" + values_.at(p.name);
  return out;
}

std::string Parameters::short_text() const {
  std::string out;
  for (const Parameter& p : *declared_)
    if (values_.at(p.name) != p.default_value)
      out += (out.empty() ? "" : ",") + p.name + "=" + values_.at(p.name);
  return out;
}

}  // namespace athenan

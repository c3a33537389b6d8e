#include "search/algorithms.h"

#include "base/error.h"
#include "base/nearest.h"

namespace athenan {

// Each defined in the file of its search.
AlgorithmEntry descent(), ubfm(), safe_ubfm(), alpha_beta(), minimax(), uct(), puct(),
    gumbel_search(), expert_iteration(), base_mcts(), nrpa(), apprentice(), random_moves();

namespace {

constexpr std::string_view budgets[] = {"seconds", "cpu_seconds", "expansions", "evaluations",
                                        "iterations"};

// What every algorithm takes; only those with an evaluator can count its evaluations.
std::vector<Parameter> common_parameters(bool needs_evaluator) {
  constexpr long long highest = 1'000'000'000'000;
  std::vector<Parameter> out = {
      Parameter::real("seconds", 0, 0, 1e9, "thinking time per move; 0 for no limit"),
      Parameter::real("cpu_seconds", 0, 0, 1e9,
                      "processor time per move, which other programs do not use up; 0 for no "
                      "limit"),
      Parameter::integer("expansions", 0, 0, highest, "expansions per move; 0 for no limit"),
      Parameter::integer("evaluations", 0, 0, highest,
                         "state evaluations per move; 0 for no limit"),
      Parameter::integer("iterations", 0, 0, highest, "iterations per move; 0 for no limit"),
      Parameter::word("terminal", "classic",
                      "terminal evaluation (reinforcement heuristic), one of those that the game "
                      "takes"),
      Parameter::integer("memory_mb", 0, 0, 1'000'000, "most memory of the tree; 0 for no limit"),
  };
  if (!needs_evaluator)
    std::erase_if(out, [](const Parameter& each) { return each.name == "evaluations"; });
  return out;
}

std::vector<AlgorithmEntry> with_common(std::vector<AlgorithmEntry> entries) {
  for (AlgorithmEntry& entry : entries) {
    const auto common = common_parameters(entry.needs_evaluator);
    entry.parameters.insert(entry.parameters.begin(), common.begin(), common.end());
  }
  return entries;
}

const AlgorithmEntry& algorithm_named(std::string_view name) {
  std::string listed;
  std::vector<std::string> known;
  for (const auto& entry : algorithms()) {
    if (entry.name == name) return entry;
    listed += (listed.empty() ? "" : ", ") + entry.name;
    known.push_back(entry.name);
  }
  throw ParameterError("there is no search algorithm " + in_quotes(name) +
                       did_you_mean(name, known) + "; the algorithms are " + listed);
}

std::string_view name_in(std::string_view text) { return text.substr(0, text.find(':')); }

std::string_view options_in(std::string_view text) {
  const std::size_t colon = text.find(':');
  return colon == std::string_view::npos ? "" : text.substr(colon + 1);
}

}  // namespace

const std::vector<AlgorithmEntry>& algorithms() {
  static const std::vector<AlgorithmEntry> entries = with_common({
      descent(),
      ubfm(),
      safe_ubfm(),
      alpha_beta(),
      minimax(),
      uct(),
      puct(),
      gumbel_search(),
      expert_iteration(),
      base_mcts(),
      nrpa(),
      apprentice(),
      random_moves(),
  });
  return entries;
}

MoveAnswers asks_nothing(const Parameters&) { return MoveAnswers::none; }
MoveAnswers asks_policy(const Parameters&) { return MoveAnswers::policy; }

Parameter transpositions_parameter() {
  return Parameter::flag("transpositions", true,
                         "merge the states that are reached by several sequences of moves");
}

Parameter depth_parameter(int default_value, int lowest, std::string description) {
  return Parameter::integer("depth", default_value, lowest, 10'000, std::move(description));
}

SearchSpec::SearchSpec(std::string_view text)
    : entry_(&algorithm_named(name_in(text))),
      parameters_(entry_->name, entry_->parameters, options_in(text)) {}

bool SearchSpec::names_algorithm(std::string_view text) {
  for (const auto& entry : algorithms())
    if (entry.name == name_in(text)) return true;
  return false;
}

SearchSpec SearchSpec::updated(std::string_view text) const {
  SearchSpec out = *this;
  if (!names_algorithm(text)) {
    out.parameters_ = parameters_.updated(text);
    return out;
  }
  out = SearchSpec(text);
  if (options_in(text).find("terminal=") == std::string_view::npos)
    out.parameters_ = out.parameters_.updated("terminal=" + parameters_.choice("terminal"));
  return out;
}

SearchSpec SearchSpec::unlimited() const {
  SearchSpec out = *this;
  for (const std::string_view name : budgets)
    if (parameters_.has(std::string(name)))
      out.parameters_ = out.parameters_.updated(std::string(name) + "=0");
  return out;
}

std::string SearchSpec::text() const {
  const std::string options = parameters_.short_text();
  return options.empty() ? entry_->name : entry_->name + ":" + options;
}

Budget SearchSpec::budget() const {
  return {parameters_.real("seconds"), parameters_.real("cpu_seconds"),
          parameters_.count("expansions"),
          parameters_.has("evaluations") ? parameters_.count("evaluations") : 0,
          parameters_.count("iterations")};
}

bool SearchSpec::is_limited() const {
  const Budget limit = budget();
  return limit.seconds > 0 || limit.cpu_seconds > 0 || limit.expansions || limit.evaluations ||
         limit.iterations || (parameters_.has("depth") && parameters_.integer("depth") > 0) ||
         entry_->ends_by_itself;
}

std::unique_ptr<Search> SearchSpec::make(std::shared_ptr<const Game> game,
                                         bool keep_terminals) const {
  if (entry_->for_one_player && game->datasheet().players != 1)
    throw ParameterError("the search " + entry_->name + " is for games for one player, and " +
                         game->name() + " has two");
  TerminalEvaluation terminal(*game, parameters_.choice("terminal"));
  SearchSettings settings{std::move(game), std::move(terminal),
                          parameters_.count("memory_mb") << 20, keep_terminals};
  return entry_->make(std::move(settings), parameters_);
}

}  // namespace athenan

// Setting up a match: the options of the game, who plays, how strong, with which clock.

import { button, choice, element, notice } from "./elements.js";
import { begin, modelsOf } from "./begin.js";
import { gameText, optionFields, titled } from "./options.js";
import { inFull } from "./strength.js";

const CLOCKS = [["", "no clock"], ["60", "1 minute"], ["300+3", "5 minutes + 3 s"], ["600+5", "10 minutes + 5 s"], ["1800+20", "30 minutes + 20 s"], ["300/3x20", "5 minutes, then 3 times 20 s"], ["move=10", "10 s for each turn"]];

const SECONDS = [0.5, 1, 2, 4, 10, 20, 60];

export function show(place, { name, query, offered }) {
  const game = offered.games.find((each) => each.name === name);
  if (!game) throw new Error("There is no such game here.");
  const models = modelsOf(offered, name);
  const wanted = models.find((model) => model.id === query.get("model"));
  const wish = {
    opponent: wanted ? `model ${wanted.id}` : game.players === 1 ? "both" : models.length ? `model ${models[0].id}` : "mcts",
    level: 2, seconds: offered.levels.at(-1).seconds, side: "first", clock: "", options: {},
  };
  const form = element("form", { class: "setup", onsubmit: (event) => { event.preventDefault(); start(); } });
  const draw = () => form.replaceChildren(...fields(game, offered, models, wish, draw));
  const start = () => {
    const { text, wishes } = asked(game, offered, models, wish);
    begin(offered, game, { ...wishes, id: text }).catch((problem) => notice(problem.message, "bad"));
  };
  draw();
  place.append(element("div", { class: "two" },
    element("img", { class: "show", src: `/api/games/${encodeURIComponent(name)}/picture.svg`, alt: `A match of ${game.title}` }),
    element("section", {}, element("h1", {}, game.title), game.goal ? element("p", {}, game.goal) : null, form, notes(game))));
}

function fields(game, offered, models, wish, draw) {
  const set = (name, then = () => {}) => (value) => { wish[name] = value; then(); };
  const opponents = [
    ...models.map((model) => [`model ${model.id}`, `${model.id} (learned)`]),
    ["mcts", "MCTS (no learning)"],
    ...offered.players.map((player) => [`player ${player}`, player]),
    ...(game.players === 2 ? [["person", "another person, by a link"], ["both", "two persons at this screen"], ["none", "nobody: two machines"]] : []),
  ];
  if (game.players === 1) opponents.unshift(["both", "you"]);
  const model = models.find((each) => wish.opponent === `model ${each.id}`);
  const thinks = model || wish.opponent === "mcts" || wish.opponent === "none";
  const made = [choice("Opponent", opponents, wish.opponent, set("opponent", draw))];
  if (game.players === 1) made[0].querySelector("span").textContent = "Who plays";
  if (model) made.push(element("p", { class: "calm small" }, `${model.id} learned ${titled(game, model.game)}. It scored ${inFull(model)}.`
    .replace("It scored not measured", "Its strength was not measured")));
  if (thinks) made.push(...level(offered, wish));
  if (game.players === 2 && wish.opponent !== "both" && wish.opponent !== "none") {
    made.push(choice("You play", [["first", "first"], ["second", "second"], ["either", "either"]], wish.side, set("side")));
  }
  if (game.players === 2) made.push(choice("Clock", CLOCKS, wish.clock, set("clock")));
  if (model && game.options.length) made.push(element("p", { class: "calm small" }, "Other sizes and rules: choose MCTS or a person."));
  else if (!model) made.push(...optionFields(game, wish.options));
  made.push(element("button", { type: "submit", class: "main large" }, "Play"));
  return made;
}

// How strong, and at full strength how long it thinks.
function level({ levels, max_seconds: longest }, wish) {
  const words = element("output", {}, levels[wish.level].name);
  const input = element("input", {
    type: "range", min: 0, max: levels.length - 1, value: wish.level, "aria-label": "Strength", "aria-valuetext": levels[wish.level].name,
    oninput: () => {
      wish.level = Number(input.value);
      words.textContent = levels[wish.level].name;
      input.setAttribute("aria-valuetext", words.textContent);
      budget.hidden = wish.level < levels.length - 1;
    },
  });
  const seconds = SECONDS.filter((each) => each <= longest).map((each) => [each, `${each} s for each move`]);
  const budget = choice("It thinks", seconds, wish.seconds, (chosen) => { wish.seconds = Number(chosen); });
  budget.hidden = wish.level < levels.length - 1;
  return [element("label", { class: "field" }, element("span", {}, "Strength"), element("span", { class: "slider" }, input, words)), budget];
}

// What was chosen, as the server wants it.
function asked(game, offered, models, wish) {
  const model = models.find((each) => wish.opponent === `model ${each.id}`);
  const text = model ? model.game : gameText(game, wish.options);
  const second = wish.side === "second" || (wish.side === "either" && Math.random() < 0.5);
  const machine = { who: "machine", model: model?.id ?? null, level: wish.level };
  if (wish.level === offered.levels.length - 1) machine.seconds = wish.seconds;
  const player = wish.opponent.startsWith("player ") ? { who: "player", player: wish.opponent.slice(7) } : null;
  const person = { who: "person" };
  const wishes = {
    model: model ?? null, level: wish.level, second,
    invite: wish.opponent === "person",
    other: player ?? (wish.opponent === "person" ? person : machine),
    clock: wish.clock || null,
  };
  if (game.players === 1) wishes.seats = [wish.opponent === "both" ? person : player ?? machine];
  else if (wish.opponent === "both") wishes.seats = [person, person];
  else if (wish.opponent === "none") wishes.seats = [machine, machine];
  return { text, wishes };
}

function notes(game) {
  return element("details", { class: "calm small" },
    element("summary", {}, "Notation"),
    element("p", {}, game.moves || "Moves have no description."),
    element("p", {}, game.positions || ""));
}

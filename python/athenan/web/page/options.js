// The options of a game: sizes of its board and variants of its rules.

import { choice, element } from "./elements.js";

// A field for each option; what is chosen goes into `chosen`.
export const optionFields = (game, chosen) => game.options.map((option) => field(option, chosen));

// The game with what was chosen, as the server wants it: hex:size=5.
export function gameText(game, chosen) {
  const given = Object.entries(chosen).map(([name, value]) => `${name}=${value}`);
  return given.length ? `${game.name}:${given.join(",")}` : game.id;
}

// What is chosen in the id of a game, in words: hex:size=11,swap=true is "size 11, swap".
export function variant(id) {
  const given = (id.split(":")[1] ?? "").split(",").filter(Boolean).map((each) => each.split("="));
  return given.map(([name, value]) => {
    const words = name.replaceAll("_", " ");
    return value === "true" ? words : value === "false" ? `no ${words}` : `${words} ${value}`;
  }).join(", ");
}

// The title of a game with what is chosen in its id.
export const titled = (game, id) => (variant(id) ? `${game.title}, ${variant(id)}` : game.title);

function field(option, chosen) {
  const current = chosen[option.name] ?? option.default;
  const set = (value) => { chosen[option.name] = value; };
  const words = option.name.replaceAll("_", " ");
  const named = option.accepted.match(/^one of (.*)$/);
  if (named) return choice(words, named[1].split(", ").map((each) => [each, each]), current, set);
  const input = element("input", {
    value: current, inputmode: "decimal", title: `${option.description}: ${option.accepted}`, oninput: () => set(input.value),
  });
  return element("label", { class: "field" }, element("span", {}, words), input);
}

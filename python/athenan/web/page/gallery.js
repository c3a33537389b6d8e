// The gallery: every game with a picture; one click begins a match.

import { button, element, notice } from "./elements.js";
import { begin, modelsOf } from "./begin.js";
import { titled } from "./options.js";
import { inFull, inShort } from "./strength.js";

const SHOWN = 3; // models on a card

export function show(place, { offered }) {
  const cards = offered.games.map((game) => card(game, offered));
  const search = element("input", {
    type: "search", placeholder: "Find a game", "aria-label": "Find a game",
    oninput: () => {
      const words = search.value.toLowerCase();
      for (const each of cards) each.hidden = !each.dataset.title.includes(words);
    },
  });
  place.append(
    element("div", { class: "lead" },
      element("div", {}, element("h1", {}, "Play a game"),
        element("p", { class: "calm" }, "Against a machine that learned it from the rules alone, or against a friend.")),
      search),
    element("ul", { class: "gallery" }, cards),
  );
}

function card(game, offered) {
  const models = modelsOf(offered, game.name);
  const setup = `#/game/${encodeURIComponent(game.name)}`;
  return element("li", { class: "card", "data-title": game.title.toLowerCase() },
    element("a", { href: setup, "aria-label": `${game.title}: choose an opponent` },
      element("img", {
        src: `/api/games/${encodeURIComponent(game.name)}/picture.svg`, alt: "", loading: "lazy", width: 200, height: 200,
      }),
      element("h2", {}, game.title)),
    models.length ? element("ul", { class: "models" }, models.slice(0, SHOWN).map((model) =>
      element("li", { title: `${titled(game, model.game)}: ${inFull(model)}` }, element("strong", {}, model.id), ` ${inShort(model)}`)))
      : element("p", { class: "models" }, "No model yet. Plain search (MCTS) plays."),
    element("div", { class: "row" },
      element("a", { class: "tag", href: setup, "aria-label": `Options of ${game.title}` }, "Options"),
      button("Play", () => begin(offered, game).catch((problem) => notice(problem.message)), {
        class: "main", "aria-label": `Play ${game.title}`,
      })));
}

// The arena: begin a tournament of models and MCTS, see its table grow, step through its matches.

import { get, post } from "./api.js";
import { button, choice, element, notice, percent } from "./elements.js";

const EVERY = 1000; // milliseconds between two looks

export function show(place, { offered }) {
  const list = element("div", { class: "tournaments" });
  const look = () => refresh(list).catch((problem) => notice(problem.message, "bad"));
  place.append(element("h1", {}, "Arena"), element("div", { class: "two wide" }, starter(offered, look), list));
  look();
  const timer = setInterval(look, EVERY);
  return () => clearInterval(timer);
}

function starter(offered, look) {
  const games = [...new Set([...offered.models.map((model) => model.game), ...offered.games.filter((game) => game.players === 2).map((game) => game.id)])];
  const wish = { game: games[0], matches: 20, expansions: 50, budget: "" };
  const who = element("fieldset", { class: "who" });
  const draw = () => who.replaceChildren(element("legend", {}, "Players"),
    ...[...offered.models.filter((model) => model.game === wish.game).map((model) => [model.id, model.id]), ["", "MCTS"], ["", "MCTS, once more"]].map(([id, words], n, all) =>
      element("label", { class: "row" }, element("input", { type: "checkbox", value: id, checked: n < Math.max(2, all.length - 1) }), words)));
  const number = (name, label, high) => {
    const input = element("input", { type: "number", min: 1, max: high, value: wish[name], oninput: () => { wish[name] = Number(input.value); } });
    return element("label", { class: "field" }, element("span", {}, label), input);
  };
  draw();
  return element("section", { class: "panel" },
    choice("Game", games.map((game) => [game, game]), wish.game, (game) => { wish.game = game; draw(); }), who,
    number("matches", "matches per pairing", 200), number("expansions", "expansions per move", 10000),
    button("Begin", async () => {
      const players = [...who.querySelectorAll("input:checked")].map((box) => box.value || null);
      try { await post("/api/tournaments", { ...wish, players }); look(); } catch (problem) { notice(problem.message, "bad"); }
    }, { class: "main" }));
}

async function refresh(list) {
  const { tournaments } = await get("/api/tournaments");
  const open = new Set([...list.querySelectorAll("details[open]")].map((each) => each.dataset.id));
  list.replaceChildren(...tournaments.map((each) => table(each, open.has(each.id))));
  if (!tournaments.length) list.append(element("p", { class: "calm" }, "No tournament was played yet."));
}

function table(tournament, open) {
  const { players, results } = tournament;
  const cell = (row, column) => {
    if (row === column) return "·";
    const found = results.find(({ a, b }) => (a === row && b === column) || (a === column && b === row));
    if (!found) return "–";
    const turned = found.a !== row;
    const [low, high] = turned ? [1 - found.high, 1 - found.low] : [found.low, found.high];
    return `${percent(turned ? 1 - found.score : found.score)} (${Math.round(100 * low)}–${Math.round(100 * high)})`;
  };
  const matches = element("div", { class: "row wrap" });
  const made = element("details", { "data-id": tournament.id, open, ontoggle: () => made.open && fill(tournament, matches) }, element("summary", {}, `${tournament.played} matches`), matches);
  if (open) fill(tournament, matches);
  return element("section", { class: "panel", "data-tournament": tournament.id },
    element("p", {}, element("strong", {}, tournament.game), ` · ${tournament.played} of ${tournament.total} · ${tournament.state}`),
    element("table", { class: "labels crosstable" },
      element("tr", {}, element("th", {}, ""), players.map((name) => element("th", { scope: "col" }, name))),
      players.map((name, row) => element("tr", {}, element("th", { scope: "row" }, name), players.map((_, column) => element("td", {}, cell(row, column)))))),
    made,
    tournament.state === "playing" || tournament.state === "waiting" ? element("div", {}, button("Stop", () => post(`/api/tournaments/${tournament.id}/stop`))) : null);
}

async function fill(tournament, place) {
  const { matches } = await get(`/api/tournaments/${tournament.id}`);
  place.replaceChildren(...matches.slice(0, 200).map((match) => button(`${match.number + 1}. ${["0–1", "½–½", "1–0"][match.outcome + 1]}`, async () => {
    const record = await get(`/api/tournaments/${tournament.id}/matches/${match.number}`);
    location.hash = `#/analyse?${new URLSearchParams({ game: record.game, position: record.position, moves: record.moves.join(" ") })}`;
  }, { class: "move", title: match.players.join(" against ") })));
}

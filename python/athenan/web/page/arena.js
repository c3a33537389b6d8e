// The arena: begin a tournament, see its table grow, step through its matches.

import { get, post } from "./api.js";
import { button, choice, counted, element, notice, percent } from "./elements.js";
import { titled } from "./options.js";

const EVERY = 1000; // milliseconds between two looks
const MORE = 4; // times as many expansions has the stronger MCTS

export function show(place, { offered }) {
  const list = element("div", { class: "tournaments" });
  const shown = new Map();
  const look = () => refresh(list, shown).catch((problem) => notice(problem.message, "bad"));
  place.append(element("h1", {}, "Arena"),
    element("p", { class: "calm" }, "Every player meets every other player. Each opening is played with both colours. Scores and ratings have 95 % intervals."),
    element("div", { class: "two wide" }, starter(offered, look), list));
  look();
  const timer = setInterval(look, EVERY);
  return () => clearInterval(timer);
}

function starter(offered, look) {
  const usual = offered.games.filter((game) => game.players === 2).map((game) => [game.id, game.title]);
  const learned = [...new Set(offered.models.map((model) => model.game))].filter((id) => !usual.some(([other]) => other === id));
  const named = (id) => { const game = offered.games.find((each) => each.name === id.split(":")[0]); return game ? titled(game, id) : id; };
  const games = [...learned.map((id) => [id, named(id)]), ...usual];
  const wish = { game: games[0][0], matches: 20, expansions: 50 };
  const who = element("fieldset", { class: "who" });
  const draw = () => {
    const players = [
      ...offered.models.filter((model) => model.game === wish.game).map(({ id }) => [id, () => ({ model: id })]),
      ["MCTS", () => ({ model: null })],
      [`MCTS with ${MORE} times as many expansions`, () => ({ model: null, expansions: Math.min(10000, MORE * wish.expansions) })],
      ...offered.players.map((player) => [player, () => ({ player })]),
    ];
    who.replaceChildren(element("legend", {}, "Players"), ...players.map(([words, player], n) => {
      const box = element("input", { type: "checkbox", checked: n < 2 });
      box.player = player;
      return element("label", { class: "row" }, box, words);
    }));
  };
  const number = (name, label, high) => {
    const input = element("input", { type: "number", min: 1, max: high, value: wish[name], oninput: () => { wish[name] = Number(input.value); } });
    return element("label", { class: "field" }, element("span", {}, label), input);
  };
  draw();
  const chosen = choice("Game", games, wish.game, (game) => { wish.game = game; draw(); });
  chosen.classList.add("tall"); // names with options are long
  return element("section", { class: "panel" }, chosen, who,
    number("matches", "matches per pairing", 200), number("expansions", "expansions per move", 10000),
    button("Begin", async () => {
      const players = [...who.querySelectorAll("input:checked")].map((box) => box.player());
      try { await post("/api/tournaments", { ...wish, players }); look(); } catch (problem) { notice(problem.message, "bad"); }
    }, { class: "main" }));
}

// Only what has changed is drawn anew: what is open or has the focus stays so.
async function refresh(list, shown) {
  const { tournaments } = await get("/api/tournaments");
  const there = new Set(tournaments.map((each) => each.id));
  for (const [id, { place }] of shown) if (!there.has(id)) { place.remove(); shown.delete(id); }
  for (const [n, each] of tournaments.entries()) {
    const known = shown.get(each.id);
    const text = JSON.stringify(each);
    if (known?.text === text) continue;
    const open = known?.place.querySelector("details").open ?? false;
    const place = table(each, open);
    if (known) known.place.replaceWith(place);
    else list.insertBefore(place, list.children[n] ?? null);
    shown.set(each.id, { text, place });
  }
  if (!tournaments.length) list.replaceChildren(element("p", { class: "calm" }, "There is no tournament yet."));
  else list.querySelector(":scope > p")?.remove();
}

function table(tournament, open) {
  const { players, standings } = tournament;
  const matches = element("div", { class: "row wrap" });
  const made = element("details", { open, ontoggle: () => made.open && fill(tournament, matches) },
    element("summary", {}, counted(tournament.played, "match", "matches")), matches);
  const order = standings.map((row) => row.player);
  const rows = standings.map(({ player, points, matches: all, elo, low, high }, place) =>
    element("tr", {}, element("th", { scope: "row" }, `${place + 1}. ${players[player]}`),
      order.map((other) => element("td", {}, cell(tournament, player, other))),
      element("td", {}, all ? `${points} / ${all}` : "–"),
      element("td", {}, all && low !== null ? `${whole(elo)} (${whole(low)} to ${whole(high)})` : "–")));
  return element("section", { class: "panel", "data-tournament": tournament.id, "aria-label": `Tournament of ${tournament.game}` },
    element("p", {}, element("strong", {}, tournament.game), ` · ${tournament.played} of ${tournament.total} · ${tournament.state}`),
    element("progress", { max: tournament.total, value: tournament.played, "aria-label": "Matches played" }),
    element("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": "Crosstable" }, element("table", { class: "labels crosstable" },
      element("tr", {}, element("th", { scope: "col" }, "Player"), order.map((_, n) => element("th", { scope: "col" }, `${n + 1}`)),
        element("th", { scope: "col" }, "Points"), element("th", { scope: "col" }, "Elo")),
      rows)),
    made,
    tournament.state === "playing" || tournament.state === "waiting" ? element("div", {}, button("Stop", () => post(`/api/tournaments/${tournament.id}/stop`).catch((problem) => notice(problem.message, "bad")))) : null);
}

const whole = (number) => String(Math.round(number)).replace("-", "−");

// What a player scored against another one, with its interval.
function cell({ results }, row, column) {
  if (row === column) return "·";
  const found = results.find(({ a, b }) => (a === row && b === column) || (a === column && b === row));
  if (!found || found.score === null) return "–";
  const turned = found.a !== row;
  const [low, high] = turned ? found.interval.map((bound) => 1 - bound).reverse() : found.interval;
  return `${percent(turned ? 1 - found.score : found.score)} (${Math.round(100 * low)}–${Math.round(100 * high)})`;
}

async function fill(tournament, place) {
  const { matches } = await get(`/api/tournaments/${tournament.id}`);
  place.replaceChildren(...matches.slice(0, 200).map((match) => button(`${match.number + 1}. ${result(match.outcome)}`, async () => {
    const record = await get(`/api/tournaments/${tournament.id}/matches/${match.number}`);
    location.hash = `#/analyse?${new URLSearchParams({ game: record.game, position: record.position, moves: record.moves.join(" "), ply: 0 })}`;
  }, { class: "move", title: match.players.join(" against ") })));
}

const result = (outcome) => (outcome === null ? "no result" : ["0–1", "½–½", "1–0"][outcome + 1]);

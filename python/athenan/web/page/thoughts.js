// What the machine thinks of the position on the board, while it thinks.

import { button, choice, element, inLine, notice, valueWords } from "./elements.js";
import { modelsOf } from "./begin.js";
import { live } from "./live.js";
import { LEGEND, meaning } from "./meaning.js";
import { Verdicts } from "./verdicts.js";

const SHOWN = 8; // moves in the table
const HEATED = 40; // moves on the board

export class Thoughts {
  // `line` gives the position on the board: {game, position, moves, view}.
  constructor(board, offered, line) {
    this.board = board;
    this.offered = offered;
    this.line = line;
    this.on = false;
    this.seconds = Math.min(10, offered.max_seconds);
    this.summary = element("p", { class: "calm small" });
    this.table = element("table", { class: "labels" });
    this.toggle = button("Show thinking", () => this.switch(), { "aria-pressed": "false" });
    this.controls = element("div", { class: "row wrap" }, this.toggle);
    this.tree = element("div", { class: "tree" });
    this.meaning = meaning();
    this.meaning.hidden = true;
    this.verdicts = new Verdicts();
    this.root = element("section", { class: "panel thoughts" }, this.controls, this.summary, this.table, this.tree, this.meaning, this.verdicts.root);
    this.told = ({ detail }) => this.looked?.(detail);
    live().addEventListener("node", this.told);
    this.heard = ({ detail }) => detail.id === this.asked && this.receive(detail);
    this.refused = ({ detail }) => { if (detail.id !== undefined && detail.id === this.asked) this.summary.textContent = detail.error; };
    live().addEventListener("thought", this.heard);
    live().addEventListener("refusal", this.refused);
  }

  close() {
    live().removeEventListener("thought", this.heard);
    live().removeEventListener("refusal", this.refused);
    live().removeEventListener("node", this.told);
    this.verdicts.close();
    this.stop();
  }

  // The models that know the game on the board.
  drawModels() {
    const game = this.line()?.game;
    if (!game || this.known === game) return;
    this.known = game;
    this.chooser?.remove();
    this.models = modelsOf(this.offered, game.split(":")[0]).filter((model) => model.game === game);
    this.model = this.line().match?.seats.find((seat) => seat.model)?.model ?? this.models[0]?.id ?? "";
    const options = [...this.models.map(({ id }) => [id, id]), ["", "MCTS"]];
    this.chooser = options.length > 1 ? choice("who thinks", options, this.model, (id) => { this.model = id; this.moved(); }) : null;
    if (this.chooser) this.controls.append(this.chooser);
  }

  switch(on = !this.on) {
    this.on = on;
    this.meaning.hidden = !on;
    this.toggle.setAttribute("aria-pressed", String(on));
    this.toggle.textContent = on ? "Hide thinking" : "Show thinking";
    if (on) this.moved();
    else { this.stop(); this.clear(); }
  }

  clear() {
    this.summary.textContent = "";
    this.table.replaceChildren();
    this.tree.replaceChildren();
    this.board.heat([]);
    this.board.arrows([]);
    this.drawButtons(null);
  }

  // The position on the board is another one.
  moved() {
    this.drawModels();
    this.clear();
    this.stop();
    if (this.on) this.ask(this.seconds);
  }

  ask(seconds, then = null) {
    const line = this.line();
    if (!line || line.view.outcome !== null || (line.match && line.match.outcome !== null && line.moves.length === line.match.played.length && line.view.moves.length === 0)) return;
    this.asked = live().next();
    this.then = then;
    if (!then) this.summary.textContent = "Thinking …";
    live().want("think", {
      do: "think", id: this.asked, game: line.game, position: line.position, moves: line.moves, model: this.model || null, seconds,
    });
  }

  stop() {
    if (this.asked) live().forget("think", { do: "stop" });
    this.asked = null;
  }

  hint() {
    this.drawModels();
    notice("Looking for a good move …");
    this.ask(1, (thought) => {
      const move = this.board.view.moves.find((each) => each.text === thought.best);
      this.board.arrows([{ cells: move?.cells ?? [], rank: 0 }]);
      notice(`A good move: ${thought.best}`);
    });
  }

  receive(thought) {
    if (thought.ended) live().forget("think");
    if (!this.then && !this.tree.firstChild) this.tree.append(this.branch([], "Tree of this search"));
    if (this.then) {
      if (thought.ended) this.then(thought);
      return;
    }
    this.thought = thought;
    this.summary.replaceChildren(...this.said(thought));
    this.drawTable(thought);
    this.drawBoard(thought);
  }

  // A node of the tree that opens on request: c, v, r and n of its moves, as in the paper.
  branch(moves, words) {
    const place = element("div", { class: "branch" });
    const made = element("details", {
      ontoggle: () => { if (made.open && !place.firstChild) this.expand(moves, place); },
    }, element("summary", {}, words), place);
    return made;
  }

  expand(moves, place) {
    const id = live().next();
    const earlier = this.looked;
    this.looked = (node) => {
      if (node.id !== id) { earlier?.(node); return; }
      if (!node.labels.length) place.replaceChildren(element("p", { class: "calm small" }, "Not expanded."));
      else place.replaceChildren(...node.labels.slice(0, BRANCHES).map((label) => this.branch(
        [...moves, label.move],
        `${label.move}  c ${signed(label.c)}  v ${valueWords(label.v)}  r ${label.r ? 1 : 0}  n ${label.n.toLocaleString("en")}${label.plies ? `  ${label.c > 0 ? "first" : "second"} wins in ${label.plies}` : ""}`)));
    };
    live().send({ do: "node", id, moves });
  }

  review() {
    this.drawModels();
    this.verdicts.ask(this.line().match, this.model || null);
  }

  said(thought) {
    const speed = thought.expansions_per_second.toLocaleString("en");
    const verdict = thought.proven === null
      ? `Value ${valueWords(thought.value)}: ${better(thought.value)}`
      : ["The second player wins", "A draw", "The first player wins"][thought.proven + 1] + (thought.plies ? ` in ${plies(thought.plies)}` : "") + ", proven";
    return [element("strong", {}, verdict), ` · ${speed} expansions/s · ${thought.seconds.toFixed(1)} s`, element("br"), "Best line: ", ...inLine(thought.line)];
  }

  drawTable(thought) {
    const head = element("tr", {}, ["move", "c", "v", "r", "n", "win"].map((word) => element("th", { scope: "col", title: LEGEND[word] }, word)));
    const rows = thought.moves.slice(0, SHOWN).map((label) => element("tr", { class: label.r ? "sure" : null },
      element("th", { scope: "row" }, label.move), element("td", {}, signed(label.c)), element("td", {}, valueWords(label.v)),
      element("td", {}, label.r ? "1" : "0"), element("td", {}, label.n.toLocaleString("en")), element("td", {}, label.plies ? `in ${label.plies}` : "")));
    this.table.replaceChildren(head, ...rows);
  }

  drawBoard(thought) {
    const { view } = this.board;
    const ways = new Map(view.moves.map((move) => [move.text, move.cells]));
    const side = view.to_move === 0 ? 1 : -1;
    const known = thought.moves.filter((label) => label.v !== null).slice(0, HEATED);
    const values = known.map((label) => side * label.v);
    const [low, high] = [Math.min(...values), Math.max(...values)];
    const places = new Map();
    known.forEach((label, n) => {
      const cells = ways.get(label.move) ?? [];
      const key = String(cells.at(-1) ?? "");
      const share = high > low ? (values[n] - low) / (high - low) : 1;
      if (key && !places.has(key)) places.set(key, { cells, share, sure: label.r, words: short(label, side), plies: label.plies });
    });
    this.board.heat([...places.values()]);
    const best = thought.moves.slice(0, 3).map((label, rank) => ({ cells: ways.get(label.move) ?? [], rank }));
    const following = (thought.way ?? []).slice(1).map(({ cells, player }, n) => ({ cells, step: n + 2, own: player === view.to_move }));
    this.board.arrows([...best, ...following]);
    this.drawButtons(thought, side);
  }

  // Moves without cells are buttons below the board: their values are on them.
  drawButtons(thought, side) {
    const labels = new Map(thought?.moves.map((label) => [label.move, label]));
    for (const each of this.board.root.parentElement?.querySelectorAll(".parts [data-move]") ?? []) {
      const label = labels.get(each.dataset.move);
      each.dataset.value = label && label.v !== null ? short(label, side) : "";
      each.classList.toggle("best", Boolean(label) && label.move === thought.best);
    }
  }

  // Where the position on the board can be explored freely.
  address() {
    const line = this.line();
    if (!line) return "#/analyse";
    const query = new URLSearchParams({ game: line.game, moves: line.moves.join(" ") });
    if (line.position) query.set("position", line.position);
    return `#/analyse?${query}`;
  }
}

const BRANCHES = 12;

const better = (value) => (value > 0 ? "better for the first player" : value < 0 ? "better for the second player" : "even");

const plies = (number) => (number === 1 ? "1 ply" : `${number} plies`);

const signed = (number) => (number > 0 ? "+1" : number < 0 ? "−1" : "0");

function short(label, side) {
  if (label.r) return label.c * side > 0 ? "win" : label.c === 0 ? "draw" : "loss";
  const value = side * label.v;
  const digits = Math.abs(value) < 1 ? 2 : Math.abs(value) < 10 ? 1 : 0; // chances differ by little
  return value.toFixed(digits).replace("-", "−");
}

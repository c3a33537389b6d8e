// A study: any position, explored freely, with every move analysed on request.

import { position, post } from "./api.js";
import { begin } from "./begin.js";
import { Board } from "./board.js";
import { button, choice, counted, element, notice } from "./elements.js";
import { listen } from "./keys.js";
import { MoveList } from "./movelist.js";
import { titled } from "./options.js";
import { Thoughts } from "./thoughts.js";

export async function show(place, { query, offered }) {
  const game = query.get("game") ?? "hex:size=5";
  const study = new Study(offered, game, query.get("position"), (query.get("moves") ?? "").split(" ").filter(Boolean));
  place.append(study.root);
  await study.begin(query.has("ply") ? Number(query.get("ply")) || 0 : study.moves.length);
  if (query.has("think")) study.thoughts.switch(true);
  const unlisten = listen({
    flip: () => study.board.flip(), undoPart: () => study.board.undoPart(),
    step: (by) => study.go(Math.max(0, study.ply + by)),
  });
  return () => { unlisten(); study.thoughts.close(); };
}

class Study {
  constructor(offered, game, start, moves) {
    Object.assign(this, { offered, game, start, moves, ply: moves.length });
    this.board = new Board({ onmove: (move) => this.play(move.text), onchange: () => this.drawParts() });
    this.list = new MoveList((ply) => this.go(ply));
    this.thoughts = new Thoughts(this.board, offered, () => this.view && this.line());
    this.status = element("p", { class: "status", role: "status" });
    this.parts = element("div", { class: "parts" });
    this.text = element("textarea", { rows: 2, spellcheck: "false", "aria-label": "The position as text" });
    this.games = choice("Game", gamesOf(offered), "", (chosen) => { location.hash = `#/analyse?${new URLSearchParams({ game: chosen })}`; });
    this.games.classList.add("tall"); // names with options are long
    this.root = element("div", { class: "table" },
      element("div", { class: "field-of-play" }, this.board.root, this.parts),
      element("aside", { class: "side" },
        element("h1", { class: "title" }, "Analyse"),
        this.games,
        this.status,
        element("div", { class: "row wrap" },
          button("Flip", () => this.board.flip(), { title: "Key: f" }),
          button("Take back", () => this.shorten()),
          button("Copy link", () => this.share()),
          button("Play from here", () => this.playOn(), { class: "main" })),
        this.list.root, this.thoughts.root,
        element("details", { class: "panel" }, element("summary", {}, "Position as text"), this.text,
          element("div", { class: "row" }, button("Set up", () => this.setUp()))),
        this.reader()));
  }

  // A record or moves from a text or a file.
  reader() {
    const text = element("textarea", { rows: 3, spellcheck: "false", "aria-label": "A record" });
    const file = element("input", { type: "file", "aria-label": "A file", onchange: async () => { text.value = await file.files[0].text(); } });
    const read = async () => {
      try {
        const line = await post("/api/records", { text: text.value, game: this.game });
        Object.assign(this, { game: line.game, start: line.position, moves: line.moves, view: null });
        await this.go(line.moves.length);
      } catch (problem) { notice(problem.message, "bad"); }
    };
    return element("details", { class: "panel" }, element("summary", {}, "Read a record or moves"), text, file, element("div", { class: "row" }, button("Read", read)));
  }

  // A link with a move or a position that is wrong shows the start of its game, and says why.
  async begin(ply) {
    try {
      await this.go(ply);
    } catch (problem) {
      Object.assign(this, { start: null, moves: [] });
      await this.go(0);
      notice(problem.message, "bad");
    }
  }

  line() {
    return { game: this.game, position: this.start, moves: this.moves.slice(0, this.ply), view: this.view };
  }

  async go(ply) {
    const reached = Math.min(ply, this.moves.length);
    try {
      const view = await position(this.game, this.start, this.moves.slice(0, reached));
      this.ply = reached;
      this.view = view;
      this.game = view.game;
      this.draw();
    } catch (problem) {
      if (!this.view) throw problem;
      notice(problem.message, "bad");
    }
  }

  draw() {
    const { view } = this;
    this.nameGame();
    this.board.show(view, true);
    this.list.show(this.moves, this.ply, []);
    this.text.value = view.position;
    this.status.textContent = view.outcome === null ? `${view.to_move ? "Second" : "First"} player to move, ${counted(view.moves.length, "move")}.`
      : ["The second player has won.", "A draw.", "The first player has won."][view.outcome + 1];
    this.drawParts();
    this.thoughts.moved();
    history.replaceState(null, "", this.address());
  }

  // The game on the board is the one that is chosen, of whatever size it is.
  nameGame() {
    const select = this.games.querySelector("select");
    if (![...select.options].some((option) => option.value === this.game)) {
      const known = this.offered.games.find((each) => each.name === this.game.split(":")[0]);
      select.append(element("option", { value: this.game }, known ? titled(known, this.game) : this.game));
    }
    select.value = this.game;
  }

  // The whole line and where in it one looks: what a shared link shows.
  address() {
    const query = new URLSearchParams({ game: this.game, moves: this.moves.join(" ") });
    if (this.start) query.set("position", this.start);
    if (this.ply < this.moves.length) query.set("ply", this.ply);
    return `#/analyse?${query}`;
  }

  drawParts() {
    if (!this.view) return;
    const { choice: chosen } = this.board;
    const complete = chosen.path.length ? chosen.complete : [];
    const bare = this.view.moves.filter((move) => move.cells.length === 0);
    this.parts.replaceChildren(
      ...complete.map((move) => button(move.kind || move.text, () => this.play(move.text), { "data-move": move.text })),
      ...bare.map((move) => button(move.kind || move.text, () => this.play(move.text), { "data-move": move.text })));
  }

  // A move: along the line that there is, or a variation in its place.
  play(text) {
    if (this.moves[this.ply] !== text) this.moves = [...this.moves.slice(0, this.ply), text];
    this.go(this.ply + 1);
  }

  shorten() {
    this.moves = this.moves.slice(0, Math.max(0, this.ply - 1));
    this.go(this.moves.length);
  }

  setUp() {
    this.moves = [];
    this.start = this.text.value.trim();
    this.go(0);
  }

  async share() {
    const copied = await navigator.clipboard?.writeText(location.href).then(() => true, () => false);
    notice(copied ? "The link to this position is copied." : "The address of this page is the link to this position.");
  }

  playOn() {
    const game = this.offered.games.find((each) => each.name === this.game.split(":")[0]);
    const model = this.offered.models.find((each) => each.game === this.game) ?? null;
    begin(this.offered, game, { id: this.game, model, position: this.start, moves: this.moves.slice(0, this.ply), second: this.view.to_move === 1 })
      .catch((problem) => notice(problem.message, "bad"));
  }
}

// Every game at its usual size, and as the models play it.
function gamesOf(offered) {
  const games = new Map(offered.games.map((game) => [game.id, game.title]));
  for (const { game: id } of offered.models) {
    const game = offered.games.find((each) => each.name === id.split(":")[0]);
    if (game && !games.has(id)) games.set(id, titled(game, id));
  }
  return [...games].sort(([, a], [, b]) => a.localeCompare(b));
}

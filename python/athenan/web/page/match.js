// A match: the board, whose turn it is, the clocks, the moves, and what one may ask for.

import { position } from "./api.js";
import { beginAnew, rematch } from "./anew.js";
import { invitationOf, keep, keysOf } from "./begin.js";
import { Board } from "./board.js";
import { SHORT, clockWords } from "./clocks.js";
import { button, counted, drawing, element, notice, refill } from "./elements.js";
import { listen } from "./keys.js";
import { live } from "./live.js";
import { MoveList } from "./movelist.js";
import { prompt } from "./prompts.js";
import { saver } from "./saving.js";
import { Thoughts } from "./thoughts.js";

export async function show(place, { name: id, query, offered }) {
  if (query.get("key")) {
    keep(id, [query.get("key")]);
    history.replaceState(null, "", `#/match/${id}`); // so the address gives nobody a seat
  }
  const table = new Table(id, offered);
  place.append(table.root);
  table.open();
  return () => table.close();
}

const ORDER = ["The first", "The second"];

class Table {
  constructor(id, offered) {
    this.id = id;
    this.offered = offered;
    this.keys = keysOf(id);
    this.match = null;
    this.looking = null; // the ply that is looked at, if not the last one
    this.turn = 0; // grows with every look, for answers may come in any order
    this.watching = live().next(); // the number by which a refusal to watch is known
    this.board = new Board({ onmove: (move) => this.play(move), onchange: () => this.drawParts() });
    this.status = element("p", { class: "status", role: "status", "aria-live": "polite" });
    this.said = element("p", { class: "heard", "aria-live": "polite" }); // what was played, for screen readers
    this.parts = element("div", { class: "parts" });
    this.players = [element("div", { class: "player" }), element("div", { class: "player" })];
    this.moves = new MoveList((ply) => this.look(ply));
    this.thoughts = new Thoughts(this.board, offered, () => this.line());
    this.verdicts = this.thoughts.verdicts;
    this.verdicts.onmistake = (mistake) => this.showMistake(mistake);
    this.verdicts.nameOf = (side) => this.nameOf(side);
    this.verdicts.onvalues = (values, mistakes) => { this.judged = values; this.moves.mistakes = mistakes; this.moves.show(this.match.played, this.looking ?? this.match.played.length, values); };
    this.buttons = element("div", { class: "row wrap" });
    this.title = element("h1", { class: "title" }, "A match");
    this.goal = element("p", { class: "calm small" });
    this.root = element("div", { class: "table" },
      element("div", { class: "field-of-play" }, this.players[1], this.board.root, this.players[0], this.parts),
      element("aside", { class: "side" }, element("div", {}, this.title, this.status, this.said, this.goal), this.buttons, this.moves.root, this.thoughts.root));
    this.heard = ({ detail }) => detail.match.id === id && this.receive(detail.match);
    this.refused = ({ detail }) => this.refuse(detail);
  }

  open() {
    live().addEventListener("match", this.heard);
    live().addEventListener("refusal", this.refused);
    this.unlisten = listen({
      flip: () => this.flip(), undoPart: () => this.board.undoPart(),
      hint: () => this.match?.outcome === null && this.mine() && this.thoughts.hint(),
      step: (by) => this.match && this.look(Math.max(0, this.moves.ply + by)),
    });
    this.watch();
    this.ticking = setInterval(() => this.drawClocks(), 200);
  }

  watch() {
    live().want("match", { do: "watch", match: this.id, id: this.watching });
  }

  close() {
    live().removeEventListener("match", this.heard);
    live().removeEventListener("refusal", this.refused);
    this.unlisten();
    live().forget("match", this.isGone ? null : { do: "leave", match: this.id });
    clearInterval(this.ticking);
    this.thoughts.close();
  }

  receive(match) {
    this.isGone = false;
    const first = this.match === null;
    if (String(match.played) !== String(this.match?.played)) { this.judged = null; this.moves.mistakes = []; }
    this.before = this.match;
    this.match = match;
    this.arrived = performance.now();
    this.looking = null;
    this.turn += 1;
    if (first) this.board.flip(match.view.opposite && String(this.own) === "1");
    this.draw();
    this.thoughts.moved();
    this.verdicts.changed(match);
  }

  refuse({ error, id }) {
    if (id === this.watching) { this.forgotten(error); return; }
    if (id !== undefined) return; // meant for somebody else
    notice(error, "bad");
    if (!this.isGone) this.watch(); // how it stands, or that it is forgotten
  }

  // The server does not know the match (any more): what is on the page can go on in a new one.
  forgotten(error) {
    this.isGone = true;
    this.due = null;
    live().forget("match");
    if (!this.match) {
      this.status.textContent = `${error[0].toUpperCase()}${error.slice(1)}.`;
      this.buttons.replaceChildren(element("a", { class: "button", href: "#/" }, "All games"));
      return;
    }
    this.board.show(this.match.view, false);
    this.parts.replaceChildren();
    const { own } = this;
    const anew = () => beginAnew(this.match, own, this.offered).catch((problem) => notice(problem.message, "bad"));
    this.status.textContent = "The server has forgotten this match.";
    this.buttons.replaceChildren(
      own.length && this.match.outcome === null ? button("Go on in a new match", anew, { class: "main" }) : "",
      element("a", { class: "button", href: this.thoughts.address() }, "Analyse"));
  }

  // Whether a side is played from this page; without a number, whoever is to move.
  mine(side = this.match.view.to_move) {
    const seat = this.match.seats[this.match.seats.length === 1 ? 0 : side];
    return seat.who === "person" && this.keyOf(side) !== undefined;
  }

  // The sides that are played from this page.
  get own() {
    return [...this.match.seats.keys()].filter((side) => this.mine(side));
  }

  get isSeated() {
    return this.own.length > 0;
  }

  // The keys of a match are known in the order of its persons' seats, or as the one of a link.
  keyOf(side) {
    const seat = this.match.seats[this.match.seats.length === 1 ? 0 : side];
    return this.keys.find((key) => key.startsWith(`${seat.seat}.`));
  }

  play(move) {
    const { view } = this.match;
    const sent = live().ask({ do: "move", match: this.id, key: this.keyOf(view.to_move), ply: view.ply, move: move.text });
    if (!sent) { notice("The connection is lost: the move was not sent.", "bad"); this.draw(); }
  }

  // Who plays both sides resigns for the one to move, and agrees with himself to take back.
  ask(what) {
    const { seats, view } = this.match;
    const sides = [view.to_move, 1 - view.to_move].filter((each) => each < seats.length && this.mine(each));
    for (const side of what === "undo" ? sides : sides.slice(0, 1)) live().ask({ do: what, match: this.id, key: this.keyOf(side) });
  }

  draw() {
    const { match } = this;
    const { view } = match;
    this.board.show(view, match.outcome === null && this.mine());
    this.status.textContent = this.words();
    this.title.textContent = match.title;
    this.goal.textContent = this.offered.games.find((game) => game.name === match.game.split(":")[0])?.goal ?? "";
    this.drawPlayers();
    this.drawButtons();
    this.drawParts();
    this.moves.show(match.played, match.played.length, this.values);
    this.said.textContent = this.lastPlayed();
    document.title = `${match.title}: ${this.status.textContent}`;
  }

  words() {
    const { outcome, reason, seats, view, undo_wished: wished } = this.match;
    const names = seats.map((seat) => seat.name);
    if (outcome !== null && seats.length === 1) return `The end: ${view.ply} moves.`;
    if (outcome !== null) {
      const winner = outcome > 0 ? 0 : 1;
      const how = reason ? ` (the other side ${reason === "resigned" ? "resigned" : "ran out of time"})` : "";
      if (outcome === 0) return "A draw.";
      const mine = [0, 1].filter((side) => this.mine(side));
      if (mine.length === 1) return mine[0] === winner ? `You win${how}.` : `You lose${reason === "resigned" ? " (you resigned)" : reason ? " (out of time)" : ""}.`;
      return `${winner === 0 ? "The first player" : "The second player"} wins${how}.`;
    }
    if (wished.length) return this.mine(wished[0]) ? "You asked to take back a move." : `${this.isSeated ? "The other" : ORDER[wished[0]]} player asks to take back a move.`;
    if (this.mine()) return this.keys.length > 1 ? `${view.to_move ? "Second" : "First"} player to move.` : "Your turn.";
    return seats[seats.length === 1 ? 0 : view.to_move].who === "machine" ? `${names[view.to_move] ?? names[0]} thinks …`
      : this.isSeated ? "Waiting for the other player." : `${ORDER[view.to_move]} player is to move.`;
  }

  lastPlayed() {
    const { played, seats, view } = this.match;
    if (!played.length || seats.length < 2) return played.at(-1) ?? "";
    const follows = this.before?.played.length === played.length - 1 ? this.before.view.to_move : 1 - view.to_move;
    return `${this.nameOf(follows)} played ${played.at(-1)}.`;
  }

  nameOf(side) {
    const seat = this.match.seats[side];
    if (!seat) return "You";
    if (seat.who === "machine") return seat.name;
    const alone = this.mine(side) && !this.mine(1 - side);
    return alone ? "You" : side ? "The second player" : "The first player";
  }

  drawPlayers() {
    const { seats, view, outcome } = this.match;
    const order = this.board.flipped ? [1, 0] : [0, 1]; // the nearer side below
    order.forEach((side, n) => {
      const seat = seats[side];
      this.players[n].hidden = !seat;
      if (!seat) return;
      const name = seat.who === "person" ? (this.mine(side) ? "You" : this.isSeated ? "Other person" : "Person") : seat.name;
      this.players[n].classList.toggle("turn", outcome === null && (seats.length === 1 || view.to_move === side));
      this.players[n].replaceChildren(
        seats.length > 1 && view.samples[side] ? element("span", { class: "sample", "aria-hidden": "true" }, drawing(view.samples[side])) : "",
        element("span", { class: `side${side}` }, seats.length === 1 ? "" : side === 0 ? "first" : "second"),
        element("strong", {}, name),
        element("span", { class: "calm small" }, seat.level ?? ""),
        element("time", { class: "clock", "data-side": side }));
    });
    this.drawClocks();
  }

  drawClocks() {
    const clock = this.match?.clock;
    for (const place of this.root.querySelectorAll(".clock")) {
      place.hidden = !clock;
      if (!clock) continue;
      const side = Number(place.dataset.side);
      const gone = clock.running === side ? (performance.now() - this.arrived) / 1000 : 0;
      place.textContent = clockWords(Math.max(0, clock.left[side] - gone), clock);
      place.classList.toggle("short", clock.left[side] - gone < SHORT);
    }
  }

  // Only when other buttons are due: a choice that somebody has opened stays open.
  drawButtons() {
    const { outcome, played, undo_wished: wished } = this.match;
    const due = JSON.stringify([outcome, wished, played.length === 0, this.isSeated]);
    if (due !== this.due) refill(this.buttons, ...this.buttonsDue());
    this.due = due;
    if (this.hint) this.hint.disabled = !this.mine();
    this.explore.href = this.thoughts.address();
  }

  buttonsDue() {
    const { outcome } = this.match;
    const plays = this.isSeated && outcome === null;
    this.hint = plays ? button("Hint", () => this.thoughts.hint(), { title: "Key: h" }) : null;
    this.explore = element("a", { class: "button" }, "Analyse");
    return [
      ...(outcome === null ? [] : this.next()),
      this.isSeated ? this.undo() : null,
      this.hint,
      button("Flip", () => this.flip(), { title: "Key: f" }),
      plays ? button("Resign", () => this.ask("resign"), { class: "quiet" }) : null,
      ...(outcome === null && invitationOf(this.id) ? this.invitation() : []),
      this.explore,
      saver(this.match, this.offered),
      button("Share", () => this.share(), { title: "A link for spectators" }),
    ].filter(Boolean);
  }

  // What one may want after the end: the same once more, to learn from it, or something else.
  next() {
    const { game, played, seats } = this.match;
    const again = () => rematch(this.match, this.own, this.offered).catch((problem) => notice(problem.message, "bad"));
    const isOurs = this.isSeated || seats.every((seat) => seat.who !== "person");
    return [
      isOurs ? button("Play again", again, { class: "main", title: seats.length > 1 ? "The same players, with sides changed" : null }) : null,
      played.length ? button(this.lost() ? "Why did I lose?" : "Review", () => this.thoughts.review()) : null,
      element("a", { class: "button", href: `#/game/${encodeURIComponent(game.split(":")[0])}` }, "New match"),
    ];
  }

  // Two persons must both want it: the second one is asked by the button.
  undo() {
    const { undo_wished: wished, played } = this.match;
    const asked = wished.some((side) => this.mine(side));
    return wished.length && !asked ? button("Allow undo", () => this.ask("undo"), { class: "main" })
      : button("Undo", () => this.ask("undo"), { disabled: asked || played.length === 0 });
  }

  lost() {
    const { outcome, seats } = this.match;
    return seats.length === 2 && outcome !== 0 && this.mine(outcome > 0 ? 1 : 0) && !this.mine(outcome > 0 ? 0 : 1);
  }

  async share() {
    const link = `${location.origin}/#/match/${this.id}`;
    const copied = await navigator.clipboard?.writeText(link).then(() => true, () => false);
    if (copied) { notice("The link for spectators is copied."); return; }
    const field = element("input", { class: "link", readonly: true, value: link, "aria-label": "The link for spectators" });
    this.buttons.querySelector(".shared")?.remove();
    this.buttons.append(element("div", { class: "row invite shared" }, field));
    field.select();
  }

  // The other person's seat is taken by whoever opens the link.
  invitation() {
    const link = `${location.origin}/#/match/${this.id}?key=${encodeURIComponent(invitationOf(this.id))}`;
    const field = element("input", {
      class: "link", readonly: true, value: link, "aria-label": "The link for the other player", onclick: () => field.select(),
    });
    const copy = async () => {
      field.select();
      await navigator.clipboard?.writeText(link).catch(() => {});
      notice("The link for the other player is copied.");
    };
    return [element("div", { class: "row wrap invite" }, element("p", { class: "calm small" }, "Send this link to the other player:"), field, button("Copy", copy, { class: "main" }))];
  }

  // Moves without cells, kinds to choose from, and a list of all moves.
  drawParts() {
    const { view } = this.match ?? {};
    const { choice, active } = this.board;
    const hadKeys = this.parts.contains(document.activeElement);
    refill(this.parts, ...(view && active ? this.partsDue(view, choice) : this.besideBoard()));
    if (hadKeys && !this.parts.contains(document.activeElement)) this.board.takeKeys();
  }

  partsDue(view, choice) {
    const unseen = view.last?.cells.length === 0 && view.cells.length ? `${this.lastPlayed()} ` : ""; // a pass, a swap
    const made = [element("span", { class: "calm small prompt" }, unseen, prompt(this.board))];
    if (choice.isBegun) made.push(button("Take back this step", () => this.board.undoPart(), { class: "quiet" }));
    const complete = choice.path.length ? choice.complete : [];
    made.push(...complete.map((move) => button(words(move, complete), () => this.board.play(move), { class: "main", "data-move": move.text })));
    const bare = view.moves.filter((move) => move.cells.length === 0);
    made.push(...bare.map((move) => button(move.kind || move.text, () => this.board.play(move), { "data-move": move.text })));
    if (view.cells.length) made.push(this.list(view));
    return made;
  }

  // What a person on a phone would otherwise have to scroll to.
  besideBoard() {
    if (!this.match || (this.match.outcome === null && this.mine())) return [];
    return [element("span", { class: "beside", "aria-hidden": "true" }, this.words())];
  }

  list(view) {
    const chosen = () => { const move = view.moves[select.value]; if (move) this.board.play(move); };
    const select = element("select", { "aria-label": "All moves", onchange: chosen }, element("option", { value: "" }, view.moves.length === 1 ? "1 move" : `All ${counted(view.moves.length, "move")}`), view.moves.map((move, n) => element("option", { value: n }, move.text)));
    return select;
  }

  async look(ply) {
    const { match } = this;
    const turn = ++this.turn;
    if (ply >= match.played.length) { this.looking = null; this.draw(); this.thoughts.moved(); return; }
    this.moves.ply = ply; // the next step goes on from here, whenever the answer comes
    const line = match.played.slice(0, ply);
    const view = await position(match.game, match.start, line).catch((problem) => notice(problem.message, "bad"));
    if (turn !== this.turn) return;
    if (!view) { this.moves.ply = this.looking ?? match.played.length; return; }
    this.looking = ply;
    this.board.show(view, false);
    this.parts.replaceChildren(...(match.outcome === null && !this.isGone ? this.awayFromNow() : []));
    this.moves.show(match.played, ply, this.values);
    this.thoughts.moved();
  }

  // An earlier position cannot be played on: say so, and lead back.
  awayFromNow() {
    return [element("span", { class: "calm small prompt" }, "An earlier position."),
      button("Back to the match", () => this.look(Infinity), { class: "main" })];
  }

  flip() {
    this.board.flip();
    if (this.match) this.drawPlayers();
  }

  // What each state was worth: to the judge of the match if there was one, else to the players.
  get values() {
    return this.judged?.length === this.match.played.length ? this.judged : this.match.values;
  }

  // The position before a mistake, with the better move on it.
  async showMistake({ ply, better }) {
    await this.look(ply);
    this.board.root.scrollIntoView({ block: "nearest" }); // on a phone it is far above
    const move = this.board.view.moves.find((each) => each.text === better);
    if (this.looking === ply && move) this.board.arrows([{ cells: move.cells, rank: 0 }]);
  }

  // The line to the position on the board.
  line() {
    const { match } = this;
    if (!match) return null;
    return { game: match.game, position: match.start, moves: match.played.slice(0, this.looking ?? match.played.length), view: this.board.view, match };
  }
}

function words(move, among) {
  const kinds = new Set(among.map((each) => each.kind));
  return among.length === 1 ? `Play ${move.text}` : kinds.size === among.length ? move.kind : move.text;
}

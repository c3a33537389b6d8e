// A match that a training plays against itself at this moment, on a board.

import { get } from "./api.js";
import { Board } from "./board.js";
import { element, valueWords } from "./elements.js";

const OUTCOMES = ["the second player has won", "a draw", "the first player has won"];

export class SelfPlay {
  constructor() {
    this.board = new Board();
    this.words = element("p", { class: "small", "aria-live": "off" });
    this.explore = element("a", { class: "button" }, "Analyse this match");
    this.root = element("section", { class: "panel selfplay", "aria-label": "A match of self-play", hidden: true },
      element("h2", {}, "Self-play now"), this.board.root, this.words, element("div", {}, this.explore));
  }

  // Show the match of the first of these runs that plays one.
  async look(names) {
    for (const name of names) {
      const { match } = await get(`/api/runs/${encodeURIComponent(name)}/match`);
      if (match) { this.show(name, match); return; }
    }
    this.root.hidden = true;
  }

  show(name, match) {
    this.root.hidden = false;
    const { view, moves, values } = match;
    const stands = view.outcome === null ? `ply ${moves.length}` : `${moves.length} plies: ${OUTCOMES[view.outcome + 1]}`;
    const value = values.length ? `, value ${valueWords(values.at(-1))} for the first player` : "";
    this.words.textContent = `${name}, match ${match.number + 1}, ${stands}${value}`;
    this.explore.href = `#/analyse?${new URLSearchParams({ game: match.game, moves: moves.join(" "), ply: moves.length })}`;
    this.board.show(view, false);
  }
}

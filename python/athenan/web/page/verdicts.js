// Why a match was lost: every move of it judged, and the mistakes with the better move.

import { button, element, inLine } from "./elements.js";
import { live } from "./live.js";

const OUTCOMES = ["a loss", "a draw", "a win"];
const SIDES = ["The first player", "The second player"];

export class Verdicts {
  // `onmistake` hears of a mistake that was clicked, `onvalues` what each state was worth, and the plies of the mistakes.
  constructor() {
    this.root = element("ol", { class: "mistakes", "aria-label": "Mistakes" });
    this.heard = ({ detail }) => detail.id === this.asked && this.receive(detail);
    for (const name of ["progress", "review", "refusal"]) live().addEventListener(name, this.heard);
  }

  close() {
    for (const name of ["progress", "review", "refusal"]) live().removeEventListener(name, this.heard);
    this.stop();
  }

  // Asked again after a loss of the connection; looking at other positions meanwhile does not end it.
  ask(match, model) {
    this.asked = live().next();
    this.match = match;
    this.say("Looking at every move …");
    live().want("review", { do: "review", id: this.asked, game: match.game, position: match.start, moves: match.played, model });
  }

  stop() {
    if (this.asked) live().forget("review", { do: "stop", what: "review" });
    this.asked = null;
  }

  // The match has changed: what was said of it is no longer about it.
  changed(match) {
    if (!this.match || String(match.played) === String(this.match.played)) return;
    this.stop();
    this.match = null;
    this.root.replaceChildren();
  }

  receive(found) {
    if (found.is === "progress") { this.say(`Looking at every move: ${found.done} of ${found.total}`); return; }
    live().forget("review");
    this.asked = null;
    if (found.is === "refusal") { this.say(found.error); return; }
    this.root.replaceChildren(...found.mistakes.map((mistake) => this.row(mistake)));
    if (!found.mistakes.length) this.say("No mistake was found.");
    this.onvalues?.(found.values.slice(0, this.match.played.length), found.mistakes.map(({ ply }) => ply));
  }

  say(words) {
    this.root.replaceChildren(element("li", { class: "calm" }, words));
  }

  row(mistake) {
    const { ply, move, player, lost_outcome: lost, loss, proven, better, line } = mistake;
    const cost = lost ? `gave away ${OUTCOMES[lost[0] + 1]}`
      : proven === (player ? 1 : -1) ? "made a move that loses" : `gave away ${loss.toFixed(2)} of value`;
    return element("li", {},
      button(`${ply + 1}. ${move}`, () => this.onmistake?.(mistake), { class: "move", "data-mistake": ply }),
      element("span", {}, `${this.nameOf?.(player) ?? SIDES[player]} ${cost}. `),
      better ? element("small", {}, "Better: ", ...inLine(line)) : null);
  }
}

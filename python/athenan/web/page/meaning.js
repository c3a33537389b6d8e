// What the numbers and colours of an analysis mean, for beginners.

import { element } from "./elements.js";

export const LEGEND = {
  move: "the move", c: "completion: +1 won, −1 lost, for the first player", v: "value for the first player",
  r: "resolved: 1 if proven", n: "how often it was selected",
  win: "a proven win is over after so many plies at the latest, this one included",
};
const BOARD = [
  "Numbers on the board are values of moves for the player to move: the higher the better. Blue moves are the best of them, orange ones the worst.",
  "Arrows, or rings where no piece moves, show the three best moves; the thickest is the best.",
  "Dashed arrows and small numbers show what is expected to follow the best move. Filled numbers belong to the player to move.",
];

export function meaning() {
  return element("details", { class: "meaning" }, element("summary", {}, "What this means"),
    element("ul", {}, BOARD.map((words) => element("li", {}, words))),
    element("dl", {}, Object.entries(LEGEND).slice(1).flatMap(([word, words]) => [element("dt", {}, word), element("dd", {}, words)])));
}

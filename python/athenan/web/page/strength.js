// How strong a model is, in words: what its card says first, or the last evaluation of its run.

import { percent } from "./elements.js";

// In few words: 92 % against MCTS with 1,000 iterations.
export function inShort({ strength }) {
  if (!strength) return "not measured";
  if (strength.mean_score !== undefined) return `mean score ${+strength.mean_score.toPrecision(3)}`;
  return `${share(strength.score)} against ${opponent(strength.opponent)}`;
}

// The same with the interval and the number of matches.
export function inFull(model) {
  const { strength } = model;
  if (!strength || strength.mean_score !== undefined) return inShort(model);
  const { score, low, high, matches } = strength;
  const interval = low === null || high === null ? "" : ` (${Math.round(100 * low)}–${Math.round(100 * high)})`;
  const played = matches ? ` of ${matches.toLocaleString("en")} matches` : "";
  return `${share(score)}${interval}${played} against ${opponent(strength.opponent)}`;
}

// A number is not parted from its sign at the end of a line.
const share = (value) => percent(value).replace(" ", "\u00a0");

export function opponent(words) {
  const found = words.match(/^mcts:iterations=(\d+)$/);
  return found ? `MCTS with ${Number(found[1]).toLocaleString("en")} iterations` : words;
}

// Runs beside each other: where they stand, and which of their settings differ.

import { element, percent } from "./elements.js";

// runs: [{name, lines, settings}]; one table, or none for fewer than two runs.
export function comparison(runs) {
  if (runs.length < 2) return [];
  const row = (title, words) => element("tr", {}, element("th", { scope: "row" }, title), runs.map((run) => element("td", {}, words(run))));
  const names = [...new Set(runs.flatMap((run) => Object.keys(run.settings)))];
  const differing = names.filter((name) => new Set(runs.map((run) => JSON.stringify(run.settings[name]))).size > 1);
  return [element("div", { class: "panel scroll", tabindex: 0, role: "group", "aria-label": "Comparison of the marked runs" },
    element("table", { class: "labels" },
      element("tr", {}, element("th", { scope: "col" }, "Run"), runs.map((run, n) => element("th", { scope: "col", class: `s${n % 6}` }, run.name))),
      row("matches", (run) => last(run, "training", "matches")?.toLocaleString("en") ?? "–"),
      row("minutes", (run) => number(last(run, "training", "seconds") / 60)),
      row("loss", (run) => number(last(run, "training", "loss"))),
      row("score", (run) => score(run)),
      differing.map((name) => row(name, (run) => String(run.settings[name] ?? "–")))))];
}

const last = (run, kind, field) => run.lines.filter((line) => line.kind === kind && line[field] !== undefined).at(-1)?.[field];
const number = (value) => (Number.isFinite(value) ? String(+value.toPrecision(3)) : "–");

function score(run) {
  const line = run.lines.filter((each) => each.kind === "evaluation").at(-1);
  if (!line) return "–";
  const { low, high } = line;
  const around = Number.isFinite(low) ? ` (${Math.round(100 * low)}–${Math.round(100 * high)})` : "";
  return line.win_rate === undefined ? number(line.mean_score) : percent(line.win_rate) + around;
}

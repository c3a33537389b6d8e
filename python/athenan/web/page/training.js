// Trainings: the runs of the server's directory with live curves; begin, stop, go on, compare.

import { get, offer, post } from "./api.js";
import { begin } from "./begin.js";
import { chart } from "./charts.js";
import { button, choice, element, notice } from "./elements.js";

const EVERY = 2000; // milliseconds between two looks
const CURVES = [["loss", "Loss"], ["length", "Plies of a match"], ["states_per_second", "States per second"], ["start_value", "Value of the start"]];

export function show(place, { offered }) {
  const page = new Trainings(offered);
  place.append(element("h1", {}, "Training"), page.root);
  page.look();
  const timer = setInterval(() => page.look(), EVERY);
  return () => clearInterval(timer);
}

class Trainings {
  constructor(offered) {
    this.offered = offered;
    this.chosen = new Set();
    this.metrics = new Map();
    this.list = element("ul", { class: "runs" });
    this.curves = element("div", { class: "charts" });
    this.root = element("div", { class: "two wide" }, element("section", {}, this.starter(), this.list), this.curves);
  }

  starter() {
    const wish = { game: "tic_tac_toe", minutes: 5 };
    const minutes = element("input", { type: "number", min: 1, value: 5, "aria-label": "Minutes", oninput: () => { wish.minutes = Number(minutes.value); } });
    return element("div", { class: "panel" },
      choice("Game", this.offered.games.map((game) => [game.id, game.title]), wish.game, (game) => { wish.game = game; }),
      element("label", { class: "field" }, element("span", {}, "minutes"), minutes),
      button("Begin a training", () => this.ask("/api/runs", wish), { class: "main" }));
  }

  async ask(path, message) {
    try {
      const { name } = await post(path, message);
      this.chosen.add(name);
      await this.look();
    } catch (problem) { notice(problem.message, "bad"); }
  }

  async look() {
    try {
      const { runs } = await get("/api/runs");
      if (!this.runs && runs.length) this.chosen.add(runs[0].name);
      this.runs = runs;
      for (const name of this.chosen) {
        const run = runs.find((each) => each.name === name);
        if (!run) continue;
        const known = this.metrics.get(name);
        if (!known || known.changed !== run.changed) {
          const { lines } = await get(`/api/runs/${encodeURIComponent(name)}/metrics`);
          this.metrics.set(name, { changed: run.changed, lines });
        }
      }
      this.draw();
    } catch (problem) { notice(problem.message, "bad"); }
  }

  draw() {
    this.list.replaceChildren(...this.runs.map((run) => this.row(run)));
    if (!this.runs.length) this.list.append(element("li", { class: "calm" }, "There is no run yet."));
    const chosen = [...this.chosen].filter((name) => this.metrics.has(name));
    const lines = (name, kind) => this.metrics.get(name).lines.filter((line) => line.kind === kind);
    const curve = (kind, of) => chosen.map((name) => ({ name, points: lines(name, kind).map(of).filter((point) => point[1] !== undefined) }));
    const wins = chart("Score against the opponent, 95 % interval", curve("evaluation", (line) =>
      [line.matches, line.score ?? line.win_rate, line.low ?? line.interval?.[0] ?? NaN, line.high ?? line.interval?.[1] ?? NaN]));
    this.curves.replaceChildren(wins, ...CURVES.map(([field, title]) => chart(title, curve("training", (line) => [line.matches, line[field]]))));
  }

  row(run) {
    const path = `/api/runs/${encodeURIComponent(run.name)}`;
    const box = element("input", { type: "checkbox", checked: this.chosen.has(run.name), onchange: () => { if (box.checked) this.chosen.add(run.name); else this.chosen.delete(run.name); this.look(); } });
    return element("li", { class: "panel", "data-run": run.name },
      element("label", { class: "row" }, box, element("strong", {}, run.name), run.running ? element("span", { class: "tag learned" }, "learning …") : null),
      element("p", { class: "calm small" }, run.game),
      element("div", { class: "row wrap" },
        run.running ? button("Stop", () => this.ask(`${path}/stop`, {})) : button("Go on 10 minutes", () => this.ask(`${path}/resume`, { minutes: 10 })),
        run.has_model ? button("Watch it play", () => this.play(run, true)) : null,
        run.has_model ? button("Play against it", () => this.play(run, false)) : null));
  }

  async play(run, watch) {
    try {
      const offered = await offer(true);
      const model = offered.models.find((each) => each.id === `run ${run.name}`);
      const game = offered.games.find((each) => each.name === run.game.split(":")[0]);
      if (!model || !game) throw new Error("This run has no model that plays here.");
      const machine = { who: "machine", model: model.id, level: 2 };
      await begin(offered, game, { id: run.game, model, ...(watch ? { seats: game.players === 1 ? [machine] : [machine, machine] } : {}) });
    } catch (problem) { notice(problem.message, "bad"); }
  }
}

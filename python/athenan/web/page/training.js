// Trainings: the runs of the server's directory with live curves; begin, stop, go on, compare.

import { get, offer, post } from "./api.js";
import { begin } from "./begin.js";
import { chart } from "./charts.js";
import { button, choice, counted, element, notice, percent } from "./elements.js";
import { gameText, optionFields } from "./options.js";
import { opponent } from "./strength.js";
import { SelfPlay } from "./selfplay.js";
import { comparison } from "./comparison.js";

const EVERY = 2000; // milliseconds between two looks
const CURVES = [["loss", "Loss"], ["length", "Plies of a match"], ["states_per_second", "States per second"], ["start_value", "Value of the start"]];

export function show(place, { offered }) {
  const page = new Trainings(offered);
  place.append(element("h1", {}, "Training"),
    element("p", { class: "calm" }, "A run learns a game from its rules alone, by playing against itself. Mark several runs to compare them."),
    page.root);
  page.look();
  const timer = setInterval(() => page.look(), EVERY);
  return () => clearInterval(timer);
}

class Trainings {
  constructor(offered) {
    this.offered = offered;
    this.chosen = new Set();
    this.known = new Map(); // name: {changed, lines, settings}
    this.rows = new Map(); // name: {text, place}
    this.minutes = 5;
    this.list = element("ul", { class: "runs" });
    this.curves = element("div", { class: "charts" });
    this.table = element("div");
    this.selfplay = new SelfPlay();
    this.root = element("div", { class: "two wide" },
      element("section", { "aria-label": "Runs" }, this.starter(), this.list),
      element("section", { class: "watching", "aria-label": "What the marked runs learn" }, this.selfplay.root, this.table, this.curves));
  }

  starter() {
    const games = this.offered.games.filter((game) => game.name === game.id.split(":")[0]);
    const wish = { game: games[0], options: {} };
    const minutes = element("input", { type: "number", min: 1, value: this.minutes, oninput: () => { this.minutes = Number(minutes.value); } });
    const options = element("div", { class: "setup flat" });
    const draw = () => options.replaceChildren(...optionFields(wish.game, wish.options));
    draw();
    return element("div", { class: "panel" },
      choice("Game", games.map((game) => [game.name, game.title]), wish.game.name, (name) => {
        Object.assign(wish, { game: games.find((game) => game.name === name), options: {} });
        draw();
      }),
      options,
      element("label", { class: "field" }, element("span", {}, "minutes"), minutes),
      button("Begin a training", () => this.ask("/api/runs", { game: gameText(wish.game, wish.options), minutes: this.minutes }), { class: "main" }));
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
      if (!this.runs && runs.length) this.chosen.add((runs.find((run) => run.running || run.elsewhere) ?? runs[0]).name);
      this.runs = runs;
      let news = false;
      const begun = runs.filter((each) => this.chosen.has(each.name) && !each.beginning);
      for (const run of begun) {
        if (this.known.get(run.name)?.changed === run.changed) continue;
        const found = await get(`/api/runs/${encodeURIComponent(run.name)}/metrics`);
        this.known.set(run.name, { changed: run.changed, ...found });
        news = true;
      }
      this.drawRuns();
      this.drawWorkers();
      if (news || this.drawn !== [...this.chosen].join("/")) this.drawCurves();
      await this.selfplay.look(begun.map((run) => run.name));
    } catch (problem) { notice(problem.message, "bad"); }
  }

  // Only rows that have changed are drawn anew: nobody loses the focus.
  drawRuns() {
    const names = new Set(this.runs.map((run) => run.name));
    for (const [name, { place }] of this.rows) if (!names.has(name)) { place.remove(); this.rows.delete(name); }
    this.runs.forEach((run, n) => {
      const text = JSON.stringify([run.game, run.running, run.elsewhere, run.has_model, run.beginning, run.problem, this.chosen.has(run.name)]);
      const row = this.rows.get(run.name);
      if (row?.text === text) return;
      const place = this.row(run);
      if (row) row.place.replaceWith(place);
      else this.list.insertBefore(place, this.list.children[n] ?? null);
      this.rows.set(run.name, { text, place });
    });
    this.empty ??= element("li", { class: "calm" }, "There is no run yet.");
    if (this.runs.length) this.empty.remove();
    else this.list.append(this.empty);
  }

  drawCurves() {
    this.drawn = [...this.chosen].join("/");
    const chosen = [...this.chosen].filter((name) => this.known.has(name));
    const curve = (kind, of) => chosen.map((name) => ({
      name, points: this.known.get(name).lines.filter((line) => line.kind === kind).map(of).filter((point) => Number.isFinite(point[1])),
    }));
    const bounds = (line) => (Number.isFinite(line.low) && Number.isFinite(line.high) ? [line.low, line.high] : []);
    const wins = curve("evaluation", (line) => [line.matches, line.win_rate, ...bounds(line)]);
    const scores = curve("evaluation", (line) => [line.matches, line.mean_score]); // of a game for one
    const made = CURVES.map(([field, title]) => chart(title, curve("training", (line) => [line.matches, line[field]]), "matches"));
    if (scores.some(({ points }) => points.length)) made.unshift(chart("Mean score of the evaluation", scores, "matches"));
    if (made.length === CURVES.length || wins.some(({ points }) => points.length)) made.unshift(chart(`Win rate${this.opponents(chosen)}, 95 % interval`, wins, "matches", percent, 1));
    this.curves.replaceChildren(...(chosen.length ? made : [element("p", { class: "calm" }, this.runs.length ? "Mark a run to see how it learns." : "Begin a training. Its progress appears here while it learns.")]));
    this.table.replaceChildren(...comparison(chosen.map((name) => ({ name, ...this.known.get(name) }))));
  }

  opponents(chosen) {
    const lines = chosen.flatMap((name) => this.known.get(name).lines);
    const names = new Set(lines.map((line) => line.opponent).filter(Boolean));
    return names.size ? ` against ${[...names].map(opponent).join(" and ")}` : "";
  }

  row(run) {
    const path = `/api/runs/${encodeURIComponent(run.name)}`;
    const box = element("input", { type: "checkbox", checked: this.chosen.has(run.name), onchange: () => { if (box.checked) this.chosen.add(run.name); else this.chosen.delete(run.name); this.look(); } });
    return element("li", { class: "panel", "data-run": run.name },
      element("label", { class: "row" }, box, element("strong", {}, run.name), run.running || run.elsewhere ? element("span", { class: "tag learned" }, run.beginning ? "beginning …" : "learning …") : null),
      element("p", { class: "calm small" }, run.game),
      run.problem ? element("p", { class: "problem small" }, `It ended: ${run.problem}`) : null,
      element("div", { "data-workers": run.name }),
      element("div", { class: "row wrap" },
        run.elsewhere ? element("span", { class: "calm small" }, "started elsewhere")
          : run.running ? button("Stop", () => this.ask(`${path}/stop`, {}))
          : run.beginning ? null
          : button("Go on", () => this.ask(`${path}/resume`, { minutes: this.minutes }), { title: "for as many minutes as above" }),
        run.has_model ? button("Watch it play", () => this.play(run, true)) : null,
        run.has_model ? button("Play against it", () => this.play(run, false)) : null));
  }

  // Self-play beyond the learning process: how its workers fared when the last line was written.
  // A list that a person has opened stays open while its lines change.
  drawWorkers() {
    for (const [name, { place }] of this.rows) {
      const line = this.known.get(name)?.lines.findLast((each) => each.kind === "training");
      const slot = place.querySelector("[data-workers]");
      if (slot.line === line || !line?.workers) continue;
      slot.line = line;
      if (!slot.firstChild) slot.append(element("details", {}, element("summary", {}), element("ul", {}), element("p", {})));
      const [summary, list, page] = slot.firstChild.children;
      summary.textContent = `${counted(line.workers_alive, "worker")}, ${counted(line.waiting, "match", "matches")} waiting to be learned`;
      list.replaceChildren(...line.workers.map((each) => element("li", { class: "small" }, each.alive
        ? `${each.name} (${each.place}): ${Math.round(each.states_per_second).toLocaleString("en")} states/s, ${counted(each.playing, "match", "matches")}, ${each.staleness} behind, ${counted(each.orders, "order")}`
        : `${each.name}: away`)));
      page.replaceChildren(...(/^https?:/.test(line.dashboard ?? "") ? [element("a", { href: line.dashboard, rel: "noreferrer" }, "Ray's dashboard")] : []));
    }
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

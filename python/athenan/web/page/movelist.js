// The moves of a match, and the graph of what they were worth.

import { button, element, refill, shape } from "./elements.js";

export class MoveList {
  constructor(onlook) {
    this.onlook = onlook;
    this.mistakes = []; // the plies that are marked
    this.graph = element("div", { class: "graph" });
    this.list = element("ol", { class: "moves", "aria-label": "Moves" });
    this.root = element("section", { class: "panel" }, this.graph, this.list, element("div", { class: "row steps" },
      ["|◀", "◀", "▶", "▶|"].map((sign, n) => button(sign, () => onlook([0, Math.max(0, this.ply - 1), this.ply + 1, Infinity][n]), {
        "aria-label": ["To the start", "One move back", "One move on", "To the end"][n], class: "quiet", title: [null, "Key: [ or ←", "Key: ] or →", null][n],
      }))));
  }

  show(played, ply, values) {
    this.ply = ply;
    refill(this.list, ...played.map((text, n) =>
      element("li", {}, button(text, () => this.onlook(n + 1), {
        class: this.mistakes.includes(n) ? "move mistake" : "move", title: this.mistakes.includes(n) ? "A mistake" : null, "aria-current": n + 1 === ply ? "true" : null, "data-ply": n + 1,
      }))));
    const current = this.list.querySelector("[aria-current]");
    if (current) this.list.scrollTop = current.offsetTop - this.list.offsetTop - this.list.clientHeight / 2;
    this.drawGraph(values, ply);
  }

  drawGraph(values, ply) {
    const known = values.map((value, n) => [n, value]).filter(([, value]) => value !== null);
    this.graph.hidden = known.length < 2;
    if (this.graph.hidden) return;
    const [width, height] = [300, 64];
    const most = Math.max(1, ...known.map(([, value]) => Math.abs(value)));
    const x = (n) => (n / Math.max(1, values.length - 1)) * width;
    const y = (value) => height / 2 - (value / most) * (height / 2 - 4);
    const points = known.map(([n, value]) => `${x(n).toFixed(1)},${y(value).toFixed(1)}`);
    const area = `${x(known[0][0])},${height / 2} ${points.join(" ")} ${x(known.at(-1)[0])},${height / 2}`;
    this.graph.replaceChildren(shape("svg", {
      viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": "Value of each state for the first player",
      preserveAspectRatio: "none",
      onclick: (event) => this.onlook(Math.round((event.offsetX / this.graph.clientWidth) * (values.length - 1))),
    },
    shape("polygon", { points: area, class: "area" }),
    shape("line", { x1: 0, x2: width, y1: height / 2, y2: height / 2, class: "zero" }),
    shape("polyline", { points: points.join(" "), class: "curve" }),
    shape("line", { x1: x(ply), x2: x(ply), y1: 0, y2: height, class: "now" })));
  }
}

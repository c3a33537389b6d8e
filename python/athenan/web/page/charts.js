// Curves: a few series over one axis, as SVG.

import { element, shape } from "./elements.js";

const [WIDTH, HEIGHT, LEFT, BELOW] = [420, 190, 46, 22];

// series: [{name, points: [[x, y, low, high]]}]
export function chart(title, series, words = (value) => String(+value.toPrecision(3))) {
  const all = series.flatMap((each) => each.points);
  const figure = element("figure", { class: "chart" }, element("figcaption", {}, title));
  if (!all.length) { figure.append(element("p", { class: "calm small" }, "Nothing yet.")); return figure; }
  const ys = all.flatMap((point) => point.slice(1).filter((each) => Number.isFinite(each)));
  const [x0, x1] = [Math.min(...all.map((p) => p[0])), Math.max(...all.map((p) => p[0]))];
  const [low, high] = [Math.min(0, ...ys), Math.max(...ys, 1e-9)];
  const x = (value) => LEFT + ((value - x0) / (x1 - x0 || 1)) * (WIDTH - LEFT - 8);
  const y = (value) => HEIGHT - BELOW - ((value - low) / (high - low || 1)) * (HEIGHT - BELOW - 10);
  const grid = [low, (low + high) / 2, high].flatMap((value) => [
    shape("line", { x1: LEFT, x2: WIDTH - 8, y1: y(value), y2: y(value), class: "zero" }),
    shape("text", { x: LEFT - 6, y: y(value) + 4, class: "tick end" }, words(value))]);
  const ends = [[x0, "start"], [x1, "end"]].map(([value, anchor]) =>
    shape("text", { x: x(value), y: HEIGHT - 5, class: `tick ${anchor}` }, value.toLocaleString("en")));
  const lines = series.flatMap(({ points }, n) => [
    ...points.filter((p) => p.length > 2).map((p) => shape("line", { x1: x(p[0]), x2: x(p[0]), y1: y(p[2]), y2: y(p[3]), class: `bar s${n % 6}` })),
    shape("polyline", { class: `curve s${n % 6}`, points: points.map((p) => `${x(p[0]).toFixed(1)},${y(p[1]).toFixed(1)}`).join(" ") }),
    ...(points.length < 40 ? points.map((p) => shape("circle", { cx: x(p[0]), cy: y(p[1]), r: 2.6, class: `dot s${n % 6}` })) : [])]);
  figure.append(shape("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": title }, grid, ends, lines));
  if (series.length > 1) figure.append(element("p", { class: "small legend" }, series.map(({ name }, n) => element("span", { class: `s${n % 6}` }, name))));
  return figure;
}

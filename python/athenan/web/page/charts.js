// Curves: a few series over one axis, as SVG.

import { element, shape } from "./elements.js";

const [WIDTH, HEIGHT, LEFT, BELOW] = [420, 190, 46, 22];

const TICKS = 4; // at most, beside the lowest

// series: [{name, points: [[x, y, low, high]]}]; what lies along x; `top` if it cannot be exceeded.
export function chart(title, series, along, words = short, top = null) {
  const all = series.flatMap((each) => each.points);
  const figure = element("figure", { class: "chart" }, element("figcaption", {}, title));
  if (!all.length) { figure.append(element("p", { class: "calm small" }, "Nothing yet.")); return figure; }
  const ys = all.flatMap((point) => point.slice(1).filter((each) => Number.isFinite(each)));
  const [x0, x1] = [Math.min(...all.map((p) => p[0])), Math.max(...all.map((p) => p[0]))];
  const marks = ticks(Math.min(0, ...ys), top ?? Math.max(...ys, 1e-9));
  const [low, high] = [marks[0], marks.at(-1)];
  const x = (value) => LEFT + ((value - x0) / (x1 - x0 || 1)) * (WIDTH - LEFT - 8);
  const y = (value) => HEIGHT - BELOW - ((value - low) / (high - low || 1)) * (HEIGHT - BELOW - 10);
  const grid = marks.flatMap((value) => [
    shape("line", { x1: LEFT, x2: WIDTH - 8, y1: y(value), y2: y(value), class: "zero" }),
    shape("text", { x: LEFT - 6, y: y(value) + 4, class: "tick end" }, words(value))]);
  const ends = [[x0, "start"], ...(x1 > x0 ? [[x1, "end"]] : [])].map(([value, anchor]) =>
    shape("text", { x: x(value), y: HEIGHT - 5, class: `tick ${anchor}` }, value.toLocaleString("en")));
  ends.push(shape("text", { x: (LEFT + WIDTH - 8) / 2, y: HEIGHT - 5, class: "tick" }, along));
  const lines = series.flatMap(({ points }, n) => [
    ...points.filter((p) => p.length > 2).map((p) => shape("line", { x1: x(p[0]), x2: x(p[0]), y1: y(p[2]), y2: y(p[3]), class: `bar s${n % 6}` })),
    shape("polyline", { class: `curve s${n % 6}`, points: points.map((p) => `${x(p[0]).toFixed(1)},${y(p[1]).toFixed(1)}`).join(" ") }),
    ...(points.length < 40 ? points.map((p) => shape("circle", { cx: x(p[0]), cy: y(p[1]), r: 2.6, class: `dot s${n % 6}` })) : [])]);
  figure.append(shape("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": title }, grid, ends, lines));
  if (series.length > 1) figure.append(element("p", { class: "small legend" }, series.map(({ name }, n) => element("span", { class: `s${n % 6}` }, name))));
  return figure;
}

// Round numbers from the lowest to the highest value, few of them.
function ticks(low, high) {
  const rough = (high - low) / TICKS;
  const size = 10 ** Math.floor(Math.log10(rough));
  const step = size * [1, 2, 5, 10].find((times) => times * size >= rough);
  const [first, last] = [Math.floor(low / step), Math.ceil(high / step - 1e-9)];
  return Array.from({ length: last - first + 1 }, (_, n) => (first + n) * step);
}

function short(value) {
  const rounded = +value.toPrecision(3);
  return Math.abs(rounded) >= 1e4 ? rounded.toLocaleString("en") : String(rounded);
}

// The board: the picture of a position with cells that can be touched, by mouse, finger or keys.

import { drawing, element, shape } from "./elements.js";
import { Choice } from "./ways.js";

const CELL = 40; // units of the picture
const FEW = 3; // first touches are shown on less than a third of the cells, or they would say nothing
const PIECES = "g.piece:not(.ghost *)"; // ghosts mark where captured ones were
const still = matchMedia("(prefers-reduced-motion: reduce)");

export class Board {
  // `onmove` hears of a move that was chosen, `onchange` of every touch.
  constructor({ onmove = () => {}, onchange = () => {} } = {}) {
    this.onmove = onmove;
    this.onchange = onchange;
    this.picture = element("div", { class: "picture" });
    this.layers = Object.fromEntries(
      ["marks", "arrows", "heat", "numbers", "cells"].map((name) => [name, shape("g", { class: name })]));
    this.touchable = shape(
      "svg",
      { class: "touch", role: "group", "aria-label": "Board" },
      shape("defs", {}, shape("marker", {
        id: "head", viewBox: "0 0 10 10", refX: 7, refY: 5, markerWidth: 3.2, markerHeight: 3.2, orient: "auto",
      }, shape("path", { d: "M0 0 10 5 0 10z", class: "head" }))),
      Object.values(this.layers),
    );
    this.root = element("div", { class: "board" }, this.picture, this.touchable);
    this.places = new Map();
    this.choice = new Choice([]);
    this.view = null;
    this.active = false;
    this.touchable.addEventListener("pointerdown", (event) => this.press(event));
    this.touchable.addEventListener("pointerup", (event) => this.release(event));
    this.touchable.addEventListener("pointercancel", () => { this.pressed = null; });
    this.touchable.addEventListener("pointermove", (event) => this.hover(event));
    this.touchable.addEventListener("keydown", (event) => this.key(event));
  }

  get flipped() {
    return this.root.classList.contains("flipped");
  }

  flip(on = !this.flipped) {
    this.root.classList.toggle("flipped", on);
  }

  // Show a position; `active` says whether its moves can be made here.
  show(view, active) {
    const before = this.view;
    this.view = view;
    this.active = active && view.outcome === null;
    this.choice = new Choice(this.active ? view.moves : []);
    this.cells = view.cells.map(([row, column, x, y, name, content]) =>
      ({ cell: [row, column], key: `${row},${column}`, x, y, name, content }));
    this.places = new Map(this.cells.map((place) => [place.key, place]));
    if (!before || before.svg !== view.svg) this.draw(view, before);
    this.drawCells();
    this.heat([]);
    this.arrows([]);
    this.refresh();
  }

  draw(view, before) {
    const svg = drawing(view.svg);
    for (const name of ["width", "height"]) svg.removeAttribute(name);
    const areas = [...svg.querySelectorAll("g.cells > .cell")];
    this.areas = new Map(areas.map((area) => [area.dataset.cell, area.getAttribute("points")]));
    svg.querySelector("g.cells")?.remove();
    svg.setAttribute("aria-hidden", "true");
    const old = this.picture.firstElementChild;
    this.picture.replaceChildren(svg);
    this.touchable.setAttribute("viewBox", svg.getAttribute("viewBox"));
    const [, , width, height] = svg.getAttribute("viewBox").split(" ").map(Number);
    (this.root.closest(".field-of-play") ?? this.root).style.setProperty("--ratio", width / height);
    if (before && view.ply === before.ply + 1 && !still.matches) {
      const way = (view.last?.cells ?? []).map((cell) => this.places.get(String(cell))).filter(Boolean);
      this.animate(svg, way);
      this.vanish(svg, old, way);
    }
  }

  // Let the piece that moved come from where it was.
  animate(svg, way) {
    const target = way.at(-1);
    if (!target) return;
    const pieces = [...svg.querySelectorAll(PIECES)];
    const piece = pieces.map((each) => [distance(each, target), each]).sort((a, b) => a[0] - b[0])[0];
    if (!piece || piece[0] > CELL / 2) return;
    const frames = way.length > 1
      ? way.map((place) => ({ transform: `translate(${place.x - target.x}px, ${place.y - target.y}px)` }))
      : [{ opacity: 0 }, { opacity: 1 }];
    piece[1].animate(frames, { duration: 110 + 70 * frames.length, easing: "ease-out" });
  }

  // Let pieces that are gone, or another one's by now, fade away; the one that moved did not go.
  vanish(svg, old, way) {
    const kept = new Set([...svg.querySelectorAll(PIECES)].map((piece) => piece.outerHTML));
    for (const piece of old.querySelectorAll(PIECES)) {
      if (kept.has(piece.outerHTML)) continue;
      const ghost = svg.appendChild(piece.cloneNode(true));
      if (way.length > 1 && distance(ghost, way[0]) < CELL / 2) { ghost.remove(); continue; }
      ghost.classList.add("vanishing");
      ghost.animate([{ opacity: 1 }, { opacity: 0 }], { duration: 320, easing: "ease-in" }).finished.finally(() => ghost.remove());
    }
  }

  drawCells() {
    const focused = this.focused?.key;
    this.layers.cells.replaceChildren(...this.cells.map((place) =>
      shape("polygon", {
        points: this.areas.get(place.key) ?? "",
        class: "cell", "data-cell": place.key, role: "button", tabindex: -1,
        "aria-label": this.describe(place),
      })));
    const start = this.element(focused) ?? this.layers.cells.firstElementChild;
    start?.setAttribute("tabindex", 0);
    if (focused && this.hadFocus) this.element(focused)?.focus({ preventScroll: true });
  }

  describe(place) {
    const words = place.content ? `${place.name}, ${place.content}` : `${place.name}, empty`;
    const next = this.active && this.choice.targets.some((cell) => String(cell) === place.key);
    return next ? `${words}, playable` : words;
  }

  element(key) {
    return key ? this.layers.cells.querySelector(`[data-cell="${key}"]`) : null;
  }

  // Show what was touched and what may be touched next.
  refresh() {
    const { path } = this.choice;
    const targets = this.active ? this.choice.targets : [];
    const place = (cell) => this.places.get(String(cell));
    const marks = path.map(place).filter(Boolean).map(({ x, y }) =>
      shape("circle", { cx: x, cy: y, r: 17.5, class: "chosen" }));
    if (path.length > 1) {
      const points = path.map(place).filter(Boolean).map(({ x, y }) => `${x},${y}`).join(" ");
      marks.unshift(shape("polyline", { points, class: "way-so-far" }));
    }
    for (const { x, y, content } of targets.map(place).filter(Boolean)) {
      if (path.length) marks.push(shape("circle", { cx: x, cy: y, r: content ? 15 : 6.5, class: content ? "target full" : "target" }));
      else if (!content && FEW * targets.length < this.cells.length) marks.push(shape("circle", { cx: x, cy: y, r: 5, class: "possible" }));
    }
    this.layers.marks.replaceChildren(...marks);
    const playable = new Set(targets.map(String));
    for (const cell of this.layers.cells.children) {
      const known = this.places.get(cell.dataset.cell);
      cell.classList.toggle("playable", playable.has(cell.dataset.cell));
      cell.setAttribute("aria-label", this.describe(known));
    }
  }

  touch(cell) {
    if (!this.active) return;
    const move = this.choice.touch(cell);
    this.refresh();
    this.onchange();
    if (move) this.play(move);
  }

  play(move) {
    this.active = false;
    this.refresh();
    this.onchange();
    this.onmove(move);
  }

  undoPart() {
    if (!this.choice.isBegun) return false;
    this.choice.undo();
    this.refresh();
    this.onchange();
    return true;
  }

  // The cell nearest to a pointer.
  nearest(event) {
    const matrix = this.touchable.getScreenCTM();
    if (!matrix || !this.cells?.length) return null;
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    const ranked = this.cells.map((place) => [Math.hypot(place.x - x, place.y - y), place]);
    const [distance, place] = ranked.reduce((a, b) => (a[0] <= b[0] ? a : b));
    return distance < 0.8 * CELL ? place : null;
  }

  press(event) {
    const place = event.button === 0 ? this.nearest(event) : null;
    this.pressed = place;
    this.touched = false;
    if (!place || !this.active || event.pointerType === "touch") return;
    if (this.choice.path.length || this.choice.after(place.cell)) return;
    this.touched = true;
    this.touch(place.cell);
  }

  // A drag ends on another cell than it began: that cell is touched too.
  release(event) {
    const [place, began] = [this.nearest(event), this.pressed];
    this.pressed = null;
    if (!place || !began) return;
    this.focus(place, false);
    if (place === began && !this.touched) this.touch(place.cell);
    else if (place !== began) {
      if (!this.touched && String(this.choice.path.at(-1)) !== began.key) this.touch(began.cell);
      if (this.choice.path.length) this.touch(place.cell);
    }
  }

  hover(event) {
    const place = this.nearest(event);
    const playable = place && this.element(place.key)?.classList.contains("playable");
    this.touchable.classList.toggle("over", Boolean(playable));
  }

  focus(place, visibly = true) {
    this.element(this.focused?.key)?.setAttribute("tabindex", -1);
    this.focused = place;
    this.hadFocus = visibly;
    const target = this.element(place.key);
    target?.setAttribute("tabindex", 0);
    if (visibly) target?.focus({ preventScroll: true });
  }

  // Give the keys to the cell that had them last, or to the first one.
  takeKeys() {
    this.layers.cells.querySelector('[tabindex="0"]')?.focus({ preventScroll: true });
  }

  key(event) {
    const here = this.places.get(event.target.dataset?.cell);
    const sign = this.flipped ? -1 : 1;
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    if (here && steps[event.key]) {
      const [dx, dy] = steps[event.key].map((n) => n * sign);
      const next = this.towards(here, dx, dy);
      if (next) this.focus(next);
    } else if (here && (event.key === "Enter" || event.key === " ")) {
      this.focused = here;
      this.hadFocus = true;
      this.touch(here.cell);
    } else if (!(event.key === "Escape" && this.undoPart())) return;
    event.preventDefault();
  }

  // The nearest cell in a direction: what lies beside it counts more than twice its distance.
  towards(here, dx, dy) {
    const cost = (place) => {
      const [right, down] = [place.x - here.x, place.y - here.y];
      const along = right * dx + down * dy;
      return along < CELL / 3 ? Infinity : along + 2.5 * Math.abs(right * dy - down * dx);
    };
    const best = this.cells.reduce((a, b) => (cost(a) <= cost(b) ? a : b));
    return cost(best) < Infinity ? best : null;
  }

  // Values of moves as colours: [{cells, share (0 bad to 1 good), words, sure}].
  heat(items) {
    this.layers.heat.replaceChildren(...items.flatMap(({ cells, share, words, plies, sure }) => {
      const place = this.places.get(String(cells.at(-1) ?? ""));
      if (!place) return [];
      return [shape("g", { class: `value${sure ? " sure" : ""}${words.length > 4 ? " long" : ""}` },
        shape("circle", { cx: place.x, cy: place.y, r: 15, class: `warmth w${Math.round(10 * share)}` }),
        shape("text", { x: place.x, y: place.y + (plies ? 0 : 4) }, words),
        plies ? shape("text", { x: place.x, y: place.y + 10 }, `in ${plies}`) : null)];
    }));
  }

  // Moves as arrows: the best ones by rank, and numbered the plies that follow the best one:
  // [{cells, rank}, {cells, step, own: whether it is the mover's}].
  arrows(items) {
    const drawn = { arrows: [], numbers: [] };
    for (const { cells, rank, step, own } of items) {
      const places = cells.map((cell) => this.places.get(String(cell))).filter(Boolean);
      const end = places.at(-1);
      if (!end) continue;
      const look = step ? "following" : `rank${rank}`;
      if (places.length > 1) {
        const points = places.map(({ x, y }) => `${x},${y}`).join(" ");
        drawn.arrows.push(shape("polyline", { points, class: `line ${look}`, "marker-end": "url(#head)" }));
      } else if (!step) drawn.arrows.push(shape("circle", { cx: end.x, cy: end.y, r: 18, class: `line ${look}` }));
      if (step) drawn.numbers.push(badge(end, step, own));
    }
    for (const [layer, shapes] of Object.entries(drawn)) this.layers[layer].replaceChildren(...shapes);
  }
}

// How far the middle of something drawn is from a place.
function distance(drawn, { x, y }) {
  const box = drawn.getBBox();
  return Math.hypot(box.x + box.width / 2 - x, box.y + box.height / 2 - y);
}

// The number of a ply at a corner of its cell; several may be on one cell.
function badge({ x, y }, step, own) {
  const [right, down] = [step % 2 ? -12 : 12, step > 3 ? 12 : -12];
  return shape("g", { class: own ? "step own" : "step" },
    shape("circle", { cx: x + right, cy: y + down, r: 7 }),
    shape("text", { x: x + right, y: y + down + 3.5 }, String(step)));
}

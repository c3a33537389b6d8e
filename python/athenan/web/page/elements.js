// Making elements: the few helpers that all other modules share.

const NOTICED = 6000; // milliseconds
const SVG = "http://www.w3.org/2000/svg";

export function element(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

export function shape(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

function fill(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return made;
}

// Put other children into a place; whoever had the focus there keeps it on the same control.
export function refill(place, ...children) {
  const before = place.contains(document.activeElement) ? named(document.activeElement) : null;
  place.replaceChildren(...children);
  if (before === null) return;
  const controls = [...place.querySelectorAll("button, a, select, input")].filter((each) => !each.disabled);
  (controls.find((each) => named(each) === before) ?? controls[0])?.focus({ preventScroll: true });
}

const named = (control) => control.dataset.ply ?? control.getAttribute("aria-label") ?? control.textContent;

// Moves in a sentence: none of them is parted at the end of a line.
export const inLine = (moves) => moves.flatMap((move) => [element("span", { class: "ply" }, move), " "]);

export function button(words, onclick, attributes = {}) {
  return element("button", { type: "button", onclick, ...attributes }, words);
}

// A labelled choice among [value, words] pairs.
export function choice(label, options, chosen, onchange) {
  const select = element(
    "select",
    { onchange: () => onchange(select.value) },
    options.map(([value, words]) =>
      element("option", { value, selected: String(value) === String(chosen) }, words)),
  );
  return element("label", { class: "field" }, element("span", {}, label), select);
}

export function drawing(text) {
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml");
  return document.importNode(parsed.documentElement, true);
}

export function notice(words, kind = "", milliseconds = NOTICED) {
  const place = document.getElementById("notices");
  const made = element("p", { class: kind }, words);
  place.replaceChildren(made);
  if (milliseconds < Infinity) setTimeout(() => made.remove(), milliseconds);
}

export function counted(number, one, many = `${one}s`) {
  return `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
}

export function percent(value) {
  return `${Math.round(100 * value)} %`;
}

// A value for the first player, as the page writes it everywhere.
export function valueWords(value) {
  if (value === null || value === undefined) return "–";
  return (value > 0 ? "+" : value < 0 ? "−" : "") + Math.abs(value).toFixed(2);
}

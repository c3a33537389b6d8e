// The page: which part of it an address shows, and what all parts share.

import { offer } from "./api.js";
import { element, notice } from "./elements.js";
import { live } from "./live.js";

const PAGES = {
  "": () => import("./gallery.js"),
  game: () => import("./setup.js"),
  match: () => import("./match.js"),
  analyse: () => import("./study.js"),
  training: () => import("./training.js"),
  arena: () => import("./arena.js"),
};
const TITLES = { analyse: "Analyse", training: "Training", arena: "Arena", game: "New match" };
const main = document.getElementById("main");
let leave = () => {};
let shown = 0;

// #/match/ID?key=... as {page, name, query}
function address() {
  const [path, query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  const [page, name = ""] = path.split("/").map(decodeURIComponent);
  return { page, name, query: new URLSearchParams(query) };
}

async function show() {
  const turn = ++shown;
  const { page, name, query } = address();
  for (const link of document.querySelectorAll(".top nav a")) {
    const current = link.getAttribute("href").replace(/^#\/?/, "") === page;
    link.toggleAttribute("aria-current", current);
  }
  leave();
  leave = () => {};
  document.getElementById("notices").replaceChildren(); // what was said of the page before
  document.title = TITLES[page] ? `${TITLES[page]} · athenan` : "athenan";
  if (turn > 1) main.focus({ preventScroll: true }); // the keys begin at the top of the new page
  try {
    const load = PAGES[page];
    if (!load) throw new Error("There is no such page.");
    const [module, offered] = await Promise.all([load(), offer()]);
    if (turn !== shown) return;
    const made = element("div", { class: "page" });
    main.replaceChildren(made);
    leave = (await module.show(made, { name, query, offered })) ?? (() => {});
  } catch (problem) {
    if (turn === shown) main.replaceChildren(element("p", { class: "calm" }, problem.message), element("a", { class: "button", href: "#/" }, "All games"));
  }
}

function theme() {
  const kept = localStorage.getItem("theme");
  if (kept) document.documentElement.dataset.theme = kept;
  document.getElementById("theme").addEventListener("click", () => {
    const dark = matchMedia("(prefers-color-scheme: dark)").matches;
    const now = document.documentElement.dataset.theme ?? (dark ? "dark" : "light");
    const next = now === "dark" ? "light" : "dark";
    document.documentElement.dataset.theme = next;
    localStorage.setItem("theme", next);
  });
}

function connection() {
  let lost = null;
  let told = false;
  live().addEventListener("state", ({ detail }) => {
    document.body.classList.toggle("offline", !detail.connected);
    if (detail.connected && told) notice("Connected again.");
    if (detail.connected) { clearTimeout(lost); lost = null; told = false; }
    else lost ??= setTimeout(() => { told = true; notice("The connection is lost; trying again …", "", Infinity); }, 800);
  });
}

theme();
addEventListener("hashchange", show);
show();
connection();
offer().then((offered) => {
  for (const link of document.querySelectorAll("[data-needs]")) link.hidden = !offered[link.dataset.needs];
}).catch(() => {});

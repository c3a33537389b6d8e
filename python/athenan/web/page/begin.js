// Beginning a match, and remembering the keys of one's seats.

import { post } from "./api.js";

export const modelsOf = (offered, name) =>
  offered.models.filter((model) => model.game === name || model.game.startsWith(`${name}:`));

const USUAL_LEVEL = 2;

// Begin a match; without more words against the first model there is, else against MCTS.
export async function begin(offered, game, wishes = {}) {
  const model = wishes.model === undefined ? modelsOf(offered, game.name)[0] ?? null : wishes.model;
  const machine = { who: "machine", model: model?.id ?? null, level: wishes.level ?? USUAL_LEVEL };
  const other = wishes.other ?? machine;
  const person = { who: "person" };
  const seats = game.players === 1 ? [person]
    : wishes.second ? [other, person] : [person, other];
  const made = await post("/api/matches", {
    game: wishes.id ?? model?.game ?? game.id,
    seats: wishes.seats ?? seats,
    clock: wishes.clock ?? null,
    position: wishes.position ?? null,
    moves: wishes.moves ?? [],
  });
  const own = wishes.invite ? Number(Boolean(wishes.second)) : null;
  keep(made.id, own === null ? made.keys.filter(Boolean) : [made.keys[own]]);
  if (own !== null) sessionStorage.setItem(INVITATION + made.id, made.keys[1 - own]);
  location.hash = `#/match/${made.id}`;
  return made;
}

export const invitationOf = (id) => sessionStorage.getItem(INVITATION + id);

const INVITATION = "invitation ";
const PREFIX = "keys ";
const KEPT = 200;

export function keysOf(id) {
  try {
    return JSON.parse(sessionStorage.getItem(PREFIX + id) ?? localStorage.getItem(PREFIX + id) ?? "[]");
  } catch {
    return [];
  }
}

export function keep(id, keys) {
  const all = JSON.stringify([...new Set([...keysOf(id), ...keys])]);
  sessionStorage.setItem(PREFIX + id, all);
  const names = Object.keys(localStorage).filter((name) => name.startsWith(PREFIX));
  for (const name of names.slice(0, Math.max(0, names.length - KEPT))) localStorage.removeItem(name);
  localStorage.setItem(PREFIX + id, all);
}

// A match begun anew: where it was, if the server has forgotten it, or from its start once it is over.

import { begin } from "./begin.js";

// Where it was, for the server was started again; `own` are the sides that are played from this page.
export function beginAnew(match, own, offered) {
  return beginLike(match, own, offered, match.seats, match.played);
}

// From its start, with the same players, who change sides.
export function rematch(match, own, offered) {
  const last = match.seats.length - 1;
  return beginLike(match, own.map((side) => last - side), offered, [...match.seats].reverse(), []);
}

function beginLike(match, own, offered, seats, moves) {
  const game = offered.games.find((each) => each.name === match.game.split(":")[0]);
  return begin(offered, game, {
    id: match.game, model: null, seats: seats.map((seat) => wanted(seat, offered)), clock: match.clock?.control,
    position: match.start, moves, second: own.includes(1),
    invite: seats.some((seat, side) => seat.who === "person" && !own.includes(side)),
  });
}

// A seat as the server was asked for it: levels come back by their names, as "full strength, 10 s".
function wanted({ who, name, level, model }, { levels }) {
  if (who === "person") return { who };
  const number = levels.findIndex((each) => level === each.name || level.startsWith(`${each.name}, `));
  if (number < 0) return { who: "player", player: name };
  const seconds = level.match(/, ([\d.]+) s$/);
  return { who, model, level: number, ...(seconds ? { seconds: Number(seconds[1]) } : {}) };
}

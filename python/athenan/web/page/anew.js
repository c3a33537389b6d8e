// A match that the server has forgotten, for it was started again: begun anew where it was.

import { begin } from "./begin.js";

// `mine` are the sides that are played from this page.
export function beginAnew(match, mine, offered) {
  const game = offered.games.find((each) => each.name === match.game.split(":")[0]);
  const others = match.seats.some((seat, side) => seat.who === "person" && !mine.includes(side));
  return begin(offered, game, {
    id: match.game, model: null, seats: match.seats.map((seat) => wanted(seat, offered)), clock: match.clock?.control,
    position: match.start, moves: match.played, invite: others, second: mine.includes(1),
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

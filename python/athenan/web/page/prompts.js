// What to do next on the board, in one short sentence.

export function prompt({ choice, active, places }) {
  if (!active || !choice.moves.length) return "";
  if (choice.path.length) return choice.complete.length ? "Choose the next cell, or finish the move here." : "Choose the next cell.";
  const starts = choice.targets.map((cell) => Boolean(places.get(String(cell))?.content));
  if (starts.every(Boolean)) return "Choose a piece.";
  return starts.some(Boolean) ? "Choose a cell or a piece." : "Choose a cell.";
}

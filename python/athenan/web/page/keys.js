// The keys of a page with a board and a list of moves.

// `step` goes through the moves; arrows do so too, unless they move over the board.
// Returns what ends the listening.
export function listen({ flip, hint = () => {}, step, undoPart }) {
  const pressed = (event) => {
    if (event.target.closest?.("input, select, textarea") || event.ctrlKey || event.metaKey || event.altKey) return;
    const does = { f: flip, h: hint, "[": () => step(-1), "]": () => step(1), Escape: undoPart };
    if (!event.target.closest?.(".touch")) Object.assign(does, { ArrowLeft: does["["], ArrowRight: does["]"] });
    if (!does[event.key]) return;
    does[event.key]();
    event.preventDefault();
  };
  addEventListener("keydown", pressed);
  return () => removeEventListener("keydown", pressed);
}

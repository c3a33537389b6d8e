// Choosing a move by touching its cells one after the other.
//
// Every legal move is a way over cells. What was touched so far is the beginning of some of these
// ways; each further touch leaves fewer of them, until one is left. No rules of any game are known.
// Where every move begins on the same cell, that cell counts as touched already.

const same = (a, b) => a[0] === b[0] && a[1] === b[1];

export class Choice {
  constructor(moves) {
    this.moves = moves.filter((move) => move.cells.length > 0);
    this.start = begun(this.moves);
    this.restart();
  }

  restart() {
    this.path = [...this.start];
    this.steps = []; // how many cells each touch added: a jump adds two
  }

  get isBegun() {
    return this.steps.length > 0;
  }

  // The moves whose way begins with what was touched.
  get candidates() {
    return this.moves.filter((move) =>
      this.path.every((cell, n) => n < move.cells.length && same(cell, move.cells[n])));
  }

  // The moves that are complete by now.
  get complete() {
    return this.candidates.filter((move) => move.cells.length === this.path.length);
  }

  // Cells that may be touched next: [cell, whether one more touch is needed after it].
  get targets() {
    const found = new Map();
    for (const move of this.candidates) {
      const next = move.cells[this.path.length];
      if (next) found.set(String(next), next);
    }
    for (const [key, cell] of this.jumps()) if (!found.has(key)) found.set(key, cell);
    return [...found.values()];
  }

  // Cells one step further, where the step between is the same for all: over a captured piece.
  jumps() {
    const place = this.path.length;
    const found = new Map();
    if (place === 0) return found;
    for (const move of this.candidates) {
      const [over, cell] = [move.cells[place], move.cells[place + 1]];
      if (!cell) continue;
      const key = String(cell);
      const known = found.get(key);
      if (known === undefined) found.set(key, { cell, over });
      else if (known !== null && !same(known.over, over)) found.set(key, null);
    }
    return new Map([...found].filter(([, jump]) => jump).map(([key, jump]) =>
      [key, Object.assign(jump.cell.slice(), { over: jump.over })]));
  }

  // Touch a cell. Returns the move that is now chosen, if there is one.
  touch(cell) {
    const next = this.candidates.some((move) => {
      const expected = move.cells[this.path.length];
      return expected && same(expected, cell);
    });
    const jump = next ? null : this.jumps().get(String(cell));
    if (next) this.add(cell);
    else if (jump) this.add(jump.over, cell);
    else if (this.path.length && same(cell, this.path.at(-1))) this.undo();
    else {
      this.restart();
      if (!this.start.length && this.moves.some((move) => same(move.cells[0], cell))) this.add(cell);
    }
    return this.chosen;
  }

  get chosen() {
    const left = this.candidates;
    return left.length === 1 && left[0].cells.length === this.path.length ? left[0] : null;
  }

  // The move that a touch would complete, if any.
  after(cell) {
    const tried = new Choice(this.moves);
    tried.path = [...this.path];
    tried.steps = [...this.steps];
    return tried.touch(cell);
  }

  add(...cells) {
    this.path.push(...cells);
    this.steps.push(cells.length);
  }

  // Take back the last touch.
  undo() {
    if (this.isBegun) this.path.length -= this.steps.pop();
  }
}

// The cell on which all of several cells' ways begin, if there is one.
function begun(moves) {
  const [cell] = moves[0]?.cells ?? [];
  const isShared = moves.every((move) => move.cells.length > 1 && same(move.cells[0], cell));
  return moves.length && isShared ? [cell] : [];
}

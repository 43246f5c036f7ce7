/**
 * Questions about a graph whose answers depend on each other, perhaps in circles.
 *
 * An answer only ever grows: from false to true, or by further nodes. A cell that has grown makes the cells
 * that have read it look again. When no cell grows any more, each answer is the smallest one that agrees with
 * all others: nothing counts as resolved only because it needs itself.
 */

/** One question, and the answer so far. */
export abstract class Cell {
  readonly readers = new Set<Cell>()

  /** Looks again at everything that the answer depends on. True if the answer has grown. */
  abstract update(): boolean
}

/** The cells that have to look again. */
export class Cells {
  readonly #waiting = new Set<Cell>()

  /** Makes a new cell look for the first time. */
  add(cell: Cell): void {
    this.#waiting.add(cell)
  }

  /** Lets cells look again until none grows any more. */
  settle(): void {
    // Cells that are added while the loop runs are visited by it, too.
    for (const cell of this.#waiting) {
      this.#waiting.delete(cell)
      if (!cell.update()) continue
      for (const reader of cell.readers) this.#waiting.add(reader)
    }
  }
}

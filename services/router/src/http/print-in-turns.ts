/**
 * Large answers are printed in slices, with other requests in between; small ones by one `JSON.stringify`.
 */
import { JsonPrinter, type ExecutionWork } from '@switchyard/engine'

/** Values, of which sixteen characters count for one: takes about a millisecond to be printed in one go. */
const LARGE_WEIGHT = 16_384
/** Characters of a text that is JSON already. */
const LARGE_TEXT = 256 * 1024

/** Steps in one turn: some hundred kilobytes. */
const SLICE = 20_000

/** Characters that stand in strings only, and mean the same if they are written so. */
export type Escape = { readonly text: string; readonly as: string }

/** What an answer is printed with. */
export type Printing = {
  /** Printing draws from the budget of the request. */
  readonly work: ExecutionWork
  /** Told how many bytes are printed. */
  readonly size: { printed(bytes: number): void }
  /** Nobody waits for the answer any more. */
  readonly isGone: () => boolean
  readonly escape?: Escape
}

/** Whether a result of this weight, as the engine tells it, is printed in slices. */
export function isLargeWeight(weight: number): boolean {
  return weight > LARGE_WEIGHT
}

/** Whether JSON text is so long that it is sent in slices. */
export function isLargeText(text: string | null): boolean {
  return text !== null && text.length > LARGE_TEXT
}

/**
 * What `JSON.stringify` would write, in pieces of some ten kilobytes; null: nobody waits for it any more.
 * What was printed counts for the request until it is there. Rejects with what the budget throws.
 */
export async function printInTurns(
  value: unknown,
  printing: Printing,
): Promise<readonly Uint8Array[] | null> {
  const { work, size, isGone, escape = null } = printing
  const printer = new JsonPrinter(value, work.budget, escape)
  try {
    do {
      await work.turns.next()
      if (isGone()) return null
      size.printed(printer.size)
    } while (!printer.proceed(SLICE))
    return printer.pieces
  } finally {
    size.printed(0)
  }
}

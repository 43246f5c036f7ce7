/**
 * Large answers are printed in slices, with other requests in between; small ones by one `JSON.stringify`.
 */
import { JsonPrinter, type ExecutionWork } from '@switchyard/engine'

/**
 * The weight up to which a result is printed in one go, half a megabyte of text or less. Each value counts
 * one, and so do sixteen characters. That takes a millisecond or two, and 33 at the worst, for a text of lone
 * surrogates.
 */
const LARGE_WEIGHT = 32_768
/** Length from which a text that is JSON already is sent in slices. */
const LARGE_TEXT = 256 * 1024

/** Steps per turn of the event loop: some hundred kilobytes of text. */
const SLICE = 20_000

/** Characters that occur only inside strings and mean the same in JSON source text. */
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

/**
 * Prints large answers in slices, with other requests in between. Small answers are printed by one
 * `JSON.stringify`.
 */
import { JsonPrinter, type ExecutionWork } from '@switchyard/engine'

/**
 * The weight up to which a result is printed at once, half a megabyte of text or less. Each value has the
 * weight 1, and so have sixteen characters. That takes a millisecond or two, and 33 at the worst, for a text
 * of lone surrogates.
 */
const LARGE_WEIGHT = 32_768
/** Characters from which a text that is JSON already is sent in slices. */
const LARGE_TEXT = 256 * 1024

/** Steps per turn of the event loop: some hundred kilobytes of text. */
const SLICE = 20_000

/** A text that occurs only inside strings, and a text that means the same in JSON. */
export type Escape = { readonly text: string; readonly as: string }

/** The options of printing an answer. */
export type Printing = {
  /** The turns and the budget of the request, which printing uses. */
  readonly work: ExecutionWork
  /** Is told how many bytes are printed. */
  readonly size: { printed(bytes: number): void }
  /** Returns true if nobody waits for the answer any more. */
  readonly isGone: () => boolean
  readonly escape?: Escape
}

/** Returns whether a result of this weight, as the engine tells it, is printed in slices. */
export function isLargeWeight(weight: number): boolean {
  return weight > LARGE_WEIGHT
}

/** Returns whether JSON text is so long that it is sent in slices. */
export function isLargeText(text: string | null): boolean {
  return text !== null && text.length > LARGE_TEXT
}

/**
 * Prints the same text as `JSON.stringify`, in pieces of some ten kilobytes. Returns null if nobody waits for
 * the answer any more. Printed bytes count for the request until all of it is printed. Rejects with the error
 * of the budget.
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

import type { Meter, Sliced } from '../sliced.ts'

/** A piece of a text that is not shown where it stands. */
export type HiddenSpan = { readonly start: number; readonly end: number; readonly shown: string }

export const REDACTED = '[redacted]'
/** Stands for each text of a request with more secrets than are looked for. */
export const LEFT_OUT = '[left out: too many secrets]'

/** Pieces of a text that are put together in one go, and what that takes for each. */
const PIECES = 4096
const CHARACTERS_PER_PIECE = 16

/** Of pieces that overlap nothing is shown, and one mark stands for all. */
export function* replaceSpans(text: string, spans: readonly HiddenSpan[], meter: Meter): Sliced<string> {
  if (spans.length === 0) return text
  const parts: string[] = []
  let pieces: string[] = []
  let from = 0
  for (const { start, end, shown } of inOrder(spans)) {
    if (end <= from) continue
    if (start >= from) pieces.push(text.slice(from, start), shown)
    from = end
    if (pieces.length < PIECES) continue
    parts.push(pieces.join(''))
    pieces = []
    meter.shorten(PIECES * CHARACTERS_PER_PIECE)
    if (meter.take(0)) yield
  }
  pieces.push(text.slice(from))
  return parts.join('') + pieces.join('')
}

/** Usually they are. */
function inOrder(spans: readonly HiddenSpan[]): readonly HiddenSpan[] {
  const isInOrder = spans.every(({ start }, index) => start >= (spans[index - 1]?.start ?? 0))
  return isInOrder ? spans : spans.toSorted((a, b) => a.start - b.start || b.end - a.end)
}
